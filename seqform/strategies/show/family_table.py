"""All equilibria of a zero-sum game as a table: how far each probability goes."""

from __future__ import annotations

from seqform.solvers.linear.equilibrium_family import SHOWN, Family
from seqform.strategies.show.table_text import Column, Table


def family_tables(family: Family) -> tuple[Table, ...]:
    """Return a table of the first actions whose probability varies; none where there are none."""
    varying = [found for found in family.ranges if not found.is_fixed]
    rows = tuple(
        (
            family.game.player_text(found.player),
            " at ".join(reversed(family.names(found))),
            str(found.least),
            str(found.greatest),
        )
        for found in varying[:SHOWN]
    )
    left = len(varying) - len(rows)
    more = f", and {left:,} more" if left else ""
    columns = (Column("", "", False), Column("", "", False), Column("least"), Column("most"))
    title = f"what varies over all equilibria{more}"
    return (Table(title, columns, rows),) if rows else ()
