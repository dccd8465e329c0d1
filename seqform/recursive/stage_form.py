"""StageForm: a stage as its players' sequences meet, with leaves by name instead of payoffs.

What a leaf is worth depends on where it leads, and that changes while a recursive game is solved.
So a stage is made once, as the weights of chance where the players' sequences meet, leaf by leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidGameError
from seqform.base.number import is_exact, over_common_denominator
from seqform.form.from_tree import build_sequence_form, sequences_at_nodes
from seqform.form.origin import Origin
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.payoffs_from_tree import exact_chance_reach
from seqform.form.treeplex import Treeplex
from seqform.game.recursive import Leaf
from seqform.game.rules import TERMINAL, Game
from seqform.recursive.against import Against
from seqform.recursive.any_stage import AnyStage
from seqform.recursive.entry_meetings import EntryMeetings
from seqform.recursive.entry_payer import EntryPayer
from seqform.recursive.entry_payoffs import entry_payoffs
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree

AT_ONCE = 64
"""Stages whose chances are added up side by side."""

BYTES_PER_ENTRY = 60
"""What a stage takes for each place where sequences meet, while it is solved."""


@dataclass(frozen=True, eq=False)
class StageForm(AnyStage):
    """A stage held as a list of where sequences meet.

    Parameters
    ----------
    treeplexes
        One for each seat.
    origin
        What knows the names of information sets and actions.
    leaves
        What ends of the stage are told apart.
    denominator
        Of the weights.
    places
        int32 (num_seats, num_entries): each seat's sequence where sequences meet.
    leaf
        int32 (num_entries,): which of `leaves` they may meet at.
    weights
        Positive integers, int64 or object (num_entries,): `denominator` times the chance of that.
        They add up to it, whatever the players do (see `check_chances`).
    """

    places: Ints
    leaf: Ints
    weights: Exact

    @property
    def num_entries(self) -> int:
        """Where sequences meet, leaf by leaf."""
        return len(self.weights)

    @property
    def is_listed(self) -> bool:
        """True."""
        return True

    @property
    def num_bytes(self) -> int:
        """The memory it takes to solve it."""
        return BYTES_PER_ENTRY * self.num_entries

    @cached_property
    def shares(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The weights as chances, float64 (num_entries,), each rounded."""
        return (self.weights.astype(object) / self.denominator).astype(np.float64)

    def check(self) -> None:
        """See that chances add up to 1, once; see `check_chances`."""
        _ = self._has_chances

    @cached_property
    def _has_chances(self) -> bool:
        check_chances(self)
        return True

    def listed(self) -> StageForm:
        """Return the stage, which is entry by entry."""
        return self

    def meetings(self, lead: Ints, seat: int) -> EntryMeetings:
        """Return where a seat's sequences come to leads."""
        return EntryMeetings(self, lead, seat)

    def all_against(
        self, meetings: Sequence[Any], plans: Sequence[Sequence[Floats]]
    ) -> list[Against]:
        """Return for several stages of this form the chances against the others' plans."""
        found: dict[int, Against] = {}
        alike: dict[int, list[int]] = {}
        for number, at in enumerate(meetings):
            alike.setdefault(id(at), []).append(number)
        for numbers in alike.values():
            for start in range(0, len(numbers), AT_ONCE):
                check_time("adding up what strategies meet")
                some = numbers[start : start + AT_ONCE]
                made = meetings[some[0]].all_against([plans[number] for number in some])
                found.update(zip(some, made, strict=True))
        return [found[number] for number in range(len(meetings))]

    def payer(self, rows: Index, worth: Floats, near: Floats) -> EntryPayer:
        """Return what says what sequences are paid; it is as exact everywhere."""
        return EntryPayer(self, rows, worth)

    def payoffs(self, worth: Floats) -> PayoffTensor:
        """Return what is paid where sequences meet."""
        return entry_payoffs(self, worth)

    def ending(self, seat: int, plans: Sequence[Floats]) -> Floats:
        """Return how likely chance and the others let play end in each sequence of a seat."""
        chances = self.shares.copy()
        for other, plan in enumerate(plans):
            if other != seat:
                chances *= plan[self.places[other]]
        size = self.treeplexes[seat].num_sequences
        return np.bincount(self.places[seat], chances, minlength=size).astype(np.float64)

    def feed(self, update: Callable[[bytes], None], lead: Ints) -> None:
        """Give all that chances are made of to the `update` of a digest."""
        update(np.ascontiguousarray(self.places).tobytes())
        update(np.ascontiguousarray(lead[self.leaf]).tobytes())
        update(repr(self.weights.tolist()).encode())


