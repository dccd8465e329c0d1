"""A solution of rules, or of a signal game's own form, as one of the game's tree."""

from __future__ import annotations

from dataclasses import replace

from seqform.concepts.concept import CONCEPTS
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import problem_sizes, sizes
from seqform.results.solution import Solution
from seqform.tree.tree import GameTree


def judged_on(tree: GameTree, solution: Solution) -> Solution:
    """Return a solution as one of its game's tree, judged on it if the answer is another there."""
    if getattr(solution.game, "tree", None) is tree and isinstance(solution.game, SequenceForm):
        return solution
    concept = CONCEPTS.get(solution.concept)
    game = concept.prepare(tree)
    answer = concept.transfer(game, solution.answer)
    counts = sizes(game) if isinstance(game, SequenceForm) else {}
    run = solution.run
    if counts:
        run = replace(run, sizes=counts | problem_sizes(solution.sizes))
    moved = replace(
        solution,
        game=game,
        answer=answer,
        run=run,
        proofs=tuple(proof.on(game) for proof in solution.proofs),
    )
    if answer is solution.answer:
        return moved
    return replace(moved, certificate=concept.certify(game, answer))
