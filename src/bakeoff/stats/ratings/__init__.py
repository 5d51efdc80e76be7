"""Ratings from votes between pairs of models, and what the votes cannot say."""

from bakeoff.stats.ratings.battles import Battles, Pairs, pairs_of
from bakeoff.stats.ratings.bradley_terry import bradley_terry
from bakeoff.stats.ratings.clustered import clustered
from bakeoff.stats.ratings.fit import Fit
from bakeoff.stats.ratings.rank import rank_ranges
from bakeoff.stats.ratings.scale import Anchor, difference_interval, score_intervals, scores
from bakeoff.stats.ratings.standing import Standing, standing
from bakeoff.stats.ratings.style import StyleFit, relative_difference, style_controlled
from bakeoff.stats.ratings.ties import TieFit, with_ties

__all__ = [
    "Anchor",
    "Battles",
    "Fit",
    "Pairs",
    "Standing",
    "StyleFit",
    "TieFit",
    "bradley_terry",
    "clustered",
    "difference_interval",
    "pairs_of",
    "rank_ranges",
    "relative_difference",
    "score_intervals",
    "scores",
    "standing",
    "style_controlled",
    "with_ties",
]
