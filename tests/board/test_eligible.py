"""What can be told of a model before it is queued: by what is said of it, and by its real files."""

import json
import math
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from huggingface_hub import constants
from sqlalchemy import update

from bakeoff.board.definition import Eligibility, load_board
from bakeoff.board.entry.eligible import NotEligibleError, as_found, check_stated, obstacles
from bakeoff.board.life import State
from bakeoff.board.registry import register
from bakeoff.board.submissions import Model, get, submit
from bakeoff.board.work.evaluating import _fault, enqueue, handler
from bakeoff.board.work.settling import settle
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.database.tables import job as job_table
from bakeoff.errors import ModelError, StoreError, TaskError
from bakeoff.jobs import Fault, jobs, work
from bakeoff.model.found import Found
from bakeoff.model.gguf.found import found_in_file
from tests.board.making import BOARD, model
from tests.model.gguf.files import STRING, entry, gguf, tensor

COMMIT = "c" * 40
SETTINGS = {"hf": {"device": "cpu"}, "gguf": {"context_length": "256"}}
PINNED = f"hf:org/name@{COMMIT}"
MIT = Eligibility(licences=("mit", "apache-2.0"))
SMALL = Eligibility(max_parameters=3.0)
WHOLE = Found(parameters=2_000_000_000, licence="mit", card=500, architecture="LlamaForCausalLM")
SAID = model(licence="mit", parameters=2.0)


def _said(rules, said=SAID, way="weights", **how):
    return list(obstacles(rules, said, way, **how))


@pytest.mark.parametrize(
    ("rules", "said", "how", "says"),
    [
        (MIT, model(), {"way": "endpoint"}, "its licence is not stated"),
        (MIT, model(), {"found": Found(card=500)}, "its licence is not stated"),
        (MIT, model(licence="gpl-3.0"), {}, "its licence is gpl-3.0, and the board is for mit, apache-2.0"),
        (MIT, model(), {"found": Found(licence="gpl-3.0", card=500)}, "its licence is gpl-3.0"),
        (Eligibility(), SAID, {"found": Found(licence="apache-2.0", card=500)}, "says mit: hand it in"),
        (SMALL, model(), {"way": "predictions"}, "its size is not stated"),
        (SMALL, model(licence="mit"), {"found": Found(card=500)}, "its size is not stated"),
        (SMALL, model(parameters=7.0), {}, "7 billion parameters, and the board is for up to 3 billion"),
        (SMALL, SAID, {"found": Found(parameters=7_240_000_000, card=500)}, "7.24 billion parameters"),
        (SMALL, model(parameters=math.nan), {}, "given as nan billion"),
        (SMALL, model(parameters=-1.0), {}, "given as -1 billion"),
        (Eligibility(), model(parameters=math.inf), {}, "given as inf billion"),
        (Eligibility(openness="weights"), SAID, {"way": "endpoint"}, "is for open weights"),
        (Eligibility(), SAID, {"found": Found(card=12)}, "has 12 characters, and the board asks for 200"),
        (Eligibility(), model(), {"found": Found()}, "neither a model card nor a licence"),
        (
            Eligibility(),
            SAID,
            {"found": Found(card=500, own_code=("XConfig",))},
            "(XConfig), which is never run",
        ),
        (Eligibility(), model(weight_type="merge"), {}, "it is a merge"),
        (Eligibility(), SAID, {"found": Found(card=500, weight_type="adapter")}, "it is an adapter"),
        (Eligibility(), SAID, {"ref": "hf:org/name"}, "write hf:org/name@COMMIT"),
        (Eligibility(), SAID, {"ref": "vllm:org/name@main"}, "is not pinned"),
        (Eligibility(), SAID, {"ref": f"hf:org/name@{COMMIT[:7]}"}, "is not pinned"),
        (Eligibility(), SAID, {"ref": "hf:what is this?"}, "can be no model on the hub"),
    ],
)
def test_each_obstacle_is_said_alone(rules, said, how, says):
    (found,) = _said(rules, said, **how)
    assert says in found


