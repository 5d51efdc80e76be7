"""`bakeoff account`: each command in a file by what it is about."""

from cyclopts import App

app = App(
    name="account",
    help="Who may submit, discuss and moderate in the browser and by the API. Reading needs no account.",
    help_format="plaintext",
    result_action="return_value",
)
for _command, _help in {
    "account_people:add": "Add an account.",
    "account_people:list_": "Who there is.",
    "account_people:role": "Give an account another role.",
    "account_people:disable": "Shut an account; what it did stays.",
    "account_people:enable": "Open an account again.",
    "account_people:organisation": "Let an account speak for an organisation, or no longer.",
    "account_secrets:password": "Set the password of an account.",
    "account_secrets:token": "By which programs act for an account: make, list and revoke.",
    "account_secrets:sessions": "Where an account is logged in; close them.",
}.items():
    app.command(f"bakeoff.cli.{_command}", name=_command.partition(":")[2].rstrip("_"), help=_help)
