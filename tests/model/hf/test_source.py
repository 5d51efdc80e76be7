import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch
from huggingface_hub import constants

from bakeoff.errors import ModelError
from bakeoff.model.hf.source import find_source, weights_digest
from tests.model.hf.toy import saved, toy_llama

COMMIT = "a" * 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tokenizer):
    return saved(tmp_path_factory.mktemp("toy") / "toy-llama", toy_llama(len(tokenizer)), tokenizer)


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub cache of our own, and no network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path


def find(name):
    return find_source(str(name), pickled_weights=False)


def test_a_folder_is_named_by_its_last_part_and_a_digest_of_its_weights(folder):
    source = find(folder)
    assert (source.name, source.folder) == ("toy-llama", folder)
    assert source.revision == weights_digest(folder)
    assert source.revision.startswith("sha256:")


def test_the_digest_follows_the_weights_and_the_configuration_and_nothing_else(folder, tmp_path, tokenizer):
    same = saved(tmp_path / "same", toy_llama(len(tokenizer)), tokenizer)
    (same / "README.md").write_text("hello")
    other = saved(tmp_path / "other", toy_llama(len(tokenizer), seed=1), tokenizer)
    assert weights_digest(same) == weights_digest(folder)
    assert weights_digest(other) != weights_digest(folder)
    config = json.loads((same / "config.json").read_text())
    (same / "config.json").write_text(json.dumps(config | {"rms_norm_eps": 0.5}))
    assert weights_digest(same) != weights_digest(folder)


@pytest.mark.parametrize("name", ["org/toy", f"org/toy@{COMMIT}", "org/toy@main"])
def test_a_model_in_the_hub_cache_is_found_without_a_network_and_named_by_its_commit(hub, folder, name):
    repository = hub / "models--org--toy"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    (repository / "snapshots").mkdir()
    (repository / "snapshots" / COMMIT).symlink_to(folder)
    source = find(name)
    assert (source.name, source.revision) == ("org/toy", COMMIT)


def test_a_model_that_is_not_in_the_cache_says_so_when_there_is_no_network(hub):
    with pytest.raises(ModelError, match=r"org/toy at revision v2 is not in the local cache") as caught:
        find("org/toy@v2")
    assert "hf download" in caught.value.hint


@pytest.fixture
def refusing_hub(tmp_path, monkeypatch):
    """A hub that answers everything with one status and error code, as the real one does."""
    answer = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(answer["status"])
            self.send_header("X-Error-Code", answer["code"])
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        yield answer
        server.shutdown()


@pytest.mark.parametrize(
    ("status", "code", "message", "hint"),
    [
        (403, "GatedRepo", "is gated", "HF_TOKEN"),
        (404, "RepoNotFound", "no model org/toy", "spelling"),
        (401, "RepoNotFound", "no model org/toy", "spelling"),
        (404, "RevisionNotFound", "no revision v9", "commits"),
    ],
)
def test_the_hubs_refusals_say_what_to_do(refusing_hub, status, code, message, hint):
    refusing_hub.update(status=status, code=code)
    with pytest.raises(ModelError, match=message) as caught:
        find("org/toy@v9")
    assert hint in caught.value.hint


@pytest.mark.parametrize("name", ["no/such/folder", "what is this?", "../nowhere/at/all"])
def test_what_is_neither_here_nor_a_hub_name_is_refused_before_asking_the_hub(name):
    with pytest.raises(ModelError, match="neither a file or folder here"):
        find(name)


def test_a_missing_gguf_file_is_not_looked_for_on_the_hub():
    with pytest.raises(ModelError, match="there is no file"):
        find("no/model.gguf")


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"no config\.json"):
        find(tmp_path)
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(ModelError) as caught:
        find(tmp_path)
    assert "adapter" in caught.value.hint


def test_pickled_weights_are_not_read_unless_asked_for(folder, tmp_path):
    (tmp_path / "config.json").write_text((folder / "config.json").read_text())
    torch.save({}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="no weights in safetensors") as caught:
        find(tmp_path)
    assert "pickled_weights=true" in caught.value.hint
    assert find_source(str(tmp_path), pickled_weights=True).folder == tmp_path


def test_a_broken_gguf_file_is_an_error_and_leaves_nothing_in_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "broken.gguf").write_bytes(b"GGUF and then nothing that makes sense")
    with pytest.raises(ModelError, match="cannot read the GGUF file"):
        find(tmp_path / "broken.gguf")
    assert not any((tmp_path / "cache" / "dequantised").iterdir())
