"""What to do about a game that a method refuses: the methods that accept it, asked one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields

from seqform.base.errors import GameTooLargeError, SeqformError
from seqform.base.memory import shortage
from seqform.game import needs
from seqform.methods.iterative_method import IterativeMethod
from seqform.methods.method import METHODS, Method
from seqform.methods.problem import Problem

LARGEST = 100_000
"""Nodes of a tree that is built only to find out which methods accept the game."""

USUAL = ("backward", "lp", "lcp", "best-response", "qre", "cfr+", "dcfr", "efce")
"""The order in which others are named first: those that `auto` takes, then others."""

NASH = "nash"
"""The concept whose answers are lifted from smaller games: profiles."""

NONE = (
    "no method solves such games yet; this one can be described, drawn and converted, and "
    "profiles of yours can be certified"
)


def advice(
    problem: Problem,
    refusing: str,
    usual: Callable[[Problem], str | None],
    given: Collection[str] = (),
) -> str:
    """Return which methods accept a game that one refused, as an instruction.

    Methods are asked about the game's tree, since rules show some things only there.

    Parameters
    ----------
    problem
        The game.
    refusing
        The name of the method that refused it.
    usual
        Returns the method that is taken where nobody names one. Of games of hands, which no fixed
        order of methods suits, it is named first.
    given
        The options that were given. A method that has them is named before others, and else which
        of them to leave out.
    """
    if problem.known_tree is None and not problem.is_form:
        limit = LARGEST if problem.max_nodes is None else min(LARGEST, int(problem.max_nodes))
        problem = Problem(problem.game, limit)
        try:
            _ = problem.tree
        except GameTooLargeError:
            return "use method='auto', which finds out which method accepts it, if any"
        except SeqformError as error:
            return str(error)
    names = [
        method.name
        for method in METHODS.at_hand()
        if method.name != refusing
        and _lifts(method, problem)
        and _accepts(method, problem)
        and _fits(method, problem)
    ]
    if not names:
        return NONE + unasked()
    lacking = {name: set(given) - option_names(METHODS.get(name)) for name in names}
    best = usual(problem) if problem.is_form and problem.is_of_hands else None

    def place(name: str) -> tuple[int, bool, int]:
        return len(lacking[name]), name != best, (*USUAL, name).index(name)

    first = min(names, key=place)
    without = ", ".join(f"{option}=" for option in sorted(lacking[first]))
    as_good = (name for name in names if name != first and lacking[name] <= lacking[first])
    others = ", ".join(as_good)
    more = f", or another that accepts this game: {others}" if others else ""
    return f"use method='{first}'" + (f" without {without}" if without else "") + more


def unasked() -> str:
    """Return which methods of other packages were not asked, since nobody has named them."""
    others = [f"{name} ({package})" for name, package in METHODS.not_at_hand().items()]
    return f"; not asked before they are named: {', '.join(others)}" if others else ""


def option_names(method: Method) -> set[str]:
    """Return the options that a method has."""
    return {field.name for field in fields(method.Options)}


def refusal(method: Method, problem: Problem) -> str | None:
    """Return None if a method can solve a game; else why not."""
    forgotten = needs.perfect_recall(
        f"method {method.name!r} needs", problem.forgets and not method.forgets
    )
    return forgotten or method.accepts(problem)


def _lifts(method: Method, problem: Problem) -> bool:
    """Return whether the method may be named for a game that a reduction has made."""
    return problem.reduction == "none" or method.concept == NASH


def _accepts(method: Method, problem: Problem) -> bool:
    try:
        return refusal(method, problem) is None
    except SeqformError:  # such as imperfect recall
        return False


def _fits(method: Method, problem: Problem) -> bool:
    """Return whether there is memory for a method, and it is known to end some day.

    What a search says that it needs is for payoffs that are listed; engines of its own need less.
    """
    need = None if isinstance(method, IterativeMethod) else method.need(problem.form)
    return need is None or (not need.endless and shortage(need.num_bytes) is None)
