from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.many.cliques import maximal_cliques


@st.composite
def relations(draw, most=8):
    models = draw(st.integers(1, most))
    together = np.eye(models, dtype=bool)
    for j, k in combinations(range(models), 2):
        together[j, k] = together[k, j] = draw(st.booleans())
    return together


@given(relations())
def test_they_are_all_sets_together_that_no_model_can_join(together):
    models = range(len(together))
    cliques = [
        group
        for size in range(1, len(together) + 1)
        for group in combinations(models, size)
        if all(together[j, k] for j, k in combinations(group, 2))
    ]
    maximal = [group for group in cliques if not any(set(group) < set(other) for other in cliques)]
    assert maximal_cliques(together) == tuple(sorted(maximal))


@given(relations(), st.randoms(use_true_random=False))
def test_renumbering_the_models_renumbers_the_groups(together, order):
    places = list(range(len(together)))
    order.shuffle(places)
    shuffled = maximal_cliques(together[np.ix_(places, places)])
    assert maximal_cliques(together) == tuple(
        sorted(tuple(sorted(places[model] for model in clique)) for clique in shuffled)
    )


def test_neighbours_are_not_chained():
    together = np.abs(np.subtract.outer(range(5), range(5))) <= 1
    assert maximal_cliques(together) == ((0, 1), (1, 2), (2, 3), (3, 4))


def test_models_all_apart_are_alone_and_all_together_are_one():
    assert maximal_cliques(np.zeros((3, 3), dtype=bool)) == ((0,), (1,), (2,))
    assert maximal_cliques(np.ones((200, 200), dtype=bool)) == (tuple(range(200)),)


def test_moon_and_mosers_graph_has_three_to_the_third_of_the_models():
    # Models of one third of a dozen are apart from each other and together with all others.
    thirds = np.arange(12) // 3
    together = thirds[:, None] != thirds[None]
    assert len(maximal_cliques(together)) == 3**4


def test_too_many_to_show_are_none_at_once():
    thirds = np.arange(300) // 3
    assert maximal_cliques(thirds[:, None] != thirds[None]) is None
    four = np.arange(12) // 3
    assert maximal_cliques(four[:, None] != four[None], limit=80) is None
    assert len(maximal_cliques(four[:, None] != four[None], limit=81)) == 81


@pytest.mark.parametrize(
    ("together", "named"),
    [
        ([], "square"),
        ([[True, False]], "square"),
        ([[1.0]], "true and false"),
        ([[True, True], [False, True]], "symmetric"),
    ],
)
def test_what_is_no_relation_is_refused(together, named):
    with pytest.raises(ValueError, match=named):
        maximal_cliques(together)


def test_a_limit_below_one_is_refused():
    with pytest.raises(ValueError, match="0"):
        maximal_cliques([[True]], limit=0)
