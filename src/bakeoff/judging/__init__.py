"""A language model as the judge: what it is asked, what it said, and how far it can be believed.

Pure functions and data: which engine answers is not known here.
"""

from bakeoff.judging.prompt import Case, Order, mark_of, orders, render
from bakeoff.judging.reading import Finding, Unreadable, Verdict, read_verdict
from bakeoff.judging.rubric import Criterion, Rubric, rubric_of
from bakeoff.judging.schema import verdict_constraint, verdict_schema

__all__ = [
    "Case",
    "Criterion",
    "Finding",
    "Order",
    "Rubric",
    "Unreadable",
    "Verdict",
    "mark_of",
    "orders",
    "read_verdict",
    "render",
    "rubric_of",
    "verdict_constraint",
    "verdict_schema",
]
