"""A solver of our own: `scipy.optimize.linprog`."""

from __future__ import annotations

import numpy as np

from seqform.plugins import Feature, LPSolution, LPStatus

STATUS = {0: LPStatus.OPTIMAL, 1: LPStatus.LIMIT}


class Linprog:
    """The solver; a program is ``max c'z`` with equations first and ``rows >= 0`` after them."""

    name = "linprog"
    engines = ("highs-ds", "highs-ipm")
    features = frozenset({Feature.TIME_LIMIT})

    def solve(self, program, options):
        from scipy.optimize import linprog

        equations = program.num_equalities
        matrix = program.matrix.tocsr()
        answer = linprog(
            -program.objective,
            A_eq=matrix[:equations],
            b_eq=program.row_lower[:equations],
            A_ub=-matrix[equations:],
            b_ub=-program.row_lower[equations:],
            bounds=[(lower, None) for lower in program.column_lower],
            method=options.engine or self.engines[0],
            options={} if options.time_limit is None else {"time_limit": options.time_limit},
        )
        duals = None
        if answer.x is not None:
            duals = np.concatenate([answer.eqlin.marginals, answer.ineqlin.marginals])
        status = STATUS.get(answer.status, LPStatus.FAILED)
        return LPSolution(status, answer.x, duals, answer.message, self.name, answer.nit)


LINPROG = Linprog()
