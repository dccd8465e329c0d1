"""Any game with a tree as a table: against an equilibrium, or any profile."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

import numpy as np

from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.analysis import StrategyAnalysis
from seqform.strategies.analyze import analyze
from seqform.strategies.evaluate.played_tree import PlayedTree
from seqform.strategies.play.table import Verdict
from seqform.tree.tree import GameTree


class TreeTable:
    """A table whose states are nodes of a tree.

    Parameters
    ----------
    form
        The game, made of a tree.
    tree
        That tree.
    profile
        What is played against.
    """

    def __init__(self, form: SequenceForm, tree: GameTree, profile: Profile) -> None:
        self.form, self.tree, self.profile = form, tree, profile
        self.num_players, self.unit = form.num_players, form.unit
        self._number = np.zeros(max(1, tree.num_infosets), dtype=np.int64)
        for treeplex, mine in zip(form.treeplexes, form.tree_infosets, strict=True):
            self._number[mine] = np.arange(treeplex.num_infosets)

    @cached_property
    def _analysis(self) -> StrategyAnalysis:
        return analyze(self.form, self.profile)

    @cached_property
    def _step(self) -> Sequence[float]:
        return PlayedTree.of(self.form, self.profile).step.tolist()  # type: ignore[no-any-return]

    def deal(self, rng: np.random.Generator) -> int:
        """Return the root."""
        return 0

    def player(self, state: int) -> int:
        """Return who moves at a node."""
        return int(self.tree.player[state])

    def actions(self, state: int) -> tuple[Hashable, ...]:
        """Return how the edges below a node are written."""
        tree = self.tree
        return tuple(tree.action_text(tree.labels[tree.label[c]]) for c in tree.children(state))

    def after(self, state: int, place: int) -> int:
        """Return a child."""
        return self.tree.children(state)[place]

    def by_chance(self, state: int, rng: np.random.Generator) -> int:
        """Return a child, drawn by its probability."""
        children = self.tree.children(state)
        weights = np.array([self._step[child] for child in children])
        return children[int(rng.choice(len(children), p=weights / weights.sum()))]

    def policy(self, state: int) -> list[float]:
        """Return the probabilities of the profile."""
        return [self._step[child] for child in self.tree.children(state)]

    def news(self, before: int, state: int, seat: int) -> str:
        """Say what others did where nothing is hidden; else it shows in the next view."""
        mover = int(self.tree.player[before])
        if not self.tree.perfect_information or mover == seat:
            return ""
        label = self.tree.action_text(self.tree.labels[self.tree.label[state]])
        who = self.tree.player_text(mover).capitalize() if mover >= 0 else "Chance"
        return f"{who}: {label}."

    def view(self, state: int, seat: int) -> str:
        """Return the name of the information set."""
        return f"You know: {self._label(state)}"

    def payoffs(self, state: int) -> list[float]:
        """Return what was paid on the way to a leaf, and there."""
        total, node = np.zeros(self.num_players), state
        while node >= 0:
            total += self.tree.node_payoffs[node]
            node = int(self.tree.parent[node]) if node else -1
        return total.tolist()

    def reveal(self, state: int) -> str:
        """Return all that happened."""
        return f"What happened: {' > '.join(map(self.tree.action_text, self.tree.path(state)))}."

    def verdict(self, state: int, place: int) -> Verdict:
        """Return what the profile does in the information set, and what others are worth there."""
        player = self.player(state)
        infoset = int(self._number[self.tree.infoset[state]])
        first = int(self.form.treeplexes[player].first_sequence[infoset])
        actions = self.actions(state)
        here = slice(first, first + len(actions))
        worth = self._analysis.players[player].action_values[here]
        return Verdict(
            self._label(state),
            actions,
            tuple(self.profile.behaviors[player][here].tolist()),
            place,
            float(worth.max() - worth[place]),
        )

    def _label(self, state: int) -> str:
        return self.tree.infoset_text(int(self.tree.infoset[state]))
