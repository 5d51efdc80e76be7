"""What is compared need not be a model: two prompts, or two settings of the user's own pipeline."""

from bakeoff import Task, evaluate
from bakeoff.comparison import compare
from tests.comparison.making import run

PIPELINE = """
NOTES = {
    "opening": "The shop opens at nine.",
    "returns": "Returns are taken for thirty days.",
    "parking": "Parking is behind the house and costs two euros.",
    "lamps": "Lamps are on the second floor.",
}


def answer(question, k="1"):
    words = set(question.lower().strip("?").split())
    ranked = sorted(NOTES, key=lambda name: -len(words & set(NOTES[name].lower().strip(".").split())))
    passages = [{"id": name, "text": NOTES[name]} for name in ranked[: int(k)]]
    text = " ".join(each["text"] for each in passages)
    return {"answer": text, "passages": passages, "cost": 0.001 * int(k)}
"""

# The word in question is in the best passage for two of four, and in the two best for all of them.
ITEMS = [
    {"id": "a", "input": "when does the shop opens", "target": "nine"},
    {"id": "b", "input": "how long are returns taken for", "target": "thirty"},
    {"id": "c", "input": "the shop opens and parking is behind the house", "target": "nine"},
    {"id": "d", "input": "lamps are on the second floor and the shop opens", "target": "nine"},
]


def system(folder, **settings):
    path = folder / "pipeline.py"
    path.write_text(PIPELINE)
    task = Task(name="desk", data={"items": ITEMS}, scorer="contains")
    chosen = {f"arg.{name}": value for name, value in settings.items()}
    return evaluate(task, f"call:{path}:answer", settings=chosen, out=folder / "runs", cache=False).folder


def test_two_settings_of_a_pipeline_are_candidates_named_by_what_differs(tmp_path):
    found = compare([system(tmp_path, k="1"), system(tmp_path, k="2")], not_worse_by=0.3)
    labels = [each.label for each in found.standings]
    assert labels == ["pipeline.py:answer (arg.k 2)", "pipeline.py:answer (arg.k 1)"]
    assert [each.score.value for each in found.standings] == [1.0, 0.5]
    # What the pipeline says that its answers cost.
    assert [each.spending.per_thousand for each in found.standings] == [2, 1]
    assert found.standings[0].spending.priced_by == ("run",)
    assert [front.by for front in found.fronts] == ["cost", "latency"]
    assert (found.choice.by, found.choice.chosen) == ("cost", labels[0])


def test_two_prompts_of_one_model_are_candidates(tmp_path):
    runs = [run(tmp_path, "m", range(20)), run(tmp_path, "m", range(10), variant="terse")]
    found = compare(runs, not_worse_by=0.1)
    assert [each.label for each in found.standings] == ["default", "terse"]
    assert "the candidates are the prompt variants of m" in found.notes
