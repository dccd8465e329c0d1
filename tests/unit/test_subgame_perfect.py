"""Subgame-perfect equilibria as certificates and files: at the edges of both."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from games.textbook import king_queen_jack, two_player_tree
from seqform import TreeBuilder
from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.concepts.subgame_perfect import STRATEGY, SUBGAME_PERFECT, on_tree
from seqform.game.rules import TERMINAL
from seqform.perfect_information import backward_induction, backward_induction_tree
from seqform.tree.as_rules import TreeGame
from seqform.tree.tree import GameTree
from tests.spoiled_games import spoiled


def over(*payoffs: int) -> Any:
    """Return a game that is over at once."""
    rules = spoiled(player=lambda s: TERMINAL, payoffs=lambda s: payoffs)
    rules.num_players = len(payoffs)
    return rules


@pytest.mark.parametrize(
    ("payoffs", "value"), [((2, -2), 2.0), ((2, 2), None), ((2, -1, -1), None), ((0,), None)]
)
def test_only_zero_sum_games_of_two_have_one_value(
    payoffs: tuple[int, ...], value: float | None
) -> None:
    game = over(*payoffs)
    certificate = SUBGAME_PERFECT.certify(game, backward_induction(game))
    assert certificate.values == payoffs
    assert certificate.record()["value"] == value
    assert dict(certificate.rows("points"))["best line of play"] == "(none known)"


def after_chance(actions: str = "ab") -> GameTree:
    """One decision after chance."""
    b = TreeBuilder(2)
    left, right = b.chance(b.root, [("left", Fraction(1, 2)), ("right", Fraction(1, 2))])
    b.terminal(left, (0, 0))
    for payoff, leaf in enumerate(b.decision(right, 0, "h", list(actions))):
        b.terminal(leaf, (payoff, -payoff))
    return b.freeze()


@pytest.mark.parametrize("tree", [after_chance(), two_player_tree(), king_queen_jack()])
def test_nobody_chooses_but_at_decisions(tree: GameTree, tmp_path: Path) -> None:
    expected = backward_induction_tree(tree).best_child
    assert ((expected >= 0) == (tree.player >= 0)).all()
    assert (expected >= -1).all()
    played = on_tree(tree, backward_induction(TreeGame(tree)))
    assert (played.best_child == expected).all()
    SUBGAME_PERFECT.save(tree, played, tmp_path)
    assert (SUBGAME_PERFECT.load(tree, tmp_path).best_child == expected).all()


def test_answers_of_something_else_are_refused() -> None:
    with pytest.raises(InvalidStrategyError, match="dict is not an answer of backward induction"):
        SUBGAME_PERFECT.certify(two_player_tree(), {})  # type: ignore[arg-type]
    found = backward_induction(TreeGame(after_chance("ab")))
    with pytest.raises(InvalidStrategyError, match=r"takes 'b' at .* the actions are 'c', 'd'"):
        on_tree(after_chance("cd"), found)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: path.mkdir(), "cannot be read"),
        (lambda path: path.write_bytes(b"\xff"), "cannot be read"),
        (lambda path: path.write_text("a" * 200_000), "cannot be read"),
        (lambda path: path.write_text(""), "does not begin with the columns"),
    ],
    ids=["a folder", "no text", "a cell that is too long", "nothing"],
)
def test_files_that_hold_no_strategy_are_refused(
    spoil: Callable[[Path], Any], reason: str, tmp_path: Path
) -> None:
    spoil(tmp_path / STRATEGY)
    with pytest.raises(ResultFileError, match=reason):
        SUBGAME_PERFECT.load(two_player_tree(), tmp_path)
