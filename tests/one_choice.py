"""Games of one choice on which proofs are tested, and a proof by walking the tree."""

from __future__ import annotations

from fractions import Fraction

from seqform import TreeBuilder
from seqform.exact.plan_proof import ExactEquilibrium
from seqform.form.sequence_form import SequenceForm
from seqform.tree.tree import GameTree
from tests.reference.exact_values import is_plan, proven_interval


def check_equilibrium(game: SequenceForm, found: ExactEquilibrium) -> None:
    """Walk the tree with both plans, in fractions."""
    plans = [
        [Fraction(entry, whole) for entry in plan.tolist()]
        for plan, whole in zip(found.plans, found.denominators, strict=True)
    ]
    assert all(
        is_plan(treeplex, plan) for treeplex, plan in zip(game.treeplexes, plans, strict=True)
    )
    assert proven_interval(game, plans) == (found.value, found.value)


def near_tie() -> GameTree:
    """A choice between 1 and what is larger by less than any solver's tolerance."""
    b = TreeBuilder(2)
    for node, payoff in zip(
        b.decision(b.root, 0, "h", ["a", "b", "c"]), (1, 1 + Fraction(1, 10**12), 1), strict=True
    ):
        b.terminal(node, (payoff, -payoff))
    return b.freeze()


def choice_of_floats() -> GameTree:
    """A choice between two payoffs that are floats."""
    b = TreeBuilder(2)
    for node, payoff in zip(b.decision(b.root, 0, "h", ["a", "b"]), (0.5, 0.25), strict=True):
        b.terminal(node, (payoff, -payoff))
    return b.freeze()
