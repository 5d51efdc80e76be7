"""What building requests in another way would move."""

import json

from bakeoff import Item, Task, evaluate
from bakeoff.cli.show import show
from bakeoff.run import ModeDifference

# The engine says of "~" that the other mode makes it likely, and of "^" that the other mode cannot have it.
ITEMS = [
    Item("same", "?", choices=("e", "xx"), target=0),
    Item("lost", "?", choices=("ee", "~"), target=0),
    Item("won", "?", choices=("e", "~~"), target=1),
    Item("kept", "?", choices=("~", "xx"), target=0),
    Item("open", "?", choices=("e", "^"), target=0),
]


def _run(folder, items, norm="raw"):
    task = Task(
        name="t",
        data=items,
        ask="loglikelihood",
        prompt={"kind": "plain", "delimiter": ""},
        scorer={"name": "loglikelihood", "norm": norm},
    )
    return evaluate(task, "unigram:a", out=folder)


def test_both_modes_are_told_over_the_items_that_both_can_answer(tmp_path, unigram):
    found = _run(tmp_path, ITEMS).metrics.modes
    # Known in both modes: all but `open`. Here right: same, lost, kept; in the other mode same, won, kept.
    assert found == ModeDifference(
        items=5,
        differing=4,
        kinds={"boundary inside a token": 4, "left-truncated by n tokens": 1},
        accuracy=3 / 4,
        other_accuracy=3 / 4,
        unknown=1,
        changed=2,
        examples=("lost", "won", "kept", "open"),
    )


def test_the_pick_is_that_of_the_run_s_own_norm(tmp_path, unigram):
    # The other mode adds 100 nats to the long choice, which wins by characters without them, too.
    items = [Item("a", "?", choices=("eeeeeeee~", "xx"), target=0)]
    raw, chars = (_run(tmp_path, items, norm).metrics.modes for norm in ("raw", "chars"))
    assert (raw.accuracy, raw.other_accuracy) == (0.0, 1.0)
    assert (chars.accuracy, chars.other_accuracy) == (1.0, 1.0)


def test_nothing_is_said_where_the_modes_agree(tmp_path, unigram):
    assert _run(tmp_path, ITEMS[:1]).metrics.modes is None


def test_at_most_ten_items_are_named_and_all_are_counted(tmp_path, unigram):
    items = [Item(f"{number:02}", "?", choices=("ee", "~"), target=0) for number in range(12)]
    found = _run(tmp_path, items).metrics.modes
    assert (found.differing, found.changed, len(found.examples)) == (12, 12, 10)


def test_the_report_shows_it_and_json_holds_it(tmp_path, unigram, capsysbinary):
    folder = str(_run(tmp_path, ITEMS).folder)
    show(folder)
    text = " ".join(capsysbinary.readouterr().out.decode().split())
    assert "4 of 5 items are built differently by the other mode: boundary inside a token 4" in text
    assert "accuracy here 75.0 %, in the other mode 75.0 % (n = 4); the pick changes in 2" in text
    assert "items lost, won, kept, open" in text
    show(folder, json=True)
    assert json.loads(capsysbinary.readouterr().out)["metrics"]["modes"]["changed"] == 2


def test_documents_are_counted_without_an_accuracy(tmp_path, unigram):
    task = Task(
        name="t",
        data=[Item("a", "e~"), Item("b", "e")],
        ask="perplexity",
        prompt={"kind": "plain"},
        scorer="perplexity",
    )
    found = evaluate(task, "unigram:a", out=tmp_path).metrics.modes
    assert (found.items, found.differing, found.accuracy) == (2, 1, None)
