"""A game of hands board by board, up to symmetry: it proves what whole vectors prove."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform.concepts.judge import response
from seqform.concepts.nash import certify
from seqform.exact.bracket import interval_of
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.hand_form import HandForm, hand_form
from seqform.form.hand_passage import HandPassage
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hands import HandRange
from seqform.form.profile import Profile
from tests.best_hand_games import best_hand_game
from tests.examples import examples
from tests.reference.block_cfr import cfr, gradients
from tests.symmetric_hand_games import any_hand_game, random_strategy, symmetric_hand_game

SEEDS = st.integers(0, 100_000)


def drawn(seed: int, **how: Any) -> tuple[HandForm, HandStrategy]:
    """Return a random game and random strategies of it."""
    form = hand_form(any_hand_game(seed))
    assert isinstance(form, HandForm)
    structure = form.origin.hands
    assert structure is not None
    return form, random_strategy(structure, seed, **how)


def both(form: HandForm, strategy: HandStrategy) -> tuple[Profile, Profile]:
    """Return the profile that is kept by hands, and the same one by vectors."""
    kept = strategy.in_form(form)
    plain = form.profile(kept.behaviors)
    assert isinstance(form.through(kept), HandPassage)
    assert isinstance(form.through(plain), ExplicitPassage)
    return kept, plain


def test_games_with_symmetries_boards_and_lines_that_are_all_in_are_drawn() -> None:
    structures = [hand_form(symmetric_hand_game(seed)).origin.hands for seed in range(1, 60)]
    several = [of for of in structures if of is not None and len(of.symmetries) > 1]
    assert len(several) > 20
    assert sum(of.num_dealt == 2 for of in several) > 4
    assert any(of.orbits[-1].size.max() > 2 for of in several)


@examples(15, 60)
@given(SEEDS, st.booleans(), st.sampled_from([np.float64, np.float32]))
def test_a_certificate_contains_what_is_true_and_is_that_of_vectors(
    seed: int, sparse: bool, dtype: Any
) -> None:
    form, strategy = drawn(seed, sparse=sparse, dtype=dtype)
    kept, plain = both(form, strategy)
    found, wanted = certify(form, kept), certify(form, plain)
    off = found.rounding + wanted.rounding
    assert found.lower == pytest.approx(wanted.lower, abs=off)
    assert found.upper == pytest.approx(wanted.upper, abs=off)
    assert found.values == pytest.approx(wanted.values, abs=1e-12)
    assert max(map(max, found.residuals)) < 1e-15
    true = interval_of(form, plain)
    rounded = Fraction(1, 2**40)  # of the plans, which are integers there
    assert found.lower <= true.lower + rounded
    assert found.upper >= true.upper - rounded


@examples(15, 60)
@given(SEEDS)
def test_certificates_hold_where_weights_are_of_all_sizes(seed: int) -> None:
    """Sums by shared cards cancel: hands that weigh little are behind those that weigh much."""
    game, rng = any_hand_game(seed), np.random.default_rng(seed)
    mine, theirs = (
        HandRange(held.hands, 2 ** rng.integers(0, 50, held.num_hands)) for held in game.ranges
    )
    form = hand_form(replace(game, ranges=(mine, theirs)))
    assert isinstance(form, HandForm)
    structure = form.origin.hands
    assert structure is not None
    kept, plain = both(form, random_strategy(structure, seed, sparse=True))
    found, true = certify(form, kept), interval_of(form, plain)
    assert found.lower <= true.lower + Fraction(1, 2**40)
    assert found.upper >= true.upper - Fraction(1, 2**40)
    for player in (0, 1):
        assert response(form, kept, player).best >= response(form, plain, player).value - 1e-9


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("paid", "weights"),
    [((2**62 - 1, 0, 1 - 2**62), [3, 1, 2]), ((1, 0, -1), [2**53 - 1] * 1100)],
    ids=["stakes", "weights"],
)
def test_stakes_and_weights_may_add_up_to_more_than_64_bits_hold(
    player: int, paid: tuple[int, int, int], weights: list[int]
) -> None:
    form = hand_form(best_hand_game(player, paid, weights))
    structure, value = form.origin.hands, (1 - 2 * player) * paid[0]
    assert structure is not None
    kept = HandStrategy.uniform(structure).in_form(form)
    found, proven = certify(form, kept), interval_of(form, kept)
    assert Fraction(found.lower) <= value <= Fraction(found.upper)
    assert found.upper - found.lower < 1e-11 * paid[0]
    assert proven.lower == proven.upper == value


@examples(15, 60)
@given(SEEDS, st.sampled_from([52, 7]))
def test_proven_intervals_are_those_of_vectors(seed: int, bits: int) -> None:
    form, strategy = drawn(seed, sparse=True)
    kept, plain = both(form, strategy)
    found, wanted = interval_of(form, kept, bits), interval_of(form, plain, bits)
    assert (found.lower, found.upper) == (wanted.lower, wanted.upper)
    assert len(found.plans) == 2
    assert all((a == b).all() for a, b in zip(found.plans, wanted.plans, strict=True))


@pytest.mark.parametrize("room", [4, 24, 40])
@pytest.mark.parametrize("seed", range(1, 12))
def test_intervals_are_the_same_in_limbs_and_in_integers_of_any_size(
    seed: int, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    form, strategy = drawn(seed)
    kept, plain = both(form, strategy)
    wanted = interval_of(form, plain)
    monkeypatch.setattr("seqform.form.hand_passage.ROOM", room)
    found = interval_of(form, kept)
    assert (found.lower, found.upper) == (wanted.lower, wanted.upper)


@given(SEEDS)
def test_integers_stay_within_their_bounds(seed: int) -> None:
    form, strategy = drawn(seed)
    passage = form.through(strategy.in_form(form))
    integers = passage.integers()
    rng = np.random.default_rng(seed)
    whole = 2 ** max(0, 62 - integers.bound.bit_length())
    plans = [rng.integers(0, whole, t.num_sequences).astype(np.int64) for t in passage.treeplexes]
    laid = [
        passage.laid_out(player, [plan, plan.astype(object)]) for player, plan in enumerate(plans)
    ]
    for block in passage.blocks():
        few, many = zip(*(of.on(block) for of in laid), strict=True)
        for player in (0, 1):
            found = block.numerators(player, few)[0]
            plain = block.numerators(player, many)[0]
            assert (found == plain).all()
            assert np.abs(plain).max(initial=0) <= integers.bound * whole


@given(SEEDS)
def test_what_is_paid_is_no_further_off_than_its_errors_say(seed: int) -> None:
    """Against the same in Python ints, entry by entry; so the sums that cancel are bounded."""
    game, rng = any_hand_game(seed), np.random.default_rng(seed)
    mine, theirs = (
        HandRange(held.hands, 3 ** rng.integers(0, 30, held.num_hands)) for held in game.ranges
    )
    form = hand_form(replace(game, ranges=(mine, theirs))).zero_sum().without_constant()
    structure, whole = form.origin.hands, 2**40
    assert structure is not None
    passage = form.through(random_strategy(structure, seed).in_form(form))
    over = passage.integers().denominator * whole
    plans = [rng.integers(0, whole, t.num_sequences) for t in passage.treeplexes]
    laid = [
        passage.laid_out(player, [plan.astype(object), plan / whole])
        for player, plan in enumerate(plans)
    ]
    for block in passage.blocks():
        exact, floats = zip(*(of.on(block) for of in laid), strict=True)
        for player in (0, 1):
            listed = block.paid(player, floats).listed()
            true = block.numerators(player, exact)[0]
            pairs = zip(
                *(
                    of[0].ravel().tolist()
                    for of in (listed.gradient, listed.magnitude, listed.errors)
                ),
                true.ravel().tolist(),
                strict=True,
            )
            for paid, size, error, numerator in pairs:
                assert abs(Fraction(paid) - Fraction(numerator, over)) <= Fraction(error)
                assert abs(Fraction(numerator, over)) <= Fraction(size) * (1 + Fraction(1, 2**40))


@given(SEEDS)
def test_gradients_are_those_of_vectors(seed: int) -> None:
    form, strategy = drawn(seed)
    kept, plain = both(form, strategy)
    passage = form.through(kept)
    assert isinstance(passage, HandPassage)
    plans = [t.to_plan(b) for t, b in zip(passage.treeplexes, passage.behaviors, strict=True)]
    found = gradients(passage, plans)
    for player, of in enumerate(passage.sequences):
        gradient = form.gradient(player, plain.plans)
        wanted = np.bincount(of.images(), gradient, of.num_sequences)
        assert found[player] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("seed", [8, 17])
def test_an_engine_that_knows_blocks_alone_solves_them(seed: int) -> None:
    form, strategy = drawn(seed)
    passage = form.through(strategy.in_form(form))
    assert isinstance(passage, HandPassage)
    before = certify(form, strategy.in_form(form)).nash_gap
    made = cfr(passage, 30)
    tables = [of.as_tables(made[player]) for player, of in enumerate(passage.sequences)]
    solved = HandStrategy(strategy.structure, tables)
    assert certify(form, solved.in_form(form)).nash_gap < before / 4


@examples(15, 60)
@given(SEEDS)
def test_symmetries_change_nothing(seed: int) -> None:
    """The same strategies by all boards: each stands for itself."""
    form, strategy = drawn(seed)
    kept, plain = both(form, strategy)
    apart = form_keeping(form).of(form, plain)
    assert apart.structure is not strategy.structure or len(strategy.structure.symmetries) == 1
    found, wanted = certify(form, apart.in_form(form)), certify(form, kept)
    assert found.lower == pytest.approx(wanted.lower, abs=found.rounding + wanted.rounding)
    assert found.upper == pytest.approx(wanted.upper, abs=found.rounding + wanted.rounding)
    assert found.values == pytest.approx(wanted.values, abs=1e-12)


def form_keeping(form: HandForm) -> Any:
    from seqform.form.keepers import keeping_of

    return keeping_of(form)


@pytest.fixture
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse to make any vector over the sequences of a game."""
    for name in ("hand_numbering.HandNumbering.treeplex", "hand_payoff.HandPayoff._product"):
        monkeypatch.setattr(f"seqform.form.{name}", property(lambda self: 1 / 0))
    monkeypatch.setattr("seqform.form.lifted_profile.KeptProfile._made", property(lambda s: 1 / 0))


@pytest.mark.usefixtures("no_vectors")
def test_certificates_and_proofs_need_no_vectors() -> None:
    form, strategy = drawn(7)
    kept = strategy.in_form(form)
    assert certify(form, kept).nash_gap > 0
    assert interval_of(form, kept).width > 0
