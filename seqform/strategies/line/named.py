"""A line of a game that says hand and line in each information set: what its hands do and win.

Such a game may be a tree, or be given by its outcomes. Nothing is known of it by cards: what is
shown is what an analysis of the whole game says of the information sets of the line.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.analysis import StrategyAnalysis
from seqform.strategies.analyze import analyze
from seqform.strategies.line.range_at import RangeAt

MOST_NAMED = 8
"""Lines in an error."""

ANY = "any hand"
"""How all hands of a player who does not act are called, as the line does not tell them apart."""


class NamedLine(NamedTuple):
    """Who acts at a line, what can be done, what is known of each player, and how likely it is."""

    player: int
    actions: tuple[str, ...]
    ranges: tuple[RangeAt, ...]
    reach: float


def lines_of(form: SequenceForm) -> Mapping[tuple[int, str], list[int]]:
    """Return the information sets of each player and line; empty if any has no hand and line.

    Empty, too, of a game of hands, which knows of more lines than those where somebody acts.
    """
    found: dict[tuple[int, str], list[int]] = {}
    if form.origin.hands is not None:
        return found
    for player, treeplex in enumerate(form.treeplexes):
        for infoset in range(treeplex.num_infosets):
            parts = form.infoset_parts(player, infoset)
            if parts is None:
                return {}
            found.setdefault((player, parts[1]), []).append(infoset)
    return found


class NamedLines:
    """All lines of a game whose information sets have a hand and a line.

    Parameters
    ----------
    form, profile
        The game, and what is played.
    """

    def __init__(self, form: SequenceForm, profile: Profile) -> None:
        self.form, self.lines = form, lines_of(form)
        self._analysis: StrategyAnalysis = analyze(form, profile, exact=False)

    def at(self, line: str) -> NamedLine:
        """Return what is known of a line.

        Parameters
        ----------
        line
            As the game writes it, such as ``push``; empty where the first player acts.

        Raises
        ------
        InvalidParameterError
            If nobody acts after that line, or several do; with the lines there are.
        UnsupportedGameError
            If hands may do different things there.
        """
        player = who_acts(self.form, self.lines, line)
        infosets = np.array(self.lines[player, line])
        mine = self._acting(player, infosets)
        reach = float(self._analysis.players[player].reach[infosets].sum())
        players = range(self.form.num_players)
        ranges = tuple(mine if each == player else self._other(each, mine) for each in players)
        return NamedLine(player, self._actions(player, infosets, line), ranges, reach)

    def _actions(self, player: int, infosets: Index, line: str) -> tuple[str, ...]:
        found = {self.form.origin.action_texts(player, infoset) for infoset in infosets.tolist()}
        if len(found) > 1:
            raise UnsupportedGameError(
                f"after {line!r} {self.form.player_text(player)} may do different things with "
                "different hands: show with infoset=TEXT chooses information sets"
            )
        return found.pop()

    def _acting(self, player: int, infosets: Index) -> RangeAt:
        """Return what the player who acts may hold."""
        of, first = self._analysis.players[player], self.form.treeplexes[player].first_sequence
        sequences = first[infosets][:, None] + np.arange(
            first[infosets[0] + 1] - first[infosets[0]]
        )
        joint = of.reach[infosets]
        total = float(joint.sum())
        parts = [self.form.infoset_parts(player, infoset) for infoset in infosets.tolist()]
        unknown = np.full(len(infosets), np.nan)
        return RangeAt(
            player=player,
            cards=np.zeros((len(infosets), 0), dtype=np.int16),
            names=tuple(part[0] for part in parts if part is not None),
            weights=of.own_reach[infosets],
            opponent=unknown,
            shares=joint / total if total > 0 else unknown,
            values=of.values[infosets],
            equity=unknown,
            probabilities=of.probability[sequences],
            action_values=of.action_values[sequences],
            is_reached=of.is_reached[infosets],
        )

    def _other(self, player: int, acting: RangeAt) -> RangeAt:
        """Return what is known of who does not act: of two players what both get is a constant."""
        total, nan = self.form.constant_sum, np.full(1, np.nan)
        is_known = total is not None and self.form.num_players == 2
        value = float(total or 0) - acting.value if is_known else float("nan")
        return RangeAt(
            player=player,
            cards=np.zeros((1, 0), dtype=np.int16),
            names=(ANY,),
            weights=nan,
            opponent=nan,
            shares=np.ones(1),
            values=np.full(1, value),
            equity=nan,
            probabilities=None,
            action_values=None,
            is_reached=np.array([bool(acting.is_reached.any())]),
        )


def who_acts(form: SequenceForm, lines: Mapping[tuple[int, str], list[int]], line: str) -> int:
    """Return the player who acts after a line, one of `lines_of`.

    Raises
    ------
    InvalidParameterError
        If nobody does, or several do; with the lines there are.
    """
    acting = [player for player, seen in lines if seen == line]
    if len(acting) == 1:
        return acting[0]
    if acting:
        both = " and ".join(map(form.player_text, acting))
        raise InvalidParameterError(
            f"line {line!r}: {both} act after it, and a line is of one player"
        )
    known = list(dict.fromkeys(seen for _, seen in lines))
    near = get_close_matches(line, known, n=1, cutoff=0.5)
    meant = f"did you mean {near[0]!r}? " if near else ""
    named = ", ".join(map(repr, known[:MOST_NAMED]))
    more = ", ..." if len(known) > MOST_NAMED else ""
    raise InvalidParameterError(
        f"line {line!r}: nobody acts after it; {meant}lines are {named}{more}"
    )
