"""Rows from files, the hub, generators and lists, one at a time."""

from bakeoff.task.rows.open import open_source
from bakeoff.task.rows.source import ABSENT, Row, Source, column

__all__ = ["ABSENT", "Row", "Source", "column", "open_source"]
