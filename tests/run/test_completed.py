import asyncio
from contextvars import ContextVar

from bakeoff.run.completed import completed

VARIABLE = ContextVar("variable", default="outside")


async def _seen():
    return VARIABLE.get()


def test_what_is_set_around_the_work_holds_in_it_also_inside_a_running_loop():
    async def inside():
        return completed(_seen())

    token = VARIABLE.set("inside")
    try:
        assert completed(_seen()) == "inside"
        assert asyncio.run(inside()) == "inside"
    finally:
        VARIABLE.reset(token)
