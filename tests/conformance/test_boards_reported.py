"""Leaderboards that others published, as boards: every number of every date, and their ranks beside ours."""

import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from sqlalchemy import make_url

from bakeoff.board.ranking.difference import differences
from bakeoff.board.ranking.publishing import problems, snapshots
from bakeoff.board.reported.importing import LOWER, import_reported
from bakeoff.board.reported.layout import Layout, read_layout
from bakeoff.board.reported.published import entrants_by_date
from bakeoff.database import reading, writing
from bakeoff.task.yaml_file import read_yaml
from tests.database.databases import with_tables

pytestmark = pytest.mark.data

FAMILY = Path(__file__).with_name("leaderboards.yaml")
SOURCE = "https://github.com/fboulnois/llm-leaderboard-csv"
V1 = Layout(
    source=SOURCE,
    score="average",
    columns=("arc", "hellaswag", "mmlu", "truthfulqa", "winogrande", "gsm8k"),
    date="2024-07-13",
    precision="precision",
    revision="model_sha",
    licence="licence",
    parameters="params_b",
    first_seen="date",
    scale=100,
)
V2 = Layout(
    source=SOURCE,
    score="average",
    columns=("ifeval", "bbh", "math_lvl_5", "gpqa", "musr", "mmlu_pro"),
    dated="snapshot",
    precision="precision",
    licence="licence",
    parameters="params_b",
    first_seen="date",
    scale=100,
)
ALPACA = Layout(
    source="https://github.com/tatsu-lab/alpaca_eval",
    model="column00",  # it has no name there
    score="length_controlled_winrate",
    n="n_total",
    columns=("win_rate", "discrete_win_rate"),
    date="2024-12-31",
    scale=100,
)
ALPACA_RAW = ALPACA.model_copy(
    update={"score": "win_rate", "stderr": "standard_error", "columns": ("length_controlled_winrate",)}
)
ARENA = Layout(
    source=SOURCE,
    score="score",
    interval="95_pct_ci",
    n="votes",
    columns=("rank", "rank_stylectrl"),
    dated="snapshot",
    organisation="organization",
    licence="license",
    unit="raw",
    twice="kept",  # one model has two rows on four days
)
ARENA_AUGUST = Layout(
    source=SOURCE,
    score="arena_score",
    interval="95_pct_ci",
    n="votes",
    columns=("rank",),
    date="2024-08-14",
    organisation="organization",
    licence="license",
    unit="raw",
)


@pytest.fixture(scope="module")
def made(data_dir, tmp_path_factory):
    """Every board in one database: its snapshots by its name."""
    engine = with_tables(make_url(f"sqlite:///{tmp_path_factory.mktemp('boards') / 'boards.db'}"))
    found = {}
    for name, file, layout in _tables(data_dir):
        with writing(engine) as connection:
            imported = import_reported(connection, name, file, layout, actor="test")
        assert imported.known == ()
        found[name] = (*found.get(name, ()), *imported.made)
    yield engine, found
    engine.dispose()


def _tables(data):
    for name in read_yaml(FAMILY)[0]["boards"]:
        yield name, data / "leaderboards/data.parquet", read_layout(name, FAMILY, {})
    for release, groups in _releases(data):
        layout = {"where": {"leaderboard": "livebench", "snapshot": release}, "groups": groups, "scale": 100}
        given = {"metric": "metric", "dated": "snapshot", "columns": ("*",), "source": "https://livebench.ai"}
        yield "livebench", data / "leaderboards/data.parquet", Layout(score="Overall", **given, **layout)
    yield "open-llm-v1", data / "open_llm_leaderboard_v1/data.parquet", V1
    yield "open-llm-v2", data / "open_llm_leaderboard_v2/data.parquet", V2
    yield "alpaca-eval-2", data / "alpacaeval2/published_leaderboard.csv", ALPACA
    yield "alpaca-eval-2-raw", data / "alpacaeval2/published_leaderboard.csv", ALPACA_RAW
    yield "arena-history", data / "arena_history/lmarena_text_history.parquet", ARENA
    yield "arena-august", data / "arena_20240814/published_leaderboard_20240814.csv", ARENA_AUGUST


