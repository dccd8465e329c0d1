"""A key tells the information sets of one player apart; those of another player may be the same."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from seqform import TERMINAL, TreeBuilder, build_tree, load, solve, verify
from seqform.drawing import draw_tree
from seqform.io import efg_text, from_networkx, parse_efg, to_networkx
from seqform.perfect_information import backward_induction
from seqform.results.status import Status
from seqform.tree.file import save_tree
from seqform.tree.tree import GameTree
from tests.same_game import assert_same_game

# Gambit numbers the information sets of each player from 1
UNNAMED = """EFG 2 R "matching pennies, all unnamed" { "A" "B" } ""
p "" 1 1 "" { "h" "t" } 0
p "" 2 1 "" { "h" "t" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "" { "h" "t" } 0
t "" 2 "" { -1, 1 }
t "" 1 "" { 1, -1 }
"""


class Pennies:
    """Matching pennies by rules; both players know nothing, and so their keys are the same."""

    num_players = 2

    def __init__(self, is_seen: bool = False) -> None:
        self.is_seen = is_seen

    def root(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return (0, 1, TERMINAL)[len(state)]

    def chance(self, state: str) -> tuple[()]:
        return ()

    def actions(self, state: str) -> str:
        return "ht"

    def child(self, state: str, action: str) -> str:
        return state + action

    def infoset(self, state: str) -> str:
        return "I" if not self.is_seen else state.removesuffix("h")

    def payoffs(self, state: str) -> tuple[int, int]:
        return (1, -1) if state in ("hh", "tt") else (-1, 1)


def pennies() -> GameTree:
    builder = TreeBuilder(2)
    for first in builder.decision(builder.root, 0, "I", "ht"):
        for second in builder.decision(first, 1, "I", "ht"):
            same = (first == 1) == (second in (3, 5))
            builder.terminal(second, (1, -1) if same else (-1, 1))
    return builder.freeze()


GAMES: dict[str, Any] = {
    "a file of Gambit's": lambda: parse_efg(UNNAMED),
    "rules": Pennies,
    "a tree": pennies,
    "a graph": lambda: from_networkx(to_networkx(pennies())),
    "an own file": lambda: parse_efg(efg_text(pennies())),
}


@pytest.mark.parametrize("name", GAMES)
def test_players_may_have_the_same_keys(name: str, tmp_path: Path) -> None:
    game = GAMES[name]()
    tree = build_tree(game)
    assert_same_game(tree, pennies(), labels=True, infoset_labels=False)
    assert len(set(tree.infoset_labels)) == 1
    for drawn in draw_tree(game), draw_tree(tree), draw_tree(game, solution=True, values=True):
        assert sorted(drawn.infosets.values()) == [(0,), (1, 2)]
        assert {node.infoset for node in drawn.nodes if node.player >= 0} == {
            tree.infoset_labels[0]
        }
    solution = solve(game)
    assert solution.exact is not None
    assert solution.exact.value == 0
    solution.save(tmp_path / "saved")
    assert verify(tmp_path / "saved").is_proof


def test_perfect_information_is_judged_player_by_player() -> None:
    """Player 0 at the root and player 1 after h have the same key, and each knows where it is."""
    game = Pennies(is_seen=True)
    assert game.infoset("") == game.infoset("h") != game.infoset("t")
    assert backward_induction(game).value == (-1, 1)
    solution = solve(game)
    assert (solution.status, solution.values) == (Status.SOLVED, (-1, 1))


def test_information_sets_whose_labels_read_alike_are_drawn_apart(tmp_path: Path) -> None:
    """A file keeps labels as texts; 1 and '1' are the same there, and two information sets."""
    builder = TreeBuilder(1)
    chances = [("x", Fraction(1, 2)), ("y", Fraction(1, 2))]
    for node, key in zip(builder.chance(builder.root, chances), (1, "1"), strict=True):
        for end in builder.decision(node, 0, key, "ab"):
            builder.terminal(end, (0,))
    save_tree(builder.freeze(), tmp_path / "game.npz")
    drawn = draw_tree(load(tmp_path / "game.npz"))  # type: ignore[arg-type]
    assert sorted(drawn.infosets.values()) == [(1,), (2,)]
