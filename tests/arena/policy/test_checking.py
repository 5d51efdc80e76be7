"""An arena that keeps its rules has no findings; each way round a rule has the one that it deserves."""

import pytest
from sqlalchemy import delete, insert, text, update

from bakeoff.arena.policy.daily import keep
from bakeoff.arena.policy.releases import EVERYONE, give
from bakeoff.database import writing
from bakeoff.database.log import Event, record
from bakeoff.database.tables import event, served, variant
from tests.arena.policy.making import rewrite, weights


@pytest.fixture
def busy(arena):
    """A good month: variants tested, released and listed; one withdrawn, one inactive; votes given out."""
    arena.register("orca-1")
    arena.register("orca-2")
    for name in ("orca-1", "orca-2"):
        arena.move(name, "testing")
    arena.public("minnow", provider="Reef", family="minnow", licence="open_weights")
    arena.public("perch", provider="Pond", family="perch", licence="open_source")
    arena.count(("orca-1", "minnow", 30, 30, 30.0), ("orca-2", "perch", 30, 30, 30.0))
    arena.rate(**{"orca-1": 1020.0, "orca-2": 1010.0, "minnow": 1000.0, "perch": 970.0})
    arena.later(1)
    arena.release("orca-1")
    arena.move("orca-2", "withdrawn", reason="orca-1 did better")
    arena.later(1)
    arena.count(
        ("orca-1", "minnow", 30, 30, 30.0), ("orca-1", "perch", 5, 5, 5.0), ("minnow", "perch", 5, 5, 5.0)
    )
    arena.rate(**{"orca-1": 1012.0, "minnow": 1000.0, "perch": 972.0})
    arena.move("orca-1", "listed")
    arena.move("minnow", "listed")
    for _ in range(4):
        arena.later(1)
        arena.count(("orca-1", "minnow", 30, 30, 30.0))
    arena.later(2)  # in the first hour of a day the day before it is not over
    did(arena, lambda connection: keep(connection, "chat", actor="cron"))
    arena.later(19)
    arena.move("perch", "withdrawn", reason="its provider asked for it")
    for name in ("orca-1", "minnow"):
        arena.move(name, "retired", reason="newer ones are there", rule="superseded")
    for provider in ("Acme", EVERYONE):
        did(
            arena,
            lambda connection, provider=provider: give(
                connection,
                "chat",
                provider,
                since=arena.today() - 27,
                until=arena.today() - 21,
                share=0.2,
                data="sha256:d",
                actor="ann",
            ),
        )
    arena.later(10)
    return arena


def did(arena, what):
    with writing(arena.engine) as connection:
        return what(connection)


def forged(arena, kind, subject, *, reason="", **facts):
    """An entry that somebody wrote without asking: the chain is whole."""
    did(arena, lambda c: record(c, actor="eve", kind=kind, subject=subject, reason=reason, facts=facts))


def forged_registration(arena, name, provider="Acme", access="private"):
    facts = {"provider": provider, "family": "orca", "licence": "proprietary", "access": access}
    written = (
        b'{"api_date":"","api_model":"","decoding":"","system_prompt":"","weights":"sha256:%b"}'
        % name.encode()
    )
    facts["artefact"] = weights(name).digest
    values = facts | {"artefact": written.decode(), "arena": "chat", "name": name, "state": "registered"}
    did(arena, lambda c: c.execute(insert(variant).values(**values, created=0.0, changed=0.0)))
    forged(arena, "variant registered", f"variant chat/{name}", **facts)


def found(arena, rule, **changes):
    return [each for each in arena.check(**changes) if each.rule == rule]


def test_a_good_month_has_no_findings(busy):
    assert busy.check() == ()
    assert busy.get("perch").state == "withdrawn"
    kinds = [each.kind for each in busy.log()]
    assert kinds.count("arena day") == 6
    assert kinds.count("variant inactive") == 1


# The log.


@pytest.mark.parametrize("column", ["actor", "reason", "facts", "at", "subject"])
def test_a_changed_entry_is_found_and_nothing_else_is_believed(busy, column):
    value = {"at": 1.0, "facts": '{"x":1}'}.get(column, "other")
    did(busy, lambda c: c.execute(update(event).where(event.c.number == 3).values({column: value})))
    (only,) = busy.check()
    assert (only.rule, only.entry, only.severity) == ("log", 3, "violation")
    assert "entry 3 was changed" in only.text


