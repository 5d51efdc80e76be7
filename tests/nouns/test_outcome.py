from bakeoff.nouns import Outcome


def test_only_failures_that_are_nobodys_answer_stay_unscored():
    # The table of outcomes in docs/reference/outcomes.md.
    assert {outcome.value for outcome in Outcome if outcome.unscored} == {
        "too_long",
        "model_error",
        "scorer_error",
    }
    assert {outcome.value for outcome in Outcome if not outcome.unscored} == {
        "scored",
        "no_answer",
        "truncated",
        "refused",
        "empty",
    }
