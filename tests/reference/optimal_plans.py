"""All vertices of the optimal plans of a small zero-sum game, by trying all sets of tight rows."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from seqform.form.sequence_form import SequenceForm
from tests.reference.exact_values import Fractions, gaussian_elimination, matrix_value
from tests.reference.pure_plans import pays, pure_plans


def optimal_plans(form: SequenceForm, player: int) -> list[Fractions]:
    """Return optimal plans of which all others are mixtures; each is one of a matrix game."""
    pure = [pure_plans(form, 0), pure_plans(form, 1)]
    matrix = [[pays(form, [x, y], player) for y in pure[1]] for x in pure[0]]
    if player == 1:
        matrix = [list(column) for column in zip(*matrix, strict=True)]
    found = optimal_strategies(matrix)
    size = form.treeplexes[player].num_sequences
    return [
        [
            sum((w * plan[s] for w, plan in zip(mix, pure[player], strict=True)), Fraction(0))
            for s in range(size)
        ]
        for mix in found
    ]


def optimal_strategies(matrix: list[Fractions]) -> list[Fractions]:
    """Return the vertices of the row player's optimal strategies."""
    value, size = matrix_value(matrix), len(matrix)
    rows = [([Fraction(i == j) for j in range(size)], Fraction(0)) for i in range(size)]
    rows += [(list(column), value) for column in zip(*matrix, strict=True)]
    found = []
    for tight in combinations(rows, size - 1):
        system = [[Fraction(1)] * size, *(row for row, _ in tight)]
        strategy = gaussian_elimination(system, [Fraction(1), *(right for _, right in tight)])
        if strategy is not None and all(
            sum(a * b for a, b in zip(row, strategy, strict=True)) >= right for row, right in rows
        ):
            found.append(strategy)
    return found
