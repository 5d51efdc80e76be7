"""What a benchmark is, for those who decide by its score."""

from typing import Annotated

from pydantic import Field, StringConstraints

from bakeoff.task.spec import Spec, Texts

Said = Annotated[str, StringConstraints(min_length=1)]


class Card(Spec):
    """The facts of a benchmark, field by field; nothing of it changes a prompt or a score.

    `measures` and `does_not_measure` say what a score stands for. `construction` is how items came to be and
    were checked. `human` and `random` are levels to read a score against, with who was asked and how.
    `faults` are known errors of items, keys and scoring, each with its source. `saturation` says how near the
    best models are to what can be reached; `contamination` how likely items were trained on, public since
    `public_since` (YYYY-MM). `canary` is a string its authors put beside the data for filters. `peers` name
    the same task elsewhere: `{lm-eval: mmlu}`.
    """

    measures: Said
    does_not_measure: Said
    construction: Said
    licence: Said
    paper: str = ""
    human: Said
    random: Said
    faults: Texts = ()
    saturation: Said
    contamination: Said
    public_since: str = Field(default="", pattern=r"^(\d{4}(-\d{2})?)?$")
    canary: str = ""
    peers: dict[str, str] = Field(default_factory=dict)
