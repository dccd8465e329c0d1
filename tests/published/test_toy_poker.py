"""Toy poker with closed forms, solved in fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from games.akq import akq
from games.clairvoyance import bets_of_one, clairvoyance, value
from games.no_limit_betting import no_limit_betting
from games.no_limit_rules import NoLimitRules
from games.unit_interval import limit, unit_interval
from seqform import solve
from seqform.base.errors import InvalidGameError, InvalidParameterError, UnknownNameError
from seqform.base.number import ratio
from seqform.form.hands import HandGame
from seqform.game.betting_tree import BettingTree


def exact(game: HandGame) -> Any:
    found = solve(game, exact=True).exact
    assert found is not None
    return found


@pytest.mark.parametrize(("ante", "bet"), [(1, 1), (2, 2), (3, 2), (2, 3), (5, 1), (1, 2), (1, 5)])
def test_half_a_street_of_akq(ante: int, bet: int) -> None:
    won = Fraction(bet * (2 * ante - bet), 6 * (2 * ante + bet))
    assert exact(akq("half", ante, bet)).value == max(won, 0)


@pytest.mark.parametrize("ante", [1, 7])
def test_a_full_street_of_akq_is_kuhn_poker(ante: int) -> None:
    assert exact(akq("full", ante, ante)).value == -Fraction(ante, 18)


@pytest.mark.parametrize(
    ("streets", "bet", "nuts", "air", "pot"),
    [
        *[(1, "100%", 1, 1, 2), (2, "100%", 1, 1, 2), (2, "50%", 3, 4, 2), (2, "1/3", 1, 2, 5)],
        *[(3, "1.5", 1, 7, 3), (3, "1.5", 1, 2, 3), (4, "25%", 2, 5, 1), (1, "10", 1, 9, 1)],
    ],
)
def test_clairvoyance(streets: int, bet: str, nuts: int, air: int, pot: int) -> None:
    wanted = value([ratio(bet)] * streets, Fraction(nuts, nuts + air), Fraction(pot))
    assert exact(clairvoyance(streets, bet, nuts, air, pot)).value == wanted


def clairvoyant(betting: BettingTree, nuts: int, air: int) -> HandGame:
    return replace(clairvoyance(nuts=nuts, air=air), betting=betting)


def test_geometric_bets_win_most() -> None:
    pot, probability = Fraction(2), Fraction(1, 4)
    found = {}
    for first in (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(4)):
        left = 8 - pot * first
        shares = [first] + [left / (pot + 2 * pot * first)] * (left > 0)
        found[first] = exact(clairvoyant(bets_of_one(shares, pot), 1, 3)).value
        assert found[first] == value(shares, probability, pot)
    assert max(found, key=found.__getitem__) == 1  # (sqrt(1 + 2 * 8 / 2) - 1) / 2


@pytest.mark.parametrize("sizes", ["oop bet e", "bet 50%,100%,a; raise 50%,a", "oop bet a"])
def test_the_largest_bet_is_best_on_one_street(sizes: str) -> None:
    """The knowing player bets all, whatever else it or the other may bet."""
    betting = no_limit_betting(NoLimitRules(2, 8, sizes))
    wanted = value([Fraction(4)], Fraction(1, 4), Fraction(2))
    assert exact(clairvoyant(betting, 1, 3)).value == wanted


@pytest.mark.parametrize("model", ["von-neumann", "borel"])
@pytest.mark.parametrize(("ante", "bet"), [(1, 2), (1, 1), (3, 2)])
def test_the_unit_interval_is_the_limit_of_grids(model: str, ante: int, bet: int) -> None:
    aim = limit(model, ante, bet)
    for hands in (5, 20, 50):
        found = exact(unit_interval(hands, model, ante, bet)).value
        assert abs(found - aim) <= Fraction(ante, 2 * hands)


@pytest.mark.parametrize(
    ("make", "given", "error", "why"),
    [
        (akq, {"street": "ful"}, UnknownNameError, "no street 'ful' .did you mean 'full'"),
        (akq, {"ante": 0}, InvalidParameterError, "ante=0 is too small"),
        (akq, {"bet": 0}, InvalidParameterError, "bet=0 is too small"),
        (clairvoyance, {"streets": 0}, InvalidParameterError, "streets=0 is too small"),
        (clairvoyance, {"streets": 21}, InvalidParameterError, "streets=21 is too large"),
        (clairvoyance, {"bet": "0"}, InvalidParameterError, "bet='0': use a share"),
        (clairvoyance, {"bet": "1/0"}, InvalidParameterError, "bet='1/0': use a share"),
        (clairvoyance, {"bet": "pot"}, InvalidParameterError, "bet='pot': use a share"),
        (clairvoyance, {"bet": "1/101"}, InvalidParameterError, "denominator up to 100"),
        (clairvoyance, {"bet": "101"}, InvalidParameterError, "at most 100 times"),
        (clairvoyance, {"nuts": 0}, InvalidParameterError, "nuts=0 is too small"),
        (clairvoyance, {"air": 0}, InvalidParameterError, "air=0 is too small"),
        (clairvoyance, {"pot": 0}, InvalidParameterError, "pot=0 is too small"),
        (unit_interval, {"hands": 0}, InvalidParameterError, "hands=0 is too small"),
        (unit_interval, {"model": "nash"}, UnknownNameError, "there is no model 'nash'"),
        (unit_interval, {"bet": 0}, InvalidParameterError, "bet=0 is too small"),
        (unit_interval, {"ante": 0}, InvalidParameterError, "ante=0 is too small"),
    ],
)
def test_bad_parameters_are_refused(make: Any, given: Any, error: Any, why: str) -> None:
    with pytest.raises(error, match=why):
        make(**given)


def test_amounts_that_no_array_holds_are_refused() -> None:
    with pytest.raises(InvalidGameError, match=r"R5: .* does not fit into 64 bits"):
        clairvoyance(20, "99/100", pot=10**9)
