"""What a player's information sets and actions are called, and where they are."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any, Protocol

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.nearest import hint
from seqform.base.number import plain
from seqform.form.treeplex import Treeplex

MOST_COMPARED = 20_000
"""Names that a mistyped one is compared with; each takes some microseconds."""

AMBIGUOUS = -1
"""What a text stands for that is how two names are written."""


class Named(Protocol):
    """A game whose information sets and actions have names, such as a `SequenceForm`."""

    @property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        """One for each player."""

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the name of an information set."""

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the names of its actions."""


class Names:
    """The names of one player of a form: as the game has them, and as they are written.

    Parameters
    ----------
    form
        The game.
    player
        Whose names.
    """

    def __init__(self, form: Named, player: int) -> None:
        self._form, self.player = form, player
        self._treeplex = form.treeplexes[player]
        self._actions: dict[int, dict[Hashable, int]] = {}

    def infoset(self, name: Hashable) -> int:
        """Return the number of the information set of that name.

        Raises
        ------
        InvalidStrategyError
            If the player has none, or two that are written alike.
        """
        found = _lookup(self._infosets, name)
        if found is None:
            hint = _near(name, self._infosets)
            raise InvalidStrategyError(
                f"player {self.player} has no information set {plain(name)}{hint}"
            )
        if found == AMBIGUOUS:
            raise InvalidStrategyError(
                f"player {self.player} has two information sets that are written {name}; "
                "rename one of them"
            )
        return found

    def sequence(self, infoset: int, action: Hashable) -> int:
        """Return the sequence that ends with an action of an information set.

        Raises
        ------
        InvalidStrategyError
            If there is no such action.
        """
        known = self._actions_of(infoset)
        found = _lookup(known, action)
        if found is None:
            raise InvalidStrategyError(
                f"{self.of(infoset)} has no action {plain(action)}{_near(action, known)}; "
                f"use {self.list_actions(infoset)}"
            )
        return int(self._treeplex.first_sequence[infoset]) + found

    def of(self, infoset: int) -> str:
        """Name an information set for an error message."""
        label = self._form.infoset_label(self.player, infoset)
        return f"player {self.player}, information set {plain(label)}"

    def list_actions(self, infoset: int) -> str:
        """List the actions of an information set for an error message."""
        return ", ".join(map(str, self._form.actions(self.player, infoset)))

    @cached_property
    def _infosets(self) -> dict[Hashable, int]:
        labels = []
        for infoset in range(self._treeplex.num_infosets):
            check_time("reading a strategy")
            labels.append(self._form.infoset_label(self.player, infoset))
        return _index(labels)

    def _actions_of(self, infoset: int) -> dict[Hashable, int]:
        if infoset not in self._actions:
            self._actions[infoset] = _index(list(self._form.actions(self.player, infoset)))
        return self._actions[infoset]


def _index(names: list[Hashable]) -> dict[Hashable, int]:
    """Return where each name is, by the name itself and by its text."""
    found: dict[Hashable, int] = {
        name: place for place, name in enumerate(names) if not isinstance(name, str)
    }
    for place, name in enumerate(names):
        text = str(name)
        found[text] = AMBIGUOUS if text in found else place
    return found


def _lookup(known: dict[Hashable, int], name: Any) -> int | None:
    try:
        found = known.get(name)
    except TypeError:  # a list, say
        found = None
    return known.get(str(name)) if found is None else found


def _near(name: Any, known: dict[Hashable, int]) -> str:
    texts = [text for text in known if isinstance(text, str)][:MOST_COMPARED]
    return hint(str(name), texts)
