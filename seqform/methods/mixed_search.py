"""The search for a best equilibrium by an integer program, as long as its answers do not agree.

A solver branches in floats. Its point is trusted for one thing only: which sequences may be played.
The best equilibrium of that support is found and proven in fractions. Where it falls short of the
solver's own bound, the point was none of an equilibrium, within the solver's tolerances: that
support is left out, and the solver asked again. Where it finds no point, although there is an
equilibrium, it is asked again with other tolerances.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from seqform.base.deadline import overtime
from seqform.base.errors import OutOfTimeError, SolverError
from seqform.base.objectives import OBJECTIVES
from seqform.exact.optimum import ProvenBound, worth
from seqform.solvers.linear.mixed_integer import TOLERANCE, MixedSolution
from seqform.solvers.linear.program import LPStatus
from seqform.solvers.linear.support_program import equilibrium_of_support

if TYPE_CHECKING:
    from seqform.base.arrays import Floats, Mask
    from seqform.exact.plan_proof import ExactEquilibrium
    from seqform.form.sequence_form import SequenceForm
    from seqform.solvers.linear.nash_program import NashProgram

logger = logging.getLogger(__name__)

TOLERANCES = (TOLERANCE, 1e-6, 1e-9)
"""What the solver is asked for, one after the other, until its point and its bound agree."""

MOST_LEFT_OUT = 8
"""Supports that are left out with one tolerance."""

AGREES = 10.0
"""How many tolerances, as a share of the largest payoff, a bound may be above what was proven."""

Ask = Callable[["NashProgram", float], MixedSolution]
"""Solves a program with a tolerance."""


@dataclass(eq=False)
class Known:
    """What is known of the best equilibrium of a game.

    Parameters
    ----------
    game
        The game.
    objective
        The name of what is to be best.
    best
        The best equilibrium that was found; None without one.
    proven
        What is proven that none exceeds; None if nothing is.
    bound
        What none exceeds by the word of a solver, in the game's unit; None without a bound.
    """

    game: SequenceForm
    objective: str
    best: ExactEquilibrium | None = None
    proven: ProvenBound | None = None
    bound: float | None = None

    @property
    def worth(self) -> Fraction | None:
        """What the best one that was found is worth."""
        return None if self.best is None else worth(self.best.values, self.objective)

    @property
    def is_settled(self) -> bool:
        """Whether it is proven that no other is better."""
        if self.objective == "none":
            return self.best is not None
        return self.proven is not None and self.proven.most == self.worth

    def take(self, found: ExactEquilibrium) -> None:
        """Keep an equilibrium if it is the best so far."""
        if self.best is None or worth(found.values, self.objective) > (self.worth or 0):
            self.best = found

    def take_support(self, played: tuple[Mask, Mask]) -> str:
        """Take the best equilibrium of a support; return why there is none, or ""."""
        try:
            with overtime():
                found = equilibrium_of_support(
                    self.game, played, OBJECTIVES[self.objective] or (0, 0)
                )
        except (SolverError, OutOfTimeError) as error:
            return str(error)
        self.take(found)
        return ""


@dataclass(eq=False)
class MixedSearch:
    """A search by a solver of integer programs.

    Parameters
    ----------
    known
        What is known, which the search adds to.
    model
        The program of all equilibria.
    ask
        Solves programs.

    Attributes
    ----------
    last
        What the solver returned last; None if it was not asked.
    nodes
        How many it branched at, in all.
    words
        What it said, and why it was asked again.
    is_out_of_time
        Whether the time was over while it was asked.
    """

    known: Known
    model: NashProgram
    ask: Ask
    last: MixedSolution | None = None
    nodes: int = 0
    words: list[str] = field(default_factory=list)
    is_out_of_time: bool = False

    @property
    def is_stopped(self) -> bool:
        """Whether the solver's time was over."""
        has_stopped = self.last is not None and self.last.status is LPStatus.LIMIT
        return self.is_out_of_time or has_stopped

    @property
    def point(self) -> Floats | None:
        """The solver's last point."""
        return None if self.last is None else self.last.point

    def run(self) -> None:
        """Ask until point and bound agree, or the time is over, or nothing is left to be tried."""
        try:
            for tolerance in TOLERANCES:
                if self._agrees(tolerance):
                    return
        except OutOfTimeError as error:
            self.is_out_of_time = True
            self._say(str(error))

    def _agrees(self, tolerance: float) -> bool:
        """Ask with a tolerance; return whether there is nothing more to ask."""
        model = self.model
        for _ in range(1 + MOST_LEFT_OUT):
            found = self._asked(model, tolerance)
            if found.point is None:
                self._note(found)
                return self.is_stopped
            played = model.played(found.point)
            why = self.known.take_support(played)
            self._note(found)
            if self.is_stopped or self.known.is_settled or self._is_met(tolerance):
                return True
            self._say(why or "its bound is above what its support is worth: asked again")
            model = model.without(played)
        return False

    def _asked(self, model: NashProgram, tolerance: float) -> MixedSolution:
        self.last = found = self.ask(model, tolerance)
        self.nodes += found.nodes
        self._say(found.message)
        logger.info("at tolerance %g: %s, bound %s", tolerance, found.message, found.bound)
        return found

    def _note(self, found: MixedSolution) -> None:
        """Take down a bound; with supports left out, it is one on all other equilibria."""
        known = self.known
        if found.bound is None or found.status is LPStatus.FAILED or known.objective == "none":
            return
        bound = found.bound * self.model.unit
        known.bound = bound if known.worth is None else max(bound, float(known.worth))

    def _is_met(self, tolerance: float) -> bool:
        """Whether the best equilibrium is worth what the solver says is the most."""
        known = self.known
        if known.bound is None or known.worth is None:
            return False
        room = AGREES * tolerance * max(self.model.unit, abs(known.bound))
        return float(known.worth) >= known.bound - room

    def _say(self, words: str) -> None:
        if words not in self.words:
            self.words.append(words)


def start_of(model: NashProgram, known: Known) -> Floats | None:
    """Return the binaries of the best equilibrium that is known."""
    plans: Any = None if known.best is None else known.best.plans
    return None if plans is None else model.binaries(plans)
