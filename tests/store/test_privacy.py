"""What leaves the folder of a private run: texts are withheld, whatever field they stand in."""

import dataclasses
import stat

import orjson

from bakeoff.nouns import (
    Failure,
    FailureKind,
    Message,
    OptionScore,
    Outcome,
    Part,
    Response,
    Sample,
    Score,
    Turn,
)
from bakeoff.store.files import shut
from bakeoff.store.privacy import leaving, withheld, without_texts
from tests.store.test_manifest import MANIFEST

CANARY = "zephyrcanary"
# Texts that are no item's and no answer's: what a server says of itself, and which of the task's stops fired.
KNOWN = {"served_by", "fingerprint", "stop"}
IDS = {"item_id", "group", "item_digest", "shots"}


def response():
    texts = {
        field.name: CANARY
        for field in dataclasses.fields(Response)
        if field.type in ("str", str, "str | None", str | None) and field.name not in KNOWN
    }
    assert {"text", "reasoning", "refusal"} <= set(texts)
    return Response(
        **texts,
        options=(OptionScore(-1.0, 2),),
        failure=Failure(FailureKind.SERVER, CANARY, 500),
        stages={"passages": [{"id": "p", "text": CANARY}], "note": CANARY},
    )


def sample():
    asked = (Message("user", (Part("text", CANARY), Part("image", CANARY, "image/png"))),)
    return Sample(
        item_id="i1",
        repeat=0,
        group="g",
        choices=(CANARY, CANARY),
        target=(CANARY,),
        continuations=(CANARY,),
        shots=("i2",),
        seed=3,
        turns=(Turn(CANARY, response()), Turn(asked, response())),
        score=Score(Outcome.SCORED, 1.0, CANARY, CANARY, "exact@1"),
        leads=(CANARY,),
        item_digest="sha256:" + 64 * "a",
        metadata={"note": CANARY, "list": [CANARY]},
    )


def test_every_field_that_can_hold_a_text_is_withheld():
    made = sample()
    filled = {field.name for field in dataclasses.fields(Sample) if getattr(made, field.name)}
    assert filled | {"repeat", "cached", "cost"} == {field.name for field in dataclasses.fields(Sample)}
    found = without_texts(made)
    assert CANARY not in orjson.dumps(found).decode()
    for name in IDS:
        assert getattr(found, name) == getattr(made, name)
    assert (found.score.outcome, found.score.value, found.seed) == (made.score.outcome, 1.0, 3)
    assert found.turns[0].input == "withheld: 12 characters, item sha256:aaaaaaaaaaaa…"
    # An index says which choice is right and nothing of what it says.
    assert without_texts(dataclasses.replace(made, target=1)).target == 1


def test_only_private_samples_are_withheld():
    for private in (False, True):
        manifest = MANIFEST.model_copy(update={"task": MANIFEST.task.model_copy(update={"private": private})})
        (found,) = leaving(manifest, [sample()])
        assert (CANARY in orjson.dumps(found).decode()) != private


def test_nothing_stands_for_nothing():
    assert withheld("") == ""
    assert withheld("a") == "withheld: 1 characters"


def test_a_shut_folder_is_its_owners_alone(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("/etc/hostname")
    before = stat.S_IMODE((tmp_path / "link").stat().st_mode)
    shut(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "link").stat().st_mode) == before
