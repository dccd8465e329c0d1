"""Origin: what a sequence form was made of, and so the names of its information sets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from seqform.base.arrays import Floats, Index
from seqform.base.errors import UnsupportedGameError
from seqform.base.number import Number
from seqform.game.labels import Parts
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure
    from seqform.game.observations import Classes, SignalStructure


class Grid(Protocol):
    """How hands are laid out as a matrix of classes."""

    @property
    def rows(self) -> tuple[str, ...]:
        """What stands before each row."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What stands over each column."""

    def cells(self, hands: Any) -> Sequence[int] | Index:
        """Return the numbers of the cells of some hands, row by row.

        Parameters
        ----------
        hands
            As the game holds them: cards (num_hands, k), or names.
        """


class Origin(ABC):
    """What a sequence form was made of.

    Parameters
    ----------
    tree
        The game tree, if there is one.
    tree_infosets
        For each player int64 (num_infosets,): the tree's numbers of its information sets.
    signals
        The signal game and its classes of observations, if it came from one.
    """

    def __init__(
        self,
        tree: GameTree | None = None,
        tree_infosets: tuple[Index, ...] = (),
        signals: tuple[SignalStructure, Classes] | None = None,
    ) -> None:
        self.tree, self.tree_infosets, self.signals = tree, tree_infosets, signals

    @abstractmethod
    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the game's own name of an information set."""

    @abstractmethod
    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions of an information set."""

    def infoset_text(self, player: int, infoset: int) -> str:
        """Return how an information set is written."""
        return str(self.infoset_label(player, infoset))

    def infoset_parts(self, player: int, infoset: int) -> Parts | None:
        """Return what the player holds there and what all have seen, if the game says so."""
        return None

    def action_texts(self, player: int, infoset: int) -> tuple[str, ...]:
        """Return how the actions of an information set are written."""
        return tuple(map(str, self.actions(player, infoset)))

    @property
    def hands(self) -> HandStructure | None:
        """The game of hands that the form was made of, if any."""
        return None

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of the players; empty if they have none."""
        return ()

    @property
    def card_kinds(self) -> Mapping[str, str]:
        """The kind of each card, such as its rank, where several cards are of one kind."""
        return {}

    @property
    def is_of_hands(self) -> bool:
        """Whether information sets are hands of a game of hands, or classes of them."""
        return self.hands is not None

    def hands_meant(self, player: int, text: str) -> frozenset[str] | None:
        """Return the hands of a player that a text such as QQ+ stands for, as they are written.

        None where hands are not written together.

        Raises
        ------
        InvalidParameterError
            If it is no such text.
        """
        return None

    @property
    def beyond(self) -> tuple[Number, ...]:
        """What each player's payoffs are counted beyond, such as half of a pot; empty if 0."""
        return ()

    @property
    def grid(self) -> Grid | None:
        """How hands are laid out as a matrix of classes, if the game says so."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know of how the game came to be."""
        return ()

    def others_reach(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return how likely the others and chance lead to each information set of a player.

        Of a tree, and of a signal game, others know it (`seqform.form.set_reach`).

        Raises
        ------
        UnsupportedGameError
            If that is not known, as of a quotient.
        """
        raise UnsupportedGameError(
            "this sequence form has no tree, so how often its information sets are reached is not "
            "known: lift the solution to the game that it was made of"
        )


class TreeOrigin(Origin):
    """A tree, and its numbers of each player's information sets."""

    tree: GameTree

    def __init__(self, tree: GameTree, tree_infosets: tuple[Index, ...]) -> None:
        super().__init__(tree, tree_infosets)

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the tree's label of an information set."""
        return self.tree.infoset_labels[int(self.tree_infosets[player][infoset])]

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the labels of the edges below an information set."""
        return self.tree.actions(int(self.tree_infosets[player][infoset]))

    def infoset_text(self, player: int, infoset: int) -> str:
        """Return how the tree writes an information set."""
        return self.tree.infoset_text(int(self.tree_infosets[player][infoset]))

    def infoset_parts(self, player: int, infoset: int) -> Parts | None:
        """Return the two parts of its label, if the game says them."""
        return self.tree.infoset_parts(int(self.tree_infosets[player][infoset]))

    def action_texts(self, player: int, infoset: int) -> tuple[str, ...]:
        """Return how the tree writes the actions of an information set."""
        return tuple(map(self.tree.action_text, self.actions(player, infoset)))

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names that the tree has."""
        return self.tree.given.players

    @property
    def card_kinds(self) -> Mapping[str, str]:
        """The kinds that the tree has."""
        return self.tree.given.kinds

    @property
    def grid(self) -> Grid | None:
        """The matrix that the tree names."""
        return self.tree.given.grid


class DerivedOrigin(Origin):
    """What was made of another form, and has its names of players and cards.

    Parameters
    ----------
    whole
        Where the other form came from.
    """

    def __init__(self, whole: Origin) -> None:
        super().__init__()
        self.whole = whole

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names that the other form has."""
        return self.whole.player_names

    @property
    def card_kinds(self) -> Mapping[str, str]:
        """The kinds that the other form has."""
        return self.whole.card_kinds

    @property
    def is_of_hands(self) -> bool:
        """Whether the other form's information sets are."""
        return self.whole.is_of_hands

    def hands_meant(self, player: int, text: str) -> frozenset[str] | None:
        """Return what the other form says that a text stands for."""
        return self.whole.hands_meant(player, text)

    @property
    def beyond(self) -> tuple[Number, ...]:
        """What payoffs of the other form are counted beyond."""
        return self.whole.beyond

    @property
    def grid(self) -> Grid | None:
        """The matrix of the other form."""
        return self.whole.grid

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the other form."""
        return self.whole.notes


class QuotientOrigin(DerivedOrigin):
    """A larger sequence form; each information set is called what its first member is.

    Parameters
    ----------
    whole
        Where the larger form came from.
    members
        For each player int64 (num_infosets,): the first member of each information set.
    """

    def __init__(self, whole: Origin, members: tuple[Index, ...]) -> None:
        super().__init__(whole)
        self.members = members

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the name of the first member."""
        return self.whole.infoset_label(player, int(self.members[player][infoset]))

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions, which all members share."""
        return self.whole.actions(player, int(self.members[player][infoset]))

    def infoset_text(self, player: int, infoset: int) -> str:
        """Return how the first member is written."""
        return self.whole.infoset_text(player, int(self.members[player][infoset]))

    def infoset_parts(self, player: int, infoset: int) -> Parts | None:
        """Return the two parts of the first member's label, if the game says them."""
        return self.whole.infoset_parts(player, int(self.members[player][infoset]))

    def action_texts(self, player: int, infoset: int) -> tuple[str, ...]:
        """Return how the actions are written, which all members share."""
        return self.whole.action_texts(player, int(self.members[player][infoset]))


class RestrictedOrigin(QuotientOrigin):
    """A larger sequence form some of whose actions and information sets are left out.

    Parameters
    ----------
    whole
        Where the larger form came from.
    members
        For each player int64 (num_infosets,): each information set in the larger form.
    places
        For each player and information set, the places there of the actions that are left.
    """

    def __init__(
        self,
        whole: Origin,
        members: tuple[Index, ...],
        places: tuple[Sequence[Sequence[int]], ...],
    ) -> None:
        super().__init__(whole, members)
        self.places = places

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions that are left."""
        every = super().actions(player, infoset)
        return tuple(every[place] for place in self.places[player][infoset])

    def action_texts(self, player: int, infoset: int) -> tuple[str, ...]:
        """Return how the actions that are left are written."""
        every = super().action_texts(player, infoset)
        return tuple(every[place] for place in self.places[player][infoset])
