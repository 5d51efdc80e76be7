"""Ask it all once, and keep every answer: running, resuming, measuring and rescoring."""

from bakeoff.run.estimate import Estimate, estimate
from bakeoff.run.execute import Job, Stopped, Watch, resume, run_jobs
from bakeoff.run.metrics import Latency, Method, Metrics, metrics, stored_score
from bakeoff.run.modes import ModeDifference
from bakeoff.run.perplexity import Perplexity
from bakeoff.run.plan import planned
from bakeoff.run.progress import Progress
from bakeoff.run.repeated import Repeated
from bakeoff.run.rescore import rescore
from bakeoff.run.result import Result, evaluate

__all__ = [
    "Estimate",
    "Job",
    "Latency",
    "Method",
    "Metrics",
    "ModeDifference",
    "Perplexity",
    "Progress",
    "Repeated",
    "Result",
    "Stopped",
    "Watch",
    "estimate",
    "evaluate",
    "metrics",
    "planned",
    "rescore",
    "resume",
    "run_jobs",
    "stored_score",
]
