"""Long texts that anybody can make again: sentences of drawn words, with numbers and paragraphs between."""

from random import Random

_NAMES = (
    "the harbour",
    "an old clock",
    "Mira",
    "the north wind",
    "a grey heron",
    "our neighbour",
    "the engineer",
)
_DEEDS = (
    "waits for",
    "remembers",
    "slowly repairs",
    "cannot find",
    "paints",
    "measures",
    "has never trusted",
)
_THINGS = (
    "seven lanterns",
    "the blue door",
    "a map of Älvdalen",
    "£{} of copper",
    "{} metres of rope",
    "the tide",
)
_ENDS = (".", "; nobody asks why.", ", and that is all.", "!", " before {}:30.", " – or so they say.")


def long_text(seed: int, sentences: int) -> str:
    """`sentences` sentences drawn by `seed`, in paragraphs of nine."""
    # `random` is the one method whose values are promised to stay the same.
    draw = Random(seed).random

    def one_of(words: tuple[str, ...]) -> str:
        return words[int(draw() * len(words))].format(int(draw() * 100))

    made = [f"{one_of(_NAMES)} {one_of(_DEEDS)} {one_of(_THINGS)}{one_of(_ENDS)}" for _ in range(sentences)]
    made = [sentence[0].upper() + sentence[1:] for sentence in made]
    return "\n\n".join(" ".join(made[start : start + 9]) for start in range(0, sentences, 9))


def long_texts() -> list[str]:
    """Three texts, of several windows of 512 tokens each."""
    return [long_text(seed, sentences) for seed, sentences in ((1, 260), (2, 170), (3, 75))]
