"""The header of a GGUF file: what the file says of itself, read without an engine.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little endian).
"""

import hashlib
import math
import mmap
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bakeoff.errors import ModelError
from bakeoff.model.found import WeightType

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
# Value types 0 to 12 but for the two above, as struct letters.
_LETTERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_LONGEST_LIST = 64
_TOKENS = "tokenizer.ggml.tokens"
_MOST_DIMENSIONS = 4
# Tensor types that hold numbers as they are: F32, F16, I8 to I64, F64, BF16. All others are quantised.
_PLAIN = frozenset({0, 1, 24, 25, 26, 27, 28, 30})
_ON_THE_HUB = re.compile(r"https://huggingface\.co/([\w.-]+/[\w.-]+)/?", re.ASCII)
_MOST_BASES = 64
_LONGEST_WORD = 100


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says of itself.

    `tokenizer_digest` covers every `tokenizer.ggml.*` entry as it is stored: the vocabulary, the merges and
    the special tokens. `bos_text` and `eos_text` are the spellings of those tokens, for chat templates.
    `prefix` stands in for an empty context: the beginning-of-text token, else the end-of-text token.
    `parameters` are the numbers in all tensors; None where the file is one of several. `licence` is in lower
    case, `base` names the models it was made from, `weight_type` is empty where nothing shows.
    """

    architecture: str
    context_length: int | None
    chat_template: str
    tokenizer_digest: str
    bos_text: str
    eos_text: str
    prefix: int | None
    parameters: int | None = None
    licence: str = ""
    base: tuple[str, ...] = ()
    weight_type: WeightType | Literal[""] = ""


def read_header(path: Path) -> Header:
    """The header of the file `path`.

    Raises:
        ModelError: not a GGUF file, a version we do not know, or a file that ends too early.
    """
    try:
        with path.open("rb") as file:
            if file.read(4) != _MAGIC:
                raise ModelError(f"{path} is not a GGUF file: it does not begin with GGUF")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _parse(path, data)
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror or error}") from error
    except (struct.error, IndexError, KeyError, UnicodeDecodeError, OverflowError) as error:
        raise ModelError(
            f"the header of {path} is damaged: {error}", "The file may be incomplete; fetch it again."
        ) from error


def _parse(path: Path, data: mmap.mmap) -> Header:
    reader = _Reader(data, 4)
    version = reader.number("I")
    if version not in _VERSIONS:
        raise ModelError(
            f"{path} has GGUF version {version}; known are {' and '.join(map(str, _VERSIONS))}",
            "Convert the model again with a current llama.cpp.",
        )
    tensors, entries = reader.number("Q"), reader.number("Q")
    facts: dict[str, Any] = {}
    tokenizer = hashlib.sha256()
    for _ in range(entries):
        start = reader.at
        key = reader.string().decode()
        # The vocabulary's place is kept, not its texts: two of them are wanted, out of up to 262,144.
        facts[key] = reader.at if key == _TOKENS else None
        value = reader.value()
        if key != _TOKENS:
            facts[key] = value
        if key.startswith("tokenizer.ggml."):
            tokenizer.update(data[start : reader.at])
    held = _tensors(reader, tensors)
    if tensors and held.last >= len(data):
        raise ModelError(
            f"{path} is incomplete: it has {len(data)} bytes, its last tensor begins at byte {held.last}",
            "Fetch the file again.",
        )
    architecture = facts.get("general.architecture") or ""
    bos, eos = (facts.get(f"tokenizer.ggml.{name}_token_id") for name in ("bos", "eos"))
    return Header(
        architecture=architecture,
        context_length=facts.get(f"{architecture}.context_length"),
        chat_template=facts.get("tokenizer.chat_template") or "",
        tokenizer_digest="sha256:" + tokenizer.hexdigest(),
        bos_text=_token(data, facts, bos),
        eos_text=_token(data, facts, eos),
        prefix=eos if bos is None else bos,
        parameters=held.numbers if tensors and facts.get("split.count") in (None, 0, 1) else None,
        licence=_text(facts, "general.license").lower(),
        base=_base(facts),
        weight_type=_weight_type(facts, held),
    )


class _Tensors(NamedTuple):
    """`last` is where the last one begins in the file, at the least (padding not counted); `numbers` are
    those of all.
    """

    last: int
    numbers: int
    quantised: bool


def _tensors(reader: "_Reader", tensors: int) -> _Tensors:
    furthest, numbers, quantised = 0, 0, False
    for _ in range(tensors):
        reader.string()
        dimensions = reader.number("I")
        if dimensions > _MOST_DIMENSIONS:
            raise IndexError(f"a tensor has {dimensions} dimensions")
        numbers += math.prod(reader.number("Q") for _ in range(dimensions))
        quantised |= reader.number("I") not in _PLAIN
        furthest = max(furthest, reader.number("Q"))
    return _Tensors(reader.at + furthest, numbers, quantised)


def _weight_type(facts: Mapping[str, Any], held: _Tensors) -> WeightType | Literal[""]:
    if facts.get("general.type") == "adapter":
        return "adapter"
    if held.quantised:
        return "quantised"
    tags = facts.get("general.tags")
    return "merge" if isinstance(tags, list) and "merge" in tags else ""


def _base(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The models it was made from, on the hub where they say so."""
    count = facts.get("general.base_model.count")
    names = []
    for place in range(min(count, _MOST_BASES) if isinstance(count, int) else 0):
        entry = f"general.base_model.{place}"
        on_hub = _ON_THE_HUB.fullmatch(_text(facts, f"{entry}.repo_url"))
        parts = [_text(facts, f"{entry}.organization"), _text(facts, f"{entry}.name")]
        names.append(on_hub[1] if on_hub else "/".join(part for part in parts if part))
    return tuple(dict.fromkeys(name for name in names if name))


