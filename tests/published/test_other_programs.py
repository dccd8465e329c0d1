"""OpenSpiel and Gambit as judges, where they are installed."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.gambit import value
from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from seqform import build_tree, solve

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
    pytest.importorskip("pygambit")
    from tests.reference import gambit

    theirs = gambit.game_of(build_tree(game))
    assert solve(game).value == pytest.approx(float(value(theirs)), abs=1e-10)
