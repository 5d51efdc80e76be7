"""Rows and runs in the shape of Every Eval Ever 0.3.0 (evaleval/every_eval_ever), in which results are
exchanged.

What that shape has no field for stands in its details, as text: ranges of ranks, outcomes, what is not
scored. A score that is missing is no result. Of runs of a private task nothing is told but numbers and names.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from math import isfinite
from typing import Any

from bakeoff import __version__
from bakeoff.board.definition import Board
from bakeoff.board.ranking.snapshot import Row, Snapshot
from bakeoff.board.reported.importing import LOWER
from bakeoff.board.scores import Value
from bakeoff.nouns import Message, Sample
from bakeoff.run import Metrics
from bakeoff.run.estimate import Estimate
from bakeoff.stats import Interval
from bakeoff.store import Manifest

SCHEMA = "0.3.0"
Json = dict[str, Any]
_LIBRARY = "bakeoff"
_DEPLOYED = {
    "hf": "self_deployed",
    "vllm": "self_deployed",
    "gguf": "self_deployed",
    "openai": "externally_managed",
    "anthropic": "externally_managed",
}
_RELATIONS = {"measured": "third_party", "reproduced": "third_party", "records": "collaborative"}


def of_row(board: Board, snapshot: Snapshot, digest: str, row: Row, *, keeper: str) -> Json:
    """A row of a board. `digest` is the snapshot's own, and `keeper` who keeps the board."""
    entrant, reported = row.entrant, row.entrant.provenance == "reported"
    name = f"{board.name}/{entrant.model}/{_unix(snapshot.made)}/{entrant.submission}"
    columns = [("", entrant.scores.score), *entrant.scores.columns.items()]
    return {
        "schema_version": SCHEMA,
        "evaluation_id": name,
        "retrieved_timestamp": _unix(snapshot.made),
        "source_metadata": {
            "source_name": board.title or board.name,
            "source_type": "documentation" if reported else "evaluation_run",
            "source_organization_name": board.source if reported else keeper,
            "evaluator_relationship": _RELATIONS.get(entrant.provenance, "other"),
            "additional_details": _texts(
                board=board.name,
                board_version=snapshot.version,
                rule=snapshot.rule,
                snapshot=digest,
                provenance=entrant.provenance,
                rank_low=row.low,
                rank_high=row.high,
                place=row.place,
                unranked=row.unranked,
                submission=entrant.submission,
                attempt=entrant.attempt,
                attempts=entrant.attempts,
                remarks="; ".join(entrant.flags),
                cost_usd=entrant.scores.cost,
                latency_p50_s=entrant.scores.latency_p50,
                **{f"share_{outcome}": share for outcome, share in entrant.scores.outcomes.items()},
            ),
        },
        "eval_library": {
            "name": "unknown" if reported else _LIBRARY,
            "version": "unknown" if reported else __version__,
        },
        "model_info": _model(
            entrant.model,
            "unknown",
            revision=entrant.revision,
            precision=entrant.precision,
            licence=entrant.licence,
            parameters_billions=entrant.parameters,
            organisation=entrant.organisation,
        ),
        "evaluation_results": [
            _column(board, snapshot, f"{name}/{column or 'score'}", column, value)
            for column, value in columns
            if value.value is not None and isfinite(value.value)
        ],
    }


def of_run(manifest: Manifest, metrics: Metrics, *, keeper: str) -> Json:
    """A run, and what was measured of it; `keeper` is who made it, as far as the site knows."""
    task, identity = manifest.task, manifest.model.identity
    name = evaluation_id(manifest)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": name,
        "evaluation_timestamp": manifest.created,
        "retrieved_timestamp": _unix(manifest.finished or manifest.created),
        "source_metadata": {
            "source_name": keeper,
            "source_type": "evaluation_run",
            "source_organization_name": keeper,
            "evaluator_relationship": "other",
            "additional_details": _texts(
                run=manifest.run_id, status=manifest.status, task_digest=task.digest, parent=manifest.parent
            ),
        },
        "eval_library": {"name": _LIBRARY, "version": manifest.bakeoff},
        "model_info": _model(
            model_id(manifest),
            _DEPLOYED.get(str(identity.get("engine", "")), "unknown"),
            engine=identity,
            revision=identity.get("revision"),
            precision=identity.get("precision"),
            chat_template=identity.get("chat_template"),
        ),
        "evaluation_results": list(_measured(manifest, metrics, name)),
    }


