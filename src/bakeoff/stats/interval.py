"""What an interval is."""

from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided interval. `low` and `high` are in the unit of the estimate, `level` is the confidence
    (0.95, say), and `method` names how it was made.
    """

    low: float
    high: float
    level: float
    method: str


def normal_quantile(level: float) -> float:
    """The z that holds `level` of a standard normal between -z and z: 1.959964 for 0.95.

    Raises:
        ValueError: level outside (0, 1).
    """
    check_level(level)
    return NormalDist().inv_cdf(0.5 + level / 2)


def t_quantile(level: float, df: float) -> float:
    """The t that holds `level` of Student's t with `df` degrees of freedom between -t and t.

    Raises:
        ValueError: level outside (0, 1), or df not above 0.
    """
    check_level(level)
    if not df > 0:
        raise ValueError(f"degrees of freedom must be above 0, got {df}")
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.5 + level / 2))


def check_level(level: float) -> None:
    """Refuse a confidence level that is not a share: 95 where 0.95 was meant.

    Raises:
        ValueError: level outside (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1 (0.95, say), got {level}")
