"""What methods share that decide at one state after the other, where nothing is hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqform.methods.method import Answer, option

if TYPE_CHECKING:
    from seqform.game.rules import Game
    from seqform.methods.problem import Problem
    from seqform.perfect_information.decision import Decision
    from seqform.perfect_information.result import SearchResult


@dataclass(frozen=True)
class TraceOptions:
    """Options of whatever decides at one state after the other.

    Parameters
    ----------
    trace
        Whether to print every decision; or a function that is called with each.
    """

    trace: bool | Callable[[Decision], None] = option(
        False, "Print every decision, in the order in which it is made."
    )


def tracer(trace: bool | Callable[[Decision], None]) -> Callable[[Decision], None] | None:
    """Return the function that is called with each decision, if any."""
    if callable(trace):
        return trace
    return print if trace else None


def no_states(who: str, problem: Problem) -> str | None:
    """Return why a game cannot be gone through state by state: it has neither rules nor a tree."""
    if not problem.is_form or problem.known_tree is not None:
        return None
    return f"{who} games with rules or a tree, and this one has a sequence form only"


def hidden_information(problem: Problem) -> str | None:
    """Return where a tree that is known hides information; None where it hides none."""
    tree = problem.known_tree
    if tree is None or tree.perfect_information:
        return None
    from seqform.base.errors import NotForThisGameError
    from seqform.tree.as_rules import require_perfect_information

    try:
        require_perfect_information(tree)
    except NotForThisGameError as error:
        return str(error.args[0])
    return None


def search_answer(rules: Game, name: str, result: SearchResult, depth: int | None = None) -> Answer:
    """Return what a search found as an answer.

    Unless it is solved, the status is REACHED at the depth that was asked for, and else LIMIT.
    """
    from seqform.results.status import Status

    status = None
    if not result.solved:
        is_reached = depth is not None and result.depth == depth
        status = Status.REACHED if is_reached else Status.LIMIT
    sizes = dict(result.statistics)
    stands = status is Status.REACHED
    return Answer(rules, result, name, 0.0, status, result.message, sizes=sizes, stands=stands)
