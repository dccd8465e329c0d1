"""Solutions of a smaller game, as solutions of the game that was reduced, certified there."""

from __future__ import annotations

import time
from dataclasses import replace

from seqform.base.errors import UnsupportedGameError
from seqform.base.progress import tell
from seqform.concepts.nash import certify
from seqform.form.sizes import problem_sizes, sizes
from seqform.links.lifting import lifted
from seqform.links.link import Inverse
from seqform.results.solution import Solution
from seqform.results.status import Status


def lift(solution: Solution, inverse: Inverse) -> Solution:
    """Return the original game's solution that a solution of the reduced game gives.

    It is certified in the original game. Proofs, and all that is known of its equilibria, are
    dropped, since they are about the reduced game. Sizes are those of the original; ``solver_rows``
    and what else is known of the problem that was solved stay.

    The status is SOLVED if the original's certificate proves it within the solution's tolerance,
    and LIFTED if the reduction lost more than that. The status of an inaccurate or unfinished
    solution of the reduced game is kept.

    Parameters
    ----------
    solution
        Of the reduced game.
    inverse
        What `reduce` returned with that game.

    Raises
    ------
    InvalidStrategyError
        If the solution is of another game.
    UnsupportedGameError
        If its answer is not a profile.

    Examples
    --------
    >>> from seqform import make, reduce, solve
    >>> smaller, inverse = reduce(make("leduc"), "equitable")
    >>> lifted = lift(solve(smaller), inverse)
    >>> lifted.status.name, lifted.nash_gap < 1e-9
    ('SOLVED', True)
    """
    if solution.answer is not None and solution.profile is None:
        raise UnsupportedGameError(
            f"only profiles are lifted, and {solution.method} "
            f"found an answer of another kind ({solution.concept})"
        )
    tell("lifting to the whole game", every=0)
    original = inverse.original
    counts = sizes(original) | problem_sizes(solution.sizes)
    found = replace(
        solution,
        game=original,
        proofs=(),  # a proof belongs to the game that it was made for
        source=None,  # and so do the game as it was given, and what was chosen for it
        run=replace(solution.run, sizes=counts, reasons=()),
    )
    if solution.profile is None:
        return found
    start = time.perf_counter()
    kept = lifted(solution.profile, solution.game, inverse)
    tell("certifying in the whole game", every=0)
    certificate = certify(original, kept)
    seconds = solution.seconds | {"lift": time.perf_counter() - start}
    run = replace(found.run, seconds=seconds)
    status: Status = Status.LIFTED if solution.status is Status.SOLVED else solution.status
    if certificate.nash_gap <= solution.tolerance * original.payoff_scale:
        status = Status.SOLVED
    return replace(found, answer=kept, certificate=certificate, status=status, run=run)
