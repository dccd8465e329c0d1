"""Payoff regions of correlated equilibria that have no area."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from seqform import TreeBuilder, payoff_region
from seqform.tree.tree import GameTree


def one_choice(payoffs: list[tuple[int, int]]) -> GameTree:
    """Return a game in which player 0 chooses what both are paid."""
    b = TreeBuilder(2)
    ends = b.decision(b.root, 0, "choice", [f"a{i}" for i in range(len(payoffs))])
    for end, paid in zip(ends, payoffs, strict=True):
        b.terminal(end, paid)
    return b.freeze()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_an_upright_line_has_both_ends(order: tuple[int, ...]) -> None:
    found = payoff_region(one_choice([(3, paid) for paid in order]), "efce")
    assert found.corners == ((3, 0), (3, 2))


def test_a_point_is_one_corner() -> None:
    found = payoff_region(one_choice([(1, 5), (2, 7)]), "nfcce")
    assert found.corners == ((Fraction(2), Fraction(7)),)
