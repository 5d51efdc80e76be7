"""Rows from the Parquet files of a data set on the Hugging Face hub."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.task.data import Data
from bakeoff.task.rows.parquet import parquet_rows
from bakeoff.task.rows.source import Row, Source
from bakeoff.task.spec import Place, nearest
from bakeoff.task.task import Task

_CONVERTED = "refs/convert/parquet"
"""The branch where the hub keeps a Parquet copy of data sets in other formats."""


def hub_source(task: Task, data: Data, at: Place) -> Source:
    """The rows of one split, from files pinned at the commit that the revision stands for now.

    The files are downloaded into the hub's own cache, or found there when HF_HUB_OFFLINE=1.

    Raises:
        TaskError: no such data set, revision, configuration or split; access is gated; no network.
    """
    assert data.hub is not None
    place: Place = (*at, "hub")
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", data.hub):
        raise task.error(place, f"{data.hub!r} names no data set", "write owner/name, say openai/gsm8k")
    paths, commit, revision = _resolved(task, data, at)
    facts = {
        "hub": data.hub,
        "config": ", ".join(data.config) if isinstance(data.config, tuple) else data.config or "default",
        "split": data.split,
        "revision": commit,
        "branch": revision,
    }
    named = isinstance(data.config, tuple)
    return Source(f"{data.hub} ({data.split})", lambda: _rows(paths, named=named), facts)


def _rows(paths: Mapping[str | None, list[Path]], *, named: bool) -> Iterator[Row]:
    """The rows of one configuration after the other; `named` puts its name into the column `config`."""
    for config, files in paths.items():
        for row in parquet_rows(files):
            assert not isinstance(row.columns, Item)
            yield Row(row.place, {**row.columns, "config": config}) if named else row


def split_files(names: Iterable[str], config: str | None, split: str) -> list[str]:
    """The Parquet files of one split, in order, among the files of a repository.

    Three layouts are common: `data/{split}-*.parquet`, `{config}/{split}-*.parquet`, and, on the branch of
    converted files, `{config}/{split}/*.parquet`. Without a config, the only one there is.

    Raises:
        LookupError: there is no such split, or several configurations have it; says what there is.
    """
    found = _splits(names)
    if config is None:
        named = sorted(folder for folder, name in found if name == split)
        plain = [folder for folder in named if folder in ("", "data", "default")]
        if not plain and len(named) > 1:
            raise LookupError(
                f"several configurations have the split {split!r}: name one with config. "
                f"There are {', '.join(named)}"
            )
        folders = plain or named
    else:
        folders = [config, f"data/{config}"] + ([""] if config == "default" else [])
        if config == "default":
            folders.append("data")
    for folder in folders:
        if (folder, split) in found:
            return _complete(sorted(found[folder, split]))
    there = sorted({f"{folder or 'default'}/{name}" for folder, name in found})
    wanted = f"{config}/{split}" if config else split
    if not there:
        raise LookupError("there are no Parquet files in it")
    raise LookupError(f"there is no {wanted!r} in it; {nearest(wanted, there, 'there are')}")


_SHARD = re.compile(r"(?P<split>[A-Za-z_][\w.]*)(?:-(?P<shard>\d+)-of-(?P<of>\d+)(?:-[0-9a-f]+)?)?\.parquet")


def _splits(names: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """(folder, split) to its files."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in names:
        folder, _, file = name.rpartition("/")
        if not file.endswith(".parquet"):
            continue
        shard = _SHARD.fullmatch(file)
        if shard:
            key = (folder, shard["split"])
        elif folder:
            # {config}/{split}/0000.parquet; a `partial-` split was cut short by the hub.
            config, _, split = folder.rpartition("/")
            key = (config, split)
        else:
            continue
        found.setdefault(key, []).append(name)
    return found


def _complete(files: list[str]) -> list[str]:
    shards = [match for name in files if (match := _SHARD.fullmatch(name.rpartition("/")[2])) and match["of"]]
    if shards:
        there, wanted = {int(each["shard"]) for each in shards}, int(shards[0]["of"])
        if missing := set(range(wanted)) - there:
            raise LookupError(f"{len(missing)} of its {wanted} files are missing")
    return files


