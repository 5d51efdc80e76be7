"""Size of an installation: megabytes and packages of the core and of each extra.

    python benchmarks/install_size.py            # the core
    python benchmarks/install_size.py local hf   # the core, then with each extra in turn

Makes a fresh virtual environment for each line, so it needs a package index and takes a minute or more.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def measure(extra: str) -> tuple[float, int]:
    """Megabytes of site-packages (without pip) and the number of packages (without pip and bakeoff)."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        target = f"{ROOT}[{extra}]" if extra else str(ROOT)
        subprocess.run(
            [python, "-m", "pip", "install", target],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        listed = subprocess.run(
            [python, "-m", "pip", "list", "--format", "freeze"], capture_output=True, text=True, check=True
        ).stdout.split()
        names = [line.partition("==")[0] for line in listed]
        packages = [name for name in names if name not in ("pip", "setuptools", "wheel", "bakeoff")]
        site = next(Path(folder).glob("lib/python*/site-packages"))
        skipped = ("pip", "setuptools", "wheel", "_distutils_hack")
        size = sum(
            path.stat().st_size
            for path in site.rglob("*")
            if path.is_file() and not path.relative_to(site).parts[0].startswith(skipped)
        )
        return size / 1e6, len(packages)


def main() -> None:
    print(f"{'install':<12} {'MB':>7} {'packages':>9}")
    for extra in ["", *sys.argv[1:]]:
        size, packages = measure(extra)
        print(f"{'core' if not extra else f'[{extra}]':<12} {size:>7.0f} {packages:>9}")


if __name__ == "__main__":
    main()
