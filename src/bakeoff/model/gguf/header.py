"""The header of a GGUF file: what the file says of itself, read without an engine.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little endian).
"""

import hashlib
import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.errors import ModelError

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
# Value types 0 to 12 but for the two above, as struct letters.
_LETTERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_LONGEST_LIST = 64
_TOKENS = "tokenizer.ggml.tokens"


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says of itself.

    `tokenizer_digest` covers every `tokenizer.ggml.*` entry as it is stored: the vocabulary, the merges and
    the special tokens. `bos_text` and `eos_text` are the spellings of those tokens, for chat templates.
    `prefix` stands in for an empty context: the beginning-of-text token, else the end-of-text token.
    """

    architecture: str
    context_length: int | None
    chat_template: str
    tokenizer_digest: str
    bos_text: str
    eos_text: str
    prefix: int | None


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
    last = _last_tensor(reader, tensors)
    if tensors and last >= len(data):
        raise ModelError(
            f"{path} is incomplete: it has {len(data)} bytes, its last tensor begins at byte {last}",
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
    )


def _last_tensor(reader: "_Reader", tensors: int) -> int:
    """Where the last tensor begins in the file, at the least (padding not counted)."""
    furthest = 0
    for _ in range(tensors):
        reader.string()
        dimensions = reader.number("I")
        reader.skip(8 * dimensions + 4)
        furthest = max(furthest, reader.number("Q"))
    return reader.at + furthest


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
