"""What does each reduction merge in every game of the registry that hides something?

Claim: color refinement ("equitable", told nothing about cards) and isomorphism of the tree ("tree")
lose nothing. "tree-published", as Gilpin & Sandholm define it, merges more in poker, and loses
something in some games.

Source: Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5),
2007; the theorems are in docs/explanation/gameshrink.md.

Every two-player zero-sum game is solved as it is, and what is left of it is solved, lifted, and
certified in the whole game. Seconds are CPU seconds, once: `reduce` of the reduction alone (on
trees with the sequence forms that it builds), `total` of reducing, solving and lifting, `direct` of
solving the game as it is; building the game is in none of them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from experiments.timing import cpu, load_solvers
from seqform.base.errors import GameTooLargeError, UnsupportedGameError
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import SequenceForm, Solution
    from seqform.links.link import Inverse

MAX_TREE_NODES = 300_000
"""Larger trees are not reduced as trees."""

SMALL = (
    *("battleship", "chicken", "circular-precedence", "goofspiel", "guess-the-ace"),
    *("kuhn", "leduc", "matching-pennies", "private-types", "random"),
    *("rock-paper-scissors", "satisfiability", "sheriff", "signalling", "von-stengel"),
    *("leduc(merge_suits=true)", "liars-dice(sides=3)"),
    "random(seed=3,depth=6,max_payoff=1,chance=0.5)",
)
GAMES = (
    *SMALL,
    *("liars-dice", "liars-dice(sides=4)", "liars-dice(sides=5)", "liars-dice(dice=2,sides=3)"),
    *("goofspiel(cards=5)", "random(seed=1)", "random(seed=2)", "leduc(suits=3)"),
    *(f"rhode-island(ranks={r},suits={s},max_bets=1)" for r, s in ((4, 2), (3, 3), (4, 3))),
    "leduc(ranks=13)",
)


def merge(point: Point) -> Row:
    """Return what a reduction merges in a game, and what that is worth.

    Raises
    ------
    UnsupportedGameError
        Unless the game is two-player and zero-sum.
    GameTooLargeError
        If its tree is to be reduced and has more than `MAX_TREE_NODES` nodes.
    """
    from seqform import build_sequence_form, build_tree, solve
    from seqform.io.named_game import named_game
    from seqform.links.link import REDUCTIONS

    tree = build_tree(named_game(point.game, point.parameters))
    form = build_sequence_form(tree)
    if form.num_players != 2 or form.constant_sum != 0:
        raise UnsupportedGameError("only two-player zero-sum games are compared")
    if point.reduction != "equitable" and tree.num_nodes > MAX_TREE_NODES:
        raise GameTooLargeError(f"trees are reduced up to {MAX_TREE_NODES:,} nodes")
    direct_seconds, direct = cpu(lambda: solve(form, exact=False))
    reduction = REDUCTIONS.get(point.reduction)
    seconds, (after, inverse) = cpu(
        lambda: reduction.apply(form if point.reduction == "equitable" else tree)
    )
    merged = counts(after) != counts(form)
    return {
        **{f"{what}_before": count for what, count in counts(form).items()},
        **{f"{what}_after": count for what, count in counts(after).items()},
        "value": float(direct.value),
        "value_gap": direct.nash_gap,
        **(worth(after, inverse, seconds) if merged else {"verdict": "nothing to merge"}),
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


def worth(form: SequenceForm, inverse: Inverse, reduce_seconds: float) -> Row:
    """Solve the smaller game, lift, and return what that is worth in the whole game."""
    from seqform import solve
    from seqform.results.lift import lift

    def solve_and_lift() -> tuple[Solution, Solution]:
        abstract = solve(form, exact=False)
        return abstract, lift(abstract, inverse)

    seconds, (abstract, lifted) = cpu(solve_and_lift)
    return {
        "abstract_value": float(abstract.value),
        "gap": lifted.nash_gap,
        "exploitability": lifted.exploitability,
        "verdict": verdict(lifted),
        "total_seconds": round(reduce_seconds + seconds, 4),
    }


def verdict(lifted: Solution) -> str:
    """Return whether the whole game's certificate proves a lifted profile an equilibrium."""
    name = lifted.status.name
    return {"SOLVED": "equilibrium", "LIFTED": "LOSSY"}.get(name, name)


def prepare(point: Point) -> None:
    """Load solvers, and call the reduction, whose first call is slow."""
    load_solvers(point)
    _call(point.reduction)


@cache
def _call(reduction: str) -> None:
    from seqform import make, reduce

    reduce(make("kuhn"), reduction)


REDUCTIONS_COMPARED = ExperimentSpec(
    name="reductions",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=SMALL),
        Axis("reduction", ("equitable", "tree", "tree-published")),
    ),
    measure=merge,
    prepare=prepare,
    shown=("game", "parameters", "reduction", "verdict", "infosets_before", "infosets_after"),
    memory="4 GB",
    refusals=True,  # of games that are not for two players, or that a reduction does not accept
)

if __name__ == "__main__":
    run_as_script("reductions")
