"""The rubrics and the case of these tests."""

from bakeoff.judging import Case, Numbering, Rubric, rubric_of

LEVELS = ["not at all", "in part", "fully"]
GRADES = rubric_of(
    {
        "kind": "grades",
        "criteria": [
            {"name": "grounded", "question": "Does the context support it?", "levels": LEVELS},
            {"name": "relevant", "question": "Does it answer the question?", "levels": LEVELS},
        ],
    }
)
_HELPFUL = {"name": "helpful", "question": "Which one does what was asked?"}
PAIRWISE = rubric_of({"kind": "pairwise", "criteria": [_HELPFUL], "ties": True})
STRICT = rubric_of({"kind": "pairwise", "criteria": [_HELPFUL], "reference": True})
NAMED = dict(zip(("none", "part", "full"), LEVELS, strict=True))
_GROUNDED = {"name": "grounded", "question": "Do the passages say it?", "levels": NAMED}
_UNITS = {"kind": "units", "criteria": [_GROUNDED]}
SENTENCES = rubric_of(
    _UNITS | {"units": "answer", "evidence": True, "not_applicable": "It claims nothing.", "citations": True}
)
PASSAGES = rubric_of(_UNITS | {"units": "passages", "summary": "average_precision"})
REFERENCE = rubric_of(_UNITS | {"units": "reference"})
RUBRICS: dict[str, Rubric] = {
    "grades": GRADES,
    "pairwise": PAIRWISE,
    "strict_pairwise": STRICT,
    "sentences": SENTENCES,
    "passages": PASSAGES,
}
NUMBERINGS = {"sentences": Numbering(3, 2, uncited=(2,)), "passages": Numbering(2, 2)}
"""Of the cases in cases.jsonl."""

ONE = Case("a", "How high is the tower?", ("It is 30 m high.",), context="The tower: 30 m.")
TWO = Case("b", "Name a river.", ("The Rhine.", "The Alps, of course, which are long."), reference="the Elbe")
THREE = Case(
    "c",
    "How high is the tower, and who built it?",
    ("It is 30 m high [1]. Miss Rossi built it.\n\nHope this helps! [2]",),
    context=("The tower: 30 m.", "It was built by A. Rossi.\nIt is red."),
    reference="It is 30 m high. A. Rossi built it.",
)
