"""Prompts that ask who answers."""

import re
from typing import ClassVar, Literal

from bakeoff.arena.moderation.filter import ALLOWED, Verdict
from bakeoff.arena.votes.pseudonym import normal
from bakeoff.task.spec import Spec

TAG = "identity-probe"
_MODEL = r"(?:(?:ai|language|large language|chat|llm) )?(?:model|llm|chatbot|assistant|ai|bot)"
_MAKER = r"(?:made|built|created|trained|developed|programmed|designed|owns|behind|runs)"
_PROBES = (
    # English
    r"who(?: exactly)? are (?:you|u)\b(?! (?:going|talking|to|in|rooting|supporting)\b)",
    rf"(?:what|which) (?:exact |kind of |version of |type of )?(?:{_MODEL}|company|lab|gpt|version)"
    r" (?:are|r|made) (?:you|u)\b",
    rf"(?:what|which) {_MODEL} is (?:this|answering|behind this)\b",
    r"what(?:'s| is) your (?:real |true |actual |model )?"
    r"(?:name|version|identity|model|knowledge cutoff|cutoff)\b",
    rf"who (?:{_MAKER}) (?:you|u)\b|(?:which|what) (?:company|lab|organi[sz]ation) (?:{_MAKER}) (?:you|u)\b",
    r"are (?:you|u) (?:really |actually )?(?:chat ?gpt|gpt|claude|gemini|bard|llama|mistral|mixtral|qwen"
    r"|deepseek|grok|phi|gemma|command r|copilot|smollm)\b",
    r"(?:tell me|reveal|state|say|name|print|repeat|show)(?: me)? your (?:real |model )?"
    r"(?:name|identity|model|version|system prompt)\b",
    r"(?:reveal|identify) yourself\b|introduce yourself\b",
    # German, French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese
    r"wer (?:bist du|sind sie)\b|welches? (?:ki[- ]?|sprach)?modell bist du\b|wie hei(?:ß|ss)t du\b",
    r"wer hat dich (?:gemacht|gebaut|entwickelt|erschaffen|trainiert|programmiert)\b",
    r"qui es[- ]tu\b|qui êtes[- ]vous\b|quel modèle (?:es|êtes)\b|comment (?:t'appelles|tu t'appelles)\b"
    r"|qui t'a (?:créé|fait|entraîné)\b",
    r"(?:quién|quien) eres\b|(?:qué|que) modelo eres\b|cómo te llamas\b"
    r"|(?:quién|quien) te (?:creó|hizo|entrenó)\b",
    r"chi sei\b|che modello sei\b|come ti chiami\b|quem (?:é você|és tu)\b|qual modelo (?:é você|você é)\b",
    r"кто ты\b|какая ты модель\b|как тебя зовут\b|кто тебя (?:создал|сделал|обучил)\b",
    r"你是谁|你是什么模型|你是哪个模型|你叫什么|谁(?:创造|开发|训练)了你|あなたは誰|あなたは何のモデル|お名前は何",
)
_PROBE = re.compile(rf"(?<!\w)(?:{'|'.join(_PROBES)})")
_ALL_OF_IT = 400
"""Characters: a long prompt that asks this has another question, too, and may be a story's dialogue."""


class Probing(Spec):
    """Tags `identity-probe` where a prompt asks which model answers, and refuses nothing.

    Votes on such prompts are not blind for long: the filter `tag` of cleaning sets them aside. A prompt of
    more than 400 characters is not looked at.
    """

    name: ClassVar[str] = TAG
    version: ClassVar[int] = 1
    filter: Literal["identity-probe"] = "identity-probe"

    async def judge(self, prompt: str) -> Verdict:
        """Takes every prompt."""
        if len(prompt) > _ALL_OF_IT:
            return ALLOWED
        found = _PROBE.search(normal(prompt).replace("’", "'"))
        return Verdict(allowed=True, tags=(TAG,)) if found else ALLOWED
