"""A log-likelihood request as token ids: what is scored after what, or why it cannot be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bakeoff.model.gguf.text import Text
from bakeoff.model.pair import Pair, rolling_windows
from bakeoff.nouns import Failure, FailureKind, Loglikelihood

BOUNDARY_INSIDE = "boundary inside a token"


@dataclass(frozen=True, slots=True)
class Split:
    """Each continuation as the pairs whose log-probabilities add up to its own.

    That is one pair, or one for each window of a document. `alone` has, where it was asked for, the
    continuations after nothing; one that cannot be scored so has an empty part.
    """

    options: tuple[tuple[Pair, ...], ...]
    alone: tuple[Pair, ...] = ()

    def note(self, option: int) -> str:
        """What is to be said of how an option was built; see `OptionScore.note`."""
        return "" if all(pair.joined for pair in self.options[option]) else BOUNDARY_INSIDE


def split(request: Loglikelihood, text: Text, room: int) -> Split | Failure:
    """`request` as pairs of at most `room` tokens to be read (the last token of a pair is only predicted).

    Each continuation follows its own lead. Documents (`rolling`) are cut into windows of `room` tokens and
    need no unconditional score: theirs has no condition.

    A failure: no continuation, one without a token of its own, an empty context in a model without a token
    for it, or more than `room` tokens. Nothing is cut, and nothing is scored as something else.
    """
    if not request.continuations:
        return Failure(FailureKind.REJECTED, "the request has no continuation to score")
    if request.rolling and (request.input or request.leads):
        return Failure(FailureKind.REJECTED, "a rolling request has documents only, no input before them")
    options = _options(request, text, room)
    for continuation, pairs in zip(request.continuations, options, strict=True):
        if failure := _unscorable(continuation, pairs, room):
            return failure
    alone = text.pairs("", request.continuations) if request.unconditional and not request.rolling else ()
    return Split(tuple(options), tuple(alone))


def longest(request: Loglikelihood, text: Text, room: int) -> int:
    """Tokens of the longest pair of `request`, both parts together, whether it can be scored or not."""
    pairs = [pair for option in _options(request, text, room) for pair in option]
    return max((pair.length for pair in pairs), default=0)


def _options(request: Loglikelihood, text: Text, room: int) -> list[tuple[Pair, ...]]:
    if request.rolling:
        return [tuple(_windows(document, text, room)) for document in request.continuations]
    return [(pair,) for pair in _after_their_leads(request, text)]


def _windows(document: str, text: Text, room: int) -> Iterator[Pair]:
    ids = text.bare(document)
    if text.prefix is None:
        yield Pair((), ids)
    else:
        own = ids[1:] if ids[:1] == (text.prefix,) else ids
        yield from rolling_windows(own, text.prefix, room)


def _after_their_leads(request: Loglikelihood, text: Text) -> Sequence[Pair]:
    if not request.leads:
        return text.pairs(text.prompt(request.input), request.continuations)
    return [
        text.pairs(text.prompt(request.input_of(option)), (continuation,))[0]
        for option, continuation in enumerate(request.continuations)
    ]


def _unscorable(continuation: str, pairs: Sequence[Pair], room: int) -> Failure | None:
    """Why `continuation` cannot be scored by `pairs`, if it cannot."""
    if not all(pair.continuation for pair in pairs) or not pairs:
        return Failure(
            FailureKind.UNSUPPORTED,
            f"the continuation {continuation!r} adds no token to its context: it is empty, or it merges into "
            "the context's last token",
        )
    if not all(pair.context for pair in pairs):
        return Failure(
            FailureKind.UNSUPPORTED,
            "the model has no beginning or end of text to score an empty context by",
        )
    if (length := max(pair.length for pair in pairs) - 1) > room:
        return Failure(
            FailureKind.CONTEXT_LENGTH,
            f"prompt and continuation take {length} tokens, the context has room for {room}",
        )
    return None
