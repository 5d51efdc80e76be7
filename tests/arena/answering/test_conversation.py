import pytest

from bakeoff.arena.answering.conversation import conversation


def test_a_model_sees_every_prompt_and_its_own_answers():
    messages = conversation("Be brief.", ("Hi", "And now?"), ("Hello, I am Qwen",))
    assert [(message.role, message.text) for message in messages] == [
        ("system", "Be brief."),
        ("user", "Hi"),
        ("assistant", "Hello, I am Qwen"),
        ("user", "And now?"),
    ]
    assert [message.role for message in conversation("", ("Hi",), ())] == ["user"]


@pytest.mark.parametrize(("prompts", "answers"), [((), ()), (("Hi",), ("Hello",)), (("a", "b"), ())])
def test_answers_that_do_not_belong_to_the_prompts_are_refused(prompts, answers):
    with pytest.raises(ValueError, match="need"):
        conversation("", prompts, answers)
