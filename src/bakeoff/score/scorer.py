"""What a scorer is."""

from typing import Literal, Protocol, runtime_checkable

from bakeoff.nouns import Item, Response, Score

Ask = Literal["generate", "loglikelihood", "perplexity"]


class Scorer(Protocol):
    """Judges one response to one item.

    A scorer never raises for bad model output: that is an outcome. It raises `TaskError` for a bad task
    (a gold answer it cannot read, say). `item.choices` and `item.target` are as shown to the model. One with
    `blocking = True` may take long over an answer, and is called in a thread. For one with
    `judges_refusals = True`, to decline is a behaviour, not a missing answer: it is given refusals too. One
    with `reads_opinions = True` reads what its model says of somebody else's answer: without a readable
    opinion there is no value, whatever the reason (`scorer_error`). One with
    `reads_passages = True` judges what a pipeline retrieved, however it answered.
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


@runtime_checkable
class Executing(Scorer, Protocol):
    """A scorer that runs answers: its verdicts hang on this machine as much as on the answer.

    Before it judges a model, every item must show that its own reference is right here and that an answer
    that does nothing is not. Raises `BrokenItemError` for an item whose reference or tests fail.
    """

    def place(self) -> str:
        """Where answers run, with versions. Raises `BakeoffError` where they cannot run."""
        ...

    def reference(self, item: Item) -> str | None:
        """The item's own solution, written as an answer; None where it has none."""
        ...

    def idle(self) -> str:
        """An answer of the right form that does nothing."""
        ...


@runtime_checkable
class Repairing(Scorer, Protocol):
    """A scorer that has an answer it cannot read written once more, in a second turn that is recorded."""

    def repair(self, item: Item, response: Response) -> str | None:
        """What to tell the model about its answer; None where it can be read, or is not to be repaired."""
