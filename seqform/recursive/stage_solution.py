"""A stage of a solved recursive game as a game, and a solution, of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Ints
from seqform.base.errors import UnsupportedGameError
from seqform.concepts.nash import certify
from seqform.form.from_tree import build_sequence_form
from seqform.form.payoff_sums import errors_at, meeting_points, sums_at
from seqform.form.payoff_tensor import tensor_of
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import UNIT_ROUNDOFF
from seqform.game.rules import TERMINAL
from seqform.recursive.graph import Stage, StageGraph
from seqform.recursive.outcomes_origin import OutcomesOrigin
from seqform.recursive.proof import middle
from seqform.recursive.stage_program import Layout, StageProgram
from seqform.results.solution import Solution
from seqform.results.status import Status
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.recursive.solution import RecursiveSolution

ROUNDED = 3 * UNIT_ROUNDOFF
"""By which share a chance times what a lead is worth is off at most: both are rounded."""


def stage_solution(solution: RecursiveSolution, number: int) -> Solution:
    """Return a stage as a solution of its own, each lead worth the middle of its bracket.

    Its certificate is of the stage alone: that its leads are worth so much is for the recursive
    solution to prove.

    Raises
    ------
    UnsupportedGameError
        If the stage is not listed where sequences meet.
    """
    form = stage_game(solution.graph, number, middle(solution.proof))
    profile = form.profile(solution.profile.behaviors[number])
    certificate = certify(form, profile)
    # without a value gaps are sums of what players gain
    players = 1 if certificate.is_constant_sum else form.num_players
    tolerance = players * solution.tolerance
    return Solution(
        game=form,
        status=Status.SOLVED if certificate.gap <= tolerance else Status.INACCURATE,
        method=f"{solution.method}, a stage",
        answer=profile,
        certificate=certificate,
        tolerance=tolerance / form.payoff_scale,
        source=form.tree or form,
    )


def stage_game(graph: StageGraph, number: int, values: Floats) -> SequenceForm:
    """Return a stage as a game in which leads pay what they are worth.

    Parameters
    ----------
    values
        float64 (num_stages, num_players): what each position is worth.

    Raises
    ------
    UnsupportedGameError
        If the stage is not listed where sequences meet.
    """
    stage, worth = graph.stages[number], graph.worth(number, values)
    tree = stage.form.origin.tree
    if tree is not None:
        return build_sequence_form(_paying(tree, stage.lead, worth, graph.unit))
    if not graph.is_a_game(number):
        raise UnsupportedGameError(
            f"stage {graph.label(number)} is not listed where sequences meet, as it is too large "
            "for that; so it is no game of its own: `seqform report` of a saved result makes a "
            "page of what is played there"
        )
    if graph.num_players == 2 and graph.constant_sum is not None:
        entries = stage.form.listed()
        program = StageProgram(entries, Layout.of(stage), float(graph.constant_sum))
        form = program.form(worth[:, 0])
        return replace(form, unit=graph.unit, origin=OutcomesOrigin(entries))
    return _of_outcomes(stage, worth, graph.unit)


def _of_outcomes(stage: Stage, worth: Floats, unit: str) -> SequenceForm:
    """Return a stage given by its outcomes as a game in which its leads are worth so much."""
    form, players = stage.form.listed(), range(stage.form.num_seats)
    sizes = [treeplex.num_sequences for treeplex in form.treeplexes]
    as_they_are = [np.arange(size, dtype=np.int32) for size in sizes]
    sequences, place = meeting_points(list(form.places), as_they_are, sizes)
    sums, errors = [], []
    for seat in players:
        products = form.shares * worth[stage.lead[form.leaf], seat]
        off = ROUNDED * np.abs(products) + np.spacing(0.0)
        sums.append(sums_at(products, place, len(sequences)))
        errors.append(errors_at(products, off, place, len(sequences)))
    inexact, nothing = [False for _ in players], tuple(1 for _ in players)
    return SequenceForm(
        treeplexes=form.treeplexes,
        payoffs=tensor_of(sequences, sums, inexact, nothing, None, np.array(errors).T),
        origin=OutcomesOrigin(form),
        unit=unit,
        largest_payoff=float(np.abs(worth).max(initial=0.0)) or 1.0,
        num_nodes=form.num_entries,
    )


def _paying(tree: GameTree, lead: Ints, worth: Floats, unit: str) -> GameTree:
    """Return a tree that pays at its leaves what their leads are worth, and nothing before."""
    possible = np.flatnonzero((tree.player == TERMINAL) & tree.possible)
    rows = [tuple(row) for row in worth.tolist()]
    payoff = np.full(tree.num_nodes, -1, dtype=np.int32)
    payoff[tree.player == TERMINAL] = len(rows)  # where chance never leads
    payoff[possible] = lead
    nothing = (0.0,) * tree.num_players
    return replace(tree, payoff=payoff, payoffs=(*rows, nothing), unit=unit)
