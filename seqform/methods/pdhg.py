"""pdhg: the restarted primal-dual hybrid gradient method on two-player zero-sum games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.methods.regret import Options
from seqform.methods.zero_sum import why_not_zero_sum

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.methods.method import Answer
    from seqform.methods.problem import Problem


class PrimalDualMethod:
    """A first-order method whose gap falls linearly on small games."""

    name, concept = "pdhg", "nash"
    summary = "restarted primal-dual hybrid gradient"
    Options = Options

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player constant-sum games."""
        return why_not_zero_sum(problem, self.name)

    def run(self, problem: Problem, options: Options, clock: Clock) -> Answer:
        """Search to the gap."""
        from seqform.methods.iterative import search_equilibrium
        from seqform.solvers.iterative.primal_dual import PrimalDualEngine

        with clock.phase("prepare"):
            engine = PrimalDualEngine(problem.form)
        return search_equilibrium(problem.form, self.name, engine, options, clock)


PDHG = PrimalDualMethod()
