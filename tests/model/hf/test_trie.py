from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.hf.trie import grow
from bakeoff.model.pair import Pair

tokens = st.lists(st.integers(0, 2), min_size=1, max_size=6).map(tuple)
pairs = st.lists(st.builds(Pair, tokens, tokens), min_size=1, max_size=12)


def read(trie, node):
    """The token sequence that ends at `node`."""
    return tuple(trie.tokens[each] for each in trie.path(node))


@given(pairs)
def test_each_distinct_beginning_is_one_node(given_pairs):
    trie = grow(given_pairs)
    inputs = [pair.context + pair.continuation[:-1] for pair in given_pairs]
    beginnings = {ids[:end] for ids in inputs for end in range(1, len(ids) + 1)}
    assert sorted(read(trie, node) for node in range(len(trie.tokens))) == sorted(beginnings)


@given(pairs)
def test_nodes_stand_in_preorder_with_their_depth(given_pairs):
    trie = grow(given_pairs)
    for node, (parent, depth) in enumerate(zip(trie.parents, trie.depths, strict=True)):
        assert depth == (0 if parent < 0 else trie.depths[parent] + 1)
        family = [each for each in range(len(trie.tokens)) if node in trie.path(each)]
        assert family == list(range(node, trie.after[node]))


@given(pairs)
def test_every_token_of_a_continuation_is_scored_after_what_precedes_it(given_pairs):
    trie = grow(given_pairs)
    edge = {place: (node, token) for node, edges in trie.edges.items() for token, place in edges.items()}
    assert sorted(edge) == list(range(trie.n_scores))
    for pair, places in zip(trie.pairs, trie.places, strict=True):
        scored = [(read(trie, edge[place][0]), edge[place][1]) for place in places]
        text = pair.context + pair.continuation
        start = len(pair.context)
        assert scored == [(text[:at], text[at]) for at in range(start, len(text))]


@given(pairs)
def test_pairs_come_in_the_order_in_which_they_are_done(given_pairs):
    trie = grow(given_pairs)
    assert trie.ends == sorted(trie.ends)
    assert sorted(trie.pairs, key=repr) == sorted(given_pairs, key=repr)
    for pair, end in zip(trie.pairs, trie.ends, strict=True):
        assert read(trie, end) == pair.context + pair.continuation[:-1]


def test_letters_of_one_question_are_edges_of_one_node():
    trie = grow([Pair((1, 2), (letter,)) for letter in (5, 6, 7, 8)])
    assert trie.tokens == [1, 2]
    assert set(trie.edges) == {1}
    assert set(trie.edges[1]) == {5, 6, 7, 8}


def test_requests_that_only_look_alike_joined_are_scored_apart():
    # context + continuation[:-1] is (1, 2, 3) for both, but the parts scored differ.
    trie = grow([Pair((1, 2), (3, 4)), Pair((1, 2, 3), (5,))])
    assert trie.tokens == [1, 2, 3]
    assert sorted(len(places) for places in trie.places) == [1, 2]
