"""One measurement in a process of its own: `python -m benchmarks.child WHAT CASE REPEATS` prints
one JSON line.

Times are CPU seconds of this process, the median of REPEATS after a warm-up on a tiny game, so that
libraries are loaded before the clock starts.
"""

from __future__ import annotations

import io
import json
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from benchmarks.cases import CASES, Case


def cpu(action: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of a call, and what it returns."""
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def stages(game: Any, solver: str) -> tuple[dict[str, float], Any, Any]:
    """Go from rules to certified equilibrium; return the seconds of each stage, the program and the
    certificate."""
    from seqform import build_sequence_form, build_tree, certify
    from seqform.form.profile import Profile
    from seqform.solvers.linear.program import build_lp
    from seqform.solvers.linear.solver import LPOptions, solve_program

    seconds = {}
    seconds["tree"], tree = cpu(lambda: build_tree(game))
    seconds["sequence form"], form = cpu(lambda: build_sequence_form(tree))
    seconds["LP"], program = cpu(lambda: build_lp(form))
    seconds["solve"], answer = cpu(lambda: solve_program(program, solver, LPOptions()))
    seconds["certify"], certificate = cpu(
        lambda: certify(form, Profile.from_plans(form.treeplexes, program.plans(answer)))
    )
    return seconds, program, certificate


def ours(case: Case, repeats: int) -> dict[str, Any]:
    """Measure ourselves with the default solver, stage by stage."""
    from seqform.base.thresholds import CLARABEL_FROM

    stages(CASES["kuhn"].make(), "highs")
    stages(CASES["kuhn"].make(), "clarabel")
    solver = "clarabel" if lp(case).num_nonzeros >= CLARABEL_FROM else "highs"
    runs = [stages(case.make(), solver) for _ in range(repeats)]
    _, program, certificate = runs[0]
    return {
        "seconds": {
            stage: statistics.median(run[0][stage] for run in runs) for stage in runs[0][0]
        },
        "total": statistics.median(sum(run[0].values()) for run in runs),
        "solver": solver,
        "value": certificate.values[0],
        "nash_gap": certificate.nash_gap,
        "nonzeros": program.num_nonzeros,
    }


def once(case: Case) -> dict[str, Any]:
    """Solve once as a user's script would, for the cost of a whole process."""
    from seqform import solve

    solution = solve(case.make())
    return {"value": solution.value, "nash_gap": solution.nash_gap}


def lp(case: Case) -> Any:
    """Return the linear program of a case."""
    from seqform import build_sequence_form, build_tree
    from seqform.solvers.linear.program import build_lp

    return build_lp(build_sequence_form(build_tree(case.make())))


def engine(case: Case, repeats: int, name: str) -> dict[str, Any]:
    """Time the bare solve of one engine: only its run on a model that it holds already."""
    from seqform import certify
    from seqform.form.profile import Profile

    program, times = lp(case), []
    for _ in range(repeats):
        run, read = (
            bare_clarabel(program, float(name)) if name[0].isdigit() else bare_highs(program, name)
        )
        times.append(cpu(run)[0])
    treeplexes = program.game.treeplexes
    certificate = certify(program.game, Profile.from_plans(treeplexes, program.plans(read())))
    return {
        "seconds": statistics.median(times),
        "nash_gap": certificate.nash_gap,
        "nonzeros": program.num_nonzeros,
    }


def bare_highs(program: Any, name: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return HiGHS's run on a loaded model, at its own default tolerances, and what reads the
    answer."""
    from seqform.solvers.linear import highs

    model = highs.highs_model(program)
    model.setOptionValue("solver", name)
    model.setOptionValue("parallel", "off")
    return model.run, lambda: highs._result(model, name)


def bare_clarabel(program: Any, tolerance: float) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return Clarabel's solve of a converted problem, and what reads the answer."""
    import clarabel as library
    import scipy.sparse as sp

    from seqform.solvers.linear import clarabel

    settings = library.DefaultSettings()
    settings.verbose, settings.max_threads, settings.max_iter = False, 1, 500
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    matrix, bounds, cones = clarabel._conic(program, library)
    quadratic = sp.csc_matrix((program.num_columns, program.num_columns))
    answers: list[Any] = []

    def run() -> None:
        # making the object orders and analyses the matrix: in Clarabel that belongs to the solve
        answers.append(
            library.DefaultSolver(
                quadratic, -program.objective, matrix, bounds, cones, settings
            ).solve()
        )

    return run, lambda: clarabel._result(program, answers[-1], 1.0)


def open_spiel(case: Case, repeats: int) -> dict[str, Any]:
    """Measure OpenSpiel's sequence_form_lp (ECOS through cvxpy), from its own rules where it has
    the game."""
    import pyspiel
    from open_spiel.python.algorithms import sequence_form_lp

    text = "" if case.open_spiel else efg(case)

    def solve() -> float:
        game = (
            pyspiel.load_game(case.open_spiel) if case.open_spiel else pyspiel.load_efg_game(text)
        )
        return float(sequence_form_lp.solve_zero_sum_game(game)[0])

    sequence_form_lp.solve_zero_sum_game(pyspiel.load_game("kuhn_poker"))
    runs = [cpu(solve) for _ in range(repeats)]
    return {"total": statistics.median(seconds for seconds, _ in runs), "value": runs[0][1]}


def gambit(case: Case, repeats: int, rational: bool) -> dict[str, Any]:
    """Measure Gambit's lp_solve on an .efg text of the same tree: reading, solving, and the
    value."""
    import pygambit

    from benchmarks.gambit import answer

    def solve(source: str) -> tuple[Fraction, int]:
        return answer(pygambit.read_efg(io.StringIO(source)), rational)

    text = efg(case)
    solve(efg(CASES["kuhn"]))
    runs = [cpu(lambda: solve(text)) for _ in range(repeats)]
    value, silent = runs[0][1]
    return {
        "total": statistics.median(seconds for seconds, _ in runs),
        "value": float(value),
        "note": f"no action has a probability at {silent} information sets" if silent else "",
    }


def efg(case: Case) -> str:
    """Return our tree as text."""
    from seqform import build_tree
    from seqform.io import efg_text

    return efg_text(build_tree(case.make()))


def main(what: str, name: str, repeats: str) -> None:
    """Run one measurement and print it."""
    case, times = CASES[name], int(repeats)
    kind, _, option = what.partition(":")
    actions: dict[str, Callable[[], dict[str, Any]]] = {
        "ours": lambda: ours(case, times),
        "once": lambda: once(case),
        "engine": lambda: engine(case, times, option),
        "open_spiel": lambda: open_spiel(case, times),
        "gambit": lambda: gambit(case, times, option == "exact"),
    }
    print(json.dumps(actions[kind]()))


if __name__ == "__main__":
    main(*sys.argv[1:])
