"""Runs in the environment of lm-evaluation-harness: the prompts of its tasks, without a model.

    python prompts_peer.py JOB.json RESULT.json

The job: the `folder` of task files and their names (`tasks`); with `in_order` no options are shuffled. The
result has, by task, the prompts of each row in its order: pairs of text before and continuation, or the text
alone where the model writes.
"""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_DATASETS_CACHE": os.environ["PROMPTS_CACHE"],
}


def main() -> None:
    job, result = json.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2])
    from importlib.metadata import version

    from lm_eval.tasks import TaskManager

    if job["in_order"]:
        random.shuffle = lambda _: None
    manager = TaskManager(include_path=job["folder"], include_defaults=False)
    loaded = manager.load(job["tasks"])["tasks"]
    prompts = {name: _prompts(loaded[name]) for name in job["tasks"]}
    result.write_text(json.dumps({"lm_eval": version("lm_eval"), "prompts": prompts}))


def _prompts(task: Any) -> list[list[list[str]]]:
    task.build_all_requests(rank=0, world_size=1)
    by_row: dict[int, list[list[str]]] = {}
    for request in task.instances:
        texts = [text for text in request.args if isinstance(text, str)]
        by_row.setdefault(request.doc_id, []).append(texts)
    return [by_row[row] for row in sorted(by_row)]


if __name__ == "__main__":
    main()
