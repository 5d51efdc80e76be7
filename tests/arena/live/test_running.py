"""A live arena on one server: what it keeps through crowds, failures, restarts and the end of a server."""

import asyncio
import time
from contextlib import asynccontextmanager, contextmanager

import pytest
from sqlalchemy import select, text, update

from bakeoff.arena.battles.seen import seen
from bakeoff.arena.live import running as live
from bakeoff.arena.live.running import Running, Warned
from bakeoff.arena.policy.adopting import subject
from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.sampling import days_with_counts, in_all, pairs_of
from bakeoff.arena.policy.variants import move
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.database.tables import battle as table
from bakeoff.errors import BakeoffError
from tests.servers import fault_server as fault
from tests.servers.fault_server import FaultServer, answer
from tests.web.arena import MODELS, NAMES, SAID, arena, by_prompt, slowly

ANN, BEA = "a" * 16, "b" * 16


@asynccontextmanager
async def there(engine, server=None, *, most=100, **changes):
    """An arena that runs, and the server of its models."""
    async with FaultServer() as fresh:
        found = server or fresh
        for model, said in zip(MODELS, SAID, strict=True):
            found.scripts.setdefault(model, (answer(said),))
        async with Running(engine, arena(found, **changes), most=most) as running:
            yield running, found


async def over(running, battle, since=0):
    """The pieces of a turn, up to its end."""
    return [(each.left, each.right) async for each in running.watch(battle, since)]


def row(engine, battle):
    with reading(engine) as connection:
        return connection.execute(select(table).where(table.c.id == battle)).one()


def running_turns():
    """How many turns are being answered."""
    return sum(each.get_coro().__qualname__ == "Running._run" for each in asyncio.all_tasks())


@contextmanager
def locked(engine):
    """Nobody else writes down a battle on PostgreSQL."""
    with writing(engine) as connection:
        connection.execute(text("LOCK TABLE battle IN EXCLUSIVE MODE"))
        yield


def totals(engine):
    """Pairs shown and votes, as counted."""
    with reading(engine) as connection:
        days = [
            in_all(day, pairs_of(connection, "chat", day)) for day in days_with_counts(connection, "chat")
        ]
    return sum(each.shown for each in days), sum(each.votes for each in days)


def test_a_battle_from_its_prompt_to_its_names(engine):
    async def main():
        async with there(engine) as (running, server):
            battle = await running.begin(ANN, "How deep?")
            pieces = await over(running, battle)
            await running.go_on(battle, ANN, "And how wide?")
            await over(running, battle)
            told = await running.vote(battle, ANN, "b", guesses={"left": NAMES[0]})
            again = await running.vote(battle, ANN, "b")
            return battle, pieces, told, again, server.calls

    battle, pieces, told, again, calls = asyncio.run(main())
    assert {told.left, told.right} == set(NAMES)
    assert (again.left, again.right, again.outcome) == (told.left, told.right, "b")
    assert totals(engine) == (1, 1)
    with reading(engine) as connection:
        found = seen(connection, battle, ANN)
    assert [each.prompt for each in found.turns] == ["How deep?", "And how wide?"]
    assert found.turns[0].left.text == SAID[NAMES.index(told.left)]
    assert "".join(left for left, _ in pieces).startswith(found.turns[0].left.text[:3])
    first, second = calls[:2], calls[2:]
    assert len({call.body["seed"] for call in first}) == 1  # both sides have the same luck
    assert {call.body["seed"] for call in first} != {call.body["seed"] for call in second}


def test_battles_go_on_with_nobody_there_to_watch_and_either_model_is_left(engine):
    async def main():
        async with there(engine) as (running, _):
            battles = [await running.begin(ANN, f"Prompt {number}") for number in range(20)]
            for battle in battles:
                await over(running, battle)
                await running.vote(battle, ANN, "tie")
            return battles

    rows = [row(engine, battle) for battle in asyncio.run(main())]
    assert totals(engine) == (20, 20)
    assert {each.left for each in rows} == set(NAMES)  # by chance it is one alone twice in a million times
    assert {each.propensity for each in rows} == {1.0}  # there is one pair
    assert all(each.rule for each in rows)


