"""Benchmarks read from a hub cache laid out as their repositories are, without a network."""

from pathlib import Path

import pytest

from tests.catalog.hub_cache import prepared, write
from tests.catalog.knowledge.test_gpqa import ROW as GPQA
from tests.catalog.knowledge.test_mmlu import MMLU, REDUX

MAIN, CONVERTED = "a" * 40, "b" * 40


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """MMLU in one configuration for all subjects, MMLU-Redux and BBH in one for each of theirs."""
    dev = [MMLU | {"question": f"dev {n}?"} for n in range(5)]
    mmlu = {f"all/{split}-00000-of-00001.parquet": rows for split, rows in (("test", [MMLU]), ("dev", dev))}
    write(tmp_path, "cais/mmlu", "main", MAIN, mmlu | {"virology/test-00000-of-00001.parquet": dev})
    row = {name: value for name, value in REDUX.items() if name != "config"}
    redux = {
        f"{name}/test/0000.parquet": [row | {"question": f"Of {name}?"}] for name in configs("mmlu_redux")
    }
    arrow = {"virology/data-00000-of-00001.arrow": None}
    write(tmp_path, "edinburgh-dawg/mmlu-redux-2.0", "main", MAIN, arrow)
    write(tmp_path, "edinburgh-dawg/mmlu-redux-2.0", "refs/convert/parquet", CONVERTED, redux)
    rows = {name: [{"input": name, "target": "(A)"}] for name in configs("bbh")}
    bbh = {f"{name}/test-00000-of-00001.parquet": each for name, each in rows.items()}
    write(tmp_path, "SaylorTwift/bbh", "main", MAIN, bbh)
    return tmp_path


def configs(name: str) -> tuple[str, ...]:
    from bakeoff.task import load_task

    found = load_task(name)[0].data.config
    assert isinstance(found, tuple)
    return found


def test_mmlu_takes_its_examples_from_the_dev_split(cache: Path) -> None:
    (text,) = prepared("mmlu", cache)["texts"]
    assert text.count("dev ") == 5
    assert text.endswith("Which is a prime?\nA. 4\nB. 6\nC. 7\nD. 9\nAnswer:")


def test_mmlu_redux_reads_all_its_subjects_from_the_hub_s_parquet_copy(cache: Path) -> None:
    answer = prepared("mmlu_redux", cache)
    subjects = configs("mmlu_redux")
    assert len(subjects) == 57
    assert [text.partition("\n")[0] for text in answer["texts"]] == [f"Of {name}?" for name in subjects]
    assert answer["source"]["revision"] == CONVERTED


def test_bbh_reads_its_27_tasks(cache: Path) -> None:
    answer = prepared("bbh", cache)
    assert [text.partition("\n")[0] for text in answer["texts"]] == list(configs("bbh"))


def test_gpqa_that_was_once_downloaded_needs_no_network(cache: Path) -> None:
    write(cache, "Idavidrein/gpqa", "main", MAIN, {"gpqa_diamond.csv": None})
    write(cache, "Idavidrein/gpqa", "refs/convert/parquet", CONVERTED, {
        "gpqa_diamond/train/0000.parquet": [GPQA]})  # fmt: skip
    (text,) = prepared("gpqa_diamond", cache)["texts"]
    assert text.startswith("Which complex is blue?\n\nA. ")