@pytest.mark.parametrize("facts", ["{", "5", "[5]", "null"])
def test_an_entry_without_facts_that_can_be_read_is_found_too(busy, facts):
    did(busy, lambda c: c.execute(update(event).where(event.c.number == 3).values(facts=facts)))
    (only,) = busy.check()
    assert (only.rule, "cannot be read" in only.text) == ("log", True)


def test_facts_of_another_form_with_the_same_digest_change_nothing(busy):
    forged(busy, "variant disputed", "variant chat/perch", reason="no facts")
    told = busy.check()
    number = busy.log()[-1].number
    did(busy, lambda c: c.execute(update(event).where(event.c.number == number).values(facts="[]")))
    assert busy.check() == told


def test_a_removed_entry_is_found(busy):
    did(busy, lambda c: c.execute(delete(event).where(event.c.number == 4)))
    (only,) = busy.check()
    assert (only.rule, only.entry, only.text) == ("log", 4, "entry 4 is missing")


def test_a_log_that_was_written_anew_is_found_by_a_digest_that_was_kept(busy):
    kept = [each.digest for each in busy.log()]

    def other(each):
        facts = dict(each.facts) | ({"x": 1} if each.number == 2 else {})
        return Event(each.number, each.at, each.actor, each.kind, each.subject, each.reason, facts)

    did(busy, lambda c: rewrite(c, other))
    assert busy.check(published=kept[:1]) == ()  # as far as anybody kept it, it is what it was
    (only,) = busy.check(published=[kept[0], kept[9]])
    assert (only.rule, kept[9] in only.text) == ("log", True)


def test_a_log_whose_end_was_cut_is_found_by_a_digest_that_was_kept(busy):
    last = busy.log()[-1]
    did(busy, lambda c: c.execute(delete(event).where(event.c.number == last.number)))
    assert [each.rule for each in busy.check(published=[last.digest])] == ["log"]


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("arena policy", {"policy": {"name": "chat", "private_variants": -1}}),
        ("arena rated", {"ratings": {"orca-1": {"score": 1.0}}}),
        ("arena rated", {"ratings": [1]}),
        ("arena rated", {}),
        ("arena day", {"day": [1]}),
        ("arena day", {"day": 10**9, "shown": 1, "votes": 1, "digest": "sha256:x"}),
        ("data released", {"provider": "Acme", "since": "x", "until": 3, "share": 0.2, "data": ""}),
        ("data released", {"provider": "Acme", "since": 9, "until": 3, "share": 0.2, "data": ""}),
    ],
)
def test_an_entry_that_cannot_be_read_is_found(busy, kind, facts):
    forged(busy, kind, "arena chat", **facts)
    (only,) = busy.check()
    assert (only.rule, only.entry) == ("form", busy.log()[-1].number)


# The policy.


def test_another_policy_than_the_one_in_force_is_found(busy):
    (only,) = found(busy, "adoption", private_variants=5)
    assert "version 1 is in force" in only.text


def test_an_arena_without_a_policy_is_found(engine):
    from tests.arena.policy.making import Arena

    bare = Arena(engine)
    forged_registration(bare, "orca-1")
    assert ("adoption", "arena chat") in bare.broken()


def test_rules_that_came_after_what_they_rule_are_found(engine):
    from tests.arena.policy.making import Arena

    bare = Arena(engine)
    forged_registration(bare, "orca-1")
    bare.adopt()
    assert [each.entry for each in found(bare, "adoption")] == [1]


def test_a_lower_version_slipped_in_is_found_and_what_was_done_under_it_is_held_to_it(busy):
    from tests.arena.policy.making import policy

    busy.adopt(version=2, private_variants=1)
    lax = policy(version=1, private_variants=9)
    forged(busy, "arena policy", "arena chat", policy=lax.model_dump(mode="json"), digest=lax.digest)
    assert [each.text for each in found(busy, "adoption", private_variants=9)] == [
        "version 1 follows version 2"
    ]


# Registration.


