"""shrink_steps: a reduction step by step, and what each step loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from seqform.base.errors import InvalidParameterError, SolverError, UnsupportedGameError
from seqform.concepts.nash import certify
from seqform.form.profile import Profile
from seqform.methods.solve import solve_smaller
from seqform.results.reduction import (
    REDUCTIONS,
    Inverse,
    Reduction,
    ReductionOptions,
    lift_profile,
    reduction_of,
)
from seqform.results.solution import Solution
from seqform.results.steps import Step, StepByStep


@dataclass(frozen=True)
class MeasuredStep:
    """A step, and what an answer of the game after it is worth in the games before.

    Parameters
    ----------
    step
        What was merged; the games before and after.
    solution
        An answer of the game after it; None where there is none.
    gap, gap_to_all
        The nash_gap of that answer, lifted to the game before the step, and to the game before the
        first one: what all players together could gain by deviating there. It is that of the
        equilibrium found; others may lose more or less. None where nothing was lifted.
    reason
        Why there is no answer, or none that was lifted; else empty.
    """

    step: Step
    solution: Solution | None = None
    gap: float | None = None
    gap_to_all: float | None = None
    reason: str = ""

    def record(self) -> dict[str, Any]:
        """Return JSON values; see `Step.record`.

        ``values`` are what the answer pays each player, and ``value`` the first of them where the
        game after the step is two-player constant-sum; both are None without an answer.
        """
        found = self.solution
        values = None if found is None or found.answer is None else [float(v) for v in found.values]
        return {
            **self.step.record(),
            "values": values,
            "value": values[0] if found and values and found.is_constant_sum else None,
            "gap": self.gap,
            "gap_to_all": self.gap_to_all,
            "reason": self.reason,
        }


def shrink_steps(
    game: Any,
    reduction: str | Reduction = "contraction",
    max_nodes: int | None = None,
    measure: bool = True,
) -> Iterator[MeasuredStep]:
    """Yield one application of a reduction after the other, and measure what each loses.

    No step is taken to lose nothing. Each game is solved, and the answer is lifted to the game
    before and to the one before all steps, and judged there by best responses.

    Parameters
    ----------
    game
        Rules, tree, signal game, or the sequence form of a tree.
    reduction
        One that goes step by step: ``contraction``, by isomorphism of restricted games, or
        ``contraction-matched``, by the matchings of GameShrink's algorithm.
    max_nodes
        Largest tree to build.
    measure
        Whether to solve the games.

    Raises
    ------
    InvalidParameterError
        If the reduction does not go step by step.
    SeqformError
        As `reduce` does.

    Examples
    --------
    >>> from seqform import make
    >>> for measured in shrink_steps(make("kuhn")):
    ...     step = measured.step
    ...     print(step.moves, step.infoset, step.after.num_nodes, measured.gap_to_all > 0.1)
    ('Q', 'K') J: 49 True
    ('J', 'Q') K: 40 True
    """
    found = reduction_of(reduction, 0.0, game)
    if not isinstance(found, StepByStep):
        able = (other.name for other in REDUCTIONS.at_hand() if isinstance(other, StepByStep))
        names = " or ".join(able)
        raise InvalidParameterError(f"reduction {found.name!r} has no steps; use {names}")
    for step in found.steps(game, ReductionOptions(max_nodes=max_nodes)):
        yield _measured(step, found.name) if measure else MeasuredStep(step)


def _measured(step: Step, reduction: str) -> MeasuredStep:
    """Solve the game after a step, lift the answer, and judge it."""
    if step.smaller is None or step.back is None or step.back_to_all is None:
        return MeasuredStep(step, reason="a player forgets something, so that nothing is lifted")
    try:
        solution = solve_smaller(step.smaller, reduction)
    except (UnsupportedGameError, SolverError) as error:
        return MeasuredStep(step, reason=str(error))
    if solution.profile is None:
        return MeasuredStep(step, solution, reason=f"no strategies: {solution.status.name}")
    gap, gap_to_all = (_gap(solution.profile, way) for way in (step.back, step.back_to_all))
    return MeasuredStep(step, solution, gap, gap_to_all)


def _gap(profile: Profile, inverse: Inverse) -> float:
    lifted = lift_profile(profile, inverse)
    return certify(inverse.original, lifted).nash_gap
