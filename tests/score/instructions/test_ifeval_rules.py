"""IFEval's 25 instructions: texts that follow and texts that do not, all made up for this table."""

import pytest

from bakeoff.score.instructions.table import CHECKERS
from tests.score.instructions.making import follows

IFEVAL = (
    *("change_case", "combination", "detectable_content", "detectable_format", "keywords", "language"),
    *("length_constraints", "punctuation", "startend"),
)
# id, arguments, texts that follow, texts that do not
RULES = [
    (
        "keywords:existence",
        {"keywords": ["tea", "C++"]},
        ["Tea and c++.", "A TEAPOT with C++11"],
        ["tea and C", "ccc++ only"],
    ),
    (
        "keywords:frequency",
        {"keyword": "ant", "frequency": 2, "relation": "at least"},
        ["ant Ant", "an elephant and an ant", "antant"],
        ["one ant", ""],
    ),
    (
        "keywords:frequency",
        {"keyword": "a.b", "frequency": 1, "relation": "less than"},
        ["axb", "a b"],
        ["A.B"],
    ),
    (
        "keywords:forbidden_words",
        {"forbidden_words": ["war", "p(x)"]},
        ["warm software", "award"],
        ["War!", "a post-war house"],
    ),
    (
        "keywords:letter_frequency",
        {"letter": "Q", "let_frequency": 2, "let_relation": "at least"},
        ["Quick quiz", "qq"],
        ["quick", "kk"],
    ),
    # The published checker draws a letter at random here.
    (
        "keywords:letter_frequency",
        {"letter": "#", "let_frequency": 2, "let_relation": "at least"},
        ["#a #b", "##"],
        ["#one", "none of them, whatever the letters"],
    ),
    (
        "keywords:letter_frequency",
        {"letter": "!", "let_frequency": 1, "let_relation": "less than"},
        ["calm."],
        ["loud!"],
    ),
    (
        "language:response_language",
        {"language": "de"},
        ["Der Zug fährt heute nicht, weil die Strecke gesperrt ist.", "123 456"],
        ["The train does not run today because the line is closed."],
    ),
    (
        "length_constraints:number_words",
        {"num_words": 4, "relation": "at least"},
        ["one two three four", "don't stop now", "a-b c_d e f"],
        ["one two three", "... !!! ??? ---"],
    ),
    (
        "length_constraints:number_words",
        {"num_words": 0, "relation": "at least"},
        ["", "anything"],
        [],
    ),
    (
        "length_constraints:number_sentences",
        {"num_sentences": 3, "relation": "less than"},
        ["One. Two.", "Mr. Gray met Dr. Low at 3.15 p.m. on Monday.", "Wow!!! Yes!!!"],
        ["One. Two. Three.", "Is it? It is! Good."],
    ),
    (
        "length_constraints:number_paragraphs",
        {"num_paragraphs": 2},
        ["a\n***\nb", "***\na\n***\nb", "a***b***"],
        ["a\n\nb", "a\n***\n***\nb", "a\n***\nb\n***\nc", "***"],
    ),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Then"},
        ["First this.\n\nThen that.", 'a\n\n"then, b', "a\n\n'THEN' b"],
        ["First this.\nThen that.", "Then.\n\nFirst.", "a\n\nThen\n\nc", "a\n\n**Then** b"],
    ),
    (
        "detectable_content:number_placeholders",
        {"num_placeholders": 2},
        ["[name] lives in [town]", "[] []", "[a [b] c] [d]"],
        ["[name] lives here", "[a\nb] [c]", "]a[ [b]", "((a)) [[[["],
    ),
    (
        "detectable_content:postscript",
        {"postscript_marker": "P.P.S"},
        ["Bye.\nP.P.S Write soon.", "p. p. s. again", "P.P.S. x"],
        ["P.S. Write soon", "PPS"],
    ),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}, ["p. s. x", "P.S. x"], ["P.S x"]),
    (
        "detectable_content:postscript",
        {"postscript_marker": "N.B. (2)"},
        ["n.b. (2) x"],
        ["n.b. 2", "nxbx (2)"],
    ),
    (
        "detectable_format:number_bullet_lists",
        {"num_bullets": 2},
        ["* a\n* b", "intro\n\n- a\n  - b", "*a\n-b\n**bold** line"],
        ["* a", "* a\n* b\n---", "** a\n** b", "a * b\nc - d"],
    ),
    (
        "detectable_format:number_highlighted_sections",
        {"num_highlights": 2},
        ["*a* and *b*", "**a** and *b*", "*a**b*"],
        ["**a**", "*a* and * *", "*a\nb* c", "a * b"],
    ),
    (
        "detectable_format:multiple_sections",
        {"section_spliter": "Part", "num_sections": 2},
        ["Part 1\nx\nPart 2\ny", "Part1 Part2 Part3"],
        ["Part 1", "part 1 part 2", "Part one. Part two."],
    ),
    (
        "detectable_format:title",
        {},
        ["<<a song>>\nla la", "x <<<y>>> z"],
        ["<a song>", "<<>>", "<< >>", "<<a\nb>>", ">>a<<"],
    ),
    (
        "detectable_format:json_format",
        {},
        ['{"a": 1}', '```json\n["b"]\n```', "```\n3\n```", " null "],
        ["{'a': 1}", 'Here: {"a": 1}', '{"a": 1} {"b": 2}', "[" * 100_000, "9" * 5000],
    ),
    (
        "detectable_format:constrained_response",
        {},
        ["My answer is maybe.", "Well. My answer is no. Sorry."],
        ["My answer is perhaps.", "my answer is yes.", "My answer is yes"],
    ),
    (
        "combination:two_responses",
        {},
        ["tea\n******\ncoffee", "******tea******coffee******"],
        ["tea\n******\n tea", "tea", "a******b******c", "a******\n******b", "a\n***\nb"],
    ),
    (
        "combination:repeat_prompt",
        {"prompt_to_repeat": "Name a river. "},
        ["Name a river. The Elbe.", "  NAME A RIVER."],
        ["Sure! Name a river.", "Name a  river."],
    ),
    (
        "startend:end_checker",
        {"end_phrase": "Over and out."},
        ["Bye. over and out.", '"Bye. Over and out." '],
        ["Over and out. Bye.", "Over and out"],
    ),
    ("startend:quotation", {}, ['"a"', ' "a" b "c"\n', '""'], ['"', "'a'", '"a".', "“a”"]),
    ("punctuation:no_comma", {}, ["a; b", "a， b", ""], ["a, b", "1,000"]),
    (
        "change_case:english_capital",
        {},
        ["THE TRAIN DOES NOT RUN TODAY.", "YES", "A"],
        ["The train", "DER ZUG FÄHRT HEUTE NICHT, WEIL DIE STRECKE GESPERRT IST.", "123"],
    ),
    (
        "change_case:english_lowercase",
        {},
        ["the train does not run today.", "yes"],
        ["The train", "der zug fährt heute nicht, weil die strecke gesperrt ist."],
    ),
    (
        "change_case:capital_word_frequency",
        {"capital_frequency": 3, "capital_relation": "at least"},
        ["I saw NASA and the EU", "DON'T GO", "WELL-KNOWN U.S. FACTS"],
        ["I saw Nasa and the EU", "ABC", "A1b C2d E3f"],
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
    assert tried == {name for name in CHECKERS if name.partition(":")[0] in IFEVAL}
    assert len(tried) == 25


# Made-up sentences; what is asked for is the language's code.
LANGUAGES = {
    "ar": "ذهب الأولاد إلى السوق واشتروا الخبز والتمر.",
    "bg": "Децата отидоха на пазара и купиха хляб и сирене.",
    "bn": "ছেলেরা বাজারে গিয়ে রুটি আর কলা কিনেছে।",
    "de": "Die Kinder gingen auf den Markt und kauften Brot.",
    "en": "The children went to the market and bought bread.",
    "fa": "بچه‌ها به بازار رفتند و نان و پنیر خریدند.",
    "fi": "Lapset menivät torille ja ostivat leipää ja juustoa.",
    "fr": "Les enfants sont allés au marché acheter du pain.",
    "gu": "બાળકો બજારમાં ગયા અને રોટલી ખરીદી.",
    "hi": "बच्चे बाज़ार गए और उन्होंने रोटी और केले ख़रीदे।",
    "it": "I bambini sono andati al mercato a comprare il pane.",
    "ja": "子どもたちは市場へ行ってパンを買いました。",
    "kn": "ಮಕ್ಕಳು ಮಾರುಕಟ್ಟೆಗೆ ಹೋಗಿ ರೊಟ್ಟಿ ಖರೀದಿಸಿದರು.",
    "ko": "아이들은 시장에 가서 빵과 사과를 샀습니다.",
    "mr": "मुले बाजारात गेली आणि त्यांनी भाकरी विकत घेतली.",
    "pa": "ਬੱਚੇ ਬਾਜ਼ਾਰ ਗਏ ਅਤੇ ਉਨ੍ਹਾਂ ਨੇ ਰੋਟੀ ਖਰੀਦੀ।",
    "pt": "As crianças foram ao mercado e compraram pão.",
    "ru": "Дети пошли на рынок и купили хлеб и сыр.",
    "sw": "Watoto walikwenda sokoni wakanunua mkate na ndizi.",
    "ta": "குழந்தைகள் சந்தைக்குச் சென்று ரொட்டி வாங்கினர்.",
    "te": "పిల్లలు మార్కెట్‌కు వెళ్లి రొట్టె కొన్నారు.",
    "th": "เด็กๆ ไปตลาดและซื้อขนมปังกับกล้วย",
    "ur": "بچے بازار گئے اور انہوں نے روٹی اور کیلے خریدے۔",
    "vi": "Bọn trẻ đi chợ và mua bánh mì với chuối.",
    "zh-cn": "孩子们去市场买了面包和香蕉。",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_in_its_language_and_in_no_other(language):
    text = LANGUAGES[language]
    taken_for = {other for other in LANGUAGES if follows("language:response_language", text, language=other)}
    assert taken_for == {language}
    assert follows("language:response_language", text.upper(), language=language)
