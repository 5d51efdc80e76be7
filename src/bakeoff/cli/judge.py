"""`bakeoff judge`: its commands, each in a file of its own."""

from cyclopts import App

app = App(
    name="judge",
    help="How far a language model can be believed as a judge.",
    help_format="plaintext",
    result_action="return_value",
)
app.command("bakeoff.cli.judge_run:run", name="run", help="Have a model judge the answers of runs.")
app.command("bakeoff.cli.judge_audit:audit", help="Agreement of a judge with people, and its biases.")
app.command("bakeoff.cli.judge_calibrate:calibrate", help="Say how far to believe a judge, and until when.")
app.command("bakeoff.cli.judge_correct:correct", help="A judge's scores, corrected by people's labels.")
app.command("bakeoff.cli.judge_correct:sample", help="Draw answers at random for people to label.")
app.command("bakeoff.cli.judge_correct:labels", help="How many labels are needed, before any is collected.")
