"""A stage of a solved recursive game as a game, and a solution, of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Ints
from seqform.base.errors import UnsupportedGameError
from seqform.concepts.nash import certify
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import TERMINAL
from seqform.recursive.graph import StageGraph
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

    Raises
    ------
    UnsupportedGameError
        If the stage is given by its outcomes and is not for two players and a constant sum.
    """
    form = stage_game(solution.graph, number, middle(solution.proof))
    profile = form.profile(solution.profile.behaviors[number])
    certificate = certify(form, profile)
    within = certificate.gap <= solution.tolerance
    return Solution(
        game=form,
        status=Status.SOLVED if within else Status.INACCURATE,
        method=f"{solution.method}, a stage",
        answer=profile,
        certificate=certificate,
        tolerance=solution.tolerance / form.payoff_scale,
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
        If the stage is given by its outcomes and is not for two players and a constant sum.
    """
    stage, worth = graph.stages[number], graph.worth(number, values)
    tree = stage.form.origin.tree
    if tree is not None:
        return build_sequence_form(_paying(tree, stage.lead, worth, graph.unit))
    if not graph.is_a_game(number):
        raise UnsupportedGameError(
            f"stage {graph.label(number)} is given by its outcomes, and is a game of its own only "
            "for two players whose payoffs add up to a constant"
        )
    program = StageProgram(stage.form, Layout.of(stage), float(graph.constant_sum or 0))
    form = program.form(worth[:, 0])
    return replace(form, unit=graph.unit)


def _paying(tree: GameTree, lead: Ints, worth: Floats, unit: str) -> GameTree:
    """Return a tree that pays at its leaves what their leads are worth, and nothing before."""
    possible = np.flatnonzero((tree.player == TERMINAL) & tree.possible)
    rows = [tuple(row) for row in worth.tolist()]
    payoff = np.full(tree.num_nodes, -1, dtype=np.int32)
    payoff[tree.player == TERMINAL] = len(rows)  # where chance never leads
    payoff[possible] = lead
    nothing = (0.0,) * tree.num_players
    return replace(tree, payoff=payoff, payoffs=(*rows, nothing), unit=unit)
