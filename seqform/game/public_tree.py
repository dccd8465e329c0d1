"""The public tree of a signal game: its actions and deals, without the signals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from seqform.base.errors import GameTooLargeError
from seqform.base.interner import Interner
from seqform.base.number import Number, as_number
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import SignalGame

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
    GameTooLargeError
        If there are more than `max_nodes` public nodes.
    """

    def __init__(self, game: SignalGame, max_nodes: int = MAX_PUBLIC_NODES) -> None:
        states, self.parent = [game.root()], [-1]
        self.num_signals, self.action = [0], [-1]
        self.recipients: list[tuple[int, ...]] = [()]
        self.player: list[int] = []
        self.num_children: list[int] = []
        self.outcome: list[int] = []
        self.labels, self.outcomes = Interner(), Interner()
        self.stake: list[Number] = []
        for node, state in enumerate(states):  # grows while we walk it: an explicit queue
            if node > max_nodes:
                raise GameTooLargeError(
                    f"the game does not end within {max_nodes:,} public states; "
                    f"{self._hint(states)}"
                )
            player = game.player(state)
            self.player.append(player)
            self.outcome.append(-1)
            self.stake.append(0)
            if player == TERMINAL:
                self.num_children.append(0)
                self.outcome[node] = self.outcomes((game.outcome(state), self.num_signals[node]))
                self.stake[node] = as_number(game.stake(state))
                continue
            actions: Sequence[Hashable] = (
                (None,) if player == CHANCE else tuple(game.actions(state))
            )
            dealt, seen = self.num_signals[node], self.recipients[node]
            if player == CHANCE:
                dealt, seen = dealt + 1, (*seen, game.recipient(state))
            self.num_children.append(len(actions))
            self.parent += [node] * len(actions)
            self.num_signals += [dealt] * len(actions)
            self.recipients += [seen] * len(actions)
            self.action += [-1 if player == CHANCE else self.labels(action) for action in actions]
            states += [game.child(state, action) for action in actions]

    def _hint(self, states: list[Any]) -> str:
        """Return a hint for the user: a state on the newest path that comes back, or what to do."""
        path, node = [], len(states) - 1
        while node >= 0:
            path.append(states[node])
            node = self.parent[node]
        again = next((state for state, times in Counter(path).items() if times > 1), None)
        if again is None:
            return "use smaller parameters"
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
