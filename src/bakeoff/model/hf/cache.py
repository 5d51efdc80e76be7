"""Keys and values of rows being written: rows come, grow and go while the others stay where they are.

Each layer has one block of memory, [rows, heads, columns, width], its slots. A row's tokens stand side by
side and end in the same column as every other row's, so that columns count as positions do and the window of
a sliding layer is right. What lies to the left of a row is masked; what lies to the left of all is free.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

_FULL, _SLIDING = "DynamicLayer", "DynamicSlidingWindowLayer"
_RECURRENT = "LinearAttentionLayer"
_BOTH = ("LinearAttentionAndFullAttentionLayer", "LinearAttentionAndSlidingWindowAttentionLayer")
_NOTHING = "DummyLayer"
_KNOWN = (_FULL, _SLIDING, _RECURRENT, *_BOTH, _NOTHING)

# Rows are not moved for fewer steps than this.
_FEWEST_STEPS = 32

Layers = Sequence[tuple[Any, Any] | None]
"""Keys and values per layer, each [heads, tokens, width]; None where a layer keeps none."""


@dataclass(slots=True)
class Window:
    """What a forward pass sees: `rows`, and columns `first` to `cut` as their past. It adds from `cut`."""

    rows: slice
    first: int
    cut: int


class Slots:
    """One layer's keys and values. Stands in for what transformers' own layer does with them."""

    def __init__(self, window: Window, reach: int | None) -> None:
        self.blocks: tuple[Any, Any] | None = None
        self._window = window
        self._past = None if reach is None else reach - 1
        self._capacity = (0, 0)
        """Rows and columns of a block."""

    def update(self, keys: Any, values: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
        """Add keys and values [rows, heads, tokens, width], and return them with those of the past."""
        window, end = self._window, self._window.cut + keys.shape[2]
        first = window.cut - self._seen()
        blocks = self._allocated(keys, values)
        for block, new in zip(blocks, (keys, values), strict=True):
            block[window.rows, :, window.cut : end] = new
        return blocks[0][window.rows, :, first:end], blocks[1][window.rows, :, first:end]

    def get_seq_length(self) -> int:
        """How many columns the past has."""
        return self._window.cut - self._window.first

    def get_mask_sizes(self, query: Any) -> tuple[int, int]:
        """How many columns `update` returns for `query` tokens, and how many of the past it leaves out."""
        # The first releases of transformers 5 give the tokens' places instead of their number.
        tokens = query if isinstance(query, int) else len(query)
        return self._seen() + tokens, self.get_seq_length() - self._seen()

    def arrange(self, capacity: tuple[int, int], rows: int, source: slice, target: slice) -> None:
        """Move the first rows' columns `source` to `target`, in new blocks if the `capacity` changes."""
        changes, self._capacity = capacity != self._capacity, capacity
        if (old := self.blocks) is not None:
            self.blocks = None if changes else old
            for block, before in zip(self._allocated(*old), old, strict=True):
                block[:rows, :, target] = before[:rows, :, source].clone()

    def move(self, sources: Any, targets: Any) -> None:
        """Copy rows `sources` to the places `targets`."""
        for block in self.blocks or ():
            block[targets] = block[sources]

    def read(self, row: int, columns: slice) -> tuple[Any, Any] | None:
        """A copy of one row's keys and values, each [heads, tokens, width]."""
        if self.blocks is None:
            return None
        return self.blocks[0][row, :, columns].clone(), self.blocks[1][row, :, columns].clone()

    def paste(self, row: int, end: int, tokens: int, layer: tuple[Any, Any]) -> None:
        """Write the first `tokens` of `layer` into a row, up to column `end`."""
        for block, known in zip(self._allocated(*layer), layer, strict=True):
            block[row, :, end - tokens : end] = known[:, :tokens]

    def _seen(self) -> int:
        past = self.get_seq_length()
        return past if self._past is None else min(past, self._past)

    def _allocated(self, keys: Any, values: Any) -> tuple[Any, Any]:
        """The blocks, made like `keys` and `values` [..., heads, tokens, width] if there are none yet.

        Zeros, because what is masked must still be a number.
        """
        if self.blocks is None:
            rows, columns = self._capacity
            key, value = (
                like.new_zeros((rows, like.shape[-3], columns, like.shape[-1])) for like in (keys, values)
            )
            self.blocks = key, value
        return self.blocks


