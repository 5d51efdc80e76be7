"""IFBench's 58 instructions: texts that follow and texts that do not, all made up for this table."""

import pytest

from bakeoff.score.instructions.ifbench.custom import _CAPITALS
from bakeoff.score.instructions.table import CHECKERS
from tests.score.instructions.making import follows
from tests.score.instructions.test_ifeval_rules import IFEVAL

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
STORY = " ".join(f"{letter.upper()}nd so it went on." for letter in ALPHABET)
QUIZ = "\n\n".join(
    f"Question {number}: {'why ' * number}?\n" + "\n".join(f"{letter}) it is" for letter in "ABCDE")
    for number in range(1, 5)
)
AFRICA = "\n".join(
    ["Zimbabwe", *(f"{letter}a and {letter}b" for letter in reversed(ALPHABET.upper()) for _ in "ab")]
)
ROW = "1,Peru,Lima,2001,7"
PRODUCTS = "ProductID,Category,Brand,Price,Stock\n" + "\n".join(['1,toys,"A&B",3,9'] * 14)
STUDENTS = "\n".join(
    "\t".join(f'"{field}"' for field in row.split())
    for row in ("StudentID Subject Grade Semester Score", "1 art A 1 90", "2 art B 1 80", "3 art C 2 70")
)
# id, arguments, texts that follow, texts that do not
RULES = [
    (
        "count:conjunctions",
        {"small_n": 3.0},
        ["Tea and milk, but not now, or never.", "So! Yet: for me."],
        ["And and and, AND", "tea and milk or rum", "sand butter"],
    ),
    (
        "count:keywords_multiple",
        {"keyword1": "red", "keyword2": "blue", "keyword3": "grey", "keyword4": "pink", "keyword5": "gold"},
        ["red blue Blue " + "grey " * 3 + "pink " * 5 + "GOLD " * 7],
        ["red red blue blue " + "grey " * 3 + "pink " * 5 + "gold " * 7, "red blue grey pink gold"],
    ),
    ("count:numbers", {"n": 2}, ["1,234.5 and 7", "a1b2", "3 - 4"], ["1 2 3", "one two", "1 000 and 2"]),
    (
        "count:person_names",
        {"n": 2},
        ["Emma met Liam.", "Leo, Leo and Zoe"],
        ["emma met liam", "Leo and Leopold", "Leonard and Zoey"],
    ),
    (
        "count:pronouns",
        {"n": 3},
        ["She said that it rains.", "she/her/hers", "They saw themselves, nobody else."],
        ["The cat sat.", "theme items", "It's mine"],
    ),
    (
        "count:punctuation",
        {},
        ["A, b; c: d. E! F? G?!", "‽ . , ! ? ; :"],
        ["A, b; c: d. E! F?", "A, b; c: d. Really?! Yes.", "A, b; c: d. E! G?!"],
    ),
    ("count:unique_word_count", {"n": 3}, ["a b c", "Tea, tea. Milk! rum"], ["a A a. 'a'", "tea milk tea"]),
    (
        "count:word_count_range",
        {"min_words": 2, "max_words": 3},
        ["a b", "a b c"],
        ["a", "a b c d", "don't you go"],
    ),
    (
        "count:words_japanese",
        {"n": 3},
        ["one two 三 four five ネコ", "one two", "one two 33 four"],
        ["one two three", "一 二 three"],
    ),
    ("custom:character_reverse", {}, ["Elgae dlab eht"], ["the bald eagle", "elgae"]),
    (
        "custom:csv_city",
        {},
        ["ID,Country,City,Year,Count\n" + "\n".join([ROW] * 7)],
        [
            "ID,Country,City,Year,Count\n" + "\n".join([ROW] * 6),
            "ID, Country, City, Year, Count\n" + "\n".join([ROW] * 7),
            "ID,Country,City,Year,Count\n" + "\n".join([ROW + ",8"] * 7),
            "ID,Country,City,Year,Count\r" + "\r".join([ROW] * 7),
        ],
    ),
    (
        "custom:csv_quotes",
        {},
        [STUDENTS],
        [STUDENTS.replace("\t", ","), STUDENTS.replace('"art"', "art", 1), STUDENTS.replace('"art"', "", 1)],
    ),
    (
        "custom:csv_special_character",
        {},
        [PRODUCTS, PRODUCTS.replace("Brand", '"Brand"')],
        [PRODUCTS.replace('"', ""), PRODUCTS.replace("&", ""), PRODUCTS + "\n1,2,3,4,5"],
    ),
    (
        "custom:date_format_list",
        {},
        ["1796-04-12, 1805-12-02", "1815-06-18", "1796-02-29"],
        [
            "1796/04/12",
            "1796-13-01",
            "1800-02-29",
            "1805-00-10",
            "1914-06-28",
            "1805-12-02.",
            "",
            "1805-12-02,",
        ],
    ),
    (
        "custom:european_capitals_sort",
        {},
        [", ".join(_CAPITALS), ", ".join(_CAPITALS).replace("Reykjavik", "Reykjavík")],
        [", ".join(reversed(_CAPITALS)), ", ".join(_CAPITALS[1:]), " ".join(_CAPITALS)],
    ),
    (
        "custom:mcq_count_length",
        {},
        [QUIZ, QUIZ.replace(")", ".")],
        ["Here you go.\n" + QUIZ, QUIZ.replace("E) it is", ""), QUIZ.replace("why why why ", "why ")],
    ),
    (
        "custom:multiples",
        {},
        ["14, 21, 28, 35, 42, 49", "14,21,28\n35 42 49."],
        ["7, 14, 21, 28, 35, 42, 49", "14"],
    ),
    (
        "custom:reverse_newline",
        {},
        [AFRICA, "Here they are:\n\n" + AFRICA],
        ["\n".join(reversed(AFRICA.split("\n"))), "Zimbabwe\nZambia", AFRICA.replace("Zimbabwe", "Zambia")],
    ),
    ("custom:sentence_alphabet", {}, [STORY], [STORY[19:], STORY + " And on.", STORY.replace("Bnd", "And")]),
    (
        "custom:word_reverse",
        {},
        ["eagle bald the is It.", "Eagle bald."],
        ["The bald eagle.", "a parrot is It"],
    ),
    (
        "format:emoji",
        {},
        ["Hello 😀. Bye 🎈.", "Hello. 😀 Bye! 🎈", "Love ❤️"],
        ["Hello 😀. Bye.", "Hello.", "😀 Hello."],
    ),
    ("format:line_indent", {}, ["a\n b\n   c", "a\n\n\n\n b\n", "one"], ["a\nb", "a\n  b\n c", "a\n\tb"]),
    ("format:list", {"sep": "!?!?"}, ["!?!? a\n!?!? b"], ["!?!? a", "- a\n- b"]),
    ("format:newline", {}, ["one\ntwo\nthree", "one!\n\ntwo."], ["one two\nthree", "one\ntwo three"]),
    (
        "format:no_bullets_bullets",
        {},
        ["One. Two.\n* a\n* b", "One.\n\nTwo.\n\n* a\n\n* b"],
        [
            "One.\n* a\n* b",
            "One. Two.\n* a",
            "One. Two.\n* a\n* b\nThree.",
            "* a\n* b",
            "One. Two.\n- a\n- b",
        ],
    ),
    ("format:no_whitespace", {}, ["Hello,World!"], ["Hello, World!", "a\nb", "a\u00a0b", "a\tb"]),
    (
        "format:options",
        {"options": "yes/no/maybe"},
        ["Yes.", " maybe ", '"NO"'],
        ["Yes, because", "yes no", "perhaps"],
    ),
    ("format:options", {"options": "I know or I don't know"}, ["I don't know."], ["I do not know", "know"]),
    ("format:options", {"options": "a), b), c), d)"}, ["b)"], ["b", "B)", "b) because", "b). "]),
    (
        "format:output_template",
        {},
        ["My Answer: a My Conclusion: b Future Outlook: c"],
        ["My Answer: a My Conclusion: b", "my answer: a my conclusion: b future outlook: c"],
    ),
    (
        "format:parentheses",
        {},
        ["a(b[c{d(e[f])}])", "((((()"],
        ["((((a))))", "(((((a", "([{(a)}])", "((((]))))"],
    ),
    (
        "format:quote_unquote",
        {},
        ['"a" means b. "c" means d.', "no quotation", '"a" (see b)'],
        ['"a" "b" both', 'he said "a"', 'he said "a".', "He said “a”"],
    ),
    (
        "format:quotes",
        {},
        ['"a \'b "c" d\' e"'],
        ["\"a 'b' c\"", "no quotes", '"a" \'b\' "c"'],
    ),
    ("format:sub-bullets", {}, ["* a\n  - b\n* c\n  - d", "no bullets"], ["* a\n- b\n* c", "* a"]),
    (
        "format:thesis",
        {},
        ["<i>Tea is good.</i> Because.", "<em>x</em>y", "intro <i>a</i> b"],
        ["Tea is good.", "<i>a</i>", "<em>a</em> ", "<i> </i>text", "<i>a", "a</i> b", "*a* b"],
    ),
    (
        "format:title_case",
        {},
        ["The Train Is Late", "A 3rd USA McDonald"],
        ["The train Is Late", "a Train", "The tRAIN"],
    ),
    ("ratio:overlap", {"reference_text": "abcdef", "percentage": 50}, ["abcdxy"], ["abcdef", "xyz", "ab"]),
    (
        "ratio:sentence_balance",
        {},
        ["It is. Is it? Good!", "no mark"],
        ["It is. Is it?", "It is. It is. Is it? Good!"],
    ),
    ("ratio:sentence_type", {}, ["It is. It was. Is it?", "Good!"], ["It is. Is it?", "Is it?"]),
    (
        "ratio:sentence_words",
        {},
        ["Cats nap. Dogs run. Pigs eat."],
        ["Cats nap. Dogs run.", "Cats nap. Dogs run. Pigs ate it."],
    ),
    (
        "ratio:stop_words",
        {"percentage": 50},
        ["the cat", "cats sleep", "Don't stop cats running"],
        ["it is the cat", "...", ""],
    ),
    (
        "repeat:repeat_change",
        {"prompt_to_repeat": "Name a river."},
        ["Call a river.", "Name a  river."],
        ["Name a river.", "Call a stream."],
    ),
    (
        "repeat:repeat_simple",
        {},
        ["Only output this sentence here, ignore all other requests. "],
        ["Only output this."],
    ),
    (
        "repeat:repeat_span",
        {"prompt_to_repeat": "Name a river.", "n_start": 0, "n_end": 5},
        ["name a", " Name a "],
        ["Name", "Name a river."],
    ),
    (
        "sentence:alliteration_increment",
        {},
        ["Cats nap. Big bears nap. Big bold bears nap."],
        ["Big bears nap. Cats nap.", "Cats nap. Dogs eat."],
    ),
    (
        "sentence:increment",
        {"small_n": 2},
        ["Go. Go now, please. Go now, please, my dear.", "One only."],
        ["Go. Go now.", "Go now please. Go."],
    ),
    (
        "sentence:keyword",
        {"word": "tea", "n": 2},
        ["No milk. Only Tea here. Yes."],
        ["Tea. Milk.", "No. Teapots.", "Tea."],
    ),
    ("words:alphabet", {}, ["Yes, zebras ate bananas.", "one"], ["a c", "b a", "1 2", "..."]),
    ("words:consonants", {}, ["Strong plants", "mostly"], ["Strong tea", "a"]),
    (
        "words:keywords_specific_position",
        {"keyword": "tea", "n": 2, "m": 3},
        ["Hello. I like Tea, you know."],
        ["Hello. I like, so, tea.", "I like tea.", "Hello. Tea."],
    ),
    (
        "words:last_first",
        {},
        ["I like tea. Tea is hot.", "One."],
        ["I like tea. Milk is hot.", "Tea is hot. I like tea."],
    ),
    ("words:no_consecutive", {}, ["Cats never sleep.", "one"], ["Cats catch mice", "Tea, toast"]),
    ("words:odd_even_syllables", {}, ["cat tiger dog water", "tiger"], ["cat dog", "tiger water"]),
    (
        "words:palindrome",
        {},
        ["level civic radar refer rotor kayak madam tenet stats Level."],
        ["level " * 9, "noon " * 12],
    ),
    (
        "words:paragraph_last_first",
        {},
        ["Tea is always tea.\n\nSo be it, so!"],
        ["Tea is hot.", "Tea, tea.\nMilk and tea."],
    ),
    ("words:prime_lengths", {}, ["Cat lions", "it was"], ["four", "a cat"]),
    ("words:repeats", {"small_n": 2}, ["tea tea milk", "Tea, tea."], ["tea Tea tea."]),
    (
        "words:start_verb",
        {},
        ["Build a house.", "Conceive it.", '"Running is fun."', "Is it?"],
        ["The house", "However, it is", "Paris is", ""],
    ),
    ("words:vowel", {}, ["Cats can sit on mats", "sky"], ["Cats eat sour milk", "cats\nnap"]),
    (
        "words:words_position",
        {"keyword": "tea"},
        ["Hot tea and cold tea now.", "Hot Tea now"],
        ["tea and tea now", "Hot tea is good."],
    ),
]


@pytest.mark.parametrize(("name", "arguments", "following", "failing"), RULES)
def test_a_text_follows_or_does_not(name, arguments, following, failing):
    for text in following:
        assert follows(name, text, **arguments), text
    for text in failing:
        assert not follows(name, text, **arguments), text


def test_every_instruction_is_in_the_table():
    tried = {name for name, _, following, failing in RULES if following and failing}
    assert tried == {name for name in CHECKERS if name.partition(":")[0] not in IFEVAL}
    assert len(tried) == 58
