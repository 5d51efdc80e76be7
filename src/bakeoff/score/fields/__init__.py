"""One JSON object compared with another field by field, each by what it is: a date, an amount, a name."""

from bakeoff.score.fields.compare import Judged, kind_of
from bakeoff.score.fields.scorer import Fields, FieldVerdicts, expected_fields

__all__ = ["FieldVerdicts", "Fields", "Judged", "expected_fields", "kind_of"]
