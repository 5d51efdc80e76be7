import pytest

from bakeoff.errors import TaskError
from bakeoff.task import Card, Task, catalog_names, load_task, prepare

FACTS = dict.fromkeys(
    (
        "measures",
        "does_not_measure",
        "construction",
        "licence",
        "human",
        "random",
        "saturation",
        "contamination",
    ),
    "said",
)


def task(**facts) -> Task:
    return Task(
        **{"name": "t", "data": {"items": [{"input": "x", "target": "y"}]}, "scorer": "exact"} | facts
    )


def test_a_card_changes_no_digest():
    assert prepare(task(card=FACTS)).digest == prepare(task(about="else")).digest


@pytest.mark.parametrize("missing", FACTS)
def test_what_a_reader_must_know_cannot_be_left_out(missing):
    with pytest.raises(TaskError, match=f"card.{missing}: is missing"):
        task(card={name: text for name, text in FACTS.items() if name != missing})


@pytest.mark.parametrize("date", ["2020", "2020-09"])
def test_public_since_is_a_year_or_a_month(date):
    assert Card(**FACTS, public_since=date).public_since == date
    with pytest.raises(TaskError, match="public_since"):
        Card(**FACTS, public_since="September 2020")


@pytest.mark.parametrize("name", catalog_names())
def test_every_task_of_the_catalog_says_what_it_is(name):
    found, _ = load_task(name)
    assert found.name == name
    assert found.description
    assert found.card is not None or "Made by rule" in found.about
    if found.data.hub is not None:
        assert found.card is not None
        assert found.card.peers or found.card.paper
