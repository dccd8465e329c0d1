"""A game's own algorithms, as methods like all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqform.base.errors import UnknownNameError
from seqform.methods.method import Answer, Method
from seqform.methods.state_by_state import search_answer
from seqform.perfect_information.game_methods import game_methods, solve_by

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.methods.problem import Problem


@dataclass(frozen=True)
class NoOptions:
    """A game's own method has no options."""


class GameMethod(Method):
    """A function that a game names in its `methods`.

    Parameters
    ----------
    name
        The method's name.
    where
        The function, written `module:function`.
    """

    concept = "game-value"
    records = False
    Options = NoOptions

    def __init__(self, name: str, where: str) -> None:
        self.name, self.where = name, where
        self.summary = f"the game's own: {where}"

    def accepts(self, problem: Problem) -> str | None:
        """Return None if the game has this method."""
        if game_methods(problem.game).get(self.name) == self.where:
            return None
        return f"the game has no method {self.name!r} of its own"

    def run(self, problem: Problem, options: NoOptions, clock: Clock) -> Answer:
        """Call the function with the game, the callback and the time limit: nothing was built."""
        with clock.phase("solve"):
            result = solve_by(
                problem.game,
                self.name,
                callback=clock.callback,
                time_limit=clock.seconds_left,
            )
        return search_answer(problem.game, self.name, result)


def game_method(problem: Problem, name: str) -> GameMethod:
    """Return a method that the game brings along.

    Raises
    ------
    UnknownNameError
        If the game has no method of this name.
    """
    known = game_methods(problem.game)
    if name not in known:
        raise UnknownNameError.of("method of the game's own", name, known)
    return GameMethod(name, known[name])
