"""Entering, leaving, and what a person gets to read when something is wrong."""

import asyncio
import gc
import traceback

import pytest

from bakeoff.errors import ModelError
from bakeoff.model.open import open_model
from bakeoff.model.remote import AnthropicModel, OpenAIModel
from tests.model.remote.asking import ask, chat, serving
from tests.servers import fault_server as fault
from tests.servers.fault_server import FaultServer, answer

KEY = "very-secret-key-1234"


def entering(server: FaultServer, model: str = "m", engine=OpenAIModel, **settings) -> ModelError:
    async def main():
        async with server:
            with pytest.raises(ModelError) as caught:
                async with engine(model, {"base_url": server.url} | settings):
                    pass
            return caught.value

    return asyncio.run(main())


@pytest.mark.parametrize("engine", [OpenAIModel, AnthropicModel])
def test_a_server_that_is_not_there_is_reported_on_entering_with_its_address(engine):
    async def main():
        async with FaultServer() as server:
            pass
        async with engine("m", {"base_url": server.url}):
            pass

    with pytest.raises(ModelError, match=r"cannot reach http://127\.0\.0\.1:\d+/v1"):
        asyncio.run(main())


@pytest.mark.parametrize("engine", [OpenAIModel, AnthropicModel])
def test_a_model_that_the_server_lacks_is_reported_on_entering_with_what_it_offers(engine):
    server = FaultServer(listing=[{"id": "llama-8b"}, {"id": "qwen-7b"}])
    error = entering(server, "qwen-8b", engine)
    assert "'qwen-8b'" in error.message
    assert "qwen-7b, llama-8b" in error.hint


