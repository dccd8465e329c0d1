"""What does it cost to exploit an opponent: what is won against it, and what is still guaranteed?

`python -m experiments.tradeoff` answers two models of player 1, in Kuhn poker and in Leduc hold'em.
One calls every bet and never makes one; the other chooses evenly everywhere. The answers are
restricted Nash responses (weights p), safe best responses (bounds epsilon), data-biased responses
(the same confidence everywhere), the best equilibrium and the best response. All are certified.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.tables import Row, arguments, save, save_picture, show
from games.kuhn import kuhn
from games.leduc import leduc
from seqform import ZeroSumForm, build_sequence_form, build_tree, exploit, given_from
from seqform.strategies.bend.exploitation import Exploitation
from seqform.strategies.bend.model import Model, model_from
from seqform.strategies.bend.observed import BiasedModel

GAMES: dict[str, Any] = {"Kuhn poker": kuhn, "Leduc hold'em": leduc}
WEIGHTS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
STEPS = 24
"""Bounds on what may be lost, from none to what the best response loses."""

STYLES = {
    "safe best response": ("-", "", "#0072b2"),
    "restricted Nash response": ("", "o", "#d55e00"),
    "data-biased response": (":", "^", "#009e73"),
    "best equilibrium": ("", "*", "#000000"),
    "best response": ("", "s", "#000000"),
}
"""How each kind of answer is drawn: line, marker, color."""


def calls(player: int, infoset: Hashable, actions: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return the choice of somebody who calls every bet and makes none."""
    names = [str(action) for action in actions]
    passive = "call" if "call" in names else "check"
    return {action: int(name == passive) for action, name in zip(actions, names, strict=True)}


def models(form: ZeroSumForm) -> dict[str, Model]:
    """Return the models of player 1, by what they do."""
    return {
        "calls always": model_from(given_from(calls, form), form, 1),
        "chooses evenly": model_from([treeplex.uniform() for treeplex in form.treeplexes], form, 1),
    }


def answers(
    model: Model, weights: Sequence[float], steps: int
) -> Iterator[tuple[float, Exploitation]]:
    """Yield answers to a model, each with its parameter."""
    form, count = model.form, model.form.treeplexes[1].num_infosets
    best, safest = exploit(form, model, 0), exploit(form, model, 0, equilibrium=True)
    yield 0.0, safest
    yield 1.0, best
    for p in weights:
        yield p, exploit(form, model, 0, p=p)
        biased = BiasedModel(model, np.full(count, p), np.zeros(count, dtype=np.int64))
        yield p, exploit(form, biased, 0)
    most = max(0.0, safest.guaranteed - best.guaranteed)
    for step in range(steps + 1):
        epsilon = most * (step / steps) ** 2
        yield epsilon, exploit(form, model, 0, epsilon=epsilon)


def rows_of(name: str, weights: Sequence[float], steps: int) -> Iterator[Row]:
    """Yield the answers in a game as rows of a table."""
    form = build_sequence_form(build_tree(GAMES[name]())).zero_sum()
    for what, model in models(form).items():
        for parameter, answer in answers(model, weights, steps):
            yield {
                "game": name,
                "model": what,
                "kind": answer.kind.partition(" (")[0],
                "parameter": parameter,
                "against_model": answer.against_model,
                "guaranteed": answer.guaranteed,
                "gap": answer.gap,
            }


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Draw what is won against what is guaranteed, a panel for each game and model."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(str(row["game"]) for row in rows))
    kinds = list(dict.fromkeys(str(row["model"]) for row in rows))
    figure = Figure(figsize=(7.2, 2.9 * len(games)), dpi=200, layout="constrained")
    panels = figure.subplots(len(games), len(kinds), squeeze=False)
    for line, game in zip(panels, games, strict=True):
        for panel, model in zip(line, kinds, strict=True):
            here = [row for row in rows if (row["game"], row["model"]) == (game, model)]
            _draw_panel(panel, here, f"{game}: player 1 {model}")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=7, frameon=False)
    save_picture(path, figure)


def _draw_panel(panel: Any, rows: Sequence[Row], title: str) -> None:
    for order, (kind, (dash, marker, color)) in enumerate(STYLES.items()):
        points = sorted(
            (row["guaranteed"], row["against_model"]) for row in rows if row["kind"] == kind
        )
        panel.plot(
            [x for x, _ in points],
            [y for _, y in points],
            linestyle=dash or "none",
            marker=marker or None,
            color=color,
            label=kind,
            markersize=9 if marker == "*" else 4,
            linewidth=1.2,
            zorder=2 + order,
        )
    panel.set_title(title, fontsize=8)
    panel.set_xlabel("guaranteed against anybody, chips a hand", fontsize=7)
    panel.set_ylabel("won against the model, chips a hand", fontsize=7)
    panel.tick_params(labelsize=7)
    panel.grid(color="#dddddd", linewidth=0.5)


def main(given: Sequence[str] | None = None) -> None:
    """Answer the models, save what is certified, and draw it."""
    options = arguments(__doc__, given)
    names = list(GAMES)[:1] if options.quick else list(GAMES)
    weights, steps = (WEIGHTS[::4], 4) if options.quick else (WEIGHTS, STEPS)
    rows = [row for name in names for row in rows_of(name, weights, steps)]
    save(options.out / "tradeoff.csv", rows)
    draw(options.out / "tradeoff.png", rows)
    show("Won against a model, and guaranteed", rows, list(rows[0]), "kind")


if __name__ == "__main__":
    main()
