import os
import subprocess
import sys

import pytest

from bakeoff.jobs import machine
from bakeoff.jobs.machine import devices, memory_gb


def test_the_memory_is_the_machines_and_not_that_of_a_card_that_is_not_there(monkeypatch):
    monkeypatch.setattr(machine, "_DRIVERS", ("/nowhere",))
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    assert devices() == ("cpu",)
    assert 0 < memory_gb() <= whole


@pytest.mark.parametrize(
    ("file", "text", "gb"),
    [
        ("memory.max", "2000000000\n", 2.0),
        ("memory/memory.limit_in_bytes", "1500000000\n", 1.5),
    ],
)
def test_a_container_has_what_it_may_have(monkeypatch, tmp_path, file, text, gb):
    monkeypatch.setattr(machine, "_DRIVERS", ())
    monkeypatch.setattr(machine, "_GROUP", tmp_path)
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert memory_gb() == gb


def test_a_container_without_a_limit_has_the_machines(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "_DRIVERS", ())
    monkeypatch.setattr(machine, "_GROUP", tmp_path / "none")
    whole = memory_gb()
    (tmp_path / "memory.max").write_text("max\n")
    monkeypatch.setattr(machine, "_GROUP", tmp_path)
    assert memory_gb() == whole


def test_pytorch_is_not_imported_to_find_that_there_is_no_card():
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from bakeoff.jobs import machine; machine._DRIVERS = (); machine.devices();"
            " machine.memory_gb(); print('torch' in sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "False\n"
