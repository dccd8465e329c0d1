"""build_signal_form: the sequence form of a signal game, from public actions and classes; no tree.

A player's information set is a pair (public node, class), numbered by own moves made before, then
public node, then class. With every observation a class of its own these are the numbers that the
game's tree gives. With coarser classes the result is the quotient of the game: a class's variable
is the value common to its members, and payoffs are added up.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Index, Ints
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import largest
from seqform.base.number import common_denominator
from seqform.form.kronecker import KroneckerPayoff, Lines, Term
from seqform.form.origin import Origin
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.treeplex import Treeplex
from seqform.game.deals import kinds_of_cards
from seqform.game.observations import Classes, SignalStructure, num_classes, parent_classes
from seqform.game.orbits import Share

NOWHERE = -1
"""The stage of a player's last action before its first one."""

Line = tuple[int, int] | None
"""A player's last action: the public node, and the position among its actions."""


def build_signal_form(structure: SignalStructure, classes: Classes | None = None) -> ZeroSumForm:
    """Return the sequence form of a signal game, or of its quotient by classes of observations.

    Raises
    ------
    ImperfectRecallError
        R9: if the classes make a player forget.
    UnsupportedGameError
        If the game is not zero-sum or has payoffs that are not exact.
    """
    classes = structure.identity if classes is None else classes
    structure.check_classes(classes)
    players = tuple(SequenceNumbering(structure, classes, player) for player in (0, 1))
    return ZeroSumForm(
        treeplexes=tuple(of.treeplex for of in players),
        payoffs=ZeroSumPayoffs(kronecker_payoff(structure, classes, players)),
        origin=SignalOrigin(structure, classes, players),
        unit=getattr(structure.game, "unit", "units"),
        largest_payoff=largest_payoff(structure),
        num_nodes=count_nodes(structure),
    )


def largest_payoff(structure: SignalStructure) -> float:
    """Return the largest absolute payoff at any end; every deal is possible."""
    most = [largest(payoffs) for payoffs in structure.payoffs]
    ends = zip(structure.public.outcome, structure.public.stake, strict=True)
    return float(max(abs(Fraction(stake)) * most[row] for row, stake in ends if row >= 0))


def count_nodes(structure: SignalStructure) -> int:
    """Return the nodes of the unabstracted game's tree."""
    return structure.public.num_nodes(structure.game.deck)


class SequenceNumbering:
    """Which number one player's sequence has, by public node, class and action.

    Lists over public nodes: `line` is the player's last own action (node, position) or None before
    the first. Arrays are over `nodes`, the player's decision nodes in the order of the treeplex:
    by `num_moves`, the own moves made before.
    The information set of class c at a node is ``first_infoset + c``. Its sequence for action a is
    ``first_sequence + num_actions * c + a``.
    """

    def __init__(self, structure: SignalStructure, classes: Classes, player: int) -> None:
        public, self.player = structure.public, player
        self.num_classes = num_classes(classes)[player]
        self.line, moves = last_moves(structure, player)
        mine = [node for node, mover in enumerate(public.player) if mover == player]
        self.nodes = np.array(sorted(mine, key=lambda node: (moves[node], node)), dtype=np.int64)
        self.stage = [structure.stage_of_node[node] for node in self.nodes]
        self.num_actions = np.array(
            [public.num_children[node] for node in self.nodes], dtype=np.int64
        )
        count = np.array([self.num_classes[stage] for stage in self.stage], dtype=np.int64)
        self.num_moves = [moves[node] for node in self.nodes]
        self.first_infoset = np.cumsum(count) - count
        self.first_sequence = 1 + np.cumsum(count * self.num_actions) - count * self.num_actions
        self.position = {int(node): i for i, node in enumerate(self.nodes)}
        self.num_infosets = int(count.sum())
        self.num_sequences = 1 + int((count * self.num_actions).sum())
        self._made_of = structure, classes, count

    def stage_of_line(self, line: Line) -> int:
        """Return the stage of the line's last action."""
        return NOWHERE if line is None else self.stage[self.position[line[0]]]

    def where(self, line: Line) -> tuple[int, int]:
        """Return first sequence and stride of a line."""
        if line is None:
            return 0, 1
        at = self.position[line[0]]
        return int(self.first_sequence[at]) + line[1], int(self.num_actions[at])

    def vectors(self, lines: Sequence[Line], stage: int) -> Lines:
        """Return where the sequences of lines whose last action is at a stage are."""
        first, stride = np.array([self.where(line) for line in lines], dtype=np.int64).T
        return Lines(first, stride, 1 if stage == NOWHERE else self.num_classes[stage])

    @cached_property
    def treeplex(self) -> Treeplex:
        """The player's treeplex, made when it is asked for."""
        structure, classes, count = self._made_of
        above = [np.zeros(0, dtype=np.int64)]
        for node, stage, size in zip(self.nodes.tolist(), self.stage, count.tolist(), strict=True):
            line = self.line[node]
            first, stride = self.where(line)
            earlier = self.stage_of_line(line)
            of = ancestor_classes(structure, classes, self.player, stage, earlier, size)
            above.append(first + stride * of)
        actions = np.repeat(self.num_actions, count)
        first_sequence = np.concatenate([[1], 1 + np.cumsum(actions)])
        return Treeplex(np.concatenate(above).astype(np.int32), first_sequence.astype(np.int32))


