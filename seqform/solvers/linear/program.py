"""The sequence-form linear program of a two-player zero-sum game, free of any solver.

With E x = e and F y = f the players' constraints and A player 0's payoffs, player 0's best
guarantee is

    maximise f'q   subject to   E x = e,   A'x - F'q >= 0,   x >= 0

and the duals of the second block of rows are an optimal y (Koller, Megiddo & von Stengel, STOC
1994, eq. (8), (9); von Stengel, GEB 14, 1996, Section 5). Player 1's program is the same with -A'
for A and the players exchanged.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from math import ceil, floor, log2
from typing import ClassVar, Protocol

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Ints
from seqform.base.errors import InvalidParameterError
from seqform.base.integer_matrix import filled, rows_of
from seqform.base.memory import require_memory
from seqform.base.number import check_player
from seqform.base.summary import counted
from seqform.exact.basis import Basis
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import LPSize, form_lp_size
from seqform.form.sparse_payoff import SparsePayoff
from seqform.solvers.linear.line_names import infoset_names, sequence_names

BYTES_PER_NONZERO = 64
"""What the largest arrays take while a program is assembled."""

LARGEST_ENTRY = 1e7
"""Payoff entries are scaled below this where their smallest stays above 1 then, else around 1."""


class LPStatus(Enum):
    """What a solver says of its own answer."""

    OPTIMAL = "optimal"
    UNPROVEN = "a point that the solver does not vouch for"
    LIMIT = "limit"
    FAILED = "failed"


@dataclass(frozen=True, eq=False)
class LPSolution:
    """What a solver returns.

    Parameters
    ----------
    status
        What it says of its own answer.
    primal, duals
        float64 (num_columns,) and (num_rows,), or None where it has none.
    message
        Its own words.
    engine
        The solver and what of it ran, such as ``highs/simplex``: part of the label of results.
    iterations
        Of the engine.
    basis
        The optimal basis, if it leaves one.
    """

    status: LPStatus
    primal: Floats | None
    duals: Floats | None
    message: str
    engine: str
    iterations: int = 0
    basis: Basis | None = None


def stalled(iterations: int) -> str:
    """Return the message of a solver whose own limit of iterations was hit."""
    return f"stalled: still not within its tolerance after {counted(iterations, 'iteration')}"


@dataclass(frozen=True, eq=False)
class Program:
    """Maximise ``objective @ z`` under lower and upper bounds, whatever z may mean.

    The bounds are ``row_lower <= matrix @ z <= row_upper`` and ``z >= column_lower``.
    """

    matrix: sp.csc_array
    objective: Floats
    row_lower: Floats
    row_upper: Floats
    column_lower: Floats

    def with_row(self, row: Floats, lower: float, upper: float) -> Program:
        """Return the program with one more row, float64 (num_columns,), and its bounds."""
        matrix = sp.vstack([self.matrix, sp.csr_array(row[None])], format="csc")
        bounds = np.append(self.row_lower, lower), np.append(self.row_upper, upper)
        return Program(matrix, self.objective, *bounds, self.column_lower)

    @property
    def num_rows(self) -> int:
        """Rows of the matrix."""
        return int(self.matrix.shape[0])

    @property
    def num_columns(self) -> int:
        """Columns of the matrix."""
        return int(self.matrix.shape[1])

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries of the matrix."""
        return int(self.matrix.nnz)

    @property
    def size(self) -> LPSize:
        """Rows, columns and nonzeros."""
        return LPSize(self.num_rows, self.num_columns, self.num_nonzeros)


@dataclass(frozen=True, eq=False)
class NamedProgram(Program, ABC):
    """A program of a player of a two-player zero-sum game, which can be written to a file.

    Payoffs were multiplied by `scale`, and so was the optimum.
    """

    game: SequenceForm
    player: int
    scale: float

    @property
    def is_minimised(self) -> bool:
        """Whether it is written as a minimum, of minus the objective."""
        return False

    @property
    def optimum(self) -> str:
        """What the optimum is, over the scale."""
        return f"what player {self.player} can guarantee"

    @abstractmethod
    def column_names(self) -> list[str]:
        """Return the names of columns."""

    @abstractmethod
    def row_names(self) -> list[str]:
        """Return the names of rows."""

    def comments(self) -> list[str]:
        """Return the lines that stand above the program in a file."""
        return [f"scale = {self.scale!r}: the optimum is that many times {self.optimum}"]


