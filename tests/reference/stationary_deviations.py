"""What stationary strategies of a recursive game are worth, and the best deviation, in fractions.

All pure stationary deviations are tried; each is a Markov chain, solved by elimination.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from tests.reference.pure_plans import pure_plans

Position = tuple[int, int]
Plan = list[Fraction]
Moves = dict[Position | None, Fraction]


def positions(graph: Any) -> list[Position]:
    return [(s, seat) for s in range(len(graph.stages)) for seat in range(graph.num_players)]


def in_fractions(plans: Any) -> dict[Position, Plan]:
    """Return plans in integers as fractions."""
    return {
        (s, seat): [Fraction(int(number), int(plan[0])) for number in plan]
        for s, own in enumerate(plans)
        for seat, plan in enumerate(own)
    }


def step(
    graph: Any, plans: dict[Position, Plan], at: Position, own: Plan
) -> tuple[Moves, Fraction]:
    """Return where play goes on from a position, None for an end, and what is paid at once."""
    stage, (number, seat) = graph.stages[at[0]], at
    form, moves, paid = stage.form, {}, Fraction(0)
    for entry in range(form.num_entries):
        chance = Fraction(int(form.weights[entry]), form.denominator)
        for other in range(graph.num_players):
            plan = own if other == seat else plans[number, other]
            chance *= plan[form.places[other][entry]]
        lead = stage.leads[stage.lead[form.leaf[entry]]]
        to = None if lead.stage < 0 else (lead.stage, lead.seat[seat])
        moves[to] = moves.get(to, Fraction(0)) + chance
        paid += chance * lead.payoffs[seat]
    return {to: chance for to, chance in moves.items() if chance}, paid


def worth(graph: Any, steps: dict[Position, tuple[Moves, Fraction]]) -> dict[Position, Fraction]:
    """Return what each position is worth in a chain."""
    ending: set[Position] = set()
    while True:
        more = {
            at
            for at, (moves, _) in steps.items()
            if None in moves or any(to in ending for to in moves)
        }
        if more == ending:
            break
        ending = more
    found = {(s, seat): graph.endless[s][seat] for s, seat in steps if (s, seat) not in ending}
    order = sorted(ending)
    rows = []
    for at in order:
        moves, paid = steps[at]
        row = [Fraction(int(at == to)) - moves.get(to, Fraction(0)) for to in order]
        known = sum((moves[to] * found[to] for to in moves if to in found), Fraction(0))
        rows.append([*row, paid + known])
    return found | dict(zip(order, solved(rows), strict=True))


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve a regular system, each row with its right side at the end."""
    size = len(rows)
    for column in range(size):
        pivot = next(r for r in range(column, size) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r in range(size):
            if r != column and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[column], strict=True)]
    return [row[-1] for row in rows]


def own_worth(graph: Any, plans: dict[Position, Plan]) -> dict[Position, Fraction]:
    """Return what each position is worth if nobody deviates."""
    return worth(graph, {at: step(graph, plans, at, plans[at]) for at in positions(graph)})


def count_deviations(graph: Any) -> int:
    return prod(len(pure_plans(graph.stages[s].form, seat)) for s, seat in positions(graph))


def deviations(graph: Any, plans: dict[Position, Plan]) -> Iterator[dict[Position, Fraction]]:
    """Yield what each pure stationary deviation is worth, everywhere."""
    at = positions(graph)
    steps = [
        [step(graph, plans, (s, seat), own) for own in pure_plans(graph.stages[s].form, seat)]
        for s, seat in at
    ]
    for chosen in product(*steps):
        yield worth(graph, dict(zip(at, chosen, strict=True)))


def best_deviation(graph: Any, plans: dict[Position, Plan]) -> dict[Position, Fraction]:
    """Return the most that any pure stationary deviation gets, position by position."""
    found: dict[Position, Fraction] = {}
    for values in deviations(graph, plans):
        for at, value in values.items():
            found[at] = max(found.get(at, value), value)
    return found
