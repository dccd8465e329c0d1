"""How far is the independent chip model from what chips of a tournament of three are worth?

The independent chip model (Malmuth 1987; Harville 1973) makes chips into prizes as if the first
place were drawn in proportion to them, the second among the others, and so on. Here a tournament of
three players is searched for an equilibrium, and what each seat of each hand is worth there is put
beside it. A row is a seat of a hand with three players: the chips of all (`button`, `small`,
`big`), what the strategies are worth there at least, what the player gets at most by any deviation
in the whole tournament, and what the model says (`icm`). `more` is `at_least` less `icm`.

`--games` takes any tournament whose keys are the chips of all three seats, and which says what the
model makes of them. Chips and payouts stand in brackets: `(chips=15,first=100,second=0,third=0)`.

Claim: the model knows no blinds. So on average it gives the big blind too much, and most to small
stacks; the button, who sees two hands before the next blind, gets too little of it. In hold'em a
big blind who has most of the chips may get too little, too.

Source: both bounds are proven in integers. Ganzfried & Sandholm, "Computing an approximate jam/fold
equilibrium for 3-player no-limit Texas hold'em tournaments", AAMAS 2008, begin with the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import Any

import numpy as np

from experiments.labels import game_of
from experiments.markdown import table
from seqform.base.arrays import Floats
from seqform.base.number import decimal
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

SEATS = ("button", "small", "big")
COLORS = dict(zip(SEATS, ("#009e73", "#0072b2", "#d55e00"), strict=True))
WORDS = {"button": "the button", "small": "the small blind", "big": "the big blind"}


def compare_worth(point: Point) -> list[Row]:
    """Return a row for each seat of each hand with three players."""
    from seqform import search_recursive
    from seqform.experiment.measure import make_game

    solution = search_recursive(make_game(point), gap=float(point["gap"]))
    proof, graph = solution.proof, solution.graph
    rows: list[Row] = []
    for number in graph.order():
        chips: Any = graph.stages[number].key
        if not all(chips):  # somebody is out
            continue
        said = graph.game.guess(chips)  # type: ignore[attr-defined]
        for seat, name in enumerate(SEATS):
            low, high = proof.lower[number][seat], proof.upper[number][seat]
            rows.append(
                {
                    **dict(zip(SEATS, chips, strict=True)),
                    "seat": name,
                    "chips": chips[seat],
                    "icm": float(said[seat]),
                    "at_least": float(low),
                    "at_most": float(high),
                    "more": float(low - said[seat]),
                }
            )
    return rows


def table_of(rows: Sequence[Row]) -> str:
    """Return where the model is furthest off, seat by seat, as a table of Markdown."""
    lines = []
    for name, of in _by_game(rows).items():
        for seat in SEATS:
            own = [row for row in of if row["seat"] == seat]
            most = {"least": min(own, key=_more), "most": max(own, key=_more)}
            lines += [
                {
                    "game": name,
                    "seat": WORDS[seat],
                    "chips of button, small and big blind": ", ".join(str(row[s]) for s in SEATS),
                    "by the model": f"{row['icm']:.3f}",
                    "at least": f"{row['at_least']:.3f}",
                    "by deviating at most": f"{row['at_most']:.3f}",
                    "beyond the model": f"{_more(row):+.3f}",
                }
                for row in most.values()
            ]
    return table(lines)


def draw_worth(rows: Sequence[Row]) -> Any:
    """Draw what chips are worth beyond the model: by all stacks, and by the own stack."""
    from matplotlib.figure import Figure

    games = _by_game(rows)
    figure = Figure(figsize=(9.6, 6.4 * len(games)), dpi=160, layout="constrained")
    parts = np.ravel(figure.subfigures(len(games), 1, squeeze=False))
    for part, (name, of) in zip(parts, games.items(), strict=True):
        largest = max(abs(_more(row)) for row in of)
        widest = max(float(str(row["at_most"])) - float(str(row["at_least"])) for row in of)
        most = decimal(Fraction(widest), 2, ROUND_CEILING)
        proven = f"nobody gains more than {most} units of prize by any deviation"
        part.suptitle(f"{name}: {proven}", fontsize=9)
        above, below = part.subfigures(2, 1)
        panels = above.subplots(1, 3)
        for panel, seat in zip(panels, SEATS, strict=True):
            image = _draw_stacks(panel, [row for row in of if row["seat"] == seat], largest)
            panel.set_title(WORDS[seat], fontsize=9)
        bar = above.colorbar(image, ax=panels)
        bar.set_label("worth beyond the model, in units of prize", fontsize=8)
        bar.ax.tick_params(labelsize=7)
        _draw_by_own(below.subplots(1, 2), of)
    return figure


def _draw_stacks(panel: Any, rows: Sequence[Row], largest: float) -> Any:
    """Draw a cell for each chips of button and small blind; the big blind has the others."""
    total = sum(int(str(rows[0][seat])) for seat in SEATS)
    cells = np.full((total - 2, total - 2), np.nan)
    for row in rows:
        cells[int(str(row["small"])) - 1, int(str(row["button"])) - 1] = _more(row)
    image = panel.imshow(
        cells,
        origin="lower",
        extent=(0.5, total - 1.5, 0.5, total - 1.5),
        cmap="RdBu",
        vmin=-largest,
        vmax=largest,
    )
    panel.set_xlabel("chips of the button", fontsize=8)
    panel.set_ylabel("chips of the small blind", fontsize=8)
    panel.tick_params(labelsize=7)
    return image


def _draw_by_own(panels: Any, rows: Sequence[Row]) -> None:
    """Draw what the own stack is worth, and beyond the model: the mean over others', from to."""
    worth, beyond = panels
    chips, _, mean, _ = _ranges(rows, "icm")
    worth.plot(chips, mean, color="#222222", linewidth=1.1, label="by the model")
    beyond.axhline(0, color="#222222", linewidth=0.8)
    for seat in SEATS:
        own = [row for row in rows if row["seat"] == seat]
        for panel, key in ((worth, "at_least"), (beyond, "more")):
            chips, low, mean, high = _ranges(own, key)
            panel.fill_between(chips, low, high, color=COLORS[seat], alpha=0.15, linewidth=0)
            panel.plot(chips, mean, ".-", color=COLORS[seat], linewidth=1, label=WORDS[seat])
    for panel, what in ((worth, "worth"), (beyond, "worth beyond the model")):
        panel.set_xlabel("chips, whatever the others have", fontsize=8)
        panel.set_ylabel(f"{what}, in units of prize", fontsize=8)
        panel.tick_params(labelsize=7)
    worth.legend(fontsize=7, frameon=False)


