"""Scorers by name. A new scorer is one file and one line in the table below."""

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from bakeoff.errors import TaskError
from bakeoff.score.options import check_options
from bakeoff.score.scorer import Scorer

# The first line of the class's docstring is its description. A name is all this room knows of a scorer, so
# that a room above it (`judging`) can offer one.
_SCORERS: Mapping[str, str] = {
    "bleu": "bakeoff.score.bleu:Bleu",
    "choice": "bakeoff.score.choice:Choice",
    "chrf": "bakeoff.score.chrf:Chrf",
    "closer_reference": "bakeoff.score.closer_reference:CloserReference",
    "code": "bakeoff.score.code:Code",
    "contains": "bakeoff.score.contains:Contains",
    "drop": "bakeoff.score.drop:Drop",
    "exact": "bakeoff.score.exact:Exact",
    "fields": "bakeoff.score.fields:Fields",
    "function_call": "bakeoff.score.function_call.scorer:FunctionCall",
    "fuzzy": "bakeoff.score.fuzzy:Fuzzy",
    "grid": "bakeoff.score.grid:GridScorer",
    "ifeval": "bakeoff.score.instructions.scorer:IFEval",
    "json_schema": "bakeoff.score.json_schema:JsonSchema",
    "json_value": "bakeoff.score.json_value:JsonValue",
    "label_confidence": "bakeoff.score.label_confidence:LabelConfidence",
    "labels": "bakeoff.score.labels:Labels",
    "loglikelihood": "bakeoff.score.loglikelihood:Loglikelihood",
    "loglikelihood_mass": "bakeoff.score.loglikelihood_mass:LoglikelihoodMass",
    "math": "bakeoff.score.math.scorer:Math",
    "number": "bakeoff.score.number:Number",
    "pending": "bakeoff.score.pending:Pending",
    "perplexity": "bakeoff.score.perplexity:Perplexity",
    "refusal": "bakeoff.score.refusal.scorer:Refusal",
    "regex": "bakeoff.score.regex:Regex",
    "retrieval": "bakeoff.score.retrieval:Retrieval",
    "rouge": "bakeoff.score.rouge:Rouge",
    "supported": "bakeoff.score.overlap:Supported",
    "tatqa": "bakeoff.score.tatqa:TatQa",
    "token_f1": "bakeoff.score.token_f1:TokenF1",
    "verdict": "bakeoff.judging.scorer:ReadVerdict",
}


def build_scorer(spec: str | Mapping[str, Any]) -> Scorer:
    """The scorer a task names: `"number"`, or `{"name": "number", "tolerance": 0.01}`.

    Raises:
        TaskError: no such scorer, or an option it does not have or of the wrong type.
    """
    name, options = _name_and_options(spec)
    scorer_class = _load(name)
    check_options(name, scorer_class, options)
    return cast("Scorer", scorer_class(**options))


def scorer_names() -> Mapping[str, str]:
    """Every scorer's name and what it does, in one line."""
    return {name: (_load(name).__doc__ or "").strip().partition("\n")[0] for name in _SCORERS}


def _name_and_options(spec: str | Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    if isinstance(spec, str):
        return spec, {}
    if not isinstance(spec, Mapping) or not isinstance(spec.get("name"), str):
        raise TaskError(
            f"scorer: expected a name or a mapping with `name`, got {spec!r:.80}",
            "Write `scorer: number`, or `scorer: {name: number, tolerance: 0.01}`.",
        )
    return spec["name"], {str(key): value for key, value in spec.items() if key != "name"}


def _load(name: str) -> type[Any]:
    if name not in _SCORERS:
        near = difflib.get_close_matches(name, _SCORERS, n=1, cutoff=0.5)
        did_you_mean = f"Did you mean `{near[0]}`? " if near else ""
        raise TaskError(
            f"scorer: there is no scorer named {name!r:.80}",
            f"{did_you_mean}The scorers are {', '.join(_SCORERS)}.",
        )
    module, _, attribute = _SCORERS[name].partition(":")
    return cast("type[Any]", getattr(import_module(module), attribute))
