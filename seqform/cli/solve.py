"""`seqform solve`: a certified answer to a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from seqform.base.deadline import For, overtime
from seqform.base.errors import InvalidParameterError
from seqform.base.interrupt import First, Interrupt
from seqform.cli import display
from seqform.cli.arguments import (
    EXIT_UNSOLVED,
    AsJson,
    GameArgument,
    MaxNodes,
    Parameters,
    Threshold,
)
from seqform.cli.loading import known_value, load, resolved
from seqform.cli.method_options import method_options
from seqform.cli.stages import hand_over
from seqform.cli.strategies import Frame

if TYPE_CHECKING:
    from seqform import Solution

SCREEN = 20
"""Lines of a terminal that strategies may take after what is known of a solution."""

MOST_SEQUENCES = 200
"""Sequences of all players, above which their strategies take more lines."""

TOLD = ("efce", "nfcce", "efcce")
"""Concepts whose answers are recommendations, which are shown as strategies are."""


def solve(
    context: typer.Context,
    game: GameArgument,
    param: Parameters = None,
    method: Annotated[
        str,
        typer.Option(
            help="auto, or one of {methods}. Of recursive games pollatschek, for two players with "
            "a constant sum, or a search: pi- or vi- and fp or a rule of regrets, as in pi-pcfr+."
        ),
    ] = "auto",
    abstract: Annotated[
        str,
        typer.Option(
            help="Solve a smaller game and lift the answer: auto, none, {reductions}, or a table "
            "of buckets, FILE.csv. Several between commas are applied one after the other; lock "
            "says where --lock belongs."
        ),
    ] = "auto",
    threshold: Threshold = 0.0,
    prove: Annotated[
        bool,
        typer.Option("--prove", help="Prove an interval for the value in exact arithmetic."),
    ] = False,
    threads: Annotated[int, typer.Option(help="Threads that the method may use.")] = 1,
    max_nodes: MaxNodes = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for result.json, the answer, and the game.")
    ] = None,
    lock: Annotated[
        Path | None,
        typer.Option(
            help="A strategy, .csv or .json, for some information sets: players keep to it there."
        ),
    ] = None,
    stage_gap: Annotated[
        float | None,
        typer.Option(
            help="Of recursive games by fictitious play, as in --method pi-fp: what somebody may "
            "gain within a stage at the end of a sweep."
        ),
    ] = None,
    frame: Frame = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw how the gap of an iterative method fell: .svg, .pdf or .png.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say which reduction and method were chosen, and why.")
    ] = False,
    details: Annotated[
        bool,
        typer.Option("--details", help="All numbers: bounds, gaps, sizes, and times by phase."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game and certify the answer; exit status 0 only if it is proven, or as was asked.

    The value of minimax or alpha-beta is the word of the search: no certificate looks at it.
    """
    import seqform

    options = method_options(context)
    if stage_gap is not None:
        options["stage_gap"] = stage_gap
    _check(out, as_json, options)
    _check_files(frame, plot)
    with Interrupt(First.PASS) as user:
        with display.progress(shown=not as_json and not options.get("trace")) as callback:
            built, parameters = load(game, param, max_nodes)
            if seqform.is_recursive(built):
                _check_of_stages(frame, explain=explain)
            solution = seqform.solve(
                built,
                method=method,
                abstract=abstract,
                threshold=threshold,
                prove=prove,
                threads=threads,
                max_nodes=max_nodes,
                callback=callback,
                lock=lock,
                plot=plot is not None,
                **options,
            )
        user.first = First.WAIT  # for what was found to be shown and saved
        with overtime(For.SHOWING):
            typed = (game, *(word for given in param or () for word in ("-p", given)))
            called = Called(*resolved(game, parameters), out, typed)
            if seqform.is_of_stages(solution):
                hand_over(solution, *called[:3], details=details, as_json=as_json)
                return
            _hand_over(solution, called, explain, details, as_json)
            _write_files(solution, frame, plot)
    if solution.status.name not in ("SOLVED", "LIFTED", "LOCKED", "REACHED"):
        sys.exit(EXIT_UNSOLVED)
    solved = solution.locked or solution
    if (options.get("exact") and not solved.exact) or (prove and not solution.proof):
        sys.exit(EXIT_UNSOLVED)
    if options.get("family") and solved.family is None:
        sys.exit(EXIT_UNSOLVED)
    if options.get("refine") not in (None, "undominated") and solved.refinement is None:
        sys.exit(EXIT_UNSOLVED)
    if options.get("optimize") not in (None, "none") and not solution.is_optimized:
        sys.exit(EXIT_UNSOLVED)


