"""Data sets on the hub: which files a split is, the cache without a network, and a server that answers."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb
import pytest

from bakeoff.task.rows.hub import split_files

COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER = "f" * 40

# Listings as real repositories have them.
GSM8K = ["README.md", "main/test-00000-of-00001.parquet", "main/train-00000-of-00001.parquet",
         "socratic/test-00000-of-00001.parquet", "socratic/train-00000-of-00001.parquet"]  # fmt: skip
PLAIN = ["data/test-00000-of-00002-9e1a.parquet", "data/test-00001-of-00002-00aa.parquet",
         "data/test_hard-00000-of-00001.parquet", "data/train-00000-of-00001.parquet"]  # fmt: skip
CONVERTED = ["default/test/0000.parquet", "default/test/0001.parquet", "default/partial-train/0000.parquet"]


@pytest.mark.parametrize(
    ("names", "config", "split", "expected"),
    [
        (GSM8K, "main", "test", ["main/test-00000-of-00001.parquet"]),
        (PLAIN, None, "test", PLAIN[:2]),
        (PLAIN, "default", "test", PLAIN[:2]),
        (PLAIN[::-1], None, "test", PLAIN[:2]),
        (CONVERTED, None, "test", CONVERTED[:2]),
        (CONVERTED, "default", "test", CONVERTED[:2]),
        (["test.parquet"], None, "test", ["test.parquet"]),
        (
            ["a/validation-00000-of-00001.parquet"],
            None,
            "validation",
            ["a/validation-00000-of-00001.parquet"],
        ),
    ],
)
def test_a_split_is_found_in_every_common_layout(
    names: list[str], config: str | None, split: str, expected: list[str]
) -> None:
    assert split_files(names, config, split) == expected


@pytest.mark.parametrize(
    ("names", "config", "split", "expected"),
    [
        (GSM8K, None, "test", "several configurations .* main, socratic"),
        (GSM8K, "mian", "test", "no 'mian/test' in it; did you mean 'main/test'"),
        (GSM8K, "main", "validation", "there are main/test, main/train"),
        (PLAIN[:1], None, "test", "1 of its 2 files are missing"),
        (CONVERTED, None, "train", "no 'train' in it"),
        (["README.md", "data.json"], None, "test", "no Parquet files"),
    ],
)
def test_a_split_that_is_not_there_whole_is_answered(
    names: list[str], config: str | None, split: str, expected: str
) -> None:
    with pytest.raises(LookupError, match=expected):
        split_files(names, config, split)


def parquet(path: Path, *inputs: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT unnest(?) AS input, 'x' AS target) TO '{path}' (FORMAT parquet)", [inputs]
        )
    return path


PREPARE = """
import json, sys
from bakeoff.errors import TaskError
from bakeoff.task import Task, prepare
try:
    prepared = prepare(Task(name="t", data=json.loads(sys.argv[1]), scorer="exact"))
    print(json.dumps({"inputs": [item.input for item in prepared.items()], "source": dict(prepared.source)}))
except TaskError as error:
    print(json.dumps({"error": str(error)}))
"""


def prepared(data: Mapping[str, Any], home: Path, code: str = PREPARE, **environment: str) -> dict[str, Any]:
    """In a process of its own: the hub's library reads its settings once, when it is imported."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING"))}
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(data)],
        env=kept | {"HF_HOME": str(home), "HF_HUB_DISABLE_PROGRESS_BARS": "1"} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A data set in the hub's cache, as its library lays it out."""
    repo = tmp_path / "hub" / "datasets--owner--name"
    (repo / "refs" / "refs" / "convert").mkdir(parents=True)
    (repo / "refs" / "main").write_text(COMMIT)
    (repo / "refs" / "refs" / "convert" / "parquet").write_text(OTHER)
    blob = parquet(repo / "blobs" / "b1", "first", "second")
    file = repo / "snapshots" / COMMIT / "main" / "test-00000-of-00001.parquet"
    file.parent.mkdir(parents=True)
    file.symlink_to(os.path.relpath(blob, file.parent))
    parquet(repo / "snapshots" / OTHER / "converted" / "test" / "0000.parquet", "third")
    return tmp_path


@pytest.mark.parametrize(
    ("data", "inputs", "commit"),
    [
        ({"config": "main"}, ["first", "second"], COMMIT),
        ({"config": "main", "revision": "main"}, ["first", "second"], COMMIT),
        ({"config": "main", "revision": COMMIT}, ["first", "second"], COMMIT),
        ({"config": "converted"}, ["third"], OTHER),
        ({"revision": "refs/convert/parquet"}, ["third"], OTHER),
    ],
)
def test_without_a_network_the_cache_is_read_and_its_commit_recorded(
    data: dict[str, Any], inputs: list[str], commit: str, cache: Path
) -> None:
    answer = prepared({"hub": "owner/name"} | data, cache, HF_HUB_OFFLINE="1")
    assert answer["inputs"] == inputs
    assert (answer["source"]["hub"], answer["source"]["revision"]) == ("owner/name", commit)


