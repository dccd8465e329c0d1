"""Values and sizes from the literature and from other programs, each with its source."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.textbook import von_stengel
from seqform import build_sequence_form, build_tree, certify, solve
from seqform.form.profile import Profile

# nodes, then infosets and sequences of each player; the sizes are OpenSpiel's too (counted by
# walking its states)
SIZES = [
    (kuhn(), 58, 6, 13),
    (leduc(), 9_457, 468, 1_093),
    (liars_dice(1, 3), 1_147, 96, 190),
    (liars_dice(1, 4), 8_181, 512, 1_021),
    (liars_dice(1, 5), 51_181, 2_560, 5_116),
    (liars_dice(1, 6), 294_883, 12_288, 24_571),
    (goofspiel(4), 1_077, 81, 175),
    (leduc(13), 1_179_777, 9_828, 22_933),
]


@pytest.mark.parametrize(("game", "nodes", "infosets", "sequences"), SIZES)
def test_sizes(game: Any, nodes: int, infosets: int, sequences: int) -> None:
    form = build_sequence_form(build_tree(game))
    assert form.tree.num_nodes == nodes
    assert [t.num_infosets for t in form.treeplexes] == [infosets, infosets]
    assert [t.num_sequences for t in form.treeplexes] == [sequences, sequences]


def test_kuhn_is_worth_minus_an_eighteenth() -> None:
    """Kuhn 1950."""
    assert solve(kuhn()).value == pytest.approx(-1 / 18, abs=1e-12)


def test_leduc() -> None:
    """OpenSpiel's sequence_form_lp, and an exact solution of the linear program in fractions
    (-0.08560642407800051...)."""
    for options in ({"solver": "highs"}, {"solver": "clarabel"}):
        solution = solve(leduc(), **options)  # type: ignore[arg-type]
        assert solution.value == pytest.approx(-0.0856064240780, abs=1e-10)
        assert solution.nash_gap < 1e-9


@pytest.mark.parametrize(
    ("ranks", "value"), [(4, -0.1022429212), (5, -0.1127689345), (6, -0.1045436022)]
)
def test_leduc_with_more_ranks(ranks: int, value: float) -> None:
    """Computed once before by another program; telling suits apart changes nothing."""
    assert solve(leduc(ranks, merge_suits=True)).value == pytest.approx(value, abs=1e-9)
    assert solve(leduc(ranks)).value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("sides", "value"), [(3, 1 / 9), (4, 1 / 16), (5, 1 / 125)])
def test_liars_dice(sides: int, value: float) -> None:
    """OpenSpiel's sequence_form_lp."""
    assert solve(liars_dice(1, sides)).value == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_goofspiel_is_fair(cards: int) -> None:
    """The rules are symmetric, so the value is 0; a peer returned 1/42 with 4 cards."""
    assert solve(goofspiel(cards)).value == pytest.approx(0, abs=1e-12)


def test_kuhns_family_of_equilibria() -> None:
    """Kuhn 1950: player 0 bluffs the jack at any rate up to 1/3, bets the king three times as
    often, and never bets the queen first."""
    solution = solve(kuhn())
    assert solution.profile is not None
    form, behavior = solution.game, solution.profile.behaviors[0]
    bet = {
        form.infoset_label(0, h): behavior[form.treeplexes[0].first_sequence[h] + 1]
        for h in range(6)
    }
    assert bet["Q:"] == pytest.approx(0, abs=1e-9)
    assert bet["K:"] == pytest.approx(3 * bet["J:"], abs=1e-9)
    # 'bet' is here the second action, call.
    assert bet["Q:check-bet"] == pytest.approx(bet["J:"] + 1 / 3, abs=1e-9)


@pytest.mark.parametrize("bluff", [0, 0.1, 1 / 3])
def test_each_member_of_kuhns_family_is_certified(bluff: float) -> None:
    form = build_sequence_form(build_tree(kuhn()))
    second = {
        0: {
            "J:": bluff,
            "Q:": 0,
            "K:": 3 * bluff,
            "J:check-bet": 0,
            "Q:check-bet": bluff + 1 / 3,
            "K:check-bet": 1,
        },
        1: {"J:check": 1 / 3, "Q:check": 0, "K:check": 1, "J:bet": 0, "Q:bet": 1 / 3, "K:bet": 1},
    }
    behaviors = []
    for player, treeplex in enumerate(form.treeplexes):
        behavior = np.ones(treeplex.num_sequences)
        for h in range(treeplex.num_infosets):
            p = second[player][str(form.infoset_label(player, h))]
            first = treeplex.first_sequence[h]
            behavior[first : first + 2] = 1 - p, p
        behaviors.append(behavior)
    certificate = certify(form, Profile.from_behaviors(form.treeplexes, behaviors))
    assert certificate.lower == pytest.approx(-1 / 18, abs=1e-13)
    assert certificate.upper == pytest.approx(-1 / 18, abs=1e-13)


def test_von_stengels_matrices() -> None:
    """The constraints and payoffs of von Stengel 1996 for sequences (), l, r, L, R and (), c, d;
    plans as worked out in the docs."""
    form = build_sequence_form(build_tree(von_stengel()))
    (E, e), (F, f) = (t.constraints() for t in form.treeplexes)
    assert E.toarray().tolist() == [[1, 0, 0, 0, 0], [-1, 1, 1, 0, 0], [-1, 0, 0, 1, 1]]
    assert F.toarray().tolist() == [[1, 0, 0], [-1, 1, 1]]
    assert (e.tolist(), f.tolist()) == ([1, 0, 0], [1, 0])
    assert form.operator.to_csr().toarray().tolist() == [
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, -1],
        [0, -2, 4],
        [1, 0, 0],
    ]
    solution = solve(form)
    assert solution.value == pytest.approx(1, abs=1e-14)
    assert solution.profile is not None
    _, _, r, L, _ = solution.profile.plans[0]  # an equilibrium for every L up to a third
    assert r == pytest.approx(3 * L, abs=1e-12)
    assert solution.profile.plans[1] == pytest.approx([1, 1 / 2, 1 / 2], abs=1e-12)
