"""Games of hands in which payoffs add up to different amounts, as with a rake."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seqform import build_sequence_form, build_tree
from seqform.concepts.judge import responses
from seqform.concepts.nash import certify
from seqform.exact.bracket import gains_of
from seqform.exact.gains import values_and_gains
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.hand_form import GeneralHandForm, hand_form
from seqform.form.hand_passage import HandPassage
from seqform.form.hand_payoffs import HandPayoffs
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.profile import Profile
from seqform.form.treeplex import Treeplex
from tests.examples import examples
from tests.laws.test_hand_forms import entries
from tests.random_hand_games import FEW_BOARDS, random_hand_game
from tests.reference.hand_rules import HandRules
from tests.symmetric_hand_games import any_hand_game, random_strategy, small_hand_game

SEEDS = st.integers(0, 100_000)
UNIT = Fraction(1, 2**53)
MORE = Fraction(101, 100)
"""Bounds are rounded, too, and higher orders are left out of them."""


def raked(seed: int, *, symmetric: bool = True) -> tuple[GeneralHandForm, HandPayoffs]:
    """Return the form of a random game, unless its payoffs happen to have a constant sum."""
    make = any_hand_game if symmetric else random_hand_game
    form = hand_form(make(seed, zero_sum=False, most_boards=FEW_BOARDS))
    assume(form.constant_sum is None)
    assert isinstance(form, GeneralHandForm)
    assert isinstance(form.payoffs, HandPayoffs)
    return form, form.payoffs


def exactly(
    payoffs: HandPayoffs, player: int, plans: list[np.ndarray], *, positive: bool = False
) -> list[Fraction]:
    """Return a gradient in fractions, entry by entry."""
    places, numbers = payoffs.entries(player)
    size = payoffs.operators[player].shape[player]
    found, over = [Fraction(0)] * size, payoffs.denominator(player)
    for own, other, number in zip(
        places[player].tolist(), places[1 - player].tolist(), numbers.tolist(), strict=True
    ):
        amount = abs(number) if positive else number
        found[own] += Fraction(amount, over) * Fraction(float(plans[1 - player][other]))
    return found


@given(SEEDS, st.sampled_from([0, 30]))
@examples(12, 25)
def test_products_are_those_of_the_entries_up_to_their_bounds(seed: int, digits: int) -> None:
    form, payoffs = raked(seed)
    rng = np.random.default_rng(seed)
    plans = [
        rng.random(t.num_sequences) * 10.0 ** rng.uniform(-digits, digits, t.num_sequences)
        for t in form.treeplexes
    ]
    for player in (0, 1):
        true, sizes = (exactly(payoffs, player, plans, positive=of) for of in (False, True))
        found, magnitude = form.gradient(player, plans), form.absolute_gradient(player, plans)
        errors = form.error_gradient(player, plans)
        assert errors is not None
        share = form.roundings(player) * UNIT
        for place, size in enumerate(sizes):
            bound = share * size + MORE * Fraction(errors[place])
            assert abs(Fraction(found[place]) - true[place]) <= bound
            assert Fraction(magnitude[place]) + bound >= size


@given(SEEDS)
@settings(max_examples=25)
def test_entries_are_counted_and_listed_alike(seed: int) -> None:
    _, payoffs = raked(seed)
    listed = payoffs.listed
    assert payoffs.num_nonzeros >= listed.num_nonzeros
    for player in (0, 1):
        places, numbers = payoffs.entries(player)
        both = listed.numerators[player]
        assert both is not None
        paying = both != 0
        for mine, theirs in zip(places, listed.sequences[paying].T, strict=True):
            assert (mine == theirs).all()
        assert (numbers == both[paying]).all()
        assert payoffs.denominator(player) == listed.denominators[player]
        assert payoffs.matrix(player, payoffs.operators[player].shape).numerators is not None


@given(SEEDS)
@examples(20, 40)
def test_strategies_kept_by_hands_prove_what_vectors_prove(seed: int) -> None:
    form, _ = raked(seed)
    kept = random_strategy(form.structure, seed).in_form(form)
    plain = form.profile(kept.behaviors)
    assert isinstance(form.through(kept), HandPassage)
    assert isinstance(form.through(plain), ExplicitPassage)
    for mine, theirs in zip(responses(form, kept), responses(form, plain), strict=True):
        assert mine.value == pytest.approx(theirs.value, abs=mine.error + theirs.error)
        assert mine.best == pytest.approx(theirs.best, abs=mine.widened + theirs.widened)
        assert mine.error < 1e-9


@given(SEEDS)
@examples(12, 25)
def test_certified_gains_are_at_least_the_true_ones_and_hardly_more(seed: int) -> None:
    form, _ = raked(seed, symmetric=False)
    kept = _of_eighths(form.structure, seed).in_form(form)
    plain = form.profile(kept.behaviors)
    plans = [_whole(t, b) for t, b in zip(form.treeplexes, plain.behaviors, strict=True)]
    values, gains = values_and_gains(form, [p for p, _ in plans], [over for _, over in plans])
    for profile in (kept, plain):
        _check(form, profile, values, gains)


def _check(
    form: GeneralHandForm,
    profile: Profile,
    values: tuple[Fraction, ...],
    gains: tuple[Fraction, ...],
) -> None:
    found = certify(form, profile)
    assert np.isnan(found.lower)
    for player, one in enumerate(responses(form, profile)):
        assert abs(Fraction(found.values[player]) - values[player]) <= Fraction(one.error)
        assert gains[player] <= Fraction(found.gains[player])
        assert found.gains[player] <= float(gains[player]) + 1e-7  # weights of 1 beside 1000


def _of_eighths(structure: HandStructure, seed: int) -> HandStrategy:
    """Return a random strategy in multiples of 1/8."""
    tables = random_strategy(structure, seed).behaviors
    made = []
    for of in tables:
        found = {}
        for node, table in of.items():
            eighths = np.floor(table * 8)
            eighths[:, 0] += 8 - eighths.sum(axis=1)
            found[node] = eighths / 8
        made.append(found)
    return HandStrategy(structure, made)


def _whole(treeplex: Treeplex, behavior: np.ndarray) -> tuple[np.ndarray, int]:
    """Return a plan in integers, and what they are over."""
    over = 8**treeplex.num_runs
    plan = [Fraction(1)]
    for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
        first, stop = treeplex.first_sequence[infoset : infoset + 2].tolist()
        plan += [plan[parent] * Fraction(float(of)) for of in behavior[first:stop]]
    return np.array([int(of * over) for of in plan], dtype=object), over


@given(SEEDS)
@examples(12, 25)
def test_proven_gains_are_those_of_vectors(seed: int) -> None:
    form, _ = raked(seed)
    kept = random_strategy(form.structure, seed, sparse=True).in_form(form)
    found, wanted = gains_of(form, kept), gains_of(form, form.profile(kept.behaviors))
    assert (found.values, found.gains) == (wanted.values, wanted.gains)
    assert all((a == b).all() for a, b in zip(found.plans, wanted.plans, strict=True))


@pytest.mark.parametrize("room", [4, 24, 40])
def test_proven_gains_are_the_same_in_limbs_and_in_integers_of_any_size(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = [(seed, hand_form(small_hand_game(seed, zero_sum=False))) for seed in range(20)]
    raked_ones = [of for of in forms if isinstance(of[1], GeneralHandForm)]
    assert len(raked_ones) > 8
    for seed, form in raked_ones:
        assert isinstance(form, GeneralHandForm)
        kept = random_strategy(form.structure, seed).in_form(form)
        wanted = gains_of(form, form.profile(kept.behaviors))
        monkeypatch.setattr("seqform.form.hand_passage.ROOM", room)
        assert gains_of(form, kept).gains == wanted.gains


@given(SEEDS)
@examples(12, 25)
def test_both_are_paid_what_the_tree_pays(seed: int) -> None:
    form, _ = raked(seed, symmetric=False)
    tree = build_sequence_form(build_tree(HandRules(form.structure.game)))
    assert (form.constant_sum, form.num_nodes) == (tree.constant_sum, tree.num_nodes)
    for player in (0, 1):
        assert entries(form, player) == entries(tree, player)