PLACES = """
import json, sys
from bakeoff.task import Task, prepare
prepared = prepare(Task(name="t", data=json.loads(sys.argv[1]), scorer="exact"))
rows = [[item.input, item.fields["config"]] for item in prepared.items()]
print(json.dumps({"rows": rows, "source": dict(prepared.source)}))
"""


def test_several_configurations_follow_one_another_in_the_order_asked_for(cache: Path) -> None:
    repo = cache / "hub" / "datasets--owner--name" / "snapshots" / COMMIT
    parquet(repo / "other" / "test-00000-of-00001.parquet", "fourth")
    data = {"hub": "owner/name", "config": ["other", "main"]}
    answer = prepared(data, cache, PLACES, HF_HUB_OFFLINE="1")
    assert answer["rows"] == [["fourth", "other"], ["first", "main"], ["second", "main"]]
    assert answer["source"]["config"] == "other, main"
    missing = prepared(data | {"config": ["main", "third"]}, cache, HF_HUB_OFFLINE="1")
    assert "there is no 'third/test'" in missing["error"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"hub": "owner/other"}, "owner/other: it is not in the cache"),
        ({"hub": "owner/name", "revision": "v2"}, "not in the cache"),
        ({"hub": "owner/name", "config": "main", "split": "dev"}, "there is no 'main/dev'"),
        ({"hub": "name"}, "'name' names no data set"),
    ],
)
def test_what_the_cache_does_not_hold_is_a_mistake(data: dict[str, Any], expected: str, cache: Path) -> None:
    answer = prepared(data, cache, HF_HUB_OFFLINE="1")
    assert "data.hub" in answer["error"]
    assert expected in answer["error"]


class Hub(BaseHTTPRequestHandler):
    """As much of the hub's API as a data set needs."""

    content = b""

    def do_GET(self) -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts[:2] == ["api", "datasets"]:
            self._info("/".join(parts[2:4]), "/".join(parts[5:]).replace("%2F", "/"))
        else:
            self._file()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *args: object) -> None:
        pass

    def _info(self, repo: str, revision: str) -> None:
        if repo == "owner/absent":
            return self._answer(404, {}, {"X-Error-Code": "RepoNotFound"})
        if repo == "owner/broken":
            return self._answer(500, {})
        if revision not in ("main", COMMIT):
            return self._answer(404, {}, {"X-Error-Code": "RevisionNotFound"})
        files = [{"rfilename": "README.md"}, {"rfilename": "data/test-00000-of-00001.parquet"}]
        return self._answer(200, {"id": repo, "sha": COMMIT, "siblings": files})

    def _file(self) -> None:
        if "gated" in self.path:
            return self._answer(403, {}, {"X-Error-Code": "GatedRepo"})
        assert f"/resolve/{COMMIT}/" in self.path
        return self._answer(200, self.content, {"X-Repo-Commit": COMMIT, "ETag": '"e1"'})

    def _answer(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(payload)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    Hub.content = parquet(tmp_path / "served.parquet", "from afar").read_bytes()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_data_set_is_downloaded_at_the_commit_of_now_and_then_needs_no_network(
    hub: str, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    online = prepared({"hub": "owner/name"}, home, HF_ENDPOINT=hub)
    assert online["inputs"] == ["from afar"]
    assert online["source"]["revision"] == COMMIT
    pinned = {"hub": "owner/name", "revision": COMMIT}
    assert prepared(pinned, home, HF_HUB_OFFLINE="1")["inputs"] == ["from afar"]


@pytest.mark.parametrize(
    ("data", "field", "expected"),
    [
        ({"hub": "owner/absent"}, "data.hub", "there is no such data set, or it is private"),
        ({"hub": "owner/gated"}, "data.hub", "access is gated\nask for access at"),
        ({"hub": "owner/name", "revision": "v9"}, "data.revision", "has no revision 'v9'"),
        ({"hub": "owner/name", "split": "dev"}, "data.hub", "there is no 'dev' in it; there are data/test"),
        ({"hub": "owner/broken"}, "data.hub", "the hub cannot be reached"),
    ],
)
def test_what_the_hub_refuses_is_a_mistake_with_a_way_out(
    data: dict[str, Any], field: str, expected: str, hub: str, tmp_path: Path
) -> None:
    error = prepared(data, tmp_path / "home", HF_ENDPOINT=hub)["error"]
    assert f"task 't': {field}: " in error
    assert expected in error


def test_an_unreachable_hub_is_a_mistake_with_a_way_out(tmp_path: Path) -> None:
    error = prepared({"hub": "owner/name"}, tmp_path / "home", HF_ENDPOINT="http://127.0.0.1:9")["error"]
    assert "data.hub: owner/name: the hub cannot be reached" in error
    assert "HF_HUB_OFFLINE=1" in error
