"""`bakeoff arena new`."""

from pathlib import Path


def new(file: Path, *, name: str = "") -> None:
    """Write the definition of a live arena to start from. It works as it is, with a small packaged model.

    Example: bakeoff arena new chat.yaml

    Parameters
    ----------
    file:
        Where to write it.
    name:
        The arena's name: lower-case letters, digits, dash, dot and underscore; by default that of the file.
    """
    from importlib.resources import files

    from pydantic import TypeAdapter, ValidationError

    from bakeoff.cli.output import stdout
    from bakeoff.errors import BakeoffError
    from bakeoff.store.files import unwritable
    from bakeoff.task.task import Name

    name = name or file.stem
    try:
        TypeAdapter(Name).validate_python(name)
    except ValidationError:
        raise BakeoffError(
            f"no arena can be called {name!r}",
            "lower-case letters, digits, dash, dot and underscore: give it another --name",
        ) from None
    text = (files("bakeoff.arena.definition") / "starter.yaml").read_text(encoding="utf-8")
    try:
        with file.open("x", encoding="utf-8") as written:
            written.write(text.replace("NAME", name))
    except FileExistsError:
        raise BakeoffError(f"{file} is there already", "name another file") from None
    except OSError as error:
        raise unwritable(file, error) from error
    stdout().print(
        f"{file}: look it through, then\nbakeoff arena invite {file} Ann Ben …\nbakeoff arena serve {file}",
        soft_wrap=True,
    )
