"""One call in a fresh sandbox, in few words."""

from typing import Any

from bakeoff.sandbox import Guest, Limits, Tier

QUICK = Limits(cpu_s=2, wall_s=6, memory_mb=256, disk_mb=16, output_mb=4, message_mb=1)


def answer(tier: Tier, code: str, *args: Any, limits: Limits = QUICK) -> Any:
    """What `f(*args)` of `code` returned, as data, or the whole reply where it returned nothing.

    Raises:
        Ended: the process did not live to answer.
    """
    with Guest(tier, "candidate", limits) as guest:
        guest.send(repr([code]))
        loaded = guest.receive()
        if loaded != {"program": 0}:
            return loaded
        guest.send(repr(["f", args, {}]))
        reply = guest.receive()
        return reply.get("value", reply)
