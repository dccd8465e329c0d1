"""Gambit's strategy profiles: objects of pygambit, and the lists that its programs print.

`gambit-lcp` and its like print an equilibrium a line: ``NE,2/3,1/3,...``. These are the
probabilities of player 1's actions, information set by information set, then player 2's. Gambit
numbers information sets as it meets them on a walk through the tree, each node before its children.
An information set whose probabilities are all 0 is one that Gambit says nothing of.

For games in normal form, and with ``-S``, they print mixed strategies: the probabilities of player
1's reduced pure strategies, then player 2's. Strategies are ordered by what they choose, the first
of Gambit's information sets first. Which of the two a line holds is seen by how many numbers there
are, and by their sums; where it could be either, it is one of behaviours.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from numbers import Rational, Real
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.arrays import Index, Mask
from seqform.base.errors import InvalidStrategyError, ResultFileError, UnsupportedGameError
from seqform.base.summary import counted
from seqform.base.whole_file import reason
from seqform.form.mixed_strategy import MixedStrategy
from seqform.form.pure_strategies import count_strategies, large_number, pure_plans
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.exactly import as_fraction
from seqform.strategies.given import GivenStrategy
from seqform.strategies.given_rows import probability
from seqform.strategies.given_sums import checked
from seqform.strategies.mixed import given_from_mixtures, require_recall, weights
from seqform.tree.tree import GameTree


def from_gambit_profile(profile: Any, form: SequenceForm) -> GivenStrategy:
    """Return a profile of pygambit as a strategy; in fractions, if it is rational.

    Parameters
    ----------
    profile
        A `MixedBehaviorProfile` or a `MixedStrategyProfile` of pygambit 17.
    form
        The same game, such as `read_efg` makes of its file.

    Raises
    ------
    InvalidStrategyError
        If it is of another game, or no such profile; or if it is mixed, and a player forgets.
    UnsupportedGameError
        If the form has no tree.
    """
    try:
        players = [list(of_player) for of_player in profile]
        is_mixed = all(isinstance(p, Real) for of_player in players for _, p in of_player)
        numbers = [
            [p for _, p in of_player]
            if is_mixed
            else [p for _, choice in of_player for _, p in choice]
            for of_player in players
        ]
        texts = [_as_text(number) for of_player in numbers for number in of_player]
    except (TypeError, ValueError, AttributeError):
        raise InvalidStrategyError(
            f"{type(profile).__name__} is not a profile of Gambit: give a MixedBehaviorProfile or "
            "a MixedStrategyProfile of pygambit 17"
        ) from None
    if len(numbers) != form.num_players:
        raise InvalidStrategyError(
            f"Gambit's profile is for {counted(len(numbers), 'player')}, and the game has "
            f"{form.num_players}"
        )
    return _mixed(form, texts) if is_mixed else _behaviors(form, texts)


def _as_text(number: Any) -> Any:
    """Return a rational number of pygambit as one of Python; other numbers are floats."""
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    return float(number)


def gambit_profiles(path: Path | str, form: SequenceForm) -> list[GivenStrategy]:
    """Return the profiles that a program of Gambit printed, in a file; other lines are not read.

    Raises
    ------
    ResultFileError
        If the file is missing, or has no line that begins with NE.
    InvalidStrategyError
        If a line is not of this game.
    UnsupportedGameError
        If the form has no tree.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ResultFileError(f"{path} cannot be read: {reason(error)}") from None
    found = []
    for number, line in enumerate(lines, start=1):
        kind, *cells = line.strip().split(",")
        if kind != "NE":
            continue
        try:
            found.append(_strategy(form, cells))
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{path}, line {number}: {error}") from None
    if not found:
        raise ResultFileError(
            f"{path} has no line that begins with NE, as Gambit's programs print profiles"
        )
    return found


def _strategy(form: SequenceForm, numbers: Sequence[Any]) -> GivenStrategy:
    """Return the strategy of probabilities in Gambit's order, whatever they are of."""
    needed = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
    counts = [count_strategies(treeplex).reduced for treeplex in form.treeplexes]
    if len(numbers) not in (needed, sum(counts)):
        raise InvalidStrategyError(
            f"a profile of this game has {needed} probabilities, and here are {len(numbers)}; "
            f"of its reduced normal form it has {large_number(sum(counts))}"
        )
    if len(numbers) == needed:
        try:
            return _behaviors(form, numbers)
        except InvalidStrategyError as error:
            if len(numbers) != sum(counts):
                raise
            is_of_behaviors = error
        try:
            return _mixed(form, numbers)
        except InvalidStrategyError:
            raise is_of_behaviors from None
    return _mixed(form, numbers)


