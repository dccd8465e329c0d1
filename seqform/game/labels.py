"""Labels: what people read of a game, as the game says, or as its own keys are best written.

The keys of information sets and actions are anything that can be hashed. What stands in tables and
pictures, and what users ask by, is text. A game may give it by optional methods of its rules:
``information_set_label(player, key)``, ``action_label(action)``, ``state_label(state)`` and the
attribute ``player_names``. Where it does not, a tuple is written without brackets and quotes, and
without the number of the player if all of the player's tuples begin with that. So ``(0, "big",
("hold", "pass"))`` is ``big, hold pass``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from seqform.base.errors import InvalidGameError, InvalidParameterError
from seqform.base.nearest import hint
from seqform.base.number import check_player, plain
from seqform.base.summary import counted
from seqform.game.kinds import is_tree

NUMBERED = re.compile(r"\bplayer (\d{1,9})\b")
"""A player that is told by number alone."""

START = "start"
"""How a key is written that has nothing in it, as that of a first move often is."""

Parts = tuple[str, str]
"""What a player holds in an information set, and what everybody has seen: the hand, and the line of
betting. Written they are joined by a colon, as in ``K:check-bet``."""


class Visit(tuple[Any, int]):
    """The key of an information set of a game of perfect information: a state, and the how-manieth.

    With perfect information every node is an information set, whether or not its state comes again.
    """

    __slots__ = ()


class SameText(str):
    """The key, read from a file, of an information set that is written like another one's.

    It is equal to nothing but itself.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class NamedGrid(NamedTuple):
    """How hands that a game knows by their names are laid out as a matrix of classes.

    Parameters
    ----------
    rows, columns
        What stands before each row, and over each column.
    names
        The hand of each cell, row by row.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]

    def cells(self, hands: Sequence[str]) -> list[int]:
        """Return the numbers of the cells of some hands, row by row.

        Raises
        ------
        InvalidGameError
            R11: if a hand is in no cell.
        """
        places = {name: place for place, name in enumerate(self.names)}
        lost = [hand for hand in hands if hand not in places]
        if lost:
            raise InvalidGameError(
                f"R11: the hand {lost[0]!r} is in no cell of the matrix that the game lays its "
                "hands out in; give the grid a name for each hand of its information sets"
            )
        return [places[hand] for hand in hands]


@dataclass(frozen=True, eq=False)
class GivenLabels:
    """What a game says of how it is written.

    Parameters
    ----------
    players
        A name for each player; empty where the game has none.
    infosets
        By player and key: the text, or its two parts.
    actions
        By action or outcome of chance.
    nodes
        The text of each node of the tree that this was made with; empty if there are none.
    kinds
        Of a game that deals cards: what cards are called together that its symmetries exchange,
        such as their rank; empty if each card is of a kind of its own.
    grid
        How hands, the first parts of information sets, are laid out as a matrix; None if they are
        in none.
    """

    players: tuple[str, ...] = ()
    infosets: Mapping[tuple[int, Hashable], str | Parts] = field(default_factory=dict)
    actions: Mapping[Hashable, str] = field(default_factory=dict)
    nodes: Sequence[str] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    grid: NamedGrid | None = None

    def without_nodes(self) -> GivenLabels:
        """Return the labels for a tree with other nodes."""
        return replace(self, nodes=()) if self.nodes else self

    def action(self, action: Hashable) -> str:
        """Return how an action is written."""
        return self.actions.get(action) or str(action)

    def parts(self, player: int, key: Hashable) -> Parts | None:
        """Return the two parts of the label of an information set, where the game says them."""
        found = self.infosets.get((player, key))
        return found if isinstance(found, tuple) else None

    def player(self, player: int) -> str:
        """Return how a player is written: by the number, and by the name if there is one."""
        name = self.players[player] if self.players else ""
        return f"player {player} ({name})" if name else f"player {player}"


UNSAID = GivenLabels()
"""Of a game that says nothing."""


def joined(label: str | Parts) -> str:
    """Return a label of an information set as it is written."""
    return label if isinstance(label, str) else ":".join(label)


def infoset_texts(player: int, keys: Sequence[Hashable], given: GivenLabels) -> list[str]:
    """Return how a player's information sets are written: each in another way.

    What the game says is taken as it is, and so is a key that is text. Other keys are written short
    where no two are alike then, else in full, and numbered if they are alike even so.
    """
    texts: dict[int, str] = {}
    for place, key in enumerate(keys):
        label = given.infosets.get((player, key))
        if label or isinstance(key, str):
            texts[place] = joined(label) if label else str(key)
    short = partial(written, player if _all_begin(player, keys) else None)
    for write in (short, _longer):
        found = {place: write(key) for place, key in enumerate(keys) if place not in texts}
        times, used = Counter(found.values()), set(texts.values())
        texts |= {at: text for at, text in found.items() if times[text] == 1 and text not in used}
    return _numbered(texts, keys)


def _all_begin(player: int, keys: Sequence[Hashable]) -> bool:
    """Return whether all keys that are tuples begin with the player's number."""
    return all(_begins(player, key) for key in keys if type(key) is tuple)


def _begins(player: int | None, key: tuple[Any, ...]) -> bool:
    return len(key) > 1 and type(key[0]) is int and key[0] == player


def _numbered(texts: dict[int, str], keys: Sequence[Hashable]) -> list[str]:
    """Return all texts in order; keys that are written alike even in full are numbered."""
    times, used = Counter[str](), set(texts.values())
    for place, key in enumerate(keys):
        if place not in texts:
            full = name = str(key)
            while name in used:
                times[full] += 1
                name = f"{full} #{times[full] + 1}"
            used.add(name)
            texts[place] = name
    return [texts[place] for place in range(len(keys))]


