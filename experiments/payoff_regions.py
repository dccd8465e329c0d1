"""What can two players be paid in Nash and in correlated equilibria?

Claim: EFCE, EFCCE and NFCCE allow more and more, and all of them payoffs that no Nash equilibrium
has.

Source: von Stengel & Forges, Math. of OR 33, 2008; Farina, Ling, Fang & Sandholm, NeurIPS 2019, for
Sheriff; Aumann, J. of Mathematical Economics 1, 1974, for chicken.

The regions of small games are found exactly. Nash equilibria are all extreme ones where they can be
enumerated in time, else one. A row has the corners of a region, or of what a maximal Nash subset
pays, as fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from experiments.labels import game_of
from experiments.legends import draw_legend
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import SequenceForm
    from seqform.exact.extreme_equilibria import Equilibria

KINDS = ("nfcce", "efcce", "efce")
"""From the largest region to the smallest."""

NASH = "nash"
GAMES = (
    "chicken",
    "signalling",
    "sheriff(bribes=2,items=2)",
    "random(chance=0.15,depth=4,hidden=0.9,seed=58,zero_sum=false)",
)
SECONDS = 20
"""For the Nash equilibria of a game."""

Corners = Sequence[tuple[Fraction, Fraction]]


def regions(point: Point) -> list[Row]:
    """Return a row for the region of each kind, and for what each Nash subset pays."""
    from seqform import build_sequence_form, build_tree, payoff_region
    from seqform.io.named_game import named_game

    form = build_sequence_form(build_tree(named_game(point.game, point.parameters)))
    rows: list[Row] = []
    for kind in KINDS:
        region = payoff_region(form, kind)
        rows.append(
            {
                "kind": kind,
                "corners": len(region.corners),
                "programs": region.programs,
                "relaxed": region.is_relaxed,
                "payoffs": written(region.corners),
            }
        )
    nash = nash_equilibria(form)
    return rows + [nash_row(corners, nash.is_complete) for corners in nash_payoffs(nash)]


def nash_row(corners: Corners, is_complete: bool) -> Row:
    """Return the row of what a Nash subset pays."""
    return {
        "kind": NASH,
        "corners": len(corners),
        "relaxed": False,
        "complete": is_complete,
        "payoffs": written(corners),
    }


def nash_equilibria(form: SequenceForm) -> Equilibria:
    """Return all extreme Nash equilibria of a game; one if they are not found in time."""
    from seqform import solve
    from seqform.base.deadline import time_limited
    from seqform.base.errors import GameTooLargeError
    from seqform.exact.extreme_equilibria import Equilibria, all_equilibria

    with suppress(GameTooLargeError):
        with time_limited(SECONDS):
            found = all_equilibria(form)
        if len(found):
            return found
    exact = solve(form, method="lcp", exact=True).exact
    return Equilibria((exact,) if exact else (), False, None, form)


def nash_payoffs(nash: Equilibria) -> Iterator[Corners]:
    """Yield the corners of what each maximal Nash subset pays, or each equilibrium."""
    if nash.subsets is None:
        yield from ([(each.values[0], each.values[1])] for each in nash)
        return
    for subset in nash.subsets:
        (left, bottom), (right, top) = subset.low, subset.high
        around = [(left, bottom), (right, bottom), (right, top), (left, top)]
        yield list(dict.fromkeys(around))


def written(corners: Corners) -> str:
    """Return corners as text.

    Examples
    --------
    >>> written([(Fraction(7, 2), Fraction(6))]), read(written([(Fraction(7, 2), Fraction(6))]))
    ('(7/2, 6)', [(3.5, 6.0)])
    """
    return " ".join(f"({x}, {y})" for x, y in corners)


def read(text: str) -> list[tuple[float, float]]:
    """Return the corners that a text is of."""
    pairs = (pair.split(", ") for pair in text[1:-1].split(") ("))
    return [(float(Fraction(x)), float(Fraction(y))) for x, y in pairs]


def draw_regions(rows: Sequence[Row]) -> Any:
    """Draw the regions of each game in a panel, the larger ones below."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(map(game_of, rows)))
    lines = -(-len(games) // 2)
    figure = Figure(figsize=(7.6, 3.5 * lines + 0.3), dpi=200, layout="constrained")
    panels = figure.subplots(lines, 2, squeeze=False).ravel()
    for panel, game in zip(panels, games, strict=False):
        _draw_panel(panel, [row for row in rows if game_of(row) == game])
        panel.set_title(game.partition("(")[0], fontsize=9)
    for panel in panels[len(games) :]:
        panel.set_axis_off()
    draw_legend(figure)
    return figure


def _draw_panel(panel: Any, rows: Sequence[Row]) -> None:
    from seqform.drawing.regions import draw_area

    for row in rows:
        corners, kind = read(str(row["payoffs"])), str(row["kind"])
        if kind != NASH:
            draw_area(panel, kind, corners, kind.upper())
            continue
        x, y = zip(*corners, corners[0], strict=True)
        panel.fill(x, y, color="black", alpha=0.4, linewidth=0)
        panel.plot(x, y, "-o", color="black", markersize=4, linewidth=1.2, label="Nash")
    panel.set_xlabel("paid to player 0", fontsize=8)
    panel.set_ylabel("paid to player 1", fontsize=8)
    panel.tick_params(labelsize=7)
    panel.margins(0.08)
    panel.grid(alpha=0.25, linewidth=0.5)


PAYOFF_REGIONS = ExperimentSpec(
    name="payoff_regions",
    doc=__doc__,
    axes=(Axis("game", GAMES, quick=GAMES[:2]),),
    measure=regions,
    figures={"payoff_regions.png": draw_regions},
    shown=("game", "kind", "corners", "programs", "relaxed"),
)

if __name__ == "__main__":
    run_as_script("payoff_regions")
