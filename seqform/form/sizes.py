"""Sizes: what a game in sequence form counts, its linear program among it, by counting alone.

The linear program is that of eq. (8), (9) of Koller, Megiddo & von Stengel (STOC 1994) with nothing
left out and nothing added, whatever program a solver is given in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from seqform.game import needs

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm

SOLVER_BYTES_PER_NONZERO, SOLVER_BYTES_PER_LINE = 150, 600
"""For each nonzero, and for each row and column, whose factors fill in. Fitted to the peak memory
of whole processes (benchmarks/results/memory.md)."""

COUNTED = ("rows", "columns", "nonzeros")
"""What is counted of a linear program."""

LP_SIZES = tuple(f"lp_{name}" for name in COUNTED)
"""The names of these counts for the program of a game."""

GAME_SIZES = ("nodes", "infosets", "sequences", *LP_SIZES)
"""What `sizes` counts."""

ABSTRACT_SIZES = ("infosets", "sequences", *LP_SIZES)
"""What of this is told of the smaller game, where one was solved."""

SOLVER_SIZES = tuple(f"solver_{name}" for name in COUNTED)
"""Their names for the program that a solver was given: folded, sparsified, or the game's own."""


class LPSize(NamedTuple):
    """Rows, columns and nonzeros of a linear program; the last are nnz(A) + nnz(E) + nnz(F)."""

    rows: int
    columns: int
    nonzeros: int

    @property
    def solver_bytes(self) -> int:
        """About what solving it takes."""
        lines = self.rows + self.columns
        return SOLVER_BYTES_PER_NONZERO * self.nonzeros + SOLVER_BYTES_PER_LINE * lines

    @property
    def of_game(self) -> dict[str, int]:
        """The counts by the names of a game's program."""
        return dict(zip(LP_SIZES, self, strict=True))

    @property
    def of_solver(self) -> dict[str, int]:
        """The counts by the names of a program that a solver is given."""
        return dict(zip(SOLVER_SIZES, self, strict=True))


def lp_size(infosets: Sequence[int], sequences: Sequence[int], payoff_nonzeros: int) -> LPSize:
    """Return the size of a program by counting.

    `infosets` and `sequences` are those of its player, then those of the opponent.
    """
    return LPSize(
        rows=1 + infosets[0] + sequences[1],
        columns=sequences[0] + 1 + infosets[1],
        nonzeros=payoff_nonzeros + sum(infosets) + sum(sequences),
    )


def counted_lp_size(counts: Mapping[str, Any]) -> LPSize:
    """Return the size of player 0's program for the counts of a signal game."""
    return lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )


def form_lp_size(game: SequenceForm, player: int = 0) -> LPSize:
    """Return the size of a player's program without making it.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    """
    payoffs = game.zero_sum_operator().num_nonzeros
    treeplexes = (game.treeplexes[player], game.treeplexes[1 - player])
    return lp_size(
        [t.num_infosets for t in treeplexes], [t.num_sequences for t in treeplexes], payoffs
    )


def sizes(form: SequenceForm) -> dict[str, int]:
    """Return the counts that describe a game; sequences and infosets are totals over players.

    Those of the linear program are there where the game has one: for two players, of constant sum,
    and with no information sets that have to play alike.
    """
    found = {
        "nodes": form.num_nodes,
        "infosets": sum(t.num_infosets for t in form.treeplexes),
        "sequences": sum(t.num_sequences for t in form.treeplexes),
    }
    has_program = needs.is_zero_sum(form) and not form.merged
    return found | (form_lp_size(form).of_game if has_program else {})


def problem_sizes(counts: Mapping[str, int]) -> dict[str, int]:
    """Return those of a solution's counts that are of the problem solved, and not of the game."""
    return {name: count for name, count in counts.items() if name not in GAME_SIZES}


def as_solver_sizes(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts with those of a program under the names for what a solver was given.

    Up to version 2 of results these were called ``lp_rows``, ``lp_columns`` and ``lp_nonzeros``,
    and methods of other packages may call them so.
    """
    names = dict(zip(LP_SIZES, SOLVER_SIZES, strict=True))
    return {names.get(name, name): count for name, count in counts.items()}
