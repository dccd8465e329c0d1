"""A locked game of hands, as large as games of hands are: nothing of it is listed.

What is left to decide is what the lock leaves free, where the player's own locks let it come. It is
counted, and gone through by boards. Smaller ones are made explicitly
(`seqform.links.locked_game`), and both are the same game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from seqform.base.arrays import Floats, Ints, Mask
from seqform.base.deadline import check_time
from seqform.form.hand_form import GeneralHandForm, HandForm
from seqform.form.hand_lines import NO_LINE
from seqform.form.hand_lock import HandLock
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_tables import on_first
from seqform.form.origin import DerivedOrigin, Origin
from seqform.form.profile import Profile
from seqform.form.protocol import Passage
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.treeplex import Treeplex
from seqform.form.unlisted_hands import UnlistedPayoffs, refuse

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure

LOCKED = "locked"
"""The kind of these games."""

ROUNDINGS_OF_MOVE = 3
"""Of a term, for each move and side, besides one for each action: a probability of the lock becomes
a float, something is multiplied by it, and by what is left."""


class LockedCounts(NamedTuple):
    """What a player of a locked game decides, counted."""

    infosets: int
    sequences: int


class LockedHands(Treeplex):
    """A player's treeplex of a locked game, of which only counts are known.

    Parameters
    ----------
    whole
        That of the game. No pass is longer than one through it, and nothing more is added up.
    counts
        What is left.
    """

    def __init__(self, whole: Treeplex, counts: LockedCounts) -> None:
        self._whole, self._counts = whole, counts

    @property
    def parent_sequence(self) -> Ints:
        """Refuse."""
        refuse(LOCKED)

    @property
    def first_sequence(self) -> Ints:
        """Refuse."""
        refuse(LOCKED)

    @property
    def num_infosets(self) -> int:
        """Information sets in which something is left to decide, counted."""
        return self._counts.infosets

    @property
    def num_sequences(self) -> int:
        """Sequences, counted."""
        return self._counts.sequences

    def fingerprint(self) -> Iterator[bytes]:
        """Yield counts; the payoffs' fingerprint has the game and the lock."""
        yield repr(self._counts).encode()

    @property
    def num_runs(self) -> int:
        """How many steps a pass takes at most."""
        return self._whole.num_runs

    @property
    def most_actions(self) -> int:
        """Actions of the largest information set at most."""
        return self._whole.most_actions

    @property
    def most_following(self) -> int:
        """The most information sets that follow one sequence on a pass."""
        return self._whole.most_following


@dataclass(frozen=True, eq=False)
class LockedPayoffs(UnlistedPayoffs):
    """Payoffs of a locked game: those of the game, of which no products are made.

    Parameters
    ----------
    lock
        What is locked.
    """

    lock: HandLock

    what = LOCKED

    def digest(self) -> bytes:
        """Return a digest of the lock."""
        digest = hashlib.sha256()
        for player, nodes in enumerate(self.lock.nodes):
            for node, of in sorted(nodes.items()):
                digest.update(repr((player, node)).encode())
                digest.update(of.fixed.tobytes() + of.left.tobytes())
        return digest.digest()


class LockedOrigin(DerivedOrigin):
    """A game of hands of which something is locked."""

    def __init__(self, whole: Origin, lock: HandLock) -> None:
        super().__init__(whole)
        self.lock = lock

    @property
    def hands(self) -> HandStructure | None:
        """The game, without the lock."""
        return self.whole.hands

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Refuse: information sets of the locked game are counted only."""
        refuse(LOCKED)

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Refuse."""
        refuse(LOCKED)


class LockedHandForm(ZeroSumForm):
    """A locked game of hands in which payoffs have a constant sum."""

    @property
    def lists_sequences(self) -> bool:
        """Whether vectors over all sequences can be made: they cannot."""
        return False

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through by boards for a profile."""
        return _through(self, profile)


class GeneralLockedHandForm(SequenceForm):
    """A locked game of hands in which payoffs add up to different amounts."""

    @property
    def lists_sequences(self) -> bool:
        """Whether vectors over all sequences can be made: they cannot."""
        return False

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through by boards for a profile."""
        return _through(self, profile)


def _through(form: LockedHandForm | GeneralLockedHandForm, profile: Profile) -> Passage:
    kept, origin = profile.kept, cast(LockedOrigin, form.origin)
    if not isinstance(kept, HandStrategy) or not kept.is_of(cast("HandStructure", origin.hands)):
        refuse(LOCKED)
    from seqform.form.locked_hand_passage import LockedHandPassage

    return LockedHandPassage(form, kept, origin.lock)


