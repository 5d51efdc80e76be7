"""Charts as SVG: data in, markup out.

Each chart is a frozen dataclass of values in the field's units, and a function of nearly the same name that
turns it into a `Markup`: a figure with its name, a description, and its numbers as text. Colours come from
the page (`stylesheet` says which). A position is a share of the width, so a chart fits any width and its
text keeps its size.
"""

from bakeoff.charts.figure import Link, stylesheet
from bakeoff.charts.forest import Estimate, Forest, forest
from bakeoff.charts.heat_map import Difference, HeatMap, heat_map
from bakeoff.charts.rank_ranges import Ranked, RankRanges, rank_ranges
from bakeoff.charts.reliability import Bin, Reliability, reliability
from bakeoff.charts.scale import Scale
from bakeoff.charts.scatter import Point, Scatter, pareto, scatter
from bakeoff.charts.sparkline import sparkline
from bakeoff.charts.stacked import Bar, Stacked, stacked
from bakeoff.charts.timeline import Moment, Series, Timeline, timeline
from bakeoff.charts.units import Unit, dollars, points, raw, seconds, share
from bakeoff.charts.whisker import shared, whisker

__all__ = [
    "Bar",
    "Bin",
    "Difference",
    "Estimate",
    "Forest",
    "HeatMap",
    "Link",
    "Moment",
    "Point",
    "RankRanges",
    "Ranked",
    "Reliability",
    "Scale",
    "Scatter",
    "Series",
    "Stacked",
    "Timeline",
    "Unit",
    "dollars",
    "forest",
    "heat_map",
    "pareto",
    "points",
    "rank_ranges",
    "raw",
    "reliability",
    "scatter",
    "seconds",
    "share",
    "shared",
    "sparkline",
    "stacked",
    "stylesheet",
    "timeline",
    "whisker",
]
