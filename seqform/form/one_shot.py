"""one_shot: a table of payoffs as a sequence form, in which every player chooses once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import prod
from operator import mul

import numpy as np

from seqform.base.number import Number
from seqform.form.origin import Origin
from seqform.form.payoff import Payoffs, ZeroSumPayoffs
from seqform.form.payoff_table import PayoffTable
from seqform.form.payoff_tensor import tensor_of
from seqform.form.sequence_form import SequenceForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.tree.from_arrays import INFOSET, simultaneous_tree
from seqform.tree.tree import GameTree

LARGEST_TREE = 200_000
"""Combinations of strategies up to which a table has a tree as well, for methods that need one."""


class OneShotOrigin(Origin):
    """A table: each player's only information set is called 'strategy'.

    Parameters
    ----------
    names
        For each player the names of the strategies.
    tree
        In which all choose in turn, seeing nothing; None of a large table.
    players
        The names of the players; empty if they have none.
    """

    def __init__(
        self,
        names: Sequence[Sequence[str]],
        tree: GameTree | None,
        players: tuple[str, ...] = (),
    ) -> None:
        numbers = () if tree is None else tuple(np.array([p]) for p in range(len(names)))
        super().__init__(tree, numbers)
        self.names, self._players = tuple(tuple(of) for of in names), players

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of the players."""
        return self._players

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return what every player decides on."""
        return INFOSET

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the names of the player's strategies."""
        return self.names[player]


def one_shot(
    form: SequenceForm, tables: Sequence[PayoffTable], names: Sequence[Sequence[str]]
) -> SequenceForm:
    """Return the game in which all players choose from a table at once.

    Parameters
    ----------
    form
        The game that the table is of: of two players and constant sum if there is one table.
    tables
        What combinations pay, for each player.
    names
        For each player the names of the strategies.
    """
    counts = tables[0].numbers.shape
    choices = (np.array([1, 1 + count], dtype=np.int32) for count in counts)
    return replace(
        form,
        treeplexes=tuple(Treeplex(np.zeros(1, dtype=np.int32), ends) for ends in choices),
        payoffs=_payoffs(form.payoffs, tables),
        origin=OneShotOrigin(names, _tree(form, tables, names), form.player_names),
        num_nodes=1 + sum(accumulate(counts, mul)),
    )


def _tree(
    form: SequenceForm, tables: Sequence[PayoffTable], names: Sequence[Sequence[str]]
) -> GameTree | None:
    """Return the tree of a table, with fractions where its numbers are exact."""
    if prod(map(len, names)) > LARGEST_TREE:
        return None
    columns = [_numbers(table) for table in tables]
    if len(columns) < len(names):
        constant = form.constant_sum or 0
        columns.append([constant - number for number in columns[0]])
    return simultaneous_tree(list(zip(*columns, strict=True)), names, form.unit)


def _numbers(table: PayoffTable) -> list[Number]:
    """Return the entries of a table, the last player's strategy changing first."""
    numbers = table.numbers.reshape(-1).tolist()
    if table.denominator is None:
        return numbers
    known = {number: Fraction(int(number), table.denominator) for number in set(numbers)}
    return [known[number] for number in numbers]


def _payoffs(payoffs: Payoffs, tables: Sequence[PayoffTable]) -> Payoffs:
    """Return the tables as payoffs of the kind that the game's are."""
    counts = tables[0].numbers.shape
    sequences = np.indices(counts, dtype=np.int32).reshape(len(counts), -1) + 1
    numbers = [table.numbers.reshape(-1) for table in tables]
    errors = [table.errors for table in tables]
    if isinstance(payoffs, ZeroSumPayoffs):
        rows, columns = sequences
        bounds = None if errors[0] is None else errors[0].reshape(-1)
        shape = (counts[0] + 1, counts[1] + 1)
        operator = SparsePayoff.from_sorted(
            rows, columns, numbers[0], tables[0].denominator, shape, bounds
        )
        return replace(payoffs, operator=operator)
    flat = [np.zeros(len(numbers[0])) if of is None else of.reshape(-1) for of in errors]
    return tensor_of(
        np.ascontiguousarray(sequences.T),
        numbers,
        [table.is_exact for table in tables],
        tuple(table.denominator or 1 for table in tables),
        payoffs.constant_sum,
        None if all(table.is_exact for table in tables) else np.array(flat).T,
    )
