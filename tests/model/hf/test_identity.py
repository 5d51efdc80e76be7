"""What a folder says of its model, held against the model once it is loaded."""

import asyncio
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest
import torch
from huggingface_hub import constants
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import save_file

from bakeoff.errors import ModelError
from bakeoff.model.errors import MachineError, NotThereError
from bakeoff.model.found import found_from
from bakeoff.model.gguf.found import found_in_file
from bakeoff.model.hf import HfModel
from bakeoff.model.hf.found import found_in_folder, stored_parameters
from bakeoff.model.hf.source import find_source
from tests.model.hf.toy import saved, toy_gpt2, toy_llama

COMMIT = "c" * 40
SHORT_OF_MEMORY = """
import resource, sys, json, pathlib
from bakeoff.errors import ModelError
from bakeoff.model.hf.loading import load
from bakeoff.model.hf.settings import read_settings
import torch
folder = pathlib.Path(sys.argv[1])
settings = read_settings({"device": "cpu"})
load(folder, settings)
config = json.loads((folder / "config.json").read_text())
from safetensors.torch import load_file, save_file
weights = load_file(folder / "model.safetensors")
for name in ("model.embed_tokens.weight", "lm_head.weight"):
    weights[name] = torch.zeros(2_000_000, 32, dtype=torch.bfloat16)
save_file(weights, folder / "model.safetensors")
(folder / "config.json").write_text(json.dumps(config | {"vocab_size": 2_000_000}))
del weights
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000, -1))
try:
    load(folder, settings)
except ModelError as error:
    print(type(error).__name__, error)
"""
CARD = "---\nlicense: Apache-2.0\nbase_model: org/base\n---\n" + "word " * 50


@pytest.fixture(scope="module")
def whole(tmp_path_factory, tokenizer):
    folder = saved(tmp_path_factory.mktemp("whole") / "toy", toy_llama(len(tokenizer)), tokenizer)
    (folder / "README.md").write_text(CARD)
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    """A copy to spoil."""
    return shutil.copytree(whole, tmp_path / "toy")


def _config(folder, name="config.json", **changes):
    path = folder / name
    before = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(before | changes))


def _identity(name, **given):
    async def main():
        async with HfModel(str(name), {"device": "cpu", **given}) as model:
            return model.identity

    return asyncio.run(main())


def test_the_manifest_gets_what_the_folder_says(whole):
    identity = _identity(whole)
    found = found_from(identity.details)
    assert found == find_source(str(whole), pickled_weights=False).found
    assert (found.licence, found.base, found.card) == ("apache-2.0", ("org/base",), 249)
    assert (found.architecture, found.weight_type, found.own_code) == ("LlamaForCausalLM", "", ())


def test_what_is_said_of_a_model_is_no_part_of_who_it_is(whole, folder):
    (folder / "README.md").write_text("Another card.")
    one, other = _identity(whole), _identity(folder)
    assert one.details != other.details
    assert replace(one, details={}) == replace(other, details={})


@pytest.mark.parametrize("toy", [toy_llama, toy_gpt2])
@pytest.mark.parametrize("shard", ["1GB", "20KB"])
def test_weights_are_counted_from_headers_as_the_loaded_model_counts_them(tmp_path, tokenizer, toy, shard):
    model = toy(len(tokenizer))
    model.save_pretrained(tmp_path, max_shard_size=shard)
    assert len(list(tmp_path.glob("*.safetensors"))) > 1 or shard == "1GB"
    assert stored_parameters(tmp_path) == model.num_parameters()
    # Mistral's own layout holds all weights again.
    save_file({"all": torch.zeros(999)}, tmp_path / "consolidated.safetensors")
    assert stored_parameters(tmp_path) == model.num_parameters()


def test_pickled_weights_are_counted_once_they_are_loaded(folder, tokenizer):
    model = toy_llama(len(tokenizer))
    (folder / "model.safetensors").unlink()
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    assert found_in_folder(folder).parameters is None
    found = found_from(_identity(folder, pickled_weights="true").details)
    assert found.parameters == model.num_parameters()


