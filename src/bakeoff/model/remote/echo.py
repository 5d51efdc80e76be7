"""A prompt's log-probabilities as `/completions` echoes them, and where a continuation begins in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff.model.remote.draft import count, mapping, name
from bakeoff.model.remote.faults import malformed
from bakeoff.model.remote.openai_wire import read_usage
from bakeoff.model.remote.sse import Event
from bakeoff.nouns import OptionScore, Response, Timing

BOUNDARY_INSIDE = "boundary inside a token"
"""The note of a score; see `OptionScore`."""


class EchoRefused(Exception):  # noqa: N818 (a finding, not a mistake)
    """What came back is no echo with log-probabilities; the message says what it was."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens with their log-probabilities.

    `logprobs[i]` is that of `texts[i]` after all before it, None for the first. `best[i]` is the highest
    log-probability at that place, None where the server does not say.
    """

    texts: tuple[str, ...]
    logprobs: tuple[float | None, ...]
    offsets: tuple[int, ...]
    best: tuple[float | None, ...]

    def __getitem__(self, part: slice) -> "Tokens":
        return Tokens(self.texts[part], self.logprobs[part], self.offsets[part], self.best[part])

    def __len__(self) -> int:
        return len(self.texts)


class CompletionReader:
    """Keeps a whole completion as it came, for its log-probabilities."""

    started = False

    def __init__(self) -> None:
        self.payload: Mapping[str, Any] = {}

    def whole(self, payload: Any) -> None:
        """Take the answer."""
        self.payload = mapping(payload, "the answer")

    def event(self, event: Event) -> bool:
        """Refuse: no stream was asked for."""
        raise malformed(f"a stream that was not asked for (event {event.name!r})")

    def response(self, timing: Timing) -> Response:
        """Its usage and who served it."""
        usage = self.payload.get("usage")
        return Response(
            usage=read_usage(usage if isinstance(usage, dict) else {}),
            timing=timing,
            served_by=name(self.payload.get("model")),
            fingerprint=name(self.payload.get("system_fingerprint")),
        )


def read_choice(payload: Mapping[str, Any]) -> tuple[str, Tokens]:
    """The text of a completion and all tokens it lists.

    Raises:
        EchoRefused: no choice, or log-probabilities in another form than OpenAI's for completions.
    """
    choices = payload.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise EchoRefused("the answer holds no choices")
    text, logprobs = choices[0].get("text"), choices[0].get("logprobs")
    if not isinstance(text, str):
        raise EchoRefused("the answer holds no text")
    if not isinstance(logprobs, dict):
        raise EchoRefused("no log-probabilities came back")
    columns = [logprobs.get(key) for key in ("tokens", "token_logprobs", "text_offset")]
    if not all(isinstance(column, list) for column in columns):
        raise EchoRefused(
            "the log-probabilities hold no prompt tokens: they come as "
            f"{', '.join(sorted(logprobs)) or 'nothing'} instead of tokens, token_logprobs, text_offset"
        )
    texts, values, offsets = columns
    if not len(texts) == len(values) == len(offsets):  # type: ignore[arg-type]
        raise EchoRefused("tokens, log-probabilities and offsets differ in number")
    try:
        return text, Tokens(
            tuple(str(each) for each in texts),  # type: ignore[union-attr]
            tuple(None if each is None else float(each) for each in values),  # type: ignore[union-attr]
            tuple(int(each) for each in offsets),  # type: ignore[union-attr]
            _best(logprobs.get("top_logprobs"), len(texts)),  # type: ignore[arg-type]
        )
    except (TypeError, ValueError):
        raise EchoRefused("the log-probabilities are not numbers") from None


def read_echo(payload: Mapping[str, Any]) -> Tokens:
    """The prompt's tokens in an echo, without what was generated after them.

    Raises:
        EchoRefused: the number of tokens is not that of the prompt, or offsets run backwards.
    """
    _, tokens = read_choice(payload)
    usage = payload.get("usage")
    counted = count(usage.get("prompt_tokens")) if isinstance(usage, dict) else None
    written = (count(usage.get("completion_tokens")) or 0) if isinstance(usage, dict) else 0
    if counted is None:
        raise EchoRefused("the server does not count the prompt's tokens")
    if len(tokens) != counted + written:
        raise EchoRefused(
            f"{len(tokens)} log-probabilities came back for {counted} prompt tokens and {written} written"
        )
    prompt = tokens[:counted]
    if any(later < earlier for earlier, later in zip(prompt.offsets, prompt.offsets[1:], strict=False)):
        raise EchoRefused("the tokens' offsets run backwards")
    if any(logprob is None or logprob > 1e-3 for logprob in prompt.logprobs[1:]):
        raise EchoRefused("a token after the first has no log-probability, or one above 0")
    return prompt


def option(prompt: Tokens, context: str, continuation: str) -> OptionScore:
    """The log-probability of `continuation` after `context`.

    Where the boundary falls inside a token, that token is scored whole, being the first that the continuation
    has a part in, and the score's note says so.

    Raises:
        EchoRefused: the boundary cannot be found, or the first scored token has no log-probability.
    """
    start, split = boundary(prompt.texts, context, continuation)
    scored = prompt[start:]
    known = [logprob for logprob in scored.logprobs if logprob is not None]
    if not known or len(known) < len(scored):
        raise EchoRefused("nothing stands before the first scored token, so it has no log-probability")
    greedy = [
        logprob >= best - 1e-6 for logprob, best in zip(known, scored.best, strict=True) if best is not None
    ]
    return OptionScore(
        sum(known),
        len(known),
        all(greedy) if len(greedy) == len(known) else None,
        note=BOUNDARY_INSIDE if split else "",
    )


def boundary(texts: Sequence[str], context: str, continuation: str) -> tuple[int, bool]:
    """Index of the first token that the continuation has a part in, and whether the context shares it.

    Found from the end, or from the start where token texts near the end do not spell the continuation (a
    character spread over several tokens is often shown as replacement marks).

    Raises:
        EchoRefused: neither end spells its text.
    """
    if not continuation:
        raise EchoRefused("the continuation is empty")
    return _from_end(texts, context + continuation, len(continuation)) or _from_start(
        texts, context + continuation, len(context)
    )


def _from_end(texts: Sequence[str], whole: str, length: int) -> tuple[int, bool] | None:
    start, covered = len(texts), 0
    while start > 0 and covered < length:
        start -= 1
        covered += len(texts[start])
    if covered < length or not whole.endswith("".join(texts[start:])):
        return None
    # Tokens without a text of their own are the first bytes of the character that follows.
    while covered == length and start > 1 and not texts[start - 1]:
        start -= 1
    return start, covered > length


def _from_start(texts: Sequence[str], whole: str, length: int) -> tuple[int, bool]:
    for first in (0, 1):  # With and without a beginning-of-text token.
        end, covered = first, 0
        while end < len(texts) and covered < length:
            covered += len(texts[end])
            end += 1
        if covered >= length and end < len(texts) and whole.startswith("".join(texts[first:end])):
            return (end, False) if covered == length else (end - 1, True)
    raise EchoRefused("the tokens that came back do not spell the prompt")


def _best(top: object, n: int) -> tuple[float | None, ...]:
    if not isinstance(top, list) or len(top) != n:
        return (None,) * n
    return tuple(
        max(float(value) for value in place.values()) if isinstance(place, dict) and place else None
        for place in top
    )
