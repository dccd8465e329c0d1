"""Numbers that users give in numpy's small types are what they are: nothing wraps around."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.limit_poker import LimitPoker
from seqform import build_sequence_form, build_tree
from seqform.base.errors import InvalidGameError, UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from seqform.game.signals import outcome_payoffs

KUHN: Any = kuhn()


class Paying(LimitPoker):
    """Kuhn poker with other payoffs at stake 1."""

    paid: Any = None
    pays: Any = None

    def payoffs(self, outcome: str, signals: Any) -> Any:
        if self.pays is not None:
            return self.pays(super().payoffs(outcome, signals))
        return np.repeat(self.paid, len(signals), axis=0)


def poker(**attributes: Any) -> Any:
    game: Any = Paying(
        **{name: getattr(KUHN, name) for name in ("deck", "strength", "ante", "bets", "max_bets")}
    )
    for name, value in attributes.items():
        object.__setattr__(game, name, value)
    return game


@pytest.mark.parametrize(
    "paid",
    [
        np.array([[200, 56]], dtype=np.uint8),
        np.array([[-128, -128]], dtype=np.int8),
        np.array([[2**16 - 1, 1]], dtype=np.uint16),
        np.array([[2**63, 2**63]], dtype=np.uint64),
        np.array([[-(2**63), -(2**63)]]),
        np.array([[np.int8(-128), np.int8(-128)]], dtype=object),
    ],
)
def test_what_wraps_around_to_zero_is_not_zero_sum(paid: Any) -> None:
    game = poker(paid=paid)
    with pytest.raises(UnsupportedGameError, match="R10"):
        _ = SignalStructure(game).payoffs
    form = build_sequence_form(build_tree(game))
    largest = max(abs(int(u)) for u in paid[0])
    assert form.constant_sum is None
    assert form.largest_payoff == 2 * largest  # a bet and a call double the stake


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.float16, np.float32, object])
def test_payoffs_of_any_type_make_the_same_game(kind: Any) -> None:
    game = poker(pays=lambda payoffs: (100 * payoffs.astype(np.int64)).astype(kind))
    structure = SignalStructure(game)
    tree = build_sequence_form(build_tree(game))
    assert tree.largest_payoff == 200
    if np.dtype(kind).kind == "i":
        direct = build_signal_form(structure)
        assert direct.largest_payoff == 200
        assert (direct.operator.to_csr() != tree.operator.to_csr()).nnz == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1j, "1", True, None])
def test_payoffs_that_are_no_numbers_are_refused(bad: Any) -> None:
    game = poker(paid=np.array([[bad, bad]]))
    with pytest.raises(InvalidGameError, match="R5"):
        outcome_payoffs(game, "showdown", np.zeros((3, 2), dtype=np.int32))


def test_fractions_stay_exact() -> None:
    third = np.array([[Fraction(1, 3), -Fraction(1, 3)]])
    found = outcome_payoffs(poker(paid=third), "showdown", np.zeros((2, 2), dtype=np.int32))
    assert found.tolist() == [[Fraction(1, 3), -Fraction(1, 3)]] * 2


def test_copies_are_counted_beyond_their_type() -> None:
    deck = Deck(("a", "b"), tuple(np.array([200, 100], dtype=np.uint8)))
    assert deck.size == 300
    assert deck.num_ways(3) == 300 * 299 * 298


def test_the_largest_payoff_is_of_outcomes_at_their_own_stakes() -> None:
    """A showdown pays a tenth of what a fold pays, and only after a call is the stake doubled."""

    class Folding(LimitPoker):
        def payoffs(self, outcome: str, signals: Any) -> Any:
            return super().payoffs(outcome, signals) * (1 if outcome == "showdown" else 10)

    names = ("deck", "strength", "ante", "bets", "max_bets")
    game = Folding(**{name: getattr(KUHN, name) for name in names})
    direct = build_signal_form(SignalStructure(game))
    assert direct.largest_payoff == build_sequence_form(build_tree(game)).largest_payoff