# One matrix of 64 by 32 weights, and a norm of 32, as each method stores them.
@pytest.mark.parametrize(
    ("config", "tensors"),
    [
        (
            {"quant_method": "gptq", "bits": 4},
            {
                "q.qweight": torch.zeros(8, 32, dtype=torch.int32),
                "q.qzeros": torch.zeros(1, 4, dtype=torch.int32),
                "q.scales": torch.zeros(1, 32),
                "q.g_idx": torch.zeros(64, dtype=torch.int32),
            },
        ),
        ({"quant_method": "gptq", "bits": 3}, {"q.qweight": torch.zeros(6, 32, dtype=torch.int32)}),
        ({"quant_method": "awq", "bits": 4}, {"q.qweight": torch.zeros(64, 4, dtype=torch.int32)}),
        (
            {"quant_method": "bitsandbytes", "load_in_4bit": True, "load_in_8bit": False},
            {
                "q.weight": torch.zeros(1024, 1, dtype=torch.uint8),
                "q.weight.absmax": torch.zeros(32),
                "q.weight.quant_map": torch.zeros(16),
                "q.weight.quant_state.bitsandbytes__nf4": torch.zeros(80, dtype=torch.uint8),
            },
        ),
        (
            {"quant_method": "bitsandbytes", "load_in_8bit": True},
            {"q.weight": torch.zeros(64, 32, dtype=torch.int8), "q.SCB": torch.zeros(64)},
        ),
        (
            {"quant_method": "fp8"},
            {
                "q.weight": torch.zeros(64, 32).to(torch.float8_e4m3fn),
                "q.weight_scale_inv": torch.zeros(1, 1),
            },
        ),
        (
            {"quant_method": "mxfp4"},
            {
                "q_blocks": torch.zeros(64, 1, 16, dtype=torch.uint8),
                "q_scales": torch.zeros(64, 1, dtype=torch.uint8),
            },
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 4}}},
            },
            {
                "q.weight_packed": torch.zeros(64, 4, dtype=torch.int32),
                "q.weight_scale": torch.zeros(64, 1),
                "q.weight_shape": torch.zeros(2, dtype=torch.int64),
            },
        ),
    ],
    ids=["gptq4", "gptq3", "awq4", "nf4", "int8", "fp8", "mxfp4", "compressed"],
)
def test_packed_weights_count_as_what_they_hold(tmp_path, config, tensors):
    _config(tmp_path, quantization_config=config)
    save_file(tensors | {"norm.weight": torch.zeros(32)}, tmp_path / "model.safetensors")
    found = found_in_folder(tmp_path)
    assert found.parameters == 64 * 32 + 32
    assert found.weight_type == "quantised"


def test_what_is_packed_in_an_unknown_way_is_not_counted(tmp_path):
    _config(tmp_path, quantization_config={"quant_method": "new"})
    save_file({"q.weight": torch.zeros(8, dtype=torch.int32)}, tmp_path / "model.safetensors")
    assert stored_parameters(tmp_path) is None


def test_positions_and_masks_are_no_weights(tmp_path):
    save_file(
        {
            "weight": torch.zeros(7),
            "positions": torch.zeros(9, dtype=torch.int64),
            "mask": torch.zeros(9, dtype=torch.bool),
        },
        tmp_path / "model.safetensors",
    )
    assert stored_parameters(tmp_path) == 7


def test_an_adapter_names_its_base_and_the_card_counts_first(folder):
    _config(folder, "adapter_config.json", base_model_name_or_path="org/under")
    assert found_in_folder(folder).base == ("org/base",)
    (folder / "README.md").unlink()
    found = found_in_folder(folder)
    assert (found.weight_type, found.base, found.card) == ("adapter", ("org/under",), 0)


@pytest.mark.parametrize(
    ("file", "named", "own"),
    [
        ("config.json", {"AutoModelForCausalLM": "modeling_x.XForCausalLM"}, ("XForCausalLM",)),
        ("config.json", {"AutoConfig": "org/code--configuration_x.XConfig"}, ("XConfig",)),
        ("tokenizer_config.json", {"AutoTokenizer": ["tokenization_x.XTokenizer", None]}, ("XTokenizer",)),
        # Taken up by transformers under the same name, and so run from there.
        ("config.json", {"AutoModelForCausalLM": "modeling_phi3.Phi3ForCausalLM"}, ()),
        # Not what we load it by.
        ("config.json", {"AutoModelForSequenceClassification": "modeling_x.XForSequenceClassification"}, ()),
    ],
)
def test_classes_of_its_own_that_a_model_asks_for_are_named(folder, file, named, own):
    _config(folder, file, auto_map=named)
    assert found_in_folder(folder).own_code == own


