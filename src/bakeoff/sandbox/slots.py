"""How many sandboxes run at once."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SLOTS = os.cpu_count() or 1
"""One check for each processor: more would only wait for each other."""

_free = threading.BoundedSemaphore(SLOTS)


@contextmanager
def slot() -> Iterator[None]:
    """Wait for a free place. Time limits inside begin after it, so a queue ends no check."""
    with _free:
        yield
