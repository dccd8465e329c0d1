"""OpenSpiel's rules beside ours, state by state: same chance, same movers, same payoffs, and same
information."""

from __future__ import annotations

from typing import Any

import pytest

from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from seqform import build_tree
from seqform.game.rules import CHANCE, TERMINAL

GOOFSPIEL = (
    "turn_based_simultaneous_game("
    "game=goofspiel(num_cards={},imp_info=True,points_order=descending))"
)
PAIRS = {
    "kuhn": (kuhn(), "kuhn_poker"),
    "leduc": (leduc(), "leduc_poker"),
    "liar's dice, 3 sides": (liars_dice(1, 3), "liars_dice(numdice=1,dice_sides=3)"),
    "goofspiel 3": (goofspiel(3), GOOFSPIEL.format(3)),
    "goofspiel 4": (goofspiel(4), GOOFSPIEL.format(4)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_every_state_is_open_spiels(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, theirs = PAIRS[name]
    tree = build_tree(game)
    stack: list[tuple[int, Any]] = [(0, pyspiel.load_game(theirs).new_initial_state())]
    ours_to_theirs: dict[int, Any] = {}
    while stack:
        node, state = stack.pop()
        if state.is_terminal():
            assert tree.player[node] == TERMINAL
            assert list(tree.payoffs[tree.payoff[node]]) == state.returns()
            continue
        assert tree.player[node] == (CHANCE if state.is_chance_node() else state.current_player())
        actions, children = state.legal_actions(), tree.children(node)
        if state.is_chance_node():
            actions = [action for action, _ in state.chance_outcomes()]
            ours = [float(tree.probabilities[tree.probability[child]]) for child in children]
            theirs = [p for _, p in state.chance_outcomes()]  # floats
            assert ours == [pytest.approx(p, rel=1e-15) for p in theirs]
        else:
            key = (state.current_player(), state.information_state_string())
            assert ours_to_theirs.setdefault(int(tree.infoset[node]), key) == key
        stack += zip(children, map(state.child, actions), strict=True)
    assert len(set(ours_to_theirs.values())) == len(ours_to_theirs) == tree.num_infosets
