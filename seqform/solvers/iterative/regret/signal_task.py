"""The loops that solve and certify a large signal game, compiled on a small one.

Its process does nothing else; see `seqform.base.compile_ahead`.
"""

from __future__ import annotations

import gc

import numpy as np
from numba import float64, int32, int64

from seqform.base.array_file import Arrays
from seqform.base.child_process import Record
from seqform.form import board_kernels
from seqform.game.catalogue import make
from seqform.game.observations import SignalStructure
from seqform.solvers.iterative.regret.rules import rule
from seqform.solvers.iterative.regret.signal_engine import SignalEngine


def compile_loops(_record: Record, _arrays: Arrays) -> tuple[Record, Arrays]:
    """Compile what solving and certifying a game needs, with regrets in single precision."""
    gc.disable()  # collecting the garbage of a compiler takes an eighth of its time
    compile_search()
    compile_certificate()
    return {}, {}


def compile_search() -> None:
    """Compile the loops of an engine by having one search a small game."""
    structure = SignalStructure(make("leduc"))
    engine = SignalEngine(structure, structure.identity, rule("tuned-dcfr"), np.float32)
    engine.run(1)
    engine.bounds()


def compile_certificate() -> None:
    """Compile the loops over boards for the types of their arrays."""
    table, floats, index, ints = float64[:, ::1], float64[::1], int64[::1], int32[::1]
    board_kernels.extend.compile((table, ints, floats, index, table))
    board_kernels.multiply.compile((table, index, index, index, floats, table))
    board_kernels.add_following.compile((floats, index, floats))
