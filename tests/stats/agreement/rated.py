"""Ratings from the literature."""

_ = None

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: 4 observers, 12 units. The same
# ratings are Gwet's example of 4 raters (2014, Handbook of Inter-Rater Reliability).
FOUR_RATERS = [
    [1, 1, _, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [_, 5, 5, 5],
    [_, _, 1, 1],
    [_, _, 3, _],
]

# Gwet 2014: 5 observers score 15 units from 0 to 3.
FIVE_OBSERVERS = list(
    zip(
        [1, 1, 2, _, 0, 0, 1, 1, 2, 2, _, 0, 1, 3, 1],
        [1, 1, 3, 0, 0, 0, 0, _, 2, 1, 1, 0, 2, 3, 1],
        [2, 0, 3, 0, 0, 0, 2, 2, 2, 1, 0, 0, 2, 2, 1],
        [_, 1, 3, _, _, _, _, 0, _, 1, 0, 0, 2, 2, _],
        [2, _, _, 0, 0, 0, 1, _, 2, _, _, _, _, 3, 1],
        strict=True,
    )
)

# Fleiss' kappa, the worked example of Wikipedia: 14 raters put 10 items into 5 categories.
FOURTEEN_RATERS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
