"""A log-likelihood request as token ids: as lm-eval would ask it, or without its mistakes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bakeoff.model.hf.encoding import Encoder, Mode
from bakeoff.model.hf.scored import Scored
from bakeoff.model.pair import Pair, corrected_pairs, rolling_windows
from bakeoff.nouns import Failure, FailureKind, Input, Loglikelihood, OptionScore, Usage

Prompts = Callable[[Input, Mode], str]
"""An input as the text the model reads, by the way each mode renders it."""


@dataclass(frozen=True, slots=True)
class Option:
    """One continuation to score: the sum over `pairs`, several where a document takes several windows.

    `other` is the pair that the mode not asked for would score, where it is another one and can be scored;
    `note` says what the two differ in.
    """

    pairs: tuple[Pair, ...]
    unconditional: Pair | None = None
    other: Pair | None = None
    note: str = ""
    document: bool = False

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the context; of a document, all that its windows read."""
        if self.document:
            return sum(pair.length - 1 for pair in self.pairs)
        return len(self.pairs[0].context)

    def scored(self, scores: Mapping[Pair, Scored]) -> OptionScore:
        """The option's score, from those of its pairs."""
        found = [scores[pair] for pair in self.pairs]
        return OptionScore(
            logprob=sum(scored.logprob for scored in found),
            tokens=sum(len(pair.continuation) for pair in self.pairs),
            greedy=all(scored.greedy for scored in found),
            unconditional=None if self.unconditional is None else scores[self.unconditional].logprob,
            note=self.note,
            other=None if self.other is None else scores[self.other].logprob,
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What a request asks. `tokens` is how many its longest pair reads; the last one is only predicted."""

    options: tuple[Option, ...]
    tokens: int

    @property
    def pairs(self) -> list[Pair]:
        """Every pair that has to be scored."""
        found = [pair for option in self.options for pair in option.pairs]
        extra = [pair for option in self.options for pair in (option.unconditional, option.other)]
        return found + [pair for pair in extra if pair is not None]

    @property
    def usage(self) -> Usage:
        """Tokens of the longest context, or of the documents; nothing is written."""
        return Usage(max(option.prompt_tokens for option in self.options), 0)

    def scored(self, scores: Mapping[Pair, Scored]) -> tuple[OptionScore, ...]:
        """The score of each option, from those of all `pairs`."""
        return tuple(option.scored(scores) for option in self.options)


def question_of(
    request: Loglikelihood, prompts: Prompts, encoder: Encoder, mode: Mode, context_length: int
) -> Question | Failure:
    """`request` as token ids.

    Nothing is cut, but in lm-eval's mode, which cuts a context on the left and says so in the option's note.
    A continuation without a token of its own is a failure of its request; so is an empty context for a model
    that has no token to stand for it.
    """
    if not request.continuations:
        return Failure(FailureKind.REJECTED, "the request has no continuation to score")
    if request.rolling:
        options: list[Option] | Failure = _documents(request, encoder, mode, context_length)
    else:
        options = _options(request, prompts, encoder, mode, context_length)
    if isinstance(options, Failure):
        return options
    return Question(tuple(options), max(pair.length - 1 for option in options for pair in option.pairs))


def _options(
    request: Loglikelihood, prompts: Prompts, encoder: Encoder, mode: Mode, context_length: int
) -> list[Option] | Failure:
    ours, theirs, notes = _built(request, prompts, encoder)
    chosen, others = (ours, theirs) if mode == "corrected" else (theirs, ours)
    alone: Sequence[Pair | None] = [None] * len(chosen)
    if request.unconditional:
        alone = [_possible(pair) for pair in encoder.pairs(mode, "", request.continuations)]
    options = []
    for text, pair, other, unconditional, note in zip(
        request.continuations, chosen, others, alone, notes, strict=True
    ):
        if failure := _fault(text, pair):
            return failure
        differs = _possible(other) if note and other.length - 1 <= context_length else None
        option = Option((pair,), unconditional, differs, note)
        if mode == "lm-eval" and pair.length - 1 > context_length:
            cut = _left_truncated(option, context_length)
            if isinstance(cut, Failure):
                return cut
            option = cut
        options.append(option)
    return options


def _built(
    request: Loglikelihood, prompts: Prompts, encoder: Encoder
) -> tuple[list[Pair], list[Pair], list[str]]:
    """The pairs of both modes, corrected and lm-eval's, and what they differ in."""
    texts = request.continuations
    ours: list[Pair] = []
    theirs: list[Pair] = []
    notes: list[str] = []
    # One context for all options, unless each has a lead of its own.
    groups = [(i, texts[i : i + 1]) for i in range(len(texts))] if request.leads else [(0, texts)]
    for first, group in groups:
        asked = request.input_of(first)
        context, rendered = prompts(asked, "corrected"), prompts(asked, "lm-eval")
        split = encoder.pairs("corrected", context, group)
        same = rendered == context and encoder.agrees(context)
        plain = split if same else encoder.pairs("lm-eval", rendered, group)
        right = corrected_pairs(encoder.encode, encoder.prefix, split, [context + text for text in group])
        notes += [
            _difference(pair, other, split_pair, rendered == context)
            for pair, other, split_pair in zip(right, plain, split, strict=True)
        ]
        ours += right
        theirs += plain
    return ours, theirs, notes


def _difference(pair: Pair, other: Pair, split: Pair, same_text: bool) -> str:
    if (pair.context, pair.continuation) == (other.context, other.continuation):
        return ""
    if not same_text:
        return "system message dropped by the template"
    if (pair.context, pair.continuation) != (split.context, split.continuation):
        return "boundary inside a token"
    return "special tokens doubled, missing or appended"


def _documents(
    request: Loglikelihood, encoder: Encoder, mode: Mode, context_length: int
) -> list[Option] | Failure:
    if request.input or request.leads:
        return Failure(FailureKind.REJECTED, "a rolling request has documents only, no input before them")
    if encoder.prefix is None:
        return Failure(FailureKind.UNSUPPORTED, "the model has no token for a document to begin with")
    options = []
    for text in request.continuations:
        ours, theirs = encoder.document(text), encoder.encode_lm_eval(text)
        ids = ours if mode == "corrected" else theirs
        if not ids:
            return Failure(FailureKind.UNSUPPORTED, f"the document {text!r} has no tokens")
        windows = tuple(rolling_windows(ids, encoder.prefix, context_length))
        note = "" if ours == theirs else "special tokens doubled, missing or appended"
        options.append(Option(windows, note=note, document=True))
    return options


def _left_truncated(option: Option, context_length: int) -> Option | Failure:
    """`option` as lm-eval cuts it: the last `context_length` + 1 tokens of context and continuation."""
    (pair,) = option.pairs
    surplus = pair.length - 1 - context_length
    if surplus >= len(pair.context):
        return Failure(
            FailureKind.CONTEXT_LENGTH,
            f"a continuation of {len(pair.continuation)} tokens fills the context of {context_length}",
        )
    note = "; ".join(filter(None, [option.note, f"left-truncated by {surplus} tokens"]))
    return replace(option, pairs=(Pair(pair.context[surplus:], pair.continuation, pair.joined),), note=note)


def _fault(text: str, pair: Pair) -> Failure | None:
    if not text:
        return Failure(
            FailureKind.UNSUPPORTED,
            "an empty continuation '' has nothing to score: it is always certain",
        )
    if not pair.continuation:
        return Failure(
            FailureKind.UNSUPPORTED,
            f"the continuation {text!r} adds no token to its context: it merges into the context's last one "
            "(the setting encoding=corrected scores it)",
        )
    if not pair.context:
        return Failure(
            FailureKind.UNSUPPORTED, "the model has no beginning or end of text to score an empty context by"
        )
    return None


def _possible(pair: Pair) -> Pair | None:
    return pair if pair.context and pair.continuation else None
