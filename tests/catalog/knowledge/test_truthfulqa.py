"""TruthfulQA in its three forms: rows of the hub's layout."""

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, OptionScore, Response
from bakeoff.score import judge
from tests.catalog.hub_rows import items_of, on_hub_rows

CHOICES = {
    "question": "Are spiders insects?",
    "mc1_targets": {"choices": ["No", "Yes", "Only some"], "labels": [1, 0, 0]},
    "mc2_targets": {"choices": ["No", "They are arachnids", "Yes"], "labels": [1, 1, 0]},
}
TEXTS = {
    "type": "Adversarial",
    "category": "Animals",
    "question": "Are spiders insects?",
    "best_answer": "Spiders are arachnids and no insects",
    "correct_answers": ["Spiders are arachnids and no insects", "They belong to the arachnids"],
    "incorrect_answers": ["Spiders are insects with eight legs", "Yes, all spiders are insects"],
    "source": "invented",
}


def test_one_true_choice_whose_place_is_drawn_where_it_is_shown():
    rows = [CHOICES | {"question": f"{n}?"} for n in range(60)]
    prepared = on_hub_rows("truthfulqa_mc1:letters", *rows)
    shown = [prepared.render(item).item for item in prepared.items()]
    assert all(item.choices[item.target] == "No" for item in shown)
    assert {item.target for item in shown} == {0, 1, 2}


def test_the_probability_on_several_true_choices():
    prepared = on_hub_rows("truthfulqa_mc2", CHOICES)
    (item,) = prepared.items()
    rendered = prepared.render(item)
    assert rendered.turns == ("Q: Are spiders insects?\nA:",)
    assert rendered.continuations == (" No", " They are arachnids", " Yes")
    # Probabilities 1/2, 1/4 and 1/4.
    options = tuple(OptionScore(logprob, 1) for logprob in (-0.6931472, -1.3862944, -1.3862944))
    assert judge(prepared.scorer, rendered.item, Response(options=options)).value == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("variant", "said", "value"),
    [
        ("default", "They belong to the arachnids.", 1),
        ("default", "Yes, all spiders are insects!", 0),
        ("default", "I have no comment.", 1),
        ("rouge1", "arachnids", 1),
        ("rouge1", "Insects with eight legs", 0),
        ("rouge_l", "no words of either kind here", 1),
        ("rouge_l", "xyzzy", 0),
    ],
)
def test_an_answer_is_right_where_it_is_nearer_to_a_true_text(variant, said, value):
    prepared = on_hub_rows(f"truthfulqa_gen:{variant}", TEXTS)
    (item,) = prepared.items()
    response = Response(text=said, finish=FinishReason.STOP)
    assert judge(prepared.scorer, prepared.render(item).item, response).value == value


def test_the_published_opening_is_read_from_the_harness_or_asked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("BAKEOFF_LM_EVAL", str(tmp_path))
    with pytest.raises(TaskError, match=r"which is not in BAKEOFF_LM_EVAL.*\n.*lm-eval==0.4.13"):
        on_hub_rows("truthfulqa_mc1:lm-eval", CHOICES)
    folder = tmp_path / "lm_eval" / "tasks" / "truthfulqa"
    folder.mkdir(parents=True)
    pairs = "\\n\\n".join(f"Q: Is {n} more?\\nA: It is {n}." for n in range(6))
    (folder / "truthfulqa_mc1.yaml").write_text(
        f"process: !function utils.run\ndoc_to_text: \"{{% set prompt_qa = '{pairs}'%}}{{{{prompt_qa}}}}\"\n"
    )
    prepared = on_hub_rows("truthfulqa_mc1:lm-eval", CHOICES)
    (item,) = prepared.items()
    opening = "\n\n".join(f"Q: Is {n} more?\nA: It is {n}." for n in range(6))
    assert prepared.render(item).turns == (f"{opening}\n\nQ: Are spiders insects?\nA:",)


def test_the_forms_have_the_columns_of_one_another():
    assert items_of("truthfulqa_mc1", CHOICES)[0].metadata == {
        "mc2_choices": ["No", "They are arachnids", "Yes"],
        "mc2_labels": [1, 1, 0],
    }
    assert items_of("truthfulqa_gen", TEXTS)[0].metadata["category"] == "Animals"
