"""Sums and products of integers at the edges of int64 and of doubles: exact, or refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from abstraction.equitable import equitable
from games.kuhn import kuhn
from seqform import build_sequence_form
from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.exact.plans import check_plan
from seqform.form.from_signals import build_signal_form
from seqform.form.kronecker import KroneckerPayoff, Lines, Term, abs_max
from seqform.form.payoff_sums import ratios, sums_at
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.payoffs_from_tree import payoffs_from_tree
from seqform.form.treeplex import Treeplex
from seqform.game.deals import Deals, Deck
from seqform.game.observations import SignalStructure
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree
from tests.rebuilt import staked

HALF = Fraction(1, 2)
PAIR = Deck(("low", "high"), (1, 1))


def coin(payoff: int) -> GameTree:
    """A coin is tossed, and player 0 gets the payoff both ways; nobody moves."""
    builder = TreeBuilder(2)
    for side in builder.chance(builder.root, [("heads", HALF), ("tails", HALF)]):
        builder.terminal(side, [payoff, -payoff])
    return builder.freeze()


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("payoff", "kind"), [(2**63 - 2, np.int64), (2**63, object), (2**63 + 2, object)]
)
def test_leaves_that_meet_add_up_to_more_than_int64(sign: int, payoff: int, kind: type) -> None:
    """Each leaf has half of the payoff, which fits, and both together all of it."""
    numerators = build_sequence_form(coin(sign * payoff)).operator.to_sparse().numerators
    assert numerators is not None
    assert numerators.tolist() == [sign * payoff]
    assert numerators.dtype == kind


def test_the_point_where_most_leaves_meet_counts() -> None:
    builder = TreeBuilder(2)
    out, on = builder.decision(builder.root, 0, "first", ["out", "on"])
    builder.terminal(out, [1, -1])
    for side in builder.chance(on, [("heads", HALF), ("tails", HALF)]):
        builder.terminal(side, [2**63, -(2**63)])
    numerators = build_sequence_form(builder.freeze()).operator.to_sparse().numerators
    assert numerators is not None
    assert (numerators / numerators[0]).tolist() == [1, 2**63]


def test_payoffs_are_added_up_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("seqform.form.payoffs_from_tree.check_time", said.append)
    build_sequence_form(coin(1))
    assert said == ["adding up payoffs"]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("each", "kind"), [(2**62 - 1, np.int64), (2**62, object)])
def test_merged_payoffs_add_up_to_more_than_int64(sign: int, each: int, kind: type) -> None:
    sums = sums_at(np.array([1, sign * each]), np.array([0, 1]), 2)
    assert sums.tolist() == [1, sign * each]
    sums = sums_at(np.array([sign * each] * 2), np.array([1, 1]), 2)
    assert sums.tolist() == [0, 2 * sign * each]
    assert sums.dtype == kind


@pytest.mark.parametrize("edge", [2**63 - 1, -(2**63), 2**62, -(2**62) - 1])
def test_sums_at_the_edge_of_int64_are_those_of_python(edge: int) -> None:
    numbers = np.array([edge, edge, edge, -1], dtype=np.int64)
    found = sums_at(numbers, np.array([0, 1, 1, 2]), 3)
    assert [int(n) for n in found] == [edge, 2 * edge, -1]


def test_large_floats_stay_floats_when_added_up() -> None:
    sums = sums_at(np.array([1e300, 2e300, 0.5]), np.array([0, 0, 1]), 2)
    assert sums.tolist() == [3e300, 0.5]
    assert sums.dtype == np.float64


def test_ratios_are_rounded_once() -> None:
    """Beyond 2**53 an integer is no double: rounding it first would change the quotient."""
    numerators = [1, 2**53 - 1, 2**53 + 1, 2**53 + 3, 2**62 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]
    denominators = [1, 3, 5, 7, 11, 13, 2**53 + 1, 3 * 2**52 + 1, 2**64 + 1]
    for over, under in product(numerators, denominators):
        found = ratios(np.array([over, 0], dtype=np.int64), under)
        assert found.tolist() == [float(Fraction(over, under)), 0.0]


def test_payoffs_meet_where_all_players_sequences_are_the_same() -> None:
    """Numbers of meeting points stay apart, and in order, for sizes whose product is no int64."""
    size, most = 2**31, 2**31 - 1
    corners = [most, most - 2**20, 5, 0]
    sequences = np.array(sorted(product(range(4), repeat=3)), dtype=np.int32)
    payoffs = PayoffTensor(sequences, np.ones((64, 3)), (None,) * 3, (1,) * 3)
    images = np.array(corners, dtype=np.int32)
    merged = payoffs.merged([images] * 3, [size] * 3)
    assert merged.sequences.tolist() == sorted(map(list, product(corners, repeat=3)))


def test_the_last_number_of_a_meeting_point_fits_too() -> None:
    """Three times the number before is 2**63 - 2, and then 2 is added."""
    images = np.array([0, (2**63 - 2) // 3 >> 31]), np.array([0, (2**63 - 2) // 3 % 2**31])
    sequences = np.array([[0, 0, 0], [1, 1, 1]], dtype=np.int32)
    payoffs = PayoffTensor(sequences, np.ones((2, 3)), (None,) * 3, (1,) * 3)
    all_images = [image.astype(np.int32) for image in (*images, np.array([0, 2]))]
    merged = payoffs.merged(all_images, [2**31, 2**31, 3])
    assert merged.sequences.tolist() == [[0, 0, 0], [int(image[1]) for image in all_images]]


@pytest.mark.parametrize("players", [3, 5])
def test_nodes_meet_where_many_players_sequences_are_the_same(players: int) -> None:
    """Players with 2**22 sequences: the number of a meeting point has 66 bits, and more."""
    builder = TreeBuilder(players)
    outcomes = [(i, Fraction(1, 4)) for i in range(4)]
    for leaf in builder.chance(builder.root, outcomes):
        builder.terminal(leaf, range(1, players + 1))
    tree = builder.freeze()
    size = 2**22
    wide = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, size], dtype=np.int32))
    at_node = np.zeros((players, tree.num_nodes), dtype=np.int32)
    at_node[0, 1:] = [2**21, 0, 2**20, 2**20]
    payoffs = payoffs_from_tree(tree, [wide] * players, at_node)
    assert isinstance(payoffs, PayoffTensor)
    assert payoffs.sequences[:, 0].tolist() == [0, 2**20, 2**21]


def test_integers_of_a_plan_are_added_up_in_full() -> None:
    """Two actions of 2**62 each make 2**63; four and another one wrap around to 2**62."""
    for count, sums in ((2, 2**63), (5, 2**64 + 2**62)):
        first = np.array([1, count + 1, count + 2], dtype=np.int32)
        treeplex = Treeplex(np.zeros(2, dtype=np.int32), first)
        with pytest.raises(InvalidStrategyError, match=f"add up to {sums}, "):
            check_plan(treeplex, np.full(count + 2, 2**62), 2**62)


def one_term(stake: int, signal: int) -> KroneckerPayoff:
    lines = Lines(np.array([0]), np.array([1]), 1)
    factors = (sp.csr_array(np.array([[number]])) for number in (stake, signal))
    return KroneckerPayoff((1, 1), (Term((lines, lines), *factors),), 1)


@pytest.mark.parametrize("signs", list(product((1, -1), repeat=2)))
def test_entries_of_kronecker_products_fit_or_are_refused(signs: tuple[int, int]) -> None:
    """The largest entry may be a negative one."""
    fits = one_term(signs[0] * (2**31 - 1), signs[1] * 2**32).to_sparse()
    assert fits.numerators is not None
    assert fits.numerators.tolist() == [signs[0] * signs[1] * (2**31 - 1) * 2**32]
    with pytest.raises(UnsupportedGameError, match="too many digits"):
        one_term(signs[0] * 2**31, signs[1] * 2**32).to_sparse()


def test_any_term_may_have_the_largest_entry() -> None:
    small, large = one_term(1, 1), one_term(2**31, 2**32)
    for terms in ((*small.terms, *large.terms), (*large.terms, *small.terms)):
        with pytest.raises(UnsupportedGameError, match="too many digits"):
            replace(small, terms=terms).to_sparse()


def test_the_largest_entry_is_found_at_either_end() -> None:
    for row, expected in (([-3, 2], 3), ([-2, 3], 3), ([0, 0], 0), ([-(2**63), 1], 2**63)):
        assert abs_max(sp.csr_array(np.array([row]))) == expected
    assert abs_max(sp.csr_array((2, 2), dtype=np.int64)) == 0


def test_observations_of_many_cards_stay_apart() -> None:
    """The codes of two of 46,341 cards go beyond 2**31."""
    cards = 46_341
    deck = Deck(tuple(range(cards)), (1,) * cards)
    deals = Deals(deck, 2, 2**31, first_signals=[0, cards - 1])
    seen = deals.observation(2, (0, 1))
    assert (seen == np.arange(deals.count(2))).all()


def test_what_is_seen_again_tells_nothing_new() -> None:
    """Codes that were renumbered are counted anew: they may soon be too long again."""
    ten = Deals(Deck(tuple(range(10)), (1,) * 10), 5, 10**6)
    assert (ten.observation(5, (0, 1, 2, 3, 4) * 4) == np.arange(ten.count(5))).all()
    cards = 46_341
    many = Deals(Deck(tuple(range(cards)), (1,) * cards), 1, 2**31, first_signals=[0, 100])
    assert many.observation(1, (0, 0, 0)).tolist() == [0, 1]


class Copies:
    """Kuhn poker with so many copies of each card."""

    def __init__(self, copies: int) -> None:
        self.deck = Deck(("J", "Q", "K"), (copies,) * 3)

    def __getattr__(self, name: str) -> Any:
        return getattr(KUHN, name)


KUHN: Any = kuhn()


def test_ways_to_deal_that_do_not_fit_are_refused() -> None:
    """2**31 copies of three cards can be dealt in 9 * 2**62 ways, and 2**29 in 9 * 2**58."""
    structure = SignalStructure(Copies(2**29))
    assert structure.deals.ways(2).sum() == structure.game.deck.num_ways(2)
    equitable(structure)
    with pytest.raises(UnsupportedGameError, match="ways to deal 2 signals"):
        equitable(SignalStructure(Copies(2**31)))


def test_ways_to_throw_dice_fit_or_are_refused() -> None:
    """2**21 sides of a die, of two kinds, come up in 2**42 and in 2**63 ways."""
    deals = Deals(Deck(("low", "high"), (2**20, 2**20), replacement=True), 3, 100)
    assert deals.ways(2).tolist() == [2**40] * 4
    with pytest.raises(UnsupportedGameError, match="ways to deal 3 signals"):
        deals.ways(3)


def test_stakes_fit_or_are_refused() -> None:
    """Stakes are antes of one and bets of one: 1 and 2."""
    fits = build_signal_form(SignalStructure(staked(2**62 - 1)))
    assert fits.operator.numerator_bound() >= 2 * (2**62 - 1)
    with pytest.raises(UnsupportedGameError, match=r"stakes .* 63 bits"):
        build_signal_form(SignalStructure(staked(2**62)))
    with pytest.raises(UnsupportedGameError, match=r"stakes .* 63 bits"):
        build_signal_form(SignalStructure(staked(-(2**62))))


@pytest.mark.parametrize("sign", [1, -1])
def test_payoffs_by_ways_to_deal_fit_or_are_refused(sign: int) -> None:
    """Two cards are dealt in two ways, which are added up where nobody has acted."""
    fits, wraps = (
        SignalStructure(staked(1, sign * largest, PAIR)) for largest in (2**62 - 1, 2**62)
    )
    assert build_signal_form(fits).operator.is_exact
    with pytest.raises(UnsupportedGameError, match=r"payoffs .* 63 bits"):
        build_signal_form(wraps)