def test_a_wrong_key_is_reported_on_entering_by_its_variable(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    error = entering(FaultServer(models_status=401), api_key_env="MY_KEY")
    assert "MY_KEY" in str(error)
    assert KEY not in str(error)


def test_a_server_without_a_list_is_asked_all_the_same():
    async def main():
        server = FaultServer(models_status=404)
        server.script("m", answer("Paris"))
        async with server, OpenAIModel("m", {"base_url": server.url}) as model:
            return await model.generate(chat())

    assert asyncio.run(main()).text == "Paris"


def test_a_path_that_the_servers_own_list_ties_to_the_model_is_the_model():
    async def main():
        server = FaultServer(listing=[{"id": "mine", "root": "/srv/weights/x"}])
        server.script("mine", answer("Paris", model="/srv/weights/x"))
        async with server, OpenAIModel("mine", {"base_url": server.url}) as model:
            return await model.generate(chat()), model.identity

    response, identity = asyncio.run(main())
    assert (response.text, response.served_by) == ("Paris", "/srv/weights/x")
    assert identity.revision == "root=/srv/weights/x"


def test_the_opener_finds_the_engine_by_an_address():
    async def main():
        async with FaultServer() as server:
            server.script("m", answer("Paris"))
            async with open_model(f"{server.url}#m") as model:
                response = await model.generate(chat())
                return response, model.identity, server.url

    response, identity, url = asyncio.run(main())
    assert response.text == "Paris"
    assert (identity.engine, identity.name, identity.endpoint) == ("openai", "m", url)


def test_the_home_servers_need_their_own_keys(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        open_model("openai:gpt-4o")
    with pytest.raises(ModelError, match="ANTHROPIC_API_KEY"):
        open_model("anthropic:claude-sonnet-4-0")


@pytest.mark.parametrize("engine", [OpenAIModel, AnthropicModel])
def test_a_home_key_is_never_sent_to_another_address_by_itself(engine, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("BAKEOFF_API_KEY", raising=False)

    async def main():
        async with serving(fault.status(400), engine=engine) as (server, model):
            await model.generate(chat())
            return server.calls[0].headers

    assert KEY not in str(asyncio.run(main()))


LEAKS = {
    "401": fault.echo_back_headers(401),
    "400": fault.echo_back_headers(400),
    "500": fault.echo_back_headers(500),
    "200 error": fault.body(f'{{"error": {{"message": "Bearer {KEY}", "code": 500}}}}'),
    "stream error": fault.events(f'data: {{"error": {{"message": "Bearer {KEY}"}}}}\n\n'),
    "reset": fault.reset,
    "half": fault.half_stream(closed=False),
    "404": fault.echo_back_headers(404),
}


@pytest.mark.parametrize("name", LEAKS)
def test_the_key_appears_in_no_failure_error_repr_traceback_or_log(
    name, monkeypatch, no_pauses, caplog, capfd
):
    monkeypatch.setenv("MY_KEY", KEY)
    caplog.set_level("DEBUG")

    async def main():
        async with serving(LEAKS[name], api_key_env="MY_KEY", attempts="2") as (server, model):
            shown = [repr(model), repr(model.identity), repr(vars(model))]
            try:
                shown.append(repr(await model.generate(chat())))
            except ModelError as error:
                shown += traceback.format_exception(error)
                shown += [repr(each) for each in (error, error.__cause__, error.__context__)]
            assert server.calls[0].headers["Authorization"] == f"Bearer {KEY}"
            return "".join(shown)

    assert KEY not in asyncio.run(main())
    assert KEY not in caplog.text
    assert KEY not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "behaviour", [answer(delay=30), fault.stall, fault.silence, fault.rate_limited("20"), fault.reset]
)
def test_cancelling_leaves_no_task_no_place_taken_and_no_open_connection(behaviour):
    complaints = []

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        async with FaultServer() as server:
            server.script("m", behaviour)
            before = asyncio.all_tasks()
            async with OpenAIModel("m", {"base_url": server.url, "concurrency": "4"}) as model:
                asked = [asyncio.create_task(model.generate(chat())) for _ in range(12)]
                await asyncio.sleep(0.1)
                for task in asked:
                    task.cancel()
                ended = await asyncio.gather(*asked, return_exceptions=True)
                assert all(isinstance(end, asyncio.CancelledError) for end in ended)
                assert model._connection._caller.limiter.in_flight == 0
            await asyncio.sleep(0.05)
            left = asyncio.all_tasks() - before
            names = [task.get_coro().__qualname__ for task in left]
            assert [name for name in names if "RequestHandler" not in name] == []
        gc.collect()

    asyncio.run(main())
    assert complaints == []


def test_a_failed_entry_leaves_nothing_open():
    complaints = []

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        async with FaultServer(models_status=401) as server:
            with pytest.raises(ModelError):
                async with OpenAIModel("m", {"base_url": server.url}):
                    pass
        gc.collect()

    asyncio.run(main())
    assert complaints == []


def test_no_more_requests_reach_the_server_at_once_than_the_concurrency():
    async def main():
        async with serving(answer(delay=0.01), concurrency="5") as (server, model):
            assert model.window == 10
            await asyncio.gather(*(model.generate(chat()) for _ in range(60)))
            return max(call.width for call in server.calls)

    assert asyncio.run(main()) == 5


def test_refusals_narrow_what_reaches_the_server(no_pauses):
    async def main():
        async with serving(fault.rate_limited("0.05"), answer(delay=0.01), concurrency="8") as (
            server,
            model,
        ):
            responses = await asyncio.gather(*(model.generate(chat()) for _ in range(20)))
            refused_at = server.calls[0].at
            after = [call for call in server.calls if call.at > refused_at + 0.05]
            return responses, after

    responses, after = asyncio.run(main())
    assert all(response.text == "Paris" for response in responses)
    assert max(call.width for call in after) < 8


def test_the_server_sees_the_pause_it_asked_for():
    async def main():
        async with serving(fault.rate_limited("0.4"), answer()) as (server, model):
            await model.generate(chat())
            return server.times("m")

    first, second = asyncio.run(main())
    assert second - first >= 0.4


def test_connections_are_kept_between_streams():
    async def main():
        peers = set()

        async def behave(request, call):
            peers.add(request.transport.get_extra_info("peername"))
            return await answer()(request, call)

        async with serving(behave, concurrency="1") as (_, model):
            for _ in range(5):
                await model.generate(chat())
        return peers

    assert len(asyncio.run(main())) == 1


def test_used_outside_its_block_it_says_so():
    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(OpenAIModel("m", {"base_url": "http://127.0.0.1:1/v1"}).generate(chat()))


def test_redirects_are_not_followed():
    moved = fault.body("", code=307)
    assert ask(moved).failure.kind == "rejected"


def test_a_proxy_of_the_environment_is_used_for_servers_elsewhere_and_not_for_this_machine(monkeypatch):
    async def main():
        server = FaultServer()
        server.script("m", answer("Paris"))
        async with server, FaultServer() as unused:
            proxy = server.url.removesuffix("/v1")
            for name in ("http_proxy", "HTTP_PROXY"):
                monkeypatch.setenv(name, proxy)
            for name in ("no_proxy", "NO_PROXY"):
                monkeypatch.delenv(name, raising=False)
            async with OpenAIModel("m", {"base_url": "http://model.invalid/v1"}) as model:
                assert (await model.generate(chat())).text == "Paris"
            assert server.calls[0].headers["Host"] == "model.invalid"
            unused.script("m", answer("here"))
            async with OpenAIModel("m", {"base_url": unused.url}) as model:
                return (await model.generate(chat())).text

    assert asyncio.run(main()) == "here"
