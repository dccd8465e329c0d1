"""Depth is bounded by memory, not by Python's recursion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from seqform import expand
from seqform.perfect_information import (
    alpha_beta,
    backward_induction,
    backward_induction_tree,
    check_one_shot,
    minimax,
)
from tests.perfect_games import Chain

LENGTH = 100_000


@pytest.mark.parametrize(
    "run",
    [backward_induction, lambda game: backward_induction(game, cache=False), minimax, alpha_beta],
)
def test_a_hundred_thousand_moves(run: Callable[[Any], Any]) -> None:
    result = run(Chain(LENGTH, step=1))
    assert result.value in {LENGTH + 1, (LENGTH + 1, -LENGTH - 1)}
    assert result.statistics["nodes"] == LENGTH + 1


@pytest.mark.long
def test_a_million_moves() -> None:
    assert backward_induction(Chain(1_000_000)).value == (1, -1)


def test_the_certificate_and_the_line_of_a_long_game() -> None:
    game, length = Chain(20_000), 20_000
    result = backward_induction(game)
    assert check_one_shot(game, result).value == (1, -1)
    assert len(result.principal_variation()) == len(alpha_beta(game).principal_variation) == length


def test_a_long_tree() -> None:
    tree = expand(Chain(5_000, step=1))
    result = backward_induction_tree(tree)
    assert result.value == (5_001, -5_001)
    assert check_one_shot(tree, result).largest_gain == 0