def sequence_maps(structure: SignalStructure, fine: Classes, coarse: Classes) -> tuple[Ints, ...]:
    """Return, for each player, the sequence under `coarse` classes of each one under `fine` ones.

    int32 (num_sequences,); fine classes lie in coarse ones.
    """
    maps = []
    for player in (0, 1):
        mine, theirs = (SequenceNumbering(structure, of, player) for of in (fine, coarse))
        images = []
        for of, into in zip(fine[player], coarse[player], strict=True):
            image = np.zeros(int(of.max()) + 1, dtype=np.int32)
            image[of] = into
            images.append(image)
        parts = [np.zeros(1, dtype=np.int32)]
        for at, stage in enumerate(mine.stage):  # both have the same public nodes in the same order
            count = mine.num_actions[at]
            first = theirs.first_sequence[at] + count * images[stage]
            parts.append((first[:, None] + np.arange(count)).ravel().astype(np.int32))
        maps.append(np.concatenate(parts))
    return tuple(maps)


def ancestor_classes(
    structure: SignalStructure, classes: Classes, player: int, stage: int, earlier: int, size: int
) -> Index:
    """Return, for each class at a stage, the class at an earlier one that it came from.

    Before the first stage there is one class, 0.
    """
    if earlier == NOWHERE:
        return np.zeros(size, dtype=np.int64)
    of: Index = np.arange(size)
    for later in range(stage, earlier, -1):
        of = parent_classes(structure, classes, player, later)[of].astype(np.int64)
    return of


def last_moves(structure: SignalStructure, player: int) -> tuple[list[Line], list[int]]:
    """Return each public node's last own action above it, and how many own actions there were."""
    public = structure.public
    line: list[Line] = [None]
    moves, siblings = [0], 0
    for node in range(1, len(public.parent)):
        above = public.parent[node]
        siblings = siblings + 1 if above == public.parent[node - 1] else 0
        own = public.player[above] == player
        line.append((above, siblings) if own else line[above])
        moves.append(moves[above] + own)
    return line, moves


class LeafGroup(NamedTuple):
    """Ends of the public tree with one outcome, at which both players acted last at some stages.

    Parameters
    ----------
    row
        The outcome.
    stages
        Of each player's last action; NOWHERE before its first one.
    lines
        Each player's last actions (node, position), or None before the first; by their sequences.
    stakes
        int64 CSR: stakes by both players' lines, in stake units.
    """

    row: int
    stages: tuple[int, int]
    lines: tuple[list[Line], list[Line]]
    stakes: sp.csr_array


