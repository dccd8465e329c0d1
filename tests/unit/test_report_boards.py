"""Boards of a report: only where the rules make the very tree that is shown."""

from __future__ import annotations

from typing import Any

from games.tic_tac_toe import tic_tac_toe
from seqform import build_tree, make
from seqform.report.state_drawings import boards

START = "xoo/..x/..."


def drawn(rules: Any, board: str = START) -> list[str] | None:
    tree = build_tree(tic_tac_toe(board))
    return boards(rules, tree, range(tree.num_nodes))


def test_each_node_has_the_board_of_its_state() -> None:
    game = tic_tac_toe(START)
    found = drawn(game)
    assert found is not None
    assert found[0] == game.draw(game.root())
    tree = build_tree(game)
    for node, board in enumerate(found):
        state = game.root()
        for move in tree.path(node):
            state = game.child(state, move)
        assert board == game.draw(state)


def test_rules_of_another_game_draw_nothing() -> None:
    assert drawn(tic_tac_toe("xox/..o/...")) is None
    assert drawn(make("mnk", columns=3, rows=2, in_a_row=2)) is None
