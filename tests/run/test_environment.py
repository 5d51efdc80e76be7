import pytest

from bakeoff.run.environment import environment, redacted


@pytest.mark.parametrize(
    ("arguments", "clean"),
    [
        (["run", "t", "--set", "api_key=sk-123"], ["run", "t", "--set", "api_key=***"]),
        (["--api-key", "sk-123", "x"], ["--api-key", "***", "x"]),
        (["--token=abc"], ["--token=***"]),
        (["--set", "api_key_env=MY_VARIABLE"], ["--set", "api_key_env=MY_VARIABLE"]),
        (["--database", "postgresql://u:hunter2@h/d"], ["--database", "postgresql://u:***@h/d"]),
        (["--database=postgresql://u:hunter2@h:1/d?a=b"], ["--database=postgresql://u:***@h:1/d?a=b"]),
        (["--database", "postgresql://u@h:5432/d"], ["--database", "postgresql://u@h:5432/d"]),
        (["http://h:8000/v1#m@x"], ["http://h:8000/v1#m@x"]),
        (["--set", "max_tokens=5"], ["--set", "max_tokens=5"]),
    ],
)
def test_values_of_secrets_never_reach_a_manifest(arguments, clean):
    assert redacted(arguments) == clean


def test_what_can_move_a_number_is_recorded():
    facts = environment()
    assert {"python", "system", "packages", "git", "command"} <= facts.keys()
    assert "numpy" in facts["packages"]
