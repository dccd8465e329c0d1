"""When the loops of regret minimization over two treeplexes are compiled, by another process."""

from __future__ import annotations

import sys

from seqform.base.compile_ahead import compile_ahead
from seqform.base.compile_ahead import is_over as task_is_over

TASK = "seqform.solvers.iterative.regret.treeplex_task:compile_loops"

KERNELS = "seqform.solvers.iterative.regret.treeplex_kernels"


def are_loaded() -> bool:
    """Return whether this process has compiled or loaded the loops already."""
    kernels = sys.modules.get(KERNELS)
    return kernels is not None and bool(kernels.iterate.signatures)


WAIT = 1_000
"""Iterations of a process in numpy after which compiling begins. They take a few tenths of a
second: what needs no more is done before a compiler would be."""


class _Made:
    """How many iterations this process has made in numpy."""

    count = 0


def is_over(made: int) -> bool:
    """Return whether it is time to go on by loops, after so many more iterations in numpy.

    When this process has made enough of them, another begins to compile. Where it cannot, or
    failed, this one has to.
    """
    _Made.count += made
    if _Made.count < WAIT:
        return False
    from seqform.solvers.iterative.regret import treeplex_kernels as kernels

    compile_ahead(TASK, (kernels.iterate, kernels.best_value))
    return task_is_over(TASK)