def _text(facts: Mapping[str, Any], key: str) -> str:
    """The value of `key` where it is a short text without a comma; else nothing."""
    value = facts.get(key)
    return (
        value.strip() if isinstance(value, str) and len(value) <= _LONGEST_WORD and "," not in value else ""
    )


def _token(data: mmap.mmap, facts: dict[str, Any], index: int | None) -> str:
    """The spelling of one token of the vocabulary; empty without such a token."""
    if index is None or facts.get(_TOKENS) is None:
        return ""
    reader = _Reader(data, facts[_TOKENS])
    reader.skip(8)
    if index >= reader.number("Q"):
        return ""
    for _ in range(index):
        reader.string()
    return reader.string().decode()


class _Reader:
    """A place in the file that moves on as values are read."""

    def __init__(self, data: mmap.mmap, at: int) -> None:
        self._data = data
        self.at = at

    def number(self, letter: str) -> Any:
        (value,) = struct.unpack_from(f"<{letter}", self._data, self.at)
        self.at += struct.calcsize(f"<{letter}")
        return value

    def string(self) -> bytes:
        length = self.number("Q")
        start = self.at
        self.skip(length)
        return self._data[start : self.at]

    def skip(self, length: int) -> None:
        self.at += length
        if self.at > len(self._data):
            raise IndexError(f"it goes on beyond the end of the file at byte {len(self._data)}")

    def value(self) -> Any:
        return self._of_type(self.number("I"))

    def _of_type(self, kind: int) -> Any:
        if kind == _STRING:
            return self.string().decode("utf-8", "replace")
        if kind != _ARRAY:
            return self.number(_LETTERS[kind])
        kind, count = self.number("I"), self.number("Q")
        if kind in _LETTERS and count > _LONGEST_LIST:
            self.skip(count * struct.calcsize(f"<{_LETTERS[kind]}"))
            return None
        if kind == _STRING and count > _LONGEST_LIST:
            for _ in range(count):
                self.string()
            return None
        return [self._of_type(kind) for _ in range(count)]
