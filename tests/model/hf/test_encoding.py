import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.hf.chat import prompt_text
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.pair import move_whitespace
from bakeoff.nouns import Message
from tests.model.hf.toy import BOS_CHAT, CHAT, toy_tokenizer

BOS, EOS = 0, 1
ENCODER = Encoder(toy_tokenizer())


def ids(text):
    return tuple(toy_tokenizer().encode(text, add_special_tokens=False))


@pytest.mark.parametrize(
    ("context", "continuation", "moved"),
    [
        ("Answer:", " Paris", ("Answer:", " Paris")),
        ("Answer: ", " (A)", ("Answer:", "  (A)")),  # two spaces, as on the first leaderboard's GPQA
        ("[assistant]\n\n", "Yes", ("[assistant]", "\n\nYes")),
        ("", " x", ("", " x")),
    ],
)
def test_white_space_at_the_end_of_a_context_moves_to_the_continuation(context, continuation, moved):
    assert move_whitespace(context, continuation) == moved


def test_a_continuation_keeps_its_leading_space():
    pair = ENCODER.pair("The capital of France is", " Paris")
    assert pair.context == ids("The capital of France is")
    assert pair.continuation == ids(" Paris")
    assert pair.joined


def test_trailing_space_of_the_context_is_scored_with_the_continuation():
    assert ENCODER.pair("The capital of France is ", "Paris") == ENCODER.pair(
        "The capital of France is", " Paris"
    )


def test_a_continuation_swallowed_by_a_merge_is_empty_and_flagged():
    assert len(ids("Answer")) == 1
    pair = ENCODER.pair("Ans", "wer")
    assert pair.context == ids("Ans")
    assert pair.continuation == ()
    assert not pair.joined


def test_a_merge_across_the_boundary_keeps_the_context_as_encoded_alone_and_is_flagged():
    whole = ids("Answers")
    assert whole == (*ids("Answer"), *ids("s"))
    pair = ENCODER.pair("An", "swers")
    assert (pair.context, pair.continuation) == (ids("An"), ids("s"))
    assert not pair.joined


def test_an_empty_context_stands_for_the_beginning_of_text():
    pair = ENCODER.pair("", "Paris")
    assert (pair.context, pair.continuation) == ((BOS,), ids("Paris"))


def test_without_a_beginning_of_text_the_end_of_text_stands_for_an_empty_context():
    pair = Encoder(toy_tokenizer(bos=None)).pair("", "Paris")
    assert pair.context == (EOS,)


def test_a_continuation_that_begins_with_the_prefix_token_gives_it_to_the_context():
    pair = ENCODER.pair("", "<s>Paris")
    assert (pair.context, pair.continuation) == ((BOS,), ids("Paris"))


def test_a_context_of_white_space_alone_is_not_scored_after_nothing():
    pair = ENCODER.pair("  ", "Paris")
    assert (pair.context, pair.continuation) == ((BOS,), ids("  Paris"))


def test_an_empty_continuation_has_no_tokens():
    assert ENCODER.pair("The capital", "").continuation == ()


texts = st.text(st.sampled_from("Answer The cap\n é日"), max_size=12)


@given(texts, texts)
def test_joined_pairs_are_the_encoding_of_the_whole_text(context, continuation):
    pair = ENCODER.pair(context, continuation)
    if context.strip() and pair.joined:
        assert pair.context + pair.continuation == ids(context + continuation)
        assert ENCODER.decode(pair.continuation) == move_whitespace(context, continuation)[1]


@pytest.mark.parametrize("adds_bos", [False, True])
@pytest.mark.parametrize("template", [CHAT, BOS_CHAT], ids=["plain template", "template with BOS"])
def test_there_is_one_beginning_of_text_iff_tokenizer_or_template_wants_one(adds_bos, template):
    tokenizer = toy_tokenizer(adds_bos=adds_bos, template=template)
    text = prompt_text(tokenizer, (Message.of("user", "The capital"),), {})
    wanted = [BOS] if adds_bos or template is BOS_CHAT else []
    encoder = Encoder(tokenizer)
    for encoded in (encoder.prompt(text), encoder.pair(text, " Paris").context):
        assert [token for token in encoded if token == BOS] == wanted
        assert list(encoded[: len(wanted)]) == wanted


@pytest.mark.parametrize("adds_bos", [False, True])
def test_a_plain_prompt_gets_the_tokenizers_beginning_of_text_once(adds_bos):
    encoder = Encoder(toy_tokenizer(adds_bos=adds_bos))
    front = (BOS,) * adds_bos
    assert encoder.prompt("The capital") == front + ids("The capital")
    assert encoder.prompt("<s>The capital") == (BOS, *ids("The capital"))


def test_an_end_of_text_that_the_tokenizer_appends_does_not_end_the_prompt():
    encoder = Encoder(toy_tokenizer(adds_bos=True, adds_eos=True))
    assert encoder.prompt("The capital") == (BOS, *ids("The capital"))


def test_an_empty_prompt_begins_with_the_prefix_token():
    assert ENCODER.prompt("") == (BOS,)
