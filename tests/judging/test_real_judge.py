"""A small real model as the judge, held to the schema of its verdict."""

import asyncio

import pytest

from bakeoff.judging import Verdict, mark_of, numbering_of, orders, read_verdict, render, verdict_constraint
from bakeoff.model import open_model
from bakeoff.nouns import FinishReason, Generate, Generation
from tests.judging.rubrics import GRADES, ONE, PAIRWISE, SENTENCES, THREE, TWO

pytest.importorskip("xllamacpp")
pytest.importorskip("llguidance")
pytestmark = pytest.mark.model

TOKENS = {"grades": 80, "pairwise": 80, "units": 200}


@pytest.fixture(scope="module")
def said(smollm2_path):
    """What the model says of each case, held to the schema: (rubric, mark, numbering, response)."""

    async def ask():
        model = open_model(f"gguf:{smollm2_path}", {"threads": "1", "context_length": "1024"})
        found = []
        async with model:
            for rubric, case in ((GRADES, ONE), (PAIRWISE, TWO), (SENTENCES, THREE)):
                order = orders(0, "t", case.id)[0] if rubric is PAIRWISE else (0,)
                mark = mark_of(case, order, seed=0, task="t")
                numbering = numbering_of(rubric, case)
                constraint = verdict_constraint(rubric, mark, numbering)
                generation = Generation(TOKENS[rubric.kind], constraint=constraint)
                request = Generate(case.id, render(rubric, case, order, mark), generation, 0)
                found.append((rubric, mark, numbering, await model.generate(request)))
        return found

    return asyncio.run(ask())


def test_a_judge_held_to_the_schema_writes_a_verdict_or_runs_out_of_tokens(said):
    assert len(said) == 3
    read = 0
    for rubric, mark, numbering, response in said:
        assert response.failure is None
        found = read_verdict(response.text, rubric, mark, numbering)
        assert isinstance(found, Verdict) is (response.finish is not FinishReason.LENGTH), response.text
        if isinstance(found, Verdict):
            read += 1
            assert found.repaired == ""
    assert read