def of_sample(manifest: Manifest, sample: Sample) -> Json:
    """A sample of a run, as it may leave the run's folder (`store.leaving`).

    That shape wants a number for each: a sample without a score has 0 and says in `error` why; leave it out
    of means.
    """
    several = len(sample.turns) > 1
    last = sample.turns[-1].response
    score = sample.score
    found: Json = {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation_id(manifest),
        "model_id": model_id(manifest),
        "evaluation_name": _titled(manifest),
        "evaluation_result_id": f"{evaluation_id(manifest)}/score",
        "sample_id": sample.item_id,
        "sample_hash": sample.item_digest or None,
        "interaction_type": "multi_turn" if several else "single_turn",
        "input": {
            "raw": _asked(sample.turns[0].input),
            "reference": _reference(sample),
            "choices": list(sample.choices) or None,
        },
        "output": None if several else {"raw": [last.text], "reasoning_trace": _trace(last.reasoning)},
        "messages": list(_messages(sample)) if several else None,
        "answer_attribution": []
        if score.extracted is None
        else [
            {
                "turn_idx": len(sample.turns) - 1,
                "source": "output.raw" if not several else f"messages[{2 * len(sample.turns) - 1}]",
                "extracted_value": score.extracted,
                "extraction_method": score.scorer,
                "is_terminal": True,
            }
        ],
        "evaluation": {
            "score": score.value or 0.0,
            "is_correct": score.value == 1.0,
            "num_turns": len(sample.turns),
        },
        "performance": {
            "latency_ms": _milliseconds(last.timing.latency_s),
            "time_to_first_token_ms": _milliseconds(last.timing.first_token_s),
        },
        "error": None if score.value is not None else f"{score.outcome.value}: not scored",
        "metadata": _texts(
            repeat=sample.repeat,
            outcome=score.outcome.value,
            reason=score.reason,
            group=sample.group,
            seed=sample.seed,
            cost_usd=sample.cost,
        ),
    }
    used, written = last.usage.prompt_tokens, last.usage.completion_tokens
    if used is not None and written is not None and not several:
        found["token_usage"] = {
            "input_tokens": used,
            "output_tokens": written,
            "total_tokens": used + written,
            "input_tokens_cache_read": last.usage.cached_tokens,
            "reasoning_tokens": last.usage.reasoning_tokens,
        }
    return found


def evaluation_id(manifest: Manifest) -> str:
    """Names a run as that shape does: evaluation, model, time; and our own id, which no other run has."""
    return f"{_titled(manifest)}/{model_id(manifest)}/{_unix(manifest.created)}/{manifest.run_id}"


def model_id(manifest: Manifest) -> str:
    """What the engine calls the model."""
    return str(manifest.model.identity.get("name") or "unknown")


def _column(board: Board, snapshot: Snapshot, name: str, column: str, value: Value) -> Json:
    assert value.value is not None
    share = snapshot.unit == "share"
    dataset = column or board.title or board.name
    return {
        "evaluation_result_id": name,
        "evaluation_name": dataset,
        "source_data": {"dataset_name": dataset, "source_type": "url", "url": [board.source]}
        if board.source.startswith(("http://", "https://"))
        else {"dataset_name": dataset, "source_type": "other"},
        "metric_config": {
            "metric_id": f"bakeoff.{board.name}.{column or 'score'}",
            "metric_name": "score" if not share else "normalised score",
            "metric_unit": "proportion" if share else "points",
            "lower_is_better": LOWER in snapshot.notes,
            "score_type": "continuous",
            # What is below the floor of guessing is below 0.
            "min_score": None,
            "max_score": 1.0 if share else None,
        },
        "score_details": {
            "score": value.value,
            "details": _texts(raw=value.raw),
            **_uncertainty(_limits(value, snapshot.level), value.n),
        },
    }


def _limits(value: Value, level: float) -> Interval | None:
    if value.low is None or value.high is None:
        return None
    return Interval(value.low, value.high, level, "")


def _measured(manifest: Manifest, metrics: Metrics, name: str) -> Iterator[Json]:
    score = metrics.score
    if score.value is not None:
        config = _metric("score", manifest.task.scorer, "proportion", 1.0) | _judged(manifest)
        said = {f"n_{outcome}": number for outcome, number in metrics.counts.items()}
        low, high = metrics.bounds or (None, None)
        details = _texts(
            **said, bound_low=low, bound_high=high, repeats=metrics.repeats, cost_usd=metrics.cost
        )
        yield _result(manifest, f"{name}/score", config, score, details)
    if metrics.perplexity is not None:
        for what in ("bits_per_byte", "byte_perplexity", "word_perplexity"):
            found: Estimate = getattr(metrics.perplexity, what)
            if found.value is not None and isfinite(found.value):
                config = _metric(what, what, "bits" if what == "bits_per_byte" else "perplexity", "Infinity")
                config |= {"lower_is_better": True}
                yield _result(manifest, f"{name}/{what}", config, found, {})


