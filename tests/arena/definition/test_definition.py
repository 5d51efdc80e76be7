import re

import pytest

from bakeoff.arena.definition.default import default_arena
from bakeoff.arena.definition.definition import CONSENT, Arena
from bakeoff.arena.moderation.recipe import DEFAULT
from bakeoff.arena.policy.rules import Policy
from bakeoff.errors import TaskError
from bakeoff.nouns import Generation
from tests.arena.definition.making import SMALL


def test_a_name_and_two_models_are_an_arena_with_the_defaults_that_were_stated(small):
    assert (small.turns, small.longest_prompt, small.max_tokens, small.voters) == (5, 8000, 1024, "anyone")
    assert (small.retention_days, small.held_back, small.consent) == (365, 0.2, CONSENT)
    assert small.policy == Policy(name="chat")
    assert small.moderation == DEFAULT
    assert small.limits.turns == 5
    assert small.models[1].sampling.generation(10) == Generation(10, 0.7, 1.0, ())


def test_all_that_a_file_says_is_in_the_arena(file):
    arena = file(
        more="""\
          - name: "orca, greedy"
            model: gguf:orca.gguf
            settings: {threads: 2, prompt_cache: false, context_length: 512}
            provider: Acme
            family: orca
            licence: open_source
            access: private
            system: Be brief.
            sampling: {temperature: 0, stop: ["\\n\\n"]}
            images: true
        title: Chat
        policy: {version: 3, releases: {share: 0.1}}
        pairing: {rule: uniform@1}
        turns: 1
        deadlines: {first_token_s: 5, answer_s: 10}
        per_voter: {votes: 20}
        voters: invited
        prompts: {file: prompts.txt, texts: [What is rain?], only: true}
        consent: Be nice.
        retention_days: null
        held_back: 0.5
        moderation:
          - length
          - {filter: words, file: words.txt}
          - {filter: judged, model: "gguf:smollm2", refuse: weapons, failing: closed}
        """,
        prompts_txt="What is snow?\n\nWhat is rain?\nWhat is hail?\n",
        words_txt="spam\n",
    )
    third = arena.models[2]
    assert third.settings == {"threads": "2", "prompt_cache": "false", "context_length": "512"}
    assert (third.access, third.system, third.images) == ("private", "Be brief.", True)
    assert third.sampling.stop == ("\n\n",)
    assert (arena.policy.name, arena.policy.version, arena.policy.releases.share) == ("chat", 3, 0.1)
    assert (arena.pairing.rule, arena.deadlines.answer_s, arena.limits.votes) == ("uniform@1", 10, 20)
    assert arena.prompts.texts == ("What is rain?", "What is snow?", "What is hail?")
    assert (arena.prompts.only, arena.retention_days, arena.held_back) == (True, None, 0.5)
    assert [each.name for each in arena.moderation] == ["length", "words", "judged"]
    assert arena.moderation[1].words == ("spam",)


def test_prompts_come_from_jsonl_too(file):
    arena = file(
        more="prompts: {file: prompts.jsonl}\n",
        prompts_jsonl='{"prompt": "two\\nlines"}\n{"prompt": "one", "id": 3}\n',
    )
    assert arena.prompts.texts == ("two\nlines", "one")


def test_all_mistakes_are_told_at_once_each_with_its_line_and_field(file):
    with pytest.raises(TaskError) as error:
        file(
            SMALL.replace("licence: open_source", "licence: free"),
            """\
            turns: 0
            held_back: 1.5
            deadlines: {answer_s: -1}
            moderation:
              - length
              - {filter: lenght}
              - {filter: words, fil: x}
            """,
        )
    told = str(error.value)
    for line, field in (
        (3, "models[0].licence"),
        (5, "turns"),
        (6, "held_back"),
        (7, "deadlines.answer_s"),
        (10, "moderation[1].filter: there is no filter 'lenght'"),
        (11, "moderation[2].fil"),
    ):
        assert re.search(rf"arena\.yaml:{line}: {re.escape(field)}", told), (line, field, told)
    assert "'length'" in told


