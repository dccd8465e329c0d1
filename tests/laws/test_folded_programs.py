"""Folded programs have the same optimum, and lead back to equilibria of the whole game."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from seqform import TreeBuilder, build_sequence_form, build_tree, certify, make, solve
from seqform.base.errors import InvalidParameterError, UnknownNameError, UnsupportedGameError
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import form_lp_size
from seqform.methods.which_program import make_program
from seqform.solvers.linear import folding
from seqform.solvers.linear.clarabel import solve_clarabel
from seqform.solvers.linear.folded_program import build_folded_lp, fold_in_turns
from seqform.solvers.linear.folding import GONE, fold, is_exact
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.payoff_unit import in_unit, payoff_unit
from seqform.solvers.linear.program import build_lp
from seqform.solvers.linear.sure_actions import sequences_worth_playing
from seqform.tree.tree import GameTree
from tests.reference.plain_folding import PlainFolding, kept_actions, surely_worse

SMALL = [
    ("liars-dice", {"sides": 3}),
    ("goofspiel", {}),
    ("kuhn", {}),
    ("leduc", {}),
    ("rhode-island", {"ranks": 3, "suits": 2, "max_bets": 1}),
]


def tree_of(name: str, parameters: dict[str, Any]) -> GameTree:
    return build_tree(make(name, **parameters))


@st.composite
def random_trees(draw: st.DrawFn) -> GameTree:
    """Few payoffs and much hidden, so that a lot is alike."""
    parameters = {
        "seed": draw(st.integers(0, 10_000)),
        "depth": draw(st.integers(2, 6)),
        "branching": draw(st.integers(2, 3)),
        "max_payoff": draw(st.sampled_from([1, 2, 10])),
        "hidden": draw(st.sampled_from([0.3, 0.7, 1.0])),
        "chance": draw(st.sampled_from([0.0, 0.3])),
        "rewards": draw(st.booleans()),
    }
    return tree_of("random", parameters)


def integers(form: SequenceForm) -> sp.csr_array:
    payoff = form.zero_sum_operator().to_sparse()
    matrix, numerators = payoff.matrix, payoff.numerators
    assert numerators is not None
    parts = (numerators.astype(np.int64), matrix.indices, matrix.indptr)
    return sp.csr_array(parts, shape=matrix.shape)


def check_same_optimum(form: SequenceForm) -> None:
    plain, folded = build_lp(form), build_folded_lp(form)
    assert folded is not None
    assert folded.num_rows <= plain.num_rows
    assert folded.num_columns <= plain.num_columns
    found, other = solve_highs(folded), solve_highs(plain)
    assert found.primal is not None
    assert other.primal is not None
    scale = form.payoff_scale
    worth = folded.objective @ found.primal / folded.scale
    assert worth == pytest.approx(plain.objective @ other.primal / plain.scale, abs=1e-9 * scale)
    profile = form.profile_of_plans(folded.plans(found))
    assert certify(form, profile).nash_gap <= 1e-9 * scale


@given(random_trees())
def test_random_games_keep_their_equilibria(tree: GameTree) -> None:
    check_same_optimum(build_sequence_form(tree))


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_known_games_keep_their_equilibria(name: str, parameters: dict[str, Any]) -> None:
    check_same_optimum(build_sequence_form(tree_of(name, parameters)))


def test_interior_points_are_given_payoffs_near_256() -> None:
    """In the unit of plain programs Clarabel ends at gaps of 1e-10 and above on larger games."""
    form = build_sequence_form(tree_of("goofspiel", {"cards": 5}))
    folded = build_folded_lp(form)
    assert folded is not None
    assert in_unit(folded, payoff_unit(folded)).scale == 2**8
    found = solve_clarabel(folded)
    assert certify(form, form.profile_of_plans(folded.plans(found))).nash_gap < 1e-11


@given(random_trees())
def test_sure_actions_are_those_of_the_definition(tree: GameTree) -> None:
    form, gone = build_sequence_form(tree), surely_worse(tree)
    kept = sequences_worth_playing(form)
    for mine, infosets in zip(kept, form.tree_infosets, strict=True):
        assert np.array_equal(mine, kept_actions(tree, infosets, gone))


@pytest.mark.parametrize(("name", "parameters"), SMALL[:3])
def test_sure_actions_of_known_games(name: str, parameters: dict[str, Any]) -> None:
    """Nodes of a signal game's level are not in the order of their children."""
    tree = tree_of(name, parameters)
    form, gone = build_sequence_form(tree), surely_worse(tree)
    assert gone
    for mine, infosets in zip(sequences_worth_playing(form), form.tree_infosets, strict=True):
        assert np.array_equal(mine, kept_actions(tree, infosets, gone))


