import pytest

from bakeoff.model.remote.listing import read_listing, same_model


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-4o", "gpt-4o"),
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-4", "gpt-4-0613"),
        ("gpt-3.5-turbo", "gpt-3.5-turbo-0125"),
        ("openai/gpt-4o", "openai/gpt-4o-2024-08-06"),
        ("openai/gpt-4o", "gpt-4o-2024-08-06"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
        ("claude-sonnet-4-0", "claude-sonnet-4-20250514"),
        ("claude-opus-4-5", "claude-opus-4-5-20251101"),
        ("gemini-1.5-pro", "models/gemini-1.5-pro-002"),
        ("mistral-large-latest", "mistral-large-2411"),
        ("llama3", "llama3:latest"),
        ("meta-llama/llama-3-8b:free", "meta-llama/llama-3-8b"),
        ("Qwen/Qwen3-8B", "qwen/qwen3-8b"),
        ("SmolLM2.Q4_1.gguf", "/srv/models/SmolLM2.Q4_1.gguf"),
        ("SmolLM2.Q4_1", "C:\\models\\SmolLM2.Q4_1.gguf"),
    ],
)
def test_a_snapshot_a_path_or_a_tag_is_the_same_model(asked, answered):
    assert same_model(asked, answered)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-4o", "gpt-4o-mini"),
        ("gpt-4o", "gpt-4o-mini-2024-07-18"),
        ("gpt-4", "gpt-4o"),
        ("gpt-4o-2024-08-06", "gpt-4o-2024-05-13"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("llama3:8b", "llama3:70b"),
        ("org1/llama", "org2/llama"),
        ("claude-sonnet-4-0", "claude-opus-4-20250514"),
        ("qwen2.5-7b", "qwen2.5-72b"),
        ("model-1", "model-10"),
    ],
)
def test_another_model_is_another_model(asked, answered):
    assert not same_model(asked, answered)


def test_a_missing_model_is_reported_with_the_nearest_first():
    listing = read_listing({"data": [{"id": "zeta"}, {"id": "gpt-4o"}, {"id": "gpt-4o-mini"}]})
    assert listing.find("gpt-4p") is None
    error = listing.missing("gpt-4p", "http://server/v1")
    assert "gpt-4p" in error.message
    assert error.hint == "It offers: gpt-4o, gpt-4o-mini, zeta."


def test_an_entry_is_found_by_id_alias_or_snapshot_and_the_exact_id_wins():
    listing = read_listing(
        {"data": [{"id": "a-2024-01-01"}, {"id": "a"}, {"id": "b-2024-01-01"}, {"id": "c", "aliases": ["d"]}]}
    )
    assert listing.find("a").id == "a"
    assert listing.find("b").id == "b-2024-01-01"
    assert listing.find("d").id == "c"
    assert listing.snapshot("b") == "b-2024-01-01"
    assert listing.snapshot("a") == ""


def test_an_alias_of_several_snapshots_names_none_of_them():
    listing = read_listing({"data": [{"id": "a-2024-01-01"}, {"id": "a-2025-01-01"}]})
    assert listing.find("a") is not None
    assert listing.snapshot("a") == ""


def test_the_revision_says_what_identifies_the_weights_and_not_when_the_list_was_asked_for():
    # As llama-server and vLLM answer, shortened.
    llama = {
        "id": "m",
        "created": 1795974306,
        "meta": {"n_ctx": 2048, "n_params": 134515008, "ftype": "Q4_1"},
    }
    vllm = {
        "id": "m",
        "created": 5,
        "root": "org/weights",
        "max_model_len": 4096,
        "permission": [{"id": "x"}],
    }
    first, second = read_listing({"data": [llama, vllm]}).entries
    assert first.revision == "n_params=134515008 ftype=Q4_1"
    assert first.context_length == 2048
    assert second.revision == "root=org/weights"
    assert second.context_length == 4096


@pytest.mark.parametrize("payload", [None, [], "x", {"data": None}, {"data": [1, {"id": 3}, {}]}])
def test_a_list_that_cannot_be_read_is_empty(payload):
    assert read_listing(payload).entries == ()
