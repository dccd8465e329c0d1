"""What notebooks show of answers: what is known, and what is played where that is short."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice

from seqform.base.number import fraction_text
from seqform.base.summary import counted, summary_table
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.exact.extreme_equilibria import SHOWN, Equilibria
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.results.solution import Solution
from seqform.strategies.analysis import StrategyAnalysis
from seqform.strategies.recommended import last_moves, recommended_together
from seqform.strategies.show.brief import brief
from seqform.strategies.show.show import show
from seqform.strategies.show.subject import subject_of
from seqform.strategies.show.table_html import table_html
from seqform.strategies.show.table_text import Column, Table

MOST_ROWS = 60
"""Rows of a table that notebooks show."""

NUMBERS = ("probability", "reach", "action_value", "action_regret")
"""What is shown of each action of an analysis; `to_frame` has all."""


def solution_html(solution: Solution) -> str:
    """Return a solution's worth, certainty and time, and what is played or how that begins."""
    found = brief(solution)
    summary = summary_table(type(solution).__name__, found.rows)
    notes = "".join(f"<p>{escape(note)}</p>" for note in found.notes)
    if isinstance(solution.answer, CorrelatedAnswer):
        return summary + _recommended(solution.answer, solution.game) + notes
    return summary + _matrix(solution) + table_html(found.tables) + notes


def _matrix(solution: Solution) -> str:
    """Return what hands do, as matrices; nothing of games that lay their hands out in none."""
    if solution.profile is None:
        return ""
    subject = subject_of(solution)
    if subject.form.origin.grid is None:
        return ""
    from seqform.report.hand_matrices import matrices

    return "".join(matrices(subject.form, subject.profile))


def profile_html(profile: Profile) -> str:
    """Return the first rows of each player's strategy.

    Raises
    ------
    SeqformError
        If the profile has no names, or cannot be shown.
    """
    shown = show(profile, rows=MOST_ROWS)
    return shown._repr_html_() + _left(shown.left_out)


def analysis_html(analysis: StrategyAnalysis) -> str:
    """Return probability, reach, value and regret of each player's first actions."""
    heads = "infoset", "action", *NUMBERS
    columns = tuple(Column(name.replace("_", " "), is_number=name in NUMBERS) for name in heads)
    tables, left = [], 0
    for player in range(analysis.form.num_players):
        rows = analysis.rows(player, as_text=True)
        first = [
            tuple(f"{row[name]:.4g}" if name in NUMBERS else str(row[name]) for name in heads)
            for row in islice(rows, MOST_ROWS)
        ]
        left += sum(1 for _ in rows)
        tables.append(Table(analysis.form.player_text(player), columns, tuple(first)))
    return table_html(tables) + _left(left)


def equilibria_html(equilibria: Equilibria) -> str:
    """Return the first extreme equilibria: what each pays, and what both play."""
    columns = (Column("paid"), *(Column(f"player {player}", is_number=False) for player in (0, 1)))
    rows = tuple(
        (", ".join(map(str, each.values)), *map(_in_words, equilibria.strategies(each)))
        for each in equilibria.found[:SHOWN]
    )
    (_, title), *_ = equilibria.rows()
    left = len(equilibria) - len(rows)
    return table_html([Table(f"extreme equilibria: {title}", columns, rows)]) + _left(left)


def recommended_html(answer: CorrelatedAnswer) -> str:
    """Return how likely moves are recommended together, by the numbers of sets and actions."""
    return _recommended(answer, None)


def _recommended(answer: CorrelatedAnswer, game: SequenceForm | None) -> str:
    names = [
        _numbered(treeplex) if game is None else last_moves(game, player)
        for player, treeplex in enumerate(answer.plan.pairs.treeplexes)
    ]
    pairs, left = recommended_together(answer.plan, MOST_ROWS)
    rows = tuple(
        (*names[0][mine], *names[1][theirs], fraction_text(weight))
        for mine, theirs, weight in pairs
    )
    words = ("player 0 in", "is told", "player 1 in", "is told")
    columns = (*(Column(word, is_number=False) for word in words), Column("together"))
    title = "how likely these moves are recommended together"
    return table_html([Table(title, columns, rows)]) + _left(left)


def _numbered(treeplex: Treeplex) -> list[tuple[str, str]]:
    def moves() -> Iterator[tuple[str, str]]:
        for infoset, count in enumerate(treeplex.num_actions.tolist()):
            for action in range(count):
                yield f"infoset {infoset}", f"action {action}"

    return [("", ""), *moves()]


def _in_words(strategy: list[dict[str, str]]) -> str:
    """Return what is played where the player's own moves lead: sure moves without a number."""
    return "; ".join(
        f"{row['infoset']}: {row['action']}"
        + ("" if row["probability"] == "1" else f" {row['probability']}")
        for row in strategy
    )


def _left(count: int) -> str:
    return f"<p>{counted(count, 'row')} more</p>" if count > 0 else ""
