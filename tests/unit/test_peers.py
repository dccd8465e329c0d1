"""Other programs' averages, judged by the certificate, are worth what these programs say."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from experiments import league
from experiments.peers import SAME, LiteEFGCFRPlus, OpenSpielCFRPlus, spiel_name
from seqform import build_sequence_form, build_tree, solve
from seqform.experiment.named import read_named
from seqform.io import from_open_spiel, open_spiel_game
from seqform.io.named_game import named_game

pytest.importorskip("pyspiel")
GAMES = ("kuhn_poker", "goofspiel(num_cards=3,imp_info=True,points_order=descending)")


def judged(peer: Any, name: str, count: int) -> float:
    """Return half the gap of the last look at a peer after more iterations."""
    form = build_sequence_form(from_open_spiel(name))
    peer.run(count)
    return league.gap_of_peer(peer, form) / 2


@pytest.mark.parametrize("name", GAMES)
def test_open_spiel(name: str) -> None:
    import pyspiel

    game = open_spiel_game(name)
    peer = OpenSpielCFRPlus(game)
    theirs = pyspiel.exploitability(game, peer_policy(peer, 20))
    assert judged(peer, name, 0) == pytest.approx(theirs, abs=1e-12)
    assert judged(peer, name, 200) < theirs


def peer_policy(peer: OpenSpielCFRPlus, count: int) -> Any:
    peer.run(count)
    return peer._solver.average_policy()


@pytest.mark.skipif(find_spec("LiteEFG") is None, reason="LiteEFG is not installed")
@pytest.mark.parametrize("name", GAMES)
def test_lite_efg(name: str) -> None:
    peer = LiteEFGCFRPlus(open_spiel_game(name))
    mine = judged(peer, name, 20)
    strategy = peer._graph.current_strategy()
    theirs = sum(peer._environment.exploitability(strategy, "linear-avg-iterate")) / 2
    assert mine == pytest.approx(theirs, abs=1e-9)
    assert judged(peer, name, 200) < mine


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice(sides=4)", "goofspiel(cards=4)"])
def test_games_that_are_called_the_same_are(game: str) -> None:
    assert spiel_name(game) == SAME[game]
    named = read_named(game)
    ours = build_tree(named_game(named.name, named.options))
    theirs = from_open_spiel(SAME[game])
    sizes = [(tree.num_nodes, tree.num_infosets) for tree in (ours, theirs)]
    assert sizes[0] == sizes[1]
    assert solve(ours).value == pytest.approx(solve(theirs).value, abs=1e-9)
