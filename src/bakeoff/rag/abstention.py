"""Saying that the answer is not there: by rule, with the words that decided."""

import re
from functools import cache

from bakeoff.score.extract.sentence import sentences

_LONGEST = 60
"""Words behind the first sentence. What goes on for longer is an answer, whatever it began with."""
_SOURCE = (
    r"(?:context|passages?|documents?|documentation|texts?|information|sources?|articles?|excerpts?|materials?"
    r"|content|knowledge base|search results|guides?|pages?)"
)
_NOT = r"(?:does not|do not|doesn't|don't|did not|didn't|fails? to)"
_CANNOT = (
    r"(?:cannot|can't|can not|could not|couldn't|(?:am|was) (?:unable|not able) to|'m (?:unable|not able) to)"
)
# Looked for in the first sentence, without case, quotes straight. One more is a line here and its case in
# tests/rag/abstentions.jsonl.
_ABSTAINS = (
    # English
    r"\bi (?:do not|don't) (?:\w+ )?(?:know|have (?:\w+ ){0,2}?information)\b",
    r"\bi(?:'m| am) not (?:\w+ )?(?:sure|certain|aware)\b",
    r"\bi have no (?:idea|information)\b",
    rf"\b(?:not|nowhere|never|isn't|aren't|wasn't|weren't)(?: \w+){{0,3}}? (?:in|by|within|from) "
    rf"(?:any of )?(?:the|this|these|those|your|my)(?: \w+){{0,3}}? {_SOURCE}\b",
    rf"\b{_SOURCE}(?: \w+){{0,4}}? {_NOT}(?: \w+)? (?:mention|say|state|contain|provide|specify|include|give"
    r"|answer|cover|discuss|describe|address|indicate|tell|have|explain|name)\b",
    r"\b(?:there is|there's|there are|i have|i found|i see|we have) (?:no|not enough|insufficient) "
    r"(?:\w+ ){0,2}?(?:information|mention|answer|details?|data|evidence|indication)\b",
    r"\b(?:no|not enough|insufficient) (?:\w+ ){0,2}?(?:information|mention|answer|details?)\b[^.\n]{0,60}"
    rf"\b(?:in|from|by) (?:the|this|these)(?: \w+){{0,3}}? {_SOURCE}\b",
    r"\b(?:not enough|insufficient) information\b",
    rf"\bi ?{_CANNOT} (?:\w+ )?(?:find|determine|locate|tell from)\b",
    rf"\bi ?{_CANNOT} (?:\w+ )?(?:answer|say|tell)\b[^.\n]{{0,60}}\b(?:based on|from|given|with|using) "
    rf"(?:only )?(?:the|this|these)(?: \w+){{0,3}}? {_SOURCE}\b",
    r"\b(?:cannot|can't|can not|could not|couldn't) be (?:\w+ )?(?:answered|determined|found|known)\b",
    r"\b(?:un|not )answerable\b",
    r"\A\W*(?:unknown|n/?a|none|no answer|not (?:known|available|given|stated|mentioned|specified|found"
    r"|provided))\W*\Z",
    # German
    r"\bich wei(?:ß|ss) (?:es |das )?(?:leider )?nicht\b|\bdas wei(?:ß|ss) ich (?:leider )?nicht\b",
    r"\bnicht(?: \w+){0,2}? (?:im|in den|in der|in diesen|in diesem|aus dem|aus den)(?: \w+){0,2}? "
    r"(?:kontext|text|dokument\w*|unterlagen|passagen|quellen|auszug|auszügen)\b",
    r"\b(?:kontext|text|dokumente?|unterlagen|passagen|quellen|auszüge?)\b[^.\n]{0,60}\b(?:nicht|kein\w{0,2})\b",
    r"\b(?:keine|nicht genügend) (?:informationen|angaben|hinweise)\b",
    r"\blässt sich (?:\w+ ){0,5}?nicht (?:\w+ )?(?:beantworten|bestimmen|sagen)\b",
    # French, Spanish, Italian
    r"\bje ne (?:le )?sais pas\b",
    r"\b(?:contexte|textes?|documents?|passages?)\b[^.\n]{0,60}\bne (?:\w+ ){1,2}pas\b",
    r"\b(?:pas (?:assez )?d'|aucune )informations?\b",
    r"\bno lo s[eé]\b",
    r"\b(?:contexto|textos?|documentos?|pasajes?)\b[^.\n]{0,60}\bno (?:menciona|dice|contiene|indica"
    r"|especifica|proporciona)n?\b",
    r"\bno hay (?:suficiente )?informaci[oó]n\b",
    r"\bnon (?:lo )?so\b",
    r"\b(?:contesto|test[oi]|document[oi]|passagg[io])\b[^.\n]{0,60}\bnon (?:menziona|dice|contiene|indica"
    r"|specifica|fornisce)\b",
)
# Then it answers all the same, unless it only offers help.
_GOES_ON = re.compile(
    r"\b(?:but|however|that said|nevertheless|nonetheless|still|yet|aber|jedoch|allerdings|mais|cependant"
    r"|toutefois|pero|sin embargo|tuttavia)\b,? "
    r"(?!(?:\w+ ){0,2}?(?:i can|i could|i'd|i would|i will|i'll|i'm happy|i am happy|you can|you could"
    r"|you may|you might|please|feel free|let me know|if you)\b)",
    re.IGNORECASE,
)
_QUOTES = str.maketrans("’‘ʼ", "'''")


def abstention(text: str) -> str | None:
    """The words by which an answer says that it has none; None where it has one.

    They stand in its first sentence; "…, but", "However, it …" behind them, or more than 60 words, make it an
    answer, an offer of help does not. English, with some German, French, Spanish and Italian.
    """
    straight = " ".join(text.translate(_QUOTES).split(" "))
    first = next(iter(sentences(straight)), "")
    found = _abstains().search(first)
    if found is None:
        return None
    _, _, rest = straight.partition(first)
    behind = f"{first[found.end() :]} {rest}"
    if _GOES_ON.search(behind) or len(rest.split()) > _LONGEST:
        return None
    return " ".join(found.group().split())[:100]


@cache
def _abstains() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _ABSTAINS), re.IGNORECASE)
