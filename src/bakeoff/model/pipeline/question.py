"""What a pipeline is asked."""

from dataclasses import dataclass

from bakeoff.nouns import Failure, FailureKind, Generate


@dataclass(frozen=True, slots=True)
class Question:
    """A request as a pipeline gets it: the last message of the user, the whole conversation as mappings of
    role and content, and the id of the item."""

    question: str
    messages: list[dict[str, str]]
    item_id: str


def question_of(request: Generate) -> Question | Failure:
    """The question of a request; a failure where it has images, or holds the answer to a constraint."""
    if request.generation.constraint is not None:
        return Failure(FailureKind.UNSUPPORTED, "a pipeline's answer cannot be held to a constraint")
    item_id = request.key.rpartition("#")[0] or request.key
    if isinstance(request.input, str):
        return Question(request.input, [{"role": "user", "content": request.input}], item_id)
    if any(message.has_images for message in request.input):
        return Failure(FailureKind.UNSUPPORTED, "a pipeline takes no images")
    asked = [message.text for message in request.input if message.role == "user"]
    messages = [{"role": message.role, "content": message.text} for message in request.input]
    return Question(asked[-1] if asked else "", messages, item_id)
