"""A method that runs an engine, iteration by iteration, until average plans are good enough.

Give one an `engine`, a name and a summary, and it has everything else: the options of iterative
methods, progress, checkpoints, polishing. The engine is an
`seqform.solvers.iterative.search.Engine`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from seqform.base.errors import InvalidParameterError
from seqform.game import needs
from seqform.methods.method import Answer, Method
from seqform.methods.search_options import SearchOptions

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.solvers.iterative.search import Engine


class IterativeMethod(Method):
    """A method whose answers are the average plans of an engine."""

    concept = "nash"
    Options = SearchOptions

    @abstractmethod
    def engine(self, form: SequenceForm, single: bool = False, threads: int = 1) -> Engine:
        """Return the engine that searches a game.

        Parameters
        ----------
        single
            Whether single precision will do for what it works on; an engine may ignore that.
        threads
            How many it may use.
        """

    def half_engine(self, form: SequenceForm, threads: int = 1) -> Engine:
        """Return an engine that keeps regrets and averages in 16 bits.

        Raises
        ------
        InvalidParameterError
            If the method has none for any game.
        UnsupportedGameError
            If it has none for this game.
        """
        raise InvalidParameterError(
            f"half=True: method {self.name!r} keeps nothing in 16 bits; use method='dcfr', or "
            "leave it out"
        )

    def others(self, form: SequenceForm, single: bool, threads: int) -> Iterable[Engine]:
        """Return other engines that a checkpoint may be of, each made when it is its turn."""
        return ()

    def accepts(self, problem: Problem) -> str | None:
        """Return None for any game that has a sequence form, and so perfect recall."""
        _ = problem.form  # of imperfect recall there is none, which is an error
        return None

    def need(self, form: SequenceForm) -> Need | None:
        """Return what the search takes."""
        from seqform.methods.need import need_of_search

        return need_of_search(form)

    def run(self, problem: Problem, options: SearchOptions, clock: Clock) -> Answer:
        """Search to the gap."""
        from seqform.methods.iterative import search_equilibrium

        with clock.phase("prepare"):
            self._require_polishing(problem.form, options)
            engine = self._begun(problem.form, options, clock.threads)
        return search_equilibrium(problem, self.name, engine, options, clock)

    @staticmethod
    def _require_polishing(form: SequenceForm, options: SearchOptions) -> None:
        """Refuse, before the search, what would be polished for hours."""
        if not (options.polishes(form) and needs.is_zero_sum(form)):
            return
        from seqform.methods.need import need_of_polishing

        need = need_of_polishing(form)
        if need is not None:
            need.require()

    def _begun(self, form: SequenceForm, options: SearchOptions, threads: int) -> Engine:
        """Return the engine of a search, or the one that a checkpoint to go on from is of."""
        from seqform.solvers.iterative.checkpoint import first_saved

        single = options.aims(form)[0] >= SINGLE_PRECISION_FROM
        if options.half:
            return self.half_engine(form, threads)
        engine = self.engine(form, single, threads)
        others = self.others(form, single, threads)
        if not (options.resume and options.checkpoint and others):
            return engine
        return first_saved(options.checkpoint, form, chain([engine], others), self.name) or engine


SINGLE_PRECISION_FROM = 5e-7
"""A gap, as a share of the largest payoff, that regret minimization on signal games still reaches
with regrets in single precision (2.9e-7 was reached on Rhode Island hold'em, 3e-7 on Leduc and 4e-7
on Kuhn poker)."""
