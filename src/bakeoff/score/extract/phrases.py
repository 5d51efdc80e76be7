"""How people announce an answer, by language. Data: regular expressions without groups, matched without case.

To teach another language, add an entry; every word is optional. Write apostrophes as `'`, quotes as `"` and
colons as `:`, as `characters.plain` leaves them.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language.

    `answer`: nouns that mean the answer. `is_`: what links the noun to it. `option`: words that may stand
    before a label. `choose`: verbs that announce a label by themselves. `correct`: what follows a label that
    is the answer. `because`: words that follow a lone capital A which is a label, not an article.
    `or_`: words between two labels. `about`: words that may stand between the noun and a number. `spaced`
    says whether words are separated by spaces; without, they may begin and end anywhere: 所以答案是B.
    """

    answer: str
    is_: str = ""
    option: str = ""
    choose: str = ""
    correct: str = ""
    because: str = ""
    or_: str = ""
    about: str = ""
    spaced: bool = True


PHRASES: Mapping[str, Phrases] = {
    "en": Phrases(
        answer=r"answers?|ans|(?:correct|right|best|final|chosen|appropriate|my)\s(?:option|choice|letter|statement)"
        r"|solution|result",
        is_=r"is\snot\s\S{1,4}\s(?:but(?:\srather)?|it\sis|it's)|is|would\sbe|should\sbe|must\sbe|has\sto\sbe|will\sbe|was|equals",
        option=r"the|option|choice|letter|answer|most|likely|probably|therefore|thus|clearly|simply|indeed|then",
        choose=r"(?:i|i'd|i'll|i\swould|i\swill|we|let's|let\sme|must|should)\s(?:\w{1,10}\s)?"
        r"(?:choose|pick|select|go\swith|opt\sfor)|my\schoice\sis|i\sam\sgoing\swith",
        correct=r"(?:is|would\sbe|must\sbe|seems|appears)\s(?:to\sbe\s)?(?:therefore\s|thus\s|clearly\s|indeed\s|likely\s"
        r"|probably\s)?(?:(?:the\s)?(?:only\s|most\s)?(?:correct|right|best|accurate|likely|appropriate)|the\sanswer)",
        because=r"because|since|as|is|which|due|given|for|but|with|based|so|option|here|although|and|or|if|by|from",
        or_=r"and|or|and/or|&|nor",
        about=r"about|around|approximately|roughly|exactly|only|just|simply|approx\.?|therefore|thus|then|equal\sto"
        r"|a\stotal\sof|the\snumber|usd|us|chf|eur|gbp|inr|rs\.?|r(?=\$)",
    ),
    "de": Phrases(
        answer=r"antwort(?:option|möglichkeit)?|lösung|endergebnis|ergebnis|(?:richtige|korrekte)\soption",
        is_=r"ist|lautet|wäre|beträgt|muss|heißt",
        option=r"die|der|das|option|antwort|buchstabe|möglichkeit|also|somit|daher|wohl|demnach",
        choose=r"ich\s(?:wähle|nehme|entscheide\smich\sfür)|wähle\sich",
        correct=r"(?:ist|wäre)\s(?:somit\s|daher\s|also\s)?(?:die\s)?(?:einzig\s)?(?:richtig|korrekt|beste)\w{0,2}",
        because=r"weil|da|denn|ist|mit|wegen|aufgrund|und|oder|aber|sein",
        or_=r"und|oder|sowie|bzw\.?",
        about=r"etwa|ungefähr|rund|circa|ca\.?|genau|insgesamt|nur|also|somit|daher",
    ),
    "fr": Phrases(
        answer=r"réponse(?:\s(?:correcte|finale|exacte))?|reponse|solution|résultat|(?:bonne|meilleure)\soption",
        is_=r"est|serait|sera|doit\sêtre|vaut",
        option=r"la|le|l'option|l'affirmation|lettre|option|réponse|choix|proposition|donc|bien|ainsi",
        choose=r"je\s(?:choisis|sélectionne|prends|choisirais)|j'opte\spour",
        correct=r"est\s(?:donc\s|bien\s)?(?:la\s|le\s)?(?:seule\s|bonne\s|plus\s)?"
        r"(?:correcte?|bonne|exacte?|juste|réponse|appropriée?)",
        because=r"car|parce|puisque|est|avec|et|ou|mais|étant",
        or_=r"et|ou",
        about=r"environ|exactement|donc|de|d'environ|égale?\sà|seulement|à\speu\sprès",
    ),
    "es": Phrases(
        answer=r"respuesta(?:\s(?:correcta|final))?|solución|resultado|(?:opción|alternativa)\scorrecta",
        is_=r"es|sería|será|debe\sser",
        option=r"la|el|letra|opción|respuesta|alternativa|entonces|por\slo\stanto",
        choose=r"(?:yo\s)?(?:elijo|escojo|selecciono|elegiría)",
        correct=r"es\s(?:por\slo\stanto\s)?(?:la\s|el\s)?(?:única\s|más\s|mejor\s)?"
        r"(?:correct[ao]|respuesta|adecuad[ao]|opción)",
        because=r"porque|ya|pues|es|con|y|o|pero|debido|dado",
        or_=r"y|o|u|e",
        about=r"aproximadamente|unos|unas|exactamente|de|igual\sa|solo|cerca\sde",
    ),
    "it": Phrases(
        answer=r"risposta(?:\s(?:corretta|giusta|finale|esatta))?|soluzione|risultato|opzione\scorretta",
        is_=r"è|sarebbe|sarà|deve\sessere",
        option=r"la|il|lettera|opzione|risposta|quindi|dunque",
        choose=r"(?:io\s)?(?:scelgo|seleziono|sceglierei)",
        correct=r"è\s(?:quindi\s)?(?:la\s|quella\s)?(?:più\s)?(?:corretta|giusta|esatta|risposta)",
        because=r"perché|poiché|dato|in|e|o|ma",
        or_=r"e|o|oppure",
        about=r"circa|esattamente|di|pari\sa|quindi",
    ),
    "pt": Phrases(
        answer=r"resposta(?:\s(?:correta|certa|final))?|solução|resultado|(?:opção|alternativa)\scorreta",
        is_=r"é|seria|será|deve\sser",
        option=r"a|o|letra|opção|resposta|alternativa|portanto",
        choose=r"(?:eu\s)?(?:escolho|seleciono|escolheria)",
        correct=r"é\s(?:portanto\s)?(?:a\s)?(?:mais\s)?(?:correta|certa|resposta)",
        because=r"porque|pois|já|e|ou|mas|devido",
        or_=r"e|ou",
        about=r"cerca\sde|aproximadamente|exatamente|de|igual\sa|portanto",
    ),
    "nl": Phrases(
        answer=r"antwoord",
        is_=r"is|luidt",
        option=r"optie|antwoord|letter|dus",
        correct=r"is\s(?:dus\s)?(?:het\s)?(?:juiste?|correcte?|goede?)",
        because=r"omdat|want|is|en|of",
        or_=r"en|of",
        about=r"ongeveer|precies|dus|circa",
    ),
    "ru": Phrases(
        answer=r"(?:правильный\s)?ответ(?:ом)?",
        is_=r"это|является|будет|-|—",
        option=r"это|вариант|буква|под",
        choose=r"я\sвыбираю|выбираю",
        correct=r"(?:является\s)?(?:-|—)?\s?(?:правильн|верн)\w{2,3}",
        because=r"потому|так|поскольку|и|или|но",
        or_=r"и|или",
        about=r"примерно|около|ровно|равен|всего",
    ),
    "zh": Phrases(
        spaced=False,
        answer=r"(?:正确|最终|最佳|正確|最終)?(?:的)?(?:答案|选项|選項)(?:应该|應該|应)?|因此选|所以选|故选|應選|应选",
        is_=r"是|\]|为|為|选|選|即|等于|就是|选择|選擇",
        option=r"选项|選項|选|選|第|字母|选择|選擇|应该|是|为",
        choose=r"(?:我)?(?:选择|選擇|选|選)(?:了)?",
        correct=r"(?:选项|選項)?(?:才)?(?:是|为)?(?:正确|正確|对的|對的)(?:的|答案)?",
        because=r"因为|因為|选项|項",
        or_=r"和|或|与|及|、|與|或者",
        about=r"大约|约|大約|約|共|一共|总共",
    ),
    "ja": Phrases(
        spaced=False,
        answer=r"(?:正しい|最終的な)?(?:答え|答|解答|回答|正解|正答|選択肢)(?:として)?",
        is_=r"は|が|、",
        option=r"選択肢|記号|の|おそらく|約",
        choose=r"選択する|選ぶ",
        correct=r"が(?:最も)?(?:正しい|正解|適切|答え)",
        because=r"なぜ|です|の|が|である|だ|を|となり",
        or_=r"と|または|か|及び|、",
        about=r"約|およそ|ちょうど|合計|合計で",
    ),
    "ko": Phrases(
        spaced=False,
        answer=r"(?:정답|답)",
        is_=r"은|는|이",
        option=r"선택지|보기|번",
        correct=r"(?:이|가)\s?(?:정답|맞)",
        because=r"입니다|이다",
        or_=r"와|과|또는",
        about=r"약|대략",
    ),
}