def test_no_more_are_answered_at_once_than_there_is_room_for(engine):
    """Also where all of them come at the same moment."""

    async def main():
        async with there(engine, most=3) as (running, server):
            for model in MODELS:
                server.script(model, slowly("Deep, deep down.", 0.02, first_s=0.2))
            found = await asyncio.gather(
                *(running.begin(ANN, f"Prompt {number}") for number in range(12)), return_exceptions=True
            )
            begun = [each for each in found if isinstance(each, str)]
            refused = {str(each) for each in found if isinstance(each, BakeoffError)}
            for battle in begun:
                await over(running, battle)
            await over(running, await running.begin(ANN, "Now there is room"))
            return begun, refused, len(found)

    begun, refused, asked = asyncio.run(main())
    assert (len(begun), asked) == (3, 12)
    assert len(refused) == 1
    assert "as many as this server takes" in refused.pop()
    assert totals(engine)[0] == 4  # nobody who was refused was shown a pair


def test_of_many_votes_at_once_one_counts(engine):
    async def main():
        async with there(engine) as (running, _):
            battle = await running.begin(ANN, "How deep?")
            await over(running, battle)
            outcomes = ["a", "b", "tie", "both_bad"] * 3
            votes = (running.vote(battle, ANN, outcome) for outcome in outcomes)
            found = await asyncio.gather(*votes, return_exceptions=True)
            return {each.outcome for each in found if not isinstance(each, Exception)}, found

    kept, found = asyncio.run(main())
    assert len(kept) == 1
    assert all(isinstance(each, BakeoffError) for each in found if isinstance(each, Exception))
    assert sum(isinstance(each, BakeoffError) for each in found) == 9
    assert totals(engine) == (1, 1)


def test_who_leaves_ends_both_models_and_is_asked_nothing_more(engine):
    async def main():
        async with there(engine) as (running, server):
            for model in MODELS:
                server.script(model, slowly("Deep. " * 100, 0.05))
            battle = await running.begin(ANN, "How deep?")
            with pytest.raises(BakeoffError, match="no battle"):
                await running.leave(battle, BEA)
            await running.leave(battle, ANN)
            async with asyncio.timeout(10):
                while server.in_flight:  # noqa: ASYNC110 (it hears a little later that it was given up)
                    await asyncio.sleep(0.01)
            for act in (
                running.vote(battle, ANN, "a"),
                running.go_on(battle, ANN, "More?"),
                running.leave(battle, ANN),
            ):
                with pytest.raises(BakeoffError):
                    await act
            return battle, await over(running, battle)

    battle, pieces = asyncio.run(main())
    assert row(engine, battle).state == "abandoned"
    assert (totals(engine), pieces) == ((1, 0), [])


def test_a_server_that_ends_voids_what_was_being_answered_and_keeps_the_rest(engine):
    async def main():
        async with FaultServer() as server:
            async with there(engine, server) as (running, _):
                whole = await running.begin(ANN, "How deep?")
                await over(running, whole)
                for model in MODELS:
                    server.script(model, slowly("Deep. " * 100, 0.05))
                cut = await running.begin(ANN, "And how wide?")
                listening = asyncio.create_task(over(running, cut))
                await asyncio.sleep(0.1)
            await listening
            states = [row(engine, each) for each in (whole, cut)]
            async with there(engine, server) as (running, _):  # the same arena, on a server that begins anew
                told = await running.vote(whole, ANN, "a")
                with pytest.raises(BakeoffError, match="server stopped"):
                    await running.vote(cut, ANN, "a")
            return states, told

    (whole, cut), told = asyncio.run(main())
    assert (whole.state, cut.state, cut.void) == ("answered", "void", "stopped")
    assert {told.left, told.right} == set(NAMES)
    assert totals(engine) == (2, 1)


def test_a_server_that_was_killed_left_battles_that_are_void_now(engine):
    async def main():
        async with there(engine) as (running, _):
            battle = await running.begin(ANN, "How deep?")
            await over(running, battle)
            with writing(engine) as connection:  # as if the answers had never come
                connection.execute(update(table).values(state="answering"))
            async with Running(engine, running.arena):
                return row(engine, battle)

    found = asyncio.run(main())
    assert (found.state, found.void) == ("void", "stopped")


def test_a_model_that_fails_loses_nothing_and_the_log_says_what_it_was(engine, capsys):
    async def main():
        async with there(engine) as (running, server):
            server.script(
                MODELS[0], by_prompt({"Bad": fault.status(500, "the engine died")}, answer("Deep."))
            )
            bad = await running.begin(ANN, "Bad")
            (end,) = [each async for each in running.watch(bad)]
            await over(running, bad)
            good = await running.begin(ANN, "Good")
            await over(running, good)
            await running.vote(good, ANN, "a")
            return bad, end

    bad, end = asyncio.run(main())
    assert (row(engine, bad).state, row(engine, bad).void) == ("void", "model_error")
    assert (end.over, "could not answer" in end.sentence, "died" in end.sentence) == (True, True, False)
    assert totals(engine) == (2, 1)
    assert "the engine died" in capsys.readouterr().err


