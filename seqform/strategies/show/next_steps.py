"""What to do next with a solution: commands for people, or calls where Python is used."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from seqform.base.errors import UnsupportedGameError
from seqform.base.summary import Rows
from seqform.game.kinds import is_other_form, is_signal_game
from seqform.results.asked import UNWRITTEN, flags_of
from seqform.results.status import Status

if TYPE_CHECKING:
    from seqform.results.solution import Solution

MOST_SEQUENCES = 1_000
"""Of both players together, up to which correlated equilibria take seconds."""

MOST_PAIRS = 1_000_000
"""Of reduced pure strategies, up to which enumerating all equilibria takes seconds."""

MOST = 4
"""Steps that are offered."""


class Step(NamedTuple):
    """A step: the words after ``seqform``, the call in Python, and what it gives.

    In the words ``{game}`` and ``{solve}`` stand for how game and solve were typed.
    """

    command: str
    call: str
    gives: str


SHOW = Step("show {game}", "print(seqform.show(solution))", "every information set")
SHOW_SAVED = Step("show {saved}", "print(seqform.show(solution))", "every information set")
LINE = Step(
    "show {game} --line {line}", 'seqform.at_line(solution, "{line}")', "what is done after that"
)
LINE_SAVED = Step(
    "show {saved} --line {line}", 'seqform.at_line(solution, "{line}")', "what is done after that"
)
SAVE = Step("{solve} --out result", 'solution.save("result")', "keep it, to show and verify it")
SAVE_NAMED = SAVE._replace(call='solution.save("result", name, parameters)')
REPORT = Step(
    "report {saved} -o report.html",
    'seqform.write_report({"": solution}, "report.html")',
    "a page with all of it",
)
DETAILS = Step("{solve} --details", "solution.rows()", "all numbers: gaps, sizes, times")
PLAY = Step("play {game}", "seqform.play(game, solution)", "play against it")
FAMILY = Step("solve {game} --family", "seqform.solve(game, family=True)", "all equilibria")
ALL = Step("solve {game} --all", "seqform.solve(game, all=True)", "all equilibria, side by side")
EFCE = Step(
    "solve {game} --method efce",
    'seqform.solve(game, method="efce")',
    "what a mediator could reach",
)
PROVE = Step("{solve} --prove", "seqform.solve(game, prove=True)", "an interval without rounding")
LOSSLESS = Step("solve {game}", "seqform.solve(game)", "the game as it is, without loss")
BACKWARD = Step(
    "solve {game} --method backward",
    'seqform.solve(game, method="backward")',
    "strategies and a proof",
)
DRAW = Step("draw {game} --solution --values", "seqform.draw_tree(game, solution)", "the tree")


def next_steps(
    solution: Solution,
    *,
    is_whole: bool,
    line: str | None = None,
    typed: Sequence[str] = (),
    saved: str = "",
) -> Rows:
    """Return what to do next, and what it gives.

    Parameters
    ----------
    is_whole
        Whether all of the strategies were shown.
    line
        Of a game of hands, a line of which more can be shown.
    typed
        The words for the game on a command line; without any steps are calls, and where something
        was asked for that is no text.
    saved
        The folder that the solution is saved in, if it is.
    """
    chosen = list(_steps(solution, is_whole, bool(saved), line is not None))[: MOST - 1]
    steps = [*dict.fromkeys(chosen), DETAILS]
    asked = solution.asked or {}
    if not typed or UNWRITTEN in asked.values():
        return [(step.call.replace("{line}", line or ""), step.gives) for step in steps]
    solve = f"solve {shlex.join([*typed, *flags_of(asked)])}"
    words = {"game": shlex.join(typed), "solve": solve, "saved": shlex.quote(saved)}
    words["line"] = shlex.quote(line or "")
    return [(f"seqform {step.command.format(**words)}", step.gives) for step in steps]


def _steps(solution: Solution, is_whole: bool, is_saved: bool, by_line: bool) -> Iterator[Step]:
    """Yield steps that make sense, the most useful first."""
    if solution.answer is None:
        return
    asked = solution.asked or {}
    if solution.method in ("minimax", "alphabeta") and solution.status is not Status.LIMIT:
        yield BACKWARD
    if solution.status is Status.LIFTED and solution.lock is None:
        yield LOSSLESS
    is_shown = solution.profile is not None or solution.concept == "subgame-perfect"
    if is_shown and not is_whole and (is_saved or not asked):
        showing = (LINE, LINE_SAVED) if by_line else (SHOW, SHOW_SAVED)
        yield showing[is_saved]
    if solution.concept == "subgame-perfect":
        yield DRAW
    save = SAVE_NAMED if is_other_form(solution.source) else SAVE
    yield REPORT if is_saved else save
    yield from _further(solution, asked)
    if is_signal_game(solution.source) and not asked:
        yield PLAY


def _further(solution: Solution, asked: Mapping[str, Any]) -> Iterator[Step]:
    """Yield what else can be known of the equilibria of a game."""
    if solution.concept != "nash" or solution.smaller is not None or set(asked) & {"all", "family"}:
        return
    if solution.is_constant_sum and solution.exact is not None:
        yield FAMILY
        return
    if solution.status is Status.SOLVED and solution.proof is None and _is_provable(solution.game):
        yield PROVE
    if not solution.is_constant_sum and solution.game.num_players == 2:
        size = sum(treeplex.num_sequences for treeplex in solution.game.treeplexes)
        if size <= MOST_SEQUENCES and _is_provable(solution.game):
            if _is_enumerable(solution.game):
                yield ALL
            yield EFCE


def _is_provable(game: Any) -> bool:
    """Return whether something can be proven in exact arithmetic."""
    from seqform.exact.bracket import check_bracketable

    try:
        check_bracketable(game)
    except UnsupportedGameError:
        return False
    return True


def _is_enumerable(game: Any) -> bool:
    """Return whether all equilibria of a game of two players are enumerated in little time."""
    from seqform.form.pure_strategies import count_strategies

    pairs = prod(count_strategies(treeplex).reduced for treeplex in game.treeplexes)
    return pairs <= MOST_PAIRS


def words_of(name: str, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the words for a game on a command line; none without a name."""
    if not name:
        return ()
    return name, *(word for key, value in parameters.items() for word in ("-p", f"{key}={value}"))
