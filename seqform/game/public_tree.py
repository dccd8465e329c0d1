"""The public tree of a signal game: its actions and deals, without the signals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

from seqform.base.errors import GameTooLargeError
from seqform.base.interner import Interner
from seqform.base.number import Number, as_number, check_num_players
from seqform.game.checks import checked_actions, checked_player, placing
from seqform.game.deals import Deck, num_deals
from seqform.game.probe import SignalWalk
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import SignalGame, checked_deck, checked_recipient
from seqform.game.size_estimate import TRIED_FROM, why_too_large

MAX_PUBLIC_NODES = 500_000
"""With the deals, a public tree of so many states has far too many nodes to expand; to find it out
takes a second or two."""


class PublicTree:
    """The tree of public states, in level order: what happens apart from the signals.

    Lists have one entry per public node: `parent`, `player`, `num_children`, `num_signals` dealt so
    far, and their `recipients`. The `action` that leads to a node is a row of `labels`, -1 for a
    deal. Terminal nodes have a `stake` and an `outcome`, a row of `outcomes`: pairs of the game's
    outcome and the number of signals dealt.

    Raises
    ------
    InvalidGameError
        If the deck or what the rules return is not valid; with the requirement and the state.
    GameTooLargeError
        If there are more than `max_nodes` public nodes.
    """

    def __init__(self, game: SignalGame, max_nodes: int = MAX_PUBLIC_NODES) -> None:
        self.parent = [-1]
        self.num_signals, self.action = [0], [-1]
        self.recipients: list[tuple[int, ...]] = [()]
        self.player: list[int] = []
        self.num_children: list[int] = []
        self.outcome: list[int] = []
        self.labels, self.outcomes = Interner(), Interner()
        self.stake: list[Number] = []
        self._states: list[Any] = []
        self._num_players = check_num_players(game.num_players)
        with placing(self._here):
            self._grow(game, max_nodes)
        checked_deck(game.deck, max(self.num_signals))
        del self._states

    def _grow(self, game: SignalGame, max_nodes: int) -> None:
        """Go through the public states; `states` grows while we walk it: an explicit queue."""
        states = self._states
        states.append(game.root())
        for node, state in enumerate(states):
            if node > max_nodes:
                raise _too_many(max_nodes, self._hint(game, states))
            if node == TRIED_FROM:
                why = why_too_large(SignalWalk(game, public=True), max_nodes, SignalWalk(game))
                if why is not None:
                    raise _too_many(max_nodes, f"{why}; use smaller parameters")
            player = checked_player(game.player(state), self._num_players)
            self.player.append(player)
            self.outcome.append(-1)
            self.stake.append(0)
            if player == TERMINAL:
                self.outcome[node] = self.outcomes((game.outcome(state), self.num_signals[node]))
                self.stake[node] = as_number(game.stake(state))
                self.num_children.append(0)
                continue
            dealt, seen = self.num_signals[node], self.recipients[node]
            actions: tuple[Hashable, ...] = (None,)
            if player == CHANCE:
                recipient = checked_recipient(game.recipient(state), self._num_players)
                dealt, seen = dealt + 1, (*seen, recipient)
            else:
                actions = checked_actions(game.actions(state))
            self.parent += [node] * len(actions)
            self.num_signals += [dealt] * len(actions)
            self.recipients += [seen] * len(actions)
            self.action += [-1 if player == CHANCE else self.labels(action) for action in actions]
            states += [game.child(state, action) for action in actions]
            self.num_children.append(len(actions))

    def _here(self) -> str:
        """Name the public state that is being looked at."""
        node = len(self.num_children)
        done = self.history(node)
        return f"the public state after {done!r}" if done else "the first public state"

    def num_nodes(self, deck: Deck) -> int:
        """Return how many nodes of the game the public ones stand for."""
        dealt = Counter(self.num_signals)
        return sum(num_deals(deck, k) * count for k, count in dealt.items())

    def _hint(self, game: SignalGame, states: list[Any]) -> str:
        """Return a hint for the user: a state on the newest path that comes back, or what to do."""
        path, node = [], len(states) - 1
        while node >= 0:
            path.append(states[node])
            node = self.parent[node]
        again = next((state for state, times in Counter(path).items() if times > 1), None)
        if again is None:
            nodes = self.num_nodes(checked_deck(game.deck, 0))
            return f"with the signals these are {nodes:,} nodes; use smaller parameters"
        return f"it is cyclic: {again!r} comes after itself"

    def actions(self, node: int) -> tuple[Hashable, ...]:
        """Return the labels of the actions at a node."""
        labels, edges = self.labels.values(), zip(self.action, self.parent, strict=True)
        return tuple(labels[action] for action, above in edges if above == node)

    def history(self, node: int) -> str:
        """Return the actions that lead to a node, such as 'check-bet-call/bet'; '/' is a deal."""
        actions, moves = self.labels.values(), []
        while node > 0:
            action = self.action[node]
            moves.append("/" if action < 0 else str(actions[action]))
            node = self.parent[node]
        return "/".join(
            "-".join(filter(None, part.split(" "))) for part in " ".join(reversed(moves)).split("/")
        ).lstrip("/")


def _too_many(max_nodes: int, why: str) -> GameTooLargeError:
    return GameTooLargeError(f"the game does not end within {max_nodes:,} public states; {why}")
