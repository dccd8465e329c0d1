"""How a game of hands is played at the beginning, as short answers show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from seqform.form.hand_policies import policies_of
from seqform.game.rules import CHANCE
from seqform.strategies.line.at_line import Around, AtLine
from seqform.strategies.line.grouped import grouped, title
from seqform.strategies.line.where import where
from seqform.strategies.show.table_text import Table

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm

MOST_ROWS = 14
"""Rows of a table beside that of all hands."""

FEW = 12
"""Hands up to which tables are by hand."""


def first_lines(form: SequenceForm, profile: Profile) -> tuple[AtLine, ...]:
    """Return where the game begins, and where play goes on from there most often.

    The second is missing where nobody acts there before a card is dealt.
    """
    policies = policies_of(form, profile)
    betting = policies.structure.game.betting
    if betting.player[0] < 0:
        return ()
    around = Around(form, policies, where(policies.structure, ""))
    after = around.most_played(0)
    if betting.player[after] < 0:
        return (around.view(0),)
    return around.view(0, [after]), around.view(after)


def first_tables(lines: Sequence[AtLine]) -> Iterator[Table]:
    """Yield tables of some nodes, of a few rows each."""
    for at in lines:
        is_few = len(at.acting.names) <= FEW or len(at.groups) == 1
        shown = grouped(at, "hand" if is_few else at.groups[1])
        first, *rest = shown.made(MOST_ROWS, is_brief=True)
        yield first._replace(title=title(at))
        yield from rest


def next_line(at: AtLine) -> str:
    """Return the line that play goes on to most often from a node and at which somebody acts.

    Where a card is dealt it is the first one. If nobody acts any more it is the node's own.
    """
    structure = cast("HandStructure", at.form.origin.hands)  # such lines are of games of hands
    game, betting = structure.game, structure.game.betting
    node, often = where(structure, at.line).node, np.array([*at.frequencies.values()])
    free = [card for card in structure.cards.tolist() if card not in at.board.tolist()]
    children = list(betting.children(node))
    for place in np.argsort(-often, kind="stable").tolist():
        text, child, cards = f"{at.line}-{at.actions[place]}", children[place], iter(free)
        while betting.player[child] == CHANCE:
            text, child = f"{text}/{game.deck[next(cards)]}", int(betting.first_child[child])
        if betting.player[child] >= 0:
            return text.removeprefix("-")
    return at.line
