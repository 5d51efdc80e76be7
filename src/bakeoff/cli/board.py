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
    "board_key:key": "The pair of keys by which submitters lend theirs.",
    "board_submission:publish": "Publish a submission that was evaluated.",
    "board_submission:reject": "Reject a submission at review, in sight.",
    "board_submission:withdraw": "Withdraw a submission, in sight.",
    "board_retry:retry": "Try again what failed by no fault of its own.",
    "board_rerank:rerank": "After a change of the rule: both methods over the same runs.",
    "board_vote:vote": "Vote for what is to be evaluated soon.",
    "board_discussion:discuss": "Read or add to what is said of a board, a task or a submission.",
    "board_discussion:hide": "Hide a post, in sight and for a reason.",
    "board_discussion:unhide": "Show a post again.",
    "board_discussion:erase": "Remove the text of a post for good; its place stays.",
    "board_flag:flag": "Say that a row breaks a rule of its board.",
    "board_flag:flags": "The flags on a board, with replies and rulings.",
    "board_flag:reply": "Answer a flag on one's own organisation's row.",
    "board_flag:rule": "Rule on a flag: uphold takes the rank, dismiss gives it back.",
    "board_snapshot:snapshot": "Publish the present state, or show one that was published.",
    "board_table:table": "The rows of a board, searched, filtered and sorted as on its page.",
    "board_snapshot:diff": "Why the order changed, line by line.",
    "board_history:history": "How a model stood over time.",
    "board_snapshot:verify": "Whether the log and the snapshots are as they were written.",
    "board_answers:answers": "Where the items and answers of a board are.",
    "board_import:import_": "Keep a table of scores that others report.",
    "board_site:site": "Write a board as plain files, for any host or none.",
    "board_copy:copy": "Copy everything into an empty database: a backup, a restore, or a move.",
}.items():
    app.command(f"bakeoff.cli.{_command}", name=_command.partition(":")[2].rstrip("_"), help=_help)
