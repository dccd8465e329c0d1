"""The sequences that a strategy kept by boards up to symmetry is a strategy of, numbered.

A player's information sets are ordered by own moves made before, then by public node, then by the
orbit of the board, then by the hand, whether or not it meets the board. The sequences of one stand
side by side. So at a node they are a table (num_orbits, num_hands, num_actions).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Numbers
from seqform.base.memory import require_memory
from seqform.form.hand_lines import NO_LINE
from seqform.form.hand_tables import normalized
from seqform.form.protocol import Parts
from seqform.form.treeplex import Treeplex

if TYPE_CHECKING:
    from seqform.form.hand_passage import HandBlock
    from seqform.form.hand_strategy import HandStrategy

BYTES_PER_SEQUENCE = 60
"""Of a treeplex, and plans in integers and their limbs: as in `seqform.form.whole_form`."""


class Table(NamedTuple):
    """Where the sequences of a public node are."""

    first: int
    shape: tuple[int, int, int]
    """(num_orbits, num_hands, num_actions)."""

    @property
    def end(self) -> int:
        """Where those of the next node begin."""
        orbits, hands, actions = self.shape
        return self.first + orbits * hands * actions

    def of(self, vector: Numbers) -> Numbers:
        """Return the part of a vector as a table, which is written to the vector."""
        return vector[self.first : self.end].reshape(self.shape)


class KeptSequences:
    """The numbers of one player's sequences.

    Parameters
    ----------
    strategy
        By whose boards.
    player
        Whose.
    """

    def __init__(self, strategy: HandStrategy, player: int) -> None:
        self._strategy, self._player = strategy, player
        self._betting = strategy.structure.game.betting
        self._line = self._betting.last_own(player)
        self._tables: dict[int, Table] = {}
        first = 1
        for node in self._in_order():
            orbits, actions, hands = strategy.behaviors[player][node].shape
            self._tables[node] = Table(first, (orbits, hands, actions))
            first = self._tables[node].end
        self.num_sequences = first

    def _in_order(self) -> list[int]:
        """Return the player's nodes by own moves before, then by number."""
        moves: dict[int, int] = {NO_LINE: 0}
        for node in self._strategy.behaviors[self._player]:
            before = moves[int(self._line[node])]
            moves |= dict.fromkeys(self._betting.children(node), before + 1)
        nodes = self._strategy.behaviors[self._player]
        return sorted(nodes, key=lambda node: (moves[int(self._line[node])], node))

    def _at(self, line: int) -> tuple[int, int]:
        """Return the node and the place of the action of a line."""
        node = int(self._betting.parent[line])
        return node, line - int(self._betting.first_child[node])

    @cached_property
    def treeplex(self) -> Treeplex:
        """The player's treeplex.

        Raises
        ------
        GameTooLargeError
            If it does not fit into memory.
        """
        require_memory(
            BYTES_PER_SEQUENCE * self.num_sequences,
            f"plans in integers with {self.num_sequences:,} sequences of player {self._player}",
            "rely on the certificate, which bounds rounding errors and goes board by board",
        )
        above, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for node, table in self._tables.items():
            orbits, hands, actions = table.shape
            above.append(self._above(node, table))
            counts.append(np.full(orbits * hands, actions))
        first = np.concatenate([[1], 1 + np.cumsum(np.concatenate(counts))])
        return Treeplex(np.concatenate(above).astype(np.int32), first.astype(np.int32))

    def _above(self, node: int, table: Table) -> Index:
        """Return the sequence that leads to each information set of a node."""
        orbits, hands, _ = table.shape
        line = int(self._line[node])
        if line == NO_LINE:
            return np.zeros(orbits * hands, dtype=np.int64)
        before, action = self._at(line)
        orbit = self._orbits_before(int(self._betting.dealt[node]), before)
        earlier = self._tables[before]
        place = orbit[:, None] * hands + np.arange(hands)
        found: Index = (earlier.first + place * earlier.shape[2] + action).ravel()
        return found

    def _orbits_before(self, dealt: int, node: int) -> Index:
        """Return the orbit that the board of each orbit had at an earlier node."""
        structure = self._strategy.structure
        boards = structure.orbits[dealt].first.astype(np.int64)
        for count in range(dealt, int(self._betting.dealt[node]), -1):
            boards //= len(structure.cards) - count + 1
        of: Index = structure.orbits[self._betting.dealt[node]].orbit[boards].astype(np.int64)
        return of

    def behavior(self) -> Floats:
        """Return the behaviour strategy, float64 (num_sequences,)."""
        found = np.ones(self.num_sequences)
        for node, table in self._tables.items():
            made = self._strategy.behaviors[self._player][node].astype(np.float64)
            dead = ~self._strategy.alive[self._player][int(self._betting.dealt[node])]
            made[:, 0][dead] = 1.0  # any action does, and none is looked at
            table.of(found)[:] = normalized(made, axis=1).transpose(0, 2, 1)
        return found

    def tables(self, vector: Floats) -> dict[int, Floats]:
        """Return a behaviour strategy of the game, each board for itself, as tables of nodes.

        `HandStrategy` takes them; 0 for hands that meet the board.
        """
        kept = np.zeros(self.num_sequences)
        kept[self.images()] = vector
        return self.as_tables(kept)

    def as_tables(self, vector: Floats) -> dict[int, Floats]:
        """Return a behaviour strategy over these sequences as `HandStrategy` takes it."""
        return {node: table.of(vector).transpose(0, 2, 1) for node, table in self._tables.items()}

    def images(self) -> Index:
        """Return for each sequence of the game, as `HandNumbering` has them, the one of these.

        int64 (num_sequences of the game,).
        """
        found = [np.zeros(1, dtype=np.int64)]
        for node in sorted(self._tables):
            table, dealt = self._tables[node], int(self._betting.dealt[node])
            _, hands, actions = table.shape
            for orbit, held in self._came_from(dealt):
                place = table.first + (orbit * hands + held) * actions
                found.append((place[:, None] + np.arange(actions)).ravel())
        return np.concatenate(found)

    def _came_from(self, dealt: int) -> Iterator[tuple[int, Index]]:
        """Yield for each board its orbit, and which hand on the first board each hand is there.

        Hands that meet the board are left out.
        """
        structure, player = self._strategy.structure, self._player
        orbits, avoids = structure.orbits[dealt], structure.avoids(player, dealt)
        back = [np.argsort(symmetry.hands[player]) for symmetry in structure.symmetries]
        both = zip(orbits.orbit.tolist(), orbits.symmetry.tolist(), strict=True)
        for board, (orbit, symmetry) in enumerate(both):
            yield orbit, back[symmetry][avoids[board]]

    def laid_out(self, vectors: Sequence[Exact]) -> LaidOut:
        """Return vectors, to be asked on boards."""
        return LaidOut(self, vectors)

    def rows(self, block: HandBlock, vector: Numbers) -> Numbers:
        """Return a vector on a board: (num_rows, num_hands)."""
        street, alive = block.streets[self._player], block.alive[self._player]
        found = np.empty((street.num_rows, len(alive)), dtype=vector.dtype)
        for line, row in street.row.items():
            if line == NO_LINE:
                found[row] = vector[0]
                continue
            node, action = self._at(line)
            orbit = _before(block, int(self._betting.dealt[node])).orbit
            found[row] = self._tables[node].of(vector)[orbit, alive, action]
        return found

    def gathered(self, block: HandBlock, rows: Numbers) -> Floats:
        """Return a vector on a board by these sequences, all boards like it added up."""
        total = np.zeros(self.num_sequences)
        here: HandBlock | None = block
        while here is not None:
            street, alive = here.streets[self._player], here.alive[self._player]
            for line, row in street.row.items():
                if line == NO_LINE:
                    total[0] += float(rows[row].sum()) if here.is_last else 0.0
                elif row >= street.num_open:
                    node, action = self._at(line)
                    place = here.orbit, alive, action
                    self._tables[node].of(total)[place] += here.times * rows[row]
            rows, here = self._before(here, rows), here.parent
        return total

    def _before(self, block: HandBlock, rows: Numbers) -> Numbers:
        """Return what lines that were ended before have, on the board before."""
        parent, street = block.parent, block.streets[self._player]
        if parent is None:
            return rows
        shape = parent.streets[self._player].num_rows, len(parent.alive[self._player])
        found = np.zeros(shape, dtype=rows.dtype)
        for places in block.images:
            found[np.ix_(street.up, places[self._player])] += rows[: street.num_open]
        return found


def _before(block: HandBlock, dealt: int) -> HandBlock:
    """Return the board of the first cards of a block's."""
    while block.parent is not None and block.dealt > dealt:
        block = block.parent
    return block


class LaidOut(NamedTuple):
    """Vectors over the sequences of a player."""

    sequences: KeptSequences
    vectors: Sequence[Exact]

    def on(self, block: HandBlock) -> list[Parts]:
        """Return each on a board."""
        return [{0: self.sequences.rows(block, vector)} for vector in self.vectors]


class WholePlans(Sequence[Any]):
    """Plans by these sequences as plans of the whole game, made when one is asked for."""

    def __init__(
        self, sequences: tuple[KeptSequences, KeptSequences], plans: tuple[Exact, ...]
    ) -> None:
        self._sequences, self._plans = sequences, plans

    @cached_property
    def _made(self) -> tuple[Exact, ...]:
        pairs = zip(self._sequences, self._plans, strict=True)
        return tuple(plan[of.images()] for of, plan in pairs)

    def __len__(self) -> int:
        return len(self._plans)

    def __getitem__(self, player: Any) -> Any:
        return self._made[player]
