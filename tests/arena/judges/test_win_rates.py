import csv
import json

import duckdb
import numpy as np
import pytest

from bakeoff.arena.judges.preferences import read_difficulty, read_preferences
from bakeoff.arena.judges.win_rates import win_rates
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings.length_controlled import length_controlled


def row(number=0, **changes):
    return {
        "dataset": "helpful_base",
        "instruction": f"Say {number}",
        "output_1": "Hello",
        "generator_1": "baseline",
        "output_2": f"Hello to you {'and you ' * number}",
        "generator_2": "m",
        "annotator": "weighted",
        "preference": 1.75,
    } | changes


def written(path, rows):
    path.write_text(json.dumps(list(rows)))
    return path


def rates(path, **settings):
    return {rate.model: rate for rate in win_rates(read_preferences([path]), draws=20, **settings)}


def test_a_win_rate_is_the_mean_preference_with_a_tie_as_half(tmp_path):
    said = [1.0, 2.0, 1.5, 0, 1.9, None]
    path = written(tmp_path / "a.json", [row(n, preference=p) for n, p in enumerate(said)])
    found = read_preferences([path])
    assert (found.judge, found.baseline, found.untaken) == ("weighted", "baseline", {"no verdict": 1})
    rate = rates(path)["m"]
    shares = np.array([0, 1, 0.5, 0.5, 0.9])
    assert (rate.n, rate.instructions) == (5, 5)
    assert rate.win_rate == pytest.approx(shares.mean())
    assert rate.standard_error == pytest.approx(shares.std(ddof=1) / np.sqrt(5))
    assert rate.interval.low < rate.win_rate < rate.interval.high
    assert rate.longer == 1.0


def test_the_rate_at_equal_length_is_that_of_the_characters_of_both_answers(tmp_path):
    random = np.random.default_rng(0)
    ours, theirs = random.integers(1, 90, (2, 60))
    preference = 1 + random.random(60)
    difficulty = random.normal(0, 1, 60)
    texts = [
        row(n, output_1="b" * theirs[n], output_2="m" * ours[n], preference=preference[n]) for n in range(60)
    ]
    lengths = [
        {k: v for k, v in each.items() if k[:6] != "output"}
        | {"length_1": int(theirs[n]), "length_2": int(ours[n])}
        for n, each in enumerate(texts)
    ]
    hard = tmp_path / "hard.csv"
    with hard.open("w", newline="") as file:
        # In another order, and written otherwise: an instruction is known by its words.
        csv.writer(file).writerows(
            [("instruction", "difficulty"), *((f"SAY  {n}", difficulty[n]) for n in range(59, -1, -1))]
        )
    expected = length_controlled(preference - 1, theirs - ours, difficulty, draws=20)
    found = [
        rates(written(tmp_path / f"{name}.json", rows), difficulty=read_difficulty(hard))["m"]
        for name, rows in (("texts", texts), ("lengths", lengths))
    ]
    for each in found:
        assert each.controlled.win_rate == pytest.approx(expected.win_rate)
        assert each.controlled.interval.high == pytest.approx(expected.interval.high)
        assert each.longer == pytest.approx(np.mean(ours > theirs) + np.mean(ours == theirs) / 2)
    assert found[0].answers is not None
    assert found[1].answers is None


def test_an_empty_answer_has_no_character_and_one_that_was_not_kept_has_no_length(tmp_path):
    empty = rates(written(tmp_path / "e.json", [row(0, output_2=""), row(1)]))["m"]
    assert empty.longer == 0.5
    nothing = {"output_1": None, "output_2": None}
    unknown = rates(written(tmp_path / "u.json", [row(0, **nothing), row(1)]))["m"]
    assert (unknown.controlled, unknown.longer) == (None, None)
    assert "not known" in unknown.not_controlled
    same = rates(written(tmp_path / "s.json", [row(0), row(0, instruction="Other")]))["m"]
    assert "the same number of characters" in same.not_controlled


def test_an_entry_with_one_answer_to_everything_is_last_however_often_it_wins(tmp_path):
    rows = [row(n, output_2=f"Well, {'i' * n}") for n in range(30)] + [
        row(n, generator_2="null", output_2="Always this", output_1="Hello" * n, preference=2.0)
        for n in range(30)
    ]
    found = rates(written(tmp_path / "a.json", rows))
    assert list(found) == ["m", "null"]
    assert (found["m"].constant, found["null"].constant) == (False, True)
    assert found["null"].win_rate == 1.0