def test_a_server_that_was_away_for_long_is_asked_again(engine, monkeypatch):
    """Of its own accord an engine gives a dead server up: in a run nothing else makes sense."""
    monkeypatch.setattr("bakeoff.arena.live.resting.REST_S", 0.0)

    async def main():
        async with there(engine) as (running, server):
            server.script(MODELS[0], fault.status(500))
            for number in range(25):
                await over(running, await running.begin(ANN, f"Prompt {number}"))
            server.script(MODELS[0], answer("Back again."))
            battle = await running.begin(ANN, "How deep?")
            await over(running, battle)
            return battle

    assert row(engine, asyncio.run(main())).state == "answered"


def test_what_is_refused_or_asked_about_begins_no_battle_and_is_counted(engine):
    async def main():
        async with there(engine) as (running, server):
            for prompt in ("", "  ", "x" * 1001, "a\x00b"):
                with pytest.raises(BakeoffError) as refused:
                    await running.begin(ANN, prompt)
                assert not isinstance(refused.value, Warned)
            with pytest.raises(Warned, match="mail address"):
                await running.begin(ANN, "Write to jane.doe@example.org.")
            assert not server.calls
            battle = await running.begin(ANN, "Write to jane.doe@example.org.", sure=True)
            await over(running, battle)

    asyncio.run(main())
    assert totals(engine) == (1, 0)
    with reading(engine) as connection:
        told = [each.facts for each in events(connection, subject("chat")) if each.kind == "arena moderation"]
    assert sum(each.get("personal-details@1", {}).get("warned", 0) for each in told) == 2
    assert sum(each.get("invisible@1", {}).get("refused", 0) for each in told) == 1
    assert "jane" not in str(told)


def test_a_model_that_was_withdrawn_is_shown_no_more(engine):
    async def main():
        async with there(engine) as (running, _):
            await over(running, await running.begin(ANN, "How deep?"))
            with writing(engine) as connection:
                move(connection, "chat", NAMES[0], State.WITHDRAWN, actor="ann", reason="it broke", rule="")
            with pytest.raises(BakeoffError, match="fewer than two models") as refused:
                await running.begin(ANN, "And how wide?")
            return str(refused.value)

    told = asyncio.run(main())
    assert not any(name in told for name in NAMES)
    assert totals(engine) == (1, 0)


def test_the_operator_is_told_who_is_not_shown(engine, capsys):
    async def main():
        async with FaultServer() as server:
            async with there(engine, server):
                with writing(engine) as connection:
                    move(connection, "chat", NAMES[0], State.WITHDRAWN, actor="bob", reason="a leak")
            async with there(engine, server):
                pass

    asyncio.run(main())
    assert f"chat: {NAMES[0]} is withdrawn, and is shown to nobody" in capsys.readouterr().err


def test_a_battle_that_cannot_be_kept_ends_the_models_that_had_begun(engine, monkeypatch):
    async def main():
        async with there(engine) as (running, server):
            for model in MODELS:
                server.script(model, slowly("Deep, deep down.", 1.0, first_s=5))
            kept = live.open_battle

            def full(*args, **kwargs):
                time.sleep(0.1)  # the models are asked by now
                raise BakeoffError("the disk is full")

            monkeypatch.setattr(live, "open_battle", full)
            with pytest.raises(BakeoffError, match="the disk is full"):
                await running.begin(ANN, "How deep?")
            monkeypatch.setattr(live, "open_battle", kept)
            return running_turns()

    assert asyncio.run(main()) == 0
    assert totals(engine) == (0, 0)


def test_who_may_not_begin_another_makes_models_work_once_at_most(engine):
    """They are asked before the database says no, and stopped; of whom it said no they are asked after it."""

    async def main():
        async with there(engine, per_voter={"open": 1}) as (running, server):
            for model in MODELS:
                server.script(model, slowly("Deep, deep down.", 0.001, first_s=0.2))
            battle = await running.begin(ANN, "How deep?")
            await over(running, battle)
            calls = []
            for _ in range(3):
                before = len(server.calls)
                with pytest.raises(BakeoffError, match="1 battle without a vote"):
                    await running.begin(ANN, "How wide?")
                await asyncio.sleep(0.05)
                calls.append(len(server.calls) - before)
            asked = running_turns()
            await running.vote(battle, ANN, "a")
            await over(running, await running.begin(ANN, "And how wide?"))
            return calls, asked

    calls, asked = asyncio.run(main())
    assert calls[0] <= 2
    assert calls[1:] == [0, 0]
    assert asked == 0
    assert totals(engine) == (2, 1)


