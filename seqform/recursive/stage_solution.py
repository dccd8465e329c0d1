"""A stage of a solved recursive game as a game, and a solution, of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Ints
from seqform.concepts.nash import certify
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
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


def stage_solution(solution: RecursiveSolution, number: int) -> Solution:
    """Return a stage as a solution of its own, each lead worth the middle of its bracket.

    Its certificate is of the stage alone: that its leads are worth so much is for the recursive
    solution to prove.
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
    """
    stage, worth = graph.stages[number], graph.worth(number, values)
    tree = stage.form.origin.tree
    if tree is not None:
        return build_sequence_form(_paying(tree, stage.lead, worth, graph.unit))
    if graph.num_players == 2 and graph.constant_sum is not None:
        entries = stage.form.listed()
        program = StageProgram(entries, Layout.of(stage), float(graph.constant_sum))
        form = program.form(worth[:, 0])
        return replace(form, unit=graph.unit, origin=OutcomesOrigin(entries))
    return _of_outcomes(stage, worth, graph.unit)


def _of_outcomes(stage: Stage, worth: Floats, unit: str) -> SequenceForm:
    """Return a stage given by its outcomes as a game in which its leads are worth so much."""
    form = stage.form
    return SequenceForm(
        treeplexes=form.treeplexes,
        payoffs=form.payoffs(worth[stage.lead]),
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
