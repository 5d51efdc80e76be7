"""Published layouts with made-up contents."""

from pathlib import Path
from typing import Any

import orjson

TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "**Hello** to you"}]
PARTS = [
    {"role": "user", "content": [{"type": "text", "text": "Hi", "image": None, "mimeType": None}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Good day"}]},
    {"role": "user", "content": [{"type": "image", "image": "x"}, {"type": "text", "text": "And now?"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Now this"}]},
]
CLEAN: dict[str, Any] = {
    "model_a": "m",
    "model_b": "n",
    "winner": "model_b",
    "judge": "arena_user_973",
    "turn": 2,
    "anony": True,
    "language": "English",
    "tstamp": 1682351591.1322,
    "conv_metadata": {
        "sum_user_tokens": 10,
        "sum_assistant_a_tokens": 205,
        "sum_assistant_b_tokens": 0,
        "header_count_a": {"h1": 1, "h2": 0, "h3": 2},
        "header_count_b": {},
        "list_count_a": {"ordered": 4, "unordered": 5},
        "list_count_b": {"ordered": 0, "unordered": 0},
        "bold_count_a": {"**": 3, "__": 1},
        "bold_count_b": {"**": 0, "__": 0},
    },
    "is_code": True,
    "is_refusal": False,
    "dedup_tag": {"high_freq": True, "sampled": False},
    "category_tag": {
        "criteria_v0.1": dict.fromkeys(("a", "b", "c", "d", "e", "f"), True) | {"g": False},
        "math_v0.1": {"math": True},
        "if_v0.1": {"if": False, "score": 0},
    },
}
OF_33K: dict[str, Any] = {
    "question_id": "58210e39",
    "model_a": "m",
    "model_b": "n",
    "winner": "tie (bothbad)",
    "judge": "arena_user_1",
    "conversation_a": TALK,
    "conversation_b": TALK,
    "turn": 1,
    "anony": False,
    "language": "English",
    "tstamp": 1682351591.0,
}
OF_100K: dict[str, Any] = OF_33K | {"judge": None, "judge_hash": "d41d", "winner": "model_a"}
OF_140K: dict[str, Any] = {
    "id": "c4b9",
    "model_a": "m",
    "model_b": "n",
    "winner": "both_bad",
    "evaluation_session_id": "e-1",
    "evaluation_order": 1,
    "conversation_a": PARTS,
    "conversation_b": PARTS,
    "language": "pl",
    "is_code": False,
    "timestamp": "2025-06-04 10:00:00",
    "category_tag": {"creative_writing_v0.1": {"creative_writing": True, "score": "yes"}},
}
OF_55K: dict[str, Any] = {
    "id": 30192,
    "model_a": "m",
    "model_b": "n",
    "prompt": '["Hi","And now?"]',
    "response_a": '["# Hello",null]',
    "response_b": '["Good day","Now this"]',
    "winner_model_a": 0,
    "winner_model_b": 1,
    "winner_tie": 0,
}
MT: dict[str, Any] = {
    "question_id": 81,
    "model_a": "m",
    "model_b": "n",
    "winner": "model_a",
    "judge": "author_2",
    "conversation_a": TALK,
    "conversation_b": TALK,
    "turn": 1,
}
ALPACA: dict[str, Any] = {
    "dataset": "helpful_base",
    "instruction": "Say hi",
    "output_1": "Hello",
    "generator_1": "baseline",
    "output_2": "Hello to you",
    "generator_2": "m",
    "annotator": "weighted",
    "preference": 1.75,
}
BAR: dict[str, Any] = {
    "subset": "Natural",
    "item": 3,
    "judge": "GPT-4",
    "method": "Vanilla",
    "gold": 2,
    "winner_order1": 2,
    "winner_order2": 1,
}
CROWD: dict[str, Any] = {
    "id": 0,
    "prompt": 8,
    "model_x": 97,
    "model_y": 98,
    "worker": 58,
    "winner": "right",
    "left": "m",
    "right": "n",
}
PLAIN: dict[str, Any] = {"model_a": "m", "model_b": "n", "outcome": "tie"}


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    """The rows as JSONL."""
    path = folder / "votes.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path
