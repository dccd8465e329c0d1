"""OpenSpiel's rules beside ours, state by state: same chance, same movers, same payoffs, and same
information."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.battleship import battleship
from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.sheriff import sheriff
from seqform import build_tree
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree

GOOFSPIEL = (
    "turn_based_simultaneous_game("
    "game=goofspiel(num_cards={},imp_info=True,points_order=descending))"
)
BATTLESHIP = (
    "battleship(board_width={},board_height={},ship_sizes=[{}],ship_values=[{}],num_shots={},"
    "loss_multiplier={}.0,allow_repeated_shots=false)"
)
SHERIFF = (
    "sheriff(max_items={},max_bribe={},num_rounds={},item_value={}.0,item_penalty={}.0,"
    "sheriff_penalty={}.0)"
)
PAIRS = {
    "kuhn": (kuhn(), "kuhn_poker"),
    "kuhn, 3 players": (kuhn(players=3), "kuhn_poker(players=3)"),
    "kuhn, 4 players": (kuhn(players=4), "kuhn_poker(players=4)"),
    "leduc": (leduc(), "leduc_poker"),
    "leduc, suits merged": (leduc(merge_suits=True), "leduc_poker(suit_isomorphism=True)"),
    "leduc, 3 players, suits merged": (
        leduc(merge_suits=True, players=3),
        "leduc_poker(players=3,suit_isomorphism=True)",
    ),
    "liar's dice, 3 sides": (liars_dice(1, 3), "liars_dice(numdice=1,dice_sides=3)"),
    "goofspiel 3": (goofspiel(3), GOOFSPIEL.format(3)),
    "goofspiel 4": (goofspiel(4), GOOFSPIEL.format(4)),
    "sheriff": (sheriff(3, 2, 2, 5, 2, 3), SHERIFF.format(3, 2, 2, 5, 2, 3)),
    "battleship": (battleship(), BATTLESHIP.format(2, 2, "1", "1.0", 2, 2)),
    "battleship, two ships": (
        battleship(3, 1, "1,2", "1,3", shots=2, loss=3),
        BATTLESHIP.format(3, 1, "1;2", "1.0;3.0", 2, 3),
    ),
    "battleship, standing ships": (
        battleship(2, 2, "1,2", "2,1", shots=2, loss=1),
        BATTLESHIP.format(2, 2, "1;2", "2.0;1.0", 2, 1),
    ),
}


LARGE = {"leduc, 3 players": (leduc(players=3), "leduc_poker(players=3)")}
"""Compared whole in half a minute, and on the first of some hands in a second."""


LONG = (*LARGE, "leduc, 3 players, suits merged")
ALL = [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in (*PAIRS, *LARGE)]


@pytest.mark.parametrize("name", ALL)
def test_every_state_is_open_spiels(name: str) -> None:
    game, theirs = (PAIRS | LARGE)[name]
    tree = build_tree(game)
    assert compared(tree, theirs) == tree.num_infosets


@pytest.mark.parametrize("name", LARGE)
def test_every_state_of_some_hands_is_open_spiels(name: str) -> None:
    game, theirs = LARGE[name]
    tree, rng = build_tree(game), random.Random(29)
    assert 1_000 < compared(tree, theirs, lambda dealt: rng.sample(dealt, 2)) < tree.num_infosets


def compared(tree: GameTree, theirs: str, dealt: Callable[[Any], Any] = list) -> int:
    """Go through both games at once, and return how many information sets were met.

    `dealt` chooses which of chance's children are gone into.
    """
    pyspiel = pytest.importorskip("pyspiel")
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
        both = list(zip(children, actions, strict=True))
        chosen = dealt(both) if state.is_chance_node() else both
        stack += [(child, state.child(action)) for child, action in chosen]
    assert len(set(ours_to_theirs.values())) == len(ours_to_theirs)
    return len(ours_to_theirs)