def _releases(data):
    return json.loads((data / "leaderboards/livebench_categories.json").read_text()).items()


def _numbers(found, without=()):
    """How many numbers the rows of snapshots hold, but for columns that were made here."""
    return sum(
        (row.entrant.scores.score.value is not None and not without)
        + sum(
            value.value is not None
            for name, value in row.entrant.scores.columns.items()
            if name not in without
        )
        for each in found
        for row in each.rows
    )


def test_every_number_of_the_nineteen_leaderboards_is_on_a_board(data_dir, made):
    _, found = made
    family = [name for name in read_yaml(FAMILY)[0]["boards"] if name != "pythia-perplexity"]
    categories = {name for _, groups in _releases(data_dir) for name in groups}
    total = sum(_numbers(found[name]) for name in family) + _numbers(found["livebench"], categories)
    ((rows,),) = duckdb.sql(f"SELECT count(*) FROM '{data_dir}/leaderboards/data.parquet'").fetchall()
    assert total == rows == 43_143


def test_every_row_of_every_date_is_kept(made):
    _, found = made
    rows = {name: [len(each.rows) for each in snapshots] for name, snapshots in found.items()}
    assert rows["open-llm-v1"] == [7169]
    assert rows["open-llm-v2"] == [237, 1174, 2167, 4576]
    assert rows["alpaca-eval-2"] == [223]
    assert (len(rows["arena-history"]), sum(rows["arena-history"])) == (92, 16_012)
    assert rows["arena-august"] == [128]
    assert (len(rows["lmarena-text"]), sum(rows["lmarena-text"])) == (16, 2_785)
    assert len(rows["livebench"]) == 10


def test_they_are_ordered_and_whole_and_reported_and_their_dates_are_compared(made):
    engine, found = made
    for name, states in found.items():
        assert [each.made for each in states] == sorted(each.made for each in states)
        for each in states:
            ranked = [row.entrant.scores.score for row in each.rows if row.place is not None]
            assert len(ranked) > 1
            values = [score.value for score in ranked]
            assert values == sorted(values, reverse=LOWER not in each.notes), name
            errors = all(score.low is not None for score in ranked)
            assert all((row.low is not None) == (errors and row.place is not None) for row in each.rows)
            assert {row.entrant.provenance for row in each.rows} == {"reported"}
        if len(states) > 1:
            changes = differences(states[0], states[-1])
            assert {"added"} < {change.kind for change in changes}
            assert all(change.model for change in changes)
    with reading(engine) as connection:
        assert list(snapshots(connection, "arena-history")) == list(found["arena-history"])
        for name in ("arena-history", "livebench", "glue"):
            assert list(problems(connection, name)) == []


def test_the_same_tables_again_change_nothing(data_dir, made):
    engine, found = made
    for name, file, layout in _tables(data_dir):
        if name in ("glue", "pythia-perplexity", "livebench", "alpaca-eval-2"):
            with writing(engine) as connection:
                again = import_reported(connection, name, file, layout, actor="test")
            assert again.made == ()
            assert {day.isoformat() for day in again.known} <= {each.made[:10] for each in found[name]}
    with reading(engine) as connection:
        assert len(list(snapshots(connection, "livebench"))) == 10


def test_a_percentage_that_is_taken_for_a_share_is_noticed_in_every_table(data_dir):
    """Of the tables in percent, not one passes without its scale."""
    from bakeoff.errors import BakeoffError

    noticed = 0
    for _, file, layout in _tables(data_dir):
        if layout.scale == 100 and not layout.groups:
            with pytest.raises(BakeoffError, match="is no share of 1"):
                list(entrants_by_date(file, layout.model_copy(update={"scale": 1.0})))
            noticed += 1
    assert noticed == 11


