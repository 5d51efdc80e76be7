import pytest

from bakeoff.errors import ModelError
from bakeoff.model.remote import AnthropicModel, OpenAIModel
from bakeoff.model.remote.settings import OPENAI, read_settings

LOCAL = {"base_url": "http://127.0.0.1:1/v1"}


def test_an_unknown_setting_is_refused_with_the_nearest():
    with pytest.raises(ModelError, match="Did you mean 'concurrency'"):
        OpenAIModel("m", LOCAL | {"concurency": "4"})
    with pytest.raises(ModelError, match="has no setting 'api'"):
        AnthropicModel("m", LOCAL | {"api": "chat"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("concurrency", "0"),
        ("concurrency", "many"),
        ("deadline_s", "-1"),
        ("deadline_s", "nan"),
        ("stall_s", "inf"),
        ("attempts", "0"),
        ("stream", "maybe"),
        ("stops", "both"),
        ("api", "responses"),
        ("omit", "temperature,model"),
        ("max_tokens_field", "tokens"),
        ("price_in", "-1"),
        ("max_tokens_total", "0"),
        ("body", "{"),
        ("body", "[1]"),
        ("body", '{"messages": []}'),
        ("body", '{"n": 2}'),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(name, value):
    with pytest.raises(ModelError, match=name):
        read_settings("openai", {name: value}, OPENAI)


def test_a_limit_in_money_needs_prices():
    with pytest.raises(ModelError, match="price_in"):
        read_settings("openai", {"max_cost": "1"}, OPENAI)
    free = {"max_cost": "1", "price_in": "0", "price_out": "10"}
    assert read_settings("openai", free, OPENAI).max_cost == 1.0
