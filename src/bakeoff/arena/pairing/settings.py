"""What an arena declares about which pairs it shows."""

from typing import Literal, Self

from pydantic import Field, model_validator

from bakeoff.digest import digest
from bakeoff.task.spec import Spec, mistake

RuleName = Literal["variance-reduction@1", "win-matrix@1", "uniform@1"]
"""A rule and its version: one that would draw otherwise by the same votes has a higher version."""


class PairingSettings(Spec):
    """The rule, and what it owes to every model, whoever made it.

    The fair share of a model is what it would have if all pairs that may meet were shown alike. Whatever the
    rule prefers, each pair that may meet is drawn with at least `floor` times the probability that would then
    be its own, and each model shown `least` to `most` times its fair share. A newcomer, a model with fewer
    than `newcomer_votes` votes, at least `newcomer_share` times its fair share, as far as newcomers
    together are then owed no more than a quarter of all appearances. Where private models leave few pairs,
    shares are as near to that as these allow. To stay below the factor at which a policy warns of unequal
    sampling, choose `most` below it.

    `private_meet` says whether two variants that are not public may meet. `prior` is the standard deviation,
    in natural log-odds, of the strengths that are thought likely before there are votes: it is for the choice
    of pairs alone, no score has one. Probabilities are computed anew after `every` votes.
    """

    rule: RuleName = "variance-reduction@1"
    floor: float = Field(default=0.2, gt=0, le=0.5)
    least: float = Field(default=0.5, ge=0, le=0.5)
    most: float = Field(default=2.5, gt=1, allow_inf_nan=False)
    newcomer_votes: int = Field(default=500, ge=0)
    newcomer_share: float = Field(default=1.5, ge=1, allow_inf_nan=False)
    private_meet: bool = False
    prior: float = Field(default=1.0, gt=0, le=10)
    every: int = Field(default=50, ge=1)

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        if self.newcomer_share >= self.most:
            raise mistake(
                f"is {self.newcomer_share:g}, and no share is above most, {self.most:g}",
                "raise most, or lower newcomer_share",
                at=("newcomer_share",),
            )
        return self

    @property
    def digest(self) -> str:
        """Names the settings."""
        return digest(self.model_dump(mode="json"))
