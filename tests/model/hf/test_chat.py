import pytest

from bakeoff.errors import ModelError
from bakeoff.model.hf.chat import prompt_text
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


def test_a_template_that_refuses_a_system_message_is_an_error_not_a_shorter_prompt():
    tokenizer = toy_tokenizer(template=NO_SYSTEM)
    with pytest.raises(ModelError, match="system message: System role not supported") as caught:
        prompt_text(tokenizer, (SYSTEM, USER), {})
    assert "without a system text" in caught.value.hint
    assert prompt_text(tokenizer, (USER,), {}).startswith("[user]")


def test_a_template_that_drops_the_system_message_is_an_error():
    with pytest.raises(ModelError, match="leaves the system message out"):
        prompt_text(toy_tokenizer(template=DROPS_SYSTEM), (SYSTEM, USER), {})


def test_a_model_without_a_template_asks_for_a_plain_prompt():
    with pytest.raises(ModelError, match="no chat template") as caught:
        prompt_text(toy_tokenizer(template=None), (USER,), {})
    assert "plain-text variant" in caught.value.hint


def test_template_arguments_reach_the_template():
    tokenizer = toy_tokenizer(template=CHAT + "{% if not enable_thinking %}<think></think>{% endif %}")
    assert prompt_text(tokenizer, (USER,), {"enable_thinking": False}).endswith("<think></think>")
    assert prompt_text(tokenizer, (USER,), {"enable_thinking": True}).endswith("[assistant]")
