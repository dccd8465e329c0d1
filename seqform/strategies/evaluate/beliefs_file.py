"""Beliefs from a table: a line for each node of an information set that is believed in.

::

    player,infoset,node,probability
    1,Q:bet,J > Q > bet,1/3
    1,Q:bet,K > Q > bet,2/3

A node is named by the moves that lead to it. Nodes that are left out have probability 0.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from seqform.base.csv_table import cells_under, read_rows
from seqform.base.errors import InvalidStrategyError
from seqform.form.names import Names, player_number
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.exactly import as_fraction
from seqform.strategies.given_rows import probability

COLUMNS = ("player", "infoset", "node", "probability")


def read_beliefs(
    path: Path | str, form: SequenceForm
) -> dict[tuple[int, Hashable], dict[str, Any]]:
    """Return what a table says, as `check_sequential_equilibrium` takes it.

    Raises
    ------
    ResultFileError
        If the file is missing, or no such table.
    InvalidStrategyError
        If it names a player or an information set that the game does not have, or a node twice; or
        a probability is none.
    """
    path, names = Path(path), [Names(form, player) for player in range(form.num_players)]
    found: dict[tuple[int, Hashable], dict[str, Any]] = {}
    expected = f"beliefs have {','.join(COLUMNS)}"
    for where, (player, infoset, node, said) in cells_under(
        path, read_rows(path), COLUMNS, expected
    ):
        try:
            number = player_number(player, form.num_players, form.player_names)
            label = form.infoset_label(number, names[number].infoset(infoset))
            of = found.setdefault((number, label), {})
            if node in of:
                raise InvalidStrategyError(f"the node {node!r} is given twice")
            exact = as_fraction(said)
            of[node] = probability(said) if exact is None else exact
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{where}{error}") from None
    return found
