"""Whether a model may be on a board, as far as can be told without running it."""

from collections.abc import Iterator

from bakeoff.board.definition import Eligibility
from bakeoff.board.submissions import Model, Way


def obstacles(rules: Eligibility, model: Model, way: Way) -> Iterator[str]:
    """Why a model is not eligible, each with what would make it so; nothing where it is."""
    licence = model.licence.lower()
    if rules.licences and licence not in rules.licences:
        allowed = ", ".join(rules.licences)
        yield f"its licence is {licence or 'not stated'}, and the board is for {allowed}"
    if rules.openness == "weights" and way != "weights":
        yield f"the board is for open weights, and this is handed in as {way}"
    if rules.max_parameters is not None:
        if model.parameters is None:
            yield f"its size is not stated, and the board is for up to {rules.max_parameters:g} billion"
        elif model.parameters > rules.max_parameters:
            yield (
                f"it has {model.parameters:g} billion parameters, and the board is for up to "
                f"{rules.max_parameters:g}"
            )
    if way == "weights" and not model.revision:
        yield "its revision is not pinned: name a commit, NAME@COMMIT"
