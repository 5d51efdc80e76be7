import asyncio

import pytest

from bakeoff.arena.moderation.filter import ALLOWED, Verdict
from bakeoff.arena.moderation.recipe import DEFAULT, FILTERS, opened
from bakeoff.arena.moderation.screening import counted, screen, tell
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from tests.database.fixtures import *  # noqa: F403


class Fixed:
    """A filter of somebody else's: the protocol is all it takes."""

    version = 3

    def __init__(self, name, verdict):
        self.name, self.verdict, self.asked = name, verdict, 0

    async def judge(self, prompt):
        self.asked += 1
        return self.verdict


def screened(*filters, prompt="hello"):
    return asyncio.run(screen(filters, prompt))


def test_the_first_refusal_ends_it_and_is_the_reason():
    last = Fixed("last", ALLOWED)
    found = screened(Fixed("first", ALLOWED), Fixed("second", Verdict(False, "No.")), last)
    assert (found.allowed, found.reason, last.asked) == (False, "No.", 0)
    assert [name for name, _ in found.verdicts] == ["first@3", "second@3"]


def test_warnings_tags_and_failures_of_all_filters_are_kept_even_of_two_with_one_name():
    found = screened(
        Fixed("a", Verdict(True, tags=("x",), failure="gone")),
        Fixed("a", Verdict(True, warning="Look.", tags=("x", "y"))),
    )
    assert found.allowed
    assert (found.warnings, found.tags, found.failures) == (("Look.",), ("x", "y"), (("a@3", "gone"),))


def test_the_default_filters_take_an_ordinary_prompt_and_say_nothing():
    found = screened(*DEFAULT, prompt="Explain tides to a child.")
    assert (found.allowed, found.warnings, found.tags) == (True, (), ())
    assert [name for name, _ in found.verdicts] == [f"{each.name}@{each.version}" for each in DEFAULT]


def test_the_default_filters_in_their_order():
    assert not screened(*DEFAULT, prompt="a\x00").allowed
    probe = screened(*DEFAULT, prompt="Who are you? Mail ann@example.com")
    assert probe.tags == ("identity-probe",)
    assert len(probe.warnings) == 1


def test_names_of_filters_are_what_a_file_writes():
    assert all(kind.model_fields["filter"].default == name for name, kind in FILTERS.items())


def test_filters_without_a_model_are_open_as_they_are():
    async def names():
        async with opened(DEFAULT) as filters:
            return filters

    assert asyncio.run(names()) == DEFAULT


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_counts_go_into_the_log_by_filter_and_version(engine):
    said = [
        screened(Fixed("a", Verdict(True, tags=("x",)))),
        screened(Fixed("a", Verdict(False, "No."))),
        screened(Fixed("a", ALLOWED), Fixed("b", Verdict(True, warning="Look.", failure="gone"))),
    ]
    with writing(engine) as connection:
        tell(connection, "chat", counted(said), actor="server")
        tell(connection, "chat", {}, actor="server")
    with reading(engine) as connection:
        (entry,) = events(connection, "arena chat")
    assert entry.facts == {
        "a@3": {"allowed": 2, "refused": 1, "tagged x": 1},
        "b@3": {"allowed": 1, "failed": 1, "warned": 1},
    }
