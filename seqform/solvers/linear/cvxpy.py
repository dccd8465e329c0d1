"""cvxpy: the same program as a model that a user can add side constraints to.

Diamond & Boyd, "CVXPY: a Python-embedded modeling language for convex optimization", JMLR 17, 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from seqform.base.errors import SolverError, UnknownNameError
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus, stalled
from seqform.solvers.linear.solver import Feature, LPOptions
from seqform.solvers.linear.turn import highs_turn, made_silent

DEFAULT_ENGINE = "CLARABEL"


@dataclass(frozen=True, eq=False)
class CvxpyModel:
    """A linear program as a cvxpy problem.

    Attributes
    ----------
    plan
        Variable (num_sequences,): the player's realization plan; constrain it to add side
        conditions.
    free
        Variable: auxiliary variables if the program has any, then the opponent's q.
    objective, constraints
        What to pass to `cvxpy.Problem`, with further constraints if wanted.
    best_response
        The rows of `constraints` whose duals are the opponent's plan.
    """

    program: LinearProgram
    plan: Any
    free: Any
    objective: Any
    constraints: list[Any]
    best_response: Any

    def problem(self, *side_constraints: Any) -> Any:
        """Return the problem with `side_constraints` added."""
        return cvxpy_module().Problem(self.objective, [*self.constraints, *side_constraints])


def build_model(program: LinearProgram) -> CvxpyModel:
    """Return the cvxpy model of a program.

    Examples
    --------
    Player 0 must bet a king at least half the time in Kuhn poker (a plan's entry is a probability
    of own moves):

    >>> from games.kuhn import kuhn
    >>> from seqform import build_sequence_form, build_tree
    >>> from seqform.solvers.linear.line_names import sequence_names
    >>> from seqform.solvers.linear.program import build_lp
    >>> program = build_lp(build_sequence_form(build_tree(kuhn())))
    >>> model = build_model(program)
    >>> bet_king = sequence_names(program.game, 0, "x").index("x_K.bet")
    >>> problem = model.problem(model.plan[bet_king] >= 0.5)
    >>> float(round(problem.solve(solver="CLARABEL") / program.scale, 6))
    -0.055556
    """
    cvxpy = cvxpy_module()
    equalities, plan_size = program.num_equalities, program.num_plan
    plan = cvxpy.Variable(plan_size, name="plan", nonneg=True)
    free = cvxpy.Variable(program.num_columns - plan_size, name="free")
    matrix = program.matrix.tocsr()
    rows = matrix[:, :plan_size] @ plan + matrix[:, plan_size:] @ free
    best_response = rows[equalities:] >= 0
    constraints = [rows[:equalities] == program.row_lower[:equalities], best_response]
    objective = cvxpy.Maximize(program.objective[plan_size:] @ free)
    return CvxpyModel(program, plan, free, objective, constraints, best_response)


def cvxpy_module() -> ModuleType:
    """Return the library, which takes a second to load."""
    try:
        import cvxpy
    except ImportError as error:
        raise SolverError(
            "cvxpy is not installed: pip install cvxpy, or use solver='highs'"
        ) from error
    return cvxpy


class Cvxpy:
    """cvxpy as a solver that can be named; its engines are the solvers that it finds installed.

    These have no common option for a time limit or threads.
    """

    name = "cvxpy"
    features: frozenset[Feature] = frozenset()

    @property
    def engines(self) -> tuple[str, ...]:
        """The solvers that cvxpy has here, the default first."""
        installed = cvxpy_module().installed_solvers()
        return tuple(sorted(installed, key=lambda engine: engine != DEFAULT_ENGINE))

    def solve(self, program: LinearProgram, options: LPOptions) -> LPSolution:
        """Solve a program; see `solve_cvxpy`."""
        return solve_cvxpy(program, options.engine or DEFAULT_ENGINE)


CVXPY = Cvxpy()


def solve_cvxpy(program: LinearProgram, engine: str = DEFAULT_ENGINE) -> LPSolution:
    """Solve a linear program with any solver that cvxpy has installed.

    Raises
    ------
    UnknownNameError
        If cvxpy does not have the engine here.
    SolverError
        If cvxpy is not installed.
    """
    cvxpy, engine = cvxpy_module(), engine.upper()
    if engine not in CVXPY.engines:
        raise UnknownNameError.of("cvxpy engine", engine, CVXPY.engines)
    label = f"{CVXPY.name}/{engine}"
    try:
        # HiGHS is one of its engines, and it numbers its variables unguarded
        with highs_turn(), made_silent():
            model = build_model(program)
            problem = model.problem()
            problem.solve(solver=engine)
    except cvxpy.error.SolverError as error:
        return LPSolution(LPStatus.FAILED, None, None, str(error), label)
    kinds = {
        cvxpy.OPTIMAL: LPStatus.OPTIMAL,
        cvxpy.OPTIMAL_INACCURATE: LPStatus.UNPROVEN,
        cvxpy.USER_LIMIT: LPStatus.UNPROVEN,  # the engine's own limit: none is given to it
    }
    kind, iterations = kinds.get(problem.status, LPStatus.FAILED), _iterations(problem)
    message = stalled(iterations) if problem.status == cvxpy.USER_LIMIT else problem.status
    parts = (model.plan.value, model.free.value, model.best_response.dual_value)
    if kind is LPStatus.FAILED or any(part is None for part in parts):
        return LPSolution(LPStatus.FAILED, None, None, message, label, iterations)
    guarantees = np.asarray(model.best_response.dual_value).ravel()
    duals = np.concatenate([np.zeros(program.num_equalities), guarantees])
    primal = np.concatenate([model.plan.value, model.free.value])
    return LPSolution(kind, primal, duals, message, label, iterations)


def _iterations(problem: Any) -> int:
    stats = problem.solver_stats
    return int(stats.num_iters or 0) if stats is not None else 0
