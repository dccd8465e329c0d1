"""solve: from a game to a certified equilibrium, in one call."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

from seqform.build import AnyGame, build_tree
from seqform.certificate import certify
from seqform.errors import InvalidParameterError, UnknownNameError
from seqform.memory import require_memory
from seqform.sequence_form import SequenceForm, build_sequence_form
from seqform.solution import Solution, Status
from seqform.solvers.linear_program import LinearProgram, LPSolution, LPStatus, build_lp, form_lp_size
from seqform.strategy import Profile

logger = logging.getLogger(__name__)

CLARABEL_FROM = 5_000
"""Nonzeros of the linear program from which the interior point is the default (docs/explanation/solvers.md)."""

SOLVERS = ("auto", "highs", "clarabel", "cvxpy")
METHODS = ("lp",)


def solve(
    game: AnyGame | SequenceForm,
    *,
    method: str = "lp",
    solver: str = "auto",
    engine: str | None = None,
    time_limit: float | None = None,
    tolerance: float = 1e-6,
    threads: int = 1,
    max_nodes: int | None = None,
) -> Solution:
    """Compute an equilibrium of a two-player zero-sum game and certify it.

    Parameters
    ----------
    game
        Rules, tree or sequence form.
    method
        'lp', the sequence-form linear program.
    solver
        'highs', 'clarabel', 'cvxpy', or 'auto': HiGHS for small programs (an exact vertex), Clarabel for larger ones.
    engine
        For HiGHS 'simplex', 'ipx', 'hipo' or 'pdlp'; for cvxpy the name of one of its solvers.
    time_limit
        Seconds for the solver; past it the solution has status LIMIT and value NaN.
    tolerance
        The nash_gap, as a share of the largest payoff, above which the status is INACCURATE.
    threads
        Threads for the solver.
    max_nodes
        Largest tree to build.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong with the game or the options.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> round(solve(kuhn()).value * 18, 9)
    -1.0
    """
    _check_options(method, solver, engine, time_limit, tolerance, threads)
    seconds: dict[str, float] = {}
    with _timed(seconds, "build"):
        form = game if isinstance(game, SequenceForm) else build_sequence_form(build_tree(game, max_nodes))
        size = form_lp_size(form)
        what = f"solving a linear program with {size.nonzeros:,} nonzeros"
        require_memory(size.solver_bytes, what, "use a coarser abstraction (--abstract) or a smaller game")
        program = build_lp(form)
    logger.info("%s nodes; LP with %s rows and %s nonzeros", form.num_nodes, program.num_rows, program.num_nonzeros)
    import_module(f"seqform.solvers.{choose_solver(program, solver)}")  # libraries load outside the timed part
    with _timed(seconds, "solve"):
        answer = run_solver(program, solver, engine, time_limit, threads)
    logger.info("%s says %r after %.3f s", answer.engine, answer.message, seconds["solve"])
    profile = certificate = None
    with _timed(seconds, "certify"):
        if answer.status in (LPStatus.OPTIMAL, LPStatus.UNPROVEN):  # what a point is worth, its certificate says
            profile = Profile.from_plans(form.treeplexes, program.plans(answer))
            certificate = certify(form, profile)
    status = {LPStatus.LIMIT: Status.LIMIT, LPStatus.FAILED: Status.FAILED}.get(answer.status)
    if status is None and certificate is not None:
        status = Status.SOLVED if certificate.nash_gap <= tolerance * (form.largest_payoff or 1.0) else Status.INACCURATE
    return Solution(
        game=form,
        status=status or Status.FAILED,
        method=f"{method}/{answer.engine if solver == 'cvxpy' else _name(program, solver, answer)}",
        profile=profile,
        certificate=certificate,
        message=answer.message,
        seconds=seconds,
        sizes=sizes(form, program),
        iterations=answer.iterations,
    )


def run_solver(
    program: LinearProgram, solver: str = "auto", engine: str | None = None, time_limit: float | None = None, threads: int = 1
) -> LPSolution:
    """Solve a linear program with a solver by name."""
    runners: dict[str, Callable[[], LPSolution]] = {
        "highs": lambda: _highs(program, engine, time_limit, threads),
        "clarabel": lambda: _clarabel(program, time_limit, threads),
        "cvxpy": lambda: _cvxpy(program, engine),
    }
    return runners[choose_solver(program, solver)]()


def choose_solver(program: LinearProgram, solver: str = "auto") -> str:
    """Return the solver's name, with 'auto' decided by the size of the program."""
    if solver != "auto":
        return solver
    return "clarabel" if program.num_nonzeros >= CLARABEL_FROM else "highs"


def sizes(form: SequenceForm, program: LinearProgram | None = None) -> dict[str, int]:
    """Return the counts that describe a game; sequences and infosets are totals over players."""
    counts = {
        "nodes": form.num_nodes,
        "infosets": sum(t.num_infosets for t in form.treeplexes),
        "sequences": sum(t.num_sequences for t in form.treeplexes),
    }
    if program is not None:
        counts |= {"lp_rows": program.num_rows, "lp_columns": program.num_columns, "lp_nonzeros": program.num_nonzeros}
    return counts


def _check_options(method: str, solver: str, engine: str | None, time_limit: float | None, tolerance: float, threads: int) -> None:
    if method not in METHODS:
        raise UnknownNameError(f"there is no method {method!r}; use one of {', '.join(METHODS)}")
    if solver not in SOLVERS:
        raise UnknownNameError(f"there is no solver {solver!r}; use one of {', '.join(SOLVERS)}")
    if engine is not None and solver not in ("highs", "cvxpy"):
        raise InvalidParameterError(f"engine={engine!r} needs solver='highs' or 'cvxpy', not {solver!r}")
    if time_limit is not None and not time_limit > 0:
        raise InvalidParameterError(f"time_limit={time_limit}: use a number of seconds above 0")
    if time_limit is not None and solver == "cvxpy":
        raise InvalidParameterError("cvxpy has no time limit common to its solvers; use solver='highs' or 'clarabel' with one")
    if not tolerance > 0:
        raise InvalidParameterError(f"tolerance={tolerance}: use a number above 0")
    if threads < 1:
        raise InvalidParameterError(f"threads={threads}: use 1 or more")


def _highs(program: LinearProgram, engine: str | None, time_limit: float | None, threads: int) -> LPSolution:
    from seqform.solvers.highs import solve_highs

    return solve_highs(program, engine or "simplex", time_limit, threads)


def _clarabel(program: LinearProgram, time_limit: float | None, threads: int) -> LPSolution:
    from seqform.solvers.clarabel import solve_clarabel

    return solve_clarabel(program, time_limit=time_limit, threads=threads)


def _cvxpy(program: LinearProgram, engine: str | None) -> LPSolution:
    from seqform.solvers.cvxpy import DEFAULT_ENGINE, solve_cvxpy

    return solve_cvxpy(program, engine or DEFAULT_ENGINE)


def _name(program: LinearProgram, solver: str, answer: LPSolution) -> str:
    chosen = choose_solver(program, solver)
    return f"highs/{answer.engine}" if chosen == "highs" else chosen


@contextmanager
def _timed(seconds: dict[str, float], key: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[key] = time.perf_counter() - start
