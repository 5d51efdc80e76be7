"""What a GGUF file says of the model in it, and the README beside it."""

from pathlib import Path

from bakeoff.model.card import NAME, read_card
from bakeoff.model.found import Found
from bakeoff.model.gguf.header import Header, read_header


def found_in_file(path: Path, header: Header | None = None) -> Found:
    """What the GGUF file `path` says of its model.

    Its metadata counts before a README.md in the same folder, since it cannot part from the weights. Without
    one there is no card (None) rather than an empty one.

    `header` is that of the file, where it was read before.

    Raises:
        ModelError: as in `read_header`.
    """
    header = header or read_header(path)
    beside = path.parent / NAME
    card = read_card(beside)
    return Found(
        parameters=header.parameters,
        licence=header.licence or card.licence,
        card=card.characters if beside.is_file() else None,
        base=header.base or card.base,
        weight_type=header.weight_type or card.weight_type or "",
        architecture=header.architecture,
    )
