"""What is proven in exact arithmetic is, digit for digit, what fractions on the game's tree give
for the rounded plans."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from games.random_games import random_game
from games.textbook import matching_pennies
from seqform import TreeBuilder, build_sequence_form, build_tree, certify, solve
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, UnsupportedGameError
from seqform.exact import interval as exact
from seqform.exact.bracket import interval_of
from seqform.exact.limbs import Layout, choose_layout
from seqform.exact.plan_proof import ProvenInterval, outwards, prove_interval
from seqform.exact.plans import round_plan
from seqform.form.from_signals import build_signal_form
from seqform.form.kronecker import KroneckerPayoff, Lines, Term
from seqform.form.profile import Profile
from seqform.form.protocol import Integers
from seqform.form.sequence_form import SequenceForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.game.observations import SignalStructure
from seqform.game.rules import TERMINAL
from seqform.tree.tree import GameTree
from tests.intervals import LEDUC, chain, form_of, star
from tests.random_signal_games import POKER, random_classes, random_signal_game
from tests.rebuilt import rebuild
from tests.reference import oracles
from tests.reference.exact_values import exact_value, is_plan, matrix_value, proven_interval
from tests.strategies import games, random_profile, seeds, trees

factors = st.sampled_from(
    [
        1,
        Fraction(1, 3),
        Fraction(22, 7),
        2**31 - 1,
        2**50,
        2**70,
        Fraction(2**70, 3**40),
        Fraction(1, 10**20),
    ]
)
bits = st.sampled_from([0, 1, 3, 20, 31, 52])
shifts = st.sampled_from([(0, 0), (3, 4), (Fraction(1, 3), -(10**6)), (2**70, 0)])


def scaled(tree: GameTree, factor: Any, shift: tuple[Any, Any]) -> GameTree:
    """Multiply all payoffs, and add a constant at the ends."""
    constant = lambda node: shift if tree.player[node] == TERMINAL else (0, 0)  # noqa: E731
    return rebuild(
        tree, lambda node, row: [factor * u + s for u, s in zip(row, constant(node), strict=True)]
    )


def as_fractions(proven: ProvenInterval) -> list[list[Fraction]]:
    return [[Fraction(entry, 2**proven.bits) for entry in plan.tolist()] for plan in proven.plans]


def check(game: SequenceForm, proven: ProvenInterval) -> None:
    """Compare with the tree."""
    plans = as_fractions(proven)
    for treeplex, plan in zip(game.treeplexes, plans, strict=True):
        assert is_plan(treeplex, plan)
    assert (proven.lower, proven.upper) == proven_interval(game, plans)
    assert proven.width == proven.upper - proven.lower >= 0


@given(trees(), factors, shifts, bits, seeds, st.booleans())
def test_the_interval_is_that_of_the_rounded_plans(
    tree: GameTree, factor: Any, shift: Any, bits: int, seed: int, sparse: bool
) -> None:
    game = build_sequence_form(scaled(tree, factor, shift))
    profile = random_profile(game, seed, sparse)
    check(game, interval_of(game, profile, bits))


@given(trees(depth=4), factors, shifts, bits, seeds)
def test_the_interval_holds_the_value(
    tree: GameTree, factor: Any, shift: Any, bits: int, seed: int
) -> None:
    assume(all(oracles.num_pure_strategies(tree, player) <= 12 for player in (0, 1)))
    tree = scaled(tree, factor, shift)
    game = build_sequence_form(tree)
    proven = interval_of(game, random_profile(game, seed, sparse=True), bits)
    assert proven.lower <= exact_value(tree) <= proven.upper


def test_the_reference_knows_values() -> None:
    assert exact_value(build_tree(matching_pennies())) == 0
    two_by_two = [[Fraction(2), Fraction(-1)], [Fraction(-1), Fraction(1)]]
    assert matrix_value(two_by_two) == Fraction(1, 5)
    assert matrix_value(
        [[Fraction(3), Fraction(5)], [Fraction(4), Fraction(1)], [Fraction(0), Fraction(0)]]
    ) == Fraction(17, 5)


@given(games(), bits, seeds)
def test_rounded_plans_are_near_and_give_nothing_to_what_has_no_probability(
    game: SequenceForm, bits: int, seed: int
) -> None:
    profile = random_profile(game, seed, sparse=True)
    for treeplex, behavior, plan in zip(
        game.treeplexes, profile.behaviors, profile.plans, strict=True
    ):
        rounded = round_plan(treeplex, behavior, bits)
        assert not rounded[plan == 0].any()
        # half a unit for every action before and including its own, at every information set on the
        # way
        allowed = (
            len(treeplex.runs)
            * int(treeplex.num_actions.max(initial=0))
            * (2.0**-bits / 2 + 4 * 2.0**-53)
        )
        assert np.abs(rounded / 2.0**bits - plan).max() <= allowed


def test_each_action_takes_its_share_of_what_is_left_to_the_nearest_integer() -> None:
    three = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 4], dtype=np.int32))
    third = 1 / 3
    assert round_plan(three, np.array([1, third, third, third]), 3).tolist() == [8, 3, 2, 3]
    assert round_plan(three, np.array([1, 0.9, 0.1, 0.0]), 3).tolist() == [8, 7, 1, 0]
    assert round_plan(three, np.array([1, 5e-324, 0.0, 1.0]), 3).tolist() == [8, 0, 0, 8]


def test_kuhn_is_worth_minus_an_eighteenth() -> None:
    solution = solve(kuhn())
    assert solution.profile is not None
    proven = interval_of(solution.game, solution.profile)
    check(solution.game, proven)
    assert proven.lower <= Fraction(-1, 18) <= proven.upper
    assert proven.width < Fraction(1, 10**15)


@pytest.mark.parametrize("solver", ["highs", "clarabel"])
def test_leduc(solver: str) -> None:
    solution = solve(leduc(), solver=solver)
    assert solution.profile is not None
    proven = interval_of(solution.game, solution.profile)
    check(solution.game, proven)
    assert proven.lower <= LEDUC <= proven.upper
    assert proven.width < Fraction(1, 10**11)
    # the certificate's bounds are of the plans before rounding, and a little wider
    assert solution.lower - 1e-13 <= proven.lower
    assert proven.upper <= solution.upper + 1e-13


@given(games(), seeds, st.integers(0, 10**6), st.sampled_from([1, -1]), st.sampled_from([0, 1]))
def test_a_plan_that_is_one_unit_off_proves_nothing(
    game: SequenceForm, seed: int, where: int, unit: int, player: int
) -> None:
    proven = interval_of(game, random_profile(game, seed), 20)
    plan = proven.plans[player].copy()
    plan[where % len(plan)] += unit
    plans = (plan, proven.plans[1]) if player == 0 else (proven.plans[0], plan)
    with pytest.raises(InvalidStrategyError, match=f"player {player}, "):
        prove_interval(game, plans, [2**20] * 2)
    assert prove_interval(game, proven.plans, [2**20] * 2).lower == proven.lower


def test_sums_that_overflow_are_no_plan() -> None:
    """2**12 entries of 2**52 add up to 0 in int64, and so does nothing."""
    wide = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 2**12 + 2], dtype=np.int32))
    plan = np.full(2**12 + 2, 2**52)
    small = Treeplex(np.zeros(0, dtype=np.int32), np.ones(1, dtype=np.int32))
    matrix = sp.csr_array(np.ones((len(plan), 1)))
    game = form_of((wide, small), SparsePayoff(matrix, np.ones(len(plan), dtype=np.int64)))
    with pytest.raises(InvalidStrategyError, match=f"add up to {(2**12 + 1) * 2**52}"):
        prove_interval(game, (plan, np.array([2**52])), [2**52] * 2)


def test_negative_entries_that_add_up_are_no_plan() -> None:
    three = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 4], dtype=np.int32))
    game = form_of(
        (three, chain(0)), SparsePayoff(sp.csr_array(np.ones((4, 1))), np.ones(4, dtype=np.int64))
    )
    for plan in ([8, 8, 1, -1], [8, 4, 5, -1]):
        with pytest.raises(InvalidStrategyError, match="between 0 and that"):
            prove_interval(game, (np.array(plan), np.array([8])), [8] * 2)


def test_large_entries_that_add_up_in_int64_are_no_plan() -> None:
    five = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 6], dtype=np.int32))
    game = form_of(
        (five, chain(0)), SparsePayoff(sp.csr_array(np.ones((6, 1))), np.ones(6, dtype=np.int64))
    )
    with pytest.raises(InvalidStrategyError, match="between 0 and that"):
        prove_interval(game, (np.array([8, 2**62, 2**62, 2**62, 2**62, 8]), np.array([8])), [8] * 2)


@pytest.mark.parametrize("shape", [chain, star])
@pytest.mark.parametrize("length", [0, 1, 2, 30, 300])
@pytest.mark.parametrize("sign", [1, -1])
def test_nothing_overflows_where_the_bound_is_tight(shape: Any, length: int, sign: int) -> None:
    """All entries are 2**e and all weights 2**bits: every product, sum and best response is as
    large as it may become."""
    treeplex, size = shape(length), length + 1
    matrix = sp.csr_array(np.ones((size, size)))
    profile = Profile.uniform((treeplex, treeplex))
    for exponent in range(0, 80, 1 if length < 300 else 7):
        entries = np.full(
            size * size, sign * 2**exponent, dtype=np.int64 if 2**exponent < 2**63 else object
        )
        game = form_of((treeplex, treeplex), SparsePayoff(matrix, entries))
        for bits in (0, 9, 52):
            proven = interval_of(game, profile, bits)
            assert proven.lower == proven.upper == sign * size * size * 2**exponent


@pytest.mark.parametrize("shape", [(1, 301), (301, 1)])
def test_long_rows_and_long_columns_do_not_overflow(shape: tuple[int, int]) -> None:
    stars = star(shape[0] - 1), star(shape[1] - 1)
    matrix, profile = sp.csr_array(np.ones(shape)), Profile.uniform(stars)
    for exponent in range(63):
        proven = interval_of(
            form_of(stars, SparsePayoff(matrix, np.full(301, 2**exponent))), profile
        )
        assert proven.lower == proven.upper == 301 * 2**exponent


@pytest.mark.parametrize("exponent", range(64))
def test_the_bound_is_of_absolute_values(exponent: int) -> None:
    entries = np.array([-(2**exponent), -(2**exponent), 1, -(2**exponent)])
    pair = chain(1), chain(1)
    proven = interval_of(
        form_of(pair, SparsePayoff(sp.csr_array(np.ones((2, 2))), entries)), Profile.uniform(pair)
    )
    assert proven.lower == proven.upper == 1 - 3 * 2**exponent


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("exponent", range(0, 64, 3))
def test_many_small_numbers_do_not_overflow(sign: int, exponent: int) -> None:
    """Rows of one entry, and thousands of information sets after the empty sequence: only their sum
    is large."""
    pair = star(5000), star(5000)
    entries = np.full(5001, sign * 2**exponent - (exponent == 63))
    proven = interval_of(
        form_of(pair, SparsePayoff(sp.eye_array(5001, format="csr"), entries)),
        Profile.uniform(pair),
    )
    assert proven.lower == proven.upper == 5001 * int(entries[0])


@pytest.mark.parametrize("lines", [(6, 5), (30, 1), (1, 30)])
@pytest.mark.parametrize("classes", [(7, 4), (10, 1), (1, 10)])
def test_dense_terms_do_not_overflow(lines: tuple[int, int], classes: tuple[int, int]) -> None:
    """One term in which everything meets, of equal entries."""
    stars = star(lines[0] * classes[0] - 1), star(lines[1] * classes[1] - 1)
    shape = stars[0].num_sequences, stars[1].num_sequences
    where = [
        Lines(np.arange(count) * width, np.ones(count, dtype=np.int64), width)
        for count, width in zip(lines, classes, strict=True)
    ]
    stakes, signals = (sp.csr_array(np.ones(counts, dtype=np.int64)) for counts in (lines, classes))
    for exponent in range(63):
        for factors in ((2**exponent, 1), (1, 2**exponent)):
            term = Term((where[0], where[1]), stakes * factors[0], signals * factors[1])
            proven = interval_of(
                form_of(stars, KroneckerPayoff(shape, (term,), 1)), Profile.uniform(stars)
            )
            assert proven.lower == proven.upper == shape[0] * shape[1] * 2**exponent


@pytest.mark.parametrize("exponent", range(63))
def test_many_terms_do_not_overflow(exponent: int) -> None:
    """Every term adds 2**exponent to the one sequence of player 0."""
    count = 60
    pair = chain(0), star(count)
    one = sp.csr_array(np.ones((1, 1), dtype=np.int64))

    def line(sequence: int) -> Lines:
        return Lines(np.array([sequence]), np.ones(1, dtype=np.int64), 1)

    terms = [Term((line(0), line(1 + i)), one * 2**exponent, one) for i in range(count)]
    proven = interval_of(
        form_of(pair, KroneckerPayoff((1, count + 1), terms, 1)), Profile.uniform(pair)
    )
    assert proven.lower == proven.upper == count * 2**exponent


def test_the_least_int64_is_not_taken_for_its_absolute_value() -> None:
    entries = np.array([-(2**63)])
    one = chain(0)
    proven = interval_of(
        form_of((one, one), SparsePayoff(sp.csr_array(np.ones((1, 1))), entries)),
        Profile.uniform((one, one)),
    )
    assert proven.lower == proven.upper == -(2**63)


def test_every_layout_is_used() -> None:
    found = {
        (min(3, layout.count), layout.dtype)
        for layout in (
            choose_layout(Integers(1, 2**e, 31 * 2**e, 62), 52, (chain(30), star(30)))
            for e in range(80)
        )
    }
    assert found == {(1, np.int64), (2, np.int64), (3, np.int64), (1, object)}


@given(games(), st.integers(0, 75), st.sampled_from([1, 30, 52]), seeds)
def test_limbs_are_python_ints(game: SequenceForm, exponent: int, bits: int, seed: int) -> None:
    """Random payoffs of any size, compared with the same in Python ints and no limbs."""
    rng = np.random.default_rng(seed)
    operator = game.operator
    assert operator is not None
    matrix = operator.to_csr()
    entries = [
        int(rng.integers(-(2**40), 2**40, endpoint=True)) * 2**exponent // 2**40
        for _ in range(matrix.nnz)
    ]
    fits = max(map(abs, entries), default=0) < 2**63
    numerators = np.array(entries, dtype=np.int64 if fits else object)
    game = game.with_operator(SparsePayoff(matrix, numerators, 7))
    profile = random_profile(game, seed, sparse=True)
    proven = interval_of(game, profile, bits)
    assert prove_in(Layout(1, 62, object), game, profile, bits) == (proven.lower, proven.upper)


def prove_in(
    layout: Layout, game: SequenceForm, profile: Profile, bits: int
) -> tuple[Fraction, Fraction]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "choose_layout", lambda *_: layout)
        proven = interval_of(game, profile, bits)
    return proven.lower, proven.upper


@given(games(), st.sampled_from([0, 1, 2, 5, 9]), st.integers(1, 6), seeds)
def test_narrow_limbs_are_python_ints(game: SequenceForm, bits: int, width: int, seed: int) -> None:
    """Small numbers in more limbs than they need, so that many limbs are equal and the order of the
    rest matters."""
    operator = game.operator
    assert operator is not None
    entries = np.random.default_rng(seed).integers(-2, 2, operator.num_nonzeros, endpoint=True)
    game = game.with_operator(SparsePayoff(operator.to_csr(), entries))
    profile = random_profile(game, seed, sparse=True)
    proven = interval_of(game, profile, bits)
    assert prove_in(Layout(1 + 30 // width, width), game, profile, bits) == (
        proven.lower,
        proven.upper,
    )


def on_tree(game: Any) -> SequenceForm:
    return build_sequence_form(build_tree(game))


@given(st.integers(0, 100_000), bits)
def test_kronecker_products_prove_what_matrices_do(seed: int, bits: int) -> None:
    game = random_signal_game(seed)
    structure = SignalStructure(game)
    for classes in (structure.identity, random_classes(structure, seed)):
        form = build_signal_form(structure, classes)
        profile = random_profile(form, seed, sparse=True)
        proven = interval_of(form, profile, bits)
        assert form.operator is not None
        written = interval_of(form.with_operator(form.operator.to_sparse()), profile, bits)
        assert (proven.lower, proven.upper) == (written.lower, written.upper)
    form = build_signal_form(structure)
    check(on_tree(game), interval_of(form, random_profile(form, seed), bits))


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc", "rhode island, 3x2", "liar's dice, 2 dice of 2 sides"]
)
def test_poker_without_its_tree(name: str) -> None:
    form = build_signal_form(SignalStructure(POKER[name]))
    proven = interval_of(form, random_profile(form, 1))
    check(on_tree(POKER[name]), proven)


@pytest.mark.parametrize("power", [8, 20, 26, 28, 40])
def test_large_stakes_and_signals(power: int) -> None:
    """Both factors of every term multiplied: the products pass the limits of int64, the factors do
    not."""
    form = build_signal_form(SignalStructure(POKER["leduc, 5 ranks"]))
    operator = form.operator
    assert isinstance(operator, KroneckerPayoff)
    factor = 2**power - 1
    terms = [
        Term(term.lines, term.stakes * factor, term.signals * factor) for term in operator.terms
    ]
    large = form.with_operator(KroneckerPayoff(operator.shape, terms, operator.denominator))
    profile = random_profile(form, 1)
    small, proven = interval_of(form, profile), interval_of(large, profile)
    assert (proven.lower, proven.upper) == (factor**2 * small.lower, factor**2 * small.upper)


@given(st.fractions(), st.fractions(0), st.integers(1, 20))
def test_decimals_are_rounded_outwards(lower: Fraction, width: Fraction, digits: int) -> None:
    nothing: Any = None  # plans and game are not looked at
    proven = ProvenInterval(lower, lower + width, 0, nothing, nothing)
    low, high = map(Fraction, outwards(proven, digits))
    assert low <= lower <= lower + width <= high
    for printed, number in ((low, lower), (high, lower + width)):
        assert abs(printed - number) <= abs(number) * Fraction(10) ** (1 - digits)


def test_what_cannot_be_proven_exactly_is_refused() -> None:
    def paying(*rows: tuple[Any, Any]) -> SequenceForm:
        b = TreeBuilder(2)
        for node, row in zip(b.decision(b.root, 0, "h", ["a", "b"]), rows, strict=True):
            b.terminal(node, row)
        return build_sequence_form(b.freeze())

    for game, words in (
        (paying((0.5, -0.5), (1, -1)), "floats; give all as int or Fraction"),
        (paying((1, -1.0), (2, -2)), "float here; give all payoffs as int or Fraction"),
        (paying((1, 1), (2, 2)), "R10"),
        (build_sequence_form(random_game(players=3)), "R10"),
    ):
        with pytest.raises(UnsupportedGameError, match=words):
            interval_of(game, Profile.uniform(game.treeplexes))


def test_what_is_no_strategy_is_refused() -> None:
    game = build_sequence_form(matching_pennies())
    even = Profile.uniform(game.treeplexes)
    for many in (-1, 53):
        with pytest.raises(InvalidParameterError, match=f"bits={many}: use 0 to 52"):
            interval_of(game, even, many)
    with pytest.raises(InvalidStrategyError, match="belongs to another game"):
        interval_of(game, Profile.uniform(build_sequence_form(build_tree(kuhn())).treeplexes))
    for wrong in (np.nan, np.inf, -0.5):
        behavior = np.array([1, wrong, 0.5])
        with pytest.raises(InvalidStrategyError, match="finite and not negative"):
            interval_of(game, Profile((behavior, behavior), even.plans))
    with pytest.raises(InvalidStrategyError, match="information set 0: the integers add up to 0"):
        interval_of(game, Profile((np.array([1.0, 0, 0]), even.behaviors[1]), even.plans))
    proven = interval_of(game, even)
    with pytest.raises(InvalidStrategyError, match="int64"):
        prove_interval(game, (proven.plans[0].astype(float), proven.plans[1]), [2**52] * 2)  # type: ignore[arg-type]
    with pytest.raises(InvalidStrategyError, match="starts with 2"):
        prove_interval(game, proven.plans, [2**51] * 2)


def test_the_certificate_and_the_proof_agree_on_a_larger_deck() -> None:
    form = build_signal_form(SignalStructure(POKER["rhode island, 4x2"]))
    profile = Profile.uniform(form.treeplexes)
    certificate, proven = certify(form, profile), interval_of(form, profile)
    assert certificate.lower <= proven.lower <= certificate.lower + 1e-9
    assert certificate.upper - 1e-9 <= proven.upper <= certificate.upper
