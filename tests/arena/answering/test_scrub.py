"""Names that give a model away are not seen, wherever they are cut, and other words are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.answering.scrub import BLACK, scrub_of
from bakeoff.arena.cleaning.makers import MAKERS

SCRUB = scrub_of(["gpt-4o", "acme/zephyrion-7b", "smollm2", "Llama", "Google"])


def scrubbed(text, prompt="Tell me more.", size=None, scrub=SCRUB):
    scrubber = scrub.scrubber([prompt])
    size = size or max(1, len(text))
    pieces = [scrubber.add(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join([*pieces, scrubber.end()]), scrubber.count


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("I am ChatGPT, by OpenAI.", f"I am {BLACK}, by {BLACK}."),
        ("GPT-4o-mini-2024-07-18 and gpt_4 differ", f"{BLACK} and {BLACK} differ"),
        ("Claude 3.5 Sonnet. Then", f"{BLACK}. Then"),
        ("Claude Sonnet, Gemini Pro, Phi-3", f"{BLACK}, {BLACK}, {BLACK}"),
        ("My name is Zephyrion, or Zephyrion-7B.", f"My name is {BLACK}, or {BLACK}."),
        ("smollm2", BLACK),
        ("As a model trained by Google, I", f"As a model trained by {BLACK}, I"),
        ("I'm an AI assistant made by Meta.", f"I'm an AI assistant made by {BLACK}."),
        ("I am Gemini.", f"I am {BLACK}."),
        ("我是文心一言。", f"我是{BLACK}。"),
        ("_Qwen_ or **Qw**en or Qw\u200ben", f"_{BLACK}_ or **{BLACK} or {BLACK}"),
        ("C-h-a-t-G-P-T, Q w e n, Open AI, Chat GPT", ", ".join([BLACK] * 4)),
        ("O.p.e.n.A.I or Q.w.e.n", f"{BLACK} or {BLACK}"),
        ("It is open. AI is a field.", "It is open. AI is a field."),
        ("Llama says", f"{BLACK} says"),
    ],
)
def test_names_are_blacked_out(text, seen):
    assert scrubbed(text)[0] == seen


@pytest.mark.parametrize(
    "text",
    [
        "Step 1: mix. Step 2: wait. Seed the plants in spring.",
        "The llama eats; google it; a meta question; my command; the phi function.",
        "Claude Monet painted in Giverny. The solar panel. Falcons fly.",
        "Open the door and go to the deep sea. I saw a co-op.",
        "",
        "Mistral winds blow",
        "Leonardo da Vinci, rhymed ABAB",
        "x" * 500,
        "o" + "*" * 3000 + "p",
    ],
)
def test_other_words_are_left_alone(text):
    assert scrubbed(text) == (text, 0)


@pytest.mark.parametrize(
    "prompt", ["Who are you?", "Which company made you?", "Welches Modell bist du?", "你是谁？"]
)
@pytest.mark.parametrize("answer", ["google", "Llama", "Claude", "A meta model"])
def test_one_word_does_not_answer_who_answers(prompt, answer):
    seen, count = scrubbed(answer, prompt)
    assert count == 1
    assert BLACK in seen
    assert answer.split()[-1] not in seen or "meta" in answer


def test_a_question_of_an_earlier_turn_still_counts():
    scrubber = SCRUB.scrubber(["Who are you?", "Say it again."])
    assert scrubber.add("gemini") + scrubber.end() == BLACK


WORDS = st.sampled_from(
    ["I am ", "the ", "GPT", "-4", "o", " ", "Claude", " 3.5 Sonnet", "open", "ai", "OpenAI", "**", ".", "\n",
     "made by ", "google", "Llama", " 3", "zephyrion", "-7b", "文心", "一言", "q", "Step 1", "mist", "ral ai"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=14).map("".join), st.integers(1, 9), st.booleans())
def test_the_cut_into_pieces_changes_nothing(text, size, asks):
    prompt = "Who are you?" if asks else "Go on."
    assert scrubbed(text, prompt, size) == scrubbed(text, prompt)


@given(st.lists(WORDS, max_size=14).map("".join), st.integers(1, 9))
def test_nothing_shown_is_taken_back_or_named_on_the_way(text, size):
    whole, _ = scrubbed(text)
    scrubber, seen = SCRUB.scrubber([""]), ""
    for at in range(0, len(text), size):
        seen += scrubber.add(text[at : at + size])
        assert whole.startswith(seen)


@pytest.mark.parametrize("name", sorted({name for maker in MAKERS for name in maker.names}))
def test_every_known_maker_is_blacked_out_letter_by_letter(name):
    assert scrubbed(f"It is {name}, yes", size=1) == (f"It is {BLACK}, yes", 1)


def test_words_are_not_held_back_longer_than_they_may_become_a_name():
    scrubber = SCRUB.scrubber([""])
    assert scrubber.add("There are six") == "There are six"
    assert scrubber.add(" ope") == " "
    assert scrubber.add("ra") == "opera"
    assert scrubber.add(" q" + "*" * 200) == " q" + "*" * 200