@pytest.mark.parametrize(
    ("rules", "said", "how"),
    [
        (Eligibility(), model(), {"ref": PINNED}),
        (MIT, model(), {"ref": PINNED}),  # its files may say
        (SMALL, model(), {"ref": PINNED}),
        (MIT, model(licence="Apache-2.0"), {"ref": PINNED}),
        (MIT, model(), {"found": Found(licence="mit", card=200)}),
        (MIT, SAID, {"found": Found(card=200)}),
        (MIT, SAID, {"found": Found()}),
        (MIT, model(licence="MIT "), {"found": WHOLE}),
        (SMALL, model(), {"found": WHOLE}),
        (SMALL, model(parameters=70.0), {"found": WHOLE}),
        (Eligibility(), model(weight_type="merge", base="org/base"), {}),
        (Eligibility(), model(), {"found": Found(card=200, weight_type="adapter", base=("org/base",))}),
        (Eligibility(card=0), model(), {"found": Found(card=0)}),
        (Eligibility(card=0), model(), {"found": Found()}),
        (Eligibility(), model(), {"way": "endpoint", "ref": "https://host/v1#name", "found": Found()}),
        (Eligibility(), model(), {"way": "predictions", "ref": "recorded:a.jsonl", "found": Found()}),
        (Eligibility(), SAID, {"ref": "gguf:smollm2"}),
        (Eligibility(), SAID, {"ref": "hf:smollm2"}),
        (Eligibility(), SAID, {"ref": "hf:/models/name"}),
    ],
)
def test_what_fits_the_rules_meets_none(rules, said, how):
    assert _said(rules, said, **how) == []


def test_all_obstacles_come_at_once():
    rules = Eligibility(licences=("mit",), max_parameters=1.0, openness="weights")
    said = model(licence="apache-2.0", parameters=0.5, weight_type="adapter")
    found = Found(parameters=7_000_000_000, licence="gpl-3.0", card=3, own_code=("XConfig",))
    told = _said(rules, said, ref="hf:org/name", found=found)
    assert len(told) == 7
    assert len(set(told)) == 7


def test_what_is_said_is_checked_before_anything_is_queued():
    strict = BOARD.model_copy(update={"eligibility": Eligibility(licences=("mit",), max_parameters=1.0)})
    check_stated(strict, PINNED, model(licence="mit", parameters=0.5), "weights")
    with pytest.raises(NotEligibleError) as caught:
        check_stated(strict, "hf:org/name", model(licence="gpl-3.0", parameters=7.0), "weights")
    assert caught.value.exit_code == 1
    assert len(caught.value.hint.splitlines()) == 3


def test_files_are_believed_before_the_submitter_and_the_rest_is_marked():
    said = model(licence="mit", parameters=1.0, base="org/said", weight_type="original")
    found = Found(parameters=134_515_008, base=("org/a", "org/b"), weight_type="quantised")
    told = as_found(said, found)
    assert (told.parameters, told.base, told.weight_type) == (0.134515008, "org/a, org/b", "quantised")
    assert (told.licence, told.stated) == ("mit", "licence")
    assert as_found(said, Found()).stated == "licence, parameters, base"
    assert as_found(model(), Found()).stated == ""


def test_what_is_stated_is_kept_with_the_submission(engine):
    stated = as_found(model(licence="mit"), Found())
    with writing(engine) as connection:
        register(connection, BOARD, actor="ann")
        made = submit(connection, BOARD, stated, organisation="org", submitter="ann")
        assert get(connection, made.id).model == stated


# Real files, a real worker.


