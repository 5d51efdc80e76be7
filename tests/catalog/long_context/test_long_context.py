"""What must hold of every generated long context, and of each kind by itself."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.catalog.long_context import common_words, kv_retrieval, long_reasoning, needle, variable_tracking
from bakeoff.catalog.long_context.haystack import CHARACTERS_PER_TOKEN, DEPTHS, filler, hide
from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Response
from bakeoff.score import judge
from bakeoff.seed import item_random
from bakeoff.task import DataOverlay, lint, load_task, prepare
from tests.catalog.long_context import solvers

GENERATORS = {
    "needle": needle.needles,
    "kv_retrieval": kv_retrieval.pairs,
    "variable_tracking": variable_tracking.chains,
    "common_words": common_words.lists,
    "long_reasoning": long_reasoning.stories,
}
PER_TOKEN = {
    "needle": CHARACTERS_PER_TOKEN,
    "variable_tracking": CHARACTERS_PER_TOKEN,
    "long_reasoning": CHARACTERS_PER_TOKEN,
    "common_words": common_words.CHARACTERS_PER_TOKEN,
}
# Arguments to draw from, beside tokens.
ARGS = {
    "needle": {"needles": st.integers(2, 16), "kind": st.sampled_from(["all", *needle.KINDS])},
    "kv_retrieval": {"pairs": st.integers(2, 150)},
    "variable_tracking": {"hops": st.integers(1, 12), "chains": st.integers(1, 4)},
    "common_words": {"common": st.integers(1, 10), "ratio": st.integers(3, 10)},
    "long_reasoning": {"facts": st.integers(0, 3), "events": st.integers(12, 24)},
}
tasks = pytest.mark.parametrize("name", GENERATORS)
seeds = st.integers(0, 2**31 - 1)


def arguments(name, *, tokens=(1000, 3000)):
    drawn = dict(ARGS[name])
    if name in PER_TOKEN:
        drawn["tokens"] = st.integers(*tokens)
    return st.fixed_dictionaries(drawn)


@tasks
@given(st.data())
@settings(max_examples=8, deadline=None)
def test_row_i_depends_on_seed_i_and_arguments_alone(name, data):
    seed, args = data.draw(seeds), data.draw(arguments(name))
    rows = list(GENERATORS[name](seed, 9, **args))
    assert list(GENERATORS[name](seed, 4, **args)) == rows[:4]
    assert len({row["id"] for row in rows}) == 9
    assert list(GENERATORS[name](seed + 1, 4, **args)) != rows[:4]


@pytest.mark.parametrize("name", PER_TOKEN)
@given(st.data())
@settings(max_examples=15, deadline=None)
def test_a_context_has_the_length_asked_for_within_two_per_cent(name, data):
    args = data.draw(arguments(name, tokens=(1000, 8000)))
    for row in GENERATORS[name](data.draw(seeds), 3, **args):
        assert row["meta"]["characters"] == len(row["context"])
        assert len(row["context"]) == pytest.approx(args["tokens"] * PER_TOKEN[name], rel=0.02)


@tasks
@given(st.data())
@settings(max_examples=8, deadline=None)
def test_a_solver_that_reads_only_the_prompt_is_right_on_every_item(name, data):
    overlay = DataOverlay(args=data.draw(arguments(name)))
    task, _ = load_task(name, overlay=overlay)
    prepared = prepare(task.model_copy(update={"data": task.data.model_copy(update={"n": 12})}))
    for item in prepared.items():
        (turn,) = prepared.render(item).turns
        answer = getattr(solvers, name)("".join(message.text for message in turn))
        score = judge(prepared.scorer, item, Response(text=answer, finish=FinishReason.STOP))
        assert score.value == 1, (item.id, answer, score)


@tasks
@given(st.data())
@settings(max_examples=8, deadline=None)
def test_no_question_holds_its_answer(name, data):
    for row in GENERATORS[name](data.draw(seeds), 12, **data.draw(arguments(name))):
        question = row["question"] if "question" in row else row["input"].rpartition("\n\n")[2]
        answers = [row["target"]] if isinstance(row["target"], str) else row["target"]
        assert not any(re.search(rf"\b{re.escape(answer)}\b", question) for answer in answers)


@tasks
def test_the_task_and_its_variants_are_clean_and_of_one_form(name):
    task, _ = load_task(name)
    assert task.card is not None
    assert lint(task) == []
    short = next(iter(task.variants))
    assert prepare(task, short).n_items == task.data.n
    for variant in task.variants.values():
        assert variant.data is None or variant.data.args.keys() <= task.data.args.keys()


@tasks
@given(args=st.data())
@settings(max_examples=5, deadline=None)
def test_distractors_alone_are_not_right(name, args):
    """Naming everything that the text offers is wrong wherever it offers more than the answer."""
    if name == "kv_retrieval":
        return
    prepared = prepare(load_task(name, overlay=DataOverlay(args=args.draw(arguments(name))))[0])
    for item in list(prepared.items())[:8]:
        labels = [label for label in item.metadata["labels"] if label not in item.target]
        for text in (", ".join(labels), ", ".join(item.metadata["labels"])):
            if labels:
                assert judge(prepared.scorer, item, Response(text, finish=FinishReason.STOP)).value == 0


@pytest.mark.parametrize(
    ("name", "args", "problem"),
    [
        ("needle", {"tokens": 100}, "tokens must be 500 or more, got 100"),
        ("needle", {"kind": "two"}, "kind must be one of single, .* got 'two'"),
        ("needle", {"needles": 1}, "needles must be from 2 to 16, got 1"),
        ("needle", {"depth": 3}, "has no argument 'depth'"),
        ("kv_retrieval", {"pairs": 1}, "pairs must be 2 or more, got 1"),
        ("variable_tracking", {"hops": 0}, "hops must be from 1 to 50, got 0"),
        ("variable_tracking", {"chains": 21}, "chains must be from 1 to 20, got 21"),
        ("common_words", {"common": 0}, "common must be from 1 to 10, got 0"),
        ("common_words", {"ratio": 2}, "ratio must be from 3 to 10, got 2"),
        ("common_words", {"tokens": 499}, "tokens must be 500 or more, got 499"),
        ("long_reasoning", {"facts": 4}, "facts must be 1, 2 or 3, or 0"),
        ("long_reasoning", {"events": 3}, "events must be from 12 to 200, got 3"),
        ("long_reasoning", {"tokens": "4k"}, "must be a whole number, got '4k'"),
    ],
)
def test_an_argument_out_of_range_is_named(name, args, problem):
    with pytest.raises(TaskError, match=problem):
        prepare(load_task(name, overlay=DataOverlay(args=args))[0])


# The haystack


@given(seeds, st.integers(2_000, 60_000))
@settings(max_examples=25, deadline=None)
def test_a_haystack_never_says_a_sentence_twice_and_has_its_length(seed, length):
    sentences = filler(item_random(seed, "test", "0", "haystack"), length)
    assert len(set(sentences)) == len(sentences)
    assert abs(sum(len(each) + 1 for each in sentences) - length) <= 20  # of 2,000 and more
    assert all(re.fullmatch(r"[A-Z][A-Za-z ,]+\.", each) for each in sentences)


@given(st.lists(st.floats(0, 100), max_size=6), st.integers(1, 40))
def test_hiding_keeps_every_sentence_and_the_order_of_both(depths, n):
    sentences = [f"s{index}." for index in range(n)]
    hidden = sorted(zip(depths, [f"h{index}." for index in range(len(depths))], strict=True))
    words = hide(sentences, hidden).split()
    assert [word for word in words if word[0] == "s"] == sentences
    assert [word for word in words if word[0] == "h"] == [text for _, text in hidden]
    for depth, text in hidden:
        before = sum(word[0] == "s" for word in words[: words.index(text)])
        assert before == round(depth / 100 * n)


def test_a_haystack_says_nothing_of_what_is_hidden_in_it():
    """No owner, person, place or thing of a question occurs in the text around."""
    text = " ".join(filler(item_random(0, "test", "0", "haystack"), 400_000)).lower()
    words = set(re.findall(r"\w+", text))
    hidden = [
        *needle._COLOURS,
        *needle._ANIMALS,
        *needle._PEOPLE,
        *long_reasoning._PEOPLE,
        *long_reasoning._PLACES,
        *long_reasoning._THINGS,
        *("access", "number", "shop", "var", "picked"),
    ]
    assert words.isdisjoint(word.lower() for word in hidden)


# Each kind


@pytest.mark.parametrize("kind", ["all", *needle.KINDS])
def test_needles_stand_at_every_depth_equally_often_in_each_kind(kind):
    n = 88 if kind == "all" else 22
    rows = list(needle.needles(3, n, tokens=1000, kind=kind))
    counts = Counter((row["meta"]["kind"], row["meta"]["depth"]) for row in rows)
    kinds = needle.KINDS[:4] if kind == "all" else (kind,)
    assert counts == Counter({(each, depth): 2 for each in kinds for depth in DEPTHS})


def test_keys_are_asked_for_at_every_depth_equally_often():
    rows = list(kv_retrieval.pairs(3, 22, pairs=51))
    assert Counter(row["meta"]["depth"] for row in rows) == Counter(dict.fromkeys(DEPTHS, 2))
    assert {row["meta"]["gold_position"] for row in rows} == set(range(0, 51, 5))


@given(seeds, st.integers(2, 12))
@settings(max_examples=10, deadline=None)
def test_a_needle_stands_where_it_is_said_to_and_each_number_is_there_once(seed, needles):
    for row in needle.needles(seed, 8, tokens=1500, needles=needles):
        meta, context = row["meta"], row["context"]
        assert len(meta["labels"]) == (1 if meta["kind"] == "single" else needles) == len(meta["depths"])
        assert set(row["target"]) <= set(meta["labels"])
        assert all(context.count(label) == 1 for label in meta["labels"])
        sentences = context.split(". ")
        # Answers are in the order of the needles; what stands before one includes other needles.
        first = next(i for i, each in enumerate(sentences) if meta["labels"][0] in each)
        assert first / len(sentences) * 100 == pytest.approx(
            meta["depth"], abs=100 * (needles + 1) / len(sentences)
        )


def test_needles_are_the_same_at_every_length():
    short, long = (list(needle.needles(1, 12, tokens=tokens)) for tokens in (1000, 4000))
    for a, b in zip(short, long, strict=True):
        assert (a["question"], a["target"], a["meta"]["depths"]) == (
            b["question"],
            b["target"],
            b["meta"]["depths"],
        )


@given(seeds)
@settings(max_examples=10, deadline=None)
def test_without_overlap_no_word_of_the_question_is_in_the_needle(seed):
    for row in needle.needles(seed, 4, tokens=1000, kind="no_overlap"):
        (said,) = re.findall(rf"{row['target'][0]} keeps[^.]*\.", row["context"])
        words = [set(re.findall(r"\w+", text.lower())) for text in (said, row["question"])]
        assert words[0].isdisjoint(words[1])


@given(seeds, st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_a_story_is_told_whole_and_says_where_the_facts_are_that_it_needs(seed, facts):
    for row in long_reasoning.stories(seed, 3, tokens=1000, facts=facts):
        assert len(row["meta"]["depths"]) == facts
        events = re.findall(
            r"(?:[A-Z]\w+) (?:walked|went|hurried|moved|picked|took|got|put|left|let)[^.]*\.", row["context"]
        )
        events = [each for each in events if each.split()[0] in long_reasoning._PEOPLE]
        prompt = f"{' '.join(events)}\n\n{row['question']}"
        assert row["target"] in solvers.long_reasoning(prompt)
        assert len(events) == row["meta"]["events"]


def test_the_recorded_examples_of_lost_in_the_middle_are_read_in_place_of_ours(data_dir):
    file = data_dir / "kv_retrieval_75" / "data.jsonl"
    prepared = prepare(load_task("kv_retrieval", data=str(file))[0])
    assert prepared.n_items == 50
    for item in prepared.items():
        (turn,) = prepared.render(item).turns
        answer = solvers.kv_retrieval("".join(message.text for message in turn))
        assert judge(prepared.scorer, item, Response(answer, finish=FinishReason.STOP)).value == 1