def test_votes_on_what_nobody_registered_are_found(busy):
    day = busy.today() - 1
    row = {"arena": "chat", "day": day, "first": "ghost", "second": "minnow", "propensity": 1.0}
    did(busy, lambda c: c.execute(insert(served).values(**row, shown=2, votes=2, first_vote=day * 86_400.0)))
    assert ("registration", "ghost") in busy.broken()


def test_a_variant_that_was_voted_on_before_it_was_registered_is_found_to_the_second(busy):
    forged_registration(busy, "orca-3")
    at = busy.log()[-1].at
    row = {"arena": "chat", "day": busy.today(), "first": "minnow", "second": "orca-3", "propensity": 1.0}
    values = row | {"shown": 2, "votes": 2}
    did(busy, lambda c: c.execute(insert(served).values(**values, first_vote=at + 0.5)))
    assert found(busy, "registration") == []
    did(
        busy,
        lambda c: c.execute(update(served).where(served.c.second == "orca-3").values(first_vote=at - 0.5)),
    )
    (only,) = found(busy, "registration")
    assert (only.subject, only.entry) == ("orca-3", busy.log()[-1].number)
    assert "before it was registered" in only.text


def test_showing_without_a_vote_counts_as_well(busy):
    forged_registration(busy, "orca-3")
    row = {"arena": "chat", "day": busy.today() - 1, "first": "minnow", "second": "orca-3", "propensity": 1.0}
    did(busy, lambda c: c.execute(insert(served).values(**row, shown=2, votes=0)))
    assert [each.subject for each in found(busy, "registration")] == ["orca-3"]


def test_a_second_registration_is_found(busy):
    forged(busy, "variant registered", "variant chat/orca-1", provider="Reef")
    assert ("registration", "orca-1") in busy.broken()


# The life of variants.


@pytest.mark.parametrize(
    ("name", "kind", "reason", "said"),
    [
        ("orca-2", "variant testing", "once more", "went from withdrawn to testing"),
        ("orca-1", "variant listed", "it is good", "went from retired to listed"),
        ("minnow", "variant withdrawn", "", "became withdrawn without a reason"),
        ("minnow", "variant provisional", " ", "became provisional without a reason"),
    ],
)
def test_a_step_that_is_none_is_found(busy, name, kind, reason, said):
    forged(busy, kind, f"variant chat/{name}", reason=reason)
    assert said in [each.text for each in found(busy, "life")]


def test_a_release_of_another_artefact_is_found(busy):
    for name, facts in (("orca-7", {"artefact": weights("orca-chat").digest}), ("orca-8", {})):
        forged_registration(busy, name)
        forged(busy, "variant provisional", f"variant chat/{name}", **facts)
    assert [(each.subject, each.text.partition(", and ")[2]) for each in found(busy, "identity")] == [
        ("orca-7", "another artefact than the tested one is public"),
        ("orca-8", "nobody says which artefact is public"),
    ]


# The cap.


def test_a_cap_that_was_broken_for_a_moment_is_found_for_good(busy):
    for number in (3, 4, 5):
        forged_registration(busy, f"orca-{number}")
    entry = busy.log()[-1].number
    for number in (3, 4, 5):
        busy.move(f"orca-{number}", "withdrawn", reason="hide them")
    (only,) = busy.check()
    assert (only.rule, only.subject, only.entry) == ("cap", "Acme", entry)


def test_a_provider_in_two_spellings_has_one_cap(busy):
    for number, provider in ((3, "Acme"), (4, "ACME"), (5, "acme")):
        forged_registration(busy, f"orca-{number}", provider)
    assert [each.entry for each in found(busy, "cap")] == [busy.log()[-1].number]


def test_a_test_of_what_was_registered_as_public_counts(busy):
    for number in (3, 4, 5):
        forged_registration(busy, f"orca-{number}", access="public")
        forged(busy, "variant testing", f"variant chat/orca-{number}")
    assert [each.entry for each in found(busy, "cap")] == [busy.log()[-1].number]


def test_a_cap_is_the_one_of_its_time(busy):
    busy.adopt(version=2, private_variants=3)
    for number in (3, 4, 5):
        busy.register(f"orca-{number}")
    busy.adopt(version=3, private_variants=1)
    assert busy.broken(version=3, private_variants=1) == []


# What was published stays.


