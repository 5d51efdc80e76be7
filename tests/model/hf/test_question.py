import pytest

from bakeoff.model.hf.chat import prompt_text
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.question import Question, question_of
from bakeoff.model.pair import Pair
from bakeoff.nouns import FailureKind, Loglikelihood, Message
from tests.model.hf.toy import BOS_CHAT, CHAT, toy_tokenizer

BOS, EOS = 0, 1
MODES = ("corrected", "lm-eval")
DROPS_SYSTEM = "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endfor %}"


def ids(text):
    return tuple(toy_tokenizer().encode(text, add_special_tokens=False))


def asked(request, mode, tokenizer=None, room=64):
    tokenizer = tokenizer or toy_tokenizer()
    return question_of(
        request,
        lambda prompt, how: prompt_text(tokenizer, prompt, {}, how),
        Encoder(tokenizer),
        mode,
        room,
    )


def request(context, *continuations, **more):
    return Loglikelihood("q", context, continuations, **more)


def parts(pair):
    return pair and (pair.context, pair.continuation)


def only(question):
    assert isinstance(question, Question), question
    (option,) = question.options
    return option


@pytest.mark.parametrize("mode", MODES)
def test_where_the_modes_agree_there_is_no_note_and_nothing_else_to_score(mode):
    question = asked(request("The capital of France is", " Paris", " the"), mode)
    for option, text in zip(question.options, (" Paris", " the"), strict=True):
        assert parts(option.pairs[0]) == (ids("The capital of France is"), ids(text))
        assert (option.note, option.other) == ("", None)
    assert len(question.pairs) == 2


def test_a_boundary_inside_a_token_is_noted_and_scored_both_ways():
    # "An" + "swers" is encoded Answer|s; lm-eval scores the s after A|n, which no text with an s there has.
    assert ids("Answers") == (*ids("Answer"), *ids("s"))
    theirs = (ids("An"), ids("s"))
    ours = ((BOS,), ids("Answers"))
    corrected, lm_eval = (only(asked(request("An", "swers"), mode)) for mode in MODES)
    assert corrected.note == lm_eval.note == "boundary inside a token"
    assert (parts(corrected.pairs[0]), parts(corrected.other)) == (ours, theirs)
    assert (parts(lm_eval.pairs[0]), parts(lm_eval.other)) == (theirs, ours)


def test_a_continuation_swallowed_by_a_merge_can_only_be_scored_corrected():
    corrected = only(asked(request("Ans", "wer"), "corrected"))
    assert parts(corrected.pairs[0]) == ((BOS,), ids("Answer"))
    assert corrected.other is None
    failure = asked(request("Ans", "wer"), "lm-eval")
    assert failure.kind is FailureKind.UNSUPPORTED
    assert "'wer'" in failure.message
    assert "encoding=corrected" in failure.message


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_continuation_is_a_failure_and_says_which(mode):
    failure = asked(request("The", " A", ""), mode)
    assert failure.kind is FailureKind.UNSUPPORTED
    assert "''" in failure.message


def test_the_boundary_moves_for_all_options_where_it_moves_for_one():
    question = asked(request("The An", "swers", " 1"), "corrected")
    # "An" alone is A|n; with "swers" behind it no token ends there, so both options begin before it.
    assert ids("The An") != ids("The Answers")[: len(ids("The An"))]
    assert len({option.pairs[0].context for option in question.options}) == 1
    for option, text in zip(question.options, ("The Answers", "The An 1"), strict=True):
        (pair,) = option.pairs
        assert pair.context + pair.continuation == ids(text)
        assert len(pair.context) < len(ids("The An"))


def test_an_end_of_text_that_the_tokenizer_appends_stays_in_lm_evals_mode_only():
    # lm-eval's context is <s>…</s>, and its continuation what the joint encoding has behind that length.
    tokenizer = toy_tokenizer(adds_bos=True, adds_eos=True)
    corrected, lm_eval = (only(asked(request("The", " Paris"), mode, tokenizer)) for mode in MODES)
    ours = ((BOS, *ids("The")), ids(" Paris"))
    theirs = ((BOS, *ids("The"), EOS), (*ids(" Paris"), EOS)[1:])
    assert (parts(corrected.pairs[0]), parts(corrected.other)) == (ours, theirs)
    assert (parts(lm_eval.pairs[0]), parts(lm_eval.other)) == (theirs, ours)
    assert "special tokens" in corrected.note


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("adds_bos", [False, True])
@pytest.mark.parametrize("template", [CHAT, BOS_CHAT], ids=["plain template", "template with BOS"])
@pytest.mark.parametrize("chat", [False, True])
def test_there_is_one_beginning_of_text_iff_tokenizer_or_template_wants_one(mode, adds_bos, template, chat):
    tokenizer = toy_tokenizer(adds_bos=adds_bos, template=template)
    prompt = (Message.of("user", "The capital"),) if chat else "The capital"
    context = only(asked(request(prompt, " Paris"), mode, tokenizer)).pairs[0].context
    wanted = adds_bos or (chat and template is BOS_CHAT)
    assert [token for token in context if token == BOS] == [BOS] * wanted


