import asyncio
import dataclasses
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.errors import ModelError
from bakeoff.nouns import Failure, FailureKind, Item, Message, Outcome, Response, Score
from bakeoff.run.conduct import conduct
from bakeoff.run.progress import Progress
from bakeoff.store import Journal, ResponseCache, Settings, from_row, journal_rows
from bakeoff.task import Prompt, Task, prepare
from tests.run.parrot import Parrot, text_of


def _conducted(folder, task, model, *, variant="default", done=None, cache=None, **chosen):
    """The samples of a run in memory, by (item, repeat)."""
    path = folder / "journal-0.jsonl"
    path.unlink(missing_ok=True)
    prepared = prepare(task, variant, seed=chosen.get("seed", 0))
    progress = Progress("t", total=0)
    with Journal(path) as journal:
        asyncio.run(
            conduct(
                prepared,
                model,
                journal,
                settings=Settings(**chosen),
                progress=progress,
                done=done,
                cache=cache,
            )
        )
    samples = [from_row(row) for row in journal_rows(path)]
    keyed = {(sample.item_id, sample.repeat): sample for sample in samples}
    assert len(keyed) == len(samples) == progress.done
    return keyed


def _choices(number):
    return [
        Item(str(each), f"question {each}?", choices=(f"x{each}", f"y{each}", f"z{each}"), target=each % 3)
        for each in range(number)
    ]


CHOICES = Task(
    name="choices",
    data=_choices(12),
    prompt={"template": "{{ input }}{% for c in choices %}\n{{ letters[loop.index0] }}. {{ c }}{% endfor %}"},
    shots={"n": 3, "rule": "sampled"},
    shuffle_choices=True,
    scorer="choice",
)
OPTIONS = Task(
    name="options",
    data=_choices(12),
    prompt={"kind": "plain", "template": "{{ input }}"},
    shots={"n": 2, "rule": "sampled"},
    shuffle_choices=True,
    ask="loglikelihood",
    scorer="loglikelihood",
)


@settings(max_examples=25, deadline=None)
@given(
    task=st.sampled_from([CHOICES, OPTIONS]),
    order=st.permutations(range(12)),
    limit=st.none() | st.integers(1, 12),
    window=st.integers(1, 20),
    repeats=st.integers(1, 2),
)
def test_order_limit_concurrency_and_repeats_change_no_prompt_and_no_score(
    tmp_path_factory, task, order, limit, window, repeats
):
    folder = tmp_path_factory.mktemp("run")
    plain = _conducted(folder, task, Parrot(window=1))
    items = [_choices(12)[each] for each in order]
    moved = task.model_copy(update={"data": Task(name="t", data=items, scorer="exact").data})
    other = _conducted(folder, moved, Parrot(window=window), limit=limit, repeats=repeats)
    assert {item for item, _ in other} == {item.id for item in items[:limit]}
    assert len(other) == (limit or 12) * repeats
    assert {key: sample for key, sample in other.items() if key[1] == 0} == {
        key: plain[key] for key in other if key[1] == 0
    }


@pytest.mark.parametrize("kind", ["plain", "chat"])
def test_a_lead_is_sent_with_each_option_and_kept_in_the_sample(tmp_path, kind):
    prompt = {"kind": kind, "template": "{{ input }}", "lead": " So {{ target }}", "answer": "it is."}
    led = OPTIONS.model_copy(update={"prompt": Prompt(**prompt)})
    model = Parrot()
    samples = _conducted(tmp_path, led, model)
    for request in model.asked:
        sample = samples[request.key.rpartition("#")[0], 0]
        assert request.leads == sample.leads == tuple(f" So {choice}" for choice in sample.choices)
        assert len({option.logprob for option in sample.turns[0].response.options}) == 3


def test_no_more_requests_are_in_flight_than_the_engine_wants(tmp_path):
    model = Parrot(window=3)
    _conducted(tmp_path, CHOICES, model)
    assert model.most_in_flight == 3


def test_items_already_done_are_not_asked_again(tmp_path):
    model = Parrot()
    done = {(str(each), 0) for each in range(10)}
    assert set(_conducted(tmp_path, CHOICES, model, done=done)) == {("10", 0), ("11", 0)}
    assert len(model.asked) == 2


def test_repeats_have_seeds_of_their_own_that_do_not_depend_on_their_number(tmp_path):
    two = _conducted(tmp_path, CHOICES, Parrot(), repeats=2)
    three = _conducted(tmp_path, CHOICES, Parrot(), repeats=3)
    assert len({sample.seed for sample in three.values()}) == 36
    assert all(three[key].seed == sample.seed for key, sample in two.items())