def test_a_row_that_was_deleted_is_found(busy):
    did(busy, lambda c: c.execute(delete(variant).where(variant.c.name == "orca-2")))
    (only,) = busy.check()
    assert (only.rule, only.subject, only.text) == (
        "retraction",
        "orca-2",
        "is withdrawn by the log, and its row is gone",
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("state", "listed"),
        ("provider", "Reef"),
        ("family", "other"),
        ("licence", "open_source"),
        ("access", "public"),
        ("artefact", '{"weights":"sha256:other"}'),
        ("rating", '{"high":1300,"low":1290,"score":1295,"votes":100}'),
        ("rating", None),
        ("rating", "{"),
    ],
)
def test_a_row_that_was_changed_behind_the_logs_back_is_found(busy, column, value):
    did(busy, lambda c: c.execute(update(variant).where(variant.c.name == "orca-2").values({column: value})))
    (only,) = busy.check()
    assert (only.rule, only.subject) == ("retraction", "orca-2")
    assert column in only.text


def test_a_row_of_which_the_log_knows_nothing_is_found(busy):
    did(
        busy,
        lambda c: c.execute(
            text(
                "INSERT INTO variant SELECT arena, 'ghost', provider, family, licence, access, artefact, "
                "state, before, rating, created, changed FROM variant WHERE name = 'orca-2'"
            )
        ),
    )
    assert busy.broken() == [("retraction", "ghost")]


def test_a_public_row_that_is_left_out_of_a_publication_is_found(busy):
    busy.public("pike", provider="Pond", family="pike")
    busy.rate(pike=1000.0)
    entry = busy.log()[-1].number + 1
    forged(busy, "arena rated", "arena chat", data="d", method="m", ratings={})
    (only,) = busy.check()
    assert (only.rule, only.subject, only.entry) == ("retraction", "pike", entry)


# Provisional rows.


def test_a_row_that_was_listed_too_early_is_found_whatever_the_entry_says(arena):
    arena.public("minnow")
    forged(arena, "variant listed", "variant chat/minnow", fresh=5_000, low=999, high=1001)
    did(arena, lambda c: c.execute(update(variant).values(state="listed")))
    assert [each.text for each in arena.check()] == [
        "was listed with 0 fresh votes, and needs 20",
        "was listed without a published rating",
    ]


def test_votes_of_the_day_of_the_release_are_not_fresh(arena):
    arena.public("minnow")
    arena.public("perch", family="perch")
    arena.count(("minnow", "perch", 500, 500, 500.0))
    arena.rate(minnow=1000.0, perch=990.0)
    arena.later(1)
    arena.count(("minnow", "perch", 19, 19, 19.0))
    forged(arena, "variant listed", "variant chat/minnow")
    assert [each.text for each in found(arena, "preliminary")] == [
        "was listed with 19 fresh votes, and needs 20"
    ]


def test_a_row_that_was_listed_with_a_wide_interval_is_found(arena):
    arena.public("minnow")
    arena.public("perch", family="perch")
    wide = {"score": 1000.0, "low": 980.0, "high": 1010.5, "votes": 9}
    forged(arena, "arena rated", "arena chat", data="d", method="m", ratings={"minnow": wide})
    arena.later(1)
    arena.count(("minnow", "perch", 20, 20, 20.0))
    forged(arena, "variant listed", "variant chat/minnow")
    assert [each.text for each in found(arena, "preliminary")] == [
        "was listed with an interval of 30.5 points, wider than 30"
    ]


# Removals.


def test_a_silent_removal_is_found_by_what_it_leaves(busy):
    """All ways to make a row go without saying so: no row, another state, no entry."""
    did(busy, lambda c: c.execute(delete(variant).where(variant.c.name == "perch")))
    did(
        busy, lambda c: c.execute(update(variant).where(variant.c.name == "minnow").values(state="withdrawn"))
    )
    forged(busy, "variant withdrawn", "variant chat/orca-1")
    assert {each.subject: each.rule for each in busy.check() if each.rule != "retraction"} == {
        "orca-1": "life"
    }
    assert [each.subject for each in found(busy, "retraction")] == ["orca-1", "minnow", "perch"]


