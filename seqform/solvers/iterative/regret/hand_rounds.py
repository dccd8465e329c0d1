"""The rounds of a betting tree between two deals, as regret minimization goes through them.

A player's *lines* in a round are where its last action before some point may have led: line e up
to the number of entries is that it has not acted since entry e, and the others stand for its
actions, those of a decision side by side, parents first. All that a player does in a round is told
by its reach of its lines, and all that it is paid belongs to one of them.

What an end pays a player is ``middle`` times the opponent's hands that it can meet, and ``swing``
times how many more of these are weaker than its own than are stronger: a win pays ``middle +
swing``, a tie ``middle`` and a loss ``middle - swing``. So the opponent's lines are summed up once
for all ends. They are *lanes* here: those where only ``middle`` counts come first, then those where
both do, and then those where only ``swing`` does, each kind filled up to whole vectors.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index, Ints, Mask
from seqform.base.errors import UnsupportedGameError
from seqform.game.betting_tree import LOSS, TIE, WIN, BettingTree
from seqform.game.rules import CHANCE

WIDTH = 16
"""How many numbers a vector has: lanes and hands are filled up to whole ones."""


def filled(count: int) -> int:
    """Return the length of whole vectors."""
    return count + -count % WIDTH


class Side(NamedTuple):
    """One player's betting in a round.

    Parameters
    ----------
    public
        int32 (num_decisions,): the public node of each decision.
    nodes
        int32 (num_decisions, 3): of each decision the first action, how many there are, and the
        line above. Action a is line ``num_entries + a``.
    exits
        int32 (num_exits,): the line at each exit.
    num_actions
        Actions of all decisions together.
    """

    public: Ints
    nodes: Ints
    exits: Ints
    num_actions: int


class Lanes(NamedTuple):
    """The opponent's lines that end, and what they pay to a player's lines.

    Parameters
    ----------
    line
        int32 (num_lanes,): the opponent's line; -1 where a vector is filled up.
    num_mass, first_duel
        Middles count in lanes up to the one, swings in lanes from the other on.
    paid
        int32 (num_payoffs,): the line of the player that each payoff belongs to. First comes one of
        each line, in their order, which is multiplied by 0 where there is none; then the others.
    source
        int32 (num_payoffs,): where each comes from. First are the lanes whose middles count, then
        those whose swings do, and then the exits.
    factor
        float64 (num_payoffs,): what it is multiplied by.
    """

    line: Ints
    num_mass: int
    first_duel: int
    paid: Ints
    source: Ints
    factor: Floats

    @property
    def num_duel(self) -> int:
        """How many lanes there are whose swings count."""
        return len(self.line) - self.first_duel

    @property
    def is_end(self) -> Mask:
        """Which payoffs are of ends, and not of exits."""
        found: Mask = self.source < self.num_mass + self.num_duel
        return found


class Round(NamedTuple):
    """The betting after so many deals.

    Parameters
    ----------
    entries
        int32 (num_entries,): the public nodes at which it begins.
    sides
        Each player's betting.
    lanes
        What ends pay each player.
    """

    entries: Ints
    sides: tuple[Side, Side]
    lanes: tuple[Lanes, Lanes]

    @property
    def num_exits(self) -> int:
        """How many of its ends are followed by a deal."""
        return len(self.sides[0].exits)


def rounds_of(tree: BettingTree) -> tuple[Round, ...]:
    """Return the rounds of a betting tree, by cards dealt.

    The entries of a round are in the order of the exits of the one before.

    Raises
    ------
    UnsupportedGameError
        If somewhere a tie pays a player something else than half of a win and a loss together.
    """
    lines = _number_lines(tree)
    return tuple(_round(tree, dealt, lines) for dealt in range(tree.num_dealt + 1))


class _Numbering(NamedTuple):
    """The line of each player at each node, and the decisions of each round and player."""

    line: tuple[Ints, Ints]
    entries: list[list[int]]
    decisions: list[tuple[list[int], list[int]]]


def _number_lines(tree: BettingTree) -> _Numbering:
    count = tree.num_dealt + 1
    entries: list[list[int]] = [[] for _ in range(count)]
    decisions: list[tuple[list[int], list[int]]] = [([], []) for _ in range(count)]
    for node in range(tree.num_nodes):
        dealt = tree.dealt[node]
        if not node or tree.player[tree.parent[node]] == CHANCE:
            entries[dealt].append(node)
        if tree.player[node] in (0, 1):
            decisions[dealt][tree.player[node]].append(node)
    line = np.zeros((2, tree.num_nodes), dtype=np.int32)
    for dealt in range(count):
        line[:, entries[dealt]] = np.arange(len(entries[dealt]))
        for player in (0, 1):
            action = len(entries[dealt])
            for node in decisions[dealt][player]:
                for child in tree.children(node):
                    line[player, child], action = action, action + 1
    for node in range(1, tree.num_nodes):
        actor = tree.player[tree.parent[node]]
        for player in (0, 1):
            if actor not in (player, CHANCE):
                line[player, node] = line[player, tree.parent[node]]
    return _Numbering((line[0], line[1]), entries, decisions)


def _round(tree: BettingTree, dealt: int, numbering: _Numbering) -> Round:
    entries = numbering.entries[dealt]
    here = tree.dealt == dealt
    exits = np.flatnonzero(here & (tree.player == CHANCE))
    ends = np.flatnonzero(here & (tree.is_fold | tree.is_showdown))
    sides = [_side(tree, player, dealt, numbering, exits) for player in (0, 1)]
    lanes = [
        _lanes(tree, player, ends, numbering, sides[player], len(entries)) for player in (0, 1)
    ]
    return Round(
        np.array(entries, dtype=np.int32), (sides[0], sides[1]), (lanes[0], lanes[1])
    )  # fmt: skip


def _side(tree: BettingTree, player: int, dealt: int, numbering: _Numbering, exits: Index) -> Side:
    decisions = np.array(numbering.decisions[dealt][player], dtype=np.int32)
    line, num_entries = numbering.line[player], len(numbering.entries[dealt])
    first = line[tree.first_child[decisions]] - num_entries
    count = tree.num_children[decisions]
    nodes = np.column_stack([first, count, line[decisions]]).astype(np.int32)
    return Side(decisions, nodes.reshape(-1, 3), line[exits], int(count.sum()))


def _lanes(
    tree: BettingTree, player: int, ends: Index, numbering: _Numbering, side: Side, entries: int
) -> Lanes:
    middle, swing = _payoffs(tree, player, ends)
    mine, theirs = (numbering.line[who][ends] for who in (player, 1 - player))
    of_middle, of_swing = set(theirs[middle != 0].tolist()), set(theirs[swing != 0].tolist())
    kinds = [of_middle - of_swing, of_middle & of_swing, of_swing - of_middle]
    line, num_mass, first_duel = min(
        (_in_vectors(kinds, fill) for fill in (False, True)),
        key=lambda lanes: 2 * len(lanes[0]) + lanes[1] - lanes[2],
    )
    lane = {each: number for number, each in enumerate(line) if each >= 0}
    paid = [
        (own, place + lane[other], by)
        for place, factors in ((0, middle), (num_mass - first_duel, swing))
        for own, other, by in zip(mine.tolist(), theirs.tolist(), factors.tolist(), strict=True)
        if by
    ]
    behind = num_mass + len(line) - first_duel
    paid += [(own, behind + place, 1.0) for place, own in enumerate(side.exits.tolist())]
    num_lines = entries + side.num_actions
    paid += [(own, 0, 0.0) for own in set(range(num_lines)) - {own for own, *_ in paid}]
    own, source, factor = zip(*_one_of_each_first(sorted(paid)), strict=True)
    return Lanes(
        line=np.array(line, dtype=np.int32),
        num_mass=num_mass,
        first_duel=first_duel,
        paid=np.array(own, dtype=np.int32),
        source=np.array(source, dtype=np.int32),
        factor=np.array(factor, dtype=np.float64),
    )


def _one_of_each_first(paid: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Return payoffs in another order: first the first one of each line, then the others."""
    again = [False, *(one[0] == other[0] for one, other in pairwise(paid))]
    return [paid[k] for k in sorted(range(len(paid)), key=again.__getitem__)]


