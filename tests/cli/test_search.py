import json

from bakeoff.board.registry import register
from bakeoff.board.reported.importing import import_reported
from bakeoff.board.reported.layout import Layout
from bakeoff.cli.board_database import opened
from bakeoff.database import writing
from tests.board.little import LITTLE
from tests.cli.command import bakeoff


def test_it_finds_boards_models_and_tasks_and_says_when_nothing_is_there(tmp_path):
    (tmp_path / "table.csv").write_text("model,score\norg/[red]arithmetic[/red],0.5\norg/other,0.4\n")
    with opened(f"sqlite:///{tmp_path / 'bakeoff.db'}") as engine, writing(engine) as connection:
        register(connection, LITTLE, actor="bob")
        layout = Layout(score="score", date="2026-01-01", source="https://example.org")
        import_reported(connection, "theirs", tmp_path / "table.csv", layout, actor="bob")
    shown = bakeoff(tmp_path, "search", "ARITHMETIC")
    assert shown.returncode == 0
    assert "org/[red]arithmetic[/red]  theirs" in shown.stdout
    assert "tasks" in shown.stdout
    kinds = {
        each["kind"]: each for each in json.loads(bakeoff(tmp_path, "search", "arithmetic", "--json").stdout)
    }
    assert kinds["model"]["total"] == 1
    assert bakeoff(tmp_path, "search", "nowhere").stdout == "nothing was found\n"
    assert bakeoff(tmp_path, "search").returncode == 2
