"""Factors L D L' of symmetric quasidefinite matrices, by libraries that keep one order of the rows.

QDLDL comes with seqform: it works entry by entry, in an order of minimum degree (AMD). MKL's
Pardiso works on dense blocks, in an order by nested dissection (METIS): the larger the factors, the
more it saves. It is an extra, for x86 processors.
"""

from __future__ import annotations

import os
import threading
from importlib.metadata import PackageNotFoundError, files
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.base.errors import MissingLibraryError, SolverError

INSTALL_PARDISO = "pip install 'seqform[pardiso]' (for x86 processors)"


class Factors(Protocol):
    """What solves equations with one quasidefinite matrix after the other, of one pattern."""

    by_rows: bool
    """Whether it takes the upper triangle by rows (CSR), and not by columns (CSC)."""

    def take(self, matrix: sp.csc_matrix | sp.csr_matrix) -> None:
        """Factor a matrix, given by its upper triangle with sorted indices.

        The pattern is that of the first one.

        Raises
        ------
        SolverError
            If a pivot has the wrong sign, or the library fails.
        """

    def solve(self, right: Floats) -> Floats:
        """Return the solution for the matrix that was taken last, float64."""


class QdldlFactors:
    """Factors by QDLDL (Stellato et al., "OSQP", Math. Prog. Comp. 12, 2020)."""

    by_rows = False

    def __init__(self) -> None:
        self._solver: Any = None

    def take(self, matrix: sp.csc_matrix | sp.csr_matrix) -> None:
        """Factor a matrix by columns."""
        from qdldl import Solver

        try:
            if self._solver is None:
                self._solver = Solver(matrix, True)
            else:
                self._solver.update(matrix, True)
        except RuntimeError as error:  # a pivot of the wrong sign
            raise SolverError(f"QDLDL: {error}") from None

    def solve(self, right: Floats) -> Floats:
        """Return the solution."""
        found: Floats = self._solver.solve(right)
        return found


SYMMETRIC_INDEFINITE = -2
"""Pardiso's number for the type of the matrix."""

ANALYSE, FACTOR, SOLVE = 11, 22, 33
"""Pardiso's phases."""

PARAMETERS = {
    1: 1,  # no defaults
    2: 2,  # order by nested dissection
    8: 0,  # no refinement: ours knows what was added to the diagonal
    10: 13,  # pivots below 1e-13 become 1e-13; quasidefinite matrices have none
    11: 0,  # no scaling, which would change from matrix to matrix
    13: 0,  # no matching, for the same reason
    21: 0,  # pivots of one row: that is enough for quasidefinite matrices
    24: 1,  # factors in two levels
}
"""Pardiso's parameters, by the numbers of its manual."""


class PardisoFactors:
    """Factors by MKL's Pardiso (Schenk & Gartner, ETNA 23, 2006), through pypardiso.

    Parameters
    ----------
    threads
        How many it may use.

    Raises
    ------
    MissingLibraryError
        If pypardiso or MKL is not installed.
    """

    by_rows = True

    def __init__(self, threads: int = 1) -> None:
        if library := _listed_library():
            os.environ.setdefault("PYPARDISO_MKL_RT", library)
        try:
            from pypardiso import PyPardisoSolver

            self._solver = PyPardisoSolver(mtype=SYMMETRIC_INDEFINITE)
        except ImportError as error:
            raise MissingLibraryError(f"Pardiso is not installed: {INSTALL_PARDISO}") from error
        # where no package lists it, the next one need not look for it again
        os.environ.setdefault("PYPARDISO_MKL_RT", self._solver.libmkl._name)
        self._solver.libmkl.MKL_Set_Num_Threads(threads)
        for number, value in PARAMETERS.items():
            self._solver.set_iparm(number, value)
        self._matrix: sp.csr_matrix | None = None

    def take(self, matrix: sp.csc_matrix | sp.csr_matrix) -> None:
        """Factor a matrix by rows; the first is analysed as well."""
        is_first, self._matrix = self._matrix is None, matrix
        nothing = np.zeros(matrix.shape[0])
        if is_first:
            self._call(ANALYSE, nothing)
        self._call(FACTOR, nothing)

    def solve(self, right: Floats) -> Floats:
        """Return the solution."""
        return self._call(SOLVE, right)

    def _call(self, phase: int, right: Floats) -> Floats:
        # factorize() of its public face analyses anew each time, and keeps a copy
        from pypardiso.pardiso_wrapper import PyPardisoError

        self._solver.set_phase(phase)
        try:
            found: Floats = self._solver._call_pardiso(self._matrix, right)
        except PyPardisoError as error:
            raise SolverError(f"{error}") from None
        return found

    def __del__(self) -> None:
        """Give MKL's memory back."""
        if getattr(self, "_matrix", None) is not None and threading.main_thread().is_alive():
            self._solver.free_memory(everything=True)


def _listed_library() -> str | None:
    """Return the file of MKL that its package lists, if that is installed.

    pypardiso looks through all folders of the environment, which takes a second or more.
    """
    try:
        listed = files("mkl") or []
    except PackageNotFoundError:
        return None
    named = (file for file in listed if "mkl_rt" in file.name and file.suffix != ".lib")
    found = (str(file.locate()) for file in named)
    return next((path for path in found if os.path.isfile(path)), None)
