"""Part of a game: a hand, a line of actions, few moves of many; the rest of a node is one move.

That move is labelled with how many it stands for, has their probability together, and the picture
ends there. So what is drawn is still a game tree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.nearest import hint
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.views import Edge, Infoset, SignalView, View

FOLDED = " \N{MULTIPLICATION SIGN}"
"""Stands between a move and the number of moves that are alike."""


class Place(NamedTuple):
    """A state of the game, and how many actions of the line were made; or moves left out."""

    state: Any
    done: int = 0
    is_rest: bool = False

    def __repr__(self) -> str:
        return repr(self.state)  # which is what errors speak of


class Part:
    """A view of part of a game.

    Parameters
    ----------
    whole
        The game.
    most_moves
        Moves of a node that are drawn, what stands for the rest included; None for all.
    hand
        Cards that one player is dealt; other deals of that player are left out.
    player
        Whose hand it is.
    line
        Actions that are made one after the other; others are left out until they are made.
    folds
        Whether moves to states that are alike by a symmetry of the game are drawn once. Games say
        so by `canonical(state)`.
    """

    def __init__(
        self,
        whole: View,
        most_moves: int | None = None,
        hand: Sequence[str] = (),
        player: int = 0,
        line: Sequence[str] = (),
        folds: bool = False,
    ) -> None:
        self._canonical = getattr(getattr(whole, "game", None), "canonical", None)
        self.folds = folds and self._canonical is not None
        self.whole, self.most_moves = whole, most_moves
        self.num_players, self.unit = whole.num_players, whole.unit
        self.player_names = whole.player_names
        self._hand, self._player, self._line = frozenset(hand), player, tuple(line)
        if hand:
            _check_hand(whole, hand, player)

    def root(self) -> Place:
        """Return the first state."""
        return Place(self.whole.root())

    def player(self, state: Place) -> int:
        """Return who moves; nobody, where moves are left out."""
        return TERMINAL if state.is_rest else self.whole.player(state.state)

    def edges(self, state: Place) -> list[Edge]:
        """Return the moves that are drawn, and one that stands for all others."""
        edges = self.whole.edges(state.state)
        kept = self.kept(state, edges)
        done = state.done + (self.whole.player(state.state) != CHANCE)
        groups = self._alike(edges)
        found = [
            Edge(
                _label(edges[move].label, len(groups[move])),
                edges[move].probability,
                Place(edges[move].state, done),
            )
            for move in kept
        ]
        drawn = {number for move in kept for number in groups[move]}
        rest = [edge for number, edge in enumerate(edges) if number not in drawn]
        if rest:
            chances = [edge.probability for edge in rest if edge.probability is not None]
            share = sum(chances) if chances else None
            found.append(Edge(f"{len(rest):,} more", share, Place(None, is_rest=True)))
        return found

    def kept(self, state: Place, edges: Sequence[Edge]) -> list[int]:
        """Return the numbers of the moves that are drawn."""
        if self.whole.player(state.state) == CHANCE:
            chosen = self._dealt(state.state, edges)
        else:
            chosen = self._on_the_line(state.done, edges)
            firsts = self._alike(edges)
            chosen = [move for move in chosen if move in firsts]
        most = self.most_moves
        if most is None or len(chosen) <= most - (len(chosen) < len(edges)):
            return chosen
        return chosen[: most - 1]

    def _alike(self, edges: Sequence[Edge]) -> dict[int, list[int]]:
        """Return, of moves that are alike, the first, and all of them by their numbers."""
        if not self.folds or any(edge.probability is not None for edge in edges):
            return {number: [number] for number in range(len(edges))}
        found: dict[Any, list[int]] = {}
        for number, edge in enumerate(edges):
            found.setdefault(self._canonical(edge.state), []).append(number)  # type: ignore[misc]
        return {numbers[0]: numbers for numbers in found.values()}

    def _dealt(self, state: Any, edges: Sequence[Edge]) -> list[int]:
        everything = list(range(len(edges)))
        if not self._hand or not isinstance(self.whole, SignalView):
            return everything
        if self.whole.game.recipient(state.public) != self._player:
            return everything
        return [number for number in everything if str(edges[number].label) in self._hand]

    def _on_the_line(self, done: int, edges: Sequence[Edge]) -> list[int]:
        labels = [str(edge.label) for edge in edges]
        if done >= len(self._line):
            return list(range(len(edges)))
        wanted = self._line[done]
        if wanted not in labels:
            before = f"after {'-'.join(self._line[:done])}" if done else "first"
            raise UnknownNameError(
                f"line: {before} there is no {wanted!r}{hint(wanted, labels)}; "
                f"there are {', '.join(labels)}"
            )
        return [labels.index(wanted)]

    def infoset(self, state: Place) -> Infoset:
        """Return the information set of a decision."""
        return self.whole.infoset(state.state)

    def payoffs(self, state: Place) -> Any:
        """Return what is paid; nothing where moves are left out."""
        return None if state.is_rest else self.whole.payoffs(state.state)

    def board(self, state: Place) -> str:
        """Return the game's drawing of a state."""
        return "" if state.is_rest else self.whole.board(state.state)

    def is_rest(self, state: Place) -> bool:
        """Return whether a place stands for moves that are left out."""
        return state.is_rest

    def said(self, function: Callable[[Any], Any] | None) -> Callable[[Place], Any] | None:
        """Return what says of places what a function says of states."""
        if function is None:
            return None
        return lambda place: None if place.is_rest else function(place.state)

    def played(
        self, behavior: Callable[[Any], Sequence[float] | None] | None
    ) -> Callable[[Place], Sequence[float] | None] | None:
        """Return what says how likely the moves are that are drawn, and the rest together."""
        if behavior is None:
            return None

        def folded(place: Place) -> list[float] | None:
            weights = behavior(place.state)
            if weights is None:
                return None
            edges = self.whole.edges(place.state)
            kept, groups = self.kept(place, edges), self._alike(edges)
            drawn = {number for move in kept for number in groups[move]}
            rest = [w for number, w in enumerate(weights) if number not in drawn]
            together = (sum(weights[number] for number in groups[move]) for move in kept)
            return [*together, *([sum(rest)] if rest else [])]

        return folded


def _label(label: Hashable, count: int) -> Hashable:
    """Return the label of a move that stands for others too."""
    return label if count == 1 else f"{label}{FOLDED}{count}"


def actions_of(line: str) -> list[str]:
    """Return the actions of a line of betting, such as ``check-bet/call``."""
    return [action for action in line.replace("/", "-").replace(",", "-").split("-") if action]


def _check_hand(whole: View, hand: Sequence[str], player: int) -> None:
    """Check that the game deals these cards to this player."""
    if not isinstance(whole, SignalView):
        raise InvalidParameterError(
            "hand=... is for games that deal signals and are drawn unsolved, such as leduc; use "
            "start=..."
        )
    names = [str(card) for card in whole.game.deck.cards]
    if not 0 <= player < whole.num_players:
        raise InvalidParameterError(f"player={player}: players are 0 to {whole.num_players - 1}")
    for card in hand:
        if card not in names:
            raise UnknownNameError(
                f"hand: there is no card {card!r}{hint(card, names)}; cards are {', '.join(names)}"
            )