def words(part: str) -> str:
    """The expressions of all languages for one part (`answer`, `is_`, …): one alternation of whole words."""
    return "|".join(_bounded(phrases, part) for phrases in PHRASES.values() if getattr(phrases, part))


def _bounded(phrases: Phrases, part: str) -> str:
    expression = f"(?:{getattr(phrases, part)})"
    return f"(?<!{_LETTER}){expression}(?!{_LETTER})" if phrases.spaced else expression


def _announcement(phrases: Phrases) -> str:
    noun = f"(?:{phrases.answer})" + (f"(?!{_LETTER})" if phrases.spaced else "")
    link = _bounded(phrases, "is_")
    return rf"{noun}[\s\"'*]{{0,4}}(?:[^\n.:=#]{{0,60}}?{link}|[^\n.:=#]{{0,40}}?(?::|=|->|→)|-\s)"


def _announcements(*, spaced: bool) -> str:
    return "|".join(_announcement(phrases) for phrases in PHRASES.values() if phrases.spaced is spaced)


_LETTER = r"[A-Za-zÀ-ɏ\u0370-\u04ff]"
# What a noun can begin with is asked once, not for each language: a search is three times as fast.
ANNOUNCEMENT = "|".join(
    (
        rf"(?<!{_LETTER})(?={_LETTER})(?:{_announcements(spaced=True)})",
        rf"(?![\x00-\x7f])(?:{_announcements(spaced=False)})",
        r"^[ \t]{0,4}(?:A|R|答)\s?:",
    )
)
"""Up to where the answer should stand: "The correct answer to this question is", "Réponse :", "A:".
To be compiled with IGNORECASE and MULTILINE."""
