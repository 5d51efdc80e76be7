import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.overlap import share_of_words, support
from tests.score.making import said

CONTEXT = (
    "The Danube rises in Donaueschingen and flows 2,850 km through ten countries. "
    "It reaches the Black Sea in Romania; its basin holds 83 million people."
)


def score(text, context=CONTEXT, finish=FinishReason.STOP, **options):
    item = Item("river", "", metadata={"context": context})
    return judge(build_scorer({"name": "supported", **options}), item, said(text, finish))


def test_by_hand():
    # Held: Danube, flows, km, countries, 2850. Not held: crosses, Hungary, 11.
    text = "The Danube flows 2850 km. It crosses 11 countries, and Hungary."
    found = score(text)
    assert found.value == pytest.approx(5 / 8)
    assert found.extracted == "It crosses 11 countries, and Hungary."
    assert found.reason.startswith(
        "4 of 6 content words, 1 of 2 numbers, 1 of 2 sentences; missing: 11, crosses"
    )
    assert score(text, measure="sentences").value == 0.5


@pytest.mark.parametrize("measure", ["words", "sentences"])
@pytest.mark.parametrize(
    "text", [CONTEXT, CONTEXT.upper(), CONTEXT.replace("2,850", "2850.0"), "The Danube's basin.", "83"]
)
def test_what_stands_in_the_context_is_supported(text, measure):
    found = score(text, measure=measure)
    assert (found.value, found.extracted) == (1, None)


@pytest.mark.parametrize(
    ("text", "supported"),
    [
        ("The Danube reaches the Black Sea.", True),
        ("The Danube, a river, reaches the sea.", True),  # one of four content words is new
        ("It reaches the Black Sea in Bulgaria.", False),  # a name
        ("Bulgaria holds the Black Sea.", True),  # what begins a sentence may be no name
        ("It flows 2,851 km.", False),  # a number
        ("Small boats carry many people.", False),  # most words
    ],
)
def test_a_sentence_is_as_good_as_its_names_its_numbers_and_half_of_its_words(text, supported):
    assert score(text, measure="sentences").value == float(supported)


@pytest.mark.parametrize("written", ["2850 km", "2,850 km", "2 850 km", "2.85e3 km", "٢٨٥٠ km"])
def test_a_number_is_what_it_is_worth(written):
    assert score(f"It flows {written}.").value == 1


def test_numbering_and_abbreviations_begin_no_sentence():
    found = support("1. Dr. Black reaches Romania.\n2. Countries, e.g. Romania.\n- J. Black!", CONTEXT)
    assert [each.sentence for each in found] == [
        "Dr. Black reaches Romania.",
        "Countries, e.g. Romania.",
        "J. Black!",
    ]
    assert not any(each.missing_numbers for each in found)


def test_several_contexts_are_one():
    assert score("The Danube flows to Ulm.", ["The Danube flows", "Ulm"]).value == 1


def test_an_answer_that_claims_nothing_is_no_answer():
    found = score("It is what it is.")
    assert (found.outcome, found.value) == (Outcome.NO_ANSWER, 0)


def test_a_denial_of_the_context_counts_as_supported_but_for_its_not():
    # The floor's known fault, which a judge must not share.
    assert score("The Danube does not reach the Black Sea.").value == pytest.approx(3 / 5)


def test_an_answer_that_was_cut_is_truncated():
    assert score("The Danube rises in", finish=FinishReason.LENGTH).outcome is Outcome.TRUNCATED


def test_a_refusal_is_none_of_the_scorers_answers():
    assert score("I'm sorry, but I cannot help with that.").outcome is Outcome.REFUSED


@pytest.mark.parametrize("metadata", [{}, {"context": None}, {"context": 3}, {"context": ["a", 3]}])
def test_an_item_without_context_is_the_tasks_mistake(metadata):
    with pytest.raises(TaskError, match=r"metadata\.context"):
        build_scorer("supported")(Item("q7", "", metadata=metadata), said("Paris"))


WORDS = st.lists(
    st.sampled_from(["Danube", "reaches", "Vienna", "the", "12", "1,200", "not", "sea."]), min_size=1
)


@given(WORDS, WORDS, WORDS)
def test_more_context_never_supports_less(answer, context, more):
    text, held = " ".join(answer), " ".join(context)
    little, much = support(text, held), support(text, f"{held}\n{' '.join(more)}")
    assert len(little) == len(much)
    if little:
        assert 0 <= share_of_words(little) <= share_of_words(much) <= 1
    assert all(one.supported <= other.supported for one, other in zip(little, much, strict=True))


@given(WORDS)
def test_every_answer_is_supported_by_itself(answer):
    assert all(
        each.supported and not each.missing_words for each in support(" ".join(answer), " ".join(answer))
    )


def test_a_share_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one sentence"):
        share_of_words(())


@pytest.mark.parametrize(
    "text",
    ["a" + "." * 199_000 + "b", "a" + ".!?" * 66_000 + "b", "Mr. " * 49_000, "9." * 99_000, "B." * 99_000],
)
def test_marks_without_an_end_take_no_quadratic_time(text):
    # Quadratic, the first takes a minute.
    assert len(support(text, CONTEXT)) == 1


def test_the_passages_of_a_pipeline_are_the_context():
    passages = [
        {"id": "a", "text": CONTEXT.partition(". ")[0]},
        {"id": "b", "text": CONTEXT.partition(". ")[2]},
    ]
    scorer = build_scorer("supported")
    response = said("The Danube flows 2850 km to the Black Sea.", stages={"passages": passages})
    other = Item("river", "", metadata={"context": "Another text."})
    assert judge(scorer, other, response).value == 1
    assert judge(scorer, Item("river", ""), response).value == 1


def test_where_a_pipeline_retrieved_nothing_nothing_is_supported():
    found = judge(build_scorer("supported"), Item("river", ""), said("The Danube.", stages={"passages": []}))
    assert (found.outcome, found.value) == (Outcome.SCORED, 0)
