"""MuSR: rows of the hub's layout."""

import pytest

from tests.catalog.hub_rows import on_hub_rows

ROW = {
    "narrative": "Ada left. Bo stayed.",
    "question": "Who was there?",
    "choices": "['Ada', \"Bo, the 'quiet' one\"]",
    "answer_index": 1,
    "answer_choice": "Bo, the 'quiet' one",
}
NAMES = ["musr_murder_mysteries", "musr_object_placements", "musr_team_allocation"]


@pytest.mark.parametrize("name", NAMES)
def test_questions_on_one_story_are_a_group(name):
    rows = [ROW, ROW | {"question": "Who left?"}, ROW | {"narrative": "Cleo came."}]
    prepared = on_hub_rows(name, *rows)
    first, second, third = prepared.items()
    assert first.choices == ("Ada", "Bo, the 'quiet' one")
    assert first.target == 1
    assert first.group == second.group != third.group
    assert "Ada left. Bo stayed.\n\nWho left?\n\nA. Ada\nB. Bo" in prepared.render(second).turns[0][0].text


@pytest.mark.parametrize("name", NAMES)
def test_the_board_numbers_the_options_and_scores_their_texts(name):
    prepared = on_hub_rows(f"{name}:open-llm-v2", ROW)
    (item,) = prepared.items()
    rendered = prepared.render(item)
    assert rendered.turns == (
        "Ada left. Bo stayed.\n\nWho was there?\n\n1 - Ada\n2 - Bo, the 'quiet' one\n\nAnswer:",
    )
    assert rendered.continuations == (" Ada", " Bo, the 'quiet' one")
    assert prepared.scorer.id == "loglikelihood@1(norm=chars)"
