"""Strategies in brief: a row for information sets that are played alike, a column for each action.

Information sets with the same actions share a table. Those that play never comes to are in
brackets, as in all tables. Those with one action are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby

from seqform.form.sequence_form import SequenceForm
from seqform.strategies.show.by_parts import has_parts, part_tables
from seqform.strategies.show.subject import Subject
from seqform.strategies.show.table_text import Column, Table, probability_text

NAMED = 40
"""Letters of the names of a row's information sets or hands; of more, the first ones and how many
are left."""

MOST_COLUMNS, MOST_TABLES = 8, 3
"""Actions that have a column each, and tables of a player; of more, what is played is listed."""


def play_tables(subject: Subject, player: int, infosets: Iterable[int]) -> tuple[Table, ...]:
    """Return what a player does in some information sets, in tables."""
    form = subject.form
    every = list(infosets)
    if every and has_parts(subject, player, every):
        return tuple(map(alike, part_tables(subject, player, every)))
    choices = [infoset for infoset in every if len(form.actions(player, infoset)) > 1]
    groups = [
        (actions, list(of))
        for actions, of in groupby(choices or every, key=lambda each: _actions(form, player, each))
    ]
    if len(groups) > MOST_TABLES or any(len(actions) > MOST_COLUMNS for actions, _ in groups):
        return (_list(subject, player, [infoset for _, of in groups for infoset in of]),)
    return tuple(_together(_grid(subject, player, actions, of) for actions, of in groups))


def _actions(form: SequenceForm, player: int, infoset: int) -> tuple[str, ...]:
    return form.action_texts(player, infoset)


def _grid(subject: Subject, player: int, actions: tuple[str, ...], infosets: list[int]) -> Table:
    """Return a table of information sets with the same actions, a column for each."""
    rows = [
        (subject.form.infoset_text(player, infoset), *_cells(subject, player, infoset))
        for infoset in infosets
    ]
    heads = (Column("", "", False), *map(Column, actions))
    return alike(Table(subject.form.player_text(player), heads, tuple(rows)))


def _list(subject: Subject, player: int, infosets: list[int]) -> Table:
    """Return a table of information sets with the actions that are played there."""
    form, rows = subject.form, []
    for infoset in infosets:
        played = _played(_actions(form, player, infoset), _cells(subject, player, infoset))
        rows.append((form.infoset_text(player, infoset), ", ".join(played)))
    heads = Column("", "", False), Column("", "", False)
    return alike(Table(subject.form.player_text(player), heads, tuple(rows)))


def _cells(subject: Subject, player: int, infoset: int) -> tuple[str, ...]:
    """Return the probabilities of the actions."""
    of, treeplex = subject.played.players[player], subject.form.treeplexes[player]
    here = slice(*treeplex.first_sequence[infoset : infoset + 2].tolist())
    reached = bool(of.is_reached[infoset])
    return tuple(probability_text(p, reached) for p in of.probability[here].tolist())


def _played(actions: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    """Yield the actions that are played, with their probabilities unless they are sure."""
    for action, text in zip(actions, texts, strict=True):
        if text == "1":
            yield action
        elif text == "(1)":
            yield f"({action})"
        elif text not in ("0", "(0)"):
            yield f"{action} {text}"


def alike(table: Table) -> Table:
    """Return a table with one row for those that differ in their names only.

    Examples
    --------
    >>> columns = Column("", "", False), Column("check"), Column("bet")
    >>> rows = ("J", "1", "0"), ("Q", "1", "0"), ("K", "0", "1")
    >>> alike(Table("player 0", columns, rows)).rows
    (('J, Q', '1', '0'), ('K', '0', '1'))
    """
    names: dict[tuple[str, ...], list[str]] = {}
    for name, *texts in table.rows:
        names.setdefault(tuple(texts), []).append(name)
    rows = tuple((_named(of), *texts) for texts, of in names.items())
    return table._replace(rows=rows)


def _named(names: Sequence[str]) -> str:
    ends = accumulate(len(name) + 2 for name in names)
    fit = max(1, sum(end - 2 <= NAMED for end in ends))
    between = "; " if any("," in name for name in names) else ", "
    shown, left = between.join(names[:fit]), len(names) - fit
    return f"{shown} and {left:,} more" if left else shown


def _together(tables: Iterable[Table]) -> Iterator[Table]:
    """Yield tables of which only the first of some with the same title has it."""
    last = ""
    for table in tables:
        yield table if table.title != last else table._replace(title="")
        last = table.title