def payoff_groups(
    structure: SignalStructure, players: Sequence[SequenceNumbering]
) -> tuple[list[LeafGroup], int]:
    """Return the ends at which something is at stake, in groups, and how many units a stake has.

    Raises
    ------
    UnsupportedGameError
        If the game has payoffs that are not exact, or stakes with too many digits.
    """
    public = structure.public
    groups: dict[tuple[int, int, int], list[int]] = {}
    for node, row in enumerate(public.outcome):
        if row >= 0 and public.stake[node] != 0:
            mine, theirs = (of.stage_of_line(of.line[node]) for of in players)
            groups.setdefault((row, mine, theirs), []).append(node)
    paid = [public.stake[node] for nodes in groups.values() for node in nodes]
    unit = common_denominator(paid)
    if unit is None or any(payoffs.dtype.kind not in "iu" for payoffs in structure.payoffs):
        raise UnsupportedGameError(
            "a signal game needs a tree unless stakes are int or Fraction and payoffs at stake 1 "
            "integer arrays; build its tree"
        )
    found = []
    for (row, mine, theirs), nodes in groups.items():
        lines, stakes = _stakes(structure, players, nodes, unit)
        found.append(LeafGroup(row, (mine, theirs), lines, stakes))
    return found, unit


def _stakes(
    structure: SignalStructure, players: Sequence[SequenceNumbering], nodes: list[int], unit: int
) -> tuple[tuple[list[Line], list[Line]], sp.csr_array]:
    """Return both players' lines that end at `nodes`, and `unit` times their stakes."""
    numbers, lines = [], []
    for of in players:
        distinct = sorted({of.line[node] for node in nodes}, key=of.where)
        place = {line: number for number, line in enumerate(distinct)}
        numbers.append([place[of.line[node]] for node in nodes])
        lines.append(distinct)
    units = [int(Fraction(structure.public.stake[node]) * unit) for node in nodes]
    if max(map(abs, units), default=0) >= 2**63:
        raise UnsupportedGameError(
            "stakes over their common denominator do not fit into 63 bits; build the tree"
        )
    values = np.array(units, dtype=np.int64)
    shape = (len(lines[0]), len(lines[1]))
    return (lines[0], lines[1]), sp.csr_array((values, (numbers[0], numbers[1])), shape=shape)


def kronecker_payoff(
    structure: SignalStructure, classes: Classes, players: Sequence[SequenceNumbering]
) -> KroneckerPayoff:
    """Return what both players' sequences pay; errors as for `build_signal_form`."""
    groups, unit = payoff_groups(structure, players)
    terms = []
    for row, stages, lines, stakes in groups:
        mine, theirs = (
            of.vectors(of_player, stage)
            for of, of_player, stage in zip(players, lines, stages, strict=True)
        )
        terms.append(Term((mine, theirs), stakes, pair_table(structure, classes, row, stages)))
    shape = (players[0].treeplex.num_sequences, players[1].treeplex.num_sequences)
    paying = tuple(term for term in terms if term.num_nonzeros)
    return KroneckerPayoff(shape, paying, structure.game.deck.num_ways(structure.stages[-1]) * unit)


def pair_table(
    structure: SignalStructure, classes: Classes, row: int | None, stages: Sequence[int]
) -> sp.csr_array:
    """Return what an outcome pays by both players' classes, weighted with the ways to deal them.

    The classes are those of the stages of their last actions.

    Parameters
    ----------
    row
        The outcome; without one every deal counts 1, at the later of the stages.
    stages
        A stage of each player, NOWHERE before its first action.

    Returns
    -------
    table
        int64 CSR (classes of player 0, classes of player 1), in ways to deal all signals of the
        game.
    """
    check_time("adding up payoffs")
    game, deals = structure.game, structure.deals
    at = max(stages) if row is None else structure.outcomes[row][1]
    all_ways = game.deck.num_ways(structure.stages[-1])
    share = _share(structure, classes, stages, at)
    chosen = None if share is None else share.deals
    ways = deals.ways(structure.stages[at], chosen)
    if share is not None:
        ways *= share.size
    if row is not None:
        payoffs = structure.payoffs[row]
        if largest(payoffs) * all_ways >= 2**63:
            raise UnsupportedGameError(
                "payoffs times the ways to deal them do not fit into 63 bits; use smaller "
                "integers, or build the tree"
            )
        ways = ways * (payoffs if chosen is None else payoffs[chosen]).astype(np.int64)
    ways *= all_ways // game.deck.num_ways(structure.stages[at])
    rows, columns = (
        _class_of_deal(structure, classes, player, at, stage, chosen)
        for player, stage in enumerate(stages)
    )
    counts = num_classes(classes)
    shape = tuple(
        1 if stage == NOWHERE else counts[player][stage] for player, stage in enumerate(stages)
    )
    table = sp.csr_array((ways, (rows, columns)), shape=shape)
    table.sort_indices()
    table.eliminate_zeros()
    return table


