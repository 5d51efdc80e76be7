import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.entry.door import Permits, address, check_settings, permitted
from bakeoff.board.life import State
from bakeoff.board.registry import register
from bakeoff.cli.board_worker import _engines
from bakeoff.database import writing
from bakeoff.errors import BakeoffError, ModelError
from bakeoff.jobs import Fault, jobs
from bakeoff.model.gguf import settings as gguf
from bakeoff.model.hf import settings as hf
from bakeoff.model.pipeline import endpoint as pipeline
from bakeoff.model.reach import NotAllowedError, Reach, current_reach, is_public, reaching
from bakeoff.model.remote import settings as remote
from bakeoff.model.remote.endpoint import Secret, read_endpoint
from bakeoff.model.vllm import settings as vllm
from tests.board.key_server import key_server
from tests.board.small_board import done, found, handed_in, small_board

KEY = "the-operators-canary-0123456789"
SETTINGS = {"stream": "false", "attempts": "1"}
ENGINES = ("openai", "anthropic", "http", "https", "endpoint", "hf", "gguf", "recorded")


@pytest.fixture
def board(engine, tmp_path):
    made = small_board(tmp_path)
    with writing(engine) as connection:
        register(connection, made, actor="bob")
    return made


def _error(engine, number, fault=Fault.SUBMITTER):
    (job,) = [each for each in jobs(engine) if each.payload["submission"] == number]
    assert (job.state, job.fault) == ("failed", fault)
    assert found(engine, number).state is State.FAILED
    return job.error


# --- the operator's keys


@pytest.mark.parametrize("variable", ["BAKEOFF_API_KEY", "OPENAI_API_KEY", "BAKEOFF_DATABASE_URL", "OTHER"])
@pytest.mark.parametrize("named", [False, True])
def test_no_key_of_the_worker_is_sent_to_an_endpoint(engine, board, tmp_path, monkeypatch, variable, named):
    monkeypatch.setenv(variable, KEY)
    with key_server(KEY) as server:
        settings = SETTINGS | ({"api_key_env": variable} if named else {})
        number = handed_in(engine, board, f"{server.url}#rule", settings)
        done(engine, tmp_path, Permits(private=True), *ENGINES)
        error = _error(engine, number, Fault.SUBMITTER if named else Fault.MODEL)
        assert set(server.sent) == (set() if named else {""})
    assert "--key-from" in error
    assert KEY not in error


def test_a_key_that_the_operator_allows_goes_to_its_host_alone(engine, board, tmp_path, monkeypatch):
    monkeypatch.setenv("SHARED", KEY)
    with key_server(KEY) as server, key_server(KEY) as other:
        permits = Permits(permitted([f"SHARED@{server.url.split('/')[2]}"]), private=True)
        settings = SETTINGS | {"api_key_env": "SHARED"}
        number = handed_in(engine, board, f"{server.url}#rule", settings)
        stolen = handed_in(engine, board, f"{other.url}#rule", settings)
        done(engine, tmp_path, permits, *ENGINES)
        assert found(engine, number).state is State.REVIEW
        assert "are not sent to it" in _error(engine, stolen)
        assert set(server.sent) == {KEY}
        assert other.sent == []


def test_a_variable_is_allowed_with_its_host():
    assert permitted(["A@x.example", "B@127.0.0.1:80", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"]) == {
        "A": "x.example",
        "B": "127.0.0.1:80",
        "OPENAI_API_KEY": "api.openai.com",
        "ANTHROPIC_API_KEY": "api.anthropic.com",
    }


@pytest.mark.parametrize("given", ["A", "", "@x.example", "A@", "A@https://x.example", "A@x.example/v1"])
def test_a_variable_without_its_host_is_refused(given):
    with pytest.raises(BakeoffError, match="NAME@HOST"):
        permitted([given])


# --- addresses

PRIVATE = [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "localhost",
    "LOCALHOST",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::1]",
    "[fe80::1]",
    "[fd00::1]",
    "[ff02::1]",
]
FORMS = {
    "http://{}/v1#m": {},
    "https://{}/v1#m": {},
    "endpoint:http://{}/ask": {},
    "openai:m": {"base_url": "http://{}/v1"},
    "anthropic:m": {"base_url": "http://{}/v1"},
}