def _ranges(rows: Sequence[Row], key: str) -> tuple[list[int], Floats, Floats, Floats]:
    """Return stacks, and for each the least, the mean and the most of a column."""
    own: dict[int, list[float]] = {}
    for row in rows:
        own.setdefault(int(str(row["chips"])), []).append(float(str(row[key])))
    chips = sorted(own)
    low, mean, high = (np.array([f(own[count]) for count in chips]) for f in (min, np.mean, max))
    return chips, low, mean, high


def _more(row: Row) -> float:
    return float(str(row["more"]))


def _by_game(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(game_of(row), []).append(row)
    return found


ICM = ExperimentSpec(
    name="icm",
    doc=__doc__,
    axes=(
        Axis(
            "game",
            ("three-handed-one-card(chips=12)", "three-handed-push-fold(chips=12)"),
            quick=("three-handed-one-card(chips=6,cards=4)",),
            help="a tournament of three, with chips, payouts and more in brackets",
        ),
        Axis("gap", (1e-3,), quick=(1e-2,), help="what nobody gains more than, at any seat"),
    ),
    measure=compare_worth,
    figures={"icm.png": draw_worth, "icm.md": table_of},
    shown=("seat", *SEATS, "icm", "at_least", "at_most", "status"),
)

if __name__ == "__main__":
    run_as_script("icm")
