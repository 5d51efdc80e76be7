"""The words every room shares, as frozen data without behaviour."""

from bakeoff.nouns.constraint import Constraint, ConstraintKind
from bakeoff.nouns.image import Size, image_line, image_size
from bakeoff.nouns.item import Item, Message, Part, Role
from bakeoff.nouns.outcome import Outcome
from bakeoff.nouns.request import Generate, Generation, Input, Loglikelihood
from bakeoff.nouns.response import (
    Failure,
    FailureKind,
    FinishReason,
    OptionScore,
    Response,
    Timing,
    Usage,
)
from bakeoff.nouns.sample import Sample, Turn
from bakeoff.nouns.score import Score

__all__ = [
    "Constraint",
    "ConstraintKind",
    "Failure",
    "FailureKind",
    "FinishReason",
    "Generate",
    "Generation",
    "Input",
    "Item",
    "Loglikelihood",
    "Message",
    "OptionScore",
    "Outcome",
    "Part",
    "Response",
    "Role",
    "Sample",
    "Score",
    "Size",
    "Timing",
    "Turn",
    "Usage",
    "image_line",
    "image_size",
]
