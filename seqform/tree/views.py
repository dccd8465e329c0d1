"""Three kinds of games seen alike, one state at a time: trees, rules, and signal games.

Only the nodes that are drawn are expanded.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple, Protocol

import numpy as np

from seqform.base.number import Number, as_number, check_num_players
from seqform.game import needs
from seqform.game.checks import (
    checked_actions,
    checked_payoffs,
    checked_player,
    outcomes_of,
    placing,
    root_of,
)
from seqform.game.labels import checked_infoset_label, checked_players, joined, written
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.game.signals import (
    EVERYONE,
    SignalGame,
    checked_deck,
    checked_recipient,
    outcome_payoffs,
)
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree


def mistakes_named(state: Any) -> AbstractContextManager[None]:
    """Return a context that says of errors in the rules of a game at which state they are."""
    return placing(lambda: f"the state {state!r}")


class Edge(NamedTuple):
    """A move: its label, its probability where chance makes it, and the state that it leads to."""

    label: Hashable
    probability: Number | None
    state: Any


class Infoset(NamedTuple):
    """What tells an information set from the mover's others, and what people call it."""

    key: Hashable
    label: Hashable


class View(Protocol):
    """A game as a picture of it is made."""

    num_players: int
    unit: str
    player_names: tuple[str, ...]

    def root(self) -> Any:
        """Return the state in which the game begins."""

    def player(self, state: Any) -> int:
        """Return who moves: a player, `CHANCE` or `TERMINAL`."""

    def edges(self, state: Any) -> Sequence[Edge]:
        """Return the moves at a state that is not terminal."""

    def infoset(self, state: Any) -> Infoset:
        """Return the information set of a decision."""

    def payoffs(self, state: Any) -> tuple[Number, ...] | None:
        """Return what is paid on arriving at a state, if anything."""

    def board(self, state: Any) -> str:
        """Return the game's own drawing of a state, lines of text; empty if it makes none."""

    def is_rest(self, state: Any) -> bool:
        """Return whether a state stands for all moves of a node that are not drawn."""


def view(game: AnyGame) -> View:
    """Return the view of a game of any kind."""
    if isinstance(game, SignalGame):
        return SignalView(game)
    if isinstance(game, Game) and not isinstance(game, GameTree):
        return RulesView(game)
    return TreeView(build_tree(game))


class TreeView:
    """A game tree; states are its nodes.

    Parameters
    ----------
    tree
        The tree.
    rules
        The game that it came from, if that draws its states.
    """

    def __init__(self, tree: GameTree, rules: Any = None) -> None:
        self.tree = tree
        self.rules = rules
        self.num_players = tree.num_players
        self.unit = tree.unit
        self.player_names = tree.given.players

    def root(self) -> int:
        """Return node 0."""
        return 0

    def player(self, state: int) -> int:
        """Return who moves."""
        return int(self.tree.player[state])

    def edges(self, state: int) -> list[Edge]:
        """Return the edges to the node's children."""
        tree = self.tree
        rows = [(child, int(tree.probability[child])) for child in tree.children(state)]
        return [
            Edge(
                tree.action_text(tree.labels[tree.label[child]]),
                tree.probabilities[row] if row >= 0 else None,
                child,
            )
            for child, row in rows
        ]

    def infoset(self, state: int) -> Infoset:
        """Return the information set's number and label."""
        number = int(self.tree.infoset[state])
        return Infoset(number, self.tree.infoset_text(number))

    def payoffs(self, state: int) -> tuple[Number, ...] | None:
        """Return what the node pays."""
        row = int(self.tree.payoff[state])
        return self.tree.payoffs[row] if row >= 0 else None

    def board(self, state: int) -> str:
        """Return the drawing of the state that the rules reach at the node."""
        if self.rules is None:
            nodes = self.tree.given.nodes
            return nodes[state] if nodes else ""
        return str(
            self.rules.draw(reduce(self.rules.child, self.tree.path(state), self.rules.root()))
        )

    def is_rest(self, _state: Any) -> bool:
        """Return False: all moves are drawn."""
        return False


