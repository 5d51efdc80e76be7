"""Looking for a secret in all that is kept, however it is written."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import duckdb
from sqlalchemy import select
from sqlalchemy.engine import URL

from bakeoff.database import open_database, reading
from bakeoff.database.tables import metadata


def leaks(secret: str, database: URL, folder: Path, *said: str) -> list[str]:
    """Where the secret is: a table, a file under `folder` (Parquet by its values too), or what was `said`."""
    return [where for where, content in _everything(database, folder, said) if _holds(content, secret)]


def _holds(content: bytes, secret: str) -> bool:
    data = secret.encode()
    encoded = [base64.b64encode(data), base64.urlsafe_b64encode(data), base64.b64encode(b"Bearer " + data)]
    texts = [secret, quote(secret), quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]]
    forms = {each.encode() for each in texts} | {each.rstrip(b"=") for each in encoded}
    return any(form in content for form in forms)


def _everything(database: URL, folder: Path, said: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    engine = open_database(database)
    with reading(engine) as connection:
        for table in metadata.sorted_tables:
            yield f"table {table.name}", repr(connection.execute(select(table)).all()).encode()
    engine.dispose()
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes()
        if path.suffix == ".parquet":
            yield str(path), repr(duckdb.sql(f"SELECT * FROM '{path}'").fetchall()).encode()
    for number, text in enumerate(said, 1):
        yield f"said {number}", text.encode()
