"""pdhg: the restarted primal-dual hybrid gradient method on two-player zero-sum games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.methods.search_options import SearchOptions
from seqform.methods.zero_sum import why_not_zero_sum

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.method import Answer
    from seqform.methods.problem import Problem
    from seqform.solvers.iterative.search import Engine


class PrimalDualMethod:
    """A first-order method whose gap falls linearly on small games."""

    name, concept = "pdhg", "nash"
    summary = "restarted primal-dual hybrid gradient"
    Options = SearchOptions

    def engine(self, form: SequenceForm, single: bool = False, threads: int = 1) -> Engine:
        """Return the engine that searches a game, in double precision and on one thread."""
        from seqform.solvers.iterative.primal_dual import PrimalDualEngine

        return PrimalDualEngine(form)

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player constant-sum games."""
        return why_not_zero_sum(problem, self.name)

    def need(self, form: SequenceForm) -> Need:
        """Return what the search takes."""
        from seqform.methods.need import need_of_search

        return need_of_search(form)

    def run(self, problem: Problem, options: SearchOptions, clock: Clock) -> Answer:
        """Search to the gap."""
        from seqform.methods.iterative import search_equilibrium

        with clock.phase("prepare"):
            engine = self.engine(problem.form)
        return search_equilibrium(problem, self.name, engine, options, clock)


PDHG = PrimalDualMethod()