def _behaviors(form: SequenceForm, numbers: Sequence[Any]) -> GivenStrategy:
    """Return behaviour strategies; sets whose probabilities are all 0 are left open."""
    needed = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
    if len(numbers) != needed:
        raise InvalidStrategyError(
            f"a profile of this game has {needed} probabilities, and here are {len(numbers)}"
        )
    behaviors, exact, start = [], [], 0
    for player, treeplex in enumerate(form.treeplexes):
        places, count = _order(form, player), treeplex.num_sequences - 1
        said = numbers[start : start + count]
        behavior = np.ones(treeplex.num_sequences)
        behavior[places] = [probability(number) for number in said]
        fractions: list[Fraction | None] = [None] * treeplex.num_sequences
        for place, number in zip(places.tolist(), said, strict=True):
            fractions[place] = as_fraction(number)
        for first, stop in pairwise(treeplex.first_sequence.tolist()):
            if not behavior[first:stop].any():
                behavior[first:stop] = np.nan
                fractions[first:stop] = [None] * (stop - first)
        behaviors.append(behavior)
        exact.append(fractions)
        start += count
    return checked(form, behaviors, exact=exact)


def _mixed(form: SequenceForm, numbers: Sequence[Any]) -> GivenStrategy:
    """Return the behaviour strategies that mixed strategies of the normal form play like."""
    counts = [count_strategies(treeplex).reduced for treeplex in form.treeplexes]
    if len(numbers) != sum(counts):
        raise InvalidStrategyError(
            f"the reduced normal form of this game has {large_number(sum(counts))} strategies, and "
            f"here are probabilities of {len(numbers)}"
        )
    require_recall(form)
    mixtures, start = [], 0
    for player, (treeplex, count) in enumerate(zip(form.treeplexes, counts, strict=True)):
        plans = pure_plans(treeplex)
        plans = plans[_gambits_order(form, player, plans)]
        mixtures.append(MixedStrategy(plans, weights(numbers[start : start + count])))
        start += count
    return given_from_mixtures(form, mixtures)


def _order(form: SequenceForm, player: int) -> Index:
    """Return a player's sequences but the empty one, in Gambit's order."""
    tree, treeplex = form.tree, form.treeplexes[player]
    if tree is None:
        raise UnsupportedGameError("Gambit's profiles are of trees, and this form has none")
    earliest = np.full(tree.num_infosets, tree.num_nodes)
    decisions = np.flatnonzero(tree.infoset >= 0)
    np.minimum.at(earliest, tree.infoset[decisions], prefix_order(tree)[decisions])
    infosets = np.argsort(earliest[form.tree_infosets[player]], kind="stable")
    ranges = zip(treeplex.first_sequence[infosets], treeplex.num_actions[infosets], strict=True)
    parts = [np.arange(first, first + count) for first, count in ranges]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _gambits_order(form: SequenceForm, player: int, plans: Mask) -> Index:
    """Return the places of reduced pure strategies in Gambit's order.

    They are ordered by the place of the action in each of Gambit's information sets, the first set
    counting most, and a set that is excluded coming before all actions.
    """
    treeplex, sequences = form.treeplexes[player], _order(form, player)
    infosets = treeplex.infoset_of[sequences]
    places = 1 + sequences - treeplex.first_sequence[infosets]
    starts = np.flatnonzero(np.diff(infosets, prepend=-1))
    if not len(starts):
        return np.zeros(1, dtype=np.int64)
    keys = np.add.reduceat(plans[:, sequences] * places, starts, axis=1)
    order: Index = np.lexsort(keys.T[::-1])
    return order


def prefix_order(tree: GameTree) -> Index:
    """Return the place of each node in a walk that takes nodes before their children, left first.

    int64 (num_nodes,).
    """
    size = np.ones(tree.num_nodes, dtype=np.int64)
    for level in reversed(tree.levels()):
        np.add.at(size, tree.parent[level], size[level])
    place = np.zeros(tree.num_nodes, dtype=np.int64)
    for level in tree.levels():
        parents = tree.parent[level]
        before = np.cumsum(size[level]) - size[level]
        before -= before[tree.first_child[parents] - level.start]
        place[level] = place[parents] + 1 + before
    return place
