"""What projective color refinement merges and what it keeps apart, on games that fit on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from abstraction.color_refinement import quotient, refine, refine_colors
from abstraction.tree import TREE
from seqform import TreeBuilder, build_sequence_form, build_tree, solve
from seqform.form.payoff import ZeroSumPayoffs
from seqform.game.rules import CHANCE, TERMINAL
from seqform.results.lift import lift


@dataclass(frozen=True)
class Signal:
    """Chance draws a signal that player 0 sees; both choose a side at once; player 1 pays.

    Parameters
    ----------
    chances
        Of the signals.
    paid
        For each signal, each of player 0's sides and each of player 1's.
    """

    chances: tuple[Any, ...]
    paid: tuple[tuple[tuple[Any, Any], ...], ...]
    num_players: int = 2

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return (CHANCE, 0, 1, TERMINAL)[len(state)]

    def chance(self, state: tuple[int, ...]) -> Sequence[tuple[int, Any]]:
        return list(enumerate(self.chances))

    def actions(self, state: tuple[int, ...]) -> Sequence[int]:
        return range(len(self.paid[state[0]])) if len(state) == 1 else range(2)

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def infoset(self, state: tuple[int, ...]) -> Any:
        return state if len(state) == 1 else "side"

    def payoffs(self, state: tuple[int, ...]) -> tuple[Any, Any]:
        paid = self.paid[state[0]][state[1]][state[2]]
        return (paid, -paid)


def colors_of(game: Signal) -> list[int]:
    """Return the colors of player 0's information sets, one for each signal."""
    found: list[int] = refine(build_sequence_form(build_tree(game))).infosets[0].tolist()
    return found


GUESS = ((3, -1), (-2, 2))
THIRDS = (Fraction(1, 3), Fraction(2, 3))


def test_signals_with_other_chances_and_the_same_play_become_one() -> None:
    assert colors_of(Signal(THIRDS, (GUESS, GUESS))) == [0, 0]


def test_and_so_they_do_if_payoffs_are_scaled() -> None:
    half = tuple(tuple(Fraction(u, 2) for u in row) for row in GUESS)
    assert colors_of(Signal(THIRDS, (GUESS, half))) == [0, 0]


def test_negative_multiples_are_kept_apart() -> None:
    opposite = tuple(tuple(-u for u in row) for row in GUESS)
    assert colors_of(Signal(THIRDS, (GUESS, opposite))) == [0, 1]


def test_actions_correspond_by_what_they_pay() -> None:
    form = build_sequence_form(build_tree(Signal(THIRDS, (GUESS, GUESS[::-1]))))
    coloring = refine(form)
    assert coloring.infosets[0].tolist() == [0, 0]
    assert coloring.sequences[0].tolist() == [0, 1, 2, 2, 1]
    reduced, inverse = refine_colors(form)
    direct, lifted = solve(form, prove=True), lift(solve(reduced), inverse)
    assert lifted.nash_gap < 1e-12
    assert direct.exact is not None
    assert lifted.value == pytest.approx(float(direct.exact.value), abs=1e-12)


def test_a_set_at_which_nothing_is_at_stake_is_no_multiple_of_another() -> None:
    nothing = ((0, 0), (0, 0))
    assert colors_of(Signal((Fraction(1, 3),) * 3, (GUESS, nothing, nothing))) == [0, 1, 1]


@pytest.mark.parametrize(
    ("small", "large", "are_one"),
    [
        (10**17, 10**17 + 4, False),  # one float, two integers
        (1e17, 1e17 + 4, True),  # one float
        (0.5, Fraction(1, 2), True),
        (2**63, 2**63 + 1, False),
        (-(2**63), -(2**63), True),
        (0.1, np.nextafter(0.1, 1).item(), False),
    ],
)
def test_payoffs_are_compared_as_they_are(small: Any, large: Any, are_one: bool) -> None:
    half = Fraction(1, 2) if not isinstance(small, float) else 0.5
    game = Signal((half, half), (((small, 1), (0, 2)), ((large, 1), (0, 2))))
    assert colors_of(game) == [0, 0 if are_one else 1]


@dataclass(frozen=True)
class TwoSignals(Signal):
    """Both players see a signal of their own; player 0 may take 1 instead, player 1 has no choice.

    `paid` has player 0's signals in rows and player 1's in columns, one side each.
    """

    def player(self, state: tuple[int, ...]) -> int:
        return (CHANCE, CHANCE, 0, 1, TERMINAL)[len(state)]

    def chance(self, state: tuple[int, ...]) -> Sequence[tuple[int, Any]]:
        return super().chance(state) if not state else [(0, 0.5), (1, 0.5)]

    def actions(self, state: tuple[int, ...]) -> Sequence[int]:
        return range(2 if len(state) == 2 else 1)

    def infoset(self, state: tuple[int, ...]) -> Any:
        return ("first", state[0]) if len(state) == 2 else ("second", state[1])

    def payoffs(self, state: tuple[int, ...]) -> tuple[Any, Any]:
        paid = 1 if state[2] else self.paid[state[0]][state[1]]
        return (paid, -paid)


