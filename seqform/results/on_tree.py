"""A solution of rules, or of a signal game's own form, as one of the game's tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
    moved = replace(
        solution,
        game=game,
        answer=answer,
        sizes=counts | problem_sizes(solution.sizes) if counts else solution.sizes,
        **_proofs(solution, game),
    )
    if answer is solution.answer:
        return moved
    return replace(moved, certificate=concept.certify(game, answer))


def _proofs(solution: Solution, game: SequenceForm) -> dict[str, Any]:
    """Return what the plans that proved something prove of the game in another form."""
    names = ("exact", "bracket", "family", "equilibria", "optimum", "refinement")
    proofs = {name: getattr(solution, name) for name in names}
    return {name: None if proof is None else proof.on(game) for name, proof in proofs.items()}
