"""Following instructions that a rule can verify: IFEval's 25 and IFBench's 58, one function each."""

from bakeoff.score.instructions.scorer import IFEval

__all__ = ["IFEval"]
