from pathlib import Path

from bakeoff.arena.definition.definition import load_arena

EXAMPLE = Path(__file__).parents[3] / "examples" / "arena" / "arena.yaml"


def test_the_example_is_an_arena_with_its_prompts_and_words_and_its_last_line_is_one_too(tmp_path):
    arena = load_arena(EXAMPLE)
    assert [each.name for each in arena.models] == ["smollm2, greedy", "smollm2, warm"]
    assert len(arena.prompts.texts) == 12
    assert arena.moderation[2].words == ("buy followers", "free casino bonus")
    for name in ("prompts.txt", "words.txt"):
        (tmp_path / name).write_text((EXAMPLE.parent / name).read_text(encoding="utf-8"), encoding="utf-8")
    whole = EXAMPLE.read_text(encoding="utf-8").replace("\n# - {filter", "\n  - {filter")
    (tmp_path / "arena.yaml").write_text(whole, encoding="utf-8")
    assert load_arena(tmp_path / "arena.yaml").moderation[-1].name == "judged"
