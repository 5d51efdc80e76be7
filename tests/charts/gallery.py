"""One page with every chart, as a site would hold them."""

import math
from datetime import date, timedelta
from random import Random

from markupsafe import Markup

from bakeoff.charts import (
    Bar,
    Bin,
    Difference,
    Estimate,
    Forest,
    HeatMap,
    Link,
    Moment,
    Point,
    Ranked,
    RankRanges,
    Reliability,
    Scatter,
    Series,
    Stacked,
    Timeline,
    dollars,
    forest,
    heat_map,
    points,
    rank_ranges,
    raw,
    reliability,
    scatter,
    seconds,
    share,
    shared,
    sparkline,
    stacked,
    stylesheet,
    timeline,
    whisker,
)

SITE = """
:root { color-scheme: light dark; --bg: light-dark(#fbfbfa, #14161a);
  --panel: light-dark(#fff, #1b1e24);
  --ink: light-dark(#1a1d23, #e8e9ec); --mute: light-dark(#5d6470, #9aa1ad);
  --line: light-dark(#e4e5e7, #2c3038);
  --acc: light-dark(#2457c5, #84aaff); --pf: light-dark(#b4500b, #ffb070);
  font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); }
main { max-width: 1180px; margin: auto; padding: 0 20px; }
a { color: var(--acc); }
p { max-width: 76ch; }
th, td { padding: 7px 10px; vertical-align: top; white-space: nowrap; }
.narrow { width: min(100%, 420px); }
@media (max-width: 640px) { main { padding: 0 12px; } }
"""
NAMES = ("Aurora", "Borealis", "Cobalt", "Dune", "Ember", "Fjord", "Granite", "Heron")
SIZES = ("nano", "mini", "small", "base", "plus", "large", "max", "ultra")
HOSTILE = "\"><script>alert(1)</script> & \u202eevil\u0007 'x' 漢字漢字 👩‍🔬 " + "w" * 90
TEXTS = (
    "A long name of a model that goes on and on until nobody reads it any more (preview, 2026-11-30)",
    HOSTILE,
)


def page(*charts: Markup) -> str:
    body = "\n".join(charts)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Charts</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{SITE}{stylesheet()}</style></head><body><main><h1>Charts</h1>{body}</main></body></html>"
    )


def gallery(count: int = 60) -> list[Markup]:
    """Every chart with ordinary data."""
    return [
        scatter(board(count), "cost"),
        scatter(few(), "time", table="t-time"),
        Markup('<table id="t-time"><tr><td>the page has them</td></tr></table>'),
        forest(differences(), "differences"),
        forest(tasks(), "tasks"),
        rank_ranges(ranks(), "ranks"),
        reliability(calibration(), "trust"),
        heat_map(everyone(8), "pairs"),
        timeline(history(), "history"),
        stacked(outcomes(), "outcomes"),
        cells(),
    ]


def hostile() -> list[Markup]:
    """Every chart with the worst names."""
    link = "javascript:alert(1)//" + HOSTILE
    spots = tuple(
        Point(f"{i} {text}", text, 0.1 * i, 0.5 + 0.1 * i, 0.4, 0.9, href=link, open=(True, False, None)[i])
        for i, text in enumerate((*TEXTS, "x"))
    )
    day = date(2026, 1, 31)
    return [
        scatter(Scatter(HOSTILE, spots, HOSTILE, HOSTILE, dollars, share, says=HOSTILE), "a"),
        forest(
            Forest(HOSTILE, tuple(Estimate(t, 0.5, 0.4, 0.6, link, t, t) for t in TEXTS), HOSTILE, HOSTILE),
            "b",
        ),
        rank_ranges(RankRanges(HOSTILE, tuple(Ranked(t, 1, 2, link, t) for t in TEXTS), HOSTILE), "c"),
        reliability(Reliability(HOSTILE, (Bin(0.1, 0.2, 3, 0.15, 0.5, 0.1, 0.9),), HOSTILE, HOSTILE), "d"),
        heat_map(
            HeatMap(
                HOSTILE, tuple(Link(t, link) for t in TEXTS), {(0, 1): Difference(0.1, href=link)}, HOSTILE
            ),
            "e",
        ),
        timeline(
            Timeline(HOSTILE, tuple(Series(t, (Moment(day, 0.5),), link, t) for t in TEXTS), HOSTILE), "f"
        ),
        stacked(Stacked(HOSTILE, TEXTS, tuple(Bar(t, (0.5, 0.5), link, t) for t in TEXTS), HOSTILE), "g"),
        sparkline([1.0, 2.0], HOSTILE),
    ]