def _check_of_stages(frame: Path | None, *, explain: bool) -> None:
    """Refuse, before any work, what there is of one game only, and not of many stages."""
    given = ["--frame"] * (frame is not None) + ["--explain"] * explain
    if given:
        raise InvalidParameterError(
            f"{' and '.join(given)}: this is of one game; solve a stage, GAME@KEY, or leave it out"
        )


class Called(NamedTuple):
    """The game by name, where its solution is to be saved, and the words that were typed."""

    game: str
    parameters: dict[str, Any]
    out: Path | None
    typed: tuple[str, ...]


def _hand_over(
    solution: Solution, called: Called, explain: bool, details: bool, as_json: bool
) -> None:
    """Print what was found, and save it after that: a disk may be full."""
    game, parameters, out, typed = called
    if explain:
        print("\n".join(solution.reasons), file=sys.stderr if as_json else sys.stdout)
    if as_json:
        import json

        print(json.dumps(solution.record(game, parameters)), flush=True)
    elif details:
        display.print_solution(game, solution, known_value(game, parameters))
        _print_strategy(solution)
    else:
        import seqform

        saved = "" if out is None else str(out)
        found = seqform.brief(solution, game, parameters, saved, typed)
        print("\n".join(found.lines(display.room())), flush=True)
    if out is None:
        return
    with display.spinner(shown=not as_json) as tell:
        if tell is not None:
            tell("saving the answer")
        solution.save(out, game, parameters)
    if not as_json:
        print(f"saved in {out}{_checked_by(solution, out)}")


def _checked_by(solution: Solution, out: Path) -> str:
    """Return how what was saved can be checked, and what of it."""
    if not getattr(solution.certificate, "is_proof", True):
        return f"; `seqform verify {out}` checks its line of play, and only a new search its value"
    if len(list(out.iterdir())) == 1:
        return ": claims alone, not to be verified, as the game is too large to be kept"
    return f"; `seqform verify {out}` checks it again"


def _print_strategy(solution: Solution) -> None:
    """Print the strategies that were found, if they fit on a screen with what is known of them."""
    import seqform

    if solution.profile is None and solution.concept not in TOLD:
        return
    if sum(of.num_sequences for of in solution.game.treeplexes) > MOST_SEQUENCES:
        return
    text = seqform.show(solution).text
    if text.count("\n") < SCREEN:
        print(f"{text}\n")


def _check_files(frame: Path | None, plot: Path | None) -> None:
    """Check that a table and a picture can be written, before any work is done for them."""
    if frame is not None:
        from seqform import check_frame_file

        check_frame_file(frame)
    if plot is not None:
        from seqform.drawing import check_path

        check_path(plot)


def _write_files(solution: Solution, frame: Path | None, plot: Path | None) -> None:
    """Write what is played as a table, and how the gap fell as a picture."""
    if frame is not None:
        solution.save_frame(frame)
    if plot is not None:
        from seqform.drawing import save_figure

        save_figure(solution.plot(), plot)


def _check(out: Path | None, as_json: bool, options: dict[str, object]) -> None:
    """Check that what is found can be saved, and that no arguments exclude each other."""
    import seqform

    if out is not None:
        seqform.check_folder(out)
    if options.get("trace") and as_json:
        raise InvalidParameterError(
            "--trace prints lines for people and --json one object; use one of them"
        )
