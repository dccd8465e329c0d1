"""Reductions one after the other lift like one, and a lifted solution says what it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstraction.color_refinement import refine_colors
from abstraction.outcome import outcome
from abstraction.signal_reduction import SignalReduction
from abstraction.suit import suit
from abstraction.tree import TREE
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import GameTree, certify, solve
from seqform.base.errors import VerificationError
from seqform.exact.bracket import interval_of as prove_interval
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import form_lp_size
from seqform.results.reduction import (
    REDUCTIONS,
    Inverse,
    SequenceMap,
    compose,
    lift,
    lift_profile,
)
from seqform.results.solution import Status
from tests.shrinkable_games import copied_game
from tests.strategies import random_profile, seeds, trees


def check_composition(inverses: list[Inverse], smallest: SequenceForm, seed: int) -> None:
    profile = random_profile(smallest, seed)
    at_once, step_by_step = lift_profile(profile, compose(inverses)), profile
    for inverse in reversed(inverses):
        step_by_step = lift_profile(step_by_step, inverse)
    for a, b in zip(at_once.behaviors, step_by_step.behaviors, strict=True):
        assert (a == b).all()


@given(st.builds(copied_game, trees(depth=4), st.integers(0, 1000)), seeds)
def test_composition_on_trees(tree: GameTree, seed: int) -> None:
    middle, first = TREE.apply(tree)
    assert middle.tree is not None
    smallest, second = refine_colors(middle)
    check_composition([first, second], smallest, seed)


@pytest.mark.parametrize("criterion", [suit, outcome])
def test_composition_on_cards(criterion: object) -> None:
    game = rhode_island(3, 3, 1)
    middle, first = SignalReduction("", criterion).apply(game)  # type: ignore[arg-type]
    smallest, second = refine_colors(middle)
    assert smallest.treeplexes[0].num_sequences <= middle.treeplexes[0].num_sequences
    check_composition([first, second], smallest, seed=1)
    if criterion is suit:
        assert lift(solve(smallest), compose([first, second])).nash_gap < 1e-9


def test_composing_with_nothing_changes_nothing() -> None:
    form, inverse = REDUCTIONS.get("suit").apply(leduc())
    same = SequenceMap(
        form, tuple(np.arange(t.num_sequences, dtype=np.int32) for t in form.treeplexes)
    )
    for composed in (compose([inverse]), compose([inverse, same])):
        assert composed.original is inverse.original
        for a, b in zip(composed.sequences, inverse.sequences, strict=True):
            assert (a == b).all()


@pytest.mark.parametrize("criterion", ["outcome", "suit", "equitable", "tree", "tree-published"])
def test_every_information_set_does_what_its_image_does(criterion: str) -> None:
    game = leduc()
    reduced, inverse = REDUCTIONS.get(criterion).apply(game)
    profile = random_profile(reduced, seed=3)
    lifted = lift_profile(profile, inverse)
    for player, treeplex in enumerate(inverse.original.treeplexes):
        for h in range(treeplex.num_infosets):
            cards, line = str(inverse.original.infoset_label(player, h)).split(":")
            mine = slice(treeplex.first_sequence[h], treeplex.first_sequence[h + 1])
            image = int(
                reduced.treeplexes[player].infoset_of[inverse.sequences[player][mine.start]]
            )
            there = reduced.treeplexes[player].first_sequence
            cards_there, line_there = str(reduced.infoset_label(player, image)).split(":")
            assert line == line_there
            # the other criteria make community cards alike that do not pair
            if criterion in ("suit", "equitable", "tree"):
                ranks = [card[0] for card in cards.split()]
                assert ranks == [card[0] for card in cards_there.split()]
            expected = profile.behaviors[player][there[image] : there[image + 1]]
            assert np.array_equal(lifted.behaviors[player][mine], expected)
            assert inverse.original.actions(player, h) == reduced.actions(player, image)


def test_a_lifted_solution_keeps_what_was_solved_and_is_certified_in_the_game() -> None:
    game = rhode_island(4, 2, 1)
    reduced, inverse = REDUCTIONS.get("outcome").apply(game)
    solution = solve(reduced)
    lifted = lift(solution, inverse)
    assert lifted.profile is not None
    assert lifted.certificate == certify(inverse.original, lifted.profile)
    assert lifted.status is Status.LIFTED
    assert lifted.game is inverse.original
    assert lifted.sizes["solver_rows"] == solution.sizes["solver_rows"]
    assert (
        lifted.sizes["lp_rows"] == form_lp_size(inverse.original).rows > solution.sizes["lp_rows"]
    )
    assert lifted.sizes["sequences"] == 2 * inverse.original.treeplexes[0].num_sequences
    assert lifted.sizes["sequences"] > solution.sizes["sequences"]
    assert lifted.seconds.keys() == {"build", "solve", "certify", "complete", "lift"}
    assert lift(replace(solution, tolerance=1.0), inverse).status is Status.SOLVED
    assert lift(replace(solution, status=Status.INACCURATE), inverse).status is Status.INACCURATE


def test_an_unfinished_solution_is_lifted_to_an_unfinished_one() -> None:
    game = leduc()
    reduced, inverse = REDUCTIONS.get("suit").apply(game)
    unfinished = replace(solve(reduced), status=Status.LIMIT, answer=None, certificate=None)
    lifted = lift(unfinished, inverse)
    assert lifted.status is Status.LIMIT
    assert lifted.profile is None
    assert np.isnan(lifted.value)
    assert lifted.game is inverse.original


@pytest.mark.parametrize("prove", ["exact", "bracketed"])
def test_what_was_proven_of_the_smaller_game_is_not_claimed_of_the_whole_game(prove: str) -> None:
    reduced, inverse = REDUCTIONS.get("outcome").apply(leduc())
    solution = solve(reduced, exact=True)
    if prove == "bracketed":
        assert solution.profile is not None
        bracket = prove_interval(reduced, solution.profile)
        solution = replace(solution, proofs=(bracket,))
    assert solution.proof == prove
    lifted = lift(solution, inverse)
    assert (lifted.proof, lifted.exact, lifted.bracket) == (None, None, None)
    assert lifted.lower < -0.0857 < -0.0856 < lifted.upper
    with pytest.raises(VerificationError, match="a proof is of the game that it was made for"):
        replace(solution, game=inverse.original)