def test_floats_are_added_and_not_counted() -> None:
    """Against both signals together all rows pay 0.75, as 0.5 + 0.25 and as 0.375 + 0.375."""
    paid: Any = ((0.5, 0.25), (0.25, 0.5), (0.375, 0.375), (0.375, 0.375))
    assert colors_of(TwoSignals((0.25,) * 4, paid)) == [0, 0, 0, 0]
    paid = ((0.5, 0.25), (0.25, 0.5), (0.375, np.nextafter(0.375, 1).item()), (0.375, 0.375))
    assert len(set(colors_of(TwoSignals((0.25,) * 4, paid)))) > 1


def test_an_opponent_who_has_not_moved_is_none_who_has() -> None:
    """After one signal the first side pays at once, after the other if player 1 chooses so."""
    b = TreeBuilder(2)
    signals = b.chance(b.root, [("one", Fraction(1, 2)), ("other", Fraction(1, 2))])
    for label, node in zip(("one", "other"), signals, strict=True):
        side, sure = b.decision(node, 0, label, ["side", "sure"])
        b.terminal(sure, (1, -1))
        if label == "one":
            b.terminal(side, (2, -2))
        else:
            for paid, leaf in zip((2, 0), b.decision(side, 1, "reply", "lr"), strict=True):
                b.terminal(leaf, (paid, -paid))
    assert refine(build_sequence_form(b.freeze())).infosets[0].tolist() == [0, 1]


EDGE = 2**63


@pytest.mark.parametrize("unit", [1, EDGE // 4 - 1, EDGE // 2, EDGE - 1, EDGE, EDGE + 1, 2 * EDGE])
@pytest.mark.parametrize("copies", [2, 3, 9])
@pytest.mark.parametrize("reduction", ["colors", "tree"])
def test_sums_over_merged_sets_never_wrap(unit: int, copies: int, reduction: str) -> None:
    """A die that only player 0 sees, whose faces change nothing: the game is one matrix."""
    matrix = ((-unit, unit), (unit // 2, -(unit // 3)))
    game = Signal((Fraction(1, copies),) * copies, (matrix,) * copies)
    form = build_sequence_form(build_tree(game))
    reduced, _ = refine_colors(form) if reduction == "colors" else TREE.apply(game)
    payoffs: Any = reduced.payoffs
    assert isinstance(payoffs, ZeroSumPayoffs)
    operator: Any = payoffs.operator
    found = [Fraction(int(n), operator.denominator) for n in operator.numerators]
    assert found == [Fraction(u) for row in matrix for u in row if u]
    a, b, c, d = (Fraction(u) for row in matrix for u in row)
    exact = solve(reduced, prove=True).exact
    assert exact is not None
    assert exact.value == (a * d - b * c) / (a + d - b - c)


class ThreePlayers(Signal):
    """Player 0 guesses what player 2 does; which guess is right depends on the signal."""

    def player(self, state: tuple[int, ...]) -> int:
        return (CHANCE, 0, 1, 2, TERMINAL)[len(state)]

    def actions(self, state: tuple[int, ...]) -> Sequence[int]:
        return range(2)

    def infoset(self, state: tuple[int, ...]) -> Any:
        return state if len(state) == 1 else f"player {len(state) - 1}"

    def payoffs(self, state: tuple[int, ...]) -> Any:
        signal, guess, _, done = state
        return (int(guess == 0 and done == signal), 0, 5 * done)


def test_payoffs_count_against_what_all_others_do() -> None:
    form = build_sequence_form(build_tree(ThreePlayers((Fraction(1, 2),) * 2, (), 3)))
    assert refine(form).infosets[0].tolist() == [0, 1]


def test_where_ties_are_told_apart_so_is_what_follows() -> None:
    """Left and right pay alike, but who goes left is not where right leads."""
    b = TreeBuilder(2)
    for way, node in zip("lr", b.decision(b.root, 0, "way", ["left", "right"]), strict=True):
        for pays, child in zip(
            (1, 0), b.decision(node, 0, f"then {way}", ["up", "down"]), strict=True
        ):
            b.terminal(child, (pays, -pays))
    form = build_sequence_form(b.freeze())
    smaller = quotient(form, refine(form))
    assert [t.num_infosets for t in smaller.treeplexes] == [3, 0]
    assert solve(smaller).value == solve(form).value == 1
