"""`bakeoff task items`."""

import json

from bakeoff.comparison.items import items_look
from bakeoff.run.index import RunIndex
from tests.cli.command import bakeoff
from tests.comparison.making import run
from tests.web.runs import CANARY, private


def test_it_prints_the_items_the_hardest_first(tmp_path):
    run(tmp_path, "a", [0, 1, 2, 3], 6)
    run(tmp_path, "b", [0, 1], 6)
    said = bakeoff(tmp_path, "task", "items", "sums", "--json")
    assert said.returncode == 0, said.stderr
    value, found = json.loads(said.stdout), items_look(RunIndex(tmp_path / "runs").runs())
    assert [each["item_id"] for each in value["items"]] == [each.item_id for each in found.items]
    assert (value["all_right"], value["all_wrong"]) == (2, 2)
    printed = bakeoff(tmp_path, "task", "items", "sums", "--limit", "1", "--flagged").stdout
    assert "6 items over the runs of 2 models" in printed
    assert printed.count("all wrong") == 1


def test_a_digest_chooses_the_edition(tmp_path):
    run(tmp_path, "a", [0], 6)
    run(tmp_path, "b", [0], 6)
    run(tmp_path, "a", [1], 7)
    run(tmp_path, "b", [1], 7)
    digests = {each.digest for each in RunIndex(tmp_path / "runs").runs()}
    assert len(digests) == 2
    for digest in digests:
        for named in (digest, digest.removeprefix("sha256:")[:10]):
            value = json.loads(bakeoff(tmp_path, "task", "items", "sums", "--digest", named, "--json").stdout)
            assert value["digest"] == digest


def test_what_there_is_not_is_said(tmp_path):
    said = bakeoff(tmp_path, "task", "items", "nothing")
    assert (said.returncode, "there are no runs of 'nothing'" in said.stderr) == (2, True)


def test_no_text_of_a_private_task_is_printed(tmp_path):
    private(tmp_path, "a", "b")
    for extra in ([], ["--json"]):
        said = bakeoff(tmp_path, "task", "items", "secret", *extra)
        assert (said.returncode, "p1" in said.stdout, CANARY in said.stdout) == (0, True, False)
