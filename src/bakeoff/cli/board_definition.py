"""`bakeoff board new` and `bakeoff board add`."""

from pathlib import Path

from bakeoff.cli.board_database import opened, user
from bakeoff.errors import BakeoffError


def new(name: str, *, file: Path | None = None) -> None:
    """Write the definition of a board to start from.

    Example: bakeoff board new small-models

    Parameters
    ----------
    name:
        The board's name: lower-case letters, digits, dash, dot and underscore.
    file:
        Where to write it; by default NAME.yaml.
    """
    from datetime import UTC, datetime
    from importlib.resources import files

    from bakeoff.cli.output import stdout

    path = file or Path(f"{name}.yaml")
    if path.exists():
        raise BakeoffError(f"{path} is there already", "name another --file")
    text = (files("bakeoff.board") / "starter.yaml").read_text(encoding="utf-8")
    today = datetime.now(UTC).date().isoformat()
    path.write_text(text.replace("NAME", name).replace("TODAY", today), encoding="utf-8")
    stdout().print(f"{path}: look it through, then bakeoff board add {path}", soft_wrap=True)


def add(file: Path, *, database: str | None = None) -> None:
    """Make a version of a board known. One that is known stays as it is.

    Example: bakeoff board add small-models.yaml

    Parameters
    ----------
    file:
        The board's definition.
    database:
        The address of the database; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this folder.
    """
    from bakeoff.board.definition import load_board
    from bakeoff.board.registry import register
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    board = load_board(file)
    with opened(database) as engine, writing(engine) as connection:
        register(connection, board, actor=user())
    stdout().print(f"{board.name}, version {board.version}: rule {board.digest[7:19]}", soft_wrap=True)
