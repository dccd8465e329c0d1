"""Strategies of games that say what the hand is in an information set: hands down, lines across.

A table is of one player. Lines of betting that no hand has in common stand in different tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seqform.strategies.show.by_hand import START, WIDEST
from seqform.strategies.show.subject import Subject
from seqform.strategies.show.table_text import Column, Table, amount_text, probability_text


def has_parts(subject: Subject, player: int, infosets: Sequence[int]) -> bool:
    """Return whether the game says of each of some information sets what the hand is."""
    return all(subject.form.infoset_parts(player, infoset) for infoset in infosets)


def part_tables(
    subject: Subject, player: int, infosets: Sequence[int], values: bool = False
) -> Iterator[Table]:
    """Yield the tables of some of a player's information sets, all of which have two parts."""
    lines: dict[str, dict[str, int]] = {}
    for infoset in infosets:
        hand, line = subject.form.infoset_parts(player, infoset) or ("", "")
        lines.setdefault(line, {})[hand] = infoset
    for group in _groups(lines, subject, player, values):
        hands = list(dict.fromkeys(hand for line in group for hand in lines[line]))
        columns, rows = [Column("", "", False)], {hand: [hand] for hand in hands}
        for line in group:
            heads = _heads(subject, player, next(iter(lines[line].values())), values)
            columns += [Column(head, line or START) for head in heads]
            for hand in hands:
                there = lines[line].get(hand)
                empty = [""] * len(heads)
                rows[hand] += empty if there is None else _cells(subject, player, there, values)
        title = subject.form.player_text(player)
        yield Table(title, tuple(columns), tuple(map(tuple, rows.values())))


def _groups(
    lines: dict[str, dict[str, int]], subject: Subject, player: int, values: bool
) -> Iterator[list[str]]:
    """Yield the lines of each table: they share hands, and are not too wide together."""
    left = list(lines)
    while left:
        group: list[str] = []
        hands, width = set(lines[left[0]]), 0
        for line in left:
            infoset = next(iter(lines[line].values()))
            more = len(_heads(subject, player, infoset, values))
            if hands & set(lines[line]) and (not group or width + more <= WIDEST):
                group.append(line)
                hands |= set(lines[line])
                width += more
        left = [line for line in left if line not in group]
        yield group


def _heads(subject: Subject, player: int, infoset: int, values: bool) -> list[str]:
    return [*subject.form.action_texts(player, infoset), *(["value"] if values else [])]


def _cells(subject: Subject, player: int, infoset: int, values: bool) -> list[str]:
    of, form = subject.analysis.players[player], subject.form
    first, end = form.treeplexes[player].first_sequence[infoset : infoset + 2].tolist()
    reached = bool(of.is_reached[infoset])
    texts = [probability_text(p, reached) for p in of.probability[first:end].tolist()]
    return texts + ([amount_text(float(of.values[infoset]), form.payoff_scale)] if values else [])
