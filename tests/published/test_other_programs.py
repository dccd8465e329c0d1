"""OpenSpiel and Gambit as judges, where they are installed."""

from __future__ import annotations

from typing import Any

import pytest

from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from seqform import build_tree, solve
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree

PAIRS = [
    (kuhn(), "kuhn_poker"),
    (leduc(), "leduc_poker"),
    (liars_dice(1, 3), "liars_dice(numdice=1,dice_sides=3)"),
    (
        goofspiel(3),
        "turn_based_simultaneous_game(game=goofspiel(num_cards=3,imp_info=True,points_order=descending))",
    ),
    (
        goofspiel(4),
        "turn_based_simultaneous_game(game=goofspiel(num_cards=4,imp_info=True,points_order=descending))",
    ),
]


@pytest.mark.filterwarnings("ignore")  # theirs, not ours
@pytest.mark.parametrize(
    ("game", "name"), PAIRS, ids=lambda item: item if isinstance(item, str) else None
)
def test_open_spiel_finds_the_same_value(game: Any, name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("ecos")
    from open_spiel.python.algorithms import sequence_form_lp

    theirs = sequence_form_lp.solve_zero_sum_game(pyspiel.load_game(name))[0]
    assert solve(game).value == pytest.approx(theirs, abs=1e-7)  # ECOS's own accuracy


@pytest.mark.parametrize("game", [kuhn(), kuhn(4), goofspiel(2)])
def test_gambit_finds_the_same_value(game: Any) -> None:
    gambit = pytest.importorskip("pygambit")
    tree = build_tree(game)
    theirs = gambit_game(gambit, tree)
    equilibrium = gambit.nash.lp_solve(theirs, rational=True).equilibria[0]
    first = next(iter(theirs.players))
    assert solve(game).value == pytest.approx(float(equilibrium.payoff(first)), abs=1e-10)


def gambit_game(gambit: Any, tree: GameTree) -> Any:
    """Write a tree down in Gambit node by node."""
    game = gambit.Game.new_tree(players=["0", "1"])
    nodes, infosets = {0: game.root}, {}
    for node in range(tree.num_nodes):
        here, labels = nodes[node], [str(i) for i in range(tree.num_children[node])]
        if tree.player[node] == TERMINAL:
            game.set_outcome(
                here, game.add_outcome(f"leaf {node}", list(tree.payoffs[tree.payoff[node]]))
            )
            continue
        if tree.player[node] == CHANCE:
            game.append_move(here, game.players.chance, labels)
            game.set_chance_probs(
                here.infoset, [tree.probabilities[tree.probability[c]] for c in tree.children(node)]
            )
        elif (h := int(tree.infoset[node])) in infosets:
            game.append_infoset(here, infosets[h])
        else:
            game.append_move(here, str(tree.player[node]), labels)
            infosets[h] = here.infoset
        nodes.update(zip(tree.children(node), here.children, strict=True))
    return game
