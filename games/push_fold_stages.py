"""Hands of push or fold as stages of a tournament, outcome by outcome.

What a hand comes to hangs on the classes of both players' cards and on their plans, and not on the
stacks: these only say what is at stake. So a tournament has few different hands, and all stages
that are alike share one. Which it is hangs on the *effective stack*, the smaller of the two:

* above the big blind the small blind pushes or folds, and the big blind calls or folds;
* up to the big blind, which somebody is all-in by, only the small blind decides;
* up to the small blind both hands are shown at once.

Ties return all chips.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.form.origin import Origin
from seqform.game.labels import NamedGrid, Parts

FOLD, LIMP, PUSH, CALL = "fold", "limp", "push", "call"

SMALL_FOLDS, BIG_FOLDS, LIMP_FOLDS = "small blind folds", "big blind folds", "limp is folded"
WIN, LOSS, TIE = "small blind wins", "big blind wins", "tie"

if TYPE_CHECKING:  # they load scipy, which a list of games does without
    from seqform.form.treeplex import Treeplex
    from seqform.recursive.stage_form import StageForm

NAMES = ("small blind", "big blind")
"""Of seats 0 and 1."""

FIRST = ""
"""What is seen before anybody has acted."""


@dataclass(frozen=True, eq=False)
class HandPairs:
    """Classes of hands against each other.

    Parameters
    ----------
    names
        Of the classes.
    deals
        How often two classes are dealt: int64 (num_classes, num_classes).
    wins, losses, ties
        How often the first wins, loses and ties, of as many showdowns for each deal: alike.
    grid
        How classes are laid out as a matrix, if in any.
    """

    names: tuple[str, ...]
    deals: Index
    wins: Index
    losses: Index
    ties: Index
    grid: NamedGrid | None = None

    @cached_property
    def showdowns(self) -> int:
        """Showdowns of a deal, such as boards."""
        shown = int((self.wins + self.losses + self.ties).sum())
        return shown // int(self.deals.sum())

    @cached_property
    def answered(self) -> StageForm:
        """The hand in which the big blind calls or folds after a push."""
        small = self._lines(0, FIRST, FOLD, PUSH)
        big = self._lines(0, PUSH, FOLD, CALL, others=small.after(PUSH))
        return self._stage(
            ([small], [big]),
            [
                self._alone(SMALL_FOLDS, small.after(FOLD)),
                self._met(BIG_FOLDS, small.after(PUSH), big.after(FOLD)),
                *self._shown([(small.after(PUSH), big.after(CALL))]),
            ],
        )

    @cached_property
    def unanswered(self) -> StageForm:
        """The hand in which a push goes to the showdown."""
        small = self._lines(0, FIRST, FOLD, PUSH)
        nobody = np.zeros(len(self.names), dtype=np.int64)
        return self._stage(
            ([small], []),
            [
                self._alone(SMALL_FOLDS, small.after(FOLD)),
                *self._shown([(small.after(PUSH), nobody)]),
            ],
        )

    @cached_property
    def shown(self) -> StageForm:
        """The hand in which nobody decides anything."""
        nobody = np.zeros(len(self.names), dtype=np.int64)
        return self._stage(([], []), self._shown([(nobody, nobody)]))

    @cached_property
    def limped(self) -> StageForm:
        """The hand in which the small blind may limp too; then the big blind pushes or folds."""
        n = len(self.names)
        small = self._lines(0, FIRST, FOLD, LIMP, PUSH)
        big = self._lines(0, PUSH, FOLD, CALL, others=small.after(PUSH))
        over = self._lines(2 * n, LIMP, FOLD, PUSH, others=small.after(LIMP))
        later = self._lines(
            small.end,
            f"{LIMP}-{PUSH}",
            FOLD,
            CALL,
            parents=small.after(LIMP),
            others=over.after(PUSH),
        )
        return self._stage(
            ([small, later], [big, over]),
            [
                self._alone(SMALL_FOLDS, small.after(FOLD)),
                self._met(BIG_FOLDS, small.after(PUSH), big.after(FOLD)),
                self._met(BIG_FOLDS, small.after(LIMP), over.after(FOLD)),
                self._met(LIMP_FOLDS, later.after(FOLD), over.after(PUSH)),
                *self._shown(
                    [
                        (small.after(PUSH), big.after(CALL)),
                        (later.after(CALL), over.after(PUSH)),
                    ]
                ),
            ],
        )

    def _lines(
        self,
        before: int,
        seen: str,
        *actions: str,
        parents: Index | None = None,
        others: Index | None = None,
    ) -> _Lines:
        nothing = np.zeros(len(self.names), dtype=np.int64)
        above = nothing if parents is None else parents
        return _Lines(seen, actions, above, nothing if others is None else others, before + 1)

    def _alone(self, name: str, mine: Index) -> _Outcome:
        """Return an outcome that the small blind brings about."""
        total = self.deals.sum(axis=1) * self.showdowns
        return name, np.stack([mine, np.zeros_like(mine)]), total

    def _met(self, name: str, mine: Index, theirs: Index, counts: Index | None = None) -> _Outcome:
        """Return an outcome of both players' sequences, with how often it comes; by default all."""
        counts = self.deals * self.showdowns if counts is None else counts
        first, second = np.nonzero(counts)
        return name, np.stack([mine[first], theirs[second]]), counts[first, second]

    def _shown(self, meetings: Sequence[tuple[Index, Index]]) -> list[_Outcome]:
        """Return the outcomes of showdowns after some sequences of each class."""
        return [
            self._met(name, mine, theirs, counts)
            for name, counts in ((WIN, self.wins), (LOSS, self.losses), (TIE, self.ties))
            if counts.any()
            for mine, theirs in meetings
        ]

    def _stage(
        self, lines: tuple[list[_Lines], list[_Lines]], outcomes: Sequence[_Outcome]
    ) -> StageForm:
        """Return the stage of what both seats decide and how it ends; equal names are one."""
        merged: dict[Hashable, _Outcome] = {}
        for name, places, weights in outcomes:
            _, others, before = merged.get(name, (name, places[:, :0], weights[:0]))
            merged[name] = name, np.hstack([others, places]), np.append(before, weights)
        treeplexes = [_treeplex(own) for own in lines]
        origin = PushFoldOrigin(self.names, self.deals, lines, self.grid)
        ends = [(name, at.astype(np.int32), often) for name, at, often in merged.values()]
        from seqform.recursive.stage_form import outcome_stage  # noqa: PLC0415

        return outcome_stage(treeplexes, origin, ends, int(self.deals.sum()) * self.showdowns)


