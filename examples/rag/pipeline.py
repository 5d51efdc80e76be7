"""A small pipeline over Bakeoff's own guides: find sections by BM25, answer from them in one of two ways.

To make it yours, replace `sections` by your documents and `generate` by your model. What Bakeoff needs is the
mapping that a function returns: the answer, and the passages it came from in their order.
"""

import asyncio
import math
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff import Message, Model, open_model
from bakeoff.nouns import Generate, Generation

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "guide"
LONGEST = 500
"""Characters of a section that are passed on."""
ABSTAINED = "The guides do not say."
INSTRUCTION = (
    "Answer the question in one short sentence, from these passages alone. "
    f"If they do not hold the answer, say: {ABSTAINED}"
)
LEFT_OUT = "a an and are as at be by can do does for from how i in is it of on or the to what which"


class Section(NamedTuple):
    """A section of a guide; its id is the address of its heading, `runs#the-cache`."""

    id: str
    heading: str
    text: str


def retrieve(question: str, k: int = 10) -> dict[str, Any]:
    """The retriever alone. Without an `answer`, the list of ids is the answer."""
    return {"passages": found(question, k)}


def extract(question: str, k: int = 3) -> dict[str, Any]:
    """Copies the sentence that has most of the question's words; abstains where that is not half of them."""
    passages, asked = found(question, k), set(words(question))
    sentences = [each for one in passages for each in re.split(r"(?<=[.!?])\s+|\n+", one["text"]) if each]
    best = max(sentences, key=lambda each: len(asked & set(words(each))), default="")
    held = len(asked & set(words(best)))
    return {
        "answer": best.strip(" -|#") if 2 * held >= len(asked) else ABSTAINED,
        "passages": passages,
        "stages": {"words": f"{held} of {len(asked)}"},
    }


async def generate(question: str, k: int = 3) -> dict[str, Any]:
    """Gives the sections to the quickstart's model, SmolLM2-135M on this machine's processor."""
    passages = found(question, k)
    context = "\n\n".join(each["text"] for each in passages)
    prompt = f"{context}\n\n{INSTRUCTION}\n\nQuestion: {question}"
    request = Generate("rag#0", (Message.of("user", prompt),), Generation(max_tokens=60), seed=0)
    said = await (await model()).generate(request)
    if said.failure is not None:
        raise RuntimeError(said.failure.message)  # a failure of the pipeline, never a wrong answer
    tokens = {"prompt_tokens": said.usage.prompt_tokens, "completion_tokens": said.usage.completion_tokens}
    return {"answer": said.text, "finish_reason": said.finish.value, "usage": tokens, "passages": passages}


def found(question: str, k: int) -> list[dict[str, Any]]:
    """The first k sections, as Bakeoff takes passages and as the answer gets them."""
    return [
        {"id": section.id, "text": excerpt(section, question), "score": round(score, 3)}
        for section, score in ranked(question)[:k]
    ]


def excerpt(section: Section, question: str) -> str:
    """The heading, and the paragraph that has most of the question's words."""
    asked = set(words(question))
    best = max(section.text.split("\n\n"), key=lambda each: len(asked & set(words(each))))
    return f"{section.heading}\n{best}"[:LONGEST]


def ranked(question: str) -> list[tuple[Section, float]]:
    """All sections with their BM25 scores (Robertson and Zaragoza 2009; k1 = 1.2, b = 0.75), best first."""
    bags = counted()
    mean = sum(bag.total() for bag in bags) / len(bags)
    scores = [0.0] * len(bags)
    for word in set(words(question)):
        holding = sum(word in bag for bag in bags)
        rarity = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
        for place, bag in enumerate(bags):
            length = 0.25 + 0.75 * bag.total() / mean
            scores[place] += rarity * bag[word] * 2.2 / (bag[word] + 1.2 * length)
    best_first = sorted(range(len(bags)), key=lambda place: -scores[place])
    return [(sections()[place], scores[place]) for place in best_first]


@cache
def counted() -> tuple[Counter[str], ...]:
    """The words of each section."""
    return tuple(Counter(words(f"{section.heading} {section.text}")) for section in sections())


@cache
def sections() -> tuple[Section, ...]:
    """The sections of all guides."""
    return tuple(section for path in sorted(GUIDES.glob("*.md")) for section in parted(path))


def parted(path: Path) -> list[Section]:
    """The sections of one guide."""
    parts = re.split(r"^#+ (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    headed = zip(parts[1::2], parts[2::2], strict=True)
    return [Section(f"{path.stem}#{slug(heading)}", heading, text.strip()) for heading, text in headed]


def slug(heading: str) -> str:
    """A heading's address, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def words(text: str) -> list[str]:
    """Words in lower case, a plural `s` off, without those that say nothing."""
    all_ = (each for each in re.findall(r"[a-z0-9_]+", text.lower()) if each not in LEFT_OUT.split())
    return [each[:-1] if len(each) > 3 and each.endswith("s") else each for each in all_]


_loaded: list[Model] = []
_loading = asyncio.Lock()


async def model() -> Model:
    """The model, loaded with the first question."""
    async with _loading:
        if not _loaded:
            _loaded.append(await open_model("gguf:smollm2").__aenter__())
        return _loaded[0]
