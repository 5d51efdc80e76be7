"""Model cards as people write them, and as nobody should."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.model.card import Card, read_card

WHOLE = """---
license: Apache-2.0
base_model:
- org/first
- org/second
tags: [text-generation, merge]
---
# A model

It answers   questions.<!-- What is
here is for the one who fills it in. -->
"""


@pytest.fixture
def card(tmp_path):
    def read(text):
        path = tmp_path / "README.md"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_card(path)

    return read


def test_a_card_says_its_licence_its_bases_its_kind_and_how_long_it_is(card):
    assert card(WHOLE) == Card(
        "apache-2.0", ("org/first", "org/second"), "merge", len("# A model It answers questions.")
    )


@pytest.mark.parametrize(
    "changed", [WHOLE.replace("\n", "\r\n"), "\ufeff" + WHOLE, WHOLE.replace("---", "---  ")]
)
def test_line_ends_and_marks_of_editors_change_nothing(card, changed):
    assert card(changed) == card(WHOLE)


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ("license: mit", "mit"),
        ("license: no", "no"),
        ("license: 2", "2"),
        ("license: [mit, apache-2.0]", "mit, apache-2.0"),
        ("license: other\nlicense_name: Gemma", "gemma"),
        ("license: other", "other"),
        ("license: mit\nlicense_name: gemma", "mit"),
        ("license:", ""),
        ("license: {is: mit}", ""),
        ("licence: mit", ""),
        (f"license: {'x' * 200}", ""),
    ],
)
def test_the_licence_is_what_stands_there_in_lower_case(card, metadata, licence):
    assert card(f"---\n{metadata}\n---\n").licence == licence


@pytest.mark.parametrize(
    ("metadata", "kind"),
    [
        ("tags: [merge]", "merge"),
        ("tags: [Merge]", "merge"),
        ("tags: [text-generation, merger]", None),
        ("base_model_relation: quantized", "quantised"),
        ("base_model_relation: adapter\ntags: [merge]", "adapter"),
        ("base_model_relation: finetune", None),
    ],
)
def test_the_kind_of_weights_is_its_relation_or_a_tag(card, metadata, kind):
    assert card(f"---\n{metadata}\n---\n").weight_type == kind


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("", 0),
        ("---\nlicense: mit\n---\n", 0),
        ("---\nlicense: mit\n---\n \n\n\t", 0),
        ("words", 5),
        ("no\n---\nfront matter", len("no --- front matter")),
        ("---\nnever: ended\n", len("--- never: ended")),
        ("<!-- all of it", 0),
        ("a <!-- b --> c <!-- d -->", 3),
        ("---\n: : not yaml [\n---\ntext", 4),
    ],
)
def test_only_what_a_reader_sees_counts(card, text, characters):
    assert card(text).characters == characters


def test_no_card_is_an_empty_one(tmp_path):
    assert read_card(tmp_path / "README.md") == Card()
    (tmp_path / "README.md").mkdir()
    assert read_card(tmp_path / "README.md") == Card()


# Each would take a naive reader minutes, all memory, or the stack.
@pytest.mark.parametrize(
    "hostile",
    [
        "---\nlicense: " + "[" * 900 + "]" * 900 + "\n---\n",
        "---\nlicense: " + "[" * 50_000 + "\n---\n",
        "---\na: &a [x, x]\n"
        + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
        + "license: *i\n---\n",
        "<!--" * 500_000,
        b"---\n\xff\xfe\nlicense: mit\n---\n",
    ],
    ids=["nested", "open", "aliases", "comments", "bytes"],
)
def test_a_hostile_card_says_nothing_and_harms_nothing(card, hostile):
    assert (card(hostile).licence, card(hostile).characters) == ("", 0)


def test_a_card_makes_no_objects(card, tmp_path):
    made = tmp_path / "made"
    found = card(f"---\nlicense: !!python/object/apply:os.mkdir ['{made}']\n---\n")
    assert not made.exists()
    assert found.licence in ("", str(made).lower())


def test_a_card_that_names_ten_thousand_bases_names_few(card):
    names = "".join(f"- org/model-{number}\n" for number in range(10_000))
    assert len(card(f"---\nbase_model:\n{names}---\n").base) < 100


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_can_be_read(card, junk):
    found = card(b"---\n" + junk + b"\n---\ntext")
    assert found.characters >= 4
    assert "," not in "".join(found.base)
