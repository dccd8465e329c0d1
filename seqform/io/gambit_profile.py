"""Gambit's strategy profiles: objects of pygambit, and the lists that its programs print.

`gambit-lcp` and its like print an equilibrium a line: ``NE,2/3,1/3,...``. These are the
probabilities of player 1's actions, information set by information set, then player 2's. Gambit
numbers information sets as it meets them on a walk through the tree, each node before its children.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.arrays import Index
from seqform.base.errors import InvalidStrategyError, ResultFileError, UnsupportedGameError
from seqform.base.whole_file import reason
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.given import GivenStrategy, checked
from seqform.strategies.rows import probability
from seqform.tree.tree import GameTree


def from_gambit_profile(profile: Any, form: SequenceForm) -> GivenStrategy:
    """Return a mixed behaviour profile of pygambit as a strategy.

    Parameters
    ----------
    profile
        A `MixedBehaviorProfile` of pygambit 17, in floats or in fractions.
    form
        The same game, such as `read_efg` makes of its file.

    Raises
    ------
    InvalidStrategyError
        If it is of another game, or no such profile.
    UnsupportedGameError
        If the form has no tree.
    """
    try:
        numbers = [
            [probability(float(p)) for _, choice in of_player for _, p in choice]
            for of_player in profile
        ]
    except (TypeError, ValueError, AttributeError):
        raise InvalidStrategyError(
            f"{type(profile).__name__} is not a profile of Gambit: give a MixedBehaviorProfile of "
            "pygambit 17 (as_behavior() makes one of a mixed strategy)"
        ) from None
    if len(numbers) != form.num_players:
        raise InvalidStrategyError(
            f"Gambit's profile is for {len(numbers)} players, and the game has {form.num_players}"
        )
    return _strategy(form, [number for of_player in numbers for number in of_player])


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
    except OSError as error:
        raise ResultFileError(f"{path} cannot be read: {reason(error)}") from None
    except UnicodeDecodeError:
        raise ResultFileError(f"{path} is not a text") from None
    found = []
    for number, line in enumerate(lines, start=1):
        kind, *cells = line.strip().split(",")
        if kind != "NE":
            continue
        try:
            found.append(_strategy(form, [probability(cell) for cell in cells]))
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{path}, line {number}: {error}") from None
    if not found:
        raise ResultFileError(
            f"{path} has no line that begins with NE, as Gambit's programs print profiles"
        )
    return found


def _strategy(form: SequenceForm, numbers: Sequence[float]) -> GivenStrategy:
    """Return the strategy of probabilities in Gambit's order."""
    needed = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
    if len(numbers) != needed:
        raise InvalidStrategyError(
            f"a profile of this game has {needed} probabilities, and here are {len(numbers)}; "
            "mixed strategies of the normal form are not read (gambit-* print behaviours of .efg "
            "files unless told otherwise)"
        )
    behaviors, start = [], 0
    for player, treeplex in enumerate(form.treeplexes):
        count = treeplex.num_sequences - 1
        behavior = np.ones(treeplex.num_sequences)
        behavior[_order(form, player)] = numbers[start : start + count]
        behaviors.append(behavior)
        start += count
    return checked(form, behaviors)


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
