"""What a scorer is."""

from typing import Literal, Protocol

from bakeoff.nouns import Item, Response, Score

Ask = Literal["generate", "loglikelihood", "perplexity"]


class Scorer(Protocol):
    """Judges one response to one item.

    A scorer never raises for bad model output: that is an outcome. It raises `TaskError` for a bad task
    (a gold answer it cannot read, say). `item.choices` and `item.target` are as shown to the model. One with
    `blocking = True` may take long over an answer, and is called in a thread.
    """

    @property
    def id(self) -> str:
        """`name@version`, with the options that move a score: `loglikelihood@1(norm=chars)`."""
        ...

    @property
    def asks(self) -> Ask:
        """The kind of request whose responses it judges."""
        ...

    def __call__(self, item: Item, response: Response) -> Score: ...
