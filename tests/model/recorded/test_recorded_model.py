"""Recorded answers in the three formats, and what is and is not an answer."""

import asyncio
import csv
import hashlib
import json
import subprocess
import sys

import duckdb
import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model
from bakeoff.nouns import (
    FailureKind,
    FinishReason,
    Generate,
    Generation,
    Loglikelihood,
    Timing,
    Usage,
)

ROWS = [
    {"item_id": "a", "output": "Paris", "finish_reason": "stop", "prompt_tokens": 12, "latency_s": 0.5},
    {"item_id": "b", "output": "", "finish_reason": "length", "completion_tokens": 256},
    {"item_id": "007", "output": 'Grüße, "Welt"\nzweite Zeile', "reasoning": "hm"},
]


def generate(key, text="?"):
    return Generate(key, text, Generation(), seed=0)


def ask(path, *requests, settings=None, model=""):
    """The responses of a recorded file, and the model while it was open."""

    async def talk():
        async with open_model(f"recorded:{path}{model}", settings or {}) as opened:
            answers = []
            for request in requests:
                one = opened.generate if isinstance(request, Generate) else opened.loglikelihood
                answers.append(await one(request))
            return answers, opened.identity, opened.capabilities, opened.unasked

    return asyncio.run(talk())


def answers(path, *requests, **how):
    return ask(path, *requests, **how)[0]


