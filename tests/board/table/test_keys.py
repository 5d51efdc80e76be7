from hypothesis import given

from bakeoff.board.table.keys import row_keys
from tests.board.table.making import scored, snapshot, snapshots


def test_submissions_are_named_by_their_number_and_what_is_reported_by_its_name():
    made = snapshot(
        scored(1, 0.9),
        scored(2, 0.8, provenance="reported", model="org/a", precision="4bit"),
        scored(3, 0.7, provenance="reported", model="org/a", precision=""),
        scored(5, 0.6, provenance="reported", model="org/a", precision="4bit"),
        scored(4, 0.5, provenance="reported", model="org/a", precision="4bit"),
        scored(6, 0.4, provenance="reported", model="org/a@4bit~2", precision=""),
    )
    assert row_keys(made.rows) == (
        "1",
        "org/a@4bit",
        "org/a",
        "org/a@4bit~3",
        "org/a@4bit~2",
        "org/a@4bit~2~2",
    )


@given(snapshots())
def test_every_row_has_a_key_of_its_own(made):
    keys = row_keys(made.rows)
    assert len(set(keys)) == len(keys) == len(made.rows)
    assert all(keys)