def locked_hands(form: HandForm | GeneralHandForm, lock: HandLock) -> SequenceForm:
    """Return the game of hands in which players do what is locked."""
    treeplexes = tuple(
        LockedHands(treeplex, count(lock, player))
        for player, treeplex in enumerate(form.treeplexes)
    )
    moves = sum(t.num_runs * (t.most_actions + ROUNDINGS_OF_MOVE) for t in form.treeplexes)
    changed: dict[str, Any] = {
        field: getattr(form, field) for field in ("unit", "largest_payoff", "num_nodes")
    }
    changed |= {"treeplexes": treeplexes, "origin": LockedOrigin(form.origin, lock)}
    if isinstance(form, HandForm):
        operator = LockedPayoffs(form.operator, (moves, moves), lock)
        payoffs = replace(form.payoffs, operator=operator)
        return LockedHandForm(payoffs=payoffs, **changed)
    return GeneralLockedHandForm(
        payoffs=LockedPayoffs(form.payoffs, (moves, moves), lock), **changed
    )


def count(lock: HandLock, player: int) -> LockedCounts:
    """Return what a player decides where its own locks let it come."""
    counting = _Counting(lock, player)
    return counting.counts()


class _Counting:
    """Goes down a player's lines; where a lock bars nothing, hands are counted by formula."""

    def __init__(self, lock: HandLock, player: int) -> None:
        self._lock, self._player, self._structure = lock, player, lock.structure
        self._betting = lock.structure.game.betting
        self._alive = on_first(lock.structure, player)
        self._open: dict[int, Mask | None] = {NO_LINE: None}
        """Of each line, which hands may play it on which boards; None for all."""

    def counts(self) -> LockedCounts:
        """Return the counts."""
        infosets, sequences, betting = 0, 1, self._betting
        for node in np.flatnonzero(betting.player == self._player).tolist():
            check_time("counting what is left to decide")
            dealt, actions = int(betting.dealt[node]), int(betting.num_children[node])
            here, locked = self._reached(node), self._lock.nodes[self._player].get(node)
            every = self._alive[dealt] if here is None else here
            choices = actions if actions > 1 else 0  # one action is no decision
            free = np.where(every, choices if locked is None else locked.num_free, 0)
            size = self._structure.orbits[dealt].size[:, None]
            infosets += int((size * (free > 0)).sum())
            sequences += int((size * free).sum())
            self._go_on(node, here, every)
        return LockedCounts(infosets, sequences)

    def _reached(self, node: int) -> Mask | None:
        """Return which hands a player's own locks let come to a node; None for all."""
        line = int(self._betting.last_own(self._player)[node])
        found = self._open[line]
        if found is None:
            return None
        dealt = int(self._betting.dealt[self._betting.parent[line]])
        for further in range(dealt + 1, int(self._betting.dealt[node]) + 1):
            found = found[self._before(further)] & self._alive[further]
        return found

    def _before(self, dealt: int) -> Ints:
        """Return the orbit of the board before each first board of a length."""
        orbits, before = self._structure.orbits[dealt], self._structure.orbits[dealt - 1]
        above: Ints = before.orbit[self._structure.parents(dealt)[orbits.first]]
        return above

    def _go_on(self, node: int, here: Mask | None, every: Mask) -> None:
        """Note which hands may take each of the actions of a node."""
        locked = self._lock.nodes[self._player].get(node)
        for place, child in enumerate(self._betting.children(node)):
            if locked is None:
                self._open[child] = here
                continue
            fixed = locked.fixed[:, place]
            barred = np.where(np.isnan(fixed), locked.left == 0, fixed == 0) & every
            self._open[child] = every & ~barred if barred.any() else here


def kept_to(lock: HandLock, strategy: HandStrategy) -> Sequence[dict[int, Floats]]:
    """Return the tables of strategies in which players do what is locked.

    They are by boards of the strategies, whose symmetries the lock has, in single precision where
    that is all they have.
    """
    lock, found = lock.on(strategy.structure), []
    for tables, nodes in zip(strategy.behaviors, lock.nodes, strict=True):
        changed = {node: of.kept_to(tables[node]) for node, of in nodes.items()}
        found.append(
            {
                node: changed[node].astype(table.dtype) if node in changed else table
                for node, table in tables.items()
            }
        )
    return found