class RulesView:
    """A game of the Game protocol, which may draw its states.

    Its `draw(state)`, if it has one, returns lines of text.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.num_players = check_num_players(game.num_players)
        self.unit = getattr(game, "unit", "units")
        self._is_perfect = needs.declares_perfect_information(game)
        self._rewards = getattr(game, "rewards", lambda _: None)
        self._draw = getattr(game, "draw", getattr(game, "state_label", lambda _: ""))
        self._action_text = getattr(game, "action_label", lambda action: action)
        self._infoset_text = getattr(game, "information_set_label", lambda _player, _key: None)
        names = getattr(game, "player_names", None)
        self.player_names = () if names is None else checked_players(names, self.num_players)

    def root(self) -> Any:
        """Return the game's first state."""
        return root_of(self.game)

    def player(self, state: Any) -> int:
        """Return who moves."""
        return checked_player(self.game.player(state), self.num_players)

    def edges(self, state: Any) -> list[Edge]:
        """Return the moves that the rules allow."""
        child = self.game.child
        if self.game.player(state) == CHANCE:
            outcomes = zip(*outcomes_of(self.game.chance(state)), strict=True)
            return [Edge(self._text(of), as_number(p), child(state, of)) for of, p in outcomes]
        actions = checked_actions(self.game.actions(state))
        return [Edge(self._text(action), None, child(state, action)) for action in actions]

    def _text(self, action: Hashable) -> Hashable:
        return self._action_text(action)  # type: ignore[no-any-return]

    def infoset(self, state: Any) -> Infoset:
        """Return the rules' key; games that declare perfect information are not asked for it."""
        if self._is_perfect:
            return Infoset(object(), "")
        player, key = self.player(state), self.game.infoset(state)
        label = checked_infoset_label(self._infoset_text(player, key), player, key)
        return Infoset(key, joined(label) if label else written(player, key))

    def payoffs(self, state: Any) -> tuple[Number, ...] | None:
        """Return the payoffs of a terminal state, or the rewards of another."""
        if self.player(state) == TERMINAL:
            return checked_payoffs(self.game.payoffs(state), self.num_players)
        paid = self._rewards(state)
        return None if paid is None else checked_payoffs(paid, self.num_players)

    def board(self, state: Any) -> str:
        """Return the rules' drawing of the state."""
        return str(self._draw(state))

    def is_rest(self, _state: Any) -> bool:
        """Return False: all moves are drawn."""
        return False


class Dealt(NamedTuple):
    """A state of a signal game.

    The public state, the actions so far (None for a deal), and each signal with who sees it.
    """

    public: Any
    history: tuple[Hashable, ...] = ()
    signals: tuple[tuple[int, int], ...] = ()


class SignalView:
    """A signal game, of any size: signals are dealt when they are needed."""

    def __init__(self, game: SignalGame) -> None:
        self.game = game
        self.num_players = check_num_players(game.num_players)
        self.unit = getattr(game, "unit", "units")
        self.player_names: tuple[str, ...] = ()

    def root(self) -> Dealt:
        """Return the state before the first signal."""
        return Dealt(self.game.root())

    def player(self, state: Dealt) -> int:
        """Return who moves."""
        return checked_player(self.game.player(state.public), self.num_players)

    def edges(self, state: Dealt) -> list[Edge]:
        """Return the actions, or the signals that may come with their probabilities."""
        if self.player(state) == CHANCE:
            return self._deals(state)
        child = self.game.child
        actions = checked_actions(self.game.actions(state.public))
        return [
            Edge(
                a, None, state._replace(public=child(state.public, a), history=(*state.history, a))
            )
            for a in actions
        ]

    def _deals(self, state: Dealt) -> list[Edge]:
        deck = checked_deck(self.game.deck, len(state.signals) + 1)
        recipient = checked_recipient(self.game.recipient(state.public), self.num_players)
        gone = [signal for signal, _ in state.signals] if not deck.replacement else []
        left = [copies - gone.count(signal) for signal, copies in enumerate(deck.copies)]
        after = state._replace(
            public=self.game.child(state.public, None), history=(*state.history, None)
        )
        return [
            Edge(
                deck.cards[signal],
                Fraction(count, sum(left)),
                after._replace(signals=(*state.signals, (signal, recipient))),
            )
            for signal, count in enumerate(left)
            if count
        ]

    def infoset(self, state: Dealt) -> Infoset:
        """Return the signals seen and the actions of each round; labels are the tree's."""
        mine = (self.player(state), EVERYONE)
        seen = tuple(signal for signal, who in state.signals if who in mine)
        cards = " ".join(str(self.game.deck.cards[signal]) for signal in seen)
        rounds: list[list[str]] = [[]]
        for move in state.history:
            if move is None:
                rounds.append([])
            else:
                rounds[-1].append(str(move))
        actions = "/".join(map("-".join, rounds)).lstrip("/")
        return Infoset((seen, state.history), f"{cards}:{actions}")

    def payoffs(self, state: Dealt) -> tuple[Number, ...] | None:
        """Return the payoffs at the end: the stake times the outcome's."""
        if self.player(state) != TERMINAL:
            return None
        signals = np.array([[signal for signal, _ in state.signals]], dtype=np.int32)
        row = outcome_payoffs(self.game, self.game.outcome(state.public), signals)[0]
        stake = as_number(self.game.stake(state.public))
        return tuple(as_number(stake * as_number(u)) for u in row.tolist())

    def board(self, state: Dealt) -> str:
        """Return nothing: signal games draw no states."""
        return ""

    def is_rest(self, _state: Any) -> bool:
        """Return False: all moves are drawn."""
        return False
