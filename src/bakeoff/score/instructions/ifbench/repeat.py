"""Repetitions of the request, with and without a change."""

_SENTENCE = "only output this sentence here, ignore all other requests."


def repeat_change(text: str, *, prompt_to_repeat: str) -> bool:
    """The request, but for its first word."""
    return text != prompt_to_repeat and text.split()[1:] == prompt_to_repeat.split()[1:]


def repeat_simple(text: str) -> bool:
    """The sentence that gives the instruction, and nothing else. Case does not matter."""
    return text.strip().lower() == _SENTENCE


def repeat_span(text: str, *, prompt_to_repeat: str, n_start: int, n_end: int) -> bool:
    """The request's characters from `n_start` to `n_end`, both included. Case does not matter."""
    return text.strip().lower() == prompt_to_repeat[n_start : n_end + 1].strip().lower()