class RowCache:
    """A cache for transformers whose rows come and go. `lengths` are the tokens of each row."""

    def __init__(self, config: Any) -> None:
        from transformers import DynamicCache

        self.lengths: list[int] = []
        self._empty = DynamicCache(config=config)
        kinds = [type(layer).__name__ for layer in self._empty.layers]
        if unknown := set(kinds) - set(_KNOWN):
            raise TypeError(f"rows cannot join and leave a cache of {', '.join(sorted(unknown))}")
        self._window = Window(slice(0, 0), 0, 0)
        self._slots = [
            Slots(self._window, getattr(layer, "sliding_window", None))
            if kind in (_FULL, _SLIDING, *_BOTH)
            else None
            for kind, layer in zip(kinds, self._empty.layers, strict=True)
        ]
        self._end = 0
        self._rows = self._columns = 0
        self._running = self._bound()

    @property
    def width(self) -> int:
        """Tokens of the longest row."""
        return max(self.lengths, default=0)

    def reserve(self, rows: int, width: int) -> None:
        """Make room for so many more rows, of up to `width` tokens, and for a while of growing.

        When the columns to the right are used up the rows move to the left. Memory is taken anew only when
        there is not enough: an eighth more rows and a quarter more columns, so that it seldom happens.
        """
        rows, width = len(self.lengths) + rows, max(self.width, width)
        if rows <= self._rows and width <= self._end < self._columns:
            return
        if rows > self._rows or width + _FEWEST_STEPS > self._columns:
            self._rows, self._columns = rows + rows // 8, width + max(2 * _FEWEST_STEPS, width // 4)
        source, target = slice(self._end - self.width, self._end), slice(width - self.width, width)
        for slots in filter(None, self._slots):
            slots.arrange((self._rows, self._columns), len(self.lengths), source, target)
        self._end = width

    def step(self) -> Any:
        """The cache for a pass that adds one token to each row. Follow the pass by `stepped`."""
        self.reserve(0, 0)
        self._show(slice(0, len(self.lengths)), self._end - self.width, self._end)
        return self._running

    def stepped(self) -> None:
        """Take over the tokens that the pass added."""
        self._end += 1
        self.lengths = [length + 1 for length in self.lengths]

    def join(self, lengths: Sequence[int], tokens: int, known: Sequence[Layers | None]) -> Any:
        """The cache for a pass that adds rows of `lengths` and computes their last `tokens`.

        The tokens before those come from `known`, per row. Follow the pass by `joined`.
        """
        self.reserve(len(lengths), max(lengths))
        first_row = len(self.lengths)
        rows = slice(first_row, first_row + len(lengths))
        self._show(rows, self._end - max(lengths), self._end - tokens)
        for row, (length, layers) in enumerate(zip(lengths, known, strict=True), first_row):
            if length > tokens and layers is not None:
                for slots, layer in zip(self._slots, layers, strict=True):
                    if slots is not None and layer is not None:
                        slots.paste(row, self._window.cut, length - tokens, layer)
        return self._bound()

    def joined(self, cache: Any, lengths: Sequence[int]) -> None:
        """Take over the rows that came with `cache`."""
        import torch

        if not self.lengths:
            self._running = cache
        else:
            for running, fresh in zip(self._running.layers, cache.layers, strict=True):
                for states, new in zip(_states(running), _states(fresh), strict=True):
                    for key, state in new.items():
                        if state is not None:
                            states[key] = torch.cat([states[key], state])
        self.lengths += lengths

    def keep(self, places: Sequence[int]) -> None:
        """Go on with the rows at `places` only, in this order. Rows whose place does not change stay put."""
        import torch

        moves = [(old, new) for new, old in enumerate(places) if old != new]
        for slots in filter(None, self._slots):
            slots.move([old for old, _ in moves], [new for _, new in moves])
        for states in (states for layer in self._running.layers for states in _states(layer)):
            for key, state in states.items():
                if state is not None:
                    states[key] = state[torch.tensor(places, dtype=torch.long, device=state.device)]
        self.lengths = [self.lengths[place] for place in places]

    def read(self, row: int, tokens: int) -> Layers:
        """A copy of the keys and values of a row's first `tokens`."""
        start = self._end - self.lengths[row]
        columns = slice(start, start + tokens)
        return [None if slots is None else slots.read(row, columns) for slots in self._slots]

    def _show(self, rows: slice, first: int, cut: int) -> None:
        self._window.rows, self._window.first, self._window.cut = rows, first, cut

    def _bound(self) -> Any:
        """transformers' cache without rows, its keys and values in our slots."""
        cache = deepcopy(self._empty)
        for layer, slots in zip(cache.layers, self._slots, strict=True):
            if slots is not None:
                layer.update = slots.update
                layer.get_seq_length = slots.get_seq_length
                layer.get_mask_sizes = slots.get_mask_sizes
        return cache


def _states(layer: Any) -> list[dict[int, Any]]:
    """The recurrent states of a layer, each [rows, ...]."""
    named = (getattr(layer, name, None) for name in ("conv_states", "recurrent_states"))
    return [states for states in named if states is not None]