def stage_form(game: AnyGame | AnyStage) -> AnyStage:
    """Return what a stage is made into.

    Raises
    ------
    InvalidGameError
        If it is no game, breaks a requirement of docs/data-model.md, or has floats as chances.
        R4: if chances of a stage of outcomes do not add up to 1.
    ImperfectRecallError
        R9: if a player forgets something.
    """
    if isinstance(game, AnyStage):
        game.check()
        return game
    tree = build_tree(game)
    if not all(map(is_exact, tree.probabilities)):
        raise InvalidGameError(
            "R4: stages of recursive games have chances that are int or Fraction; here are floats"
        )
    form = build_sequence_form(tree)
    ends = np.flatnonzero(tree.player == TERMINAL)
    rows, reaches = exact_chance_reach(tree)
    numbers, denominator = over_common_denominator(
        [(reach.numerator, reach.denominator) for reach in reaches]
    )
    fits = max(numbers) < 2**62
    weights = np.array(numbers, dtype=np.int64 if fits else object)[rows[ends]]
    possible = np.flatnonzero(weights > 0)
    ends = ends[possible]
    return StageForm(
        form.treeplexes,
        form.origin,
        tuple(_leaves(game, tree, ends)),
        denominator,
        np.ascontiguousarray(sequences_at_nodes(form)[:, ends]),
        np.arange(len(ends), dtype=np.int32),
        weights[possible],
    )


def _leaves(game: AnyGame, tree: GameTree, ends: Index) -> list[Leaf]:
    """Return the leaves at terminal nodes of a tree, by their states or by their histories."""
    names = _states(game, tree) if _has_states(game) else _histories(tree)
    return [Leaf(names[node], _paid(tree, node)) for node in ends.tolist()]


def _has_states(game: AnyGame) -> bool:
    return not isinstance(game, GameTree) and isinstance(game, Game)


def _paid(tree: GameTree, node: int) -> tuple[Any, ...]:
    """Return what is paid at a leaf, and was on the way there."""
    total: tuple[Any, ...] = (0,) * tree.num_players
    while node >= 0:
        row = int(tree.payoff[node])
        if row >= 0:
            total = tuple(a + b for a, b in zip(total, tree.payoffs[row], strict=True))
        node = int(tree.parent[node])
    return total


def _states(game: Any, tree: GameTree) -> list[Hashable]:
    """Return the state of each node, which the rules are asked for again, level after level."""
    labels = [tree.labels[row] if row >= 0 else None for row in tree.label.tolist()]
    states: list[Hashable] = [game.root()]
    for node, parent in enumerate(tree.parent.tolist()[1:], start=1):
        states.append(game.child(states[parent], labels[node]))
    return states


def _histories(tree: GameTree) -> list[Hashable]:
    """Return the labels on the way to each node."""
    histories: list[Any] = [()]
    for node, parent in enumerate(tree.parent.tolist()[1:], start=1):
        histories.append((*histories[parent], tree.labels[int(tree.label[node])]))
    return histories


