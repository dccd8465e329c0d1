"""Which strategies of Kuhn poker's first player are equilibria?

Claim: those that bet the jack with a probability alpha of at most 1/3, the king three times as
often, and call with the queen 1/3 more often than they bluff; all of them guarantee -1/18. Who
bluffs more often guarantees less.

Source: H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I (1950),
97-103.

For each alpha the bet with the jack is locked, and the rest is solved in fractions. The value of
the locked game is the most that a strategy which bluffs so often can guarantee.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

VALUE = Fraction(-1, 18)
MOST = Fraction(1, 3)
"""The largest alpha of an equilibrium."""

KING_BETS, QUEEN_CALLS = ("K:", "bet"), ("Q:check-bet", "call")


def share(text: str) -> str:
    """Return a probability as it was written."""
    if not 0 <= Fraction(text) <= 1:
        raise ValueError("write a probability from 0 to 1, such as 1/6")
    return text


def solve_locked(point: Point) -> Row:
    """Return what player 0 can guarantee if it bets the jack so often, and how."""
    from seqform import make, solve

    alpha = Fraction(point["alpha"])
    solution: Any = solve(make("kuhn"), lock={(0, "J:", "bet"): str(alpha)}, exact=True)
    guarantee = solution.locked.exact.value
    probability = {name: float(solution.profile[0, *name]) for name in (KING_BETS, QUEEN_CALLS)}
    return {
        "bluffs": float(alpha),
        "guarantee": float(guarantee),
        "guarantee_exact": str(guarantee),
        "is_equilibrium": guarantee == VALUE,
        "king_bets": probability[KING_BETS],
        "queen_calls": probability[QUEEN_CALLS],
        "value": float(solution.locked.value),
        "gap": float(solution.locked.gap),
    }


def draw_family(rows: Sequence[Row]) -> Any:
    """Draw what is guaranteed, and what goes with it, against the bluffs."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 3.2), dpi=200, layout="constrained")
    left, right = figure.subplots(1, 2)
    solved = [row for row in rows if row.get("guarantee") is not None]
    bluffs = [row["bluffs"] for row in solved]
    left.plot(bluffs, [row["guarantee"] for row in solved], "o-", color="#0072b2", markersize=3)
    left.axhline(float(VALUE), color="black", linewidth=0.6)
    left.annotate(
        "-1/18, the value of the game",
        (1, float(VALUE)),
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        fontsize=7,
    )
    left.set_ylabel("guaranteed, chips a hand", fontsize=8)
    styles = {
        "king_bets": ("s", "#d55e00", "king bets"),
        "queen_calls": ("^", "#009e73", "queen calls"),
    }
    for name, (marker, color, label) in styles.items():
        right.plot(
            bluffs, [row[name] for row in solved], marker, color=color, markersize=4, label=label
        )
    family = [0.0, float(MOST)]
    right.plot(family, [3 * alpha for alpha in family], color="#d55e00", linewidth=0.8)
    right.plot(family, [alpha + 1 / 3 for alpha in family], color="#009e73", linewidth=0.8)
    right.set_ylabel("probability", fontsize=8)
    right.legend(fontsize=7, frameon=False)
    for panel in (left, right):
        panel.axvspan(0, float(MOST), color="#eeeeee", zorder=0)
        panel.set_xlabel("alpha: how often the jack bets", fontsize=8)
        panel.tick_params(labelsize=7)
    return figure


KUHN_FAMILY = ExperimentSpec(
    name="kuhn_family",
    doc=__doc__,
    axes=(
        Axis(
            "alpha",
            tuple(str(Fraction(number, 24)) for number in range(25)),
            quick=("0", "1/6", "1/3", "1/2"),
            help="how often the jack bets, from 0 to 1",
            read=share,
        ),
    ),
    measure=solve_locked,
    figures={"kuhn_family.png": draw_family},
    shown=("alpha", "guarantee_exact", "is_equilibrium", "king_bets", "queen_calls"),
)

if __name__ == "__main__":
    run_as_script("kuhn_family")
