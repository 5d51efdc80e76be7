import math
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


def test_all_that_a_log_likelihood_request_says_is_part_of_the_key():
    asked = Loglikelihood("a", "x", ("1", "2"))
    keys = {
        cache_key(each, IDENTITY, 0)
        for each in (
            asked,
            replace(asked, continuations=("2", "1")),
            replace(asked, unconditional=True),
            replace(asked, leads=("a", "b")),
            replace(asked, leads=("b", "a")),
            replace(asked, rolling=True),
        )
    }
    assert len(keys) == 6


def test_a_kept_answer_comes_back_whole_but_without_its_timing(tmp_path):
    answer = Response(
        text="4",
        reasoning="hm",
        finish=FinishReason.LENGTH,
        stop="\n",
        options=(OptionScore(-1.5, 2, True, -3.0), OptionScore(-math.inf, 1, note="cut", other=-math.inf)),
        usage=Usage(5, 1, None, 2),
        timing=Timing(1.5, 0.5),
        served_by="m-2026",
        fingerprint="fp",
        stages={"passages": [{"id": "a", "text": "é", "score": 1.5}], "claims": [["x", None]]},
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


@pytest.mark.parametrize("answers", [1, 2, 511, 512, 513, 1500])
def test_all_that_was_put_is_there_at_once_and_in_the_file_at_the_end(tmp_path, answers):
    kept = {f"key {number}": Response(text=str(number)) for number in range(answers)}
    with ResponseCache(tmp_path) as cache:
        for key, answer in kept.items():
            cache.put(key, answer)
            assert cache.get(key) == answer
        assert all(cache.get(key) == answer for key, answer in kept.items())
    with ResponseCache(tmp_path) as cache:
        assert all(cache.get(key) == answer for key, answer in kept.items())


def test_a_run_that_ends_in_an_error_keeps_its_answers(tmp_path):
    def stopped():
        with ResponseCache(tmp_path) as cache:
            for number in range(3):
                cache.put(str(number), Response(text=str(number)))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stopped()
    with ResponseCache(tmp_path) as cache:
        assert [cache.get(str(number)).text for number in range(3)] == ["0", "1", "2"]


def test_what_waits_to_be_committed_stays_bounded_and_is_not_lost_by_a_kill(tmp_path):
    cache = ResponseCache(tmp_path)
    for number in range(2000):
        cache.put(str(number), Response(text="x"))
    # Never closed, as after a kill: another process sees all but the last few hundred.
    with ResponseCache(tmp_path) as other:
        assert sum(other.get(str(number)) is not None for number in range(2000)) > 2000 - 512
