"""Names looked up for connections that may only go to public addresses."""

import socket

from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

from bakeoff.model.reach import NotAllowedError, is_public


class PublicResolver(AbstractResolver):
    """Looks a name up each time a connection is made, and refuses it where it leads into a private network.

    A name that was public when it was first looked up can be another by then. Addresses in numbers are not
    looked up; `check_reach` has seen those.
    """

    def __init__(self) -> None:
        self._resolver = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of `host`.

        Raises:
            NotAllowedError: one of them is not public.
            OSError: the name is not known.
        """
        found = await self._resolver.resolve(host, port, family)
        if not all(is_public(each["host"]) for each in found):
            raise NotAllowedError(f"{host} leads to an address that is not public")
        return found

    async def close(self) -> None:
        """Nothing is kept open."""
        await self._resolver.close()
