"""What is played: by hand, as a tree, by information set, or as a mediator recommends it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from seqform.base.errors import GameTooLargeError, InvalidParameterError, UnsupportedGameError
from seqform.base.summary import counted
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.report.betting_lines import MOST_BYTES, betting_lines
from seqform.report.game_tree import tree_record
from seqform.report.grid_of_hands import HandGrid
from seqform.report.hand_tables import HandTable, hand_tables
from seqform.report.infosets import infoset_table
from seqform.report.recommended import recommendations_by_infoset, recommended_table
from seqform.report.reported import Reported
from seqform.report.state_drawings import rules_that_draw
from seqform.report.tables import Table
from seqform.strategies.show.subject import Subject, subject_of, too_large


@dataclass(frozen=True)
class Part:
    """A section of the page.

    Parameters
    ----------
    title, words, table
        Its heading, and what stands there.
    hands
        Tables of what hands do, where these are laid out in a matrix.
    drawn, record
        What a script draws, and of which data: "hands", "lines" or "tree".
    packed
        By name what the script unpacks when it is asked for, as gzip packs it.
    left_out, command, does
        What is not on the page, and what the command does that shows it.
    """

    title: str
    words: str = ""
    table: Table | None = None
    hands: Sequence[HandTable] = ()
    drawn: str = ""
    record: Any = None
    packed: Mapping[int, bytes] = field(default_factory=dict)
    left_out: str = ""
    command: str = ""
    does: str = "lists all of a result"


def played(of: Reported, num_results: int = 1, dealt: str = "") -> list[Part]:
    """Return the sections on what is played; `num_results` of a page share its room.

    Raises
    ------
    InvalidParameterError
        If cards are to be dealt that cannot be, or the game is none of hands.
    """
    solution = of.solution
    if isinstance(solution.answer, CorrelatedAnswer):
        _check_none_dealt(of, dealt)
        return [_told(of), _recommended(of)]
    try:
        subject = _subject(of)
    except (UnsupportedGameError, GameTooLargeError) as error:
        return [Part("What is played", f"{error}.")]
    if subject.form.origin.hands is not None:
        return [_by_line(of, subject, num_results, dealt)]
    _check_none_dealt(of, dealt)
    if subject.signals is not None:
        found = [_by_hand(of, subject)]
    elif solution.concept == "subgame-perfect":
        found = []  # a pure strategy reads best as a tree
    else:
        found = [_by_infoset(of, subject)]
    if subject.form.tree is not None:
        record = tree_record(subject, subject.form.tree, rules_that_draw(of))
        found.append(Part("The tree", drawn="tree", record=record))
    return found


def _check_none_dealt(of: Reported, dealt: str) -> None:
    """Refuse cards for a game in which no hands are dealt out of ranges."""
    if dealt:
        raise InvalidParameterError(
            f"{of.name}: dealt={dealt!r} is for games of hands, such as hold'em: leave it out"
        )


def _subject(of: Reported) -> Subject:
    """Return what is shown of a result, whose tree and observations are made once.

    Raises
    ------
    UnsupportedGameError, GameTooLargeError
        As `subject_of` does.
    """
    if of.is_pure and of.on_tree is None:
        raise too_large()
    return subject_of(of.on_tree or of.solution, of.structure)


def _by_hand(of: Reported, subject: Subject) -> Part:
    record = HandGrid(subject, is_checked=bool(of.certificates)).record()
    part = Part("What is played", drawn="hands", record=record)
    return _with_left_out(part, of, record["leftOut"], "information sets of later rounds")


def _by_line(of: Reported, subject: Subject, num_results: int, dealt: str) -> Part:
    """Return the section on a game of hands, line by line of betting."""
    found = betting_lines(subject.form, subject.profile, MOST_BYTES // num_results, dealt)
    command = f"seqform show {_folder(of)} --line"
    record = {**found.record, "command": command}
    part = Part("What is played", _of_shares(subject))
    if found.packed:
        part = replace(part, drawn="lines", record=record, packed=found.packed)
    left_out = [f"boards on which anything but {dealt} is dealt"] if dealt else []
    if found.left_out:
        total = len(found.packed) + found.left_out
        left_out.append(f"{found.left_out:,} of {total:,} points of the betting")
    if found.without_hands:
        points = counted(found.without_hands, "point")
        left_out.append(f"the single hands at {points} of later streets")
    text = f"Not on this page, for its size: {' and '.join(left_out)}" if left_out else ""
    does = "shows any of them, with --by hand every hand"
    return replace(part, left_out=text, command=f"{command} LINE", does=does)


def _of_shares(subject: Subject) -> str:
    """Return what values are counted from, in words."""
    beyond, unit = subject.form.origin.beyond, subject.form.unit
    if not any(beyond):
        return ""
    each = " and ".join(dict.fromkeys(f"{float(number):.6g}" for number in beyond))
    return f"EV is a player's share of the pot: the payoff and {each} {unit}."


def _by_infoset(of: Reported, subject: Subject) -> Part:
    table, left_out = infoset_table(subject)
    part = Part("What is played", table=table, hands=_matrices(subject))
    return _with_left_out(part, of, left_out, "actions more")


def _matrices(subject: Subject) -> list[HandTable]:
    """Return what hands do where the game lays them out in a matrix."""
    form, behaviors = subject.form, subject.profile.behaviors
    if form.origin.grid is None:
        return []
    return [
        table
        for player, treeplex in enumerate(form.treeplexes)
        for table in hand_tables(form.origin, player, treeplex, behaviors[player])
        if table.is_matrix
    ]


def _with_left_out(part: Part, of: Reported, count: int, what: str) -> Part:
    """Say what is not on the page, and how to see it; nothing where nothing is left out."""
    if not count:
        return part
    command = f"seqform show {_folder(of)} --csv"
    return replace(part, left_out=f"{count:,} {what} are not on this page", command=command)


def _folder(of: Reported) -> str:
    return "DIR" if of.folder is None else shlex.quote(str(of.folder))


def _told(of: Reported) -> Part:
    table, left_out = recommendations_by_infoset(of.solution)
    words = "A mediator draws a pair of strategies and tells each player its own moves only."
    return _with_left_out(Part("What is recommended", words, table), of, left_out, "actions more")


def _recommended(of: Reported) -> Part:
    table, left_out = recommended_table(of.solution)
    words = "What one player is told says something of what the other is told."
    more = counted(left_out, "pair more is", "pairs more are")
    text = f"{more} in strategy.csv of the saved result." if left_out else ""
    return Part("What is recommended together", words, table, left_out=text)
