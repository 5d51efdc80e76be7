"""A context and its continuation as token ids: where the one ends and the other begins."""

from collections.abc import Callable
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
    stand_in = () if prefix is None else (prefix,)
    if not context:
        ids = encode_bare(continuation)
        return Pair(stand_in, ids[1:] if stand_in and ids[:1] == stand_in else ids)
    context, continuation = move_whitespace(context, continuation)
    alone = encode(context)
    whole = encode(context + continuation)
    return Pair(alone or stand_in, whole[len(alone) :], whole[: len(alone)] == alone)


def specials_in_front(with_specials: Ids, bare: Ids) -> Ids:
    """What stands before `bare` in `with_specials`."""
    for start in range(len(with_specials) - len(bare) + 1):
        if with_specials[start : start + len(bare)] == bare:
            return with_specials[:start]
    return ()
