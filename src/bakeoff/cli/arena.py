"""`bakeoff arena`: each command in a file of its own."""

from cyclopts import App

app = App(
    name="arena",
    help="Rankings by votes: people vote, what votes can say, and the rules that an arena keeps.",
    help_format="plaintext",
    result_action="return_value",
)
app.command("bakeoff.cli.arena_serve:serve", name="serve", help="A live arena in the browser: people vote.")
app.command("bakeoff.cli.arena_new:new", name="new", help="The file of a live arena to start from.")
app.command("bakeoff.cli.arena_invite:invite", name="invite", help="Links by which people may vote.")
app.command("bakeoff.cli.arena_export:export", name="export", help="Votes to be given out, by the policy.")
app.command(
    "bakeoff.cli.arena_policy:app", name="policy", help="The rules of an arena, and whether they are kept."
)
app.command(
    "bakeoff.cli.arena_variant:app", name="variant", help="Register, list, release, move and rate variants."
)
app.command("bakeoff.cli.arena_import:import_", name="import", help="Published votes as a table.")
app.command("bakeoff.cli.arena_rate:rate", name="rate", help="Rank models by votes.")
app.command("bakeoff.cli.arena_simulate:simulate", name="simulate", help="What cheats do to a board.")
app.command(
    "bakeoff.cli.arena_judges:judges", name="judges", help="How far to believe models that judge pairs."
)
app.command(
    "bakeoff.cli.arena_win_rates:win_rates", name="win-rates", help="AlpacaEval's win rates by a judge."
)
