"""A function of the user's own, from its file to its call."""

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from bakeoff.errors import ModelError
from bakeoff.model.pipeline.aside import AsideLoop, Raised, in_thread
from bakeoff.model.pipeline.question import Question

NAMES = ("question", "messages", "item_id")
"""Parameters that are filled by their name."""

_folders: set[Path] = set()


@dataclass(frozen=True, slots=True)
class Function:
    """A callable and how it wants to be called: the value for its first parameter, and those for others."""

    call: Callable[..., Any]
    path: Path
    first: str
    named: tuple[str, ...]
    arguments: Mapping[str, Any]
    asynchronous: bool
    digest: str

    @property
    def takes_messages(self) -> bool:
        """Whether it is given the whole conversation."""
        return "messages" in (self.first, *self.named)

    async def value(self, question: Question, aside: AsideLoop) -> Any:
        """What the function makes of `question`, or `Raised`."""

        def call() -> Any:
            named = {name: getattr(question, name) for name in self.named}
            return self.call(getattr(question, self.first), **named, **self.arguments)

        made = call() if self.asynchronous else await in_thread(call)
        return await aside.value(made) if inspect.isawaitable(made) else made


async def load_function(path: Path, name: str, arguments: Mapping[str, Any]) -> Function:
    """The function `name` of the Python file `path`, which is run, in a thread of its own.

    The first parameter gets the question, unless it is called `messages` or `item_id`; parameters of these
    names get those; `arguments` fill others by name. Modules beside the file can be imported from it.

    Raises:
        ModelError: running the file failed, it has no such function, or the function needs something else.
    """
    loaded = await in_thread(lambda: _loaded(path))
    if isinstance(loaded, Raised):
        if isinstance(loaded.error, ModelError):
            raise loaded.error
        raise ModelError(f"running {path} failed: {said(loaded.error, path)}") from loaded.error
    module, digest = loaded
    function = _attribute(module, name, path)
    first, named = _wanted(function, f"{path.name}:{name}", arguments)
    asynchronous = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 (an object whose call is a coroutine function)
    )
    return Function(function, path, first, named, dict(arguments), asynchronous, digest)


def said(error: BaseException, path: Path) -> str:
    """`ValueError: no index (pipeline.py:12)`: an exception, and the line of the file it came through."""
    what = " ".join("".join(traceback.format_exception_only(error)).split())
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename) == path]
    return what[:400] + (f" ({path.name}:{lines[-1]})" if lines else "")


def _loaded(path: Path) -> tuple[ModuleType, str]:
    """The module that a file defines, and the file's digest."""
    digest = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    _make_importable(path.parent.resolve())
    key = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    spec = importlib.util.spec_from_file_location(f"bakeoff_pipeline_{path.stem}_{key}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickles look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module, digest


def _make_importable(folder: Path) -> None:
    """Let the modules in `folder` be imported, behind all others there are."""
    for path in folder.glob("*.py"):
        loaded = getattr(sys.modules.get(path.stem), "__file__", None)
        if loaded is not None and Path(loaded).parent in _folders - {folder}:
            # Python knows one module of a name: this pipeline would run the other one's code.
            raise ModelError(
                f"{path} would not be imported: {loaded} has the same name and was imported before",
                "Run the two pipelines by a command each.",
            )
    if folder not in _folders:
        _folders.add(folder)
        sys.path.append(str(folder))


def _attribute(module: ModuleType, name: str, path: Path) -> Callable[..., Any]:
    found = getattr(module, name, None)
    if callable(found):
        return found  # type: ignore[no-any-return]
    own = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
    near = get_close_matches(name, own, n=1)
    guess = f"Did you mean {near[0]!r}? " if near else ""
    what = "has nothing called" if found is None else "has no function, but a value called"
    raise ModelError(f"{path} {what} {name!r}", f"{guess}It defines: {', '.join(own) or 'no function'}.")


def _wanted(
    function: Callable[..., Any], shown: str, arguments: Mapping[str, Any]
) -> tuple[str, tuple[str, ...]]:
    """Which of `NAMES` the first parameter gets, and which others are filled by name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:  # some written in C do not say
        return "question", ()
    anything = any(each.kind is each.VAR_KEYWORD for each in parameters)
    fixed = [each for each in parameters if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)]
    positional = any(
        each.kind is not each.VAR_KEYWORD and each.kind is not each.KEYWORD_ONLY for each in parameters
    )
    if not positional:
        raise ModelError(f"{shown} takes no question", "Its first parameter gets it: def answer(question): …")
    rest = fixed[1:]
    named = tuple(each.name for each in rest if each.name in NAMES)
    if unknown := [name for name in arguments if not anything and name not in {each.name for each in rest}]:
        raise ModelError(
            f"{shown} has no parameter {unknown[0]!r}, which the setting arg.{unknown[0]} is for",
            f"It has: {', '.join(each.name for each in rest) or 'none beside the question'}.",
        )
    needed = [
        each.name for each in rest if each.default is each.empty and each.name not in (*named, *arguments)
    ]
    if needed:
        raise ModelError(
            f"{shown} needs {needed[0]!r}, and nothing says what that is",
            f"Known are {', '.join(NAMES)}. Give it a default, or the setting arg.{needed[0]}=….",
        )
    first = fixed[0].name if fixed and fixed[0].name in NAMES else "question"
    return first, named