@pytest.fixture
def board(tmp_path):
    items = [{"id": f"i{each}", "input": f"{each}?", "target": str(each)} for each in range(6)]
    task = {"name": "one", "data": {"items": items}, "scorer": "exact", "generation": {"max_tokens": 2}}
    (tmp_path / "one.yaml").write_text(json.dumps(task))
    (tmp_path / "small.yaml").write_text(
        "name: small\ncolumns:\n  - {name: One, parts: [{tasks: one.yaml}]}\n"
    )
    path = tmp_path / "board.yaml"
    path.write_text("name: little\nversion: 1\nsince: 2026-01-01\nsuites: [{suite: small.yaml}]\n")
    return load_board(path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A checkpoint that the board takes."""
    from tests.model.hf.toy import saved, toy_llama, toy_tokenizer

    tokenizer = toy_tokenizer()
    folder = saved(tmp_path_factory.mktemp("whole") / "toy", toy_llama(len(tokenizer)), tokenizer)
    (folder / "README.md").write_text("---\nlicense: mit\n---\n" + "word " * 50)
    return folder


@pytest.fixture
def checkpoint(whole, tmp_path):
    """A copy to spoil."""
    return shutil.copytree(whole, tmp_path / "toy")


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub's cache of our own, and no network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def _looked_at(engine, board, ref, folder, said=None):
    """The submission after a worker's look, its last job, and the reason it was given."""
    said = said or Model(name=ref, revision="", engine=ref.partition(":")[0])
    stop = threading.Event()

    def look(job, steps):
        if job.kind == "evaluate":  # the rest is tested elsewhere
            stop.set()
            steps.step()
        handler(engine, folder / "runs")(job, steps)

    with writing(engine) as connection:
        register(connection, board, actor="ann")
        made = submit(connection, board, said, organisation="org", submitter="ann")
        enqueue(connection, board, made, model=ref, settings=SETTINGS[ref.partition(":")[0]], actor="ann")
    work(engine, "w", look, stop=stop, offers=["hf", "gguf"], until_empty=True)
    with reading(engine) as connection:
        reasons = [each.reason for each in events(connection, f"submission {made.id}") if each.reason]
        return get(connection, made.id), list(jobs(engine))[-1], "; ".join(reasons)


def test_a_whole_checkpoint_is_queued_with_what_its_files_say(engine, board, whole, tmp_path):
    found, _, _ = _looked_at(engine, board, f"hf:{whole}", tmp_path)
    assert found.state is State.QUEUED
    assert (found.model.licence, found.model.stated) == ("mit", "")
    assert found.model.parameters == pytest.approx(3.4e-5, rel=0.2)


def test_a_commit_in_the_hubs_layout_is_queued_and_a_branch_is_not(engine, board, whole, tmp_path, hub):
    repository = hub / "models--org--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    shutil.copytree(whole, repository / "snapshots" / COMMIT)
    found, _, _ = _looked_at(engine, board, PINNED, tmp_path)
    assert (found.state, found.model.revision) == (State.QUEUED, COMMIT)
    found, _, reason = _looked_at(engine, board, "hf:org/name@main", tmp_path)
    assert found.state is State.REJECTED
    assert "is not pinned" in reason


def test_a_checkpoint_that_breaks_several_rules_is_told_all_of_them(engine, board, checkpoint, tmp_path):
    (checkpoint / "README.md").write_text("---\nlicense: mit\ntags: [merge]\n---\nShort.")
    config = json.loads((checkpoint / "config.json").read_text())
    auto_map = {"AutoModelForCausalLM": "modeling_x.XForCausalLM"}
    (checkpoint / "config.json").write_text(json.dumps(config | {"auto_map": auto_map}))
    said = Model(name="x", revision="", engine="hf", licence="apache-2.0")
    found, _, reason = _looked_at(engine, board, f"hf:{checkpoint}", tmp_path, said)
    assert found.state is State.REJECTED
    for each in ("licence is mit", "a merge", "6 characters", "XForCausalLM"):
        assert each in reason


def test_a_model_that_changes_after_the_look_gets_no_scores(engine, board, checkpoint, tmp_path):
    from tests.model.hf.toy import toy_llama, toy_tokenizer

    found, _, _ = _looked_at(engine, board, f"hf:{checkpoint}", tmp_path)
    assert found.state is State.QUEUED
    toy_llama(len(toy_tokenizer()), seed=1).save_pretrained(checkpoint)
    with engine.begin() as connection:  # the first worker put it back, for a while
        connection.execute(update(job_table).values(not_before=0))
    stop = threading.Event()
    work(engine, "w", handler(engine, tmp_path / "runs"), stop=stop, offers=["hf"], until_empty=True)
    with reading(engine) as connection:
        found = get(connection, found.id)
        (reason,) = [each.reason for each in events(connection) if each.kind == "submission failed"]
    assert (found.state, found.scores) == (State.FAILED, None)
    assert "is not what it was" in reason


def _missing_config(folder):
    (folder / "config.json").unlink()


def _missing_weights(folder):
    (folder / "model.safetensors").unlink()


def _cut_off(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


def _own_code(folder):
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "x", "auto_map": {"AutoConfig": "configuration_x.XConfig"}}
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_missing_config, "no config.json"),
        (_missing_weights, "no weights in safetensors"),
        (_cut_off, "cannot be loaded"),
        (_own_code, "code of its own, which is never run"),
    ],
)
def test_a_broken_checkpoint_fails_once_and_says_why(engine, board, checkpoint, tmp_path, spoil, says):
    spoil(checkpoint)
    found, job, reason = _looked_at(engine, board, f"hf:{checkpoint}", tmp_path)
    assert (found.state, job.fault, job.attempts) == (State.FAILED, Fault.MODEL, 1)
    assert says in reason


