"""`seqform show`: the strategies of a game, as tables."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED, GAME_HELP, PLAYER, AsJson, MaxNodes, Parameters
from seqform.cli.loading import given_parameters, load, load_or_result, load_saved
from seqform.cli.stages import print_stages
from seqform.cli.strategies import STRATEGY_HELP, Complete, Frame

if TYPE_CHECKING:
    from seqform import RecursiveSolution, Solution


def show(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help=f"{GAME_HELP}; or a folder `seqform solve --out` wrote."
        ),
    ],
    param: Parameters = None,
    player: Annotated[
        str | None,
        typer.Option(metavar=PLAYER, help="Whose strategy: number or name; default: everybody's."),
    ] = None,
    infoset: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Information sets with this in their names, such as Ks:check-bet."
        ),
    ] = "",
    board: Annotated[
        str, typer.Option(metavar="CARDS", help="Cards that everybody sees, such as '7h 2d'.")
    ] = "",
    ask: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="CARDS HISTORY",
            help="One situation: what the player to act has seen, and what was done, such as "
            "'Ks 7h' 'check-check/bet'.",
        ),
    ] = None,
    line: Annotated[
        str | None,
        typer.Option(
            metavar="LINE",
            help="Of a game of hands, one point of the betting, such as check-bet100 or "
            "check-check/8c/bet50; '' is where it begins.",
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="GROUP",
            help="What hands are put together by at that point: hand, or in hold'em made, draw, "
            "class.",
        ),
    ] = "auto",
    matrix: Annotated[
        str | None,
        typer.Option(
            metavar="ACTION",
            help="How often that action is taken there, as a matrix of classes of hands; or EV, "
            "equity, weight.",
        ),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Of a recursive game, the stage that is shown."),
    ] = None,
    layout: Annotated[
        str,
        typer.Option(
            help="hands: a row for each hand and a column for each line of actions; actions: a row "
            "for each action; auto: by hand where that is possible and lines are few."
        ),
    ] = "auto",
    values: Annotated[
        bool, typer.Option("--values", help="Values beside the probabilities of hands, too.")
    ] = False,
    beliefs: Annotated[
        bool,
        typer.Option("--beliefs", help="How likely each node of an information set is there."),
    ] = False,
    rows: Annotated[int, typer.Option(min=1, help="Most rows of all tables together.")] = 200,
    max_nodes: MaxNodes = None,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Run the code of a game module:attribute that a result names and that is too "
            "large for a tree.",
        ),
    ] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print all that is known as CSV, a line for each action.")
    ] = False,
    as_json: AsJson = False,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile", metavar="FILE", help=f"Show this strategy instead: {STRATEGY_HELP}."
        ),
    ] = None,
    complete: Complete = "uniform",
    frame: Frame = None,
) -> None:
    """Show what is played: every information set, its probabilities, reach, values and regret.

    A game is solved first; of a saved result, and with --profile, nothing is solved. Numbers in
    brackets are those of information sets that are never reached.
    """
    import seqform

    if as_csv and as_json:
        raise InvalidParameterError("--csv and --json exclude each other; use one of them")
    if frame is not None:
        seqform.check_frame_file(frame)
    chosen = {"infoset": infoset, "board": board, "ask": ask, "beliefs": beliefs}
    at = _point(line, by, matrix, [name for name, value in chosen.items() if value])
    given: dict[str, Any] = {}
    if profile is None:
        strategies, is_solved = _strategies(game, param, max_nodes, trust, stage, at)
    else:
        strategies, given = _given(game, param, max_nodes, profile, complete)
        is_solved = True
    if seqform.is_of_stages(strategies):
        print_stages(strategies, rows, as_json=as_json)
        _exit_unless(is_solved)
        return
    if at is not None or (not any(chosen.values()) and _is_by_line_only(strategies)):
        shown = _at(strategies, at or Point(), player, rows, given)
    else:
        shown = seqform.show(
            strategies,
            player=player,
            infoset=infoset,
            board=board,
            ask=ask,
            layout=layout,
            values=values,
            beliefs=beliefs,
            rows=rows,
            **given,
        )
    if frame is not None:
        shown.save_frame(frame)
    if as_json:
        print(json.dumps(shown.record(game, given_parameters(param))))
    elif as_csv:
        shown.write_csv(sys.stdout)
    else:
        print(shown.text)
    _exit_unless(is_solved)


def _exit_unless(is_solved: bool) -> None:
    if not is_solved:
        sys.exit(EXIT_UNSOLVED)


class Point(NamedTuple):
    """A point of a game of hands, and how it is shown."""

    line: str = ""
    by: str = "auto"
    matrix: str | None = None


def _point(line: str | None, by: str, matrix: str | None, others: list[str]) -> Point | None:
    """Return the point that is asked for; None if none is.

    Raises
    ------
    InvalidParameterError
        If information sets are chosen, too.
    """
    if line is None and matrix is None and by == "auto":
        return None
    if others:
        raise InvalidParameterError(
            f"--line and --{others[0]} exclude each other: a line shows all hands at one point"
        )
    return Point(line or "", by, matrix)


def _at(strategies: Any, at: Point, player: str | None, rows: int, given: dict[str, Any]) -> Any:
    """Return what is known of a point."""
    import seqform

    how = {name: given[name] for name in ("game", "complete") if name in given}
    found = seqform.at_line(strategies, at.line, **how)
    return found.by(at.by, player, rows, at.matrix)


def _is_by_line_only(strategies: Any) -> bool:
    """Return whether a solution is of a game that is shown by lines, as it is large."""
    from seqform import SequenceForm, is_by_line_only

    form = getattr(strategies, "game", getattr(strategies, "form", None))
    return isinstance(form, SequenceForm) and is_by_line_only(form)


def _strategies(
    game: str,
    param: list[str] | None,
    max_nodes: int | None,
    trust: bool,
    stage: str | None,
    at: Point | None,
) -> tuple[Any, bool]:
    """Return what is to be shown, and whether it is solved as a solution of its kind should be.

    A line is checked before a game is solved; of a stage, and what is saved, when it is shown.

    Raises
    ------
    InvalidParameterError
        If a stage is asked for of a game that is not recursive.
    """
    import seqform

    line = None if at is None or stage is not None else at.line
    found, is_solved = _whole(game, param, max_nodes, trust, line)
    if stage is None:
        return found, is_solved
    if not seqform.is_of_stages(found):
        raise InvalidParameterError("--stage is for recursive games, and this game has no stages")
    return found.stage(stage), is_solved


def _whole(
    game: str, param: list[str] | None, max_nodes: int | None, trust: bool, line: str | None
) -> tuple[Any, bool]:
    """Return what a game or a folder has to show, and whether it is solved."""
    import seqform

    if os.path.exists(Path(game) / "strategy.npz") and game not in seqform.GAMES and not param:
        print(f"not certified again; `seqform verify {game}` does that", file=sys.stderr)
        return seqform.load_strategy(Path(game), partial(load_saved, trust=trust)), True
    with display.spinner(shown=True):
        found = load_or_result(game, param, trust)
    if seqform.is_of_stages(found) or isinstance(found, seqform.Solution):
        return found, _is_solved(found)
    with display.progress(shown=True) as callback:
        built, _ = load(game, param, max_nodes)
        if line is not None and not seqform.is_recursive(built):
            seqform.check_line(built, line, max_nodes)
        solution = seqform.solve(built, max_nodes=max_nodes, callback=callback)
    return solution, _is_solved(solution)


def _given(
    game: str, param: list[str] | None, max_nodes: int | None, profile: str, complete: str
) -> tuple[Any, dict[str, Any]]:
    """Return the strategy of a file, and the game with the rule by which it is completed."""
    import seqform
    from seqform.io import read_rule, read_strategy

    with display.spinner(shown=True):
        found = load_or_result(game, param)
        form = seqform.form_of(found, max_nodes)
        strategy, rule = read_strategy(profile, form), read_rule(complete, form)
    whole = found.source if isinstance(found, seqform.Solution) else found
    by_hand = isinstance(whole, seqform.SignalGame)  # which a form of a tree does not know
    return strategy, {"game": whole if by_hand else form, "complete": rule, "max_nodes": max_nodes}


def _is_solved(solution: Solution | RecursiveSolution) -> bool:
    """Return whether a solution is what it should be; if not, say so on standard error."""
    if solution.status.name in ("SOLVED", "LIFTED"):
        return True
    print(f"{solution.status.name}: {solution.status.value}", file=sys.stderr)
    return False