def outcome_stage(
    treeplexes: Sequence[Treeplex],
    origin: Origin,
    outcomes: Sequence[tuple[Hashable, Ints, Exact]],
    denominator: int,
) -> StageForm:
    """Return a stage given as what chance makes of sequences, outcome by outcome.

    Parameters
    ----------
    outcomes
        For each its name, where sequences meet, int (num_seats, num_entries), and positive
        integers (num_entries,), `denominator` times the chance of that outcome there.

    Raises
    ------
    InvalidGameError
        R4: if chances are negative, or do not add up to 1 (see `check_chances`).
    """
    sizes = [len(weights) for _, _, weights in outcomes]
    form = StageForm(
        tuple(treeplexes),
        origin,
        tuple(Leaf(name, ()) for name, _, _ in outcomes),
        denominator,
        np.concatenate([np.asarray(places, dtype=np.int32) for _, places, _ in outcomes], axis=1),
        np.repeat(np.arange(len(outcomes), dtype=np.int32), sizes),
        _integers([weights for _, _, weights in outcomes]),
    )
    form.check()
    return form


def _integers(parts: Sequence[Any]) -> Exact:
    """Return integers of any type, one after another: as int64, or as Python ints if too large."""
    if parts and all(getattr(numbers, "dtype", None) == np.int64 for numbers in parts):
        return np.concatenate(parts)
    try:
        exact = [index(number) for numbers in parts for number in numbers]
    except TypeError:
        raise InvalidGameError(
            "R4: chances of outcomes are integers over a common denominator; here are others"
        ) from None
    fits = all(-(2**62) < number < 2**62 for number in exact)
    return np.array(exact, dtype=np.int64 if fits else object)


DRAWS = 2**62
"""How many integers are equally likely where chances are added up at a random point."""


def check_chances(form: StageForm) -> None:
    """See that chances are integers, not negative, and add up to 1 whatever the players do.

    The sum is a polynomial of degree 1 in each strategy. So it is 1 everywhere if it is so at a
    point drawn at random, but for a chance of ``num_seats / DRAWS`` (Schwartz, J. ACM 27(4), 1980).

    Raises
    ------
    InvalidGameError
        R4: if not; or if a place or a leaf is not one of the stage.
    """
    _check_places(form)
    weights = form.weights
    is_whole = weights.dtype == np.int64 or (
        weights.dtype == object and {*map(type, weights.tolist())} <= {int}
    )
    if not is_whole or form.denominator < 1 or (weights < 0).any():
        raise InvalidGameError(
            "R4: chances of a stage are int64 or Python ints, not negative, over a denominator "
            "above 0"
        )
    rng = np.random.default_rng(1980)
    products = form.weights.astype(object)
    for treeplex, places in zip(form.treeplexes, form.places, strict=True):
        products = products * random_plan(treeplex, rng)[places]
    if products.sum() != form.denominator:
        raise InvalidGameError(
            "R4: the chances of a stage do not add up to 1: for every deal and line of play the "
            "weights of its outcomes have to make up the weight of the deal"
        )


def _check_places(form: StageForm) -> None:
    """See that sequences meet at places and leaves that there are."""
    shape = form.num_seats, form.num_entries
    if form.places.shape != shape or form.leaf.shape != shape[1:]:
        raise InvalidGameError(
            f"R4: a stage of {shape[0]} seats and {shape[1]:,} weights has places of shape "
            f"{form.places.shape} and leaves of shape {form.leaf.shape}; give one of each a weight"
        )
    sizes = [treeplex.num_sequences for treeplex in form.treeplexes]
    for numbers, size, what in [
        *zip(form.places, sizes, ["sequences of a seat"] * len(sizes), strict=True),
        (form.leaf, len(form.leaves), "leaves"),
    ]:
        if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < size:
            raise InvalidGameError(
                f"R4: the {what} are 0 to {size - 1}, and weights of the stage lie at "
                f"{int(numbers.min())} to {int(numbers.max())}"
            )


def random_plan(treeplex: Treeplex, rng: np.random.Generator) -> Exact:
    """Return integers that satisfy what a realization plan does but for signs."""
    plan = np.ones(treeplex.num_sequences, dtype=object)
    first, parent = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
    for infoset, above in enumerate(parent):
        start, stop = first[infoset], first[infoset + 1]
        drawn = rng.integers(DRAWS, size=stop - start).tolist()
        drawn[-1] = plan[above] - sum(drawn[:-1])
        plan[start:stop] = drawn
    return plan
