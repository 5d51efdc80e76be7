"""Listing the catalog loads nothing that only a run needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from bakeoff.errors import TaskError
from bakeoff.task import catalog, load_task


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(catalog, "_folder", lambda: tmp_path)
    (tmp_path / "sums.yaml").write_text(
        "name: sums\ndescription: >\n  Sums of\n  two numbers.\ndata: {items: [{input: 1 + 1, target: 2}]}\n"
        "scorer: number\nvariants: {brief: {generation: {max_tokens: 5}}}\n"
    )
    (tmp_path / "colours.yaml").write_text(
        "name: colours\ndescription: 'Colours: all.'\nabout: |\n  description: no\n"
    )
    (tmp_path / "bare.yaml").write_text("name: bare\n")
    return tmp_path


@pytest.mark.usefixtures("shelf")
def test_the_index_has_each_name_and_its_description_in_one_line() -> None:
    assert catalog.catalog_names() == ("bare", "colours", "sums")
    assert catalog.catalog_index() == {"bare": "", "colours": "Colours: all.", "sums": "Sums of two numbers."}


@pytest.mark.usefixtures("shelf")
def test_a_name_from_the_catalog_loads_its_task() -> None:
    assert load_task("sums")[0].description.strip() == "Sums of two numbers."
    assert load_task("sums:brief")[1] == "brief"
    with pytest.raises(TaskError, match=r"no task 'sum' in the catalog\n.*did you mean sums"):
        load_task("sum")
    with pytest.raises(TaskError, match="no task"):
        load_task("../catalog/sums")


def test_the_index_is_read_without_pydantic_jinja_or_duckdb() -> None:
    code = (
        "import sys; from bakeoff.task import catalog_index; catalog_index(); "
        "print([m for m in ('pydantic', 'jinja2', 'duckdb', 'huggingface_hub', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
