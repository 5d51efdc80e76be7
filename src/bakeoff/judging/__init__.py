"""A language model as the judge: what it is asked, what it said, and how far it can be believed.

Pure functions and data: which engine answers is not known here.
"""

from bakeoff.judging.case import Case
from bakeoff.judging.library import built_in_rubrics, read_rubric
from bakeoff.judging.prompt import Order, mark_of, orders, render
from bakeoff.judging.reading import Finding, Unreadable, Verdict, read_verdict
from bakeoff.judging.rubric import NOT_APPLICABLE, Criterion, Rubric, rubric_of
from bakeoff.judging.schema import verdict_constraint, verdict_schema
from bakeoff.judging.units import Numbering, numbering_of, units_of

__all__ = [
    "NOT_APPLICABLE",
    "Case",
    "Criterion",
    "Finding",
    "Numbering",
    "Order",
    "Rubric",
    "Unreadable",
    "Verdict",
    "built_in_rubrics",
    "mark_of",
    "numbering_of",
    "orders",
    "read_rubric",
    "read_verdict",
    "render",
    "rubric_of",
    "units_of",
    "verdict_constraint",
    "verdict_schema",
]
