"""Images from the task over a real wire to a server that looks at them, and what the run keeps of them."""

import asyncio
import base64
import hashlib
import io
import re
from collections.abc import Callable
from random import Random

import pytest
from rich.console import Console

from bakeoff.catalog.images import shapes
from bakeoff.cli.samples import print_samples
from bakeoff.errors import ModelError
from bakeoff.run import evaluate
from bakeoff.store import journal_path, read_samples
from bakeoff.task import load_task, prepare
from tests.catalog.images import seeing
from tests.run.runs import answers
from tests.servers.fault_server import FaultServer, answer

Reply = Callable[[bytes | None, str], str]


def looking(picture: bytes | None, text: str) -> str:
    """The letter that the pixels show; some words where there is no picture."""
    if picture is None:
        return "Fish, whales and squid live there, and hammers drive nails."
    question, *lines = text.splitlines()
    choices = [match[1] for line in lines if (match := re.match(r"[A-D]\. (.*)", line))]
    return f"Answer: {'ABCD'[seeing.answer(picture, question, choices)]}"


def guessing(_: bytes | None, text: str) -> str:
    """A letter drawn from the text alone."""
    return Random(text).choice("ABCD")


def behaviour(reply: Reply):
    async def behave(request, call):
        content = call.body["messages"][-1]["content"]
        picture, text = None, content
        if not isinstance(content, str):
            image, words = content
            assert (image["type"], words["type"]) == ("image_url", "text")
            head, data = image["image_url"]["url"].split(",", 1)
            assert head == "data:image/png;base64"
            picture, text = base64.b64decode(data, validate=True), words["text"]
        return await answer(reply(picture, text))(request, call)

    return behave


def run(task, reply, folder, **chosen):
    """The run, and the pictures and texts that arrived."""

    async def main():
        async with FaultServer() as server:
            server.script("eyes", behaviour(reply))
            result = await asyncio.to_thread(
                evaluate, task, f"{server.url}#eyes", out=folder / "runs", cache=False, **chosen
            )
            return result, server.calls

    return asyncio.run(main())


@pytest.mark.parametrize("task", ["shapes", "charts"])
def test_one_who_looks_is_right_every_time(task, tmp_path):
    result, _ = run(task, looking, tmp_path, limit=72)
    assert result.metrics.score.value == 1
    assert result.manifest.counts["scored"] == 72


@pytest.mark.parametrize("task", ["shapes", "shapes_blind"])
def test_one_who_guesses_is_near_chance_with_and_without_the_pictures(task, tmp_path):
    result, calls = run(task, guessing, tmp_path)
    assert result.metrics.score.interval.low < 0.25 < result.metrics.score.interval.high
    pictured = [call for call in calls if not isinstance(call.body["messages"][-1]["content"], str)]
    assert bool(pictured) is (task == "shapes")


def test_a_run_keeps_the_digests_of_images_and_not_their_bytes(tmp_path):
    result, _ = run("shapes", looking, tmp_path, limit=8)
    rows = list(shapes.questions(0, 8))
    journal = journal_path(result.folder)
    samples = list(read_samples(result.folder))
    for row, sample in zip(
        rows, sorted(samples, key=lambda each: int(each.item_id.split("-")[1])), strict=True
    ):
        uri = row["messages"][0]["content"][0]["image"]
        content = base64.b64decode(uri.split(",")[1])
        image, text = sample.turns[0].input[-1].parts
        digest = hashlib.sha256(content).hexdigest()
        assert image.data == f"sha256:{digest} 320×320 {len(content):,} bytes"
        assert image.media_type == "image/png"
        assert text.data.startswith(row["question"])
    kept = b"".join(path.read_bytes() for path in result.folder.rglob("*") if path.is_file())
    assert b"iVBOR" not in kept
    assert journal.parent == result.folder


def test_people_see_where_an_image_stood_and_which_it_was(tmp_path):
    result, _ = run("shapes", looking, tmp_path, limit=1)
    console = Console(record=True, width=120, file=io.StringIO())
    print_samples(console, read_samples(result.folder))
    shown = console.export_text()
    assert re.search(r"\[image png 320×320 [\d,]+ bytes, sha256:[0-9a-f]{12}…\]\n\s*│ How many", shown)


def test_a_model_that_takes_no_images_is_refused_before_the_run(tmp_path, unigram):
    with pytest.raises(ModelError, match="takes no images, and the task has some"):
        evaluate("shapes:loglikelihood", "unigram:x", out=tmp_path / "runs")
    assert not list((tmp_path / "runs").glob("*/manifest.json"))


def test_recorded_answers_need_no_images(tmp_path):
    items = prepare(load_task("shapes")[0]).items(4)
    said = {item.id: f"Answer: {'ABCD'[item.target]}" for item in items}
    result = evaluate("shapes", answers(tmp_path, said), out=tmp_path / "runs", limit=4)
    assert result.metrics.score.value == 1


def test_the_cache_tells_images_apart(tmp_path, monkeypatch):
    """The same words under another picture are asked again; the same question is not."""
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))

    async def main():
        async with FaultServer() as server:
            server.script("eyes", behaviour(looking))
            counts = []
            for _ in range(2):
                before = len(server.calls)
                result = await asyncio.to_thread(
                    evaluate, "shapes", f"{server.url}#eyes", out=tmp_path / "runs", limit=64
                )
                assert result.metrics.score.value == 1
                counts.append(
                    sum(not isinstance(c.body["messages"][-1]["content"], str) for c in server.calls[before:])
                )
            return counts

    asked = prepare(load_task("shapes")[0])
    texts = {asked.render(item).turns[0][-1].text for item in asked.items(64)}
    first, second = asyncio.run(main())
    assert len(texts) < 64
    assert (first, second) == (64, 0)
