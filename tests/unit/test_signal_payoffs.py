"""Payoffs of signal games by hand: what is exact, what is staked, and who is paid by what."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from seqform import build_sequence_form, build_tree
from seqform.base.errors import InvalidGameError, UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import outcome_payoffs
from tests.random_signal_games import Public, RandomSignalGame


def ends(*stakes: Any, outcomes: str = "uuuu") -> tuple[Public, ...]:
    return tuple(
        Public(TERMINAL, dealt=2, end=end, stake=stake)
        for stake, end in zip(stakes, outcomes, strict=False)
    )


def game(tree: Public, table: Any = (1, -2), copies: tuple[int, ...] = (2, 1)) -> RandomSignalGame:
    """Return a game in which each player sees one card; the table is looked up by their sum."""
    weights = {"u": np.array([1, 1], dtype=np.int32), "v": np.array([0, 1], dtype=np.int32)}
    deck = Deck(tuple("xyz"[: len(copies)]), copies)
    return RandomSignalGame(deck, tree, (0, 1), weights, np.array(table))


def dealt(public: Public) -> Public:
    return Public(CHANCE, (Public(CHANCE, (public,), 1),), 0)


def check_as_the_tree(signal_game: RandomSignalGame) -> Any:
    direct = build_signal_form(SignalStructure(signal_game))
    by_tree = build_sequence_form(build_tree(signal_game))
    for mine, theirs in zip(direct.treeplexes, by_tree.treeplexes, strict=True):
        assert mine.parent_sequence.tolist() == theirs.parent_sequence.tolist()
        assert mine.first_sequence.tolist() == theirs.first_sequence.tolist()
    assert abs(direct.operator.to_csr() - by_tree.operator.to_csr()).max() < 1e-12
    assert direct.largest_payoff == by_tree.largest_payoff
    return direct


def test_both_players_act_and_stakes_are_fractions_or_nothing() -> None:
    """Player 0 has three actions; after the first player 1 has two, and then player 0 again."""
    again = Public(0, ends(Fraction(1, 3), Fraction(-3, 2), outcomes="uv"), 2)
    answer = Public(1, (again, *ends(0)), 2)
    direct = check_as_the_tree(game(dealt(Public(0, (answer, *ends(5, -4, outcomes="vu")), 2))))
    assert direct.largest_payoff == 10
    assert direct.operator.denominator == 6 * 3 * 2  # thirds and halves, in six ways to deal


def test_only_player_1_acts() -> None:
    direct = check_as_the_tree(game(dealt(Public(1, ends(1, 2, 3), 2))))
    assert [treeplex.num_sequences for treeplex in direct.treeplexes] == [1, 7]


def test_a_move_may_come_before_the_cards() -> None:
    """Player 0 knows no card at first, and one at its second move."""
    late = dealt(Public(0, ends(1, -1), 2))
    direct = check_as_the_tree(game(Public(0, (late, dealt(Public(1, ends(2, 7), 2))), 0)))
    assert direct.treeplexes[0].parent_sequence.tolist() == [0, 1, 1]


def test_information_sets_are_numbered_by_own_moves_made_before() -> None:
    """Left player 0 moves twice, right it waits for player 1: the last node has the second set."""
    left = Public(0, (Public(0, ends(1, 2), 2), *ends(3)), 2)
    right = Public(1, (Public(1, (Public(0, ends(4, 5), 2),), 2),), 2)
    direct = check_as_the_tree(game(dealt(Public(1, (left, right), 2))))
    assert direct.treeplexes[0].parent_sequence.tolist() == [0, 0, 0, 0, 1, 3]


def test_nobody_is_paid_where_nothing_is_staked() -> None:
    direct = check_as_the_tree(game(dealt(Public(0, ends(0, 0), 2))))
    assert direct.operator.kronecker_terms == ()
    assert direct.largest_payoff == 0
    assert direct.payoff_scale == 1


def test_the_largest_payoff_has_its_own_stake() -> None:
    """Stakes of 7 on one outcome, and payoffs of 5 in another, never come together."""
    tree = dealt(Public(0, ends(7, -2, outcomes="uv"), 2))
    weights = {"u": np.array([0, 0], dtype=np.int32), "v": np.array([1, 1], dtype=np.int32)}
    base = game(tree, table=(1, -5))
    chosen = RandomSignalGame(base.deck, tree, (0, 1), weights, base.table)
    assert check_as_the_tree(chosen).largest_payoff == 10


@pytest.mark.parametrize("stake", [0.5, Fraction(1, 2)])
@pytest.mark.parametrize("payoff", [1.0, 1])
def test_floats_need_a_tree(stake: Any, payoff: Any) -> None:
    structure = SignalStructure(game(dealt(Public(0, ends(1, stake), 2)), table=(payoff, -payoff)))
    if isinstance(stake, Fraction) and isinstance(payoff, int):
        assert build_signal_form(structure).operator.is_exact
    else:
        with pytest.raises(UnsupportedGameError, match="needs a tree unless stakes are int"):
            build_signal_form(structure)


def test_one_outcome_of_floats_needs_a_tree() -> None:
    class Mixed(RandomSignalGame):
        def payoffs(self, outcome: str, signals: Any) -> Any:
            return super().payoffs(outcome, signals) * (1.0 if outcome == "v" else 1)

    base = game(dealt(Public(0, ends(1, 1, outcomes="uv"), 2)))
    mixed = Mixed(base.deck, base.tree, base.recipients, base.weights, base.table)
    with pytest.raises(UnsupportedGameError, match="integer arrays"):
        build_signal_form(SignalStructure(mixed))


@pytest.mark.parametrize("error", [UnsupportedGameError("no ranks"), MemoryError("no room")])
def test_what_rules_refuse_and_memory_are_no_mistakes_of_theirs(error: Exception) -> None:
    class Refusing(RandomSignalGame):
        def payoffs(self, outcome: str, signals: Any) -> Any:
            raise error

    base = game(dealt(Public(0, ends(1, 2), 2)))
    refusing = Refusing(base.deck, base.tree, base.recipients, base.weights, base.table)
    with pytest.raises(type(error)) as raised:
        outcome_payoffs(refusing, "u", np.zeros((1, 2), dtype=np.int32))
    assert raised.value is error


def paid_as(payoffs: Any) -> Any:
    """Return what rules pay that return this array for one deal."""

    class Paying(RandomSignalGame):
        def payoffs(self, outcome: str, signals: Any) -> Any:
            return payoffs

    base = game(dealt(Public(0, ends(1, 2), 2)))
    paying = Paying(base.deck, base.tree, base.recipients, base.weights, base.table)
    return outcome_payoffs(paying, "u", np.zeros((1, 2), dtype=np.int32))


@pytest.mark.parametrize(
    ("least", "largest", "given", "becomes"),
    [
        (-127, 127, np.int8, np.int8),
        (-128, 127, np.int8, np.int64),
        (-(2**15), 0, np.int16, np.int64),
        (0, 0, np.uint8, np.int64),
        (1, 255, np.uint8, np.int64),
        (1 - 2**63, 0, np.int64, np.int64),
        (-(2**63), 0, np.int64, object),
        (0, 2**63 - 1, np.uint64, np.int64),
        (0, 2**63, np.uint64, object),
    ],
)
def test_payoffs_are_of_a_type_that_holds_their_negatives(
    least: int, largest: int, given: Any, becomes: Any
) -> None:
    paid = paid_as(np.array([[least, largest]], dtype=given))
    assert paid.dtype == becomes
    assert paid.tolist() == [[least, largest]]


def test_payoffs_of_floats_stay_floats_and_are_finite() -> None:
    assert paid_as(np.array([[1.5, -1.5]])).dtype == np.float64
    with pytest.raises(InvalidGameError, match="inf"):
        paid_as(np.array([[1.5, np.inf]]))