@dataclass(frozen=True, eq=False)
class LinearProgram(NamedProgram):
    """The program of a player of a two-player zero-sum game.

    Without auxiliary variables it has nnz(A) + nnz(E) + nnz(F) nonzeros.

    Columns are the player's plan x of `num_plan` entries, then auxiliary variables u if there are
    any, then `num_free` free q, one per row of the opponent's constraints. Rows are E, then the
    definitions of the u, then one per sequence of the opponent. Payoffs, in size at most the game's
    `largest_payoff`, were multiplied by `scale`, so the value of the game for `player` is the
    optimum divided by `scale`.
    """

    suits_engines: ClassVar[float] = 2.0**14
    """The largest payoff of a game in the unit in which engines come closest; a few powers of two
    off cost digits (docs/explanation/sparsified-program.md)."""

    num_equalities: int
    num_plan: int
    num_free: int
    largest_payoff: float

    @property
    def num_auxiliary(self) -> int:
        """How many columns are auxiliary variables u."""
        return self.num_columns - self.num_plan - self.num_free

    @property
    def is_plain(self) -> bool:
        """Whether columns and rows are the game's own sequences and information sets, all of them.

        Only then a basis leads on to an equilibrium in fractions.
        """
        return self.num_auxiliary == 0

    def plans(self, solution: LPSolution) -> tuple[Floats, Floats]:
        """Return the plans of player 0 and player 1, as the solver returned them.

        Both are float64 (num_sequences,); they may violate constraints by the solver's tolerance.

        Raises
        ------
        InvalidParameterError
            If the solver returned no point.
        """
        if solution.primal is None or solution.duals is None:
            raise InvalidParameterError("the solver returned no point, so there are no plans")
        mine = solution.primal[: self.num_plan]
        theirs = np.abs(solution.duals[self.num_equalities :])
        return (mine, theirs) if self.player == 0 else (theirs, mine)

    def column_names(self) -> list[str]:
        """Return x_l for the plan's sequence l, q_h for the opponent's information set h."""
        letters = ("x", "q") if self.player == 0 else ("y", "p")
        return [
            *sequence_names(self.game, self.player, letters[0]),
            *(f"u_{i}" for i in range(self.num_auxiliary)),
            *infoset_names(self.game, 1 - self.player, letters[1]),
        ]

    def row_names(self) -> list[str]:
        """Return E_h for the plan's information set h, best_c for the opponent's sequence c."""
        return [
            *infoset_names(self.game, self.player, "E" if self.player == 0 else "F"),
            *(f"sum_{i}" for i in range(self.num_auxiliary)),
            *sequence_names(self.game, 1 - self.player, "best"),
        ]


def require_room(game: SequenceForm) -> None:
    """Refuse a program that does not fit into memory.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    GameTooLargeError
        If it does not fit.
    """
    nonzeros = form_lp_size(game).nonzeros
    require_memory(
        BYTES_PER_NONZERO * nonzeros,
        f"a linear program with {nonzeros:,} nonzeros",
        "use a coarser abstraction or a smaller game",
    )


