"""Weights up to which a coloring is equitable, or the reason why it is not.

Members of a color are alike if what each is paid against every color of the other player, and the
weight of members of each color that follow, are its weight times the same vector. So the weight is
the greatest common divisor of these integers, up to a factor for the color, and 0 where nothing is
paid. Colors are gone through from the last to the first, since what follows has to have its
weights. An observation's weight is the ways in which it comes about. The theorem is in
docs/explanation/checkable-quotients.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import gcd

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Index, Ints
from seqform.base.errors import UnsupportedGameError, VerificationError
from seqform.exact.products import integer_matrix
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game.observations import Classes, SignalStructure

NOT_EQUITABLE = (
    "the coloring of player {}'s {} is not equitable: what is merged is not worth the same, so the "
    "smaller game proves nothing of the game; use a reduction that loses nothing"
)

Vector = dict[tuple[int, int], int]
"""Amounts by position of an action and color; the other player's colors are counted from 0 on, own
ones down from -1."""


def infoset_weights(
    game: SequenceForm, images: Sequence[Ints], smaller: Sequence[Treeplex]
) -> list[list[int]]:
    """Return, for each player, the weight of each information set of a game.

    Parameters
    ----------
    images
        For each player int32 (num_sequences,): the smaller game's sequence for each of the game's.
    smaller
        The smaller game's treeplexes.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    VerificationError
        If the coloring is not equitable up to weights.
    """
    matrix, _ = integer_matrix(game.zero_sum_operator())
    places = matrix.pattern.tocoo()
    entries = list(
        zip(places.row.tolist(), places.col.tolist(), matrix.entries.tolist(), strict=True)
    )
    sides = entries, [(column, row, entry) for row, column, entry in entries]
    return [
        _of_player(player, game.treeplexes[player], smaller[player], images, sides[player])
        for player in (0, 1)
    ]


def _of_player(
    player: int,
    whole: Treeplex,
    small: Treeplex,
    images: Sequence[Ints],
    entries: list[tuple[int, int, int]],
) -> list[int]:
    mine, theirs = images[player].tolist(), images[1 - player].tolist()
    infoset, parents = whole.infoset_of.tolist(), whole.parent_sequence.tolist()
    vectors: list[Vector] = [defaultdict(int) for _ in parents]
    for sequence, other, entry in entries:
        if sequence:
            vectors[infoset[sequence]][mine[sequence], theirs[other]] += entry
    members: list[list[int]] = [[] for _ in range(small.num_infosets)]
    for h, first in enumerate(whole.first_sequence[:-1].tolist()):
        members[int(small.infoset_of[mine[first]])].append(h)
    weights = [1] * len(parents)
    for color in range(small.num_infosets - 1, -1, -1):
        of_members = _multiples([vectors[h] for h in members[color]])
        if of_members is None:
            raise VerificationError(NOT_EQUITABLE.format(player, "information sets"))
        for h, weight in zip(members[color], of_members, strict=True):
            weights[h] = weight
            if parents[h]:
                vectors[infoset[parents[h]]][mine[parents[h]], -1 - color] += weight
    return weights


def _multiples(vectors: list[Vector]) -> list[int] | None:
    """Return numbers without a common divisor that vectors are times one vector, if there are."""
    weights = [gcd(*vector.values()) for vector in vectors]
    common = gcd(*weights) or 1
    weights = [weight // common for weight in weights]
    shared = [
        {place: entry // weight for place, entry in vector.items() if entry}
        for vector, weight in zip(vectors, weights, strict=True)
        if weight
    ]
    return weights if all(vector == shared[0] for vector in shared) else None


def class_weights(structure: SignalStructure, classes: Classes) -> list[list[Index]]:
    """Return, for each player and stage, the weight of each observation, int64.

    Raises
    ------
    UnsupportedGameError
        If payoffs times the ways to deal them do not fit into 63 bits.
    VerificationError
        If the classes are not equitable up to these weights.
    """
    stages = range(structure.num_stages)
    weights = [
        [_shares(structure.ways(player, stage), classes[player][stage]) for stage in stages]
        for player in (0, 1)
    ]
    for player in (0, 1):
        for stage, (of, mine) in enumerate(zip(classes[player], weights[player], strict=True)):
            tables = [
                _paid(structure, classes, player, row)
                for row, (_, at) in enumerate(structure.outcomes)
                if at == stage
            ]
            if stage + 1 < structure.num_stages:
                tables.append(_followers(structure, classes, player, stage, weights[player]))
            if not all(_are_multiples(table, of, mine) for table in tables):
                raise VerificationError(NOT_EQUITABLE.format(player, "observations"))
    return weights


def _shares(ways: Index, classes: Ints) -> Index:
    """Return numbers divided by the greatest common divisor of those of the class."""
    common = np.zeros(int(classes.max()) + 1, dtype=np.int64)
    np.gcd.at(common, classes, ways)
    return ways // common[classes]


def _paid(structure: SignalStructure, classes: Classes, player: int, row: int) -> sp.csr_array:
    """Return what each observation is paid at an outcome against each class, in ways to deal."""
    stage, payoffs = structure.outcomes[row][1], structure.payoffs[row]
    ways = structure.deals.ways(structure.stages[stage])
    largest = max(int(payoffs.max(initial=0)), -int(payoffs.min(initial=0)))
    if largest * structure.game.deck.num_ways(structure.stages[stage]) >= 2**63:
        raise UnsupportedGameError(
            "payoffs times the ways to deal them do not fit into 63 bits; build the tree"
        )
    mine = structure.observations[player][stage]
    theirs = classes[1 - player][stage][structure.observations[1 - player][stage]]
    shape = (structure.num_observations(player, stage), int(theirs.max()) + 1)
    return sp.csr_array((ways * payoffs.astype(np.int64), (mine, theirs)), shape=shape)


def _followers(
    structure: SignalStructure, classes: Classes, player: int, stage: int, weights: list[Index]
) -> sp.csr_array:
    """Return the weight of each class's members that follow each observation.

    Weights are at most as many as the ways to deal, which fit into 63 bits.
    """
    of, following = classes[player][stage + 1], weights[stage + 1]
    shape = (structure.num_observations(player, stage), int(of.max()) + 1)
    return sp.csr_array((following, (structure.earlier(player, stage + 1), of)), shape=shape)


def _are_multiples(table: sp.csr_array, classes: Ints, weights: Index) -> bool:
    """Return whether rows are their weights times one row for each class.

    The weights of a class have no common divisor, so that row is of integers.
    """
    of_entry = np.repeat(weights, np.diff(table.indptr))
    if (table.data % of_entry).any():
        return False
    table.data //= of_entry
    first = np.unique(classes, return_index=True)[1]
    return not (table - table[first[classes]]).count_nonzero()
