"""transformers without its progress bars: a library does not write to the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_progress_bars() -> Iterator[None]:
    """Switch the bars off, and back on if they were on."""
    from transformers import modeling_gguf_pytorch_utils as gguf
    from transformers.utils import logging

    on = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    # The GGUF reader makes its bar by hand and asks nobody.
    bar, gguf.tqdm = gguf.tqdm, lambda items, **_: items
    try:
        yield
    finally:
        gguf.tqdm = bar
        if on:
            logging.enable_progress_bar()
