"""What a mediator recommends as tables: a line for each action of each information set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, ClassVar

from seqform.strategies.recommended import Recommendations, recommendations
from seqform.strategies.show.table_text import Column, Table, probability_text

if TYPE_CHECKING:
    from seqform.concepts.correlated import CorrelatedAnswer
    from seqform.form.sequence_form import SequenceForm
    from seqform.results.solution import Solution

HEADS = ("infoset", "reach", "action", "recommended")

NOTE = "(what a mediator recommends, given that the information set is reached)"


@dataclass(frozen=True, eq=False)
class ShownRecommendations:
    """A correlated answer that is shown, in place of a `Subject`.

    Parameters
    ----------
    form
        The game.
    answer
        Of that game.
    """

    form: SequenceForm
    answer: CorrelatedAnswer

    signals: ClassVar[None] = None
    note: ClassVar[str] = NOTE

    @cached_property
    def analysis(self) -> Recommendations:
        """What each player is told."""
        return recommendations(self.form, self.answer.plan)


def recommendations_in(solution: Solution) -> ShownRecommendations | None:
    """Return what a solution recommends; None if it is no correlated answer."""
    if solution.profile is not None:
        return None
    from seqform.concepts.correlated import CorrelatedAnswer  # not for every equilibrium

    answer = solution.answer
    return (
        ShownRecommendations(solution.game, answer)
        if isinstance(answer, CorrelatedAnswer)
        else None
    )


def recommendations_table(
    told: ShownRecommendations, player: int, infosets: Iterable[int]
) -> Table:
    """Return a table of what a player is told in some information sets."""
    columns = tuple(Column(head, is_number=head == "recommended") for head in HEADS)
    rows = (row for infoset in infosets for row in _rows(told, player, infoset))
    return Table(told.form.player_text(player), columns, tuple(rows))


def _rows(told: ShownRecommendations, player: int, infoset: int) -> Iterator[tuple[str, ...]]:
    form, of = told.form, told.analysis.players[player]
    first, is_reached = int(form.treeplexes[player].first_sequence[infoset]), of.is_reached[infoset]
    reach = f"{of.reach[infoset]:.3g}" if is_reached else "never"
    about = (form.infoset_text(player, infoset), reach)
    for sequence, action in enumerate(form.action_texts(player, infoset), first):
        number = float(of.probability[sequence])
        text = "nothing" if isnan(number) else probability_text(number, bool(is_reached))
        yield (*about, action, text)
        about = ("", "")
