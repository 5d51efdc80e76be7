"""Declining in words."""

import re
from functools import cache

_HOW_FAR = 300
"""A refusal is said at the beginning of an answer; later, the same words are often part of one."""

# By language. Anchored near the beginning; each names the inability or the unwillingness of the speaker.
_CANNOT = r"(?:can't|cannot|can not|won't|will not|am unable to|am not able to)"
_SERVE = (
    r"(?:help|assist|answer|provide|fulfil|comply|create|write|generate|discuss|do that|support|offer|engage"
    r"|share|continue|participate)"
)
_REFUSALS = (
    # English
    r"\bi(?:'m| am)(?: (?:really|very|so))? sorry,? (?:but )?(?:i |we |that |this )(?:\w+ ){0,2}?"
    r"(?:can't|cannot|can not|won't|am not able|am unable|'m unable|'m not able|isn't something)",
    r"\bi(?:'m| am)(?: (?:really|very|so))? sorry,? but i(?:'m| am) (?:not able|unable)",
    rf"\b(?:sorry|apologi[sz]e|apologies|unfortunately)\b[^.\n]{{0,60}}\b(?:i|we) {_CANNOT} {_SERVE}",
    rf"^\W{{0,3}}i {_CANNOT} (?:\w+ )?{_SERVE}",
    rf"\bi(?:'m| am) (?:unable|not able) to (?:\w+ )?{_SERVE}",
    r"\bi (?:must|have to|need to) (?:\w+ )?(?:decline|refuse)\b",
    r"\bas an? (?:\w+ ){0,2}(?:ai|language model)\b[^.\n]{0,80}"
    r"\b(?:can't|cannot|can not|unable|not able|won't|don't feel)",
    r"\bi (?:decline|refuse) to\b",
    # German
    r"\btut mir (?:sehr )?leid\b[^.\n]{0,60}\b(?:kann|darf|werde|möchte)\b[^.\n]{0,60}\bnicht\b",
    r"\b(?:ich kann|kann ich|ich darf|darf ich|ich werde) (?:\w+ ){0,4}?(?:nicht|keine) (?:\w+ ){0,5}?"
    r"(?:helfen|beantworten|weiterhelfen|unterstützen|erfüllen|geben|bereitstellen|erstellen)",
    # French
    r"\b(?:désolée?|regrette|navrée?|excuse)\b[^.\n]{0,60}\bje ne (?:peux|puis|suis)\b"
    r"[^.\n]{0,30}(?:pas|\baider|\bmesure)",
    r"\bje ne (?:peux|puis) (?:pas|malheureusement pas) (?:\w+ ){0,3}?"
    r"(?:aider|répondre|fournir|accéder|satisfaire|donner|créer)",
    r"\bje ne suis pas en mesure de\b",
    # Spanish
    r"\b(?:lo siento|lamento|disculpa|perdón)\b[^.\n]{0,60}\bno puedo\b",
    r"\bno puedo (?:\w+ ){0,3}?"
    r"(?:ayudar|responder|proporcionar|cumplir|ofrecer|crear|ayudarte|ayudarle|asistir)",
    # Chinese
    r"(?:抱歉|对不起|對不起|很遗憾|不好意思)[^。\n]{0,40}(?:不能|无法|無法|不会|不會|不便)",
    r"(?:我|本人)(?:不能|无法|無法)(?:\w{0,4})(?:回答|提供|协助|協助|帮助|幫助|满足|生成)",
    # Japanese
    r"(?:申し訳|すみません|恐れ入り|残念)[^。\n]{0,60}(?:できません|できかね|お答えでき|いたしかね|ません)",
    r"(?:お答え|回答|お手伝い|提供|対応)(?:する)?(?:こと)?(?:は|が)?(?:できません|できかねます|いたしかねます)",
    # Italian, Portuguese
    r"\b(?:mi dispiace|spiacente)\b[^.\n]{0,60}\bnon (?:posso|sono in grado)\b",
    r"\b(?:desculpe|sinto muito|lamento)\b[^.\n]{0,60}\bnão (?:posso|consigo)\b",
)
_QUOTES = str.maketrans("’‘ʼ", "'''")


def refusal_phrase(text: str) -> str | None:
    """The words by which an answer declines, or None. Only its first 300 characters are read.

    Six languages and a little of two more. To be asked only where no answer was extracted: a model may say
    that it cannot help with one thing and then answer.
    """
    found = _refusal().search(text.strip()[:_HOW_FAR].translate(_QUOTES))
    return None if found is None else found.group()[:100]


@cache
def _refusal() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _REFUSALS), re.IGNORECASE)
