"""How the answer as a whole begins, ends, is put together and is written."""

from bakeoff.score.instructions.counting import Relation, holds
from bakeoff.score.instructions.language import is_in_language
from bakeoff.score.instructions.words import treebank_tokens


def two_responses(text: str) -> bool:
    """Two different answers, with `******` between them."""
    parts = [part.strip() for part in text.split("******")]
    answers = [part for part in parts if part]
    return all(parts[1:-1]) and len(answers) == 2 and answers[0] != answers[1]


def repeat_prompt(text: str, *, prompt_to_repeat: str) -> bool:
    """It begins with the request. Case does not matter."""
    return text.strip().lower().startswith(prompt_to_repeat.strip().lower())


def end_checker(text: str, *, end_phrase: str) -> bool:
    """It ends with the phrase, but for quotation marks. Case does not matter."""
    return text.strip().strip('"').lower().endswith(end_phrase.strip().lower())


def quotation(text: str) -> bool:
    """It stands in double quotation marks."""
    text = text.strip()
    return len(text) > 1 and text[0] == text[-1] == '"'


def no_comma(text: str) -> bool:
    """No comma."""
    return "," not in text


def response_language(text: str, *, language: str) -> bool:
    """It is in the language."""
    return is_in_language(text, language)


def english_capital(text: str) -> bool:
    """English, without a small letter."""
    return text.isupper() and is_in_language(text, "en")


def english_lowercase(text: str) -> bool:
    """English, without a capital letter."""
    return text.islower() and is_in_language(text, "en")


def capital_word_frequency(text: str, *, capital_frequency: int, capital_relation: Relation) -> bool:
    """So many words in capitals; "I" is one, and "DON'T" is two."""
    return holds(
        sum(1 for token in treebank_tokens(text) if token.isupper()), capital_relation, capital_frequency
    )