_Outcome = tuple[Hashable, Index, Index]


@dataclass(frozen=True, eq=False)
class _Lines:
    """What a seat decides after it has seen something, with each class.

    Parameters
    ----------
    seen
        What was done before.
    actions
        What may be done.
    parents, others
        The sequences of the seat and of the other one that lead there: int64 (num_classes,).
    start
        The first sequence after it.
    """

    seen: str
    actions: tuple[str, ...]
    parents: Index
    others: Index
    start: int

    @property
    def end(self) -> int:
        """The last sequence after it."""
        return self.start + len(self.parents) * len(self.actions) - 1

    def after(self, action: str) -> Index:
        """Return the sequence after an action, for each class."""
        step = len(self.actions)
        return self.start + self.actions.index(action) + step * np.arange(len(self.parents))


def _treeplex(lines: Sequence[_Lines]) -> Treeplex:
    parents = [np.asarray(line.parents, dtype=np.int32) for line in lines]
    counts = [np.full(len(line.parents), len(line.actions)) for line in lines]
    none = np.zeros(0, dtype=np.int32)
    first = np.append(1, 1 + np.cumsum(np.concatenate([none, *counts])))
    from seqform.form.treeplex import Treeplex  # noqa: PLC0415

    return Treeplex(np.concatenate([none, *parents]), first.astype(np.int32))


class PushFoldOrigin(Origin):
    """Names of information sets: the class of the own hand, and what was done before.

    Parameters
    ----------
    names
        Of the classes.
    deals
        How often two classes are dealt: (num_classes, num_classes).
    lines
        What each seat decides.
    grid
        How classes are laid out as a matrix.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        deals: Index,
        lines: Sequence[Sequence[_Lines]],
        grid: NamedGrid | None = None,
    ) -> None:
        super().__init__()
        self.names, self.deals, self.lines, self._grid = names, deals, lines, grid

    @property
    def grid(self) -> NamedGrid | None:
        """How classes are laid out as a matrix."""
        return self._grid

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the class and what was done before, such as ``AKs:push``."""
        return ":".join(self._parts(player, infoset))

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return what may be done there."""
        return self._line(player, infoset).actions

    def infoset_parts(self, player: int, infoset: int) -> Parts:
        """Return the class and what was done before."""
        return self._parts(player, infoset)

    def others_reach(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return how likely the deal and the other seat lead to each information set of a seat."""
        dealt = (self.deals if player == 0 else self.deals.T) / self.deals.sum()
        none = np.zeros(0)
        return np.concatenate(
            [none, *(dealt @ plans[1 - player][line.others] for line in self.lines[player])]
        )

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return NAMES

    def _parts(self, player: int, infoset: int) -> Parts:
        return self.names[infoset % len(self.names)], self._line(player, infoset).seen

    def _line(self, player: int, infoset: int) -> _Lines:
        return self.lines[player][infoset // len(self.names)]
