import asyncio

import pytest

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Response
from bakeoff.run.conduct import conduct
from bakeoff.run.progress import Progress
from bakeoff.run.until import Decider
from bakeoff.store import Journal, Settings, Until
from bakeoff.task import prepare
from tests.run.parrot import Parrot, text_of
from tests.run.runs import run, task

N = 200
ITEMS = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(N)]


def said(right):
    return {str(n): str(n + 1 if n in right else 0) for n in range(N)}


@pytest.fixture
def baseline(tmp_path):
    """Right on every fourth item."""
    (tmp_path / "b").mkdir()
    return run(tmp_path / "b", ITEMS, said(range(0, N, 4))).folder


def against(baseline, tmp_path, right, items=ITEMS, name="c", **chosen):
    (tmp_path / name).mkdir()
    return run(tmp_path / name, items, said(right), until_decided=baseline, **chosen)


def test_a_run_stops_when_it_is_known_to_be_better(baseline, tmp_path):
    result = against(baseline, tmp_path, range(N))
    found = result.manifest.decision
    assert (found.verdict, found.of, found.baseline) == ("better", N, baseline.name)
    # Only wins: decided at the eighth, as soon as the order brings it.
    assert found.difference * found.items == pytest.approx(8)
    assert found.items < 30
    assert found.low > 0
    assert found.e_value == pytest.approx(2**8 / 9)
    # What was in flight is kept, and the manifest says how much of the task was asked.
    assert found.items <= result.manifest.counts["total"] < N
    assert result.manifest.status == "complete"


def test_a_worse_run_stops_and_says_so(baseline, tmp_path):
    found = against(baseline, tmp_path, ()).manifest.decision
    assert (found.verdict, found.high < 0) == ("worse", True)


def conducted(folder, baseline, window, done=frozenset(), first=None):
    """The decision of a run on a model that answers out of order, and the items it was asked."""
    model = Parrot(lambda request: Response(text=right_half(request)), window=window)
    prepared, settings = prepare(task(ITEMS)), Settings()
    decider = Decider(prepared, settings, Until(baseline=str(baseline)))
    if first is not None:
        decider.take_up(first, set(done))
    with Journal(folder / f"journal-{window}.jsonl") as journal:
        asyncio.run(
            conduct(
                prepared,
                model,
                journal,
                settings=settings,
                progress=Progress("t", total=N),
                done=set(done),
                decider=decider,
            )
        )
    return decider.record(), [request.key.split("#")[0] for request in model.asked]


def right_half(request):
    number = int(text_of(request).split("+")[0].split()[-1])
    return str(number + 1 if number % 2 == 0 else 0)


def test_the_decision_does_not_depend_on_how_many_requests_are_in_flight(baseline, tmp_path):
    found, asked = zip(*(conducted(tmp_path, baseline, window) for window in (1, 5, 64)), strict=True)
    assert found[0] == found[1] == found[2]
    assert found[0].verdict == "better"
    # One at a time, nothing is asked beyond the decision; with more, what was in flight.
    assert len(asked[0]) == found[0].items
    assert set(asked[0]) < set(asked[1]) < set(asked[2])
    assert len(asked[1]) < found[0].items + 5


def test_a_resumed_run_decides_as_one_that_went_through(baseline, tmp_path):
    whole, asked = conducted(tmp_path, baseline, 1)
    (tmp_path / "half").mkdir()
    half = asked[: len(asked) // 2]
    rows = {item: said(range(0, N, 2))[item] for item in half}
    first = run(tmp_path / "half", ITEMS, rows).folder
    resumed, rest = conducted(tmp_path, baseline, 2, {(item, 0) for item in half}, first)
    assert resumed == whole
    assert not set(rest) & set(half)


def test_the_order_of_the_rows_changes_nothing(baseline, tmp_path):
    right = range(0, N, 2)
    first = against(baseline, tmp_path, right).manifest.decision
    turned = against(baseline, tmp_path, right, ITEMS[::-1], name="turned").manifest.decision
    assert turned == first


def test_an_equal_run_is_asked_whole_without_a_margin_and_less_with_one(baseline, tmp_path):
    whole = against(baseline, tmp_path, range(0, N, 4)).manifest
    assert (whole.decision.verdict, whole.decision.items, whole.counts["total"]) == ("cannot tell", N, N)
    assert whole.decision.low < 0 < whole.decision.high
    less = against(baseline, tmp_path, range(0, N, 4), name="m", margin=0.1).manifest
    assert (less.decision.verdict, less.decision.margin) == ("equivalent", 0.1)
    assert less.decision.items < N
    assert less.decision.e_value_equivalent >= 20


def test_groups_enter_whole(tmp_path):
    items = [item | {"group": f"g{n // 4}"} for n, item in enumerate(ITEMS)]
    (tmp_path / "b").mkdir()
    baseline = run(tmp_path / "b", items, said(())).folder
    found = against(baseline, tmp_path, range(N), items).manifest.decision
    assert (found.verdict, found.units, found.items) == ("better", 8, 32)


def test_repeats_are_averaged_before_they_enter(baseline, tmp_path):
    rows = [
        {"item_id": str(n), "repeat": r, "output": str(n + 1 if r == 0 else 0)}
        for n in range(N)
        for r in range(2)
    ]
    (tmp_path / "c").mkdir()
    result = run(tmp_path / "c", ITEMS, rows, until_decided=baseline, repeats=2)
    found = result.manifest.decision
    # Half right on every item against right on every fourth: +.5 on three of four, -.5 on the others.
    assert found.verdict == "better"
    assert (found.difference * found.items * 2) == pytest.approx(round(found.difference * found.items * 2))


def test_items_without_a_score_are_passed_over_and_counted(baseline, tmp_path):
    given = said(range(N))
    rows = [{"item_id": k, "output": v} for k, v in given.items() if int(k) % 2]
    (tmp_path / "c").mkdir()
    result = run(tmp_path / "c", ITEMS, rows, until_decided=baseline)
    found = result.manifest.decision
    assert found.verdict == "better"
    assert found.passed_over > 0
    assert result.manifest.counts["model_error"] >= found.passed_over


def test_a_run_over_other_items_is_refused(baseline, tmp_path):
    with pytest.raises(BakeoffError, match="another task: data"):
        against(baseline, tmp_path, (), ITEMS[:10])


def test_a_baseline_that_was_stopped_itself_is_refused(baseline, tmp_path):
    stopped = against(baseline, tmp_path, range(N)).folder
    with pytest.raises(BakeoffError, match="itself stopped"):
        against(stopped, tmp_path, range(N), name="d")
