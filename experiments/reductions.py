"""What does each reduction merge in every game of the registry that hides something?

`python -m experiments.reductions` reduces every two-player zero-sum game: by color refinement of
its sequence form ("equitable", told nothing about cards) and by isomorphism of its tree ("tree",
and "tree-published" as Gilpin & Sandholm define it). It solves the game as it is and what is left
of it, and certifies the lifted profile in the whole game.

Seconds are CPU seconds, once, after a warm-up: `reduce` of the reduction alone (on trees with the
sequence forms that it builds), `total` of reducing, solving and lifting, `direct` of solving the
game as it is; building the game is in none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from abstraction.equitable import EQUITABLE
from experiments.tables import Row, arguments, cpu, save, show, show_versions, verdict, warm_up
from seqform import SequenceForm, build_sequence_form, build_tree, solve
from seqform.game.catalogue import GAMES, make
from seqform.results.reduction import REDUCTIONS, Inverse, lift
from seqform.results.solution import Solution

Apply = Callable[[], tuple[SequenceForm, Inverse]]

NOTHING: Row = {
    "abstract_value": None,
    "nash_gap": None,
    "exploitability": None,
    "verdict": "nothing to merge",
    "total_seconds": None,
}

TOO_LARGE = ("rhode-island",)
"""Games that have no tree at their default parameters."""

MAX_TREE_NODES = 300_000
"""Larger trees are not reduced as trees."""


@dataclass(frozen=True)
class Case:
    """A game of the registry with parameters."""

    name: str
    game: str
    parameters: Mapping[str, object] = field(default_factory=dict)


DEFAULTS = tuple(
    Case(entry.name, entry.name)
    for entry in GAMES
    if entry.name not in TOO_LARGE and not entry.perfect_information
)
SMALL = (
    Case("leduc, suits merged", "leduc", {"merge_suits": True}),
    Case("liars-dice 3", "liars-dice", {"sides": 3}),
    Case(
        "random 3, small payoffs", "random", {"seed": 3, "depth": 6, "max_payoff": 1, "chance": 0.5}
    ),
)
QUICK = (*(case for case in DEFAULTS if case.name != "liars-dice"), *SMALL)
CASES = (
    *DEFAULTS,
    *SMALL,
    Case("liars-dice 4", "liars-dice", {"sides": 4}),
    Case("liars-dice 5", "liars-dice", {"sides": 5}),
    Case("liars-dice 2x3", "liars-dice", {"dice": 2, "sides": 3}),
    Case("goofspiel 5", "goofspiel", {"cards": 5}),
    *(Case(f"random {seed}", "random", {"seed": seed}) for seed in (1, 2)),
    Case("leduc 3x3", "leduc", {"suits": 3}),
    Case("rhode-island 4x2, 1 bet", "rhode-island", {"ranks": 4, "suits": 2, "max_bets": 1}),
    Case("rhode-island 3x3, 1 bet", "rhode-island", {"ranks": 3, "suits": 3, "max_bets": 1}),
    Case("rhode-island 4x3, 1 bet", "rhode-island", {"ranks": 4, "suits": 3, "max_bets": 1}),
    Case("leduc 13x2", "leduc", {"ranks": 13}),
)


def rows_of(case: Case) -> list[Row]:
    """Return what each reduction merges in a game, if it is two-player and zero-sum."""
    tree = build_tree(make(case.game, **case.parameters))
    form = build_sequence_form(tree)
    if form.num_players != 2 or form.constant_sum != 0:
        return []
    seconds, direct = cpu(lambda: solve(form))
    reductions: dict[str, Apply] = {"equitable": lambda: EQUITABLE.apply(form)}
    if tree.num_nodes <= MAX_TREE_NODES:
        reductions |= {
            name: partial(REDUCTIONS.get(name).apply, tree) for name in ("tree", "tree-published")
        }
    return [row_of(case, direct, seconds, name, apply) for name, apply in reductions.items()]


def row_of(case: Case, direct: Solution, direct_seconds: float, name: str, apply: Apply) -> Row:
    """Apply a reduction to a game that is solved already, and compare."""
    seconds, (after, inverse) = cpu(apply)
    before = direct.game
    merged = counts(after) != counts(before)
    return {
        "game": case.name,
        "reduction": name,
        **{f"{what}_before": count for what, count in counts(before).items()},
        **{f"{what}_after": count for what, count in counts(after).items()},
        "value": float(direct.value),
        "value_nash_gap": direct.nash_gap,
        **(solve_reduced(after, inverse, seconds) if merged else NOTHING),
        "reduce_seconds": round(seconds, 4),
        "direct_seconds": round(direct_seconds, 4),
    }


def counts(form: SequenceForm) -> dict[str, int]:
    """Return nodes, and infosets and sequences of both players together.

    Color refinement leaves the nodes as they are.
    """
    return {
        "nodes": form.num_nodes,
        "infosets": sum(treeplex.num_infosets for treeplex in form.treeplexes),
        "sequences": sum(treeplex.num_sequences for treeplex in form.treeplexes),
    }


def solve_reduced(form: SequenceForm, inverse: Inverse, reduce_seconds: float) -> Row:
    """Solve the smaller game, lift, and return what that is worth in the whole game."""
    seconds, (abstract, lifted) = cpu(lambda: _solve_and_lift(form, inverse))
    return {
        "abstract_value": float(abstract.value),
        "nash_gap": lifted.nash_gap,
        "exploitability": lifted.exploitability,
        "verdict": verdict(lifted),
        "total_seconds": round(reduce_seconds + seconds, 4),
    }


def _solve_and_lift(form: SequenceForm, inverse: Inverse) -> tuple[Solution, Solution]:
    abstract = solve(form)
    return abstract, lift(abstract, inverse)


TITLE = (
    f"What each reduction merges; trees are reduced up to {MAX_TREE_NODES:,} nodes "
    "(LOSSY: the lifted profile is not an equilibrium)"
)
COLUMNS = (
    *(
        "game",
        "reduction",
        "nodes",
        "infosets",
        "sequences",
        "value",
        "abstract_value",
        "nash_gap",
        "verdict",
    ),
    *("reduce_seconds", "total_seconds", "direct_seconds"),
)


def arrows(row: Row) -> Row:
    """Return a row with counts before and after in one cell, for printing."""
    shown = {
        what: (row[f"{what}_before"], row[f"{what}_after"])
        for what in ("nodes", "infosets", "sequences")
    }
    cells = {
        what: f"{old:,}" if old == new else f"{old:,} > {new:,}"
        for what, (old, new) in shown.items()
    }
    return {**row, **cells}


def main(given: Sequence[str] | None = None) -> None:
    """Reduce, solve, save and print."""
    options = arguments(__doc__, given)
    warm_up()
    rows_of(Case("kuhn", "kuhn"))  # the reductions' first calls are slow
    rows = [row for case in (QUICK if options.quick else CASES) for row in rows_of(case)]
    save(options.out / "reductions.csv", rows)
    show(TITLE, [arrows(row) for row in rows], COLUMNS, "game")
    show_versions()


if __name__ == "__main__":
    main()
