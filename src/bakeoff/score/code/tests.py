"""The tests of an item, from its metadata."""

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from sys import stdlib_module_names
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.score.code.livecodebench import arguments, read_cases

_HINT = (
    "Give `calls` with `entry_point`; `inputs` with `entry_point` and the reference program as target; "
    "`stdio`; `test` or `test_list`; or `livecodebench` (docs/guide/sandbox.md)."
)


@dataclass(frozen=True, slots=True)
class Call:
    """Arguments of one call, and what it must return; None for what the reference program returns."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    expected: Any = None


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of one function, compared in this process. `reference` is a program that is right."""

    calls: tuple[Call, ...]
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class Stdio:
    """Pairs of standard input and the standard output that must follow."""

    cases: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Scripts:
    """Tests that are Python: `setup` runs first, then each of `tests`. `names` are the answer's to define.

    `check` says that the tests define a function of that name, which is to be called with the answer's.
    """

    setup: tuple[str, ...]
    tests: tuple[str, ...]
    names: tuple[str, ...]
    check: bool


@dataclass(frozen=True, slots=True)
class Tests:
    """How to judge a program. `prompt` is the code that the answer continues, "" without any."""

    kind: Calls | Stdio | Scripts
    entry_point: str | None
    prompt: str


def read_tests(item: Item) -> Tests:
    """The tests in an item's metadata.

    Raises:
        TaskError: there are none, several kinds, or they are not as documented; names the field.
    """
    found = [name for name in _READERS if name in item.metadata]
    if len(found) != 1:
        said = f"both `{found[0]}` and `{found[1]}`" if found else "no tests"
        raise TaskError(f"item {item.id}: the code scorer found {said} in its metadata", _HINT)
    entry = _text(item, "entry_point") or None
    prompt = _text(item, "prompt")
    kind = _READERS[found[0]](item, entry, prompt)
    return Tests(kind, entry, prompt)


def _calls(item: Item, entry: str | None, _: str) -> Calls:
    _needs_entry(item, entry)
    calls = []
    for at, row in enumerate(_rows(item, "calls")):
        if not isinstance(row, Mapping) or "expected" not in row or set(row) - {"args", "kwargs", "expected"}:
            raise _wrong(item, f"calls[{at}]", "a mapping with `args`, `kwargs` or both, and `expected`", row)
        kwargs = row.get("kwargs", {})
        if not isinstance(kwargs, Mapping):
            raise _wrong(item, f"calls[{at}].kwargs", "a mapping", kwargs)
        calls.append(
            Call(_arguments(item, f"calls[{at}].args", row.get("args", ())), kwargs, row["expected"])
        )
    return Calls(tuple(calls))


def _inputs(item: Item, entry: str | None, _: str) -> Calls:
    _needs_entry(item, entry)
    inputs = [_arguments(item, f"inputs[{at}]", row) for at, row in enumerate(_rows(item, "inputs"))]
    if isinstance(item.target, int) or len(item.target) != 1 or not item.target[0].strip():
        raise TaskError(
            f"item {item.id}: `inputs` need one reference program as target, got {item.target!r:.80}",
            "Set `fields.target` to the column with the canonical solution.",
        )
    return Calls(tuple(Call(args, {}) for args in inputs), item.target[0])


def _base_input(item: Item, entry: str | None, prompt: str) -> Calls:
    """EvalPlus's own layout: its inputs on top of the first authors'."""
    both = [*_rows(item, "base_input"), *(item.metadata.get("plus_input") or ())]
    return _inputs(replace(item, metadata={**item.metadata, "inputs": both}), entry, prompt)


def _arguments(item: Item, field: str, value: Any) -> tuple[Any, ...]:
    """A list of arguments, or the text of one as a Python literal, which has tuples and sets."""
    try:
        read = ast.literal_eval(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError):
        read = None
    if not _is_list(read):
        raise _wrong(item, field, "a list of arguments, or one as a Python literal", value)
    return tuple(read)


def _stdio(item: Item, _: str | None, __: str) -> Stdio:
    cases = []
    for at, row in enumerate(_rows(item, "stdio")):
        if (
            not isinstance(row, Mapping)
            or set(row) != {"input", "output"}
            or not all(isinstance(text, str) for text in row.values())
        ):
            raise _wrong(item, f"stdio[{at}]", "a mapping with the texts `input` and `output`", row)
        cases.append((row["input"], row["output"]))
    return Stdio(tuple(cases))


def _test(item: Item, entry: str | None, prompt: str) -> Scripts:
    text = _text(item, "test")
    if not text.strip():
        raise _wrong(item, "test", "Python code", item.metadata["test"])
    return _scripts(item, entry, _preamble(prompt), [text])


def _test_list(item: Item, entry: str | None, prompt: str) -> Scripts:
    for name in ("test_list", "test_imports"):
        for at, row in enumerate(_rows(item, name) if name in item.metadata else ()):
            if not isinstance(row, str):
                raise _wrong(item, f"{name}[{at}]", "a line of Python", row)
    imports = item.metadata.get("test_imports", ())
    return _scripts(item, entry, [*_preamble(prompt), *imports], item.metadata["test_list"])


