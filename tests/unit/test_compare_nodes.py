"""The bipartite graph of two nodes: its matching, and what it lacks where there is none."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from abstraction.compare_nodes import compare_nodes as explained
from abstraction.matching import hall_violator, largest_matching
from abstraction.pairwise import PairwiseIsomorphism
from experiments.two_jacks import two_jacks
from seqform import GameTree, TreeBuilder, build_tree, compare_nodes, make
from seqform.base.errors import GameTooLargeError, InvalidParameterError, UnknownNameError
from seqform.cli import app
from seqform.drawing import draw_nodes_compared
from seqform.results.node_comparison import NodeComparison
from tests.shrinkable_games import observable_game
from tests.strategies import trees

HALF = Fraction(1, 2)


def hall() -> GameTree:
    """Let player 0 choose one of three after x and after y; a and b pay 1 after x, and only a after
    y."""
    b = TreeBuilder(2)
    for name, node, paid in zip(
        "xy", b.chance(b.root, [("x", HALF), ("y", HALF)]), ((1, 1, 2), (1, 2, 2)), strict=True
    ):
        for i, below in enumerate(b.decision(node, 0, f"first {name}", list("abc"))):
            for u, end in zip(
                (paid[i], 0), b.decision(below, 1, f"{name} {i}", ["up", "down"]), strict=True
            ):
                b.terminal(end, (u, -u))
    return b.freeze()


def test_a_hall_violator_is_named_with_the_last_reason() -> None:
    found = compare_nodes(hall(), "x", "y")
    assert not found
    assert found.edges == ((0, 0), (1, 0), (2, 1), (2, 2))
    assert len(found.matching) == 2
    assert (found.violator, found.neighbors) == ((0, 1), (0,))
    assert [held.text for held in found.left] == ["x 0: a", "x 1: b", "x 2: c"]
    assert [(i, j) for i, j, _ in found.missing] == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 0)]
    first, second, last = found.reasons()
    assert first == (
        "[x 0: a], [x 1: b] can be matched only to [y 0: a]: x,a is not isomorphic to y,b"
    )
    assert second == (
        "[up] can be matched to no set of the other: x,a,up is not isomorphic to y,b,up"
    )
    assert last == "x,a,up pays (1, -1), and y,b,up pays (2, -2)"


def test_isomorphic_nodes_have_a_perfect_matching() -> None:
    found = compare_nodes(two_jacks(), "J1", "J2")
    assert found
    assert (found.reason, list(found.reasons()), found.matching) == ("", [], ((0, 0),))
    (held,) = found.left
    assert (held.name, held.moves, held.size) == ("J1", ("J2", "K"), 2)
    found = compare_nodes(two_jacks(), "J1,K,bet", "J2,K,bet")
    assert found.matching == ((0, 0), (1, 1))
    same = compare_nodes(two_jacks(), "J1", "J1")
    assert same
    assert same.matching == ((0, 0),)


def unlike() -> GameTree:
    """After a chance moves, after b player 0 with one child, after c with two, after d for more."""
    b = TreeBuilder(2)
    fourth = Fraction(1, 4)
    a, one, two, more = b.chance(b.root, [(name, fourth) for name in "abcd"])
    ends = [*b.chance(a, [("x", 1)]), *b.decision(one, 0, "one", ["x"])]
    ends += b.decision(two, 0, "two", ["x", "y"])
    b.reward(more, (5, -5))
    ends += b.decision(more, 0, "more", ["x"])
    for end in ends:
        b.terminal(end, (0, 0))
    return b.freeze()


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ("a", "b", "chance moves at a, and player 0 moves at b"),
        ("b", "c", "b has 1 move, and c has 2 moves"),
        ("b", "d", "b pays nothing, and d pays (5, -5)"),
    ],
)
def test_nodes_of_another_kind(x: str, y: str, reason: str) -> None:
    found = compare_nodes(unlike(), x, y)
    assert (found.reason, found.left, found.because) == (reason, (), None)


def test_sets_that_differ_in_number_size_or_chance() -> None:
    b = TreeBuilder(2)
    cases = {
        "seen": ([HALF, HALF], "seen {}"),
        "unseen": ([HALF, HALF], "unseen"),
        "biased": ([Fraction(1, 3), Fraction(2, 3)], "biased"),
        "shared": ([HALF, HALF], "shared"),
        "again": ([HALF, HALF], "shared"),
    }
    tops = b.chance(b.root, [(name, Fraction(1, 5)) for name in cases])
    for top, (odds, name) in zip(tops, cases.values(), strict=True):
        for i, node in enumerate(b.chance(top, list(zip("uv", odds, strict=True)))):
            (end,) = b.decision(node, 0, name.format(i), ["on"])
            b.terminal(end, (0, 0))
    tree = b.freeze()

    def why(x: str, y: str) -> str:
        return compare_nodes(tree, x, y).reason

    assert why("seen", "unseen").endswith(
        "lie in 2 information sets, and those of the other in 1 information set"
    )
    assert why("unseen", "biased").endswith("chance comes there with 1/2, 1/2, and with 1/3, 2/3")
    assert why("unseen", "shared").endswith("one has 2 nodes, the other 4")
    assert compare_nodes(tree, "shared", "again")


def test_nodes_that_a_set_has_elsewhere_are_to_blame() -> None:
    found = compare_nodes(make("kuhn"), "J,Q", "J,K")
    assert list(found.reasons())[-1] == (
        "K,Q,check,check pays (1, -1), and Q,K,check,check pays (-1, 1)"
    )


def test_the_words_of_the_talk() -> None:
    b = TreeBuilder(2)
    for i, node in enumerate(b.chance(b.root, [("x", HALF), ("y", HALF)])):
        (below,) = b.decision(node, 0, f"seen {i}", ["on"])
        (end,) = b.decision(below, 1, "not seen", ["on"])
        b.terminal(end, (i, -i))
    tree = b.freeze()
    assert compare_nodes(tree, "x", "y", literal=True)
    assert not compare_nodes(tree, "x", "y")


small = st.one_of(
    trees(players=(2, 3), zero_sum=(True, False), depth=3),
    st.builds(observable_game, st.integers(0, 10_000), depth=st.integers(1, 2)),
)


@given(small, st.booleans())
def test_explanations_agree_with_the_relation(tree: GameTree, literal: bool) -> None:
    relation = PairwiseIsomorphism(tree, literal)
    for level in tree.levels():
        for x, y in list(combinations(range(level.start, level.stop), 2))[:20]:
            found = explained(tree, x, y, literal)
            assert bool(found) == relation.isomorphic(x, y)
            check(found, relation)


def check(found: NodeComparison, relation: PairwiseIsomorphism) -> None:
    """Look at what is said: matchings are edges, violators have few neighbors, and so on down."""
    edges = set(found.edges)
    assert set(found.matching) <= edges
    assert len({i for i, _ in found.matching}) == len({j for _, j in found.matching})
    assert {(i, j) for i, j, _ in found.missing} | edges == {
        (i, j) for i in range(len(found.left)) for j in range(len(found.right))
    }
    if found:
        assert len(found.matching) == len(found.left) == len(found.right)
    if found.violator:
        assert {j for i, j in edges if i in found.violator} == set(found.neighbors)
        assert len(found.neighbors) == len(found.violator) - 1
    if found.because is not None:
        assert not found.because
        assert not relation.isomorphic(found.because.x, found.because.y)
        check(found.because, relation)
    elif not found.violator and found.left:
        assert found or len(found.left) != len(found.right)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**36 - 1))
def test_hall_violators_of_random_graphs(rows: int, columns: int, bits: int) -> None:
    edges = np.array([bits >> i & 1 for i in range(rows * columns)], dtype=bool)
    edges = edges.reshape(rows, columns)
    matched = largest_matching(edges)
    stuck, others = hall_violator(edges, matched)
    assert bool(stuck) == (matched < 0).any()
    if not stuck:
        return
    assert np.flatnonzero(edges[stuck].any(axis=0)).tolist() == others
    assert len(others) == len(stuck) - 1
    for left_out in stuck:  # it is minimal
        rest = [row for row in stuck if row != left_out]
        assert edges[rest].any(axis=0).sum() >= len(rest)


def test_refusals() -> None:
    tree = build_tree(make("kuhn"))
    with pytest.raises(InvalidParameterError, match="only nodes of equal depth are compared"):
        compare_nodes(tree, "J", "J,Q")
    with pytest.raises(InvalidParameterError, match="there is no node 58"):
        compare_nodes(tree, 0, 58)
    with pytest.raises(UnknownNameError, match="there is no 'X'"):
        compare_nodes(tree, "X", "J")
    for other in ("tree", "contraction"):  # which merges by another relation
        message = f"'{other}' compares no nodes; use contraction-matched"
        with pytest.raises(InvalidParameterError, match=message):
            compare_nodes(tree, 1, 2, reduction=other)
    with pytest.raises(GameTooLargeError):
        compare_nodes(make("leduc"), "Js", "Jh", max_nodes=10)


def texts(found: NodeComparison) -> list[str]:
    return [text.get_text() for text in draw_nodes_compared(found).axes[0].texts]


def test_the_picture() -> None:
    written = texts(compare_nodes(hall(), "x", "y"))
    assert written[:2] == ["x = x", "x 0: a"]
    assert "y 2: c" in written
    assert " ".join(written).endswith("In the end: x,a,up pays (1, -1), and y,b,up pays (2, -2).")
    figure = draw_nodes_compared(compare_nodes(hall(), "x", "y"))
    assert len(figure.axes[0].lines) == 4
    assert sorted(line.get_linewidth() for line in figure.axes[0].lines) == [0.8, 0.8, 2.2, 2.2]
    written = texts(compare_nodes(two_jacks(), "J1", "J2"))
    assert written[-1] == "A perfect matching: the nodes are isomorphic."
    shared = texts(compare_nodes(make("kuhn"), "J,Q", "J,K"))
    assert "Q:check: check  (2 nodes)" in shared
    assert texts(compare_nodes(unlike(), "a", "b"))[:2] == ["x = a", "y = b"]


def test_the_command(tmp_path: Path) -> None:
    picture = tmp_path / "graph.svg"
    game = "experiments.two_jacks:two_jacks"
    done = CliRunner().invoke(app, ["compare-nodes", game, "J1", "J2", "-o", str(picture)])
    assert done.exit_code == 0
    assert done.output.startswith("J1 and J2 are isomorphic")
    assert picture.read_text().startswith("<?xml")
    done = CliRunner().invoke(app, ["compare-nodes", game, "J1", "K"])
    assert done.exit_code == 1
    assert "J1 and K are not isomorphic\nbecause [J1: J2, K] can be" in done.output
    done = CliRunner().invoke(app, ["compare-nodes", game, "J1", "K", "--json"])
    record = json.loads(done.output)
    assert record["isomorphic"] is False
    assert record["left"][0]["moves"] == ["J2", "K"]
    assert (record["violator"], record["neighbors"], record["edges"]) == ([0], [], [])
    assert record["reasons"][-1] == "J1,J2,check pays (0, 0), and K,J1,check pays (1, -1)"


def test_the_command_checks_the_picture_before_it_works() -> None:
    for out in ("a.gif", "no/such/folder/a.svg"):
        done = CliRunner().invoke(app, ["compare-nodes", "no-such-game", "x", "y", "-o", out])
        assert isinstance(done.exception, InvalidParameterError)  # and not the name of the game
        assert out.split("/")[-1] in str(done.exception)
