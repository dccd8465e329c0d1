"""Games in which a player forgets: what strategies are worth there, and who can be answered.

A *remembering* game has an information set for each set of the game and each own history that leads
there. Whoever plays a behaviour strategy of the game plays it there too, and is paid the same. Even
where one path meets a set twice (absent-mindedness), each visit draws anew. In it everybody has
perfect recall, so values and best responses are found as ever. The best response of a player who
forgets nothing is one of the game. That of a player who forgets is not: it is what remembering
everything would get, and so a bound (Piccione & Rubinstein, "On the interpretation of decision
problems with imperfect recall", GEB 20, 1997).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.base.deadline import check_time
from seqform.base.errors import ImperfectRecallError, InvalidParameterError
from seqform.form.from_tree import build_sequence_form
from seqform.form.origin import TreeOrigin
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.results.solution import Solution
from seqform.strategies.as_profile import form_of
from seqform.strategies.exactly import ExactStrategies
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree


@dataclass(frozen=True, eq=False)
class Forgetting:
    """A game in which a player forgets.

    Parameters
    ----------
    named
        The game's own information sets, all at the start: it is for strategies to be read by, and
        its payoffs mean nothing.
    form
        The remembering game.
    parts
        For each player and each information set of `form` the set of `named` that it is part of.
    why
        For each player what it forgets, and where; None for those who forget nothing.
    """

    named: SequenceForm
    form: SequenceForm
    parts: tuple[Index, ...]
    why: tuple[str | None, ...]

    @property
    def forgetful(self) -> tuple[int, ...]:
        """The players who forget."""
        return tuple(player for player, why in enumerate(self.why) if why is not None)

    def played(self, profile: Profile) -> Profile:
        """Return a profile of `named` as one of the remembering game."""
        pairs = zip(profile.behaviors, self._origins(), strict=True)
        return self.form.profile([np.append(1.0, vector[places]) for vector, places in pairs])

    def played_exactly(self, given: ExactStrategies) -> ExactStrategies:
        """Return the same of strategies in fractions."""
        behaviors = [
            (Fraction(1), *(vector[place] for place in places.tolist()))
            for vector, places in zip(given.behaviors, self._origins(), strict=True)
        ]
        return ExactStrategies(self.form, tuple(behaviors))

    def _origins(self) -> Iterator[Index]:
        """Yield for each player the sequence of `named` that each of `form` is; none of the first.

        int64 (num_sequences - 1,).
        """
        of_players = zip(self.form.treeplexes, self.named.treeplexes, self.parts, strict=True)
        for treeplex, flat, parts in of_players:
            starts, counts = flat.first_sequence[:-1][parts], treeplex.num_actions
            offsets = np.arange(1, treeplex.num_sequences) - np.repeat(
                treeplex.first_sequence[:-1], counts
            )
            yield np.repeat(starts, counts) + offsets

    def check_remembers(self, player: int) -> None:
        """Check that a best response of a player is defined by its information sets alone.

        Raises
        ------
        InvalidParameterError
            If the player forgets.
        """
        if self.why[player] is not None:
            raise InvalidParameterError(
                f"player={player} has no best response that its information sets give: "
                f"{self.why[player]}; ask for another player, or evaluate the strategy"
            )


def playing_form(game: AnyGame | SequenceForm | Solution, max_nodes: int | None = None) -> Any:
    """Return the sequence form of a game, or what stands for it where a player forgets.

    Returns
    -------
    form
        A `SequenceForm` or a `Forgetting`.
    """
    try:
        return form_of(game, max_nodes)
    except ImperfectRecallError as error:
        if isinstance(game, (SequenceForm, Solution)):
            raise
        return forgetting(build_tree(game, max_nodes), error)


def forgetting(tree: GameTree, error: ImperfectRecallError) -> Forgetting:
    """Return what stands for the form of a tree, given the error that says what is forgotten."""
    whole, part_of = remembering(tree)
    form = build_sequence_form(whole)
    infosets = [np.flatnonzero(tree.infoset_player == p) for p in range(tree.num_players)]
    number = np.zeros(tree.num_infosets, dtype=np.int64)
    for mine in infosets:
        number[mine] = np.arange(len(mine))
    parts = tuple(number[part_of[mine]] for mine in form.tree_infosets)
    flat = [_flat(tree.infoset_num_actions[mine]) for mine in infosets]
    named = replace(form, treeplexes=tuple(flat), origin=TreeOrigin(tree, tuple(infosets)))
    forgets = [len(mine) > len(set(mine.tolist())) for mine in parts]
    words = str(error.args[0])
    return Forgetting(
        named, form, parts, tuple(_reason(p, words) if f else None for p, f in enumerate(forgets))
    )


def _reason(player: int, words: str) -> str:
    """Return what a player forgets; the error tells of the first one who does."""
    return words if f"player {player} " in words else f"R9: player {player} has imperfect recall"


def _flat(num_actions: Ints) -> Treeplex:
    """Return the treeplex of information sets that are all at the start."""
    first = np.concatenate([[1], 1 + np.cumsum(num_actions)]).astype(np.int32)
    return Treeplex(np.zeros(len(num_actions), dtype=np.int32), first)


def remembering(tree: GameTree) -> tuple[GameTree, Index]:
    """Return a tree whose information sets are split by own histories.

    Returns
    -------
    whole, part_of
        The tree; and for each of its information sets the one of `tree` that it is part of.
    """
    numbers: dict[tuple[int, int, int], int] = {}
    histories: dict[tuple[int, int], int] = {}
    last = np.zeros((tree.num_players, tree.num_nodes), dtype=np.int64)
    infoset = np.full(tree.num_nodes, -1, dtype=np.int32)
    for node in range(tree.num_nodes):
        check_time("splitting information sets by what players have done")
        if node:
            above = int(tree.parent[node])
            last[:, node] = last[:, above]
            mover = int(tree.player[above])
            if mover >= 0:
                action = int(infoset[above]), node - int(tree.first_child[above])
                last[mover, node] = histories.setdefault(action, len(histories) + 1)
        player = int(tree.player[node])
        if player >= 0:
            key = int(tree.infoset[node]), player, int(last[player, node])
            infoset[node] = numbers.setdefault(key, len(numbers))
    part_of = np.array([original for original, _, _ in numbers], dtype=np.int64)
    labels: list[Any] = [tree.infoset_labels[original] for original in part_of.tolist()]
    seen: dict[int, int] = {}
    for place, original in enumerate(part_of.tolist()):
        seen[original] = seen.get(original, 0) + 1
        if seen[original] > 1:
            labels[place] = f"{labels[place]} (history {seen[original]})"
    columns = {
        name: getattr(tree, name)
        for name in ("parent", "first_child", "num_children", "player", "label", "probability")
    }
    whole = GameTree.from_columns(
        {**columns, "payoff": tree.payoff, "infoset": infoset},
        num_players=tree.num_players,
        probabilities=tree.probabilities,
        payoffs=tree.payoffs,
        labels=tree.labels,
        infoset_labels=tuple(labels),
        unit=tree.unit,
        given=tree.given,
    )
    return whole, part_of
