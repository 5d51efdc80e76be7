"""What attacks on a live arena do: how much of each is found, what it moves without rules and with them, and
what that costs honest votes.

    python -m benchmarks.arena_fraud            # two minutes
    python -m benchmarks.arena_fraud votes pace forged identity habit     # any of them

Votes are made up: 20,000 by 1,000 people of different tastes, on 20 models of known strengths. What is sent
over HTTP goes to a running site with models behind sockets.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from tests.arena.fraud import forged, identity
from tests.arena.fraud.habit import guessed

from bakeoff.arena.answering.pace import STEADY
from bakeoff.arena.cleaning.anomalous_voters import AnomalousVoters
from bakeoff.arena.cleaning.filter import Filter
from bakeoff.arena.cleaning.machine_pace import MachinePace
from bakeoff.arena.cleaning.newcomer_crowd import NewcomerCrowd
from bakeoff.arena.cleaning.steps import clean
from bakeoff.arena.simulate.board import rating, seen
from bakeoff.arena.simulate.crowd import columns, generator
from bakeoff.arena.simulate.identity_probing import BOTH, TAGGED, IdentityProbing
from bakeoff.arena.simulate.machine_pace import PACE, Paced
from bakeoff.arena.simulate.pauses import QUICK, READS, WAITS, Reader, lengths, pauses
from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.stuffing import QUARANTINE, Stuffing, cost
from bakeoff.arena.simulate.world import World, truth

WORLD = World(gold=0.0)
REPLICATIONS = 8
ALONE: Sequence[Filter] = (AnomalousVoters(),)
TOGETHER: Sequence[Filter] = (AnomalousVoters(), NewcomerCrowd())


@dataclass(frozen=True)
class Board:
    """Means over replications: of the score's move in points, with its standard error, of the rank, and of
    shares of votes in percent.
    """

    moved: float
    rank: float
    caught: float
    lost: float
    error: float


def votes() -> None:
    """Stuffed ballots: of one voter, of a crowd, and in hiding."""
    for title, attacks in (
        (
            "One voter (a limit of 200 votes a day stops more on one day)",
            (
                Stuffing("a day as far as the limit goes", accounts=1, each=200, days=1),
                Stuffing("2,000 on one day, without limit", accounts=1, each=2000, days=1),
                Stuffing("2,000 in ten days", accounts=1, each=2000, days=10),
                Stuffing("100 among 100 others", accounts=1, each=100, days=30, camouflaged=100),
            ),
        ),
        (
            "A crowd that colludes",
            (
                Stuffing("100 with 50 votes each", accounts=100, each=50),
                Stuffing("100 with 20 votes each", accounts=100, each=20),
                Stuffing("100 with 10 votes each", accounts=100, each=10),
                Stuffing("100 with 5 votes each", accounts=100, each=5),
                Stuffing("300 with 3 votes each", accounts=300, each=3),
            ),
        ),
        (
            "A crowd in hiding: votes for the model + others on average",
            tuple(
                Stuffing(f"{who:,} with {each} + {more}", who, each, days=30, camouflaged=more)
                for who, each, more in (
                    (20, 50, 150),
                    (100, 20, 20),
                    (100, 20, 60),
                    (100, 10, 10),
                    (100, 10, 30),
                    (100, 5, 45),
                    (100, 3, 27),
                )
            ),
        ),
    ):
        print(f"\n{title}\n")
        print(f"{'':34}{'no rules':>15}{'voters one by one':>24}{'and newcomers together':>32}")
        print(
            f"{'':34}{'moved':>9}{'rank':>6}"
            + f"{'found %':>10}{'moved':>8}{'rank':>6}" * 2
            + f"{'honest %':>10}"
        )
        for attack in attacks:
            bare, alone, together = (_board(attack, rules) for rules in ((), ALONE, TOGETHER))
            print(f"{attack.name:34}{bare.moved:+9.1f}{bare.rank:6.1f}", end="")
            for each in (alone, together):
                print(f"{each.caught:10.0f}{each.moved:+8.1f}{each.rank:6.1f}", end="")
            print(f"{together.lost:10.1f} ±{together.error:.1f}")
    honest = _board(Stuffing("none"), TOGETHER, attacked=False)
    print(f"\nhonest votes lost without an attack: {honest.lost:.2f} %; true rank {1 + WORLD.models // 4}")


def _board(attack: Stuffing, rules: Sequence[Filter], *, attacked: bool = True) -> Board:
    """What the rules leave, against the honest board without any of the same replication."""
    found = []
    true, of = truth(WORLD, WORLD.strength), attack.model(WORLD)
    for replication in range(REPLICATIONS):
        draw = partial(generator, 0, attack.name, replication)
        honest = seen(rating(attack.votes(WORLD, draw, attacked=False)), true, of)
        cast = attack.votes(WORLD, draw, attacked=attacked)
        used = clean(cast, rules).used
        board, told = seen(rating(cast.where(used)), true, of), cost(cast, used, attack.wrong(WORLD, cast))
        found.append((board.error - honest.error, board.rank, 100 * told["caught"], 100 * told["lost"]))
    error = float(np.std(found, axis=0, ddof=1)[0] / REPLICATIONS**0.5)
    return Board(*np.mean(found, axis=0).tolist(), error)


def pace() -> None:
    """Bots by how long they wait, and people by how they read."""
    print(
        "\nBots in hiding (100 with 10 + 30 votes), by how long they wait; known pairs and a daily cap, too\n"
    )
    print(f"{'':12}{'no rules':>10}{'rules on votes':>16}{'and pace':>10}{'found %':>9}{'honest %':>10}")
    for waits in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0, 3.0):
        report = simulate(WORLD, [Paced(waits_s=waits)], replications=REPLICATIONS // 2)
        mean = {(line.attacked, line.rules): line.mean for line in report.played[0].lines}
        plain = mean[False, NO_RULES].error
        moved = [mean[True, rules].error - plain for rules in (NO_RULES, QUARANTINE, PACE)]
        print(f"{waits:8.2f} s  {moved[0]:+10.1f}{moved[1]:+16.1f}{moved[2]:+10.1f}", end="")
        print(f"{100 * mean[True, PACE].caught:9.0f}{100 * mean[False, PACE].lost:10.2f}")
    print("\nOf 2,000 honest voters with 20 votes so many % are taken for a machine, by an answer's words\n")
    medians = (3, 10, 30, 150, 600)
    print(f"{'':20}" + "".join(f"{median:8}" for median in medians))
    for reader in (READS, *QUICK, WAITS):
        print(f"{reader.name:20}" + "".join(f"{100 * _taken(reader, median):8.2f}" for median in medians))


def _taken(reader: Reader, median: float, voters: int = 2_000, each: int = 20) -> float:
    rng, n = np.random.default_rng(0), voters * each
    voter, one = np.repeat(np.arange(voters), each), np.ones(n, dtype=np.int64)
    words = lengths(rng, n, median)
    made = columns(2, 0 * one, one, 0 * one, 1 + voter, 0 * one, -one, words)
    timed = replace(made, seconds=pauses(rng, reader, voter, words, STEADY))
    return float(MachinePace()(timed).mask[::each].mean())


def over_http() -> None:
    """What is sent to a running site, what it answers, and what is counted."""
    print("\nSent over HTTP: answers by status, and votes that were counted\n")
    with tempfile.TemporaryDirectory() as folder, forged.place(Path(folder)) as place:
        for attack, arena in (
            (forged.replayed, "chat"),
            (forged.raced, "chat"),
            (forged.of_another, "chat"),
            (partial(forged.guessed, tries=1_000), "chat"),
            (forged.early, "chat"),
            (forged.swapped, "chat"),
            (forged.uninvited, "club"),
            (forged.without_account, "staff"),
        ):
            before = forged.counted(place, arena)
            sent = attack(place)
            told = ", ".join(
                f"{count:,} x {status}"
                for each in (sent if isinstance(sent, tuple) else (sent,))
                for status, count in sorted(each.items())
            )
            name = getattr(attack, "func", attack).__name__.replace("_", " ")
            print(f"{name:18}{told:28}{forged.counted(place, arena) - before:3} counted")
    print("one id guessed by 10^9 tries a second, among 10^6 open battles: once in", end=" ")
    print(f"{2**128 / 1e15 / 3.156e7:.0e} years, and its cookie is needed, too")


def identity_probes() -> None:
    """Questions that are tagged, answers that are read, and what setting such battles aside moves."""
    print("\nQuestions for the model's name, tagged\n")
    for name, prompts in (
        ("plainly, 15 languages", identity.ASKED),
        ("by role play, spelling or codes", identity.ASKED_AROUND),
        ("honest questions", identity.NOT_ASKED),
    ):
        print(f"{name:34}{sum(map(identity.asks, prompts)):3} of {len(prompts)}")
    print("\nAnswers that give a name away, in which a voter can read it\n")
    ways = [(how, answer, words) for how, answer, *words in identity.DISGUISED]
    for name, answers in (
        ("named plainly", [(answer, words) for answer, *words in identity.PLAIN]),
        ("dressed in Markdown or gaps", [(answer, words) for answer, *words in identity.DRESSED]),
        ("disguised", [(answer, words) for _, answer, words in ways]),
    ):
        read = sum(identity.gets_through(answer, words) for answer, words in answers)
        print(f"{name:34}{read:3} of {len(answers)}")
    print("disguised as: " + ", ".join(dict.fromkeys(how for how, *_ in ways)))
    print(
        "\n100 fans ask in 30 battles each of their model; points, by the share of battles that tell them\n"
    )
    print(f"{'':8}{'no rules':>10}{'without tagged':>16}{'and rules on voters':>21}", end="")
    print(f"{'found %':>9}{'honest %':>10}")
    for named in (1.0, 0.5, 0.2, 0.05):
        probing = IdentityProbing(named=named)
        lines = simulate(WORLD, [probing], replications=REPLICATIONS).played[0].lines
        mean = {(line.attacked, line.rules): line.mean for line in lines}
        moved = [mean[True, rules].error - mean[False, rules].error for rules in (NO_RULES, TAGGED, BOTH)]
        print(f"{100 * named:6.0f} %{moved[0]:+10.1f}{moved[1]:+16.1f}{moved[2]:+21.1f}", end="")
        print(f"{100 * mean[True, BOTH].caught:9.0f}{100 * mean[True, BOTH].lost:10.1f}")
    print(f"half of the prompts are tagged, and {100 * IdentityProbing().curious:.0f} % of honest ones")


def habit() -> None:
    """Guesses of voters of whom some know a habit of one model in ten."""
    from bakeoff.arena.battles.guessing import guessing

    print("\nA habit of one model in ten that a share of voters knows: found by guesses, in % of arenas\n")
    shares = (0.0, 0.1, 0.25, 0.5, 1.0)
    print(f"{'voters who guess':18}" + "".join(f"{100 * share:7.0f} %" for share in shares))
    for voters in (60, 200, 600):
        print(f"{voters:<18}", end="")
        for share in shares:
            found = [guessing(guessed(seed, knows=share, voters=voters)) for seed in range(40)]
            told = [each for each in found if each is not None and each.above is not None]
            print(f"{100 * np.mean([each.above.low > 0 for each in told]):7.0f} %", end="")
        print()
    print("each guesses both sides of five battles; who votes by a habit and does not guess is not seen here")


PARTS = {"votes": votes, "pace": pace, "forged": over_http, "identity": identity_probes, "habit": habit}


if __name__ == "__main__":
    for each in sys.argv[1:] or PARTS:
        PARTS[each]()
