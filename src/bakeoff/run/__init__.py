"""Ask it all once, and keep every answer: running, resuming, measuring and rescoring."""

from bakeoff.run.breakdown import Breakdown, Part, breakdown
from bakeoff.run.estimate import Estimate, estimate
from bakeoff.run.execute import Job, Stopped, resume, run_jobs
from bakeoff.run.metrics import Latency, Method, Metrics, metrics, stored_score
from bakeoff.run.modes import ModeDifference
from bakeoff.run.perplexity import Perplexity
from bakeoff.run.plan import planned
from bakeoff.run.progress import Progress, Watch
from bakeoff.run.repeated import Repeated
from bakeoff.run.rescore import rescore
from bakeoff.run.result import Result, evaluate

__all__ = [
    "Breakdown",
    "Estimate",
    "Job",
    "Latency",
    "Method",
    "Metrics",
    "ModeDifference",
    "Part",
    "Perplexity",
    "Progress",
    "Repeated",
    "Result",
    "Stopped",
    "Watch",
    "breakdown",
    "estimate",
    "evaluate",
    "metrics",
    "planned",
    "rescore",
    "resume",
    "run_jobs",
    "stored_score",
]
