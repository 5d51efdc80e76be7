"""Prompts that a team has ready for its voters."""

from pathlib import Path

from pydantic import Field

from bakeoff.errors import BakeoffError
from bakeoff.task.spec import Spec, Texts, mistake


class Prompts(Spec):
    """`texts` and those of `file`, one a line or, in a `.jsonl` file, under `prompt`. With `only`, voters
    choose among them and write none of their own.
    """

    file: str = ""
    texts: Texts = Field(default=(), repr=False)
    only: bool = False

    def read(self, longest: int) -> "Prompts":
        """The same with the prompts of the file in it, each once.

        Raises:
            pydantic_core.PydanticCustomError: none at all where there are to be only these, or one that is
                longer than the arena takes.
            BakeoffError: the file cannot be read, or a line of it is no prompt, with its number.
        """
        texts = tuple(dict.fromkeys((*self.texts, *(_from(Path(self.file), longest) if self.file else ()))))
        if self.only and not texts:
            raise mistake("there are none, and voters may write none", "name a file, or leave out `only`")
        for place, each in enumerate(self.texts):
            if problem := _problem(each, longest):
                raise mistake(problem, at=("texts", place))
        return self.model_copy(update={"texts": texts, "file": ""})


def _from(path: Path, longest: int) -> tuple[str, ...]:
    found = _rows(path) if path.suffix.lower() in (".jsonl", ".ndjson") else _lines(path)
    for place, text in found:
        if problem := _problem(text, longest):
            raise BakeoffError(f"{place}: {problem}", "mend it, or leave the line out")
    if not found:
        raise BakeoffError(f"{path} holds no prompt", "one a line, or JSONL with `prompt`")
    return tuple(text for _, text in found)


def _problem(text: str, longest: int) -> str:
    if not text.strip():
        return "the prompt is empty"
    if len(text) > longest:
        return f"the prompt has {len(text):,} characters, and {longest:,} is the most"
    return ""


def _lines(path: Path) -> list[tuple[str, str]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BakeoffError(f"the prompts in {path} cannot be read: {error}", "one a line, or JSONL") from None
    return [(f"{path}:{number}", line.strip()) for number, line in enumerate(lines, 1) if line.strip()]


def _rows(path: Path) -> list[tuple[str, str]]:
    from bakeoff.arena.votes.importing.fields import Fields
    from bakeoff.arena.votes.importing.rows import rows_of

    return [(row.place, Fields(row).needed("prompt")) for row in rows_of(path)]
