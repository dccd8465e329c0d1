"""Games of two players made of sets with two actions each, in copies that look alike.

In random trees hardly any sets are alike. Here a few sets stand in several copies. Each payment
joins the copies of a set of one player with those of a set of the other, straight or crosswise. So
which actions correspond is told by circles of sets only, once some order is fixed.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex

Copies = list[list[int]]
"""The first sequence of each copy of each set."""


def matched_game(seed: int) -> ZeroSumForm:
    """Return a game, which is no tree's, of at most 5 copies of 4 sets a player."""
    rng = np.random.default_rng(seed)
    most = int(rng.integers(1, 6))
    (first, mine), (second, theirs) = (_copied_sets(rng, most) for _ in range(2))
    matrix = np.zeros((first.num_sequences, second.num_sequences))
    for _ in range(int(rng.integers(1, 2 + 2 * max(len(mine), len(theirs))))):
        _match(rng, matrix, mine[rng.integers(len(mine))], theirs[rng.integers(len(theirs))])
    payoffs = ZeroSumPayoffs(SparsePayoff(sp.csr_array(matrix)))
    return ZeroSumForm((first, second), payoffs, None, "points", 1.0, 0)  # type: ignore[arg-type]


def _copied_sets(rng: np.random.Generator, most: int) -> tuple[Treeplex, Copies]:
    """Return sets after one another or side by side, each of which follows no set or one."""
    parents: list[int] = []
    copies: Copies = []
    for _ in range(int(rng.integers(1, 5))):
        above = int(rng.integers(-1, len(copies)))
        action = int(rng.integers(2))
        if above < 0:
            before = [0] * (most if rng.random() < 0.7 else 1)
        else:
            before = [sequence + action for sequence in copies[above]]
        copies.append([1 + 2 * (len(parents) + copy) for copy in range(len(before))])
        parents += before
    first = 1 + 2 * np.arange(len(parents) + 1, dtype=np.int32)
    return Treeplex(np.array(parents, dtype=np.int32), first), copies


def _match(
    rng: np.random.Generator, matrix: np.ndarray, mine: list[int], theirs: list[int]
) -> None:
    """Pay copies of two sets for both actions, and another amount for one of each."""
    same = rng.choice([-1, 1, 2])
    other = rng.choice([same, same, -same, 0])
    crossed = rng.random() < 0.7
    order = rng.permutation(5) if rng.random() < 0.7 else np.arange(5)
    for copy in range(max(len(mine), len(theirs))):
        a, b = mine[copy % len(mine)], theirs[order[copy] % len(theirs)]
        swap = int(crossed and rng.random() < 0.5)
        for action in range(2):
            matrix[a + action, b + (action ^ swap)] += same
            matrix[a + action, b + (1 - action ^ swap)] += other
