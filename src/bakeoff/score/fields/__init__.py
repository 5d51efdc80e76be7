"""One JSON object compared with another field by field, each by what it is: a date, an amount, a name."""

from bakeoff.score.fields.compare import VERDICTS, Judged, kind_of
from bakeoff.score.fields.scorer import Fields, FieldVerdicts, of_nothing

__all__ = ["VERDICTS", "FieldVerdicts", "Fields", "Judged", "kind_of", "of_nothing"]