def test_another_seed_draws_other_shots_and_other_answers(tmp_path):
    one = _conducted(tmp_path, CHOICES, Parrot())
    other = _conducted(tmp_path, CHOICES, Parrot(), seed=1)
    assert {key: s.shots for key, s in one.items()} != {key: s.shots for key, s in other.items()}
    assert all(one[key].seed != other[key].seed for key in one)


LONG = Task(
    name="long",
    data=[Item("short", "one two", target=("x",)), Item("long", "word " * 40, target=("x",))],
    prompt={"kind": "plain", "template": "{{ input }}"},
    shots={
        "n": 3,
        "rule": "fixed",
        "data": {
            "items": [{"id": f"s{n}", "input": f"shot {n} " + "w " * 8, "target": "y"} for n in range(3)]
        },
    },
    generation={"max_tokens": 10},
    scorer="exact",
)


def test_shots_are_dropped_until_the_prompt_fits_and_the_rest_is_too_long(tmp_path):
    # Words are tokens here: a shot takes 11, the short question 2, the long one 40, an answer 10.
    model = Parrot(context_length=35)
    samples = _conducted(tmp_path, LONG, model)
    short, long = samples["short", 0], samples["long", 0]
    assert short.shots == ("s0", "s1")
    assert long.shots == ()
    assert long.score.outcome is Outcome.TOO_LONG
    assert long.score.value is None
    assert len(model.asked) == 1, "a prompt that does not fit is never sent"


TALK = Task(
    name="talk",
    data=[
        Item(
            "a",
            (Message.of("user", "My name is Ada."), Message.of("user", "What is my name?")),
            target=("Ada",),
        )
    ],
    prompt={"system": "Be brief."},
    scorer="contains",
)


def test_scripted_turns_are_asked_one_after_the_other_with_the_answers_between(tmp_path):
    model = Parrot(lambda request: Response(text=f"answer to {len(request.input)}"))
    (sample,) = _conducted(tmp_path, TALK, model).values()
    assert [text_of(request) for request in model.asked] == [
        "system: Be brief.\nuser: My name is Ada.",
        "system: Be brief.\nuser: My name is Ada.\nassistant: answer to 2\nuser: What is my name?",
    ]
    assert [turn.response.text for turn in sample.turns] == ["answer to 2", "answer to 4"]


def test_a_failed_turn_ends_the_conversation_unscored(tmp_path):
    failed = Response(failure=Failure(FailureKind.SERVER, "500"))
    model = Parrot(lambda request: failed)
    (sample,) = _conducted(tmp_path, TALK, model).values()
    assert len(sample.turns) == 1
    assert sample.score.outcome is Outcome.MODEL_ERROR


def test_a_used_up_budget_stops_the_run_and_keeps_what_was_answered(tmp_path):
    left = [3]

    def rule(request):
        left[0] -= 1
        if left[0] < 0:
            return Response(failure=Failure(FailureKind.BUDGET, "the budget of $1 is used up"))
        return Response(text="A")

    with pytest.raises(ModelError, match="used up"):
        _conducted(tmp_path, CHOICES, Parrot(rule, window=1))
    assert len(list(journal_rows(tmp_path / "journal-0.jsonl"))) == 3


def test_answers_come_from_the_cache_the_second_time_and_failures_do_not(tmp_path):
    fail = [True]

    def rule(request):
        if fail[0] and request.key == "3#0":
            return Response(failure=Failure(FailureKind.SERVER, "500"))
        return Response(text="A")

    with ResponseCache(tmp_path) as cache:
        first = _conducted(tmp_path, CHOICES, Parrot(rule), cache=cache)
        fail[0] = False
        model = Parrot(rule)
        second = _conducted(tmp_path, CHOICES, model, cache=cache)
    assert [request.key for request in model.asked] == ["3#0"]
    assert sum(sample.cached for sample in second.values()) == 11
    assert not any(sample.cached for sample in first.values())
    assert all(second[key].score == first[key].score for key in first if key != ("3", 0))


def test_a_scorer_that_waits_holds_up_no_other_request(tmp_path):
    # Two answers are judged at once only if neither judgement stands in the other's way.
    barrier = threading.Barrier(2, timeout=20)

    class Waiting:
        id, asks, blocking = "waiting@1", "generate", True

        def __call__(self, item, response):
            barrier.wait()
            return Score(Outcome.SCORED, 1.0, response.text, "", self.id)

    task = Task(name="t", data=[Item(str(n), f"{n}?", target=("x",)) for n in range(4)], scorer="exact")
    prepared = dataclasses.replace(prepare(task), scorer=Waiting())
    path = tmp_path / "journal-0.jsonl"
    with Journal(path) as journal:
        asyncio.run(
            conduct(prepared, Parrot(window=2), journal, settings=Settings(), progress=Progress("t", total=4))
        )
    assert [row["value"] for row in journal_rows(path)] == [1.0] * 4