@given(random_trees(), st.booleans())
def test_what_is_told_apart_is_what_the_definition_says(tree: GameTree, prunes: bool) -> None:
    form = build_sequence_form(tree)
    matrix = integers(form)
    sides = (matrix, matrix.T.tocsr())
    worth = sequences_worth_playing(form)
    for treeplex, payoffs, left in zip(form.treeplexes, sides, worth, strict=True):
        kept = left if prunes else np.ones_like(left)
        found, plain = fold(treeplex, payoffs, kept), PlainFolding(treeplex, payoffs, kept)
        assert len(found.kept) == plain.num_kept
        assert [h != GONE for h in found.infosets.tolist()] == [
            what is not None for what in plain.infosets
        ]
        for infoset, image in enumerate(found.infosets.tolist()):
            assert image == GONE or plain.infosets[infoset] == plain.infosets[image]


@given(random_trees())
def test_sums_of_payoffs_are_those_of_unfolded_plans(tree: GameTree) -> None:
    """A folded plan and its image pay the same against whatever the other may still play."""
    form = build_sequence_form(tree)
    matrix, rng = integers(form), np.random.default_rng(0)
    foldings = fold_in_turns(form, matrix, sequences_worth_playing(form))
    plans = []
    for found, treeplex in zip(foldings, form.treeplexes, strict=True):
        constraints, e = found.constraints()
        weights = np.zeros(treeplex.num_sequences)
        weights[found.kept] = rng.random(len(found.kept))
        whole = found.unfolded(weights[found.kept])
        small = np.bincount(
            np.where(found.leads == GONE, 0, found.images[found.leads]),
            np.where(found.leads == GONE, 0.0, whole),
            minlength=treeplex.num_sequences,
        )[found.kept]
        small[0] = 1.0
        assert treeplex.residuals(whole)[0] < 1e-12
        assert np.abs(constraints @ small - e).max() < 1e-12
        plans.append((whole, small))
    folded = foldings[0].sums @ (foldings[1].sums @ matrix.T.tocsr()).T
    (x, mine), (y, theirs) = plans
    scale = np.abs(matrix.data).sum() if matrix.nnz else 1.0
    assert mine @ (folded @ theirs) == pytest.approx(x @ (matrix @ y), abs=1e-12 * scale)


def test_players_are_folded_until_nothing_more_is_alike() -> None:
    """What player 1 forgets in goofspiel makes more of player 0's sequences alike."""
    form = build_sequence_form(tree_of("goofspiel", {"cards": 5}))
    matrix, (first, second) = integers(form), form.treeplexes
    every = tuple(np.ones(t.num_sequences, dtype=np.bool_) for t in form.treeplexes)
    folded = fold_in_turns(form, matrix, (every[0], every[1]))
    alone = fold(first, matrix, every[0]), fold(second, matrix.T.tocsr(), every[1])
    for player, (treeplex, payoffs) in enumerate(((first, matrix), (second, matrix.T.tocsr()))):
        left = (folded[1 - player].sums @ payoffs.T.tocsr()).T.tocsr()
        again = fold(treeplex, sp.csr_array(left.sorted_indices()), every[player])
        assert np.array_equal(again.kept, folded[player].kept)
        assert len(again.kept) < len(alone[player].kept)


