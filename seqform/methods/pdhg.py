"""pdhg: the restarted primal-dual hybrid gradient method on two-player zero-sum games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.game import needs
from seqform.methods.iterative_method import IterativeMethod

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.solvers.iterative.search import Engine


class PrimalDualMethod(IterativeMethod):
    """A first-order method whose gap falls linearly on small games."""

    name = "pdhg"
    summary = "restarted primal-dual hybrid gradient"

    def engine(self, form: SequenceForm, single: bool = False, threads: int = 1) -> Engine:
        """Return the engine that searches a game, in double precision and on one thread."""
        from seqform.solvers.iterative.primal_dual import PrimalDualEngine

        return PrimalDualEngine(form)

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player constant-sum games."""
        return needs.zero_sum(f"R10: method {self.name!r} is for", problem.form)


PDHG = PrimalDualMethod()
