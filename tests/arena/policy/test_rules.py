import pytest

from bakeoff.arena.policy.adopting import adopted, in_force
from bakeoff.arena.policy.rules import Policy, load_policy
from bakeoff.database import reading
from bakeoff.errors import BakeoffError, TaskError
from tests.arena.policy.making import policy

WHOLE = """\
name: chat
version: 2
private_variants: 1
preliminary: {fresh_votes: 3000, width: 25}
sampling: {factor: 2.5, appearances: 800}
inactivity:
  votes: 50
  days: 14
releases: {delay_days: 90, share: 0.1, even_days: 3}
retirement:
  unavailable: it cannot be run any more
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "chat.yaml"


def test_a_name_is_a_policy_with_the_defaults_that_were_stated(file):
    file.write_text("name: chat\n")
    found = load_policy(file)
    assert (found.version, found.private_variants, found.preliminary.fresh_votes) == (1, 3, 2000)
    assert found == Policy(name="chat")


def test_all_that_a_file_says_is_in_the_policy_and_in_its_digest(file):
    file.write_text(WHOLE)
    found = load_policy(file)
    assert found.preliminary.model_dump() == {"fresh_votes": 3000, "width": 25.0}
    assert found.releases.model_dump() == {"delay_days": 90, "share": 0.1, "even_days": 3}
    assert (found.inactivity.votes, found.inactivity.days, dict(found.retirement)) == (
        50,
        14,
        {"unavailable": "it cannot be run any more"},
    )
    digests = {found.digest}
    for old, new in (
        ("version: 2", "version: 3"),
        ("variants: 1", "variants: 0"),
        ("3000", "3001"),
        ("25}", "25.5}"),
        ("2.5", "2.6"),
        ("800", "801"),
        ("votes: 50", "votes: 51"),
        ("14", "15"),
        ("90", "91"),
        ("0.1", "0.2"),
        ("even_days: 3", "even_days: 4"),
        ("any more", "now"),
    ):
        assert old in WHOLE
        file.write_text(WHOLE.replace(old, new))
        digests.add(load_policy(file).digest)
    assert len(digests) == 13
    file.write_text("# said anew\n" + WHOLE.replace("width: 25", "width: 25.0"))
    assert load_policy(file).digest == found.digest


@pytest.mark.parametrize(
    ("right", "wrong", "line", "says"),
    [
        ("name: chat", "nam: chat", 1, "nam"),
        ("name: chat", "name: the chat", 1, "name"),
        ("version: 2", "version: 0", 2, "version"),
        ("private_variants: 1", "private_variants: many", 3, "private_variants"),
        ("private_variants: 1", "private_variants: -1", 3, "private_variants"),
        ("fresh_votes: 3000", "fresh_votes: 0", 4, "preliminary.fresh_votes"),
        ("width: 25", "width: inf", 4, "preliminary.width"),
        ("width: 25", "widht: 25", 4, "did you mean 'width'"),
        ("factor: 2.5", "factor: 1", 5, "sampling.factor"),
        ("factor: 2.5", "factor: nan", 5, "sampling.factor"),
        ("votes: 50", "votes: 0.5", 7, "inactivity.votes"),
        ("  days: 14", "  days: 0", 8, "inactivity.days"),
        ("share: 0.1", "share: 20", 9, "releases.share"),
        ("delay_days: 90", "delay_days: -1", 9, "releases.delay_days"),
        ("retirement:\n  un", "retirement:\n  Un", 11, "retirement"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_field(file, right, wrong, line, says):
    assert right in WHOLE
    file.write_text(WHOLE.replace(right, wrong))
    with pytest.raises(TaskError) as error:
        load_policy(file)
    assert f"chat.yaml:{line}: " in error.value.message
    assert says in str(error.value)


@pytest.mark.parametrize("text", ["", "- name\n", "name: [\n", "version: 1\n"])
def test_what_is_no_policy_is_said_so(file, text):
    file.write_text(text)
    with pytest.raises(TaskError, match=r"chat\.yaml"):
        load_policy(file)


def test_versions_follow_one_another_and_each_is_kept(arena):
    arena.adopt()  # the same again: nothing happens
    with pytest.raises(BakeoffError, match="version 1 of the policy of chat is in force, with other rules"):
        arena.adopt(private_variants=9)
    arena.adopt(version=3, private_variants=9)
    with pytest.raises(BakeoffError, match="needs a higher version than 3"):
        arena.adopt(version=2)
    with reading(arena.engine) as connection:
        assert in_force(connection, "chat") == policy(version=3, private_variants=9)
        assert [(each.policy.version, each.entry) for each in adopted(connection, "chat")] == [(1, 1), (3, 2)]
        with pytest.raises(BakeoffError, match="no policy of an arena code is in force"):
            in_force(connection, "code")
