"""solve: from a game to a certified equilibrium, in one call."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seqform.base.deadline import deadline_of
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.memory import require_memory
from seqform.concepts.nash import certify
from seqform.exact.basis import Basis
from seqform.exact.interval import check_provable
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm, build_sequence_form, sizes
from seqform.methods.polish import polish as improve
from seqform.methods.when_exact import (
    check_exact_options,
    exact_engine,
    is_worth_a_basis,
    is_worth_proving,
    with_proof,
)
from seqform.results.solution import Solution, Status
from seqform.solvers.iterative.checkpoint import open_checkpoint
from seqform.solvers.iterative.regret.engine import regret_engine
from seqform.solvers.iterative.regret.rules import RULES, rule
from seqform.solvers.iterative.search import Engine, Limits, Progress, search
from seqform.solvers.linear.program import (
    LinearProgram,
    LPSolution,
    LPStatus,
    build_lp,
    form_lp_size,
)
from seqform.solvers.linear.solver import SOLVERS as LP_SOLVERS
from seqform.solvers.linear.solver import LPOptions, check_options, solve_program
from seqform.solvers.linear.sparsified_program import choose_program
from seqform.tree.from_any import AnyGame, build_tree

logger = logging.getLogger(__name__)

Floats = NDArray[np.float64]

CLARABEL_FROM = 5_000
"""Nonzeros of the linear program from which the interior point is the default
(docs/explanation/solvers.md)."""

ITERATE_FROM = 3_000_000
"""Nonzeros of the linear program from which regret minimization is the default."""

SINGLE_PRECISION_FROM = 5e-7
"""A gap, as a share of the largest payoff, that regret minimization on signal games still reaches
with regrets in single precision (2.9e-7 was reached on Rhode Island hold'em, 3e-7 on Leduc and 4e-7
on Kuhn poker)."""

ROUNDING_ERROR = 5e-8
"""How much a gap may grow, as a share of the largest payoff, when a profile is rounded to the
digits of single precision (1.5e-8 on Leduc)."""

POLISH_FROM, POLISH_TO = 1e-5, 1e-9
"""Gaps, as shares of the largest payoff, at which a search stops by default, and to which it is
polished."""

SOLVERS = ("auto", "highs", "clarabel", "cvxpy")
METHODS = ("auto", "lp", *RULES, "pdhg")


class _Answer(NamedTuple):
    """What a method returns: plans, or why there are none."""

    plans: tuple[Floats, Floats] | None
    status: Status | None
    method: str
    message: str
    iterations: int
    sizes: dict[str, int]
    single: bool = False
    interrupted: bool = False
    profile: Profile | None = None
    vertex: tuple[LinearProgram, Basis | None] | None = None


def solve(
    game: AnyGame | SequenceForm,
    *,
    method: str = "auto",
    solver: str = "auto",
    engine: str | None = None,
    gap: float | None = None,
    iterations: int | None = None,
    time_limit: float | None = None,
    tolerance: float = 1e-6,
    threads: int = 1,
    max_nodes: int | None = None,
    callback: Callable[[Progress], None] | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
    polish: bool = False,
    exact: bool | None = None,
) -> Solution:
    """Compute an equilibrium of a two-player zero-sum game and certify it.

    Parameters
    ----------
    game
        Rules, tree or sequence form.
    method
        'lp', the sequence-form linear program; iterative: 'dcfr', 'hs-dcfr', 'cfr', 'cfr+',
        'linear-cfr' or 'pcfr+', regret minimization, and 'pdhg', the restarted primal-dual method;
        'auto': the linear program unless it is very large, or an option below is given that is for
        iterative methods.
    solver
        For 'lp': 'highs', 'clarabel', 'cvxpy', or 'auto': HiGHS for small programs (a vertex, which
        can be made exact), Clarabel for larger ones.
    engine
        For HiGHS 'simplex', 'ipx', 'hipo' or 'pdlp'; for cvxpy the name of one of its solvers.
    gap
        For iterative methods and `polish`: the nash_gap to reach, in the game's unit; by default
        1e-5 of the largest payoff, 1e-9 with `polish`.
    iterations
        For iterative methods: how many at most.
    time_limit
        Seconds for the solver. Past it, a linear program leaves status LIMIT and value NaN,
        iterative methods their certified best.
    tolerance
        For 'lp' without `polish`: the nash_gap, as a share of the largest payoff, above which the
        status is INACCURATE.
    threads
        Threads for the solver.
    max_nodes
        Largest tree to build.
    callback
        For iterative methods: told how far it has come.
    checkpoint
        For iterative methods: a file to save the search to, every minute and when a limit stops it.
    resume
        Whether to go on from that file.
    polish
        Go on to `gap` by quadratic programs on the actions that matter (`seqform.methods.polish`),
        from what the linear program's solver found or from an average: a search stops at 1e-5 of
        the largest payoff, if not before.
    exact
        Whether to go on from the linear program's basis to an equilibrium in fractions, and prove
        it; for games whose numbers are all `int` or `Fraction`. None: where that takes less time
        than the linear program does.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong with the game or the options.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> round(solve(kuhn()).value * 18, 9)
    -1.0
    >>> solve(kuhn()).exact.value
    Fraction(-1, 18)
    """
    _check_options(method, solver, engine, time_limit, tolerance, threads)
    _check_search(method, solver, gap, iterations, checkpoint, resume, polish)
    if exact:
        check_exact_options(
            method,
            solver,
            engine,
            polish or not (gap is None and iterations is None and checkpoint is None),
        )
        method = "lp"
    seconds: dict[str, float] = {}
    with _timed(seconds, "build"):
        form = (
            game
            if isinstance(game, SequenceForm)
            else build_sequence_form(build_tree(game, max_nodes))
        )
        size = form_lp_size(form)
    if exact:
        check_provable(form)
        engine = engine or exact_engine(size)
    if method == "auto":
        asked = not ((gap is None or polish) and iterations is None and checkpoint is None)
        large = size.nonzeros >= ITERATE_FROM
        method = ("hs-dcfr" if large else "dcfr") if solver == "auto" and (large or asked) else "lp"
    deadline = deadline_of(time_limit)
    if gap is not None:
        tolerance = gap / (form.largest_payoff or 1.0)
    elif polish or method != "lp":
        tolerance = POLISH_TO if polish else POLISH_FROM
    if method == "lp":
        answer = _solve_lp(
            form, solver, engine, time_limit, threads, seconds, False if polish else exact
        )
    else:
        aim, saved = max(tolerance, POLISH_FROM) if polish else tolerance, (checkpoint, resume)
        answer = _solve_by_iterations(
            form,
            method,
            aim,
            iterations or float("inf"),
            deadline,
            threads,
            callback,
            saved,
            seconds,
        )
    if polish:
        answer = _polished(form, answer, tolerance, deadline, threads, seconds)
    solution = _certified(form, answer, tolerance, seconds)
    if (
        answer.vertex is None
        or exact is False
        or not (exact or is_worth_proving(form, size, answer.vertex[1]))
    ):
        return solution
    with _timed(seconds, "exact"):
        return with_proof(solution, *answer.vertex)


def _certified(
    form: SequenceForm, answer: _Answer, tolerance: float, seconds: dict[str, float]
) -> Solution:
    """Return the solution: what a point is worth, its certificate says."""
    profile = certificate = None
    status = answer.status
    with _timed(seconds, "certify"):
        if answer.plans is not None:
            profile = answer.profile or Profile.from_plans(form.treeplexes, answer.plans)
            if (
                answer.single
            ):  # regrets had no more digits, and so it can be saved in half the space
                profile = profile.rounded(form.treeplexes)
            certificate = certify(form, profile)
            if certificate.nash_gap <= tolerance * (form.largest_payoff or 1.0):
                status = Status.SOLVED
            elif status is None:
                status = Status.INACCURATE
    return Solution(
        game=form,
        status=status or Status.FAILED,
        method=answer.method,
        profile=profile,
        certificate=certificate,
        message=answer.message,
        seconds=seconds,
        sizes=sizes(form) | answer.sizes,
        iterations=answer.iterations,
        tolerance=tolerance,
    )


def _solve_lp(
    form: SequenceForm,
    solver: str,
    engine: str | None,
    time_limit: float | None,
    threads: int,
    seconds: dict[str, float],
    exact: bool | None,
) -> _Answer:
    with _timed(seconds, "build"):
        size, build = (
            (form_lp_size(form), build_lp) if exact else choose_program(form)
        )  # a basis is made exact in the game's own matrix
        what = f"solving a linear program with {size.nonzeros:,} nonzeros"
        require_memory(
            size.solver_bytes,
            what,
            "use regret minimization (--method dcfr) or a coarser abstraction (--abstract)",
        )
        program = build(form)
    logger.info(
        "%s nodes; LP with %s rows and %s nonzeros",
        form.num_nodes,
        program.num_rows,
        program.num_nonzeros,
    )
    solver = choose_solver(
        program, solver, bool(exact), basis=exact is None and is_worth_a_basis(form, size)
    )
    LP_SOLVERS.get(solver)  # libraries load outside the timed part
    with _timed(seconds, "solve"):
        answer = run_solver(program, solver, engine, time_limit, threads)
    logger.info("%s says %r after %.3f s", answer.engine, answer.message, seconds["solve"])
    status = {LPStatus.LIMIT: Status.LIMIT, LPStatus.FAILED: Status.FAILED}.get(answer.status)
    name = f"lp/{answer.engine}"
    counts = {"lp_rows": size.rows, "lp_columns": size.columns, "lp_nonzeros": size.nonzeros}
    vertex = None if status or build is not build_lp else (program, answer.basis)
    return _Answer(
        None if status else program.plans(answer),
        status,
        name,
        answer.message,
        answer.iterations,
        counts,
        vertex=vertex,
    )


def _solve_by_iterations(
    form: SequenceForm,
    method: str,
    tolerance: float,
    iterations: float,
    deadline: float,
    threads: int,
    callback: Callable[[Progress], None] | None,
    saved: tuple[Path | None, bool],
    seconds: dict[str, float],
) -> _Answer:
    single = tolerance >= SINGLE_PRECISION_FROM and form.signals is not None and method in RULES
    # aim below what was asked for: the certificate adds what rounding may hide
    aim = 0.98 * tolerance - (ROUNDING_ERROR if single else 0.0)
    limits = Limits(aim * (form.largest_payoff or 1.0), iterations, deadline)
    checkpoint, resume = saved
    with _timed(seconds, "prepare"):
        engine = make_engine(form, method, single, threads)
        saver, kept = (
            (None, None)
            if checkpoint is None
            else open_checkpoint(checkpoint, form, engine, method, resume)
        )
    with _timed(seconds, "solve"):
        found = search(engine, limits, callback, saver, kept)
    logger.info("%s claims a gap of %.3g after %s iterations", method, found.gap, found.iterations)
    status = None if found.reached or found.stalled else Status.LIMIT
    message = (
        "stopped at the gap"
        if found.reached
        else ("the gap stopped shrinking" if found.stalled else "stopped by a limit")
    )
    return _Answer(
        found.plans,
        status,
        f"{method}/{engine.name}",
        message,
        found.iterations,
        {},
        single,
        found.interrupted,
    )


def _polished(
    form: SequenceForm,
    answer: _Answer,
    tolerance: float,
    deadline: float,
    threads: int,
    seconds: dict[str, float],
) -> _Answer:
    """Return an answer with its plans polished, in double precision; as it is if it has none or the user stopped the search."""
    import_module("clarabel")  # outside the timed part
    if answer.plans is None or answer.interrupted:
        return answer
    before, gap = (
        Profile.from_plans(form.treeplexes, answer.plans),
        tolerance * (form.largest_payoff or 1.0),
    )
    with _timed(seconds, "polish"):
        found = improve(form, before, gap=gap, deadline=deadline, threads=threads)
    message = f"{answer.message}, then polished" + (f"; {found.trouble}" if found.trouble else "")
    status = Status.LIMIT if found.interrupted or time.perf_counter() >= deadline else answer.status
    return answer._replace(
        profile=found.profile,
        status=status,
        method=f"{answer.method}+polish",
        message=message,
        single=False,
    )


def make_engine(form: SequenceForm, method: str, single: bool = False, threads: int = 1) -> Engine:
    """Return the engine of an iterative method; see `regret_engine`."""
    from seqform.solvers.iterative.primal_dual import PrimalDualEngine

    if method == "pdhg":
        return PrimalDualEngine(form)
    return regret_engine(form, rule(method), single, threads)


def run_solver(
    program: LinearProgram,
    solver: str = "auto",
    engine: str | None = None,
    time_limit: float | None = None,
    threads: int = 1,
) -> LPSolution:
    """Solve a linear program with a solver by name."""
    options = LPOptions(engine, time_limit, threads)
    return solve_program(program, choose_solver(program, solver), options)


def choose_solver(
    program: LinearProgram, solver: str = "auto", exact: bool = False, basis: bool = False
) -> str:
    """Return the solver's name, with 'auto' decided by the program's size, and by whether HiGHS can give a basis that is wanted.

    Parameters
    ----------
    exact, basis
        Whether an exact equilibrium was asked for, or a basis is worth a slower solver.
    """
    if solver != "auto":
        return solver
    if program.num_nonzeros < CLARABEL_FROM and not exact:
        return "highs"
    if exact or basis:
        from seqform.solvers.linear.highs import keeps_entries

        return "highs" if keeps_entries(program) else "clarabel"
    return "clarabel"


def _check_search(
    method: str,
    solver: str,
    gap: float | None,
    iterations: int | None,
    checkpoint: Path | None,
    resume: bool,
    polish: bool,
) -> None:
    if method in METHODS[2:] and solver != "auto":
        raise InvalidParameterError(
            f"solver={solver!r} is for method='lp'; {method} has no solvers to choose from"
        )
    if (method == "lp" or solver != "auto") and not (
        (gap is None or polish) and iterations is None and checkpoint is None
    ):
        raise InvalidParameterError(
            f"gap, iterations and checkpoint are for pdhg and regret minimization: use "
            f"method='{next(iter(RULES))}'"
        )
    if resume and checkpoint is None:
        raise InvalidParameterError("resume needs checkpoint: the file to go on from")
    if gap is not None and not (gap > 0 and isfinite(gap)):
        raise InvalidParameterError(f"gap={gap}: use a number above 0, in the game's unit")
    if iterations is not None and iterations < 1:
        raise InvalidParameterError(f"iterations={iterations}: use 1 or more")


def _check_options(
    method: str,
    solver: str,
    engine: str | None,
    time_limit: float | None,
    tolerance: float,
    threads: int,
) -> None:
    deadline_of(time_limit)  # refuses what is none, before anything is built
    if method not in METHODS:
        raise UnknownNameError.of("method", method, METHODS)
    if solver != "auto":
        check_options(LP_SOLVERS.get(solver), LPOptions(engine, time_limit, threads))
    elif engine is not None:
        raise InvalidParameterError(f"engine={engine!r} is for a solver by name: add solver=")
    if not tolerance > 0:
        raise InvalidParameterError(f"tolerance={tolerance}: use a number above 0")
    if threads < 1:
        raise InvalidParameterError(f"threads={threads}: use 1 or more")


@contextmanager
def _timed(seconds: dict[str, float], key: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[key] = seconds.get(key, 0.0) + time.perf_counter() - start