def test_models_answer_while_the_battle_waits_to_be_written_down(engine):
    """Nothing of it is kept before that."""

    async def main():
        async with there(engine) as (running, server):
            await over(running, await running.begin(ANN, "How deep?"))
            before = len(server.calls)
            with writing(engine) if engine.dialect.name == "sqlite" else locked(engine):
                beginning = asyncio.create_task(running.begin(BEA, "How wide?"))
                async with asyncio.timeout(20):
                    while len(server.calls) < before + 2:  # noqa: ASYNC110 (nobody tells)
                        await asyncio.sleep(0.01)
                await asyncio.sleep(0.2)  # both answers are whole by now
                waiting = not beginning.done(), totals(engine)[0]
            battle = await beginning
            await over(running, battle)
            return waiting, len(server.calls) - before, battle

    waiting, asked, battle = asyncio.run(main())
    assert (waiting, asked) == ((True, 1), 2)
    assert row(engine, battle).state == "answered"
    assert totals(engine) == (2, 0)


def test_who_goes_before_the_battle_is_written_down_leaves_no_model_at_work(engine):
    async def main():
        async with there(engine) as (running, server):
            await over(running, await running.begin(ANN, "How deep?"))
            for model in MODELS:
                server.script(model, slowly("Deep, deep down.", 1.0, first_s=5))
            for pause_s in (0.0, 0.001, 0.002):
                beginning = asyncio.create_task(running.begin(ANN, "How wide?"))
                await asyncio.sleep(pause_s)
                beginning.cancel()
                await asyncio.wait([beginning])
                if not beginning.cancelled():  # on a busy machine it has begun before that
                    await running.leave(beginning.result(), ANN)
            return running_turns()

    assert asyncio.run(main()) == 0


def test_a_pair_that_may_not_meet_any_more_is_not_shown_though_it_was_asked(engine):
    """Each column has the words of its own model, and the other is not kept or counted."""

    async def main():
        async with FaultServer() as server:
            for model, said in zip((*MODELS, "ibis-wire-1"), (*SAID, "So deep, says a third."), strict=True):
                server.script(model, answer(said))
            two = arena(server)
            third = two.models[0].model_copy(
                update={"name": "Ibis 1", "model": "openai:ibis-wire-1", "provider": "Ibis", "family": "ibis"}
            )
            three = two.model_copy(update={"models": (*two.models, third)})
            async with Running(engine, three) as running:
                for number in range(10):
                    await over(running, await running.begin(ANN, f"Before {number}"))
                with writing(engine) as connection:
                    move(connection, "chat", NAMES[0], State.WITHDRAWN, actor="ann", reason="it broke")
                battles = [await running.begin(ANN, f"After {number}") for number in range(10)]
                for battle in battles:
                    await over(running, battle)
                return battles

    battles = asyncio.run(main())
    words = {NAMES[1]: "**Deep**, deep.", "Ibis 1": "So deep, says a third."}
    for battle in battles:
        found = row(engine, battle)
        assert {found.left, found.right} == set(words)
        assert found.propensity == 1.0
        with reading(engine) as connection:
            (turn,) = seen(connection, battle, ANN).turns
        assert turn.left.text.startswith(words[found.left])
        assert turn.right.text.startswith(words[found.right])
    assert totals(engine) == (20, 0)


def test_battles_that_nobody_voted_on_run_out(engine, monkeypatch):
    monkeypatch.setattr(live, "_HOUSEKEEPING_S", 0.02)

    async def main():
        async with there(engine) as (running, _):
            battle = await running.begin(ANN, "How deep?")
            await over(running, battle)
            with writing(engine) as connection:
                connection.execute(update(table).values(changed=table.c.changed - 90_000))
            async with asyncio.timeout(20):
                while row(engine, battle).state == "answered":  # noqa: ASYNC110 (nobody tells)
                    await asyncio.sleep(0.02)
            with pytest.raises(BakeoffError):
                await running.vote(battle, ANN, "a")
            return battle

    assert row(engine, asyncio.run(main())).state == "abandoned"
    assert totals(engine) == (1, 0)


def test_there_is_no_battle_of_any_other_id(engine):
    async def main():
        async with there(engine) as (running, _):
            for battle in ("", "x", "\x00", "é" * 3000, "\ud800"):
                for act in (running.vote, running.go_on):
                    with pytest.raises(BakeoffError, match="you have no battle of that id"):
                        await act(battle, ANN, "a")
                with pytest.raises(BakeoffError, match="you have no battle of that id"):
                    await running.leave(battle, ANN)
                assert await over(running, battle) == []

    asyncio.run(main())