def test_a_system_message_the_template_drops_is_folded_into_the_first_user_message():
    tokenizer = toy_tokenizer(template=DROPS_SYSTEM)
    messages = (Message.of("system", "Be brief."), Message.of("user", "The capital"))
    corrected, lm_eval = (only(asked(request(messages, " A"), mode, tokenizer)) for mode in MODES)
    assert corrected.pairs[0].context == ids("[user]Be brief.\n\nThe capital")
    assert lm_eval.pairs[0].context == ids("[user]The capital")
    assert corrected.other == lm_eval.pairs[0]
    assert corrected.note == lm_eval.note == "system message dropped by the template"


def test_lm_eval_cuts_on_the_left_and_says_by_how_much():
    text = "1 2 3 4 1 2 3 4"
    whole = ids(text)
    option = only(
        asked(
            request(
                text,
                " A",
            ),
            "lm-eval",
            room=5,
        )
    )
    assert option.pairs[0].continuation == ids(" A")
    # The last token is only predicted: 5 tokens are read.
    assert option.pairs[0].length - 1 == 5
    assert option.pairs[0].context == whole[-len(option.pairs[0].context) :]
    assert option.note == f"left-truncated by {len(whole) - len(option.pairs[0].context)} tokens"
    corrected = asked(request(text, " A"), "corrected", room=5)
    assert corrected.tokens == len(whole) + len(ids(" A")) - 1
    assert only(corrected).pairs[0].context == whole


def test_a_continuation_longer_than_the_context_is_a_failure_in_lm_evals_mode():
    failure = asked(request("The", " 1 2 3 4 1 2 3 4"), "lm-eval", room=5)
    assert failure.kind is FailureKind.CONTEXT_LENGTH


@pytest.mark.parametrize("mode", MODES)
def test_each_lead_goes_before_its_own_continuation(mode):
    question = asked(request("Question:", " and", " and", leads=(" The capital", " Paris")), mode)
    assert [parts(option.pairs[0]) for option in question.options] == [
        (ids("Question: The capital"), ids(" and")),
        (ids("Question: Paris"), ids(" and")),
    ]


@pytest.mark.parametrize("mode", MODES)
def test_unconditional_scores_follow_the_beginning_of_text(mode):
    option = only(asked(request("The", " Paris", unconditional=True), mode))
    assert parts(option.unconditional) == ((BOS,), ids(" Paris"))


def test_without_any_token_to_begin_with_there_is_no_unconditional_score():
    tokenizer = toy_tokenizer(bos=None)
    tokenizer.eos_token = None
    option = only(asked(request("The", " Paris", unconditional=True), "corrected", tokenizer))
    assert option.unconditional is None
    assert asked(request("", " Paris"), "corrected", tokenizer).kind is FailureKind.UNSUPPORTED


@pytest.mark.parametrize("mode", MODES)
def test_a_document_is_scored_in_windows_that_fit(mode):
    text = "The capital of France is Paris. Question: 1 2 3 4"
    question = asked(request("", text, rolling=True), mode, room=5)
    pairs = only(question).pairs
    assert sum((pair.continuation for pair in pairs), ()) == ids(text)
    assert pairs[0].context == (BOS,)
    assert question.tokens <= 5


def test_lm_eval_scores_a_documents_beginning_of_text_after_another_one():
    tokenizer = toy_tokenizer(adds_bos=True)
    corrected, lm_eval = (only(asked(request("", "The", rolling=True), mode, tokenizer)) for mode in MODES)
    assert corrected.pairs == (Pair((BOS,), ids("The")),)
    assert lm_eval.pairs == (Pair((BOS,), (BOS, *ids("The"))),)
    assert "special tokens" in corrected.note
    assert corrected.note == lm_eval.note


@pytest.mark.parametrize("mode", MODES)
def test_a_document_without_tokens_is_a_failure(mode):
    assert asked(request("", "", rolling=True), mode).kind is FailureKind.UNSUPPORTED
    assert asked(request(""), mode).kind is FailureKind.REJECTED