def test_the_arenas_ranks_all_lie_within_ours(made):
    """It ranked a model behind those whose intervals lie above its own, pair by pair; ours hold at once."""
    _, found = made
    ranks = list(_ranks(found["arena-history"])) + list(_ranks(found["arena-august"]))
    assert len(ranks) == 16_012 + 128
    assert all(row.low <= rank <= row.high for row, rank in ranks)
    # On average 16.5 places wide: what 200 models with such intervals can bear.
    width = sum(row.high - row.low + 1 for row, _ in ranks) / len(ranks)
    assert width == pytest.approx(16.46, abs=0.01)


def test_its_rule_gives_its_ranks_from_the_limits_that_were_imported(made):
    """One more than how many lie wholly above; where we differ it is by the rounding of what is published."""
    _, found = made
    told = Counter()
    for each in found["arena-history"]:
        if each.made < "2025-07-27":
            limits = [(row.entrant.scores.score.low, row) for row in each.rows]
            for row, rank in _ranks([each]):
                above = sum(low > row.entrant.scores.score.high for low, _ in limits)
                told["all"] += 1
                told["equal"] += 1 + above == rank
                told["near"] += abs(1 + above - rank) <= 1
    assert (told["all"], told["equal"], told["near"]) == (14_964, 12_089, 14_563)


def test_since_the_end_of_july_2025_it_has_a_strict_order_which_is_ours_but_for_equal_scores(made):
    _, found = made
    late = [each for each in found["arena-history"] if each.made >= "2025-07-27"]
    told = Counter()
    for each in late:
        equal = Counter(row.entrant.scores.score.value for row in each.rows)
        for row, rank in _ranks([each]):
            told["all"] += 1
            told["equal"] += row.place == rank
            assert row.place <= rank < row.place + equal[row.entrant.scores.score.value]
    assert (told["all"], told["equal"]) == (1_048, 809)


def test_alpaca_evals_two_orders_and_what_the_standard_errors_of_one_can_bear(made):
    _, found = made
    (controlled,), (raw,) = found["alpaca-eval-2"], found["alpaca-eval-2-raw"]
    assert controlled.rows[0].entrant.model == "NullModel"  # which answers nothing of what is asked
    # Only 48 of 223 length-controlled rates have a standard error, so that they have an order and no ranks.
    assert {row.low for row in controlled.rows} == {None}
    assert {row.entrant.scores.score.n for row in raw.rows} == set(range(801, 806))
    # With those of the others, NullModel may be anything from the first to the seventh.
    assert [(row.low, row.high) for row in raw.rows if row.entrant.model == "NullModel"] == [(1, 7)]
    width = sum(row.high - row.low + 1 for row in raw.rows) / len(raw.rows)
    assert width == pytest.approx(61.4, abs=0.1)


def test_livebench_overall_is_the_mean_of_its_categories_where_no_task_is_missing(data_dir, made):
    _, found = made
    releases = dict(_releases(data_dir))
    for each in found["livebench"]:
        groups = releases[each.made[:10]]
        complete = [row for row in each.rows if row.place is not None]
        for row in complete:
            columns = row.entrant.scores.columns
            parts = [sum(columns[task].value for task in tasks) / len(tasks) for tasks in groups.values()]
            assert row.entrant.scores.score.value == pytest.approx(sum(parts) / len(parts))
        for row in each.rows:
            missing = [
                task
                for tasks in groups.values()
                for task in tasks
                if row.entrant.scores.columns[task].value is None
            ]
            assert (row.place is None) == bool(missing)


def _ranks(found, column="rank"):
    """Each row that has one, with the rank that was published."""
    for each in found:
        for row in each.rows:
            if row.entrant.scores.columns[column].value is not None:
                yield row, int(row.entrant.scores.columns[column].value)
