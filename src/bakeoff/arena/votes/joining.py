"""Votes that come in pages, as one."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.votes import Texts, Votes, votes_of

_NAMED = ("models", "model_a", "model_b", "language", "tags", "texts")


def joined(pages: Iterable[Votes], texts: Iterable[Texts] | None = None) -> Votes:
    """The votes of all pages, in their order; of names only those that stand in any. `texts` are in the place
    of those of the pages.
    """
    parts = list(pages) or [votes_of(())]
    models = sorted({name for part in parts for name in part.models})
    a = [Coded(part.models, part.model_a) for part in parts]
    b = [Coded(part.models, part.model_b) for part in parts]
    arrays = {
        each.name: np.concatenate([getattr(part, each.name) for part in parts])
        for each in fields(Votes)
        if each.name not in _NAMED
    }
    return Votes(
        models=tuple(models),
        model_a=_codes(a, models),
        model_b=_codes(b, models),
        language=_coded([part.language for part in parts]),
        tags=_coded([part.tags for part in parts]),
        texts=tuple(chain.from_iterable(part.texts for part in parts)) if texts is None else texts,
        **arrays,
    )


def _coded(parts: Sequence[Coded]) -> Coded:
    names = sorted({name for part in parts for name in part.names})
    return Coded(tuple(names), _codes(parts, names))


def _codes(parts: Sequence[Coded], names: Sequence[str]) -> NDArray[np.int32]:
    place = {name: code for code, name in enumerate(names)}
    # The last is for -1, none.
    new = [np.array([*(place[name] for name in part.names), -1], dtype=np.int32) for part in parts]
    return np.concatenate([codes[part.codes] for codes, part in zip(new, parts, strict=True)])
