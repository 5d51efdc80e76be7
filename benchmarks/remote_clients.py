"""What `remote_run.py` compares: for each client, the files it needs and the command that runs it.

Other harnesses live in virtual environments of their own, made on first use under the user's cache folder
(`XDG_CACHE_HOME`, else `~/.cache`; on a Mac `~/Library/Caches`).
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from null_server import prompt

TASK = """\
name: sums
version: 1
description: Sums, for the benchmark.
data: {file: items.jsonl}
prompt: {template: "{{ input }}"}
generation: {max_tokens: 64}
scorer: number
"""

INSPECT_TASK = """\
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import match
from inspect_ai.solver import generate

@task
def sums():
    return Task(
        dataset=json_dataset("items.jsonl"),
        solver=generate(),
        scorer=match(numeric=True),
        config=GenerateConfig(max_tokens=64, temperature=0),
    )
"""

LM_EVAL_TASK = """\
task: sums
dataset_path: json
dataset_kwargs: {data_files: {test: items.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{input}}"
doc_to_target: "{{target}}"
generation_kwargs: {until: [], max_gen_toks: 64, temperature: 0}
metric_list: [{metric: exact_match}]
"""

BARE = (
    "import asyncio, sys; from remote_throughput import bare; "
    "asyncio.run(bare(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), bool(int(sys.argv[4]))))"
)


@dataclass(frozen=True, slots=True)
class Client:
    """A command to run in the folder with the task's files, and what to set in its environment."""

    command: list[str]
    environ: Mapping[str, str] = field(default_factory=dict)


def write_task(folder: Path, items: int) -> None:
    """The same items for every client, and each harness's own description of the task."""
    with (folder / "items.jsonl").open("w") as file:
        for number in range(items):
            item = {"id": f"s{number}", "input": prompt(number), "target": str(number % 50)}
            file.write(json.dumps(item) + "\n")
    (folder / "sums.yaml").write_text(TASK)
    (folder / "inspect_sums.py").write_text(INSPECT_TASK)
    (folder / "lm_eval_tasks").mkdir()
    (folder / "lm_eval_tasks" / "sums.yaml").write_text(LM_EVAL_TASK)


def bakeoff(url: str, items: int, concurrency: int, *, stream: bool = True) -> Client:  # noqa: ARG001
    settings = [f"base_url={url}", f"concurrency={concurrency}", f"stream={str(stream).lower()}"]
    command = [str(Path(sys.executable).with_name("bakeoff")), "run", "sums.yaml", "--model", "openai:mock"]
    for setting in settings:
        command += ["--set", setting]
    return Client(command, {"BAKEOFF_CACHE": "cache"})


def bare(url: str, items: int, concurrency: int, *, stream: bool = True) -> Client:
    arguments = [url, str(items), str(concurrency), str(int(stream))]
    return Client([sys.executable, "-c", BARE, *arguments], {"PYTHONPATH": str(Path(__file__).parent)})


def inspect(url: str, items: int, concurrency: int) -> Client:  # noqa: ARG001
    program = environment("inspect-ai==0.3.285", "openai") / "inspect"
    command = [str(program), "eval", "inspect_sums.py", "--model", "openai-api/mock/mock"]
    command += ["--max-connections", str(concurrency), "--log-dir", "inspect_logs", "--display", "none"]
    return Client(command, {"MOCK_BASE_URL": url, "MOCK_API_KEY": "none"})


def lm_eval(url: str, items: int, concurrency: int) -> Client:  # noqa: ARG001
    program = environment("lm-eval[api]==0.4.13") / "lm_eval"
    model = (
        f"model=mock,base_url={url}/chat/completions,num_concurrent={concurrency},tokenized_requests=False"
    )
    command = [str(program), "run", "--model", "local-chat-completions", "--model_args", model]
    command += ["--include_path", "lm_eval_tasks", "--tasks", "sums", "--apply_chat_template"]
    command += ["--log_samples", "--output_path", "lm_eval_logs"]
    return Client(command, {"HF_HOME": "hf_home", "HF_DATASETS_OFFLINE": "1"})


PEERS: Mapping[str, Callable[[str, int, int], Client]] = {"inspect": inspect, "lm-eval": lm_eval}
"""The other harnesses by the names they go by on the command line."""


def environment(*packages: str) -> Path:
    """The `bin` folder of a virtual environment with `packages`, made if it is not there yet."""
    name = packages[0].replace("==", "-").replace("[", "-").replace("]", "")
    folder = _user_cache() / "bakeoff-bench" / name
    ready = folder / "ready"
    if not ready.exists():
        print(f"installing {' '.join(packages)} into {folder}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", *packages], check=True)
        ready.touch()
    return folder / "bin"


def _user_cache() -> Path:
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