@pytest.mark.parametrize("file", ["config.json", "model.safetensors", "model.safetensors.index.json"])
@given(junk=st.binary(max_size=64))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_say_nothing_and_raise_nothing(whole, tmp_path_factory, file, junk):
    folder = tmp_path_factory.mktemp("damaged")
    shutil.copytree(whole, folder, dirs_exist_ok=True)
    (folder / file).write_bytes(junk)
    found = found_in_folder(folder)
    assert found.licence == "apache-2.0"
    assert file != "model.safetensors" or found.parameters is None


@pytest.mark.parametrize(
    "config",
    [
        {"architectures": "text"},
        {"architectures": [3]},
        {"architectures": []},
        {"auto_map": ["x"]},
        {"auto_map": {"AutoConfig": 7}},
        {"quantization_config": {"config_groups": {"g": None}, "bits": "4"}},
        {"quantization_config": "gptq"},
    ],
)
def test_odd_configurations_raise_nothing(folder, config):
    _config(folder, **config)
    assert found_in_folder(folder).licence == "apache-2.0"


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub cache of our own, and no network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path


@pytest.mark.parametrize("name", ["org/toy", "org/toy@main", f"org/toy@{COMMIT}"])
def test_in_the_hubs_layout_the_card_is_read_from_the_snapshot(hub, whole, name):
    repository = hub / "models--org--toy"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    shutil.copytree(whole, repository / "snapshots" / COMMIT)
    source = find_source(name, pickled_weights=False)
    assert source.revision == COMMIT
    assert source.found == found_in_folder(whole)


def test_a_dequantised_file_says_what_the_file_said(smollm2_folder, smollm2_path):
    source = find_source(str(smollm2_path), pickled_weights=False)
    assert source.folder == smollm2_folder
    assert source.found == found_in_file(smollm2_path)


def _missing_config(folder):
    (folder / "config.json").unlink()


def _missing_weights(folder):
    (folder / "model.safetensors").unlink()


def _cut_off(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


def _own_code(folder):
    _config(folder, model_type="x", architectures=["XForCausalLM"], auto_map={"AutoConfig": "code.XConfig"})


def _other_shapes(folder):
    _config(folder, hidden_size=16)


def _impossible(folder):
    _config(folder, num_attention_heads=5)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_missing_config, r"no config\.json"),
        (_missing_weights, "no weights in safetensors"),
        (_cut_off, "cannot be loaded"),
        (_own_code, "code of its own"),
        (_other_shapes, "other shapes than its config"),
        (_impossible, "cannot be loaded"),
    ],
)
def test_a_broken_checkpoint_is_the_models_own_fault(folder, spoil, says):
    spoil(folder)
    with pytest.raises(ModelError, match=says) as caught:
        _identity(folder)
    assert not isinstance(caught.value, NotThereError | MachineError)


@pytest.mark.parametrize("name", ["a--b/c", "org/na..me", "org/name@../../x"])
def test_what_can_be_no_name_on_the_hub_is_not_asked_for(name):
    with pytest.raises(NotThereError, match="neither a file or folder here"):
        find_source(name, pickled_weights=False)


def test_a_library_that_is_not_installed_is_this_machines_fault(folder):
    if find_spec("optimum") is not None:
        pytest.skip("optimum is installed")
    _config(folder, quantization_config={"quant_method": "gptq", "bits": 4})
    with pytest.raises(MachineError, match="optimum"):
        _identity(folder)


def test_a_device_that_is_not_there_is_this_machines_fault(folder):
    with pytest.raises(MachineError, match="cannot be used"):
        _identity(folder, device="cuda:99")


def test_a_model_larger_than_the_memory_is_the_models_fault(folder):
    """In a process of its own, which may use only a little more memory than it has."""
    done = subprocess.run(
        [sys.executable, "-c", SHORT_OF_MEMORY, str(folder)], capture_output=True, text=True
    )
    assert done.stdout.startswith("ModelError the model toy does not fit the memory of cpu"), done.stderr


def test_a_hub_that_is_out_of_reach_is_this_machines_fault(hub):
    with pytest.raises(MachineError, match="cannot be reached"):
        find_source(f"org/none@{COMMIT}", pickled_weights=False)
