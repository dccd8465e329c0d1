"""How does the size of the bankroll change aggressiveness?

A tournament of two players is solved, and its brackets proven. A row is a stage: the chips of the
player who acts first, what these are worth at least and at most, how often that player begins with
a bet (or pushes all chips), over all hands (`bets`) and with each of them (`hands`).

Beside it stand two models of opponents, who play as in the equilibrium but for bets: these they
always fold to, or always call. Against each `maximal` is what the best answer gets in the whole
tournament, which no strategy exceeds, and `optimal` what the equilibrium's strategy gets. All are
of the player who acts first, as chances to win the tournament.

Claim: with short stacks one pushes more often, and with weaker hands. In Kuhn poker the first
player may bet or check, as in a single hand: which of many equilibria is found says nothing.

Source: the talk that seqform is built from names tournaments, where the bankroll changes
aggressiveness. Brackets, and that no strategy gets more than `maximal`, are proven in integers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.bankroll_picture import draw_bankrolls
from seqform.base.arrays import Floats
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform.recursive.graph import Stage
    from seqform.recursive.solution import RecursiveSolution

AGGRESSIVE = {"bet", "push"}
"""Actions that put chips at stake which the other has to answer."""

MODELS: Mapping[str, str] = {"folder": "fold", "caller": "call"}
"""What each model of an opponent does where it may."""

DIGITS = 9
"""Of frequencies."""


def solve_tournament(point: Point) -> list[Row]:
    """Return a row for each stage, those with the fewest chips first."""
    from seqform import solve_recursive
    from seqform.experiment.measure import make_game

    options: dict[str, Any] = dict(point.options)
    solution = solve_recursive(make_game(point), **options)
    models = {name: against_model(solution, does) for name, does in MODELS.items()}
    rows = []
    for number, stage in enumerate(solution.graph.stages):
        behavior, other = solution.profile.behaviors[number]
        hands, bets = first_bets(stage, behavior, other)
        low, high = solution.proof.lower[number][0], solution.proof.upper[number][0]
        row: Row = {
            "chips": stage.key,  # type: ignore[dict-item]
            "of": getattr(solution.graph.game, "chips", None),
            "at_least": float(low),
            "at_most": float(high),
            "bets": round(bets, DIGITS),
            "hands": json.dumps(hands),
        }
        for name, (maximal, optimal) in models.items():
            row[f"{name}_maximal"] = float(maximal[number])
            row[f"{name}_optimal"] = float(optimal[number])
        rows.append(row)
    return sorted(rows, key=lambda row: int(str(row["chips"])))


def first_bets(stage: Stage, behavior: Floats, other: Floats) -> tuple[dict[str, float], float]:
    """Return how often seat 0 begins with a bet with each hand, and over all of them.

    Parameters
    ----------
    behavior, other
        Of seats 0 and 1, float64 (num_sequences,).
    """
    form = stage.form
    mine, theirs = form.treeplexes
    first = np.flatnonzero(mine.parent_sequence == 0).tolist()
    hands, betting = {}, np.zeros(mine.num_sequences, dtype=np.bool_)
    for infoset in first:
        start = int(mine.first_sequence[infoset])
        bold = [
            start + place
            for place, action in enumerate(form.origin.actions(0, infoset))
            if action in AGGRESSIVE
        ]
        parts = form.origin.infoset_parts(0, infoset)
        name = parts[0] if parts else form.origin.infoset_text(0, infoset).rstrip(":")
        hands[name] = round(float(behavior[bold].sum()), DIGITS)
        betting[bold] = True
    for _, sequences in mine.runs:  # and what follows a bet
        betting[sequences] |= betting[mine.sequence_parent[sequences]]
    plans = mine.to_plan(behavior), theirs.to_plan(other)
    entries = form.listed()
    likely = entries.shares * plans[0][entries.places[0]] * plans[1][entries.places[1]]
    return hands, float(likely[betting[entries.places[0]]].sum())


def against_model(solution: RecursiveSolution, does: str) -> tuple[Floats, Floats]:
    """Return what seat 0 gets against a model at most, and by the equilibrium's strategy.

    Parameters
    ----------
    does
        The action that the model takes wherever it may answer a bet by it.

    Returns
    -------
    maximal, optimal
        float64 (num_stages,); no strategy gets more than the first, which is proven.
    """
    from seqform.recursive.chain import chain_values
    from seqform.recursive.deviation import Facing
    from seqform.recursive.proof import prove_stationary
    from seqform.recursive.stationary import StationaryProfile

    graph = solution.graph
    model = StationaryProfile(
        graph,
        tuple(
            tuple(_answering(stage, seat, own[seat], does) for seat in (0, 1))
            for stage, own in zip(graph.stages, solution.profile.behaviors, strict=True)
        ),
    )
    facing = Facing(model)
    plans = [solution.profile.plans[stage][seat] for stage, seat in facing.positions]
    optimal = chain_values(*facing.chain(plans), facing.endless).reshape(-1, 2)[:, 0]
    maximal = [float(min(row[0], graph.most)) for row in prove_stationary(model).upper]
    return np.array(maximal), optimal


def _answering(stage: Stage, seat: int, behavior: Floats, does: str) -> Floats:
    """Return a behaviour with one action wherever bets may be answered by it."""
    form, found = stage.form, behavior.copy()
    treeplex = form.treeplexes[seat]
    for infoset in range(treeplex.num_infosets):
        actions = form.origin.actions(seat, infoset)
        if "fold" in actions and does in actions and not AGGRESSIVE & set(actions):
            start = int(treeplex.first_sequence[infoset])
            found[start : start + len(actions)] = [float(action == does) for action in actions]
    return found


BANKROLL = ExperimentSpec(
    name="bankroll",
    doc=__doc__,
    axes=(
        Axis(
            "game",
            (
                "kuhn-tournament(chips=20)",
                "one-card-tournament(chips=40,cards=13)",
                "push-fold-tournament",
            ),
            quick=("kuhn-tournament(chips=6)",),
            help="a tournament of two players, such as leduc-tournament(chips=12)",
        ),
    ),
    measure=solve_tournament,
    figures={"bankroll.png": draw_bankrolls},
    shown=("chips", "of", "at_least", "bets", "folder_maximal", "caller_maximal", "status"),
)

if __name__ == "__main__":
    run_as_script("bankroll")
