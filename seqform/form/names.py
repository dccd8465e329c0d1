"""What a player's information sets and actions are called, and where they are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Protocol

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.nearest import hint
from seqform.base.number import plain
from seqform.form.treeplex import Treeplex
from seqform.game.labels import named_player

MOST_COMPARED = 20_000
"""Names that a mistyped one is compared with; each takes some microseconds."""

AMBIGUOUS = -1
"""What a text stands for that is how two names are written."""


class Named(Protocol):
    """A game whose information sets and actions have names, such as a `SequenceForm`."""

    @property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        """One for each player."""

    @property
    def card_kinds(self) -> Mapping[str, str]:
        """The kind of each card, such as its rank, where several cards are of one kind."""

    def hands_meant(self, player: int, text: str) -> frozenset[str] | None:
        """Return the hands that a text such as QQ+ stands for; None if none are written so."""

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the game's own key of an information set."""

    def infoset_text(self, player: int, infoset: int) -> str:
        """Return how it is written."""

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return its actions, as the game has them."""

    def action_texts(self, player: int, infoset: int) -> tuple[str, ...]:
        """Return how these are written."""


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
        self.form, self.player = form, player
        self._treeplex = form.treeplexes[player]
        self._actions: dict[int, dict[Hashable, int]] = {}

    def infoset(self, name: Hashable) -> int:
        """Return the number of the information set of that name.

        Raises
        ------
        InvalidStrategyError
            If the player has none, or two that are written alike.
        """
        found = self.find(name)
        if found is None:
            raise InvalidStrategyError(
                f"player {self.player} has no information set {plain(name)}"
                f"{_near(name, self._infosets)}"
            )
        return found

    def find(self, name: Hashable) -> int | None:
        """Return the number of the information set of that name, None if the player has none.

        Raises
        ------
        InvalidStrategyError
            If two are written so.
        """
        found = _lookup(self._infosets, name)
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
        found = self.find_sequence(infoset, action)
        if found is None:
            raise InvalidStrategyError(
                f"{self.of(infoset)} has no action {plain(action)}"
                f"{_near(action, self._actions_of(infoset))}; use {self.list_actions(infoset)}"
            )
        return found

    def find_sequence(self, infoset: int, action: Hashable) -> int | None:
        """Return the sequence that ends with an action of a set; None if it has no such action."""
        found = _lookup(self._actions_of(infoset), action)
        return None if found is None else int(self._treeplex.first_sequence[infoset]) + found

    def of(self, infoset: int) -> str:
        """Name an information set for an error message."""
        text = self.form.infoset_text(self.player, infoset)
        return f"player {self.player}, information set {plain(text)}"

    def list_actions(self, infoset: int) -> str:
        """List the actions of an information set for an error message."""
        return ", ".join(self.form.action_texts(self.player, infoset))

    @cached_property
    def texts(self) -> list[str]:
        """How each information set is written."""
        texts = []
        for infoset in range(self._treeplex.num_infosets):
            check_time("reading a strategy")
            texts.append(self.form.infoset_text(self.player, infoset))
        return texts

    @cached_property
    def _infosets(self) -> dict[Hashable, int]:
        keys = (self.form.infoset_label(self.player, h) for h in range(len(self.texts)))
        return _index(self.texts, keys)

    def _actions_of(self, infoset: int) -> dict[Hashable, int]:
        if infoset not in self._actions:
            texts = self.form.action_texts(self.player, infoset)
            self._actions[infoset] = _index(texts, self.form.actions(self.player, infoset))
        return self._actions[infoset]


def _index(texts: Iterable[str], keys: Iterable[Hashable]) -> dict[Hashable, int]:
    """Return where each name is: by how it is written, by the key itself, and by the key's text.

    What is written goes before the texts of keys.
    """
    found: dict[Hashable, int] = {}
    for place, text in enumerate(texts):
        found[text] = AMBIGUOUS if text in found else place
    by_key: dict[str, int] = {}
    for place, key in enumerate(keys):
        if not isinstance(key, str):
            found[key] = place
        if (text := str(key)) not in found:
            by_key[text] = AMBIGUOUS if text in by_key else place
    return found | by_key


def _lookup(known: dict[Hashable, int], name: Any) -> int | None:
    try:
        found = known.get(name)
    except TypeError:  # a list, say
        found = None
    return known.get(str(name)) if found is None else found


def _near(name: Any, known: dict[Hashable, int]) -> str:
    texts = islice((text for text in known if isinstance(text, str)), MOST_COMPARED)
    return hint(str(name), list(texts))


def player_number(given: Any, num_players: int, names: Sequence[str] = ()) -> int:
    """Return the number of a player from a number, its text, or the player's name.

    Raises
    ------
    InvalidStrategyError
        If there is no such player.
    """
    text = str(given).strip()
    if text.isdecimal() and int(text) < num_players:
        return int(text)
    found = named_player(text, names)
    if found is not None:
        return found
    called = f", or a name: {', '.join(names)}" if names else ""
    raise InvalidStrategyError(
        f"there is no player {plain(given)}{hint(text, names)}; use an integer from 0 to "
        f"{num_players - 1}{called}"
    )
