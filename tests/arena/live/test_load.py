"""Voters on a server that is killed while it answers them: no vote is lost, none counts twice."""

import asyncio

from benchmarks.arena_load import crowd, problems
from benchmarks.arena_server import arena, arena_server
from benchmarks.null_server import null_server

from bakeoff.database import database_url, open_database, reading


def test_whatever_a_voter_was_told_is_so_whenever_the_server_is_killed(tmp_path, database):
    address = database.render_as_string(hide_password=False)
    with null_server(0.05, 0.005) as models, arena_server(tmp_path, arena(models.url), address) as server:
        server.wait()
        engine = open_database(database_url(address))
        told, killed = asyncio.run(
            crowd(server, engine, voters=12, seconds=2, least=1, think_s=0.2, kills=[0.5])
        )
    with reading(engine) as connection:
        assert list(problems(connection, told, killed)) == []
    engine.dispose()
    assert "Traceback" not in server.log.read_text()
    assert len(told.votes) >= 12
    assert killed.number == 1
    assert killed.answering
    assert told.lost
