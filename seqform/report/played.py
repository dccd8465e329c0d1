"""What is played: by hand, as a tree, by information set, or as a mediator recommends it."""

from __future__ import annotations

import shlex

from seqform.base.errors import GameTooLargeError, UnsupportedGameError
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.report.game_tree import tree_record
from seqform.report.hands import HandGrid
from seqform.report.infosets import infoset_table
from seqform.report.markup import Markup, data, element, html, join, section
from seqform.report.recommended import recommended_table
from seqform.report.reported import Reported
from seqform.strategies.look.subject import Subject, subject_of, too_large


def played(of: Reported, name: str) -> list[Markup]:
    """Return the sections on what is played; `name` begins the names of their data."""
    solution = of.solution
    if isinstance(solution.answer, CorrelatedAnswer):
        return [_recommended(of)]
    try:
        subject = _subject(of)
    except (UnsupportedGameError, GameTooLargeError) as error:
        return [section("What is played", element("p", f"{error}."))]
    if subject.signals is not None:
        found = [_by_hand(of, subject, name)]
    elif solution.concept == "subgame-perfect":
        found = []  # a pure strategy reads best as a tree
    else:
        found = [_by_infoset(of, subject)]
    return [*found, _tree(subject, name)] if subject.form.tree is not None else found


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


def _by_hand(of: Reported, subject: Subject, name: str) -> Markup:
    record = HandGrid(subject, is_checked=bool(of.certificates)).record()
    return section(
        "What is played",
        element("div", class_="hands", data_hands=f"{name}-hands", data_drawn=True),
        _left_out(of, record["leftOut"], "information sets of later rounds"),
        data(f"{name}-hands", record),
    )


def _by_infoset(of: Reported, subject: Subject) -> Markup:
    table, left_out = infoset_table(subject)
    return section("What is played", table, _left_out(of, left_out, "actions more"))


def _left_out(of: Reported, count: int, what: str) -> Markup:
    """Say what is not on the page, and how to see it; nothing where nothing is left out."""
    if not count:
        return html("")
    folder = "DIR" if of.folder is None else str(of.folder)
    command = element("code", f"seqform show {shlex.quote(folder)} --csv")
    words = join([f"{count:,} {what} are not on this page: ", command, " lists all of a result."])
    return element("p", words, class_="note")


def _tree(subject: Subject, name: str) -> Markup:
    assert subject.form.tree is not None
    record = tree_record(subject, subject.form.tree)
    return section(
        "The tree",
        element("div", class_="tree", data_tree=f"{name}-tree", data_drawn=True),
        data(f"{name}-tree", record),
    )


def _recommended(of: Reported) -> Markup:
    table, left_out = recommended_table(of.solution)
    words = "A mediator draws a pair of strategies and tells each player its own moves only."
    more = f"{left_out:,} pairs more are in strategy.csv of the saved result."
    note = element("p", more, class_="note") if left_out else html("")
    return section("What is recommended", element("p", words), table, note)
