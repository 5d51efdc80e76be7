"""Answers of tiny models of random weights under a constraint: they follow nothing but the constraint."""

import asyncio

import pytest
import torch

from bakeoff.model.hf import HfModel
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.guide import Guides, guided
from bakeoff.model.hf.network import Network
from bakeoff.nouns import Constraint, FailureKind, FinishReason
from tests.model.constraints import PATTERNS, SCHEMAS, held_to, violation
from tests.model.hf.test_generation import writes
from tests.model.hf.toy import Scripted, answers, generate, saved, toy_llama, toy_tokenizer

pytest.importorskip("llguidance")

CONSTRAINTS = [held_to(schema) for schema in SCHEMAS.values()] + [Constraint("regex", p) for p in PATTERNS]
ENDS = frozenset({1})


@pytest.fixture(scope="module")
def encoder(tokenizer):
    return Encoder(tokenizer)


@pytest.fixture(scope="module")
def work(tokenizer, encoder):
    network = Network(toy_llama(len(tokenizer), context=512))
    guides = Guides(tokenizer, encoder, ENDS, network.vocabulary)
    return writes(network, encoder, context_length=512, guides=guides)


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda constraint: constraint.text[:40])
def test_every_answer_is_allowed_whatever_is_asked_and_drawn(work, constraint):
    requests = [
        generate(
            prompt, constraint=constraint, max_tokens=200, temperature=temperature, top_p=top_p, seed=seed
        )
        for prompt in ("The capital", "1 2 3")
        for temperature, top_p, seed in ((0.0, 1.0, 0), (1.0, 1.0, 1), (1.0, 0.9, 2), (2.0, 1.0, 3))
    ]
    got = answers(work, requests)
    assert [why for why in (violation(constraint, each) for each in got) if why] == []
    assert any(each.finish is FinishReason.STOP for each in got)


def test_constrained_rows_leave_the_free_ones_beside_them_as_they_are(work):
    free = [generate(prompt, max_tokens=12, seed=3, temperature=0.7) for prompt in ("The", "Answer:", "1 2")]
    held = [generate("The", constraint=constraint, max_tokens=12) for constraint in CONSTRAINTS]
    alone = answers(work, free)
    among = answers(work, [*held[:3], *free, *held[3:]])[3 : 3 + len(free)]
    assert [each.text for each in among] == [each.text for each in alone]
    assert any(violation(CONSTRAINTS[0], each) or each.finish is FinishReason.LENGTH for each in alone)


def test_an_answer_after_which_nothing_may_follow_ends_without_another_token(work):
    (answer,) = answers(work, [generate("The", constraint=Constraint("regex", "[0-9]"), max_tokens=9)])
    assert answer.usage.completion_tokens == 1
    assert answer.finish is FinishReason.STOP


@pytest.mark.parametrize(
    ("constraint", "says"),
    [
        (held_to({"type": "array", "uniqueItems": True}), "uniqueItems"),
        (Constraint("regex", "(?=a)b"), "look-around"),
    ],
)
def test_a_constraint_that_cannot_be_kept_fails_alone_and_says_why(work, constraint, says):
    refused, other = answers(work, [generate("The", constraint=constraint), generate("The", max_tokens=2)])
    assert refused.failure.kind is FailureKind.REJECTED
    assert says in refused.failure.message
    assert other.failure is None


def thinking(text, prompt, **generation):
    """What comes of a model that would write `text` by itself, and whose tokenizer knows <think>."""
    tokenizer = toy_tokenizer()
    tokenizer.add_special_tokens({"additional_special_tokens": ["<think>", "</think>"]})
    encoder = Encoder(tokenizer)
    model = Scripted(encoder.encode_bare(text), len(encoder.prompt(prompt)), vocabulary=400)
    guides = Guides(tokenizer, encoder, ENDS, 400)
    work = writes(Network(model), encoder, context_length=1000, guides=guides)
    (answer,) = answers(work, [generate(prompt, max_tokens=60, **generation)])
    return answer


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("Is it?", "<think>I say no, free.</think>\n\nyes"),
        ("Is it?<think>\n", "I say no, free.</think>\n\nyes"),
        ("Is it?", "<think>I say no, free.</think>yes"),
    ],
)
def test_a_thought_is_free_and_the_answer_behind_it_is_held(prompt, text):
    answer = thinking(text, prompt, constraint=Constraint("regex", "yes"))
    assert (answer.failure, answer.text, answer.reasoning) == (None, "yes", "I say no, free.")
    assert answer.finish is FinishReason.STOP


def test_what_a_model_would_rather_say_behind_its_thought_is_not_left_open():
    answer = thinking("<think>I say no</think>no", "Is it?", constraint=Constraint("regex", "yes"))
    assert (answer.text, answer.reasoning) == ("yes", "I say no")


def test_without_a_thought_the_answer_is_held_from_its_first_token():
    answer = thinking("no", "Is it?", constraint=Constraint("regex", "yes"))
    assert (answer.text, answer.reasoning) == ("yes", "")


def test_tokens_beyond_the_vocabulary_of_the_tokenizer_are_never_allowed(tokenizer, encoder):
    guides = Guides(tokenizer, encoder, ENDS, len(tokenizer) + 13)
    guide = guides.guide(Constraint("regex", "a"), opened=False)
    logits = guided(torch.zeros(2, len(tokenizer) + 13), [guide.mask(), None])
    assert [tokenizer.decode([i]) for i in logits[0].isfinite().nonzero().flatten()] == ["a"]
    assert bool(logits[1].isfinite().all())


def test_a_loaded_model_says_that_it_can_and_does(tmp_path, tokenizer):
    folder = saved(tmp_path / "toy", toy_llama(len(tokenizer)), tokenizer)

    async def main():
        async with HfModel(str(folder), {"device": "cpu"}) as model:
            constraint = Constraint("regex", "(yes|no)!")
            return model.capabilities, await model.generate(generate("Is it?", constraint=constraint))

    can, answer = asyncio.run(main())
    assert can.json_schema
    assert can.regex
    assert answer.text in ("yes!", "no!")