GGUF = gguf([entry("general.architecture", STRING, "llama")], [tensor("a", 0)], b"\0" * 64)


@pytest.mark.parametrize(
    ("kept", "says"), [(len(GGUF) - 64, "is incomplete"), (60, "damaged"), (0, "not a GGUF")]
)
def test_a_gguf_file_that_was_cut_off_fails_once_and_says_why(engine, board, tmp_path, kept, says):
    (tmp_path / "cut.gguf").write_bytes(GGUF[:kept])
    found, job, reason = _looked_at(engine, board, f"gguf:{tmp_path / 'cut.gguf'}", tmp_path)
    assert (found.state, job.fault, job.attempts) == (State.FAILED, Fault.MODEL, 1)
    assert says in reason


def test_a_hub_out_of_reach_is_ours_and_tried_again_until_it_is_given_up(engine, board, tmp_path, hub):
    found, job, _ = _looked_at(engine, board, PINNED, tmp_path)
    assert (found.state, job.fault, job.attempts) == (State.VALIDATING, Fault.OURS, 1)
    stop = threading.Event()
    for _ in range(job.max_attempts - 1):
        with engine.begin() as connection:  # its pause is over
            connection.execute(update(job_table).values(not_before=0))
        work(engine, "w", handler(engine, tmp_path / "runs"), stop=stop, offers=["hf"], until_empty=True)
    with writing(engine) as connection:
        settle(connection)
    with reading(engine) as connection:
        assert get(connection, found.id).state is State.FAILED
        (reason,) = [each.reason for each in events(connection) if each.kind == "submission failed"]
    assert "cannot be reached" in reason


@pytest.fixture
def refusing_hub(hub, monkeypatch):
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
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        yield answer
        server.shutdown()


@pytest.mark.parametrize(
    ("status", "code", "says"),
    [
        (403, "GatedRepo", "is gated"),
        (404, "RepoNotFound", "the hub has no model org/name"),
        (404, "RevisionNotFound", "has no revision"),
    ],
)
def test_what_the_hub_refuses_is_the_submitters_to_mend(
    engine, board, tmp_path, refusing_hub, status, code, says
):
    refusing_hub.update(status=status, code=code)
    found, job, reason = _looked_at(engine, board, PINNED, tmp_path)
    assert (found.state, job.fault, job.attempts) == (State.FAILED, Fault.SUBMITTER, 1)
    assert says in reason


def test_a_full_disk_says_nothing_of_the_model():
    def unreadable(place, mode):
        try:
            with open(place, mode, buffering=0) as file:  # noqa: PTH123
                file.write(b"x")
        except OSError as error:
            try:
                raise ModelError("cannot be unpacked") from error
            except ModelError as raised:
                return raised
        raise AssertionError(f"{place} took it")

    assert _fault(unreadable("/dev/full", "wb")) is Fault.OURS
    assert _fault(unreadable("/no/such/file", "rb")) is Fault.MODEL
    assert _fault(ModelError("has no config.json")) is Fault.MODEL
    assert _fault(TaskError("a mistake in a task")) is _fault(StoreError("a full disk")) is Fault.OURS


@pytest.mark.parametrize("ref", ["gguf:smollm2", "hf:smollm2"])
def test_a_packaged_model_meets_no_obstacle_on_a_board_of_defaults(smollm2_path, ref):
    found = found_in_file(smollm2_path)
    assert _said(Eligibility(), model(), ref=ref, found=found) == []
    assert (
        _said(Eligibility(licences=("apache-2.0",), max_parameters=0.2), model(), ref=ref, found=found) == []
    )


@pytest.mark.model
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_packaged_model_is_queued_with_what_its_file_says(engine, board, tmp_path, smollm2_path):
    assert smollm2_path.is_file()
    found, _, reason = _looked_at(engine, board, "gguf:smollm2", tmp_path)
    assert (found.state, reason) == (State.QUEUED, "")
    assert (found.model.licence, found.model.weight_type) == ("apache-2.0", "quantised")
    assert (found.model.parameters, found.model.stated) == (0.134515008, "")
