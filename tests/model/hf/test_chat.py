import pytest

from bakeoff.errors import ModelError
from bakeoff.model.hf.chat import prompt_text, takes_system
from bakeoff.nouns import Message
from tests.model.hf.toy import CHAT, toy_tokenizer

SYSTEM = Message.of("system", "Be brief.")
USER = Message.of("user", "Hi")
# As Gemma's does.
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    + CHAT
)
DROPS_SYSTEM = "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endfor %}"


def test_messages_are_rendered_with_a_generation_prompt():
    assert prompt_text(toy_tokenizer(), (SYSTEM, USER), {}) == "[system]Be brief.\n[user]Hi\n[assistant]"


def test_a_plain_prompt_is_sent_as_it_is():
    assert prompt_text(toy_tokenizer(template=None), " as it is \n", {}) == " as it is \n"


def test_a_last_message_of_the_assistant_is_left_open():
    text = prompt_text(toy_tokenizer(), (USER, Message.of("assistant", "The answer is")), {})
    assert text == "[user]Hi\n[assistant]The answer is"


@pytest.mark.parametrize("template", [NO_SYSTEM, DROPS_SYSTEM], ids=["refuses it", "drops it"])
def test_a_system_message_without_a_place_goes_before_the_first_user_message(template):
    tokenizer = toy_tokenizer(template=template)
    assert not takes_system(tokenizer, {})
    text = prompt_text(tokenizer, (SYSTEM, USER), {})
    assert text.startswith("[user]Be brief.\n\nHi")
    assert prompt_text(tokenizer, (SYSTEM,), {}).startswith("[user]Be brief.")
    assert prompt_text(tokenizer, (USER,), {}).startswith("[user]Hi")


def test_lm_evals_mode_leaves_the_system_message_to_the_template():
    assert "brief" not in prompt_text(toy_tokenizer(template=DROPS_SYSTEM), (SYSTEM, USER), {}, "lm-eval")
    with pytest.raises(ModelError, match="System role not supported"):
        prompt_text(toy_tokenizer(template=NO_SYSTEM), (SYSTEM, USER), {}, "lm-eval")


def test_a_system_message_that_has_its_place_stays_there():
    assert takes_system(toy_tokenizer(), {})
    assert prompt_text(toy_tokenizer(), (SYSTEM, USER), {}).startswith("[system]Be brief.")


def test_a_template_that_drops_the_system_message_of_some_conversations_is_an_error():
    late = "{% for m in messages if m.role != 'system' or messages|length < 3 %}{{ m.content }}{% endfor %}"
    tokenizer = toy_tokenizer(template=late)
    assert takes_system(tokenizer, {})
    with pytest.raises(ModelError, match="leaves a system message out"):
        prompt_text(tokenizer, (SYSTEM, USER, USER), {})


def test_a_model_without_a_template_asks_for_a_plain_prompt():
    with pytest.raises(ModelError, match="no chat template") as caught:
        prompt_text(toy_tokenizer(template=None), (USER,), {})
    assert "plain-text variant" in caught.value.hint


def test_template_arguments_reach_the_template():
    tokenizer = toy_tokenizer(template=CHAT + "{% if not enable_thinking %}<think></think>{% endif %}")
    assert prompt_text(tokenizer, (USER,), {"enable_thinking": False}).endswith("<think></think>")
    assert prompt_text(tokenizer, (USER,), {"enable_thinking": True}).endswith("[assistant]")
