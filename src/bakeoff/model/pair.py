"""A context and its continuation as token ids: where the one ends and the other begins."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A context and a continuation as token ids.

    `continuation` is empty when the continuation adds no token of its own: it is the empty text, or a merge
    across the boundary swallowed it. `joined` says that the text of both, encoded at once, begins with the
    context's own tokens; where it is False a merge moved the boundary, and the tokens scored do not follow
    the tokens the joint encoding would have put before them.
    """

    context: Ids
    continuation: Ids
    joined: bool = True

    @property
    def length(self) -> int:
        """Tokens of both."""
        return len(self.context) + len(self.continuation)


def move_whitespace(context: str, continuation: str) -> tuple[str, str]:
    """The trailing white space of `context` put in front of `continuation`, where tokenizers expect it."""
    kept = context.rstrip()
    return kept, context[len(kept) :] + continuation


def encode_pair(
    encode: Callable[[str], Ids],
    encode_bare: Callable[[str], Ids],
    prefix: int | None,
    context: str,
    continuation: str,
) -> Pair:
    """`context` and `continuation` as lm-eval 0.4 splits them (`TemplateLM._encode_pair`).

    White space moves from the end of the context to the continuation. The context is encoded alone; the
    continuation is what the joint encoding has beyond that many tokens. `prefix` stands in for an empty
    context, and a continuation that begins with it gives that token up to the context.

    `encode` adds the special tokens a text begins with, `encode_bare` none.
    """
    (pair,) = encode_pairs(encode, encode_bare, prefix, context, (continuation,))
    return pair


def encode_pairs(
    encode: Callable[[str], Ids],
    encode_bare: Callable[[str], Ids],
    prefix: int | None,
    context: str,
    continuations: Sequence[str],
) -> list[Pair]:
    """`encode_pair` for several continuations of one context, which is encoded once."""
    stand_in = () if prefix is None else (prefix,)
    if not context:
        bare = [encode_bare(text) for text in continuations]
        return [Pair(stand_in, ids[1:] if stand_in and ids[:1] == stand_in else ids) for ids in bare]
    kept = context.rstrip()
    alone = encode(kept)
    start = len(alone)
    wholes = [encode(context + text) for text in continuations]
    return [Pair(alone or stand_in, whole[start:], whole[:start] == alone) for whole in wholes]


def corrected_pairs(
    encode: Callable[[str], Ids], prefix: int | None, pairs: Sequence[Pair], texts: Sequence[str]
) -> list[Pair]:
    """`pairs` of one context with the boundary where no token straddles it.

    Where a merge moved a boundary, the context of every option ends at the last token that all joint
    encodings share with it, so that each option is scored on the tokens its text really has, and all on the
    same rest of the context. `texts` are context and continuation in one, per pair.
    """
    if all(pair.joined for pair in pairs):
        return list(pairs)
    wholes = [encode(text) for text in texts]
    shared = min(common_start(pair.context, whole) for pair, whole in zip(pairs, wholes, strict=True))
    if shared:
        return [Pair(whole[:shared], whole[shared:]) for whole in wholes]
    return [Pair(() if prefix is None else (prefix,), whole) for whole in wholes]


def rolling_windows(ids: Ids, prefix: int, length: int) -> Iterator[Pair]:
    """`ids` cut into windows of at most `length` input tokens, each token in one continuation.

    The first token follows `prefix`; a later window begins with the token before it, and the last one looks
    as far back as fits (lm-eval's `get_rolling_token_windows` with a context of 1, made disjoint).
    """
    for start in range(0, len(ids), length):
        end = min(start + length, len(ids))
        context = ids[max(0, end - length - 1) : start] if start else (prefix,)
        yield Pair(context, ids[start:end])


def specials_in_front(with_specials: Ids, bare: Ids) -> Ids:
    """What stands before `bare` in `with_specials`."""
    for start in range(len(with_specials) - len(bare) + 1):
        if with_specials[start : start + len(bare)] == bare:
            return with_specials[:start]
    return ()


def common_start(first: Ids, second: Ids) -> int:
    """How many tokens both begin with. By bisection: comparing slices is quicker than comparing tokens."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