def _share(
    structure: SignalStructure, classes: Classes, stages: Sequence[int], at: int
) -> Share | None:
    """Return deals of a stage that stand for all, if classes do not tell apart what orbits hold.

    A sum over the deals is then that over these, each as often as its orbit has members.
    """
    seen = [(player, stage) for player, stage in enumerate(stages) if stage != NOWHERE]
    if not all(structure.keeps_orbits(classes, *of) for of in seen):
        return None
    return structure.share(0, at) or structure.share(1, at)


def _class_of_deal(
    structure: SignalStructure,
    classes: Classes,
    player: int,
    stage: int,
    earlier: int,
    deals: Ints | None,
) -> Ints:
    """Return a player's class at an earlier stage for some deals of a stage; 0 before the first."""
    if earlier == NOWHERE:
        every = structure.deals.count(structure.stages[stage])
        return np.zeros(every if deals is None else len(deals), dtype=np.int32)
    observed = structure.observations[player][earlier]
    if earlier != stage:
        observed = observed[structure.ancestor(stage, earlier, deals)]
    elif deals is not None:
        observed = observed[deals]
    return classes[player][earlier][observed]


class SignalOrigin(Origin):
    """A signal game and its classes of observations.

    An information set is named by what its player has seen and what was done, for one
    observation of the class: 'Ks Qh:check-bet/'.
    """

    def __init__(
        self,
        structure: SignalStructure,
        classes: Classes,
        players: tuple[SequenceNumbering, ...],
    ) -> None:
        super().__init__(signals=(structure, classes))
        self._structure, self._classes, self._players = structure, classes, players
        self._seen: dict[tuple[int, int], list[str]] = {}
        self._at: dict[int, tuple[str, tuple[Hashable, ...]]] = {}

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the signals seen by the class's first observation, and the actions."""
        at = self._position(player, infoset)
        of = self._players[player]
        seen = self._seen_by_first(player, of.stage[at])
        return f"{seen[infoset - of.first_infoset[at]]}:{self._public(int(of.nodes[at]))[0]}"

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the public actions."""
        return self._public(int(self._players[player].nodes[self._position(player, infoset)]))[1]

    @property
    def card_kinds(self) -> Mapping[str, str]:
        """The kinds that the deck has."""
        return kinds_of_cards(self._structure.game.deck)

    def _seen_by_first(self, player: int, stage: int) -> list[str]:
        """Return for each class what its first observation has seen; kept, as all names need it."""
        if (player, stage) not in self._seen:
            first = np.unique(self._classes[player][stage], return_index=True)[1]
            cards = self._structure.game.deck.cards
            signals = self._structure.signals(player, stage)[first].tolist()
            self._seen[player, stage] = [" ".join(str(cards[s]) for s in row) for row in signals]
        return self._seen[player, stage]

    def _public(self, node: int) -> tuple[str, tuple[Hashable, ...]]:
        """Return what led to a public node and what can be done there; kept likewise."""
        if node not in self._at:
            public = self._structure.public
            self._at[node] = public.history(node), public.actions(node)
        return self._at[node]

    def _position(self, player: int, infoset: int) -> int:
        """Return which of the player's public nodes an information set is at."""
        first = self._players[player].first_infoset
        return int(np.searchsorted(first, infoset, side="right")) - 1