def _resolved(task: Task, data: Data, at: Place) -> tuple[dict[str | None, list[Path]], str, str]:
    """The local files of each configuration, the commit they belong to, and the revision asked for."""
    from huggingface_hub import constants, is_offline_mode

    offline = is_offline_mode()
    configs = data.config if isinstance(data.config, tuple) else (data.config,)
    problems: list[str] = []
    for revision in [data.revision] if data.revision else ["main", _CONVERTED]:
        if offline:
            listing = _cached(Path(constants.HF_HUB_CACHE), data.hub or "", revision)
        else:
            listing = _listed(task, data, at, revision)
        if listing is None:
            if offline:
                problems.append(f"it is not in the cache ({constants.HF_HUB_CACHE}) at {revision}")
            continue
        commit, names = listing
        try:
            files = {config: split_files(names, config, data.split) for config in configs}
        except LookupError as error:
            problems.append(str(error))
            continue
        paths = {
            config: [_downloaded(task, data, at, name, commit) for name in each]
            for config, each in files.items()
        }
        return paths, commit, revision
    hint = "HF_HUB_OFFLINE is set: run once without it to download" if offline else ""
    raise task.error((*at, "hub"), f"{data.hub}: {problems[0]}", hint)


def _cached(cache: Path, repo: str, revision: str) -> tuple[str, list[str]] | None:
    """The commit and the files of a data set in the hub's cache: refs/<revision> names a snapshot."""
    folder = cache / f"datasets--{repo.replace('/', '--')}"
    ref = folder / "refs" / revision
    commit = ref.read_text().strip() if ref.is_file() else revision
    snapshot = folder / "snapshots" / commit
    if not snapshot.is_dir():
        return None
    files = (path.relative_to(snapshot).as_posix() for path in snapshot.rglob("*") if path.is_file())
    return commit, sorted(files)


def _listed(task: Task, data: Data, at: Place, revision: str) -> tuple[str, list[str]] | None:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RevisionNotFoundError

    assert data.hub is not None
    try:
        info = HfApi().dataset_info(data.hub, revision=revision)
    except RevisionNotFoundError:
        if revision == _CONVERTED:
            return None
        raise task.error((*at, "revision"), f"{data.hub} has no revision {revision!r}") from None
    except _hub_errors() as error:
        raise _unreachable(task, data, at, error) from error
    return str(info.sha), [each.rfilename for each in info.siblings or []]


def _downloaded(task: Task, data: Data, at: Place, name: str, commit: str) -> Path:
    from huggingface_hub import hf_hub_download

    assert data.hub is not None
    try:
        return Path(hf_hub_download(data.hub, name, repo_type="dataset", revision=commit))
    except _hub_errors() as error:
        raise _unreachable(task, data, at, error) from error


def _hub_errors() -> tuple[type[Exception], ...]:
    from huggingface_hub import errors

    # HTTPError is the base of the HTTP client's errors; which client it is depends on the hub's version.
    http: type[Exception] = getattr(errors, "HTTPError", errors.HfHubHTTPError)
    return (http, OSError)


def _unreachable(task: Task, data: Data, at: Place, error: Exception) -> TaskError:
    from huggingface_hub.errors import GatedRepoError, LocalEntryNotFoundError, RepositoryNotFoundError

    place, page = (*at, "hub"), f"https://huggingface.co/datasets/{data.hub}"
    hints: Mapping[type[Any], tuple[str, str]] = {
        GatedRepoError: ("access is gated", f"ask for access at {page}, then log in (`hf auth login`)"),
        RepositoryNotFoundError: (
            "there is no such data set, or it is private",
            "check the name; for a private one log in (`hf auth login`)",
        ),
        LocalEntryNotFoundError: (
            "a file is not in the cache and the hub cannot be reached",
            "check the network; with HF_HUB_OFFLINE=1 only what was downloaded before can be used",
        ),
    }
    for kind, (problem, hint) in hints.items():
        if isinstance(error, kind):
            return task.error(place, f"{data.hub}: {problem}", hint)
    first = str(error).strip().partition("\n")[0]
    return task.error(
        place,
        f"{data.hub}: the hub cannot be reached: {type(error).__name__}: {first}",
        "check the network; HF_HUB_OFFLINE=1 uses what was downloaded before; --data FILE a copy",
    )
