"""Names that lead elsewhere than they did when they were looked up first."""

import asyncio
import socket

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model
from bakeoff.model.reach import NotAllowedError, Reach, reaching
from bakeoff.model.remote.endpoint import Secret
from bakeoff.model.remote.resolver import PublicResolver
from tests.servers.chat_server import chat_server

REF = "http://changing.example:{}/v1#rule"


@pytest.fixture
def names(monkeypatch):
    """What the name stands for at each look-up, the last for all that follow."""
    answers = ["8.8.8.8", "127.0.0.1"]
    real = socket.getaddrinfo

    def look_up(host, *arguments, **how):
        if host == "changing.example":
            host = answers.pop(0) if len(answers) > 1 else answers[0]
        return real(host, *arguments, **how)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return answers


def _no_key(url, variable, *, required):
    return Secret("")


async def _enter(model):
    async with model:
        return model.identity.endpoint


def _port(server):
    return server.url.split(":")[2].partition("/")[0]


def test_a_name_that_changes_its_mind_is_not_connected_to(names):
    with chat_server(lambda _: "") as server, reaching(Reach(_no_key)):
        model = open_model(REF.format(_port(server)))
        with pytest.raises(NotAllowedError, match="not public"):
            asyncio.run(_enter(model))


def test_it_would_have_been_reached(names):
    """Or the test before this one would show nothing."""
    with chat_server(lambda _: "") as server:
        names.pop(0)
        assert "changing.example" in asyncio.run(_enter(open_model(REF.format(_port(server)))))
        with reaching(Reach(_no_key, private=True)):
            assert "changing.example" in asyncio.run(_enter(open_model(REF.format(_port(server)))))


def test_a_name_with_one_address_in_here_is_refused_whole(names):
    async def resolve(host):
        resolver = PublicResolver()
        try:
            return [each["host"] for each in await resolver.resolve(host, 80, socket.AF_UNSPEC)]
        finally:
            await resolver.close()

    assert asyncio.run(resolve("changing.example")) == ["8.8.8.8"]
    with pytest.raises(NotAllowedError):
        asyncio.run(resolve("changing.example"))
    with pytest.raises(NotAllowedError):
        asyncio.run(resolve("localhost"))


def test_a_name_that_is_not_known_any_more_cannot_be_reached(names):
    names[1] = "no-such-host.invalid"
    with reaching(Reach(_no_key)):
        model = open_model(REF.format(80))
    with pytest.raises(ModelError, match="cannot reach") as caught:
        asyncio.run(_enter(model))
    assert not isinstance(caught.value, NotAllowedError)
