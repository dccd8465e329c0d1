"""The sequence-form linear program as papers and slides print it: in player 0's payoffs throughout.

With E x = e and F y = f the players' constraints and A player 0's payoffs,

    minimise e'p    subject to   E'p - A y >= 0,   -F y = -f,   y >= 0    (player 1's)
    maximise -f'q   subject to   A'x + F'q >= 0,    E x = e,    x >= 0    (player 0's)

Each is the dual of the other, and the rows of each are called as the columns of the other (Koller,
Megiddo & von Stengel, STOC 1994, eq. (8), (9); von Stengel, GEB 14, 1996, Section 5; A. Gilpin,
"Computing equilibria in extensive form games", a talk of 2005).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.base.number import check_player
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.linear.program import NamedProgram, require_room, scaled_payoffs

LETTERS = (("x", "p"), ("y", "q"))
"""Of each player: what its sequences and its information sets are called."""


@dataclass(frozen=True, eq=False)
class SlideProgram(NamedProgram):
    """The program of a player, whose lines have numbers: x1, x2, ..., as in the literature.

    Columns are the player's sequences, and free variables of the opponent's information sets. Rows
    are the opponent's sequences, and the player's information sets. Player 0's sequences are x, and
    its information sets p; those of player 1 are y and q. The first of each is the empty sequence,
    and the constraint that it is played.
    """

    @property
    def is_minimised(self) -> bool:
        """Whether it is written as a minimum, of minus the objective."""
        return self.player == 1

    @property
    def optimum(self) -> str:
        """What the optimum is, over the scale."""
        if self.player == 0:
            return "what player 0 can guarantee"
        return "the least that player 1 can hold player 0 to"

    def column_names(self) -> list[str]:
        """Return x1, x2, ... of the plan, q1, q2, ... of the opponent; y and p for player 1."""
        return self._names(self.player)

    def row_names(self) -> list[str]:
        """Return the names of the columns of the other player's program."""
        return self._names(1 - self.player)

    def _names(self, player: int) -> list[str]:
        (mine, _), (_, theirs) = LETTERS[player], LETTERS[1 - player]
        sequences = range(1, self.game.treeplexes[player].num_sequences + 1)
        infosets = range(1, self.game.treeplexes[1 - player].num_infosets + 2)
        return [*(f"{mine}{i}" for i in sequences), *(f"{theirs}{i}" for i in infosets)]

    def comments(self) -> list[str]:
        """Return the lines that stand above the program: whose it is, and what each name means."""
        return [*super().comments(), *self._whose(), *self._legend(0), *self._legend(1)]

    def _whose(self) -> Iterator[str]:
        (mine, _), (theirs, _) = LETTERS[self.player], LETTERS[1 - self.player]
        yield f"{mine} is a plan of player {self.player}, whose program this is"
        yield f"the duals of the rows {theirs} are a plan of player {1 - self.player}"

    def _legend(self, player: int) -> Iterator[str]:
        """Say which sequences and information sets a player's numbers are."""
        sequence, infoset = LETTERS[player]
        yield f"{sequence}1: the empty sequence of player {player}; {infoset}1: that it is played"
        number = 1
        for h in range(self.game.treeplexes[player].num_infosets):
            name = _on_one_line(self.game.infoset_text(player, h))
            yield f"{infoset}{h + 2}: player {player} at {name}"
            for action in self.game.action_texts(player, h):
                number += 1
                yield f"{sequence}{number}: {_on_one_line(action)} at {name}"


def _on_one_line(label: object) -> str:
    return " ".join(str(label).split())


def build_slide_lp(game: SequenceForm, player: int = 1) -> SlideProgram:
    """Return a player's program in player 0's payoffs; by default player 1's, as slides print it.

    Raises
    ------
    InvalidParameterError
        If there is no such player.
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    """
    player = check_player(player, game.num_players)
    require_room(game)
    payoff, scale = scaled_payoffs(game.zero_sum_operator().to_sparse())
    mine, theirs = game.treeplexes[player], game.treeplexes[1 - player]
    (own, right), (others, ahead) = mine.constraints(), theirs.constraints()
    sign = 1.0 if player == 0 else -1.0  # player 1's payoffs and constraints are printed negated
    pays = payoff.T if player == 0 else -payoff
    matrix = sp.block_array([[pays, others.T], [sign * own, None]], format="csc")
    equal, plan = sign * right + 0.0, np.zeros(mine.num_sequences)
    better: Floats = np.zeros(theirs.num_sequences)
    return SlideProgram(
        matrix=matrix,
        objective=np.concatenate([plan, -ahead]),
        row_lower=np.concatenate([better, equal]),
        row_upper=np.concatenate([better + np.inf, equal]),
        column_lower=np.concatenate([plan, np.full(len(ahead), -np.inf)]),
        game=game,
        player=player,
        scale=scale,
    )
