"""payoff_region: all that two players can be paid in correlated equilibria of a kind.

The region is a polygon. Its corners are found by linear programs: one that goes furthest in a
direction gives a corner, and where none goes beyond the line through two neighbours, that is an
edge. Corners are fractions, and every edge is proven.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from seqform.base.errors import GameTooLargeError, SolverError, UnsupportedGameError
from seqform.base.pictures import Pictured

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.correlated_mixture import MixtureSearch
    from seqform.results.correlated_task import CorrelatedTask
    from seqform.tree.from_any import AnyGame

logger = logging.getLogger(__name__)

Corner = tuple[Fraction, Fraction]
"""What player 0 and player 1 are paid."""


@dataclass(frozen=True)
class PayoffRegion(Pictured):
    """What both can be paid in equilibria of a kind.

    Parameters
    ----------
    kind
        'efce', 'efcce' or 'nfcce'.
    corners
        Of the polygon, anticlockwise; one or two if it is a point or a line.
    is_relaxed
        Whether the game has a triangle, and too many pure strategies to see which plans are those
        of a distribution. Then all equilibria lie within, and there may be fewer.
    programs
        How many linear programs were solved.
    """

    kind: str
    corners: tuple[Corner, ...]
    is_relaxed: bool
    programs: int

    picture: ClassVar[str] = "payoff region"


def payoff_region(game: AnyGame | SequenceForm, kind: str) -> PayoffRegion:
    """Return the payoffs of all correlated equilibria of a kind, exactly.

    Parameters
    ----------
    game
        Of two players; all numbers int or Fraction.
    kind
        'efce', 'efcce' or 'nfcce'.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    NotForThisGameError
        If it is not for two players.
    SolverError
        If a linear program has no optimal basis in exact arithmetic.

    Examples
    --------
    >>> from seqform import make
    >>> region = payoff_region(make("chicken"), "efce")
    >>> sorted((str(x), str(y)) for x, y in region.corners)
    [('18/5', '18/5'), ('2', '7'), ('21/4', '21/4'), ('7', '2')]
    """
    from seqform.methods.problem import Problem
    from seqform.results.correlated_task import correlated_task

    problem = Problem(game)
    task = correlated_task(problem.form, kind, None)
    if not task.payoffs.is_exact:
        raise UnsupportedGameError(
            "corners of payoff regions are fractions, and this game has probabilities or payoffs "
            "that are floats; give all as int or Fraction"
        )
    search = _Search(task, problem.form)
    corners = _without_collinear(search.boundary())
    return PayoffRegion(
        kind,
        tuple(corners),
        search.is_relaxed,
        search.programs,
    )


def _without_collinear(points: list[Corner]) -> list[Corner]:
    """Return the points of a polygon at which it turns; of a line its ends."""
    if len(points) < 3:
        return points
    kept = []
    for place, point in enumerate(points):
        before, after = points[place - 1], points[(place + 1) % len(points)]
        across = after[1] - before[1], before[0] - after[0]
        if _along(across, point) != _along(across, before):
            kept.append(point)
    return kept


class _Search:
    """Finds corners, and counts the programs that takes."""

    def __init__(self, task: CorrelatedTask, form: SequenceForm) -> None:
        from seqform.form.triangles import find_triangle

        self.task, self.programs = task, 0
        self.is_relaxed = find_triangle(task.pairs) is not None
        self.mixtures: MixtureSearch | None = None
        if self.is_relaxed:
            self._look_for_distributions(form)

    def _look_for_distributions(self, form: SequenceForm) -> None:
        from seqform.base.clock import Clock
        from seqform.methods.correlated_mixture import search_from_nash

        try:
            self.mixtures = search_from_nash(form, self.task, Clock())
            self.is_relaxed = False
        except (GameTooLargeError, SolverError):
            logger.info("the payoff region is that of a relaxation", exc_info=True)

    def furthest(self, direction: tuple[Fraction | int, Fraction | int]) -> Corner:
        """Return a point of the region that is furthest in a direction, by its proven bound."""
        from seqform.concepts.trigger_deviations import expected_payoff

        self.programs += 1
        task = self.task.towards((Fraction(direction[0]), Fraction(direction[1])))
        if self.mixtures is not None:
            plan = self.mixtures.best(task).plan
            return expected_payoff(task.payoffs, plan, 0), expected_payoff(task.payoffs, plan, 1)
        found = task.solve("highs")
        if found.primal is None:
            raise SolverError(f"no corner of the payoff region was found: {found.message}")
        plan = task.exact(found).plan
        plan.check()
        return expected_payoff(task.payoffs, plan, 0), expected_payoff(task.payoffs, plan, 1)

    def boundary(self) -> list[Corner]:
        """Return points of the boundary, anticlockwise, with all corners among them."""
        first, last = self.furthest((-1, 0)), self.furthest((1, 0))
        if first[0] == last[0]:  # an upright line, or a point
            first, last = self.furthest((0, -1)), self.furthest((0, 1))
            return [first] if first == last else [first, last]
        return [first, *self.beyond(first, last), last, *self.beyond(last, first)]

    def beyond(self, start: Corner, end: Corner) -> list[Corner]:
        """Return the corners strictly to the right of the line from one to another, in order.

        The region is on its left, so that a walk along corners is anticlockwise.
        """
        across = end[1] - start[1], start[0] - end[0]
        point = self.furthest(across)
        if _along(across, point) == _along(across, start):
            return []
        return [*self.beyond(start, point), point, *self.beyond(point, end)]


def _along(direction: Corner, point: Corner) -> Fraction:
    return direction[0] * point[0] + direction[1] * point[1]