def test_a_key_that_there_is_not_gets_the_nearest(file):
    with pytest.raises(TaskError, match=r"(?s)arena\.yaml:5: voter: there is no such key.*'voters'"):
        file(more="voter: anyone\n")


def test_files_that_are_wrong_are_told_with_the_line_of_the_arena_and_their_own(file):
    with pytest.raises(TaskError) as error:
        file(
            more="""\
            longest_prompt: 5
            prompts: {file: prompts.txt}
            moderation:
              - {filter: words, file: no.txt}
              - words
            """,
            prompts_txt="short\nthis is too long\n",
        )
    told = str(error.value)
    assert re.search(r"arena\.yaml:6: prompts\.file: .*prompts\.txt:2: the prompt has 16 characters", told)
    assert re.search(r"arena\.yaml:8: moderation\[0\]\.file: the words in .*no\.txt cannot be read", told)
    assert re.search(r"arena\.yaml:9: moderation\[1\]: holds no word", told)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("policy: {name: other}\n", r"arena\.yaml:5: policy\.name: is 'other', and the arena is 'chat'"),
        ("pairing: {most: 4}\n", r"arena\.yaml:5: pairing\.most: is 4, and the policy warns from 3 times"),
        ("deadlines: {first_token_s: 200}\n", r"arena\.yaml:5: deadlines\.first_token_s: is later"),
        ("prompts: {only: true}\n", r"arena\.yaml:5: prompts: there are none"),
        ('prompts: {texts: ["  "]}\n', r"arena\.yaml:5: prompts\.texts\[0\]: the prompt is empty"),
        ("prompts: {file: prompts.jsonl}\n", r"prompts\.jsonl.*prompt: is missing"),
        ("policy: {releases: {share: 2}}\n", r"arena\.yaml:5: policy\.releases\.share"),
        ("policy: none\n", r"arena\.yaml:5: policy"),
        ("moderation: length\n", r"arena\.yaml:5: moderation"),
    ],
)
def test_what_does_not_fit_together_is_told_at_its_place(file, more, what):
    with pytest.raises(TaskError, match=what):
        file(more=more, prompts_jsonl='{"text": "hello"}\n')


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('name: "whale, warm"', "name: Orca", r"models\[1\]\.name: is there twice"),
        ("name: orca,", 'name: "or\\u200bca",', r"arena\.yaml:3: models\[0\]\.name: must be 1 to 200"),
        ("provider: Acme,", "", r"arena\.yaml:3: models\[0\]\.provider: is missing"),
        ("name: chat", "name: My Chat", r"arena\.yaml:1: name"),
        ("licence: proprietary", "licence: free", r"\A\S*arena\.yaml:4: models\[1\]\.licence: [^\n]*\Z"),
    ],
)
def test_names_that_cannot_be_are_told(file, old, new, what):
    with pytest.raises(TaskError, match=what):
        file(SMALL.replace(old, new))


def test_an_arena_of_one_model_is_none(file):
    with pytest.raises(TaskError, match=r"arena\.yaml:2: models: are too few"):
        file("\n".join(SMALL.splitlines()[:3]) + "\n")


def test_the_digest_names_all_but_words_about_it(small, file):
    changed = ("turns: 2", "held_back: 0.3", "consent: Hi", "policy: {version: 2}", "moderation: [length]")
    digests = {small.digest, *(file(more=each + "\n").digest for each in changed)}
    assert len(digests) == 1 + len(changed)
    assert file(more="title: Other words\n").digest == small.digest


def test_the_default_arena_is_one_model_cold_and_warm_and_survives_being_written():
    arena = default_arena()
    assert [each.name for each in arena.models] == ["smollm2, temperature 0", "smollm2, temperature 1"]
    assert {each.model for each in arena.models} == {"gguf:smollm2"}
    assert Arena.model_validate_json(arena.model_dump_json()) == arena
