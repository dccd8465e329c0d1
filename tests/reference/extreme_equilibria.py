"""All extreme equilibria of a tiny two-player game, by trying all sets of tight rows."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from seqform import TreeBuilder
from seqform.base.whole_folder import checksum
from seqform.form.sequence_form import SequenceForm
from seqform.tree.tree import GameTree
from tests.reference.exact_values import Fractions, gaussian_elimination
from tests.reference.pure_plans import pays, pure_plans

Pairs = set[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]


def extreme_equilibria(form: SequenceForm) -> Pairs:
    """Return the pairs of extreme plans of which nobody gains by deviating."""
    pure = [pure_plans(form, player) for player in (0, 1)]
    found = set()
    for x in extreme_plans(form, 0):
        for y in extreme_plans(form, 1):
            plans = [list(x), list(y)]
            best = [
                max(pays(form, [*plans[:p], other, *plans[p + 1 :]], p) for other in pure[p])
                for p in (0, 1)
            ]
            if best == [pays(form, plans, p) for p in (0, 1)]:
                found.add((x, y))
    return found


def extreme_plans(form: SequenceForm, player: int) -> set[tuple[Fraction, ...]]:
    """Return the vertices of plans and what the other player can get, without the latter."""
    treeplex = form.treeplexes[player]
    size, sets = treeplex.num_sequences, treeplex.num_infosets
    equations, right = [[Fraction(s == 0) for s in range(size + 1)]], [Fraction(1)]
    for h in range(sets):
        row = [Fraction(int(treeplex.infoset_of[s]) == h) for s in range(size)] + [Fraction(0)]
        row[treeplex.parent_sequence[h]] -= 1
        equations.append(row)
        right.append(Fraction(0))
    rows = [[Fraction(s == t) for t in range(size + 1)] for s in range(size)]
    rows += [[-pay for pay in earned] + [Fraction(1)] for earned in _earned(form, player)]
    found = set()
    for tight in combinations(rows, size - sets):
        system = [*equations, *tight]
        vertex = gaussian_elimination(system, [*right, *[Fraction(0)] * len(tight)])
        if vertex is not None and all(
            sum((a * b for a, b in zip(row, vertex, strict=True)), Fraction(0)) >= 0 for row in rows
        ):
            found.add(tuple(vertex[:-1]))
    return found


def _earned(form: SequenceForm, player: int) -> list[Fractions]:
    """Return what the other player's pure plans get from each sequence of a player."""
    size, found = form.treeplexes[player].num_sequences, []
    for other in pure_plans(form, 1 - player):
        units = [[Fraction(s == t) for t in range(size)] for s in range(size)]
        pairs = [[unit, other] if player == 0 else [other, unit] for unit in units]
        found.append([pays(form, pair, 1 - player) for pair in pairs])
    return found


BATTLE = [[(3, 2), (1, 1)], [(0, 0), (2, 3)]]


def bimatrix(payoffs: list[list[tuple[Any, Any]]]) -> GameTree:
    """Return the tree of a game in which both players move once."""
    b = TreeBuilder(2)
    names = [f"r{i}" for i in range(len(payoffs))], [f"c{j}" for j in range(len(payoffs[0]))]
    for node, row in zip(b.decision(b.root, 0, "row", names[0]), payoffs, strict=True):
        for child, payoff in zip(b.decision(node, 1, "column", names[1]), row, strict=True):
            b.terminal(child, payoff)
    return b.freeze()


def claim(folder: Path, change: Any) -> None:
    """Change what a saved result claims."""
    path = folder / "result.json"
    claims = json.loads(path.read_text())
    change(claims)
    path.write_text(json.dumps(claims | {"checksum": checksum(claims)}))
