"""Every term of the bound on rounding errors is needed: for each there is a game in which nothing
else makes up for it. The numbers are such that every rounding goes the same way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from operator import add
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from seqform import TreeBuilder, build_sequence_form, certify
from seqform.base.pairwise_sum import additions, most_additions
from seqform.concepts.judge import response
from seqform.concepts.rounding import of_plan
from seqform.form.hand_form import hand_form
from seqform.form.hand_strategy import HandStrategy
from seqform.form.kronecker import KroneckerPayoff, Lines, Term
from seqform.form.payoff import PayoffOperator, ZeroSumPayoffs
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.profile import Profile
from seqform.form.restricted_payoff import RestrictedPayoff
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import UNIT_ROUNDOFF as U
from seqform.form.treeplex import Treeplex
from tests.best_hand_games import best_hand_game
from tests.reference.pairwise_sum import deepest, pairwise_sum

N = 1000


def chain(length: int, actions: int = 1) -> Treeplex:
    """Information sets one below the other, each below the first action of the one before."""
    first = 1 + actions * np.arange(length + 1, dtype=np.int32)
    parents = np.append(0, first[: max(0, length - 1)])[:length]
    return Treeplex(parents.astype(np.int32), first)


def star(length: int) -> Treeplex:
    """Information sets of one action side by side."""
    return Treeplex(np.zeros(length, dtype=np.int32), np.arange(1, length + 2, dtype=np.int32))


def form_of(first: Treeplex, second: Treeplex, operator: PayoffOperator) -> ZeroSumForm:
    payoffs, nowhere = ZeroSumPayoffs(operator), None
    return ZeroSumForm((first, second), payoffs, nowhere, "points", 1.0, 0)  # type: ignore[arg-type]


def column(entries: Sequence[float]) -> sp.csr_array:
    return sp.csr_array(np.array(entries)[:, None])


def check(form: SequenceForm, value: Fraction, profile: Profile | None = None) -> None:
    """See that bounds hold a value that nobody can change."""
    certificate = certify(form, profile or Profile.uniform(form.treeplexes))
    assert Fraction(certificate.lower) <= value <= Fraction(certificate.upper)
    assert certificate.upper - certificate.lower < 20 * N * U


LOST = [1.0, *[0.75 * U] * N]
"""Added one by one, this is 1: each addition is rounded down."""

TOTAL = 1 + N * Fraction(0.75 * U)


@pytest.mark.parametrize("sign", [1, -1])
def test_additions_along_a_row(sign: int) -> None:
    matrix = sign * column(LOST)
    check(form_of(chain(0), star(N), SparsePayoff(matrix.T.tocsr())), sign * TOTAL)


@pytest.mark.parametrize("sign", [1, -1])
def test_additions_along_a_column(sign: int) -> None:
    """The weights of a chain are all 1, and only its last sequence has payoffs of its own."""
    check(form_of(star(N), chain(0), SparsePayoff(sign * column(LOST))), sign * TOTAL)


def kronecker(stakes: Any, signals: Any, lines: Sequence[Lines]) -> Term:
    return Term((lines[0], lines[1]), sp.csr_array(stakes), sp.csr_array(signals))


LOST_INTEGERS = np.array([[2**53, *[1] * N]])


def at(*first: int, classes: int = 1) -> Lines:
    return Lines(np.array(first), np.ones(len(first), dtype=np.int64), classes)


@pytest.mark.parametrize(
    "terms",
    [
        [kronecker(LOST_INTEGERS, [[1]], [at(0), at(*range(N + 1))])],
        [kronecker([[1]], LOST_INTEGERS, [at(0), at(0, classes=N + 1)])],
        [
            kronecker([[stake]], [[1]], [at(0), at(line)])
            for line, stake in enumerate(LOST_INTEGERS[0].tolist())
        ],
    ],
    ids=["stakes", "signals", "terms"],
)
@pytest.mark.parametrize("exchanged", [False, True])
def test_additions_in_kronecker_products(terms: list[Term], exchanged: bool) -> None:
    operator, players = KroneckerPayoff((1, N + 1), terms, 2**53), [chain(0), star(N)]
    if exchanged:
        operator, players = operator.exchanged(), players[::-1]
    value = 1 + N * Fraction(U)
    check(form_of(*players, operator), -value if exchanged else value)


def test_additions_in_a_tensor() -> None:
    """Player 0 gets nothing by its second action, which it takes; the first pays a little more than
    floats can say."""
    sequences = np.array([(1, s) for s in range(N + 1)], dtype=np.int32)
    weights = np.stack([LOST, np.zeros(N + 1)], axis=1)
    one = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 3], dtype=np.int32))
    payoffs = PayoffTensor(sequences, weights, (None, None), (1, 1))
    form = SequenceForm((one, star(N)), payoffs, None, "points", 1.0, 0)  # type: ignore[arg-type]
    profile = Profile.from_behaviors(form.treeplexes, [np.array([1.0, 0, 1]), np.ones(N + 1)])
    assert Fraction(certify(form, profile).gains[0]) >= TOTAL


def test_additions_in_the_treeplex() -> None:
    """All follow the empty sequence, and are added to it one by one."""
    check(form_of(star(N), chain(0), SparsePayoff(column(LOST))), TOTAL)
    row = column(LOST).T.tocsr()
    check(form_of(chain(0), star(N), SparsePayoff(-row)), -TOTAL)


@pytest.mark.parametrize("player", [0, 1])
def test_probabilities_that_do_not_quite_sum_to_one(player: int) -> None:
    """Each pair sums to 1 + u, which is 1 in floats: what is meant is both divided by it."""
    long = chain(N, actions=2)
    behavior = np.append(1.0, np.tile([1 - U, 2 * U], N))
    matrix = np.zeros((1, long.num_sequences))
    matrix[0, 2 * N - 1] = 1.0  # the end of the chain
    sign = 1 if player == 0 else -1
    players, payoff = [long, chain(0)], sp.csr_array(matrix.T)
    behaviors = [behavior, np.ones(1)]
    if player == 1:
        players, payoff, behaviors = players[::-1], -payoff.T.tocsr(), behaviors[::-1]
    form = form_of(*players, SparsePayoff(payoff))
    certificate = certify(form, Profile.from_behaviors(form.treeplexes, behaviors))
    meant = sign * ((1 - Fraction(U)) / (1 + Fraction(U))) ** N
    bound = certificate.lower if player == 0 else certificate.upper
    assert (Fraction(bound) - meant) * sign <= 0


@pytest.mark.parametrize("payoff", [3e-300, 7e-300, 1.1e-299, -3e-300, -7e-300, -1.1e-299])
def test_products_below_the_least_float(payoff: float) -> None:
    """Player 1 takes the only action that pays with probability 1e-24."""
    b = TreeBuilder(2)
    for leaf, paid in zip(b.decision(b.root, 1, "h", "ab"), (payoff, 0.0), strict=True):
        b.terminal(leaf, (paid, -paid))
    form = build_sequence_form(b.freeze())
    profile = Profile.from_behaviors(form.treeplexes, [np.ones(1), np.array([1.0, 1e-24, 1.0])])
    certificate = certify(form, profile)
    exact = Fraction(payoff) * Fraction(1e-24) / (Fraction(1e-24) + 1)
    assert exact <= Fraction(certificate.upper)
    assert certificate.upper <= 1e-24 * payoff + 1e-320


@pytest.mark.parametrize("sign", [1, -1])
def test_entries_below_the_least_float(sign: int) -> None:
    b = TreeBuilder(2)
    rare, often = b.chance(b.root, [("rare", 1e-240), ("often", 1.0)])
    b.terminal(rare, (sign * 1e-240, -sign * 1e-240))
    b.terminal(often, (0.0, 0.0))
    check(build_sequence_form(b.freeze()), sign * Fraction(1e-240) ** 2)


def test_many_entries_below_the_least_float() -> None:
    """Each loses nearly half of it, and there are more of them than sequences."""
    b = TreeBuilder(2)
    *rare, often = b.chance(b.root, [*((i, 1e-24) for i in range(256)), ("often", 1.0)])
    for i, node in enumerate(rare):
        middle = b.decision(node, 0, i % 16, ["go"])[0]
        b.terminal(b.decision(middle, 1, 16 + i // 16, ["go"])[0], (2.4e-300, -2.4e-300))
    b.terminal(often, (0.0, 0.0))
    check(build_sequence_form(b.freeze()), 256 * Fraction(1e-24) * Fraction(2.4e-300))


def test_weights_below_the_least_float() -> None:
    """The weight of 1e-330 is 0 as a float, and what it is paid 1e200."""
    b = TreeBuilder(2)
    once, _ = never = b.decision(b.root, 1, "h", "ab")
    twice = b.decision(once, 1, "i", "ab")
    for leaf, paid in zip([*twice, never[1]], (1e200, 0.0, 0.0), strict=True):
        b.terminal(leaf, (paid, -paid))
    form = build_sequence_form(b.freeze())
    rare = np.array([1.0, 1e-165, 1.0, 1e-165, 1.0])
    profile = Profile.from_behaviors(form.treeplexes, [np.ones(1), rare])
    assert Fraction(certify(form, profile).upper) >= Fraction(1e200) * Fraction(1e-165) ** 2 / 2


def merged(form: SequenceForm, together: int) -> SequenceForm:
    """Merge so many of player 0's information sets at a time, which have one action each."""
    infosets = np.arange(form.treeplexes[0].num_infosets)
    count = len(infosets) // together
    images = (np.append(0, 1 + infosets // together), np.zeros(1))
    members = (together * np.arange(count), np.zeros(0, dtype=np.int64))
    return form.quotient((star(count), chain(0)), [i.astype(np.int32) for i in images], members)


@pytest.mark.parametrize(
    ("together", "numbers"),
    [
        (2, (1.0, U, -1.0, U)),
        (2, (0.1, 0.7)),
        (4, (1.0, -U / 2, -1.0, 3 * U)),
        (16, (1.0, *[U] * 15, -1.0, *[U] * 15, *[0.0] * 224)),
    ],
)
def test_payoffs_that_cancel_where_they_are_merged(together: int, numbers: Sequence[float]) -> None:
    """What is left of their sum is smaller than the errors of adding them, even if that is done in
    two steps."""
    b = TreeBuilder(2)
    chances = [1 / len(numbers)] * len(numbers)
    for i, node in enumerate(b.chance(b.root, list(enumerate(chances)))):
        payoff = numbers[i] * len(numbers)
        b.terminal(b.decision(node, 0, i, ["go"])[0], (payoff, -payoff))
    form = build_sequence_form(b.freeze())
    value = sum(map(Fraction, numbers), Fraction(0))
    check(form, value)
    while form.treeplexes[0].num_infosets > 1:
        form = merged(form, together)
        check(form, value)


@pytest.mark.parametrize("length", [8, 16, 128, 129, 1024, 5000])
def test_sums_of_numpy(length: int) -> None:
    """A block of 128 has eight running sums; each loses what is added to it."""
    for period in (1, 2, 8, 128):
        numbers = np.where(np.arange(length) % 128 < period, 1.0, U)
        error = abs(Fraction(float(numbers.sum())) - sum(map(Fraction, numbers.tolist())))
        assert error <= additions(length) * Fraction(U) * Fraction(float(numbers.sum()))


def test_numpy_sums_in_the_order_of_the_reference() -> None:
    rng = np.random.default_rng(0)
    for length in (*range(1, 600), 4999, 8193, 40000):
        terms = rng.normal(size=length) * 2.0 ** rng.integers(-20, 20, length)
        assert pairwise_sum(terms.tolist(), add) == float(terms.sum()), length


def test_additions_of_sums_are_those_of_the_reference() -> None:
    counts = [deepest(length) for length in range(1, 2000)]
    assert [additions(length) for length in range(1, 2000)] == counts
    assert additions(0) == 0
    spare = [most_additions(i) - most for i, most in enumerate(accumulate(counts, max), 1)]
    assert min(spare) == 0


@pytest.mark.parametrize("player", [0, 1])
def test_additions_of_what_a_followed_plan_is_paid(player: int) -> None:
    """The model reaches all leaves of a binary tree alike; each pays a sequence of its own."""
    infosets = 2**14 - 1
    leaves, sign = infosets + 1, 1 - 2 * player
    tree = Treeplex(np.arange(infosets), 1 + 2 * np.arange(infosets + 1))
    paid = sign * leaves * np.array([1.0, *[0.75 * U] * (leaves - 1)])
    places = infosets + np.arange(leaves), 1 + np.arange(leaves)
    matrix = sp.csr_array((paid, places), shape=(tree.num_sequences, 1 + leaves))
    players = [tree, star(leaves)]
    plans = Profile.uniform(players).plans
    if player == 1:
        players, matrix = players[::-1], matrix.T.tocsr()
    depth = of_plan(tree)
    operator = RestrictedPayoff.of(SparsePayoff(matrix), player, plans[0], 1.0, depth)
    value = sign * (1 + (leaves - 1) * Fraction(0.75 * U))
    check(form_of(players[0], players[1], operator), value)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("by_vectors", [False, True])
def test_additions_of_hands_as_stronger_as_equal_and_as_weaker(
    player: int, by_vectors: bool
) -> None:
    """One hand beats all of the other's, and each of three additions of these loses as much."""
    paid, weights = 2**40 + 3, [2**52, *[2**39 - 2**27] * N]
    form = hand_form(best_hand_game(player, (paid, paid - 1, paid - 2), weights))
    structure = form.origin.hands
    assert structure is not None
    kept = HandStrategy.uniform(structure).in_form(form)
    profile = form.profile(kept.behaviors) if by_vectors else kept
    value, certificate = (1 - 2 * player) * Fraction(paid), certify(form, profile)
    assert Fraction(certificate.lower) <= value <= Fraction(certificate.upper)
    found = response(form, profile, player)
    off = paid - Fraction(found.value)
    assert 2 * N * Fraction(U) * paid < off <= Fraction(found.error)
    assert found.error < 5 * N * U * paid


def test_what_a_constant_sum_hides_is_in_the_gains() -> None:
    """By the probabilities as given player 1's large constant is paid a little more often left."""
    b = TreeBuilder(2)
    left, right = b.decision(b.root, 1, "h", ["left", "right"])
    shares = ((0.1, 0.7, 0.2), (0.5, 0.25, 0.25))
    assert sum(map(Fraction, shares[0])) < 1
    for node, chances in zip((right, left), shares, strict=True):
        for end in b.chance(node, list(zip("abc", chances, strict=True))):
            b.terminal(end, (0.0, 1e9))
    form = build_sequence_form(b.freeze())
    assert form.constant_sum == 1e9
    plays_right = Profile.from_behaviors(form.treeplexes, [np.ones(1), np.array([1.0, 0.0, 1.0])])
    gain = (1 - sum(map(Fraction, shares[0]))) * 10**9
    assert Fraction(certify(form, plays_right).gains[1]) >= gain > 0


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_exploitability_is_the_mean_of_the_gains(players: int) -> None:
    b = TreeBuilder(players)
    nodes = [b.root]
    for player in range(players):
        nodes = [child for node in nodes for child in b.decision(node, player, player, "ab")]
    for i, node in enumerate(nodes):  # each gets 1 by its second action, whatever others do
        b.terminal(node, [i >> (players - 1 - player) & 1 for player in range(players)])
    form = build_sequence_form(b.freeze())
    first = [np.array([1.0, 1.0, 0.0])] * players
    certificate = certify(form, Profile.from_behaviors(form.treeplexes, first))
    assert certificate.nash_gap == pytest.approx(players, abs=1e-12)
    assert certificate.exploitability == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("weight", [1e-8, 1e-12, 1e-100, 5e-324])
def test_information_sets_reached_however_rarely_keep_their_behavior(weight: float) -> None:
    treeplex = chain(2, actions=2)
    plan = np.array([1.0, weight, 1.0, weight, 0.0])
    assert treeplex.to_behavior(plan)[3:].tolist() == [1.0, 0.0]
    plan[[1, 3]] = 0.0
    assert treeplex.to_behavior(plan)[3:].tolist() == [0.5, 0.5]


def test_the_error_of_a_value_counts_the_additions_of_numpy() -> None:
    """The largest loses what its running sum adds to it."""
    form = form_of(star(N), chain(0), SparsePayoff(column(LOST)))
    found = response(form, Profile.uniform(form.treeplexes), 0)
    off = TOTAL - Fraction(found.value)
    assert 9 * Fraction(U) < off <= Fraction(found.error)
    assert found.error < 100 * U


def test_the_error_of_a_value_counts_what_is_below_the_least_float() -> None:
    form = form_of(chain(1), chain(0), SparsePayoff(column([0.0, 1e-300])))
    profile = Profile.uniform(form.treeplexes)
    profile.plans[0][1] = 1e-30
    found = response(form, profile, 0)
    assert found.value == 0
    assert Fraction(1e-300) * Fraction(1e-30) <= Fraction(found.error)
    assert found.error < 1e-320


@pytest.mark.parametrize("player", [0, 1, 2])
def test_the_widest_bound_is_told(player: int) -> None:
    """Only one player is paid anything, so that its bound alone is wider than the least floats."""
    b = TreeBuilder(3)
    b.terminal(b.root, [float(other == player) for other in range(3)])
    form = build_sequence_form(b.freeze())
    assert U < certify(form, Profile.uniform(form.treeplexes)).rounding < 100 * U


def test_probabilities_that_are_off_by_as_much_as_is_accepted() -> None:
    """Ten that sum to 1 + 9u are taken as they are: what is meant is all divided by it."""
    actions, length = 10, 100
    one = np.append(1 - 9 * U, [2 * U] * 9)
    assert one.sum() > 1
    long = chain(length, actions)
    behavior = np.append(1.0, np.tile(one, length))
    assert long.normalize(behavior)[1] == one[0]
    payoff = np.zeros((long.num_sequences, 1))
    payoff[1 + actions * (length - 1)] = 1.0
    form = form_of(long, chain(0), SparsePayoff(sp.csr_array(payoff)))
    certificate = certify(form, Profile.from_behaviors(form.treeplexes, [behavior, np.ones(1)]))
    meant = (Fraction(one[0]) / sum(map(Fraction, one))) ** length
    assert Fraction(certificate.lower) <= meant <= Fraction(certificate.upper)


def test_a_long_way_below_the_least_float() -> None:
    """More sequences lose something than there are payoffs."""
    long, last = chain(1100, actions=2), 2 * 1100 - 1
    matrix = sp.csr_array((np.ones(1), ([0], [last])), shape=(1, long.num_sequences))
    form = form_of(chain(0), long, SparsePayoff(matrix))
    certificate = certify(form, Profile.uniform(form.treeplexes))
    assert Fraction(1, 2**1100) <= Fraction(certificate.upper)
    assert certificate.upper < 1e-300


def test_many_payoffs_below_the_least_float() -> None:
    """Each product with a plan loses nearly half of the least float; there are more of them than
    sequences."""
    side = 16
    one = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 2 + side], dtype=np.int32))
    payoffs = np.zeros((2, 2 + side))
    payoffs[1, 1:-1] = 2.4e-300
    form = form_of(chain(1), one, SparsePayoff(sp.csr_array(payoffs)))
    behavior = np.array([1.0, *[1e-24] * side, 1.0])
    certificate = certify(form, Profile.from_behaviors(form.treeplexes, [np.ones(2), behavior]))
    assert side * Fraction(1e-24) * Fraction(2.4e-300) <= Fraction(certificate.upper)
    assert certificate.upper < 1e-300
