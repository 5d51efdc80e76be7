import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.errors import StoreError
from bakeoff.store import Journal, from_row, journal_rows
from tests.store.samples_strategy import sample, samples


@settings(max_examples=30, deadline=None)
@given(each=st.lists(samples, min_size=1, max_size=4))
def test_what_is_appended_is_read_back(tmp_path_factory, each):
    path = tmp_path_factory.mktemp("run") / "journal-0.jsonl"
    with Journal(path) as journal:
        for one in each:
            journal.append(one)
    assert [from_row(row) for row in journal_rows(path)] == each


@pytest.mark.parametrize("kept", [0, 1, 5])
@pytest.mark.parametrize(
    "torn", [b"{", b'{"item_id": "half', b"\xff\xfe", b'{"item_id":"whole but no line end"}']
)
def test_a_torn_last_line_is_cut_off_on_opening_and_nothing_else(tmp_path, kept, torn):
    path = tmp_path / "journal-0.jsonl"
    with Journal(path) as journal:
        for number in range(kept):
            journal.append(sample(str(number)))
    with path.open("ab") as file:
        file.write(torn)
    assert len(list(journal_rows(path))) == kept
    with Journal(path) as journal:
        journal.append(sample("next"))
    assert [row["item_id"] for row in journal_rows(path)] == [*map(str, range(kept)), "next"]


def test_a_torn_line_longer_than_a_block_is_found(tmp_path):
    path = tmp_path / "journal-0.jsonl"
    with Journal(path) as journal:
        journal.append(sample("first"))
    with path.open("ab") as file:
        file.write(b"x" * 200_000)
    with Journal(path):
        pass
    assert [row["item_id"] for row in journal_rows(path)] == ["first"]


def test_a_second_writer_is_refused(tmp_path):
    path = tmp_path / "journal-0.jsonl"
    with Journal(path), pytest.raises(StoreError, match="another process is writing"):
        Journal(path)


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "journal-0.jsonl"
    with Journal(path) as journal:
        journal.append(sample("a"))
    with path.open("ab") as file:
        file.write(b"not json\n")
    with pytest.raises(StoreError, match="line 2"):
        list(journal_rows(path))


def test_lone_surrogates_from_a_broken_tokenizer_are_spelt_out_not_lost(tmp_path):
    path = tmp_path / "journal-0.jsonl"
    with Journal(path) as journal:
        journal.append(sample(text="ok \udc80"))
    assert [from_row(row).turns[0].response.text for row in journal_rows(path)] == ["ok \\udc80"]


def test_a_full_disk_is_an_error_and_leaves_only_whole_lines(tmp_path):
    # A file-size limit stands in for the full disk: the kernel cuts the write short in the same way.
    path = tmp_path / "journal-0.jsonl"
    script = textwrap.dedent(f"""
        import resource, signal, sys
        from pathlib import Path
        from bakeoff.errors import StoreError
        from bakeoff.store import Journal
        from tests.store.samples_strategy import sample
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        with Journal(Path({str(path)!r})) as journal:
            try:
                for number in range(100):
                    journal.append(sample(str(number)))
            except StoreError as error:
                print(number, error.message)
    """)
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=root, check=True
    )
    number, _, message = done.stdout.partition(" ")
    assert "disk is full" in message
    assert 0 < int(number) < 100
    assert path.read_bytes().endswith(b"\n")
    assert [row["item_id"] for row in journal_rows(path)] == [str(each) for each in range(int(number))]
