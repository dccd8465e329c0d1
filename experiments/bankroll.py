"""How does the size of the bankroll change aggressiveness?

A tournament of two players is solved, and its brackets proven. A row is a stage: the chips of the
player who acts first, what these are worth at least and at most, how often that player begins with
a bet (or pushes all chips), over all hands (`bets`) and with each of them (`hands`).

Beside it stand models of opponents. Three play as in the equilibrium but for bets: these they
always fold to (`folder`), never (`caller`), or call half as often as they should (`tight`). To one
all actions are equally likely (`uniform`). One plays each hand for chips, as if it were the last
(`chip_counter`): for two players that is the independent chip model. Against each `maximal` is what
the best answer gets in the whole tournament, which no strategy exceeds, and `optimal` what the
equilibrium's strategy gets. All are of the player who acts first, as chances to win the tournament.

Claim: with short stacks one pushes more often, and with weaker hands. In Kuhn poker the first
player may bet or check, as in a single hand: which of many equilibria is found says nothing.

Source: the talk that seqform is built from names tournaments, where the bankroll changes
aggressiveness. Brackets, and that no strategy gets more than `maximal`, are proven in integers.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.bankroll_models import AGGRESSIVE, MODELS
from experiments.bankroll_picture import draw_bankrolls
from seqform.base.arrays import Floats
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform.recursive.graph import Stage
    from seqform.recursive.solution import RecursiveSolution
    from seqform.recursive.stationary import StationaryProfile

DIGITS = 9
"""Of frequencies."""


def solve_tournament(point: Point) -> list[Row]:
    """Return a row for each stage, those with the fewest chips first."""
    from seqform import solve_recursive
    from seqform.experiment.measure import make_game

    options: dict[str, Any] = dict(point.options)
    solution = solve_recursive(make_game(point), **options)
    models = {name: against(solution, make(solution)) for name, make in MODELS.items()}
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
    form = stage.form.listed()
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
    likely = form.shares * plans[0][form.places[0]] * plans[1][form.places[1]]
    return hands, float(likely[betting[form.places[0]]].sum())


def against(solution: RecursiveSolution, model: StationaryProfile) -> tuple[Floats, Floats]:
    """Return what seat 0 gets against a model at most, and by the equilibrium's strategy.

    Parameters
    ----------
    model
        What the opponent does, in either seat.

    Returns
    -------
    maximal, optimal
        float64 (num_stages,); no strategy gets more than the first, which is proven.
    """
    from seqform.recursive.chain import chain_values
    from seqform.recursive.deviation import Facing
    from seqform.recursive.proof import prove_stationary

    facing = Facing(model)
    plans = [solution.profile.plans[stage][seat] for stage, seat in facing.positions]
    optimal = chain_values(*facing.chain(plans), facing.endless).reshape(-1, 2)[:, 0]
    most = solution.graph.most
    maximal = [float(min(row[0], most)) for row in prove_stationary(model).upper]
    return np.array(maximal), optimal


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
    version=2,
    figures={"bankroll.png": draw_bankrolls},
    shown=("chips", "of", "at_least", "bets", *(f"{name}_maximal" for name in MODELS), "status"),
)

if __name__ == "__main__":
    run_as_script("bankroll")
