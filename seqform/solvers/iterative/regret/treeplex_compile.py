"""The loops of regret minimization over two treeplexes, compiled ahead on a small game."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from seqform.base.compile_ahead import compile_ahead
from seqform.base.compile_ahead import is_over as task_is_over

if TYPE_CHECKING:
    from seqform.base.apart import Record
    from seqform.base.array_file import Arrays

TASK = f"{__name__}:compile_loops"


KERNELS = "seqform.solvers.iterative.regret.treeplex_kernels"


def are_loaded() -> bool:
    """Return whether this process has compiled or loaded the loops already."""
    kernels = sys.modules.get(KERNELS)
    return kernels is not None and bool(kernels.iterate.signatures)


WAIT = 1_000
"""Iterations of a process in numpy after which compiling begins. They take a few tenths of a
second: what needs no more is done before a compiler would be."""

_made = Counter[str]()


def is_over(made: int) -> bool:
    """Return whether it is time to go on by loops, after so many more iterations in numpy.

    When this process has made enough of them, another begins to compile. Where it cannot, or
    failed, this one has to.
    """
    _made[TASK] += made
    if _made[TASK] < WAIT:
        return False
    from seqform.solvers.iterative.regret import treeplex_kernels as kernels

    compile_ahead(TASK, (kernels.iterate, kernels.best_value))
    return task_is_over(TASK)


def compile_loops(_record: Record, _arrays: Arrays) -> tuple[Record, Arrays]:
    """Compile by using the loops for an iteration of a small game."""
    from seqform.form.from_tree import build_sequence_form
    from seqform.game.catalogue import make
    from seqform.solvers.iterative.regret.rules import rule
    from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
    from seqform.tree.from_any import build_tree

    engine = TreeplexEngine(build_sequence_form(build_tree(make("kuhn"))), rule("dcfr"))
    engine.use_loops()
    engine.run(1)
    engine.bounds()
    return {}, {}
