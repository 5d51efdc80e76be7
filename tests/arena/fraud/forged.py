"""What somebody may send to a live arena to have a vote counted that is none, or is not theirs."""

import secrets
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from sqlalchemy import func, select

from bakeoff.arena.definition.invitations import invite, revoke
from bakeoff.arena.policy.sampling import days_with_counts, in_all, pairs_of
from bakeoff.database import reading, writing
from bakeoff.database.tables import ballot, battle
from tests.web.arena import MODELS, SAID, Visitor, arena, models, site, slowly
from tests.web.people import account, log_in

FORMS = ("vote", "turns", "leave")


@contextmanager
def place(folder, **settings):
    """A site with arenas for anyone, for the invited, and for those with an account; `strict` has limits."""
    with models() as server:
        arenas = (
            arena(server),
            arena(server, "other"),
            arena(server, "club", voters="invited"),
            arena(server, "staff", voters="accounts"),
            arena(server, "strict", per_voter={"open": 2, "votes": 3}),
        )
        with site(folder, *arenas, **settings) as found:
            found.folder, found.server = folder, server
            yield found


def counted(place, arena="chat"):
    """The votes of an arena that the database has; they are as many as it has counted of pairs."""
    with reading(place.app.state.library.engine) as connection:
        query = select(func.count()).select_from(ballot.join(battle)).where(battle.c.arena == arena)
        kept = connection.execute(query).scalar_one()
        days = [(day, pairs_of(connection, arena, day)) for day in days_with_counts(connection, arena)]
    assert sum(in_all(day, pairs).votes for day, pairs in days) == kept
    return kept


def replayed(place):
    """One vote sent thirty times at once, and then the other outcome ten times."""
    ann = Visitor(place)
    found = ann.answered()
    with ThreadPoolExecutor(10) as pool:
        same = list(pool.map(lambda _: ann.vote(found, "a").status_code, range(30)))
    return Counter(same), Counter(ann.vote(found, "b").status_code for _ in range(10))


def raced(place):
    """Both outcomes at once, ten times each."""
    ann = Visitor(place)
    found = ann.answered()
    with ThreadPoolExecutor(10) as pool:
        return Counter(pool.map(lambda each: ann.vote(found, each).status_code, "ab" * 10))


def of_another(place):
    """Forms sent to the battle of somebody else, by one with battles of their own and by a stranger."""
    found = Visitor(place).answered()
    bea, stranger = Visitor(place), Visitor(place)
    bea.answered()
    return _sent(found, bea, stranger)


def guessed(place, tries=100):
    """Votes on battles whose ids are made up, each of 128 bits."""
    ann = Visitor(place)
    ann.answered()
    ids = [secrets.token_urlsafe(16) for _ in range(tries)]
    return Counter(ann.vote(f"/arenas/chat/battles/{each}").status_code for each in ids)


def early(place):
    """A vote while the models write."""
    for model, text in zip(MODELS, SAID, strict=True):
        place.server.script(model, slowly(text, 0.02))
    try:
        ann = Visitor(place)
        found = ann.begin()
        sent = Counter(ann.vote(found).status_code for _ in range(5))
        ann.events(found)
    finally:
        for model, text in zip(MODELS, SAID, strict=True):
            place.server.script(model, slowly(text, 0.0))
    return sent


def swapped(place):
    """The cookie of one arena in another, where the battle is asked for; and cookies that are made up."""
    ann = Visitor(place)
    found = ann.answered()
    mallory, forger = Visitor(place), Visitor(place)
    mallory.cookies.set("arena-other", ann.cookies["arena-chat"])
    forger.cookies.set("arena-chat", secrets.token_urlsafe(24))
    elsewhere = found.replace("/chat/", "/other/")
    return _sent(elsewhere, mallory) + _sent(found, forger)


def uninvited(place):
    """Prompts with made-up invitations; and one that was taken back, when its battle waits for a vote."""
    mallory, sent = Visitor(place), Counter()
    for _ in range(20):
        mallory.cookies.set("arena-club", secrets.token_urlsafe(24))
        sent[mallory.ask(arena="club").status_code] += 1
    engine, ann = place.app.state.library.engine, Visitor(place)
    with writing(engine) as connection:
        invitation, secret = invite(connection, "club", "For Ann", actor="operator")
    ann.post(f"/arenas/club/join/{secret}")
    found = ann.answered(arena="club")
    with writing(engine) as connection:
        revoke(connection, "club", invitation.digest, actor="operator")
    return sent, _sent(found, ann)


def without_account(place):
    """Prompts of a stranger with a made-up cookie; and forms sent to the battle of another account."""
    for name in ("carla", "dave"):
        account(place.folder, name)
    mallory, carla, dave = (Visitor(place) for _ in range(3))
    mallory.cookies.set("arena-staff", secrets.token_urlsafe(24))
    sent = Counter(mallory.ask(arena="staff").status_code for _ in range(5))
    log_in(carla, place.folder, "carla")
    log_in(dave, place.folder, "dave")
    return sent, _sent(carla.answered(arena="staff"), dave)


def _sent(found, *visitors):
    """What the answers to all forms of a battle were."""
    data = {"outcome": "a", "prompt": "And?"}
    return Counter(each.post(f"{found}/{form}", data=data).status_code for each in visitors for form in FORMS)