def test_a_retirement_by_no_stated_rule_is_found(busy):
    busy.public("pike", provider="Pond", family="pike")
    forged(busy, "variant retired", "variant chat/pike", reason="we do not like it", rule="unloved")
    assert [(each.subject, each.text) for each in found(busy, "removal")] == [
        ("pike", "was retired under the rule unloved, which is not stated")
    ]


def test_a_row_that_became_inactive_though_it_had_votes_or_just_came_is_found(arena):
    arena.public("minnow")
    arena.public("perch", family="perch")
    for name in ("minnow", "perch"):
        forged(arena, "variant inactive", f"variant chat/{name}", reason="too few votes")
    assert [each.subject for each in found(arena, "removal")] == ["minnow", "perch"]
    assert "became inactive with 0 votes in 3 days" in found(arena, "removal")[0].text


def test_inactivity_is_by_whole_days_of_votes_and_for_all_alike(arena):
    for name, licence in (("minnow", "open_weights"), ("perch", "open_source"), ("orca-1", "proprietary")):
        arena.public(name, family=name, licence=licence)
    arena.later(2)
    arena.count(("minnow", "perch", 4, 4, 4.0), ("minnow", "orca-1", 1, 1, 1.0))
    arena.later(1)
    assert did(arena, lambda c: keep(c, "chat", actor="cron")).inactive == ()
    arena.later(1)
    arena.count(("perch", "orca-1", 100, 100, 100.0))  # of today: no whole day
    kept = did(arena, lambda c: keep(c, "chat", actor="cron"))
    assert kept.inactive == ("perch", "orca-1")
    assert [arena.get(name).state for name in ("minnow", "perch")] == ["provisional", "inactive"]
    assert arena.log()[-1].reason == "fewer than 5 votes in 3 days"
    assert arena.broken() == []


def test_a_row_to_which_the_rule_was_not_applied_is_found_a_day_later(arena):
    for name, licence in (("minnow", "open_weights"), ("orca-1", "proprietary")):
        arena.public(name, family=name, licence=licence)
    arena.later(4)
    arena.move("minnow", "inactive", reason="too few votes")
    assert arena.broken() == []
    arena.later(1)
    (only,) = found(arena, "removal")
    assert (only.subject, only.severity) == ("orca-1", "violation")


def test_a_rule_that_is_new_today_was_not_to_be_applied_yesterday(arena):
    arena.public("minnow")
    arena.later(2)
    arena.adopt(version=2, inactivity={"votes": 5, "days": 1})
    assert arena.broken(version=2, inactivity={"votes": 5, "days": 1}) == []
    arena.later(1)
    assert arena.broken(version=2, inactivity={"votes": 5, "days": 1}) == [("removal", "minnow")]


def test_rates_of_removal_that_differ_by_licence_stand_as_a_warning(arena):
    for number in range(8):
        arena.public(f"open-{number}", family=f"o{number}", licence="open_weights")
        arena.public(f"closed-{number}", family=f"c{number}")
    for number in range(7):
        arena.move(f"open-{number}", "retired", reason="no use", rule="superseded")
    (only,) = arena.check()
    # 7 of 8 against 0 of 8: C(8, 7) C(8, 0) / C(16, 7), and the other tail as much.
    assert (only.rule, only.severity) == ("removal", "warning")
    assert "proprietary 0 of 8, open_weights 7 of 8, open_source 0 of 0" in only.text
    assert f"p = {2 * 8 / 11440:.2g}" in only.text


# Sampling.


@pytest.mark.parametrize(
    "change",
    [
        update(served).values(shown=served.c.shown + 1),
        update(served).values(propensity=served.c.propensity / 2),
        update(served).values(first_vote=served.c.first_vote + 1),
        delete(served),
    ],
)
def test_counts_of_a_closed_day_that_were_changed_are_found(busy, change):
    closed = [each for each in busy.log() if each.kind == "arena day"]
    did(busy, lambda c: c.execute(change.where(served.c.day == closed[2].facts["day"])))
    violations = [each for each in found(busy, "sampling") if each.severity == "violation"]
    assert [each.entry for each in violations] == [closed[2].number]


def test_a_day_that_was_never_closed_is_a_warning(arena):
    arena.public("minnow")
    arena.public("perch", family="perch")
    arena.count(("minnow", "perch", 10, 10, 10.0))
    arena.later(1)
    assert arena.check() == ()
    arena.later(1)
    (only,) = arena.check()
    assert (only.rule, only.severity) == ("sampling", "warning")


