"""The `bakeoff` command. Each command lives in a file of its own and is imported only when it is used."""

import sys
import traceback

from cyclopts import App

from bakeoff import __version__
from bakeoff.errors import BakeoffError

_EPILOGUE = """\
Start with `bakeoff quickstart`. Every command has --help with an example, and --json for machines.

Exit codes: 0 done; 1 done, but a run is incomplete (samples without a score); 2 wrong input; \
3 the model could not be reached or cannot do what was asked; 4 a file could not be read or written; \
70 a bug in bakeoff; 130 stopped by hand. `bakeoff gate`: 0 pass, 1 fail, 3 inconclusive.\
"""

app = App(
    name="bakeoff",
    help="Evaluate language models, and say what the numbers can bear.",
    help_epilogue=_EPILOGUE,
    version=__version__,
    help_format="plaintext",
    result_action="return_value",
)
app.command(
    "bakeoff.cli.quickstart:quickstart", help="A real model on small generated tasks, in two minutes."
)
app.command("bakeoff.cli.run:run", help="Put tasks to models.")
app.command("bakeoff.cli.show:show", help="A run's report, then the samples behind it.")
app.command("bakeoff.cli.compare:compare", help="Which model is better, and is it more than noise?")
app.command("bakeoff.cli.fields:fields", help="Strict extraction, field by field; two runs paired.")
app.command("bakeoff.cli.classify:classify", help="Rare positives: what is found, and what errors cost.")
app.command("bakeoff.cli.rag:rag", help="Answers from passages: retrieval, groundedness, abstention.")
app.command("bakeoff.cli.gate:app", name="gate", help="Is a run good enough to release? Exit codes for CI.")
app.command("bakeoff.cli.judge:app", name="judge", help="How far a model can be believed as a judge.")
app.command("bakeoff.cli.set:app", name="set", help="Sets of items: freeze, grow by review, see what moved.")
app.command("bakeoff.cli.board:app", name="board", help="Versioned rankings, and the service behind them.")
app.command("bakeoff.cli.arena:app", name="arena", help="Rankings by votes, and the rules an arena keeps.")
app.command("bakeoff.cli.search:search", help="Boards, models, tasks, runs and posts that hold these words.")
app.command("bakeoff.cli.serve:serve", help="Boards, runs and comparisons in the browser.")
app.command("bakeoff.cli.account:app", name="account", help="Who may submit, discuss and moderate.")
app.command("bakeoff.cli.rescore:rescore", help="Judge a run's answers anew, without asking a model.")
app.command("bakeoff.cli.task:app", name="task", help="List, show, check and begin tasks.")
app.command("bakeoff.cli.suite:app", name="suite", help="Several tasks as one score: list, show, score.")
app.command("bakeoff.cli.doctor:doctor", help="What this machine can do, and what to install for the rest.")


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        _say_all_of(sys.argv[1:3])
        code = app(sys.argv[1:])
    except BakeoffError as error:
        _complain(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    except BrokenPipeError:
        # The reader (`| head`) left. Point stdout elsewhere, or the interpreter complains at exit.
        sys.stdout = None
        sys.exit(0)
    except Exception:  # noqa: BLE001 (shown whole; only the exit code is ours, since 1 says "a gate failed")
        print("this is a bug in bakeoff; please report it with these lines:", file=sys.stderr)  # noqa: T201
        traceback.print_exc()
        sys.exit(70)
    sys.exit(code if isinstance(code, int) else 0)


def _say_all_of(named: list[str]) -> None:
    """A command's own help is its docstring, with the example; the line given above is for the list."""
    at = app
    for name in named:
        if name not in at:
            return
        at = at[name]
        if at.default_command is not None:
            at.help = None


def _complain(error: BakeoffError) -> None:
    from bakeoff.visible import visible

    print(f"error: {visible(error.message)}", file=sys.stderr)  # noqa: T201
    if error.hint:
        print(visible(error.hint), file=sys.stderr)  # noqa: T201
