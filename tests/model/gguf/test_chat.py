"""Chat templates from a file, rendered as transformers renders them."""

import pytest

from bakeoff.errors import ModelError
from bakeoff.model.gguf.chat import ChatTemplate
from bakeoff.nouns import Message

CHATML = (
    "{% for message in messages %}"
    "{% if loop.first and message['role'] != 'system' %}<|im_start|>system\nBe brief<|im_end|>\n{% endif %}"
    "<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LLAMA = (
    "{{- bos_token }}\n"
    "{%- if not date is defined %}\n    {%- set date = 'today' %}\n{%- endif %}\n"
    "{%- for m in messages %}\n"
    "    {%- if m.role not in ['user', 'assistant'] %}\n        {%- continue %}\n    {%- endif %}\n"
    "    {{- '<|' ~ m.role ~ '|>' + date + m.content | trim }}\n"
    "    {% generation %}{{- {'role': m.role} | tojson }}{% endgeneration %}\n"
    "{%- endfor %}\n"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}\n"
)
GEMMA = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}<start_of_turn>{{ message['role'] }}\n{{ message['content'] }}{% endfor %}"
)
DROPS_SYSTEM = "{% for m in messages %}{% if m.role != 'system' %}{{ m.content }}{% endif %}{% endfor %}"

USER = Message.of("user", "Grüße <b> & 'you' ")
SYSTEM = Message.of("system", "Answer with one word.")
ASSISTANT = Message.of("assistant", "Well, ")


def template(source, **arguments):
    return ChatTemplate(source, bos="<s>", eos="</s>", arguments=arguments)


@pytest.mark.parametrize("source", [CHATML, LLAMA], ids=["chatml", "llama"])
@pytest.mark.parametrize(
    "messages", [(USER,), (SYSTEM, USER), (USER, ASSISTANT, USER), (USER, ASSISTANT)], ids=len
)
def test_a_conversation_reads_as_transformers_renders_it(source, messages):
    utils = pytest.importorskip("transformers.utils.chat_template_utils")
    if source is LLAMA and SYSTEM in messages:
        pytest.skip("this template drops the system message, which we refuse")
    theirs, _ = utils.render_jinja_template(
        conversations=[[{"role": m.role, "content": m.text} for m in messages]],
        chat_template=source,
        add_generation_prompt=messages[-1].role != "assistant",
        continue_final_message=messages[-1].role == "assistant",
        bos_token="<s>",
        eos_token="</s>",
    )
    assert template(source).render(messages) == theirs[0]


def test_arguments_reach_the_template():
    assert "tomorrow" in template(LLAMA, date="tomorrow").render((USER,))


@pytest.mark.parametrize(
    ("source", "says"),
    [(GEMMA, "System role not supported"), (DROPS_SYSTEM, "it leaves the system message out")],
)
def test_a_system_message_is_never_dropped_silently(source, says):
    assert "Grüße" in template(source).render((USER,))
    with pytest.raises(ModelError) as caught:
        template(source).render((SYSTEM, USER))
    assert says in caught.value.message


@pytest.mark.parametrize(
    "source",
    [
        "{{ messages.__class__.__mro__ }}",
        "{{ ''.__class__.__base__.__subclasses__() }}",
        "{{ messages.append('x') }}",
        "{% for i in range(10000000) %}x{% endfor %}",
        "{{ undefined.attribute }}",
    ],
)
def test_a_template_cannot_leave_its_sandbox(source):
    with pytest.raises(ModelError, match="does not take this conversation"):
        template(source).render((USER,))


def test_a_broken_template_is_refused_when_the_model_is_opened():
    with pytest.raises(ModelError, match="cannot be read"):
        template("{% for %}")
