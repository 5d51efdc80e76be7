"""The made-up rows of the benchmarks of pages."""

from pathlib import Path

import numpy as np


def table_of(rows: int, folder: Path) -> Path:
    """A CSV file with so many rows of scores."""
    draw = np.random.default_rng(0)
    lines = ["model,org,score,se,maths,code,licence,params"]
    for number in range(rows):
        score = float(np.clip(draw.normal(0.5, 0.12), 0, 1))
        parts = np.clip(score + draw.normal(0, 0.05, 2), 0, 1)
        org, licence, size = (
            number % 300,
            ("mit", "apache-2.0", "other")[number % 3],
            (1, 3, 7, 13, 70)[number % 5],
        )
        measured = f"{score:.4f},0.01,{parts[0]:.4f},{parts[1]:.4f}"
        lines.append(f"org{org}/model-{number},org{org},{measured},{licence},{size}")
    table = folder / "table.csv"
    table.write_text("\n".join(lines) + "\n")
    return table


def board_of(table: Path, folder: Path) -> str:
    """The address of a database with the board `large` of that table."""
    from bakeoff.board.reported.importing import import_reported
    from bakeoff.board.reported.layout import Layout
    from bakeoff.cli.board_database import opened
    from bakeoff.database import writing

    layout = Layout(
        source="https://example.org",
        score="score",
        stderr="se",
        columns=("maths", "code"),
        organisation="org",
        licence="licence",
        parameters="params",
        date="2026-01-01",
    )
    database = f"sqlite:///{folder / 'bakeoff.db'}"
    with opened(database) as engine, writing(engine) as connection:
        import_reported(connection, "large", table, layout, actor="benchmark")
    return database
