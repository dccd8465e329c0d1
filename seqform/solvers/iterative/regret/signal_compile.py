"""The loops that solve and certify a large signal game, compiled by another process."""

from __future__ import annotations

from seqform.base.compile_ahead import await_compiled, compile_ahead
from seqform.form import board_kernels
from seqform.solvers.iterative.regret import signal_kernels

TASK = "seqform.solvers.iterative.regret.signal_task:compile_loops"

LOOPS = (
    signal_kernels.descend,
    signal_kernels.update,
    signal_kernels.ascend,
    signal_kernels.respond,
    board_kernels.extend,
    board_kernels.multiply,
    board_kernels.best_action,
    board_kernels.add_following,
)


def begin() -> None:
    """Begin to compile, in another process; return at once."""
    compile_ahead(TASK, LOOPS)


def end() -> None:
    """Wait until all is compiled, if that was begun.

    Raises
    ------
    OutOfTimeError
        If the time limit is over before.
    """
    await_compiled(TASK)
