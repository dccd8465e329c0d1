"""Games that are wrong in one place, which are to be refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from seqform.game.rules import TERMINAL


class Rules:
    """One player chooses a or b and the game ends; subclasses spoil it."""

    num_players = 2

    def root(self) -> Any:
        return ""

    def player(self, state: Any) -> Any:
        return 0 if state == "" else TERMINAL

    def actions(self, state: Any) -> Any:
        return ("a", "b")

    def chance(self, state: Any) -> Any:
        return [("x", Fraction(1, 2)), ("y", Fraction(1, 2))]

    def child(self, state: Any, action: Any) -> Any:
        return state + action

    def infoset(self, state: Any) -> Any:
        return state

    def payoffs(self, state: Any) -> Any:
        return (1, -1)


def spoiled(**methods: Any) -> Rules:
    """Return `Rules` with methods replaced by functions of the state (or of state and action)."""
    members = {name: (staticmethod(f) if callable(f) else f) for name, f in methods.items()}
    return type("Spoiled", (Rules,), members)()


def pays(value: Any) -> Rules:
    return spoiled(payoffs=lambda s: value)


def two_moves(
    infoset: Callable[[str], Any],
    actions: Callable[[str], Any] = lambda s: ("a", "b"),
    second: int = 0,
) -> Rules:
    """Player 0 moves, then player `second`."""
    return spoiled(
        player=lambda s: TERMINAL if len(s) == 2 else (second if s else 0),
        infoset=infoset,
        actions=actions,
    )
