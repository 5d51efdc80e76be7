import pytest

from bakeoff.errors import ModelError
from bakeoff.model.vllm.settings import read_settings


def test_what_is_not_set_is_left_to_vllm():
    settings = read_settings({})
    assert (settings.context_length, settings.quantization, settings.gpu_memory) == (None, None, None)
    assert (settings.tensor_parallel, settings.data_parallel, settings.dtype) == (1, 1, "auto")
    assert settings.prefix_caching
    assert not settings.eager


def test_settings_are_read_from_text():
    settings = read_settings(
        {
            "tensor_parallel": "4",
            "gpu_memory": "0.85",
            "eager": "yes",
            "template.enable_thinking": "false",
            "encoding": "lm-eval",
        }
    )
    assert (settings.tensor_parallel, settings.gpu_memory, settings.eager) == (4, 0.85, True)
    assert settings.template == {"enable_thinking": False}
    assert settings.encoding == "lm-eval"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("gpu_memory", "85", "above 0 and at most 1"),
        ("gpu_memory", "all", "above 0 and at most 1"),
        ("gpu_memory", "0", "above 0 and at most 1"),
        ("gpu_memory", "nan", "above 0 and at most 1"),
        ("tensor_parallel", "0", "at least 1"),
        ("data_parallel", "two", "at least 1"),
        ("context_length", "1", "at least 2"),
        ("dtype", "int4", "auto, float32, bfloat16, float16"),
        ("encoding", "mine", "corrected, lm-eval"),
        ("eager", "maybe", "true or false"),
        ("tensor_paralel", "2", "Did you mean 'tensor_parallel'?"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_may_be(name, value, says):
    with pytest.raises(ModelError) as error:
        read_settings({name: value})
    assert name in str(error.value)
    assert says in str(error.value)
