import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.visible import visible


# Sequences that would clear the screen, rename the window, move the cursor, or read backwards.
@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J\x1b[H", "\\u001b[2J\\u001b[H"),
        ("\x1b]0;owned\x07", "\\u001b]0;owned\\u0007"),
        ("abc\rxyz", "abc\\u000dxyz"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("a\u200bb", "a\\u200bb"),
        ("\x9b31m", "\\u009b31m"),
        ("a\u2028b\u061c", "a\\u2028b\\u061c"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("none \uffff", "none \\uffff"),  # no character, and none that XML could hold
        ("broken \udc80", "broken \\udc80"),
    ],
)
def test_what_could_act_on_a_terminal_is_spelt_out(hostile, shown):
    assert visible(hostile) == shown


@given(st.text())
def test_no_text_reaches_the_terminal_with_a_control_character(text):
    safe = visible(text)
    assert not any((ord(each) < 32 and each not in "\n\t") or 127 <= ord(each) < 160 for each in safe)
    safe.encode()


def test_ordinary_text_stays_as_it_is():
    text = "Ligne 1\n\tdéjà vu 日本語 🎉 [bold]x[/bold]"
    assert visible(text) == text
