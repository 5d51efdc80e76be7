import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.remote.sse import Event, EventParser, EventTooLongError


def parsed(*chunks: bytes, limit: int = 1000) -> list[Event]:
    parser = EventParser(limit)
    return [event for chunk in chunks for event in parser.feed(chunk)]


# Examples of the WHATWG HTML standard, section 9.2.6.
@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"data: YHOO\ndata: +2\ndata: 10\n\n", [("", b"YHOO\n+2\n10")]),
        (
            b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [("", b"first event"), ("", b"second event"), ("", b" third event")],
        ),
        (b"data\n\ndata\ndata\n\ndata:\n", [("", b""), ("", b"\n")]),
        (b"data:test\n\ndata: test\n\n", [("", b"test"), ("", b"test")]),
        (
            b"event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
            [("add", b"73857293"), ("remove", b"2153")],
        ),
    ],
)
def test_the_examples_of_the_standard_parse_as_it_says(stream, expected):
    assert parsed(stream) == expected


def test_a_byte_order_mark_a_comment_and_an_event_without_data_leave_no_event():
    assert parsed(b"\xef\xbb\xbfdata: a\n\n: ping\n\nevent: ping\n\n") == [("", b"a")]


def test_an_event_that_the_end_left_unfinished_is_dropped():
    assert parsed(b"data: a\n\ndata: b\n") == [("", b"a")]


_texts = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20)


@given(
    st.lists(st.tuples(_texts.filter(lambda name: name == name.strip()), _texts), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.randoms(use_true_random=False),
)
def test_events_are_the_same_wherever_the_bytes_were_cut(events, newline, random):
    lines = [f"event: {name}{newline}data: {data}{newline}{newline}" for name, data in events]
    # A comment at the end: a CR is only known to be a whole line ending once something follows it.
    stream = ("".join(lines) + ":end\n").encode()
    cuts = sorted(random.randint(0, len(stream)) for _ in range(6))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert parsed(*chunks) == [(name, data.encode()) for name, data in events]


_chunks = st.lists(
    st.sampled_from(
        [
            b"data: a\n\n",
            b"data: ",
            b"data: \n\n",
            b"data: a\r\n\r\n",
            b"data: b\r\r",
            b"data: c\n",
            b"\n",
            b"event: x\n",
        ]
    ),
    max_size=9,
)


@given(_chunks)
def test_an_event_that_comes_alone_is_what_it_is_among_others(chunks):
    """One that begins in another chunk, has a name, or is empty is not taken for one that comes alone."""
    whole = b"".join(chunks)
    assert parsed(*chunks, b":end\n") == parsed(whole + b":end\n")


@pytest.mark.parametrize("chunk", [b"x" * 30, b"data: xxxxxxxxx\n"])
def test_an_endless_line_or_event_is_refused_and_not_kept(chunk):
    with pytest.raises(EventTooLongError):
        parsed(*[chunk] * 20, limit=100)