def _livecodebench(item: Item, entry: str | None, _: str) -> Calls | Stdio:
    """LiveCodeBench's own packing, as it is: unpacked it is up to a hundred times as large."""
    packed = item.metadata["livecodebench"]
    if not isinstance(packed, Mapping) or not all(
        isinstance(packed.get(name), str) for name in ("public", "private")
    ):
        raise _wrong(item, "livecodebench", "a mapping with the texts `public` and `private`", packed)
    try:
        cases = read_cases(packed["public"], packed["private"])
        if not cases[0].functional:
            return Stdio(tuple((case.input, case.output) for case in cases))
        calls = tuple(Call(tuple(given), {}, right) for given, right in map(arguments, cases))
    except ValueError as error:
        raise TaskError(
            f"item {item.id}: metadata.livecodebench: {error}", "Download the data set again."
        ) from None
    _needs_entry(item, entry)
    return Calls(calls)


def _preamble(prompt: str) -> list[str]:
    """The prompt as code, for the helpers it defines. A function it leaves without a body gets one."""
    for text in (prompt, f"{prompt}\n    pass\n"):
        try:
            ast.parse(text)
        except SyntaxError:
            continue
        return [text] if text else []
    return []


_READERS: Mapping[str, Callable[[Item, str | None, str], Calls | Stdio | Scripts]] = {
    "calls": _calls,
    "inputs": _inputs,
    "base_input": _base_input,
    "stdio": _stdio,
    "test": _test,
    "test_list": _test_list,
    "livecodebench": _livecodebench,
}


def _scripts(item: Item, entry: str | None, setup: Sequence[str], tests: Sequence[str]) -> Scripts:
    """Names that the tests use and do not define are the answer's to define; so is always the entry point.

    A builtin's name is the answer's where the reference program, the item's target, defines it. Modules of
    the standard library that tests use without importing them are imported.
    """
    if not tests:
        raise TaskError(f"item {item.id}: its list of tests is empty", _HINT)
    trees = [_tree(item, text) for text in (*setup, *tests)]
    bound = {name for tree in trees for node in ast.walk(tree) for name in _bound(node)}
    used = dict.fromkeys(
        node.id
        for tree in trees[len(setup) :]
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound
    )
    modules = [name for name in used if name != entry and name in stdlib_module_names]
    defined = _defined_by_reference(item)
    names = [
        name for name in used if name not in modules and (name in defined or not hasattr(builtins, name))
    ]
    names = list(dict.fromkeys([*([entry] if entry else []), *names]))
    if not names:
        raise TaskError(f"item {item.id}: its tests call nothing that an answer could define", _HINT)
    imports = (f"import {name}" for name in modules)
    check = any(
        isinstance(node, ast.FunctionDef) and node.name == "check" for tree in trees for node in tree.body
    )
    return Scripts((*setup, *imports), tuple(tests), tuple(names), check and entry not in (None, "check"))


def _tree(item: Item, text: str) -> ast.Module:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise TaskError(f"item {item.id}: a test is no Python: {error}", "Correct the row.") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any("TestCase" in ast.unparse(base) for base in node.bases):
            raise TaskError(
                f"item {item.id}: tests in unittest classes are not supported",
                "Write them as a function `check(candidate)`, or as assert statements.",
            )
    return tree


def _defined_by_reference(item: Item) -> set[str]:
    """Nothing where the target is no whole program (HumanEval's are bodies)."""
    if isinstance(item.target, int) or len(item.target) != 1:
        return set()
    try:
        tree = ast.parse(item.target[0])
    except SyntaxError:
        return set()
    return {name for node in tree.body for name in _bound(node)}


def _bound(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return {node.id}
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(each.asname or each.name).partition(".")[0] for each in node.names}
    if isinstance(node, ast.arg):
        return {node.arg}
    if isinstance(node, ast.ExceptHandler) and node.name:
        return {node.name}
    return set()


def _needs_entry(item: Item, entry: str | None) -> None:
    if entry is None:
        raise TaskError(f"item {item.id}: tests by calls need `entry_point`, the function's name", _HINT)


def _rows(item: Item, name: str) -> Sequence[Any]:
    rows = item.metadata[name]
    if not _is_list(rows) or (not rows and name != "test_imports"):
        raise _wrong(item, name, "a list that is not empty", rows)
    return tuple(rows)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _text(item: Item, name: str) -> str:
    value = item.metadata.get(name) or ""
    if not isinstance(value, str):
        raise _wrong(item, name, "a text", value)
    return value


def _wrong(item: Item, field: str, expected: str, got: Any) -> TaskError:
    return TaskError(f"item {item.id}: metadata.{field} must be {expected}, got {got!r:.80}", _HINT)