def test_preferences_on_one_instruction_are_one_observation(tmp_path):
    random = np.random.default_rng(1)
    once = [row(n, preference=float(1 + random.random())) for n in range(40)]
    single = rates(written(tmp_path / "o.json", once))["m"]
    twice = rates(written(tmp_path / "t.json", once * 2))["m"]
    assert (twice.n, twice.instructions) == (80, 40)
    assert twice.standard_error < 0.8 * single.standard_error
    width = single.interval.high - single.interval.low
    assert twice.interval.high - twice.interval.low == pytest.approx(width, rel=0.05)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"annotator": "other"}, r"annotator: another judge, 'other' where rows before have 'weighted'"),
        ({"generator_1": "b2"}, r"generator_1: another baseline, 'b2'"),
        ({"generator_2": None}, r"generator_2: is missing"),
        ({"preference": 2.5}, r"preference: lies between 1 and 2"),
        ({"length_1": -1, "length_2": 3}, r"length_1 and length_2: count characters"),
    ],
)
def test_rows_of_another_kind_are_refused_with_their_place(tmp_path, changes, says):
    path = written(tmp_path / "a.json", [row(0), row(1, **changes)])
    with pytest.raises(BakeoffError, match=rf"a\.json: row 2: {says}"):
        read_preferences([path])


def test_without_a_preference_or_a_difficulty_there_is_no_rate(tmp_path):
    path = written(tmp_path / "a.json", [row(0, generator_2="baseline")])
    with pytest.raises(BakeoffError, match="no preference"):
        read_preferences([path])
    hard = tmp_path / "hard.csv"
    hard.write_text("instruction,difficulty\nSay 0,1\n")
    with pytest.raises(BakeoffError, match="1 of the 2 instructions of m have no difficulty"):
        rates(written(path, [row(0), row(1)]), difficulty=read_difficulty(hard))
    hard.write_text("instruction,difficulty\nSay 0,1\nsay 0,2\n")
    with pytest.raises(BakeoffError, match=r"hard\.csv:3: instruction: stands twice"):
        read_difficulty(hard)


@pytest.mark.data
def test_published_win_rates_of_alpacaeval(data_dir, tmp_path):
    """Every sixth model; without the verdicts on longer and shorter baselines, which are not public."""
    folder, path = data_dir / "alpacaeval2", tmp_path / "alpacaeval.parquet"
    with duckdb.connect(":memory:") as db:
        db.execute(
            f"""COPY (SELECT 'gpt4_1106_preview' AS generator_1, model AS generator_2, preference,
                'instruction ' || instr AS instruction, 'weighted' AS annotator, len_base AS length_1,
                len_model AS length_2 FROM '{folder}/annotations_compact.parquet'
                QUALIFY dense_rank() OVER (ORDER BY model) % 6 = 0) TO '{path}'"""
        )
    with (folder / "published_leaderboard.csv").open(encoding="utf-8") as file:
        published = {each[""]: each for each in csv.DictReader(file)}
    with (folder / "instruction_difficulty_RECONSTRUCTED.csv").open(encoding="utf-8") as file:
        difficulty = [
            (f"instruction {each['instr']}", each["difficulty_reconstructed"])
            for each in csv.DictReader(file)
        ]
    hard = tmp_path / "hard.csv"
    with hard.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("instruction", "difficulty"), *difficulty])
    off, plain = [], []
    for model, rate in rates(path, difficulty=read_difficulty(hard)).items():
        if model not in published:
            continue
        theirs = published[model]
        assert 100 * rate.win_rate == pytest.approx(float(theirs["win_rate"]), abs=1e-9)
        assert 100 * rate.standard_error == pytest.approx(float(theirs["standard_error"]), abs=1e-9)
        controlled = float(theirs["length_controlled_winrate"])
        off.append(100 * rate.controlled.win_rate - controlled)
        plain.append(100 * rate.win_rate - controlled)
    assert len(off) == 9
    assert np.sqrt(np.mean(np.square(off))) < 1.3 < 6.2 < np.sqrt(np.mean(np.square(plain)))
