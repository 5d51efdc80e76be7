"""Benchmarks read from a hub cache laid out as their repositories are, without a network."""

from pathlib import Path

import pytest

from tests.catalog.hub_cache import prepared, write
from tests.catalog.maths.test_gsm import GSM8K, SYMBOLIC

MAIN, CONVERTED = "a" * 40, "b" * 40


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """gsm8k in Parquet, GSM-Symbolic in JSON lines of which the hub keeps a Parquet copy."""
    shots = [{"question": f"How much is {n} + 1?", "answer": f"#### {n + 1}"} for n in range(6)]
    gsm8k = {
        "README.md": None,
        "main/test-00000-of-00001.parquet": [GSM8K],
        "main/train-00000-of-00001.parquet": shots,
        "socratic/test-00000-of-00001.parquet": shots,
    }
    write(tmp_path, "openai/gsm8k", "main", MAIN, gsm8k)
    symbolic, converted = "apple/GSM-Symbolic", "refs/convert/parquet"
    write(tmp_path, symbolic, "main", MAIN, {"main/test.jsonl": None, "p1/test.jsonl": None})
    longer = SYMBOLIC | {"question": "With a clause more?"}
    rows = {"main/test/0000.parquet": [SYMBOLIC], "p1/test/0000.parquet": [longer]}
    write(tmp_path, symbolic, converted, CONVERTED, rows)
    return tmp_path


def test_gsm8k_is_read_with_its_examples_and_its_commit_is_recorded(cache):
    answer = prepared("gsm8k:lm-eval", cache)
    (text,) = answer["texts"]
    assert text.count("Question: How much is") == 5
    assert text.endswith(f"Question: {GSM8K['question']}\nAnswer:")
    assert (answer["source"]["split"], answer["source"]["revision"]) == ("test", MAIN)


def test_gsm_symbolic_is_read_from_the_converted_copy_each_configuration_by_itself(cache):
    for name, question in (
        ("gsm_symbolic", SYMBOLIC["question"]),
        ("gsm_symbolic_p1", "With a clause more?"),
    ):
        answer = prepared(name, cache)
        (text,) = answer["texts"]
        assert text.startswith(question)
        assert answer["source"]["revision"] == CONVERTED
