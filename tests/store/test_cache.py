from dataclasses import replace

import pytest

from bakeoff.errors import StoreError
from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Generate,
    Generation,
    Loglikelihood,
    Message,
    OptionScore,
    Response,
    Timing,
    Usage,
)
from bakeoff.store import ResponseCache, cache_key

ASKED = Generate("item#0", "2+2=", Generation(temperature=0.7), seed=1)
IDENTITY = {"engine": "gguf", "name": "m", "revision": "sha256:1"}


# Every field that can move an answer, varied once (a peer's cache forgot the model, another the settings).
@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, input="2+3="),
        replace(ASKED, input=(Message.of("user", "2+2="),)),
        replace(ASKED, seed=2),
        replace(ASKED, generation=Generation(temperature=0.8)),
        replace(ASKED, generation=Generation(temperature=0.7, max_tokens=9)),
        replace(ASKED, generation=Generation(temperature=0.7, top_p=0.9)),
        replace(ASKED, generation=Generation(temperature=0.7, stop=("\n",))),
        Loglikelihood("item#0", "2+2=", ("4",)),
    ],
)
def test_a_changed_request_misses(other):
    assert cache_key(other, IDENTITY, 0) != cache_key(ASKED, IDENTITY, 0)


@pytest.mark.parametrize("field", sorted(IDENTITY))
def test_a_changed_model_misses(field):
    assert cache_key(ASKED, IDENTITY | {field: "other"}, 0) != cache_key(ASKED, IDENTITY, 0)


def test_another_repeat_misses():
    assert cache_key(ASKED, IDENTITY, 1) != cache_key(ASKED, IDENTITY, 0)


def test_the_name_of_a_request_and_a_greedy_seed_do_not_matter():
    assert cache_key(replace(ASKED, key="other#0"), IDENTITY, 0) == cache_key(ASKED, IDENTITY, 0)
    greedy = replace(ASKED, generation=Generation())
    assert cache_key(replace(greedy, seed=2), IDENTITY, 0) == cache_key(greedy, IDENTITY, 0)


def test_continuations_and_their_unconditional_scores_are_part_of_the_key():
    asked = Loglikelihood("a", "x", ("1", "2"))
    keys = {
        cache_key(each, IDENTITY, 0)
        for each in (asked, replace(asked, continuations=("2", "1")), replace(asked, unconditional=True))
    }
    assert len(keys) == 3


def test_a_kept_answer_comes_back_whole_but_without_its_timing(tmp_path):
    answer = Response(
        text="4",
        reasoning="hm",
        finish=FinishReason.LENGTH,
        stop="\n",
        options=(OptionScore(-1.5, 2, True, -3.0),),
        usage=Usage(5, 1, None, 2),
        timing=Timing(1.5, 0.5),
        served_by="m-2026",
        fingerprint="fp",
    )
    with ResponseCache(tmp_path) as cache:
        assert cache.get("k") is None
        cache.put("k", answer)
    with ResponseCache(tmp_path) as cache:
        assert cache.get("k") == replace(answer, timing=Timing())


def test_failures_are_never_kept(tmp_path):
    with ResponseCache(tmp_path) as cache:
        cache.put("k", Response(failure=Failure(FailureKind.SERVER, "500")))
        assert cache.get("k") is None


def test_two_runs_share_one_cache_at_once(tmp_path):
    with ResponseCache(tmp_path) as one, ResponseCache(tmp_path) as other:
        one.put("a", Response(text="1"))
        other.put("b", Response(text="2"))
        assert one.get("b").text == "2"
        assert other.get("a").text == "1"


def test_a_file_that_is_no_cache_is_an_error_that_says_what_to_do(tmp_path):
    (tmp_path / "responses.sqlite").write_bytes(b"not a database, but long enough to be read as one" * 40)
    with pytest.raises(StoreError, match="--no-cache"):
        ResponseCache(tmp_path)