def refused(path, **how):
    with pytest.raises(ModelError) as caught:
        ask(path, **how)
    return str(caught.value)


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def comma_separated(path, rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return path


def parquet(path, rows):
    source = jsonl(path.with_suffix(".source.jsonl"), rows)
    # Columns typed as a table would be: texts stay texts.
    types = {"item_id": "VARCHAR", "output": "VARCHAR"}
    kinds = ", ".join(f"'{name}': '{types.get(name, _kind(rows, name))}'" for name in _names(rows))
    duckdb.sql(
        f"COPY (SELECT * FROM read_json('{source}', columns={{{kinds}}})) TO '{path}' (FORMAT parquet)"
    )
    return path


def _names(rows):
    return list(dict.fromkeys(name for row in rows for name in row))


def _kind(rows, name):
    value = next(row[name] for row in rows if row.get(name) is not None)
    if isinstance(value, list):
        return "DOUBLE[]"
    return {str: "VARCHAR", int: "BIGINT", float: "DOUBLE"}[type(value)]


WRITERS = {"jsonl": jsonl, "csv": comma_separated, "parquet": parquet}
each_format = pytest.mark.parametrize("form", list(WRITERS))


def write(tmp_path, form, rows):
    return WRITERS[form](tmp_path / f"answers.{form}", rows)


@each_format
def test_an_answer_is_read_whole_with_its_measurements(form, tmp_path):
    a, b, seven = answers(write(tmp_path, form, ROWS), generate("a#0"), generate("b#0"), generate("007#0"))
    assert (a.text, a.finish, a.usage, a.timing) == (
        "Paris",
        FinishReason.STOP,
        Usage(12, None),
        Timing(0.5),
    )
    assert (b.text, b.finish, b.usage, b.failure) == ("", FinishReason.LENGTH, Usage(None, 256), None)
    assert (seven.text, seven.reasoning) == ('Grüße, "Welt"\nzweite Zeile', "hm")


@each_format
def test_an_item_without_a_row_is_missing_and_not_empty(form, tmp_path):
    path = write(tmp_path, form, ROWS)
    for response in answers(path, generate("zz#0"), generate("a#1")):
        assert response.failure.kind is FailureKind.MISSING
    assert "item 'zz', repeat 0" in answers(path, generate("zz#0"))[0].failure.message


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_null_output_is_missing_where_an_empty_one_is_an_answer(form, tmp_path):
    rows = [{"item_id": "a", "output": None}, {"item_id": "b", "output": ""}]
    null, empty = answers(write(tmp_path, form, rows), generate("a#0"), generate("b#0"))
    assert null.failure.kind is FailureKind.MISSING
    assert "1 holds no output" in null.failure.message
    assert (empty.text, empty.failure) == ("", None)


@each_format
def test_repeats_are_told_apart(form, tmp_path):
    rows = [{"item_id": "a#b", "repeat": k, "output": f"try {k}"} for k in range(3)]
    got = answers(write(tmp_path, form, rows), *(generate(f"a#b#{k}") for k in range(3)))
    assert [response.text for response in got] == ["try 0", "try 1", "try 2"]


@each_format
def test_logprobs_answer_a_loglikelihood_request_in_order(form, tmp_path):
    rows = [{"item_id": "a", "logprobs": [-2.5, -0.25]}]
    if form == "csv":
        rows[0]["logprobs"] = json.dumps(rows[0]["logprobs"])
    path = write(tmp_path, form, rows)
    two, three = answers(
        path,
        Loglikelihood("a#0", "?", (" x", " y"), unconditional=True),
        Loglikelihood("a#0", "?", (" x", " y", " z")),
    )
    assert [(option.logprob, option.unconditional) for option in two.options] == [
        (-2.5, None),
        (-0.25, None),
    ]
    assert three.failure.kind is FailureKind.MALFORMED
    assert "2 logprobs for 3 continuations" in three.failure.message


def test_capabilities_follow_the_columns(tmp_path):
    _, _, can, _ = ask(jsonl(tmp_path / "a.jsonl", [{"id": 1, "logprobs": [-1.0]}]))
    assert (can.generate, can.loglikelihood) == (False, True)
    _, _, can, _ = ask(jsonl(tmp_path / "b.jsonl", [{"id": 1, "output": "x"}]))
    assert (can.generate, can.loglikelihood) == (True, False)


@pytest.mark.parametrize(
    ("error", "kind"), [("timeout", FailureKind.TIMEOUT), ("upstream 502: bad gateway", FailureKind.SERVER)]
)
def test_a_recorded_error_stays_a_failure(error, kind, tmp_path):
    rows = [{"id": "a", "output": "half an ans", "error": error}, {"id": "b", "output": "x", "error": ""}]
    broken, whole = answers(jsonl(tmp_path / "a.jsonl", rows), generate("a#0"), generate("b#0"))
    assert broken.failure.kind is kind
    assert error in broken.failure.message
    assert whole.text == "x"


@pytest.mark.parametrize("column", ["response", "completion", "text"])
def test_the_answer_is_found_under_its_usual_names(column, tmp_path):
    path = jsonl(tmp_path / "a.jsonl", [{"id": 1, column: "x"}])
    assert answers(path, generate("1#0"))[0].text == "x"


def test_settings_name_other_columns(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", [{"qid": "q1", "text": "the question", "answer": "x"}])
    got = answers(path, generate("q1#0"), settings={"id": "qid", "output": "answer"})
    assert got[0].text == "x"


def test_one_of_several_models_is_chosen(tmp_path):
    rows = [{"id": 1, "model": name, "output": f"from {name}"} for name in ("m-small", "m-large")]
    path = jsonl(tmp_path / "a.jsonl", rows)
    got, identity, _, _ = ask(path, generate("1#0"), model="#m-large")
    assert (got[0].text, identity.name) == ("from m-large", "m-large")
    assert "m-small, m-large" in refused(path)
    assert f"recorded:{path}#m-small" in refused(path)
    assert "Did you mean 'm-large'?" in refused(path, model="#m-lagre")


def test_a_file_of_one_model_gives_it_its_name(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", [{"id": 1, "model": "gpt-4o-2024-08-06", "output": "x"}])
    assert ask(path)[1].name == "gpt-4o-2024-08-06"
    assert ask(jsonl(tmp_path / "run-7.jsonl", [{"id": 1, "output": "x"}]))[1].name == "run-7"


def test_the_revision_is_the_digest_of_the_file(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", ROWS)
    identity = ask(path)[1]
    assert identity.revision == "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    assert identity.details == {"file": "a.jsonl", "answers": "3"}


def test_rows_that_nobody_asked_for_are_counted(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", ROWS)
    assert ask(path, generate("a#0"), generate("a#0"), generate("zz#0"))[3] == 2


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([{"id": k, "output": "x"} for k in (1, 2, 1)], "line 1 and a.jsonl line 3"),
        ([{"id": 1, "output": "x"}, {"id": "1", "output": "y"}], "both answer item '1', repeat 0"),
        ([{"id": 1, "repeat": 1, "output": "x"}], "repeats count from 0"),
        ([{"id": 1, "repeat": -1, "output": "x"}], "line 1, column 'repeat': expected a whole number"),
        ([{"id": 1, "sample": "the question", "output": "x"}], "column 'sample': expected a number"),
        ([{"question": "x", "output": "y"}], "no column of item ids"),
        ([{"id": None, "output": "y"}], "line 1, column 'id'"),
        ([{"id": 1.5, "output": "y"}], "expected an item id"),
        ([{"id": 1, "answer": "y"}], "Name one with the setting output=COLUMN"),
        ([{"id": 1, "text": "?", "response": "y"}], "either may be the answer"),
        ([{"id": 1, "output": {"a": 1}}], "line 1, column 'output': expected a text"),
        ([{"id": 1, "output": "y", "latency_s": -1}], "column 'latency_s': expected seconds"),
        ([{"id": 1, "output": "y", "prompt_tokens": 1.5}], "column 'prompt_tokens'"),
        ([{"id": 1, "logprobs": [0.5]}], "none above 0"),
        ([{"id": 1, "logprobs": [None]}], "column 'logprobs'"),
        ([{"id": 1, "logprobs": "[-1"}], "a JSON list of log-probabilities"),
        ([], "holds no answers"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_trusted_is_refused_by_place(rows, says, tmp_path):
    assert says in refused(jsonl(tmp_path / "a.jsonl", rows))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.jsonl", '{"id": 1, "output": "x"}\n{"id": 2, "outp', "a.jsonl line 2 is not JSON"),
        ("a.jsonl", "\n[1, 2]\n", "a.jsonl line 2 is JSON, but not an object"),
        ("a.csv", 'id,output\n1,"two\nlines"\n2\n', "a.csv line 4 has 1 cells, the header has 2"),
        ("a.csv", 'id,output\n1,"never closed\n', "cannot be read as CSV"),
        ("a.csv", "id,output\n", "holds no answers"),
        ("a.parquet", "PAR1 it is not", "cannot be read as Parquet"),
        ("a.txt", "x", "Formats: .jsonl, .csv, .parquet"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_line(name, text, says, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    assert says in refused(path)


def test_a_model_cannot_be_chosen_without_a_model_column(tmp_path):
    assert "no column 'model'" in refused(jsonl(tmp_path / "a.jsonl", ROWS), model="#gpt-4o")


def test_a_setting_that_names_no_column_names_the_nearest(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", [{"id": 1, "answer": "x"}])
    assert "Did you mean 'answer'?" in refused(path, settings={"output": "anwser"})


def test_a_csv_with_a_byte_order_mark_and_crlf_reads_as_without(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes('\ufeffid,output\r\n1,"a, b"\r\n'.encode())
    assert answers(path, generate("1#0"))[0].text == "a, b"


def test_error_rows_may_come_first_and_lack_the_output(tmp_path):
    rows = [{"id": k, "error": "timeout"} for k in range(5)] + [{"id": 9, "output": "x"}]
    assert answers(jsonl(tmp_path / "a.jsonl", rows), generate("9#0"))[0].text == "x"


PASSAGES = [{"id": "b", "text": 'Paris, "capital"'}, {"id": 7, "text": "", "score": 0.5}]


@pytest.mark.parametrize("form", ["jsonl", "jsonl with text", "csv", "parquet"])
def test_the_stages_of_a_recorded_pipeline_are_read_from_every_format(form, tmp_path):
    path = tmp_path / f"a.{form.split()[0]}"
    stages = {"rewritten": ["x"]}
    as_text = {"passages": json.dumps(PASSAGES), "stages": json.dumps(stages)}
    row = {"id": "a", "output": "Paris"} | {"passages": PASSAGES, "stages": stages}
    match form:
        case "jsonl":
            jsonl(path, [row, {"id": "b", "output": "x"}])
        case "jsonl with text":
            jsonl(path, [row | as_text, {"id": "b", "output": "x", "passages": ""}])
        case "csv":
            with path.open("w", newline="") as file:
                rows = [row | as_text, {"id": "b", "output": "x", "passages": "", "stages": ""}]
                writer = csv.DictWriter(file, list(row))
                writer.writeheader()
                writer.writerows(rows)
        case "parquet":
            source = jsonl(tmp_path / "source.jsonl", [row, {"id": "b", "output": "x"}])
            text = [{"id": each["id"], "text": each["text"]} for each in PASSAGES]
            jsonl(source, [row | {"passages": [each | {"id": str(each["id"])} for each in text]}])
            duckdb.sql(
                f"COPY (FROM '{source}' UNION ALL BY NAME SELECT 'b' AS id, 'x' AS output) TO '{path}'"
            )
    first, second = answers(path, generate("a#0"), generate("b#0"))
    texts = [(each["id"], each["text"]) for each in first.stages["passages"]]
    assert texts == [("b", 'Paris, "capital"'), ("7", "")]
    assert first.stages["rewritten"] == ["x"]
    assert "passages" not in second.stages


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ({"passages": "[1"}, "expected JSON"),
        ({"passages": ["a text"]}, "passage 1 is a text"),
        ({"passages": {"a": "b"}}, "'passages' is a mapping"),
        ({"stages": [1]}, "'stages' is a list"),
    ],
)
def test_passages_that_are_none_are_refused_by_line(cells, says, tmp_path):
    message = refused(
        jsonl(tmp_path / "a.jsonl", [{"id": "a", "output": "x"}, {"id": "b", "output": "x"} | cells])
    )
    assert "a.jsonl line 2" in message
    assert says in message


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_memory_stays_flat_over_a_file_larger_than_its_cap(form, tmp_path):
    """100,000 answers of 3 kB, 300 MB in all, read by a process that may grow by less than that."""
    path = tmp_path / f"big.{form}"
    kind = "format json" if form == "jsonl" else "format parquet, row_group_size 10000"
    duckdb.sql(
        "COPY (SELECT i AS id, repeat(md5(i::varchar), 94) AS output "
        f"FROM range(100000) t(i)) TO '{path}' ({kind})"
    )
    script = f"""
import asyncio, resource
from bakeoff.model import open_model
from bakeoff.nouns import Generate, Generation

async def main():
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = peak()
    async with open_model("recorded:{path}") as model:
        for i in range(0, 100_000, 997):
            answer = await model.generate(Generate(f"{{i}}#0", "", Generation(), 0))
            assert len(answer.text) == 94 * 32, answer
    print((peak() - before) // 1024)

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 250, f"grew by {done.stdout} MB"