@pytest.mark.parametrize("host", PRIVATE)
def test_an_address_that_is_not_public_is_not_asked_however_it_is_written(host):
    for form, settings in FORMS.items():
        given = {name: value.format(host) for name, value in settings.items()}
        with reaching(Reach(_no_key)), pytest.raises(NotAllowedError, match="not public"):
            address_within(form.format(host), given)
        with reaching(Reach(_no_key)), pytest.raises(NotAllowedError, match="not public"):
            address_within(form.format(f"{host}:8000"), given)


@pytest.mark.parametrize("host", ["8.8.8.8", "[2606:4700:4700::1111]", "[64:ff9b::808:808]"])
def test_a_public_address_is_asked(host):
    for form, settings in FORMS.items():
        given = {name: value.format(host) for name, value in settings.items()}
        with reaching(Reach(_no_key)):
            address_within(form.format(host), given)


def test_a_submission_to_a_private_address_fails_and_says_why(engine, board, tmp_path):
    with key_server("") as server:
        number = handed_in(engine, board, f"{server.url}#rule", SETTINGS)
        named = handed_in(engine, board, f"{server.url.replace('127.0.0.1', 'localhost')}#rule", SETTINGS)
        done(engine, tmp_path, Permits(), *ENGINES)
        assert "not public" in _error(engine, number)
        error = _error(engine, named)
        assert "not public" in error
        # Nor is it told what the name stands for in here.
        assert "127.0.0.1" not in error.replace(server.url, "")
        assert server.sent == []


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b", "x" * 70 + ".example"])
def test_a_name_that_is_not_known_is_not_asked(host):
    with reaching(Reach(_no_key)), pytest.raises(ModelError, match="is not known"):
        address_within(f"http://{host}/v1#m", {})


@pytest.mark.parametrize("private", [False, True])
def test_a_key_goes_unencrypted_to_no_public_address(private):
    with reaching(Reach(_a_key, private=private)):
        with pytest.raises(NotAllowedError, match="unencrypted"):
            read_endpoint("http://8.8.8.8/v1", "", required=False)
        assert read_endpoint("https://8.8.8.8/v1", "", required=False).key
    with reaching(Reach(_a_key, private=True)):
        assert read_endpoint("http://10.0.0.1/v1", "", required=False).key
        assert read_endpoint("http://localhost/v1", "", required=False).key


def test_what_is_reached_ends_with_the_block_also_after_an_error():
    with pytest.raises(NotAllowedError), reaching(Reach(_no_key)):
        read_endpoint("http://127.0.0.1/v1", "", required=False)
    assert current_reach() is None
    assert read_endpoint("http://127.0.0.1/v1", "", required=False).url == "http://127.0.0.1/v1"


# From the special-purpose registries of the IANA, and addresses of public resolvers.
@pytest.mark.parametrize(
    ("network", "public"),
    [
        ("0.0.0.0/8", False),
        ("10.0.0.0/8", False),
        ("100.64.0.0/10", False),
        ("127.0.0.0/8", False),
        ("169.254.0.0/16", False),
        ("172.16.0.0/12", False),
        ("192.0.2.0/24", False),
        ("192.168.0.0/16", False),
        ("198.18.0.0/15", False),
        ("224.0.0.0/4", False),
        ("240.0.0.0/4", False),
        ("::/96", False),
        ("100::/64", False),
        ("2001:db8::/32", False),
        ("2002::/16", False),
        ("fc00::/7", False),
        ("fe80::/10", False),
        ("fec0::/10", False),
        ("ff00::/8", False),
        ("1.1.1.1/32", True),
        ("8.8.8.0/24", True),
        ("2606:4700::/32", True),
        ("2001:4860::/32", True),
    ],
)
def test_networks_are_public_or_not_as_they_are_registered(network, public):
    found = ipaddress.ip_network(network)
    assert {is_public(str(each)) for each in (found[0], found[-1])} == {public}


@given(st.ip_addresses(v=4), st.sampled_from(["::ffff:{}", "64:ff9b::{}"]))
def test_an_address_inside_another_is_as_public_as_by_itself(inner, outer):
    assert is_public(outer.format(inner)) == is_public(str(inner))


# --- code, settings and files


