"""What is proven of a solution in exact arithmetic, as far as time allows."""

from __future__ import annotations

from dataclasses import replace

from seqform.base.clock import Clock
from seqform.base.deadline import on_time
from seqform.base.errors import InvalidParameterError, OutOfTimeError
from seqform.base.interrupt import First, Interrupt, Interrupted
from seqform.concepts.concept import CONCEPTS
from seqform.links.link import Inverse
from seqform.methods.advice import NASH
from seqform.methods.choose import Choice
from seqform.methods.method import Answer
from seqform.methods.problem import Problem
from seqform.results.solution import Solution
from seqform.results.status import Status


def with_copied_proof(solution: Solution, inverse: Inverse, clock: Clock) -> Solution:
    """Return a solution with the smaller game's equilibrium in fractions, proven in the whole game.

    Where it has an interval only, that is proven anew.
    """
    smaller = solution.abstract
    if smaller is None or not smaller.proofs:
        return solution
    from seqform.exact.plan_proof import prove_equilibrium

    try:
        with Interrupt(First.RAISE), on_time(), clock.phase("exact"):
            if smaller.exact is None:
                return _proven(solution, clock)
            plans = [of[to] for of, to in zip(smaller.exact.plans, inverse.sequences, strict=True)]
            proven = prove_equilibrium(solution.game, plans, smaller.exact.denominators)
            return _as_proven(solution.proving(proven))
    except OutOfTimeError as error:
        return solution.saying(error)
    except Interrupted:
        return solution.saying("interrupted before a proof")


def check_provable(problem: Problem, choice: Choice) -> None:
    """Check, before the game is solved, that an interval can be proven."""
    from seqform.exact.bracket import check_bracketable

    if choice.method.concept != NASH:
        raise InvalidParameterError(
            "prove=True is for strategy profiles of games with hidden information; method "
            f"{choice.method.name!r} finds answers of the concept {choice.method.concept!r}, which "
            "have a certificate of their own and no such proof: leave out prove=True"
        )
    check_bracketable(problem.form)


def with_proofs(solution: Solution, answer: Answer, prove: bool, clock: Clock) -> Solution:
    """Return a solution with what is proven of it in exact arithmetic, as far as time allows."""
    try:
        with Interrupt(First.RAISE), on_time():
            if answer.proving is not None and solution.abstract is None:
                with clock.phase("exact"):
                    solution = _as_proven(answer.proving(solution))
            if prove and solution.bracket is None:
                solution = _proven(solution, clock)
    except OutOfTimeError as error:
        solution = solution.saying(error)
    except Interrupted:
        solution = solution.saying("interrupted before a proof")
    return solution


def _as_proven(solution: Solution) -> Solution:
    """Return a solution that an equilibrium in fractions solves where its floats did not.

    Its answer is then that equilibrium, rounded.
    """
    exact = solution.exact
    if exact is None or solution.status is not Status.INACCURATE:
        return solution
    profile = exact.game.profile_of_plans(exact.floats())
    certificate = CONCEPTS.get(solution.concept).certify(exact.game, profile)
    return replace(solution, status=Status.SOLVED, answer=profile, certificate=certificate)


def _proven(solution: Solution, clock: Clock) -> Solution:
    """Return a solution with what its plans prove in exact arithmetic."""
    from seqform.exact.bracket import bracket

    if solution.profile is None:
        return solution
    with clock.phase("prove"):
        return solution.proving(bracket(solution.game, solution.profile))
