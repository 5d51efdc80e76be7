"""Systems that retrieve passages and answer from them: each half apart, both together, and abstaining."""

from bakeoff.rag.report import Report, rag_report

__all__ = ["Report", "rag_report"]
