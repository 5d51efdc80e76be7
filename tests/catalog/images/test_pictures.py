"""Shapes and charts: that the gold answers are what the pictures show, and that nothing else shows them."""

import base64
import hashlib
import io
import zlib
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from bakeoff.catalog.images import charts, shapes
from bakeoff.catalog.images.drawing import png
from bakeoff.catalog.images.drawing.glyphs import GLYPHS
from bakeoff.task import lint, load_task, prepare
from tests.catalog.images import seeing

GENERATORS = {"shapes": shapes.questions, "charts": charts.questions}
families = pytest.mark.parametrize("family", GENERATORS)
BLOCK = {"shapes": 16, "charts": 36}


def picture(row):
    (message,) = row["messages"]
    image, text = message["content"]
    assert text["text"] == row["question"]
    return base64.b64decode(image["image"].removeprefix("data:image/png;base64,"), validate=True)


@families
@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_an_observer_of_the_pixels_alone_answers_every_question_as_the_gold_does(family, seed):
    for row in GENERATORS[family](seed, 3 * BLOCK[family]):
        assert seeing.answer(picture(row), row["question"], row["choices"]) == row["answer"], row


@families
@pytest.mark.parametrize("seed", range(3))
def test_each_block_has_every_answer_of_a_kind_in_every_position_once(family, seed):
    block = BLOCK[family]
    rows = list(GENERATORS[family](seed, 4 * block))
    for start in range(0, len(rows), block):
        by_kind = defaultdict(list)
        for row in rows[start : start + block]:
            by_kind[row.get("chart"), row["kind"]].append(row["answer"])
        assert all(sorted(answers) == [0, 1, 2, 3] for answers in by_kind.values())


@families
def test_four_different_choices(family):
    for row in GENERATORS[family](3, 300):
        assert len(set(row["choices"])) == 4


@families
def test_one_who_learnt_the_answers_of_other_pictures_by_heart_guesses_no_better_than_chance(family):
    """It knows how often each choice was right in each kind of question, and where. It sees no picture."""

    def rows(seeds):
        return [row for seed in seeds for row in GENERATORS[family](seed, 10 * BLOCK[family])]

    def clues(row, place):
        return [(row.get("chart"), row["kind"], clue) for clue in (row["choices"][place], rank(row, place))]

    def rank(row, place):
        numbers = [int(c.rstrip("%")) for c in row["choices"] if c.rstrip("%").isdigit()]
        return (
            sorted(row["choices"], key=lambda c: (len(c), c)).index(row["choices"][place])
            if numbers
            else place
        )

    right, shown = Counter(), Counter()
    for row in rows(range(100, 106)):
        for place in range(4):
            shown.update(clues(row, place))
        right.update(clues(row, row["answer"]))
    test = rows(range(4))
    hits = 0
    for row in test:
        odds = [np.prod([(right[c] + 1) / (shown[c] + 4) for c in clues(row, place)]) for place in range(4)]
        hits += int(np.argmax(odds)) == row["answer"]
    # Three standard errors of one who guesses.
    assert hits / len(test) < 0.25 + 3 * (0.25 * 0.75 / len(test)) ** 0.5


@families
def test_more_rows_only_add_rows_and_another_seed_draws_other_pictures(family):
    rows = list(GENERATORS[family](0, 60))
    for n in (1, 3, 7, 36):
        assert list(GENERATORS[family](0, n)) == rows[:n]
    others = set(map(picture, GENERATORS[family](1, 60)))
    assert not others & set(map(picture, rows))


@families
def test_a_picture_is_shared_by_its_group_and_by_nobody_else(family):
    of_group = defaultdict(set)
    for row in GENERATORS[family](0, 10 * BLOCK[family]):
        of_group[row["group"]].add(picture(row))
    assert all(len(pictures) == 1 for pictures in of_group.values())
    assert len(set.union(*of_group.values())) == len(of_group)


@pytest.mark.parametrize(
    ("family", "digest"),
    [
        ("shapes", "1716e53223009c3de21562f39d9e5ddfba3ff2cbf905ee72a4e5fd6512f3cd3a"),
        ("charts", "986e2299a83536f6390ee69a1b22a9701052f16669f63eafaa05a6168adab25d"),
    ],
)
def test_the_pictures_are_the_same_bytes_everywhere(family, digest):
    found = hashlib.sha256(b"".join(map(picture, GENERATORS[family](0, BLOCK[family])))).hexdigest()
    assert found == digest


@families
def test_all_prompts_are_clean_and_ask_the_same_items(family):
    task, _ = load_task(family)
    digests = set()
    for variant in ("default", "free", "loglikelihood"):
        assert lint(task, variant=variant) == []
        digests.add(prepare(task, variant).digest)
    assert len(digests) == 3


@families
def test_the_blind_twin_asks_the_same_without_a_picture(family):
    seen, blind = (prepare(load_task(name)[0]) for name in (family, f"{family}_blind"))
    assert (seen.images, blind.images) == (True, False)
    assert (seen.n_items, seen.chance) == (blind.n_items, blind.chance)
    assert seen.chance == 0.25
    for one, other in zip(seen.items(), blind.items(), strict=True):
        assert (one.id, one.choices, one.target, one.group) == (
            other.id,
            other.choices,
            other.target,
            other.group,
        )
        ((message,),) = seen.render(one).turns
        assert [part.kind for part in message.parts] == ["image", "text"]
        ((alone,),) = blind.render(other).turns
        assert [part.kind for part in alone.parts] == ["text"]
        assert alone.text == message.text


def test_no_two_characters_look_alike():
    assert len(set(GLYPHS.values())) == len(GLYPHS)
    assert {(len(grid), *{len(row) for row in grid}) for grid in GLYPHS.values()} == {(7, 5)}


@given(
    arrays(
        np.uint8,
        st.tuples(st.integers(1, 40), st.integers(1, 700)),
        elements=st.integers(0, 255),
        fill=st.integers(0, 255),
    ),
)
def test_a_png_is_read_back_pixel_by_pixel(pixels):
    palette = [(index, 255 - index, index // 2) for index in range(256)]
    content = png(pixels, palette)
    image = Image.open(io.BytesIO(content))
    assert image.format == "PNG"
    assert np.array_equal(np.array(image), pixels)
    assert np.array_equal(np.array(image.convert("RGB")), np.array(palette, np.uint8)[pixels])


@pytest.mark.parametrize("length", [*range(1, 300), 515, 516, 517, 518, 519, 70_000])
def test_runs_of_every_length_are_written_right(length):
    line = np.append(np.zeros(3, np.uint8), np.full(length, 200, np.uint8))[None]
    content = png(line, [(0, 0, 0)] * 256)
    start = content.index(b"IDAT") + 4
    size = int.from_bytes(content[start - 8 : start - 4], "big")
    assert zlib.decompress(content[start : start + size]) == b"\0" + line.tobytes()