def test_no_worker_offers_to_run_the_code_of_submissions_unless_told_so(engine, board, tmp_path):
    assert "call" not in _engines()
    code = tmp_path / "code.py"
    code.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\ndef answer(question):\n    return '0'\n")
    number = handed_in(engine, board, f"call:{code}:answer")
    assert done(engine, tmp_path, Permits(), *_engines()) == 0
    assert found(engine, number).state is State.VALIDATING
    assert not (tmp_path / "ran").exists()
    assert done(engine, tmp_path, Permits(), *_engines(), "call") == 2
    assert found(engine, number).state is State.REVIEW


def test_a_job_that_hides_which_engine_it_needs_is_refused(engine, board, tmp_path):
    from sqlalchemy import delete

    from bakeoff.database.tables import job_need

    number = handed_in(engine, board, "call:code.py:answer")
    with writing(engine) as connection:
        connection.execute(delete(job_need))
    done(engine, tmp_path, Permits(), *_engines())
    assert "no models of the kind call:" in _error(engine, number)


@pytest.mark.parametrize(
    "settings",
    [
        {"pickled_weights": "true"},
        {"pickled_weights": "1"},
        {"attention": "kernels-community/flash-attn"},
        {"attention": "org/name@main:function"},
    ],
)
def test_a_setting_that_runs_code_is_refused(engine, board, tmp_path, settings):
    number = handed_in(engine, board, "hf:org/name", settings)
    done(engine, tmp_path, Permits(), *ENGINES)
    assert next(iter(settings)) in _error(engine, number)


def test_other_settings_are_taken():
    check_settings({"attention": "sdpa", "dtype": "float32", "threads": "2"})


def test_every_setting_was_looked_at_for_what_a_submitter_could_do_with_it():
    """A setting that comes to an engine has to be added here: can it run code, name a file, or send a key?"""
    harmless = {
        *("batch_rows", "batch_tokens", "cache_tokens", "context_length", "device", "dtype", "encoding"),
        *("sharing", "threads", "window"),  # hf
        *("flash_attention", "gpu_layers", "n_ctx", "parallel", "prompt_cache", "verbose"),  # gguf
        *(
            "data_parallel",
            "eager",
            "gpu_memory",
            "prefix_caching",
            "quantization",
            "tensor_parallel",
        ),  # vllm
        *(
            "api",
            "attempts",
            "body",
            "concurrency",
            "constrain",
            "deadline_s",
            "max_cost",
            "max_tokens_field",
        ),
        *("max_tokens_total", "omit", "price_in", "price_out", "reasoning_effort", "served_as", "stall_s"),
        *("stops", "stream"),  # remote
        *("api_key_header", "version"),  # endpoint
    }
    kept_in = {"api_key_env", "base_url", "pickled_weights", "attention"}
    every = {*hf._NAMES, *gguf._NAMES, *vllm._NAMES, *remote.OPENAI, *pipeline._SETTINGS}
    assert every == harmless | kept_in


@pytest.mark.parametrize(
    "ref", ["gguf:{}/none.gguf", "hf:{}/none", "hf:{}/none.gguf", "gguf:{}", "gguf:~no/x"]
)
def test_a_file_that_is_not_there_tells_nothing_of_those_that_are(engine, board, tmp_path, ref):
    (tmp_path / "canary.gguf").write_text("")
    number = handed_in(engine, board, ref.format(tmp_path))
    done(engine, tmp_path, Permits(), *ENGINES)
    error = _error(engine, number)
    assert "there is no file" in error
    assert "canary" not in error


# --- where a key would go


@pytest.mark.parametrize(
    ("ref", "settings", "url"),
    [
        ("openai:m", {}, "https://api.openai.com/v1"),
        ("openai:m", {"base_url": "https://x.example/v1/"}, "https://x.example/v1"),
        ("anthropic:m", {"api_key_env": "NOT_SET"}, "https://api.anthropic.com/v1"),
        ("https://x.example/v1#m", {}, "https://x.example/v1"),
        ("endpoint:https://x.example/a/ask", {"api_key_env": "NOT_SET"}, "https://x.example/a"),
        ("recorded:answers.jsonl", {}, ""),
    ],
)
def test_the_address_of_a_key_is_found_without_one(tmp_path, monkeypatch, ref, settings, url):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.jsonl").write_text("")
    assert address(ref, settings) == url


def address_within(ref, settings):
    """Open a model in the reach that is set."""
    from bakeoff.model import open_model

    open_model(ref, settings)


def _no_key(url, variable, *, required):
    return Secret("")


def _a_key(url, variable, *, required):
    return Secret(KEY)
