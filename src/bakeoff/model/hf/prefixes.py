"""What prompts begin with, computed once: keys and values of some prompts, for those that begin alike."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bakeoff.model.hf.cache import Layers
from bakeoff.model.pair import Ids, common_start

# Shorter beginnings cost more to keep and to look up than to compute.
WORTH = 32

Job = TypeVar("Job")


class Prefixes:
    """Prompts with their keys and values, the most recently used `most_tokens` of them.

    A prompt's keys and values serve every prompt that begins like it, up to where the two part.
    """

    def __init__(self, most_tokens: int, worth: int = WORTH) -> None:
        self.most_tokens = most_tokens
        self.worth = worth
        self._kept: dict[Ids, Layers] = {}

    def known(self, prompt: Ids) -> int:
        """How many tokens of `prompt` need not be computed: never the last, whose logits are wanted."""
        return self._nearest(prompt)[1]

    def look_up(self, prompt: Ids) -> tuple[Layers | None, int]:
        """Keys and values that are those of `prompt` for so many tokens."""
        nearest, tokens = self._nearest(prompt)
        if tokens == 0:
            return None, 0
        layers = self._kept[nearest] = self._kept.pop(nearest)
        return layers, tokens

    def keeps(self, prompt: Ids) -> bool:
        """Whether `prompt` can be kept at all."""
        return self.worth <= len(prompt) <= self.most_tokens

    def keep(self, prompt: Ids, layers: Layers) -> None:
        """Keep `prompt`, and drop what was not used for longest."""
        self._kept[prompt] = layers
        tokens = sum(map(len, self._kept))
        while tokens > self.most_tokens:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            tokens -= len(oldest)

    def cut_down(self) -> bool:
        """Forget everything, and keep half as much from now on; whether there was anything to forget."""
        some = bool(self._kept)
        self._kept.clear()
        self.most_tokens //= 2
        return some

    def _nearest(self, prompt: Ids) -> tuple[Ids, int]:
        shared = [(min(common_start(kept, prompt), len(prompt) - 1), kept) for kept in self._kept]
        tokens, nearest = max(shared, default=(0, ()))
        return nearest, tokens if tokens >= self.worth else 0


def next_batch(
    jobs: Sequence[Job], prompt: Callable[[Job], Ids], prefixes: Prefixes, most_tokens: int
) -> list[Job]:
    """Which of `jobs` to compute next, together: at least one, and at most `most_tokens` if several.

    A job whose prompt begins like another's waits, so that what the two share is computed once. Rows of a
    batch are as long as the one with most to compute, so the batch is made of like ones.
    """
    chosen: list[tuple[int, Job]] = []
    leader: Ids = ()
    # Sorted, a prompt shares with the last leader what it shares with any before it.
    for job in sorted(jobs, key=prompt):
        ids = prompt(job)
        known = prefixes.known(ids)
        if chosen and prefixes.keeps(leader) and common_start(leader, ids) - known >= prefixes.worth:
            continue
        leader = ids
        chosen.append((len(ids) - known, job))
    chosen.sort(key=lambda pair: pair[0], reverse=True)
    return [job for _, job in chosen[: max(1, most_tokens // chosen[0][0])]]
