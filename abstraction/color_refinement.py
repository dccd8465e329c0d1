"""Color refinement of a sequence form: lossless merging of information sets in any game.

Information sets of a player start with the color "number of actions". Colors are then split until
nothing splits any more, by the color of the sequence that leads to an information set, and by what
its sequences meet. For each of them, by position, these are two things: the sums of payoffs against
every combination of the other players' colors, and the number of information sets of each color
that follow. The color of a sequence is that of its information set, with its position.

Against opponents who play alike in all information sets of one color, all members of a color face
the same payoffs. So some best response plays alike in them too, and an equilibrium of the quotient
is one of the game, for n players and general sums. The proof is in docs/explanation/gameshrink.md.

References
----------
Grohe, Kersting, Mladenov & Selman, "Dimension reduction via colour refinement", ESA 2014, Section 4
(linear programs).
"""

from __future__ import annotations

import numpy as np

from abstraction.equal_rows import combine, equal_rows, table_of
from seqform.base.arrays import Index, Ints, Numbers
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.results.reduction import SequenceMap


def refine_colors(form: SequenceForm) -> tuple[SequenceForm, SequenceMap]:
    """Return the quotient by the coarsest stable coloring, and the way back."""
    colors = refine(form)
    return quotient(form, colors), SequenceMap(form, sequence_colors(form, colors))


def refine(form: SequenceForm) -> tuple[Ints, ...]:
    """Return the coarsest stable coloring of the information sets.

    Returns
    -------
    colors
        For each player, the color of each information set, int32 (num_infosets,). Colors are
        numbered without gaps by first appearance, so parents come before children.
    """
    payoffs = [_Payoffs(form, player) for player in range(form.num_players)]
    colors = tuple(combine(treeplex.num_actions) for treeplex in form.treeplexes)
    while True:
        sequences = sequence_colors(form, colors)
        refined = tuple(
            _refine(
                treeplex, colors[player], sequences[player], payoffs[player].signature(sequences)
            )
            for player, treeplex in enumerate(form.treeplexes)
        )
        if all(_count(new) == _count(old) for new, old in zip(refined, colors, strict=True)):
            return colors
        colors = refined


def sequence_colors(form: SequenceForm, colors: tuple[Ints, ...]) -> tuple[Ints, ...]:
    """Return the color of each sequence, which is its number in the quotient.

    Returns
    -------
    colors
        For each player, int32 (num_sequences,).
    """
    found = []
    for treeplex, color in zip(form.treeplexes, colors, strict=True):
        first = _first_sequence(treeplex, color)
        there = np.repeat(first[color], treeplex.num_actions) + _positions(treeplex)
        found.append(np.concatenate([[0], there]).astype(np.int32))
    return tuple(found)


def quotient(form: SequenceForm, colors: tuple[Ints, ...]) -> SequenceForm:
    """Return the game in which all information sets of one color are one; payoffs are added up."""
    sequences = sequence_colors(form, colors)
    members = tuple(np.unique(color, return_index=True)[1] for color in colors)
    treeplexes = tuple(
        _merge_infosets(*of) for of in zip(form.treeplexes, colors, sequences, members, strict=True)
    )
    return form.quotient(treeplexes, sequences, members)


def _merge_infosets(treeplex: Treeplex, color: Ints, sequence: Ints, member: Index) -> Treeplex:
    """Return the treeplex of the colors, of which `member` holds the first information sets."""
    first = _first_sequence(treeplex, color)
    end = 1 if not len(member) else first[-1] + treeplex.num_actions[member[-1]]
    parents = sequence[treeplex.parent_sequence[member]]
    return Treeplex(parents, np.append(first, end).astype(np.int32))


def _positions(treeplex: Treeplex) -> Index:
    """Return the position of each sequence but the empty one in its information set."""
    first = np.repeat(treeplex.first_sequence[:-1], treeplex.num_actions)
    return np.arange(1, treeplex.num_sequences) - first


class _Payoffs:
    """What one player's sequences are paid, by the sequences that all others have."""

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.player, self.num_sequences = player, form.treeplexes[player].num_sequences
        self.values: Numbers | None = None  # integers that may be added up
        self.sequences, values = form.payoffs.entries(player)
        largest = float(np.abs(values).max(initial=0))
        if values.dtype == np.int64 and largest * len(values) < 2**62:
            self.values = values
        # floats and huge integers are counted by value instead: equal counts have equal sums
        if self.values is None:
            self.kinds = np.unique(values, return_inverse=True)[1]

    def signature(self, colors: tuple[Ints, ...]) -> Ints:
        """Return numbers of the player's sequences, int32 (num_sequences,).

        Two have one number if they are paid the same against each combination of others' colors.
        """
        others = [
            colors[other][column]
            for other, column in enumerate(self.sequences)
            if other != self.player
        ]
        alone = np.zeros(len(self.sequences[0]), dtype=np.int64)
        key = others[0] if len(others) == 1 else combine(*others, alone)
        values = self.values
        if values is None:
            key, values = combine(key, self.kinds), np.ones(len(key), dtype=np.int64)
        shape = (self.num_sequences, int(key.max(initial=0)) + 1)
        return equal_rows(table_of(self.sequences[self.player], key, values, shape))


def _refine(treeplex: Treeplex, colors: Ints, sequence_color: Ints, paid: Ints) -> Ints:
    """Return finer colors of a player's information sets."""
    if not treeplex.num_infosets:
        return colors
    ones = np.ones(treeplex.num_infosets, dtype=np.int64)
    after = equal_rows(
        table_of(treeplex.parent_sequence, colors, ones, (treeplex.num_sequences, _count(colors)))
    )
    sequence = combine(paid, after)[1:].astype(np.int64) + 1
    shape = (treeplex.num_infosets, int(treeplex.num_actions.max()))
    own = equal_rows(table_of(treeplex.infoset_of[1:], _positions(treeplex), sequence, shape))
    return combine(colors, sequence_color[treeplex.parent_sequence], own)


def _count(colors: Ints) -> int:
    return int(colors.max(initial=-1)) + 1


def _first_sequence(treeplex: Treeplex, color: Ints) -> Index:
    """Return the first sequence of each color in the quotient."""
    actions = np.zeros(_count(color), dtype=np.int64)
    actions[color] = treeplex.num_actions
    return 1 + np.cumsum(actions) - actions
