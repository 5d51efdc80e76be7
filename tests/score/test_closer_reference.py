"""Nearer to a true reference than to any false one."""

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from tests.score.making import said

pytest.importorskip("sacrebleu")
pytest.importorskip("rouge_score")

TRUE = ["Bats see quite well", "Their eyes work"]
FALSE = ["Bats are blind", "They see nothing at all", "Their eyes are of no use"]


def item(true=TRUE, false=FALSE):
    return Item("bats", "?", metadata={"correct_answers": true, "incorrect_answers": false})


def value(answer, measure, **options):
    return judge(
        build_scorer({"name": "closer_reference", "measure": measure, **options}), item(), said(answer)
    ).value


@pytest.mark.parametrize("measure", ["bleu", "rouge1", "rouge2", "rougeL"])
@pytest.mark.parametrize(
    ("answer", "expected"),
    [("Bats see quite well.", 1), ("They see nothing at all.", 0), ("Nobody knows.", 0)],
)
def test_the_nearest_reference_decides_and_a_tie_is_not_true(measure, answer, expected):
    assert value(answer, measure) == expected


def test_a_text_that_is_true_of_every_item_counts():
    for measure in ("bleu", "rouge1", "rouge2", "rougeL"):
        assert value("I have no comment.", measure) == 0
        assert value("I have no comment.", measure, also_true="I have no comment.") == 1


def test_bleu_gives_nothing_for_a_true_answer_without_four_words_in_a_row():
    short = item(true=["Their eyes"])
    assert judge(build_scorer("closer_reference"), short, said("Their eyes.")).value == 0
    assert (
        judge(
            build_scorer({"name": "closer_reference", "measure": "rouge1"}), short, said("Their eyes.")
        ).value
        == 1
    )


def test_a_reference_is_compared_with_a_full_stop_at_its_end():
    with_stop = item(true=["Their eyes work "], false=["Their eyes work not"])
    assert judge(build_scorer("closer_reference"), with_stop, said("Their eyes work.")).value == 1


def test_bleu_and_rouge_are_those_of_their_packages():
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    answer = "Bats see as well as others, their eyes work at night."
    references = [f"{text}." for text in TRUE + FALSE]
    bleu = [
        sacrebleu.corpus_bleu([answer], [[each]], tokenize="intl", smooth_method="exp").score
        for each in references
    ]
    score = judge(build_scorer("closer_reference"), item(), said(answer))
    assert (
        score.reason
        == f"bleu {max(bleu[:2]) / 100:.3f} to a true answer, {max(bleu[2:]) / 100:.3f} to a false one"
    )
    rouge = [RougeScorer(["rouge1"]).score(each, answer)["rouge1"].fmeasure for each in references]
    score = judge(build_scorer({"name": "closer_reference", "measure": "rouge1"}), item(), said(answer))
    assert (
        score.reason == f"rouge1 {max(rouge[:2]):.3f} to a true answer, {max(rouge[2:]):.3f} to a false one"
    )


@pytest.mark.parametrize("true", [None, [], ["", " "], "a text", [1]])
def test_an_item_without_references_is_a_mistake_of_the_task(true):
    with pytest.raises(TaskError, match="a list of texts in metadata 'correct_answers'"):
        judge(build_scorer("closer_reference"), item(true=true), said("Bats."))


def test_what_the_token_limit_cut_is_not_compared():
    score = judge(build_scorer("closer_reference"), item(), said("Bats see quite", FinishReason.LENGTH))
    assert (score.outcome, score.value) == (Outcome.TRUNCATED, 0)
