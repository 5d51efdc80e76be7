"""The header of GGUF files, whole and damaged."""

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.errors import ModelError
from bakeoff.model.gguf.header import read_header
from tests.model.gguf.files import STRING, U32, entry, gguf, numbers, strings, tensor

ENTRIES = [
    entry("general.architecture", STRING, "llama"),
    entry("llama.context_length", U32, 2048),
    strings("tokenizer.ggml.tokens", ["<unk>", "<s>", "</s>", *(f"t{n}" for n in range(200))]),
    numbers("tokenizer.ggml.scores", [0.0] * 203),
    entry("tokenizer.ggml.bos_token_id", U32, 1),
    entry("tokenizer.ggml.eos_token_id", U32, 2),
    entry("tokenizer.chat_template", STRING, "{{ messages }}"),
]
WHOLE = gguf(ENTRIES, [tensor("a", 0), tensor("b", 64)], b"\0" * 128)


def header(tmp_path, data):
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    return read_header(path)


def test_a_header_says_what_the_engine_needs_to_be_told(tmp_path):
    found = header(tmp_path, WHOLE)
    assert (found.architecture, found.context_length) == ("llama", 2048)
    assert (found.bos_text, found.eos_text, found.prefix) == ("<s>", "</s>", 1)
    assert found.chat_template == "{{ messages }}"


def test_without_a_beginning_of_text_the_end_stands_in(tmp_path):
    found = header(tmp_path, gguf([part for part in ENTRIES if b"bos_token_id" not in part]))
    assert (found.bos_text, found.prefix) == ("", 2)


def test_the_tokenizer_digest_moves_with_the_tokenizer_alone(tmp_path):
    first = header(tmp_path, WHOLE).tokenizer_digest
    renamed = [*ENTRIES[:-1], entry("tokenizer.chat_template", STRING, "another")]
    assert header(tmp_path, gguf(renamed)).tokenizer_digest == first
    retrained = [*ENTRIES[:2], strings("tokenizer.ggml.tokens", ["<unk>", "<s>", "</s>"]), *ENTRIES[3:]]
    assert header(tmp_path, gguf(retrained)).tokenizer_digest != first


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "does not begin with GGUF"),
        (b"PK\x03\x04 a zip", "does not begin with GGUF"),
        (gguf(ENTRIES, version=99), "GGUF version 99"),
        (WHOLE[:-128], "is incomplete"),
        (WHOLE[:-100], "is incomplete"),
        (WHOLE[:500], "damaged"),
        (WHOLE[:16] + b"\xff" * 8 + WHOLE[24:], "damaged"),
        (gguf([entry("general.architecture", STRING, "llama")[:-3]]), "damaged"),
        (gguf([b"\x01\0\0\0\0\0\0\0k" + b"\x63\0\0\0"]), "damaged"),
    ],
)
def test_a_damaged_file_is_refused_in_words(data, says, tmp_path):
    with pytest.raises(ModelError) as caught:
        header(tmp_path, data)
    assert says in str(caught.value)


@given(st.integers(0, len(WHOLE) - 129), st.binary(min_size=1, max_size=8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_damage_to_a_header_raises_anything_else(tmp_path, at, junk):
    with contextlib.suppress(ModelError):
        header(tmp_path, WHOLE[:at] + junk + WHOLE[at + len(junk) :])