def written(player: int | None, key: Hashable) -> str:
    """Return the text of a key without what is clear anyway.

    Parameters
    ----------
    player
        Whose number is left out at the beginning of a tuple; None for nobody's.

    Examples
    --------
    >>> written(0, (0, "big", ("hold", "quiet", "pass")))
    'big, hold quiet pass'
    """
    if isinstance(key, Visit):
        return written(None, key[0])
    if type(key) is not tuple:
        return str(key)
    texts = map(_flat, key[1:] if _begins(player, key) else key)
    return ", ".join(filter(None, texts)) or START


def _longer(key: Hashable) -> str:
    """Write a key in full, or with the number of the node that it is of."""
    return f"{written(None, key)} #{key[1]}" if isinstance(key, Visit) else str(key)


def _flat(item: Any) -> str:
    return " ".join(map(_flat, item)) if type(item) is tuple else str(item)


def checked_infoset_label(label: object, player: int, key: Hashable) -> str | Parts | None:
    """Return what `information_set_label` returned, checked; None leaves it to the key.

    Raises
    ------
    InvalidGameError
        R11: if it is no text, or empty, and no pair of a hand and a line.
    """
    parts = label if isinstance(label, tuple) else (label,)
    is_text = all(isinstance(part, str) for part in parts)
    if label is None or (is_text and len(parts) in (1, 2) and parts[0].strip()):
        return label  # type: ignore[return-value]
    raise InvalidGameError(
        f"R11: information_set_label(player={player}, key={plain(key)}) returned {plain(label)}; "
        'return a text, or a pair such as ("K", "check-bet") of what the player holds and what '
        "everybody has seen; the text and the first of a pair are not empty"
    )


def checked_text(label: object, method: str, of: object) -> str:
    """Return what `action_label` or `state_label` returned, checked.

    Raises
    ------
    InvalidGameError
        R11: if it is no text, or empty.
    """
    if isinstance(label, str) and label.strip():
        return label
    raise InvalidGameError(
        f"R11: {method}({plain(of)}) returned {plain(label)}; return a text that is not empty"
    )


def checked_players(names: Any, num_players: int) -> tuple[str, ...]:
    """Return the names of players, checked: one text each, and no two alike.

    Raises
    ------
    InvalidGameError
        R11: if they are something else.
    """
    found = tuple(names) if isinstance(names, (tuple, list)) else ()
    is_text = all(isinstance(name, str) and name.strip() for name in found)
    if len(found) != num_players or not is_text or len(set(found)) < num_players:
        raise InvalidGameError(
            f"R11: player_names is {plain(names)}; give {counted(num_players, 'text')}, one for "
            "each player, "
            "no two alike and none empty"
        )
    return found


def require_distinct(player: int, texts: Iterable[str], keys: Sequence[Hashable]) -> None:
    """Validate that no two information sets of a player are written alike.

    Raises
    ------
    InvalidGameError
        R11: with both keys.
    """
    seen: dict[str, Hashable] = {}
    for text, key in zip(texts, keys, strict=True):
        if text in seen:
            raise InvalidGameError(
                f"R11: the information sets {plain(seen[text])} and {plain(key)} of player "
                f"{player} are both labelled {text!r}; let information_set_label put all that "
                "tells them apart into the label"
            )
        seen[text] = key


def named_player(text: str, players: Sequence[str]) -> int | None:
    """Return the number of the player whose name a text is; None if it is nobody's, or of two.

    Capitals count only where two names differ in nothing else.
    """
    for write in (str, str.casefold):
        found = [number for number, name in enumerate(players) if write(name) == write(text)]
        if len(found) == 1:
            return found[0]
    return None


def player_names_of(game: Any) -> tuple[str, ...]:
    """Return the names of the players of a game of any kind; empty if they have none."""
    names = game.given.players if is_tree(game) else getattr(game, "player_names", None)
    return tuple(names or ())


def with_names(text: str, names: Sequence[str]) -> str:
    """Return a text for people in which players that are told by number have their names, too.

    Examples
    --------
    >>> with_names("value to player 1", ("Alice", "Bob"))
    'value to player 1 (Bob)'
    >>> with_names("value to each player", ("Alice", "Bob"))
    'value to Alice, Bob'
    """
    if not names:
        return text
    given = GivenLabels(tuple(names))

    def named(found: re.Match[str]) -> str:
        player = int(found[1])
        is_named = player >= len(names) or found.string.startswith(
            f" ({names[player]})", found.end()
        )
        return found[0] if is_named else given.player(player)

    return NUMBERED.sub(named, text).replace("to each player", f"to {', '.join(names)}")


def which_player(player: object, game: Any) -> int:
    """Return the number of a player who is given by number, or by name.

    Parameters
    ----------
    game
        Rules, a tree, a signal game or a form.

    Raises
    ------
    InvalidParameterError
        If the game has no such player.
    """
    if not isinstance(player, str):
        return check_player(player, game.num_players)
    names, text = player_names_of(game), player.strip()
    if text.lstrip("-").isdecimal():
        return check_player(int(text), game.num_players)
    found = named_player(text, names)
    if found is None:
        known = f" and {', '.join(names)}" if names else "; they have no names here"
        raise InvalidParameterError(
            f"player={player!r}{hint(text, names)}: players are 0 to {game.num_players - 1}{known}"
        )
    return found