def test_who_is_shown_far_more_or_less_than_fair_has_a_warning(arena):
    for number in range(6):
        arena.public(f"m{number}", provider=f"p{number % 2}", family=f"f{number}")
    arena.later(1)
    # 600 appearances, of which 100 each are fair: m0 has 300, m5 has 20.
    arena.count(
        ("m0", "m1", 100, 0, 100.0),
        ("m0", "m2", 90, 0, 90.0),
        ("m0", "m3", 100, 0, 100.0),
        ("m0", "m5", 10, 0, 10.0),
    )
    rule = {"factor": 3.0, "appearances": 100}
    warned = found(arena, "sampling", sampling=rule)
    assert [(each.subject, each.severity) for each in warned] == [
        ("model m0", "warning"),
        ("model m5", "warning"),
        ("model m4", "warning"),
    ]
    assert "50.0 % of appearances, 3.00 times its fair share of 16.7 %" in warned[0].text
    assert found(arena, "sampling", sampling=rule | {"appearances": 101}) == []


def test_a_pair_that_is_shown_more_often_than_was_stated_has_a_warning(arena):
    for name in ("minnow", "perch", "pike"):
        arena.public(name, provider=name, family=name)
    arena.later(1)
    arena.count(
        ("minnow", "perch", 120, 0, 40.0), ("minnow", "pike", 40, 0, 40 / 3), ("perch", "pike", 40, 0, 40 / 3)
    )
    (only,) = arena.check()
    assert (only.subject, only.severity) == ("minnow and perch", "warning")
    assert "were shown 120 times of 200" in only.text
    assert "about 67 times" in only.text


# Data.


def release_of(arena, provider, since=-30, until=-20, share=0.2):
    today = arena.today()
    forged(
        arena,
        "data released",
        "arena chat",
        provider=provider,
        since=today + since,
        until=today + until,
        share=share,
        data="sha256:d",
    )


def test_a_release_that_came_too_early_or_with_another_share_is_found(busy):
    release_of(busy, EVERYONE, until=-10)
    release_of(busy, EVERYONE, share=0.5)
    first, second = found(busy, "releases")
    assert "after 10 days, and the delay is 10" in first.text
    assert "was given 50 % of the votes, and the share is 20 %" in second.text


def test_a_provider_that_is_left_out_is_found_when_its_time_is_over(arena):
    arena.public("minnow", provider="Reef")
    arena.public("perch", provider="Pond")
    release_of(arena, "Reef")
    arena.later(5)
    assert found(arena, "releases") == []
    arena.later(1)
    assert [(each.subject, each.entry) for each in found(arena, "releases")] == [
        ("Pond", arena.log()[-1].number)
    ]


@pytest.mark.parametrize(
    ("parts", "left_out"),
    [
        ([(-30, -20)], False),
        ([(-30, -25), (-24, -20)], False),
        ([(-40, -19)], False),
        ([(-30, -21)], True),
        ([(-29, -20)], True),
        ([(-30, -26), (-24, -20)], True),
    ],
)
@pytest.mark.parametrize("whose", ["Pond", EVERYONE])
def test_all_days_of_a_release_are_to_be_given_to_all(arena, whose, parts, left_out):
    arena.public("minnow", provider="Reef")
    arena.public("perch", provider="Pond")
    release_of(arena, "Reef")
    for since, until in parts:
        release_of(arena, whose, since, until)
    arena.later(6)
    assert ("Pond" in [each.subject for each in found(arena, "releases")]) == left_out


def test_what_came_too_late_or_was_less_is_not_the_same(arena):
    for name, provider in (("minnow", "Reef"), ("perch", "Pond"), ("pike", "Lake"), ("carp", "Moat")):
        arena.public(name, provider=provider)
    release_of(arena, "Reef")
    release_of(arena, "Lake", share=0.1)
    arena.later(5)
    release_of(arena, "Moat", since=-35, until=-25)
    arena.later(1)
    release_of(arena, "Pond", since=-36, until=-26)
    left_out = [each for each in found(arena, "releases") if each.text.startswith("was not given")]
    assert [each.subject for each in left_out] == ["Lake", "Pond"]
