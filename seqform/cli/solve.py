"""`seqform solve`: a certified equilibrium of a game."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.arguments import (
    EXIT_UNSOLVED,
    AsJson,
    GameArgument,
    MaxNodes,
    Parameters,
    Threshold,
    given_options,
)
from seqform.cli.loading import abstraction, known_value, load
from seqform.cli.solve_perfect import Call, solve_perfect

if TYPE_CHECKING:
    from seqform.exact.interval import ProvenInterval
    from seqform.form.sequence_form import SequenceForm
    from seqform.results.solution import Solution
    from seqform.tree.tree import GameTree


def solve(
    context: typer.Context,
    game: GameArgument,
    param: Parameters = None,
    method: Annotated[
        str,
        typer.Option(
            help="lp; iterative: dcfr, hs-dcfr, cfr, cfr+, linear-cfr, pcfr+, pdhg; perfect "
            "information: backward, minimax, alphabeta; "
            "auto: lp unless very large, or with --gap etc., or backward"
        ),
    ] = "auto",
    solver: Annotated[str, typer.Option(help="auto, highs, clarabel or cvxpy.")] = "auto",
    engine: Annotated[
        str | None,
        typer.Option(help="HiGHS: simplex, ipx, hipo or pdlp; cvxpy: one of its solvers."),
    ] = None,
    gap: Annotated[
        float | None,
        typer.Option(help="Iterative methods, --polish: nash_gap to reach, in the game's unit."),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Iterative methods: how many at most.")
    ] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for the solver.")] = None,
    threads: Annotated[int, typer.Option(help="Threads for the solver.")] = 1,
    max_nodes: MaxNodes = None,
    abstract: Annotated[
        str, typer.Option(help="none, or a criterion of `shrink`: solve the smaller game and lift.")
    ] = "none",
    threshold: Threshold = 0.0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Iterative methods: file to save the search to, every minute."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    polish: Annotated[
        bool,
        typer.Option(
            "--polish", help="Go on to --gap, or 1e-9 of the largest payoff, by quadratic programs."
        ),
    ] = False,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove", help="Prove an interval in exact arithmetic; all payoffs int or Fraction."
        ),
    ] = False,
    exact: Annotated[
        bool | None,
        typer.Option(
            "--exact/--no-exact",
            help="The value as a fraction, proven; all payoffs int or Fraction. Default: where it "
            "costs little.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for result.json, strategies, game and certificate.json."),
    ] = None,
    trace: Annotated[
        bool,
        typer.Option(
            "--trace",
            help="Perfect information: print every decision, in the order in which it is made.",
        ),
    ] = False,
    depth: Annotated[
        int | None,
        typer.Option(min=1, help="alphabeta: look so many moves deep, and estimate what is below."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compute an equilibrium and certify it; exit status 0 only if the certificate proves it, or measures what an abstraction lost."""
    built, parameters = load(game, param, max_nodes)
    if solve_perfect(
        built,
        Call(
            game,
            parameters,
            method,
            given_options(context),
            max_nodes,
            time_limit,
            trace,
            depth,
            as_json,
        ),
    ):
        return
    from seqform.form.counts_from_signals import is_too_large
    from seqform.form.from_tree import build_sequence_form
    from seqform.methods.solve import solve as run
    from seqform.results.record import result_record
    from seqform.results.reduction import lift
    from seqform.tree.from_any import build_tree

    options: dict[str, Any] = {
        "method": method,
        "solver": solver,
        "engine": engine,
        "time_limit": time_limit,
        "threads": threads,
    }
    options |= {
        "gap": gap,
        "iterations": iterations,
        "checkpoint": checkpoint,
        "resume": resume,
        "polish": polish,
    }
    large = is_too_large(built, max_nodes)
    _check(threshold, abstract, out, exact, large)
    tree = (
        None if out is None or large else build_tree(built, max_nodes)
    )  # what cannot be saved is refused before it is solved
    inside = ("equitable" if large else None) if abstract == "none" else abstract
    abstracted = None
    with display.progress(not as_json) as callback:
        if inside is None:
            form = (
                _provable(build_sequence_form(tree or build_tree(built, max_nodes)))
                if prove
                else None
            )
            solution = run(
                form or tree or built,
                max_nodes=max_nodes,
                callback=callback,
                exact=exact,
                **options,
            )
        else:
            reduced, inverse = (
                abstraction("criteria").reduction(inside, built, threshold).apply(built, max_nodes)
            )
            _ = _provable(reduced) if prove else None
            abstracted = run(reduced, callback=callback, exact=False, **options)
            if large:
                print(
                    "lifting the strategies into the whole game and certifying them there ...",
                    file=sys.stderr,
                )
            solution = lift(abstracted, inverse)
    proven = solution.bracket or (_prove(solution) if prove else None)
    record = result_record(solution, game, parameters)
    if proven is not None:
        record["proven"] = proven.record()
    if abstracted is not None:
        record |= {
            "abstraction": inside,
            "abstract_value": abstracted.value,
            "loss": solution.nash_gap,
        }
    if out is not None:
        _save(solution, abstracted, tree, out, record, proven)
    if as_json:
        from seqform.results.folder import jsonable

        print(json.dumps(jsonable(record)))
    else:
        display.print_solution(
            game, solution, known_value(game, parameters), abstracted, inside, proven
        )
        if out is not None:
            print(f"saved in {out}; `seqform verify {out}` checks it again")
    if solution.status.name not in ("SOLVED", "LIFTED") or (exact and not solution.exact):
        sys.exit(EXIT_UNSOLVED)


def _check(
    threshold: float, abstract: str, out: Path | None, exact: bool | None, large: bool
) -> None:
    """Refuse arguments that do not go together, before anything is computed."""
    if threshold and abstract == "none":
        raise InvalidParameterError("--threshold needs --abstract: outcome, tree or tree-published")
    if out is not None and out.exists() and not out.is_dir():
        raise InvalidParameterError(f"--out {out} is a file; give a folder")
    if exact and (large or abstract != "none"):
        raise InvalidParameterError(
            "--exact needs the linear program of the game as it is: no --abstract, no larger "
            "game; use --prove"
        )


def _save(
    solution: Solution,
    abstracted: Solution | None,
    tree: GameTree | None,
    out: Path,
    record: dict[str, Any],
    proven: ProvenInterval | None,
) -> None:
    """Save a solution with its tree, or by classes of observations where the game has none."""
    from seqform.results.folder import save, with_tree
    from seqform.results.signal_strategy import SignalStrategy

    if tree is not None:
        save(with_tree(solution, tree), out, record, proven=proven)
        return
    strategy = None
    if (
        abstracted is not None
        and abstracted.profile is not None
        and abstracted.game.signals is not None
    ):
        strategy = SignalStrategy(*abstracted.game.signals, abstracted.profile.behaviors)
    save(solution, out, record, strategy)


def _provable(form: SequenceForm) -> SequenceForm:
    """Return a game of exact payoffs, and refuse any other before it is solved."""
    from seqform.exact.interval import check_provable

    check_provable(form)
    return form


def _prove(solution: Solution) -> ProvenInterval | None:
    """Return the interval that a solution's plans prove in the game in which they are certified; None without plans."""
    from time import perf_counter

    from seqform.exact.interval import prove

    if solution.profile is None:
        return None
    start = perf_counter()
    proven = prove(solution.game, solution.profile)
    solution.seconds["prove"] = perf_counter() - start
    return proven
