"""Every way to write a model reference, right and wrong."""

import importlib.util
import subprocess
import sys

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "answers.jsonl").write_text('{"id": 1, "output": "x"}\n')
    (tmp_path / "weights-q4.gguf").write_bytes(b"GGUF")
    (tmp_path / "pipeline.py").write_text("def answer(question): return question")
    (tmp_path / "odd#name.jsonl").write_text('{"id": 1, "output": "x"}\n')
    return tmp_path


@pytest.mark.parametrize(
    ("ref", "kind"),
    [
        ("openai:gpt-4o-2024-08-06", "OpenAIModel"),
        ("anthropic:claude-sonnet-4", "AnthropicModel"),
        ("http://127.0.0.1:8000/v1#org/model", "OpenAIModel"),
        ("https://host.example/v1#m", "OpenAIModel"),
        ("gguf:{folder}/weights-q4.gguf", "GgufModel"),
        ("recorded:{folder}/answers.jsonl", "RecordedModel"),
        ("recorded:{folder}/answers.jsonl#gpt-4o", "RecordedModel"),
        ("recorded:{folder}/odd#name.jsonl", "RecordedModel"),
        ("call:{folder}/pipeline.py:answer", "CallModel"),
        ("endpoint:http://127.0.0.1:8000/ask", "EndpointModel"),
        ("endpoint:https://host.example/ask?k=3#small", "EndpointModel"),
        ("hf:org/name", "HfModel"),
        ("hf:org/name@main", "HfModel"),
        ("hf:{folder}", "HfModel"),
    ],
)
def test_each_prefix_opens_its_engine(ref, kind, folder, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    assert type(open_model(ref.format(folder=folder))).__name__ == kind


@pytest.mark.parametrize(
    ("ref", "says"),
    [
        ("opnai:gpt-4o", "Did you mean openai:gpt-4o?"),
        ("HF:org/name", "Did you mean hf:org/name?"),
        ("zzz:model", "A reference is one of: hf:ORG/NAME"),
        ("gpt-4o", "has no prefix that names an engine"),
        ("org/name", "Did you mean hf:org/name?"),
        ("model.gguf", "Did you mean gguf:model.gguf?"),
        ("answers.csv", "Did you mean recorded:answers.csv?"),
        ("smollm2", "Did you mean gguf:smollm2?"),
        ("openai:", "Write openai:MODEL"),
        ("http://host/v1", "http://host/v1#MODEL"),
        ("http://host/v1#", "does not say which model"),
        ("gguf:{folder}/weights-q5.gguf", "In that folder: weights-q4.gguf"),
        ("gguf:{folder}/zzz.gguf", "In that folder: weights-q4.gguf"),
        ("gguf:{folder}/nowhere/zzz.gguf", "nowhere does not exist"),
        ("gguf:{folder}", "is a folder, not a GGUF file"),
        ("recorded:{folder}/answer.jsonl", "In that folder: answers.jsonl"),
        ("recorded:{folder}/answer.jsonl#gpt-4o", "In that folder: answers.jsonl"),
        ("hf:./nowhere", "there is no file"),
        ("pipeline.py:answer", "Did you mean call:pipeline.py:answer?"),
        ("call:{folder}/pipeline.py", "does not say which function"),
        ("call:{folder}/pipeline.py:", "does not say which function"),
        ("call:{folder}/pipelin.py:answer", "In that folder: pipeline.py"),
        ("endpoint:127.0.0.1:8000/ask", "Write endpoint:http://HOST/PATH"),
        ("endpoint:http://key@host/ask", "carries credentials"),
        ("endpoint:http://host/ask?api_key=1", "carries credentials"),
    ],
)
def test_a_wrong_reference_says_what_was_meant(ref, says, folder):
    with pytest.raises(ModelError) as caught:
        open_model(ref.format(folder=folder))
    assert says in str(caught.value)


def test_the_address_of_a_server_is_given_once():
    with pytest.raises(ModelError, match="both give an address"):
        open_model("http://host/v1#m", {"base_url": "http://other/v1"})


@pytest.mark.parametrize(
    ("ref", "missing", "extra"),
    [
        ("gguf:{folder}/weights-q4.gguf", "xllamacpp", "bakeoff[local]"),
        ("hf:org/name", "torch", "bakeoff[hf]"),
        ("vllm:org/name", "vllm", "bakeoff[vllm]"),
        ("hf:{folder}/weights-q4.gguf", "gguf", "bakeoff[hf]"),
    ],
)
def test_a_missing_extra_is_named_with_the_command_that_installs_it(ref, missing, extra, folder, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr("bakeoff.model.open.find_spec", lambda name: None if name == missing else find(name))
    with pytest.raises(ModelError) as caught:
        open_model(ref.format(folder=folder))
    assert missing in caught.value.message
    assert f"pip install '{extra}'" in caught.value.hint


@pytest.mark.parametrize("ref", ["recorded:{folder}/answers.jsonl", "gguf:{folder}/weights-q4.gguf"])
def test_a_misspelt_setting_is_refused_when_opening(ref, folder):
    with pytest.raises(ModelError, match="no setting"):
        open_model(ref.format(folder=folder), {"outptu": "x"})


def test_opening_imports_no_engine(folder):
    """In an interpreter of its own: other tests load engines into this one."""
    script = (
        "import sys; from bakeoff.model import open_model;"
        "open_model(sys.argv[1]); open_model('hf:org/name');"
        "print(sorted({'torch', 'transformers', 'xllamacpp', 'duckdb', 'jinja2'} & set(sys.modules)))"
    )
    ref = f"gguf:{folder}/weights-q4.gguf"
    done = subprocess.run([sys.executable, "-c", script, ref], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
