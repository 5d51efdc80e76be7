"""Battles as they are given out: nobody can be found by them, as far as their form tells."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bakeoff.arena.sharing.personal import without_personal
from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.pseudonym import prompt_pseudonym, pseudonym


def scrubbed(battles: Iterable[Battle], salt: str, removed: Counter[str]) -> Iterator[Battle]:
    """Battles with new names for voters and for themselves, their texts without personal details, and days
    for times: the hour of a vote could tell whose it was. What was taken out is added to `removed`, by kind.

    With a `salt` of its own for each release nobody can tell that voters of two releases, of different days,
    are one, nor by a battle's id who saw it. The name of a prompt is that of the text that is left: of the
    one before, somebody could guess what is missing. Counts of style are of the answers as they were.
    """

    def plain(text: str | None) -> str | None:
        if text is None:
            return None
        found = without_personal(text)
        removed.update(found.removed)
        return found.text

    for each in battles:
        prompt = plain(each.prompt_text)
        yield replace(
            each,
            id=pseudonym(each.id, salt),
            voter=None if each.voter is None else pseudonym(each.voter, salt),
            prompt=prompt_pseudonym(prompt) if prompt else _renamed(each.prompt, salt),
            at=None if each.at is None else each.at.replace(hour=0, minute=0, second=0, microsecond=0),
            seconds=None if each.seconds is None else float(round(each.seconds)),
            prompt_text=prompt,
            answer_a=plain(each.answer_a),
            answer_b=plain(each.answer_b),
        )


def _renamed(prompt: str | None, salt: str) -> str | None:
    return None if prompt is None else pseudonym(prompt, salt)
