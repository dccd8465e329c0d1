"""One step of backward induction or of a search, as one would write it down by hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import inf
from typing import Any, NamedTuple

from seqform.base.number import Number
from seqform.game.checks import label_between
from seqform.game.rules import CHANCE, Game

Values = tuple[Number, ...]
"""One number for each player."""


class Decision(NamedTuple):
    """What was chosen at a node, when all that is below it was known."""

    path: tuple[Hashable, ...]
    """The actions and outcomes that lead from the root to the node."""
    player: int
    """Who chooses: a player or `CHANCE`, which takes the mean."""
    options: tuple[tuple[Hashable, Any], ...]
    """Each action searched, and its value: a number to player 0 in a search, else one number for
    each player."""
    chosen: Hashable | None
    value: Any
    window: tuple[Number, Number] | None = None
    """Alpha and beta on arrival, of a search that prunes."""
    skipped: tuple[Hashable, ...] = ()
    """Actions that need not be searched, because the value is outside the window already."""
    rewards: Any = None
    """What the node itself pays; part of the value and not of the options."""

    def __str__(self) -> str:
        where = " > ".join(map(str, self.path)) or "the root"
        options = ", ".join(f"{action}: {to_words(value)}" for action, value in self.options)
        text = f"{where}: {self._who()} {options}; {self._result()}"
        return text if self.rewards is None else f"{text}, with {to_words(self.rewards)} paid here"

    def _who(self) -> str:
        if self.player == CHANCE:
            return "chance takes the mean of"
        if isinstance(self.value, tuple):
            return f"player {self.player} chooses from"
        window = (
            ""
            if self.window is None
            else f" within ({to_words(self.window[0])}, {to_words(self.window[1])})"
        )
        return f"player {self.player} {'minimises' if self.player else 'maximises'}{window} over"

    def _result(self) -> str:
        if self.chosen is None:
            return f"worth {to_words(self.value)}"
        cut = f", cutting off {', '.join(map(str, self.skipped))}" if self.skipped else ""
        return f"takes {self.chosen}, worth {to_words(self.value)}{cut}"


Trace = Callable[[Decision], None]


def labels_along(game: Game, states: Sequence[Any]) -> tuple[Hashable, ...]:
    """Return the actions and outcomes that lead from each state to the next."""
    return tuple(label_between(game, states[i - 1], states[i]) for i in range(1, len(states)))


def to_words(value: Any) -> str:
    """Write a number, or one for each player, for people.

    Examples
    --------
    >>> from fractions import Fraction
    >>> to_words((Fraction(1, 2), -1)), to_words(float("inf")), to_words(0.25)
    ('(1/2, -1)', '+infinity', '0.25')
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(to_words, value))})"
    if value in (inf, -inf):
        return "+infinity" if value > 0 else "-infinity"
    return f"{value:.12g}" if isinstance(value, float) else str(value)
