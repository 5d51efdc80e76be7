"""The rubrics and the case of these tests."""

from bakeoff.judging import Case, Rubric, rubric_of

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
RUBRICS: dict[str, Rubric] = {"grades": GRADES, "pairwise": PAIRWISE, "strict_pairwise": STRICT}

ONE = Case("a", "How high is the tower?", ("It is 30 m high.",), context="The tower: 30 m.")
TWO = Case("b", "Name a river.", ("The Rhine.", "The Alps, of course, which are long."), reference="the Elbe")
