"""Rows of LiveCodeBench's code generation."""

from collections.abc import Mapping
from typing import Any

import orjson

from bakeoff.errors import TaskError

IMPORTS = """from typing import *
from string import *; from re import *; from datetime import *; from collections import *; from heapq import *
from bisect import *; from copy import *; from math import *; from random import *; from statistics import *
from itertools import *; from functools import *; from operator import *; from io import *; from sys import *
from json import *; from builtins import *
import string, re, datetime, collections, heapq, bisect, copy, math, random, statistics
import itertools, functools, operator, io, sys, json
sys.setrecursionlimit(50000)
"""
"""What answers may take for granted: contest sites have it imported."""


def row(row: Mapping[str, Any]) -> dict[str, Any]:
    """code_generation_lite. The private tests stay packed until an answer is judged: unpacked they are large.

    Raises:
        TaskError: the column `metadata` is not JSON.
    """
    try:
        facts = orjson.loads(row["metadata"] or "{}")
    except orjson.JSONDecodeError as error:
        raise TaskError(f"question {row['question_id']}: metadata is not JSON: {error}") from None
    name, starter = facts.get("func_name"), row["starter_code"] or ""
    entry = f"Solution.{name}" if name and "class Solution" in starter else name
    return {
        "id": row["question_id"],
        "input": row["question_content"],
        "meta": {
            "title": row["question_title"],
            "platform": row["platform"],
            "contest_date": str(row["contest_date"])[:10],
            "difficulty": row["difficulty"],
            "starter_code": starter,
            "entry_point": entry,
            "prompt": IMPORTS,
            "livecodebench": {"public": row["public_test_cases"], "private": row["private_test_cases"]},
        },
    }
