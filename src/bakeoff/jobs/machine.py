"""What this machine can run models on."""

import os
from importlib.util import find_spec
from pathlib import Path

_BYTES = 1e9
_DRIVERS = ("/dev/nvidiactl", "/dev/kfd")
"""What is there where a driver of graphics cards is: NVIDIA's, AMD's."""
_GROUP = Path("/sys/fs/cgroup")
_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")


def devices() -> tuple[str, ...]:
    """Where models can run here: "cpu", and "cuda" where PyTorch finds a graphics card."""
    return ("cuda", "cpu") if _card_gb() is not None else ("cpu",)


def memory_gb() -> float:
    """The memory for models in GB of 10⁹ bytes: that of the first graphics card, or else of the machine.

    Of the machine's only what its container may have; 0 where the system does not say.
    """
    card = _card_gb()
    return _machine_gb() if card is None else card


def _card_gb() -> float | None:
    # PyTorch takes seconds to import: not where there is no card for it to find.
    if not any(Path(each).exists() for each in _DRIVERS) or find_spec("torch") is None:
        return None
    import torch

    if not torch.cuda.is_available():
        return None
    return float(torch.cuda.get_device_properties(0).total_memory) / _BYTES


def _machine_gb() -> float:
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0.0
    return min([whole, *_allowed(_GROUP)]) / _BYTES


def _allowed(group: Path) -> list[int]:
    """The limits in bytes that a container has set, in either version of control groups."""
    limits = []
    for name in _LIMITS:
        try:
            text = (group / name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit():  # "max" is none
            limits.append(int(text))
    return limits
