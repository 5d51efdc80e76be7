import pytest
import torch

from bakeoff.model.hf.dequantise import dequantised
from tests.model.hf.toy import toy_gpt2, toy_llama, toy_tokenizer


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tokenizer():
    return toy_tokenizer()


@pytest.fixture(scope="session", params=[toy_llama, toy_gpt2], ids=["llama", "gpt2"])
def toy_model(request, tokenizer):
    return request.param(len(tokenizer))


@pytest.fixture(scope="session")
def smollm2_folder(smollm2_path):
    """SmolLM2 in float32, from the cache (BAKEOFF_CACHE) or unpacked into it."""
    return dequantised(smollm2_path)[0]
