"""The policy of an arena: what holds for every provider and every licence, stated before it is applied."""

from pathlib import Path

from pydantic import Field, ValidationError

from bakeoff.digest import digest
from bakeoff.errors import TaskError
from bakeoff.task.spec import Spec, mistakes
from bakeoff.task.task import Name
from bakeoff.task.yaml_file import read_yaml


class Preliminary(Spec):
    """A row is no more than provisional until it has so many fresh votes, and a 95 % interval of its score
    that is no wider than so many points. Fresh are the votes of days after the one of its release: the votes
    by which a variant was chosen among others speak too well of it.
    """

    fresh_votes: int = Field(default=2_000, ge=1)
    width: float = Field(default=30.0, gt=0, allow_inf_nan=False)


class Sampling(Spec):
    """A warning stands where a model, a provider or a licence class is shown `factor` times as often as is
    its fair share, or less often by that factor; from so many appearances on that would be fair.
    """

    factor: float = Field(default=3.0, gt=1, allow_inf_nan=False)
    appearances: int = Field(default=500, ge=1)


class Inactivity(Spec):
    """With fewer than `votes` votes in the last `days` whole days a public row is inactive, whatever its
    licence.
    """

    votes: int = Field(default=100, ge=1)
    days: int = Field(default=30, ge=1)


class Releases(Spec):
    """Votes are given out `delay_days` after they were cast, at the same `share` (0 to 1) for everyone; what
    one provider was given all others have within `even_days`.
    """

    delay_days: int = Field(default=30, ge=0)
    share: float = Field(default=0.2, ge=0, le=1)
    even_days: int = Field(default=7, ge=0)


RETIREMENT = {
    "superseded": "its provider offers a newer version in its place, and asked for it",
    "unavailable": "it cannot be run any more: its provider has turned it off, or its weights are gone",
    "identity": "the model is not the one that was registered",
    "conduct": "votes on it were gamed",
}


class Policy(Spec):
    """The rules of the arena `name`. A change of any needs a higher `version`: what happened before is held
    to the rules of then.

    `private_variants` of one provider may be under test at the same time without being public. `retirement`
    are the rules, by name, under which a row can be retired; there are no others. Not among the choices:
    every variant is registered before it is shown, no row ever goes, and every entry of the log stays.
    """

    name: Name
    version: int = Field(default=1, ge=1)
    private_variants: int = Field(default=3, ge=0)
    preliminary: Preliminary = Preliminary()
    sampling: Sampling = Sampling()
    inactivity: Inactivity = Inactivity()
    releases: Releases = Releases()
    retirement: dict[Name, str] = Field(default_factory=lambda: dict(RETIREMENT))

    @property
    def digest(self) -> str:
        """Names the rules."""
        return digest(self.model_dump(mode="json"))


def load_policy(path: Path) -> Policy:
    """The policy in a YAML file.

    Raises:
        TaskError: it cannot be read, or there are mistakes in it, each with its line and field.
    """
    values, origin = read_yaml(
        path,
        what="a policy holds `key: value` lines, starting with `name`, that of the arena",
        hint="`name: chat` alone is one: all else has defaults",
    )
    try:
        return Policy.model_validate(values)
    except ValidationError as error:
        raise origin.error(mistakes(error), str(path)) from None


def parse_policy(values: object) -> Policy | None:
    """The policy that an entry of the log holds; None where it holds none."""
    try:
        return Policy.model_validate(values)
    except (ValidationError, TaskError):
        return None
