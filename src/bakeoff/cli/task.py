"""`bakeoff task`: list, show, lint, new."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]
Several = Annotated[tuple[str, ...], Parameter(negative=())]

app = App(
    name="task",
    help="List, show, check and begin tasks.",
    help_format="plaintext",
    result_action="return_value",
)
app.command("bakeoff.cli.task_items:items", help="How hard its items are over the runs there are.")


@app.command(name="list")
def list_(*, json: Json = False) -> None:
    """The tasks of the catalog.

    Example: bakeoff task list
    """
    from bakeoff.cli.output import print_json, print_names
    from bakeoff.task.catalog import catalog_by_capability, catalog_index

    if json:
        print_json(catalog_index())
        return
    groups = catalog_by_capability()
    width = max((len(name) for group in groups.values() for name in group), default=0)
    for number, (capability, group) in enumerate(groups.items()):
        print(("\n" if number else "") + capability)  # noqa: T201
        print_names(group, width=width, indent="  ")


@app.command
def show(
    task: str,
    *,
    item: str | None = None,
    seed: int = 0,
    data: str | None = None,
    arg: Several = (),
    where: Several = (),
    reveal: Annotated[bool, Parameter(negative=())] = False,
    json: Json = False,
) -> None:
    """A task's facts and one rendered prompt, exactly as it is sent.

    Example: bakeoff task show arithmetic

    Parameters
    ----------
    task:
        A catalog name, a YAML file or a Python file, with `:VARIANT` for a variant.
    item:
        The id of the item to render; the first one by default.
    seed:
        The seed of shots and option order.
    data:
        A file to take the items from instead of the task's own source.
    arg:
        An argument of the task's generator, KEY=VALUE; repeat it for several.
    where:
        Only the rows with this value in a column, COLUMN=VALUE, or in a range, COLUMN=FROM..TO.
    reveal:
        Show the prompt of a private task too, on a terminal only.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import check_reveal, print_json, stdout
    from bakeoff.cli.overlay import overlay
    from bakeoff.cli.task_view import print_task, unreadable
    from bakeoff.task import load_task, prepare

    loaded, variant = load_task(task, data=data, overlay=overlay(arg, where))
    prepared = prepare(loaded, variant, seed=seed)
    chosen = next((each for each in prepared.items() if item is None or each.id == item), None)
    if chosen is None:
        raise BakeoffError(f"{task} has no item {item!r}", "leave out --item to see the first one")
    rendered = prepared.render(chosen)
    if reveal:
        check_reveal(json)
    elif loaded.private:
        rendered = unreadable(rendered)
    if json:
        print_json(
            {
                "name": loaded.name,
                "card": loaded.card.model_dump() if loaded.card else None,
                "variant": variant,
                "variants": ["default", *loaded.every_variant],
                "digest": prepared.digest,
                "parts": dict(prepared.parts),
                "items": prepared.n_items,
                "rendered": asdict(rendered),
            }
        )
        return
    print_task(stdout(), prepared, rendered)


@app.command
def lint(
    *tasks: str,
    data: str | None = None,
    arg: Several = (),
    where: Several = (),
    limit: int | None = None,
    context: int | None = None,
    reveal: Annotated[bool, Parameter(negative=())] = False,
    json: Json = False,
) -> int:
    """Check tasks for mistakes that would move a score. Exits with 1 if there is an error.

    Example: bakeoff task lint my-task.yaml --context 2048

    Parameters
    ----------
    tasks:
        Catalog names, YAML files or Python files.
    data:
        A file to take the items from instead of the task's own source.
    arg:
        An argument of the task's generator, KEY=VALUE; repeat it for several.
    where:
        Only the rows with this value in a column, COLUMN=VALUE, or in a range, COLUMN=FROM..TO.
    limit:
        Only the first so many items.
    context:
        A context length in tokens; prompts that cannot fit it are named. Without a tokenizer at hand a token
        is taken for four characters.
    reveal:
        Show what was found in the items of a private task too, on a terminal only.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import check_reveal, print_json, stdout
    from bakeoff.cli.overlay import overlay
    from bakeoff.cli.task_view import print_findings, unquoted
    from bakeoff.task import lint as findings_of
    from bakeoff.task import load_task

    if not tasks:
        raise BakeoffError("no task given", "bakeoff task lint my-task.yaml")
    if reveal:
        check_reveal(json)
    changed = overlay(arg, where)
    found = {}
    for ref in tasks:
        task, variant = load_task(ref, data=data, overlay=changed)
        found[ref] = findings_of(
            task, variant=variant, limit=limit, count_tokens=_about if context else None, context=context
        )
        if task.private and not reveal:
            found[ref] = [unquoted(finding) for finding in found[ref]]
    if json:
        print_json({ref: [asdict(finding) for finding in findings] for ref, findings in found.items()})
    else:
        for ref, findings in found.items():
            print_findings(stdout(), ref, findings)
    return int(any(finding.level == "error" for findings in found.values() for finding in findings))


@app.command
def new(name: str, *, kind: str = "multiple-choice", into: Path = Path()) -> None:
    """A starter task that runs as it is: a YAML file and a few items to replace by yours.

    Example: bakeoff task new capitals --kind short-answer

    Parameters
    ----------
    name:
        The task's name.
    kind:
        multiple-choice, short-answer or classification.
    into:
        The folder to write to.
    """
    from bakeoff.store import write_atomically
    from bakeoff.task import starter

    files = {into / file: text for file, text in starter(kind, name).items()}
    for path in files:
        if path.exists():
            raise BakeoffError(f"{path} exists already", "choose another name or folder; nothing was written")
    into.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        write_atomically(path, text.encode())
        print(f"wrote {path}")  # noqa: T201
    yaml = next(path for path in files if path.suffix == ".yaml")
    print(f"next: bakeoff run {yaml} --model gguf:smollm2")  # noqa: T201


def _about(asked: object) -> int:
    """Tokens, at four characters each."""
    text = asked if isinstance(asked, str) else "".join(message.text for message in asked)  # type: ignore[attr-defined]
    return -(-len(text) // 4)
