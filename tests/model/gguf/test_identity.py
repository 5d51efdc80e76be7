"""What a GGUF file says of its model."""

import asyncio

import pytest

from bakeoff.errors import ModelError
from bakeoff.model.found import Found, found_from
from bakeoff.model.gguf import GgufModel
from bakeoff.model.gguf.found import found_in_file
from tests.model.gguf.files import STRING, U32, entry, gguf, strings, tensor

F16, Q4_1, BF16 = 1, 3, 30


TENSORS = (tensor("a", 0, (4, 6)), tensor("b", 128, (5,)))


def _file(tmp_path, *entries, tensors=TENSORS):
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf([entry("general.architecture", STRING, "llama"), *entries], tensors, b"\0" * 256))
    return path


def _of_type(kind):
    return tensor("a", 0)[:-12] + kind.to_bytes(4, "little") + tensor("a", 0)[-8:]


def _bases(*facts):
    made = [entry("general.base_model.count", U32, len(facts))]
    for place, each in enumerate(facts):
        made += [entry(f"general.base_model.{place}.{name}", STRING, text) for name, text in each.items()]
    return made


def test_the_metadata_says_licence_and_bases_and_the_tensors_how_many_weights(tmp_path):
    bases = _bases(
        {"name": "Base", "organization": "Org", "repo_url": "https://huggingface.co/org/base"},
        {"name": "Other", "organization": "Org"},
        {"name": "Alone"},
        {},
    )
    path = _file(tmp_path, entry("general.license", STRING, "Apache-2.0"), *bases)
    assert found_in_file(path) == Found(
        parameters=4 * 6 + 5,
        licence="apache-2.0",
        card=None,
        base=("org/base", "Org/Other", "Alone"),
        architecture="llama",
    )


def test_a_readme_beside_it_is_its_card_and_the_file_counts_first(tmp_path):
    (tmp_path / "README.md").write_text("---\nlicense: mit\nbase_model: org/x\ntags: [merge]\n---\nA text.")
    found = found_in_file(_file(tmp_path))
    assert (found.licence, found.base, found.weight_type, found.card) == ("mit", ("org/x",), "merge", 7)
    path = _file(tmp_path, entry("general.license", STRING, "apache-2.0"), *_bases({"name": "Y"}))
    found = found_in_file(path)
    assert (found.licence, found.base) == ("apache-2.0", ("Y",))


@pytest.mark.parametrize(
    ("entries", "tensors", "kind"),
    [
        ([], [_of_type(F16), _of_type(BF16)], ""),
        ([], [_of_type(F16), _of_type(Q4_1)], "quantised"),
        ([strings("general.tags", ["merge", "text-generation"])], [_of_type(F16)], "merge"),
        ([strings("general.tags", ["merge"])], [_of_type(Q4_1)], "quantised"),
        ([entry("general.type", STRING, "adapter")], [_of_type(F16)], "adapter"),
    ],
)
def test_the_kind_of_weights_is_in_their_types_and_the_metadata(tmp_path, entries, tensors, kind):
    assert found_in_file(_file(tmp_path, *entries, tensors=tensors)).weight_type == kind


def test_one_file_of_several_does_not_say_how_many_weights_there_are(tmp_path):
    assert found_in_file(_file(tmp_path, entry("split.count", U32, 3))).parameters is None
    assert found_in_file(_file(tmp_path, entry("split.count", U32, 1))).parameters == 29


@pytest.mark.parametrize(
    "odd",
    [
        entry("general.license", U32, 3),
        entry("general.license", STRING, "x" * 200),
        entry("general.base_model.count", U32, 2**32 - 1),
        entry("general.base_model.count", STRING, "many"),
        entry("general.tags", STRING, "merge"),
    ],
)
def test_odd_metadata_says_nothing(tmp_path, odd):
    assert found_in_file(_file(tmp_path, odd)) == Found(parameters=29, architecture="llama")


def test_a_tensor_of_too_many_dimensions_is_damage(tmp_path):
    with pytest.raises(ModelError, match="5 dimensions"):
        found_in_file(_file(tmp_path, tensors=[tensor("a", 0, (1, 1, 1, 1, 1))]))


# As the reader of the package gguf counts them.
def test_a_real_file_says_what_another_reader_says(smollm2_path):
    assert found_in_file(smollm2_path) == Found(
        parameters=134_515_008, licence="apache-2.0", weight_type="quantised", architecture="llama"
    )


@pytest.mark.model
def test_the_manifest_gets_what_the_file_says(smollm2_path):
    async def main():
        async with GgufModel(str(smollm2_path), {"context_length": "64"}) as model:
            return model.identity

    assert found_from(asyncio.run(main()).details) == found_in_file(smollm2_path)
