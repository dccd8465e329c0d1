"""From what a method found to a solution: its certificate, and the status that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from seqform.base.clock import Clock
from seqform.concepts.concept import CONCEPTS
from seqform.game.kinds import is_form
from seqform.methods.choose import Choice
from seqform.methods.lifting import Lifting, reduction_names
from seqform.methods.method import Answer
from seqform.results.solution import Run, Smaller, Solution
from seqform.results.status import Status


def uncertified(
    choice: Choice, answer: Answer, liftings: Sequence[Lifting], clock: Clock, error: Exception
) -> Solution:
    """Return what was found as it is, at its limit; of a smaller game as what it is of."""
    message = f"{answer.message}; what was found is not certified: {error}"
    nothing = replace(answer, found=None, status=Status.LIMIT, message=message)
    bare = certified(choice, nothing, clock)
    found = replace(bare, answer=answer.found)
    return replace(bare, smaller=Smaller(reduction_names(liftings), found)) if liftings else found


def certified(choice: Choice, answer: Answer, clock: Clock) -> Solution:
    """Return the solution; its status follows from the certificate of the answer."""
    concept, status, certificate = CONCEPTS.get(choice.method.concept), answer.status, None
    game = answer.game
    if answer.found is not None:
        with clock.phase("certify"):
            certificate = concept.certify(game, answer.found)
        if answer.stands and status is not None:
            pass
        elif certificate.gap <= answer.tolerance * getattr(game, "payoff_scale", 1.0):
            status = Status.SOLVED
        elif status is None:
            status = Status.INACCURATE
    return Solution(
        game=game,
        status=status or Status.FAILED,
        method=answer.engine,
        answer=answer.found,
        certificate=certificate,
        run=Run(
            message=answer.message,
            seconds=clock.seconds,
            sizes=_sizes(game, answer),
            iterations=answer.iterations,
            history=answer.history,
            path=answer.path,
        ),
        tolerance=float(answer.tolerance),
        concept=concept.name,
    )


def _sizes(game: Any, answer: Answer) -> dict[str, int]:
    """Return the counts of a sequence form, and those of the problem that an engine solved.

    Games in other forms are counted by their methods.
    """
    if not is_form(game):
        return answer.sizes
    from seqform.form.sizes import as_solver_sizes, sizes

    return sizes(game) | as_solver_sizes(answer.sizes)