def _payoffs(tree: BettingTree, player: int, ends: Index) -> tuple[Floats, Floats]:
    """Return the middle and the swing of ends."""
    won, tied, lost = (tree.paid[ends, how, player] for how in (WIN, TIE, LOSS))
    if player == 1:
        won, lost = lost, won
    uneven = won - tied != tied - lost
    if uneven.any():
        node = int(ends[int(np.flatnonzero(uneven)[0])])
        raise UnsupportedGameError(
            f"after {tree.lines[node]!r} a tie pays something else than half of a win and a loss "
            "together: no engine for large games of hands takes that"
        )
    return tied / tree.denominator, (won - lost) / (2 * tree.denominator)


def _in_vectors(kinds: list[set[int]], fill: bool) -> tuple[list[int], int, int]:
    """Return the lanes of lines of three kinds; in how many middles, and from where swings count.

    Parameters
    ----------
    fill
        Whether the first kind is filled up to whole vectors, rather than sharing one with the next.
    """
    only_mass, both, only_duel = map(sorted, kinds)
    line = only_mass + [-1] * (-len(only_mass) % WIDTH if fill else 0)
    first_duel = len(line) // WIDTH * WIDTH
    line += both
    num_mass = filled(len(line))
    line += only_duel
    line += [-1] * (-len(line) % WIDTH)
    return line, num_mass, first_duel if both or only_duel else len(line)