def _metric(name: str, scorer: str, unit: str, most: float | str) -> Json:
    return {
        "metric_id": f"bakeoff.{scorer}",
        "metric_name": name,
        "metric_unit": unit,
        "lower_is_better": False,
        "score_type": "continuous",
        "min_score": 0.0,
        "max_score": most,
    }


def _result(manifest: Manifest, name: str, config: Json, found: Estimate, details: Json) -> Json:
    task, settings = manifest.task, manifest.settings
    return {
        "evaluation_result_id": name,
        "evaluation_name": _titled(manifest),
        "evaluation_timestamp": manifest.created,
        "source_data": _data(manifest),
        "metric_config": config,
        "score_details": {
            "score": found.value,
            "details": details | _texts(clusters=found.clusters, note=found.note),
            **_uncertainty(found.interval, found.n),
        },
        "generation_config": {
            "generation_args": _generation(task.parts.get("generation") or {}),
            "additional_details": _texts(
                ask=task.ask,
                seed=settings.seed,
                limit=settings.limit,
                shots=(task.parts.get("shots") or {}).get("n"),
                variant=task.variant,
            ),
        },
    }


def _data(manifest: Manifest) -> Json:
    task = manifest.task
    details = _texts(items=task.n_items, task_version=task.version)
    if task.private or "hub" not in task.source:
        return {"dataset_name": task.name, "source_type": "other", "additional_details": details}
    return {
        "dataset_name": task.name,
        "source_type": "hf_dataset",
        "hf_repo": str(task.source["hub"]),
        "hf_split": str(task.source.get("split", "")),
        "samples_number": task.n_items,
        "additional_details": details | _texts(revision=task.source.get("revision")),
    }


def _judged(manifest: Manifest) -> Json:
    judging = manifest.judging
    if judging is None:
        return {}
    name = str(judging.judge.get("name") or "unknown")
    engine = str(judging.judge.get("engine", ""))
    return {
        "llm_scoring": {
            "judges": [{"model_info": _model(name, _DEPLOYED.get(engine, "unknown"), engine=judging.judge)}],
            "input_prompt": f"rubric {judging.rubric_digest}",
        }
    }


def _generation(said: Mapping[str, Any]) -> Json:
    kept = {name: said[name] for name in ("temperature", "top_p", "top_k") if said.get(name) is not None}
    most = said.get("max_tokens")
    return kept | ({"max_tokens": most} if isinstance(most, int) and most >= 1 else {})


def _model(name: str, deployed: str, *, engine: Mapping[str, Any] | None = None, **facts: Any) -> Json:
    developer, slash, _ = name.partition("/")
    found: Json = {"name": name, "id": name}
    if slash and developer:
        found["developer"] = developer
    if engine and engine.get("engine"):
        version = str(engine.get("engine_version") or "unknown")
        found["inference_engine"] = {"name": str(engine["engine"]), "version": version}
    return found | {
        "additional_details": {"deployment_type": deployed, "model_availability": "unknown"} | _texts(**facts)
    }


def _uncertainty(interval: Interval | None, n: int) -> Json:
    found: Json = {}
    if interval is not None:
        found["confidence_interval"] = {
            "lower": interval.low,
            "upper": interval.high,
            "confidence_level": interval.level,
        } | ({"method": interval.method} if interval.method else {})
    if n:
        found["num_samples"] = n
    return {"uncertainty": found} if found else {}


def _asked(asked: str | tuple[Message, ...]) -> str:
    return asked if isinstance(asked, str) else "\n\n".join(each.text for each in asked)


def _reference(sample: Sample) -> list[str]:
    if not isinstance(sample.target, int):
        return list(sample.target)
    return [sample.choices[sample.target]] if sample.target < len(sample.choices) else [str(sample.target)]


def _messages(sample: Sample) -> Iterator[Json]:
    number = 0
    for turn in sample.turns:
        yield {"turn_idx": number, "role": "user", "content": _asked(turn.input)}
        answer = turn.response
        yield {
            "turn_idx": number + 1,
            "role": "assistant",
            "content": answer.text,
            "reasoning_trace": answer.reasoning or None,
        }
        number += 2


def _trace(reasoning: str) -> list[str] | None:
    return [reasoning] if reasoning else None


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else 1000 * seconds


def _titled(manifest: Manifest) -> str:
    task = manifest.task
    return task.name if task.variant == "default" else f"{task.name}:{task.variant}"


def _texts(**facts: Any) -> dict[str, str]:
    """Facts as text, which details are; what is not known is left out."""
    return {name: str(value) for name, value in facts.items() if value not in (None, "")}


def _unix(moment: str) -> str:
    return str(int(datetime.fromisoformat(moment).timestamp()))