def test_a_folding_whose_words_mislead_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    form = build_sequence_form(tree_of("liars-dice", {"sides": 4}))
    matrix, kept = integers(form), np.ones(form.treeplexes[0].num_sequences, dtype=np.bool_)
    right, words = fold(form.treeplexes[0], matrix, kept), folding._row_words
    monkeypatch.setattr(
        folding, "_row_words", lambda rows, seed: words(rows, seed) * np.uint64(min(seed, 1))
    )
    found = fold(form.treeplexes[0], matrix, kept)
    assert len(found.kept) == len(right.kept)
    monkeypatch.setattr(folding, "_row_words", lambda rows, seed: words(rows, 0) * np.uint64(0))
    careful = fold(form.treeplexes[0], matrix, kept)
    assert is_exact(careful, matrix)
    assert len(careful.kept) > len(right.kept)
    misled = folding._fold_by_words(form.treeplexes[0], words(matrix, 0) * np.uint64(0), kept)
    assert not is_exact(misled, matrix)


def test_a_wrong_image_is_seen() -> None:
    form = build_sequence_form(tree_of("liars-dice", {"sides": 3}))
    matrix, kept = integers(form), np.ones(form.treeplexes[0].num_sequences, dtype=np.bool_)
    found = fold(form.treeplexes[0], matrix, kept)
    assert is_exact(found, matrix)
    wrong = found.images.copy()
    choice = found.kept[1:3]
    wrong[choice] = wrong[choice[::-1]]
    assert not is_exact(replace(found, images=wrong), matrix)


def matrix_game(large: Any) -> SequenceForm:
    b = TreeBuilder(2)
    for i, first in enumerate(b.decision(b.root, 0, "x", range(60))):
        for j, second in enumerate(b.decision(first, 1, "y", range(60))):
            payoff = large if i == j == 0 else (i * j) % 5
            b.terminal(second, (payoff, -payoff))
    return build_sequence_form(b.freeze())


@pytest.mark.parametrize("large", [0.5, 10**20])
def test_floats_and_huge_numbers_are_not_folded(large: Any) -> None:
    form = matrix_game(large)
    assert build_folded_lp(form) is None
    assert make_program(form, "auto", False).size == build_lp(form).size
    with pytest.raises(UnsupportedGameError, match="leave out program="):
        solve(form, method="lp", program="folded")


def test_what_is_alike_is_folded_without_being_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.base.thresholds.SMALLER_FROM", 100)
    game, size = (
        make("liars-dice", sides=4),
        form_lp_size(build_sequence_form(tree_of("liars-dice", {"sides": 4}))),
    )
    folded = solve(game, method="lp", exact=False)
    assert folded.sizes["solver_nonzeros"] < size.nonzeros / 2
    assert folded.value == pytest.approx(1 / 16, abs=1e-9)
    exact = solve(game, method="lp")
    assert exact.sizes["solver_nonzeros"] == size.nonzeros
    assert exact.exact is not None
    assert exact.exact.value == Fraction(1, 16)
    plain = solve(game, method="lp", exact=False, program="plain")
    assert plain.sizes["solver_nonzeros"] == size.nonzeros
    named = solve(game, method="lp", program="folded", solver="highs")
    assert named.sizes["solver_nonzeros"] == folded.sizes["solver_nonzeros"]
    assert {found.sizes["lp_nonzeros"] for found in (folded, exact, plain, named)} == {
        size.nonzeros
    }
    assert named.exact is None
    little = solve(make("leduc"), method="lp", exact=False)
    assert little.sizes["solver_rows"] == 1562  # folding leaves nine tenths of it


def test_programs_are_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'plain'"):
        solve(make("kuhn"), method="lp", program="plane")
    with pytest.raises(InvalidParameterError, match="the basis of the plain program"):
        solve(make("kuhn"), method="lp", program="folded", exact=True)
