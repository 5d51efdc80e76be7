"""`bakeoff board`: each command in a file of its own."""

from cyclopts import App

app = App(
    name="board",
    help="Versioned rankings: submissions, their queue and workers, snapshots that cannot be changed unseen.",
    help_format="plaintext",
    result_action="return_value",
)
for _command, _help in {
    "board_definition:new": "Write the definition of a board to start from.",
    "board_definition:add": "Make a version of a board known.",
    "board_submission:submit": "Hand in a model.",
    "board_submission:queue": "Where submissions stand.",
    "board_worker:worker": "Do the jobs of the queue.",
    "board_submission:publish": "Publish a submission that was evaluated.",
    "board_submission:withdraw": "Withdraw a submission, in sight.",
    "board_snapshot:snapshot": "Publish the present state, or show one that was published.",
    "board_snapshot:diff": "Why the order changed, line by line.",
    "board_snapshot:verify": "Whether the log and the snapshots are as they were written.",
    "board_import:import_": "Keep a table of scores that others report.",
}.items():
    app.command(f"bakeoff.cli.{_command}", name=_command.partition(":")[2].rstrip("_"), help=_help)
