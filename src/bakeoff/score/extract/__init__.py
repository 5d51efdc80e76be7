"""What a model meant, taken out of what it wrote: pure functions from text to an extraction."""

from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.letter import extract_label
from bakeoff.score.extract.number import extract_number, read_number
from bakeoff.score.extract.reasoning import Parted, part_reasoning
from bakeoff.score.extract.refusal import refusal_phrase

__all__ = [
    "Extraction",
    "Nothing",
    "Parted",
    "extract_label",
    "extract_number",
    "part_reasoning",
    "read_number",
    "refusal_phrase",
]
