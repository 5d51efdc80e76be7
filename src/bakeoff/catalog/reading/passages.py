"""Questions on passages: DROP and HotpotQA."""

from collections.abc import Mapping
from typing import Any


def drop(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of EleutherAI/drop, which keeps the form of DROP's own answers.

    `target` is the first annotator's; `meta.answer` and `meta.validated_answers` are all of them as
    {number, date, spans}, for the drop scorer.
    """
    first, *others = (_answer(each) for each in (columns["answer"], *_rows(columns["validated_answers"])))
    number, spans, date = first["number"], first["spans"], first["date"]
    return {
        "id": columns["query_id"],
        "input": columns["question"],
        "context": columns["passage"],
        "target": number or spans or " ".join(part for part in date.values() if part),
        "meta": {"section": columns["section_id"], "answer": first, "validated_answers": others},
    }


def hotpotqa(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of hotpotqa/hotpot_qa."""
    facts = columns["supporting_facts"]
    context = columns["context"]
    return {
        "id": columns["id"],
        "input": columns["question"],
        "target": columns["answer"],
        "meta": {
            "type": columns["type"],
            "level": columns["level"],
            "supporting_facts": [list(pair) for pair in zip(facts["title"], facts["sent_id"], strict=True)],
            "context": [
                {"title": title, "sentences": sentences}
                for title, sentences in zip(context["title"], context["sentences"], strict=True)
            ],
        },
    }


def _rows(annotations: Any) -> list[Mapping[str, Any]]:
    """A list of mappings, which some Parquet files hold as a mapping of lists."""
    if not isinstance(annotations, Mapping):
        return list(annotations)
    return [
        dict(zip(("number", "date", "spans"), each, strict=True))
        for each in zip(*(annotations[key] for key in ("number", "date", "spans")), strict=True)
    ]


def _answer(annotation: Mapping[str, Any]) -> dict[str, Any]:
    date = annotation["date"]
    return {
        "number": annotation["number"],
        "date": {part: date[part] for part in ("day", "month", "year")},
        "spans": list(annotation["spans"]),
    }