def empty() -> list[Markup]:
    """Every chart with nothing to draw."""
    return [
        scatter(Scatter("none", (Point("a", "a", None, 1.0), Point("b", "b", 1.0, math.nan)), "x", "y"), "a"),
        forest(Forest("none", ()), "b"),
        rank_ranges(RankRanges("none", ()), "c"),
        reliability(Reliability("none", (Bin(0.0, 1.0, 0),)), "d"),
        heat_map(HeatMap("none", (Link("one"),), {}), "e"),
        timeline(Timeline("none", (Series("s", (Moment(date(2026, 1, 1), None),)),)), "f"),
        stacked(Stacked("none", ("right",), ()), "g"),
        sparkline([None], "none"),
    ]


def board(count: int) -> Scatter:
    random = Random(7)  # the same board each time
    found = []
    for i in range(count):
        size = 1.5 * 2.2 ** (i // 8 % 8)
        score = min(0.97, max(0.05, 0.34 + 0.08 * math.log(size) + random.gauss(0, 0.05)))
        half = 1.96 * math.sqrt(score * (1 - score) / 500)
        name = f"{NAMES[i % 8]}-{SIZES[i // 8 % 8]}{'' if i < 64 else f'-{i}'}"
        found.append(
            Point(
                f"m{i}",
                name,
                None if i == 11 else round(0.03 * size**0.85 * math.exp(random.gauss(0, 0.5)), 3),
                score,
                score - half,
                score + half,
                href=f"models/{name}",
                open=random.random() < 0.55,
                marked=i == 20,
            )
        )
    return Scatter(
        "Score against cost",
        tuple(found),
        "cost of a million tokens",
        "score",
        dollars,
        share,
        says="Whiskers are 95 % intervals.",
    )


def few() -> Scatter:
    spots = (
        Point("a", "Aurora-base", 0.9, 1287.0, 1279.0, 1295.0, open=True),
        Point("b", "Borealis-plus", 2.4, 1356.0, 1350.0, 1362.0, open=False),
        Point("c", "Cobalt-plus", 2.4, 1356.0, 1348.0, 1364.0),
        Point("d", "Free-mini", 0.0, 1120.0, 1100.0, 1140.0, open=True),
        Point("e", "Ember-large", 31.0, 1349.0, href="models/e"),
    )
    return Scatter("Rating against time", spots, "time to the last token", "rating", seconds, raw)


def differences() -> Forest:
    rows = (
        Estimate("Borealis-ultra", 0.052, 0.021, 0.083, "models/b", "better, adjusted p .003"),
        Estimate("Cobalt-max", 0.012, -0.018, 0.042, "models/c", "cannot tell"),
        Estimate("Dune-base", -0.0004, -0.03, 0.0292, None, "cannot tell"),
        Estimate(
            "Ember-small with a longer name than the others have", -0.094, -0.13, -0.058, "models/e", "worse"
        ),
        Estimate("Fjord-mini", None, note="not run"),
        Estimate("Granite-nano", -0.11, note="one item group: no interval"),
    )
    return Forest(
        "Differences from Aurora-ultra",
        rows,
        "candidate",
        "difference",
        points,
        "Paired on the same 1,200 items.",
        reference=0.0,
        sides=("worse", "better"),
    )


def tasks() -> Forest:
    names = ("arithmetic", "reading", "code", "law", "medicine")
    rows = tuple(Estimate(n, 0.3 + 0.15 * i, 0.26 + 0.15 * i, 0.34 + 0.15 * i) for i, n in enumerate(names))
    return Forest("Scores by task", rows, "task", reference=0.25, reference_name="chance 25 %")


def ranks() -> RankRanges:
    ends = ((1, 3), (1, 5), (1, 5), (2, 6), (4, 9), (7, 12), (12, 12), (None, None), (10, 41))
    return RankRanges(
        "Rank ranges",
        tuple(
            Ranked(f"{NAMES[i % 8]}-{SIZES[i % 8]}", *pair, href=f"models/{i}") for i, pair in enumerate(ends)
        ),
        says="Every rank that these items allow, at 95 %.",
    )


def calibration() -> Reliability:
    counts = (12, 31, 55, 80, 96, 143, 260, 512, 1204, 10_400)
    bins = []
    for i, n in enumerate(counts):
        said, right = (i + 0.5) / 10, 0.1 + 0.75 * (i + 0.5) / 10
        half = 1.96 * math.sqrt(right * (1 - right) / n)
        bins.append(Bin(i / 10, (i + 1) / 10, n, said, right, max(0.0, right - half), min(1.0, right + half)))
    return Reliability("Is it right as often as it says?", tuple(bins), "Aurora-base claims too much.")


def everyone(n: int) -> HeatMap:
    skills = [0.2, 0.18, 0.17, 0.1, 0.04, 0.03, 0.0, -0.2] + [-0.2 - 0.01 * i for i in range(n)]
    pairs = {
        (i, j): Difference(d, d - 0.04, d + 0.04, abs(d) > 0.04, f"compare?{i}-{j}")
        for i in range(n)
        for j in range(i + 1, n)
        if (i, j) != (2, 5)
        for d in [skills[i] - skills[j]]
    }
    names = tuple(Link(f"{NAMES[i % 8]}-{SIZES[(3 * i) % 8]}", f"models/{i}") for i in range(n))
    return HeatMap("Differences of every two", names, pairs, says="The row less the column, in points.")


def history() -> Timeline:
    start = date(2025, 3, 14)
    series = []
    for s, name in enumerate(("Aurora", "Borealis", "Cobalt", "Dune", "Ember")):
        moments = []
        for i in range(20):
            value = (
                None if s == 1 and 6 <= i <= 9 else 0.5 + 0.05 * s + 0.012 * i + 0.02 * math.sin(i * (s + 1))
            )
            ends = (None, None) if value is None or s > 1 else (value - 0.03, value + 0.03)
            moments.append(Moment(start + timedelta(days=31 * i), value, *ends))
        series.append(Series(name, tuple(moments), f"models/{name}", name))
    return Timeline("Score over time", tuple(series), says="A line with a gap was not measured there.")


def outcomes() -> Stacked:
    parts = ("right", "wrong", "no answer found", "cut off", "refused", "error", "not reached")
    bars = (
        Bar("Aurora-ultra", (0.612, 0.274, 0.051, 0.02, 0.018, 0.005, 0.02), "models/a", "1,200 items"),
        Bar("Borealis-nano", (0.2, 0.25, 0.18, 0.17, 0.1, 0.06, 0.04)),
        Bar("Cobalt-mini", (0.4, 0.6, 0.0, 0.0, 0.0, 0.0, None), note="3 items"),
    )
    return Stacked("What became of the answers", parts, bars, "run")


def cells() -> Markup:
    on = shared([0.2, 0.9], share)
    rows = Markup("").join(
        Markup("<tr><th>{}</th><td>{}{}</td><td>{}</td></tr>").format(
            name, share(value), whisker(on, value, low, high), sparkline(line, f"{name} over time", share)
        )
        for name, value, low, high, line in (
            ("Aurora", 0.612, 0.58, 0.64, [0.2, 0.3, None, 0.4, 0.35, 0.612]),
            ("Borealis", 0.21, 0.2, 0.24, [0.21]),
            ("Cobalt", 0.9, None, None, [0.5, 0.5, 0.5]),
            ("Dune", None, None, None, []),
        )
    )
    return Markup('<figure class="chart"><table>{}</table></figure>').format(rows)