def build_lp(game: SequenceForm, player: int = 0) -> LinearProgram:
    """Return the program whose optimum is what `player` can guarantee.

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
    if player == 1:
        payoff = (-payoff).T.tocsr()
    return program_from_parts(game, player, payoff, sp.csr_array((payoff.shape[0], 0)), scale)


class Choices(Protocol):
    """What a player chooses among: a treeplex, or what is left of one."""

    @property
    def num_infosets(self) -> int:
        """Information sets."""

    @property
    def num_sequences(self) -> int:
        """Sequences, the empty one included."""

    def constraint_entries(
        self, by_row: bool = True
    ) -> tuple[Ints | Index, Ints | Index, Ints | Index]:
        """Return rows, columns and values of E; see `Treeplex.constraint_entries`."""


def program_from_parts(
    game: SequenceForm,
    player: int,
    payoff: sp.csr_array,
    definitions: sp.csr_array,
    scale: float,
    choices: tuple[Choices, Choices] | None = None,
) -> LinearProgram:
    """Return the program of payoffs and of the definitions of auxiliary variables.

    Rows of both are the player's sequences, then the auxiliary variables; columns of `payoff` are
    the opponent's sequences, those of `definitions` one equation each. These are sequences of
    `choices`, the player's and the opponent's, by default those of the game.
    """
    mine, theirs = choices or (game.treeplexes[player], game.treeplexes[1 - player])
    num_auxiliary, num_free = definitions.shape[1], 1 + theirs.num_infosets
    num_equalities = 1 + mine.num_infosets + num_auxiliary
    shape = (num_equalities + theirs.num_sequences, payoff.shape[0] + num_free)
    equal, zeros = np.zeros(num_equalities), np.zeros(theirs.num_sequences)
    objective = np.zeros(shape[1])
    equal[0] = objective[payoff.shape[0]] = 1.0
    return LinearProgram(
        game=game,
        player=player,
        matrix=_matrix(mine, theirs, payoff, definitions, shape),
        objective=objective,
        row_lower=np.concatenate([equal, zeros]),
        row_upper=np.concatenate([equal, zeros + np.inf]),
        column_lower=np.concatenate(
            [np.zeros(mine.num_sequences), np.full(num_auxiliary + num_free, -np.inf)]
        ),
        num_equalities=num_equalities,
        num_plan=mine.num_sequences,
        num_free=num_free,
        largest_payoff=float(game.largest_payoff),
        scale=scale,
    )


def _matrix(
    mine: Choices,
    theirs: Choices,
    payoff: sp.csr_array,
    definitions: sp.csr_array,
    shape: tuple[int, int],
) -> sp.csc_array:
    """Return the matrix of a program.

    Entries come in such an order that those of a column are in the order of their rows, and that
    a stable sort by columns merges a few sorted parts.
    """
    first = 1 + mine.num_infosets  # the first row after E
    best = first + definitions.shape[1]
    own, others = mine.constraint_entries(by_row=False), theirs.constraint_entries()
    rows = np.concatenate(
        [own[0], first + definitions.indices, best + payoff.indices, best + others[1]]
    )
    columns = np.concatenate(
        [own[1], rows_of(definitions), rows_of(payoff), payoff.shape[0] + others[0]]
    )
    values = np.concatenate([own[2], definitions.data, payoff.data, -others[2]], dtype=np.float64)
    order = columns.argsort(kind="stable")
    starts = np.zeros(shape[1] + 1, dtype=np.int32)
    np.cumsum(np.bincount(columns, minlength=shape[1]), out=starts[1:])
    return sp.csc_array((values[order], rows[order], starts), shape=shape)


def scaled_payoffs(payoff: SparsePayoff) -> tuple[sp.csr_array, float]:
    """Return A times a scale at which no solver drops entries, and the scale.

    Solvers drop tiny entries (HiGHS below 1e-9), so A is multiplied by its common denominator: then
    it is integer. Beyond that only powers of two are used, which round nothing.
    """
    matrix, scale = payoff.to_csr(), 1.0
    if payoff.numerators is not None and payoff.denominator < 2**1000:
        integers = payoff.numerators
        if len(integers) and max(abs(int(integers.max())), abs(int(integers.min()))) < 2**1000:
            matrix = filled(matrix, integers.astype(np.float64))
            scale = float(payoff.denominator)
    # exact entries below 1e-308 vanish as floats, and are worth nothing in the game's unit
    if not matrix.data.all():
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    if not matrix.nnz:
        return matrix, scale
    power = entry_scale(float(np.abs(matrix.data).min()), float(np.abs(matrix.data).max()))
    return (matrix, scale) if power == 1 else (matrix * power, scale * power)


def entry_scale(smallest: float, largest: float) -> float:
    """Return the power of two that brings entries of such magnitudes to where solvers keep them."""
    if smallest >= 1 and largest <= LARGEST_ENTRY:
        return 1.0
    narrow = largest / smallest <= LARGEST_ENTRY / 2
    power = ceil(-log2(smallest)) if narrow else -floor((log2(smallest) + log2(largest)) / 2)
    return float(2.0**power)
