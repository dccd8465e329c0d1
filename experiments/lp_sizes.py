"""How large is Rhode Island hold'em's linear program after each reduction?

The decks go from 3x2 to 13x4 (ranks x suits), under the full rules, at most three bets a round.
CPU seconds are those of counting ("none") or of reducing.

Claim: `outcome` leaves a 74th of the whole game's rows, and `equitable`, which loses nothing, a
17th.

Source: Gilpin and Sandholm, J. ACM 54(5), 2007: 91,224,226 rows and columns before, and 1,237,238
after.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments.decks import cards, deck_axis
from experiments.drawing import draw_sizes
from experiments.markdown import table
from seqform.experiment import Axis, ExperimentSpec, Point, Role, Row, run_as_script
from seqform.form.counts_from_signals import count_signal_game
from seqform.form.sizes import counted_lp_size, form_lp_size
from seqform.game.catalogue import make
from seqform.game.deals import num_deals
from seqform.game.observations import SignalStructure, num_classes
from seqform.links.chain import reduce
from seqform.solvers.linear.sparsified_program import sparsified_lp_size
from seqform.strategies.evaluate.lines import signals_in

DECKS = tuple(f"{ranks}x{suits}" for suits in (2, 3, 4) for ranks in range(3, 14))
CRITERIA = ("none", "suit", "equitable", "outcome")


def size(point: Point) -> Row:
    """Return the size of a deck's linear program, as it is or after a reduction."""
    found = size_before(point) if point.reduction == "none" else size_after(point)
    deck = {name: point.parameters[name] for name in ("ranks", "suits")}
    return {**deck, "cards": cards(point), **found}


def size_before(point: Point) -> Row:
    """Return the size of the linear program of the game as it is, by counting."""
    structure = SignalStructure(make("rhode-island", **point.parameters))
    observations = [
        num_deals(structure.game.deck, len(structure.seen(0, stage)))
        for stage in range(structure.num_stages)
    ]
    return {**counted_lp_size(count_signal_game(structure))._asdict(), **_classes(observations)}


def size_after(point: Point) -> Row:
    """Return the size of the linear program after a reduction."""
    game = make("rhode-island", **point.parameters)
    form, _ = reduce(game, point.reduction, point.threshold)
    sparsified = sparsified_lp_size(form)
    _, classes = signals_in(form)
    return {
        **form_lp_size(form)._asdict(),
        "sparsified_rows": sparsified.rows,
        "sparsified_nonzeros": sparsified.nonzeros,
        **_classes(num_classes(classes)[0]),
    }


def _classes(counts: list[int]) -> Row:
    return {f"classes_round_{number}": count for number, count in enumerate(counts, start=1)}


def write_whole_game(rows: Sequence[Row]) -> str:
    """Return what each criterion leaves of the largest deck."""
    largest = max((row["cards"] or 0 for row in rows), default=0)
    return table(
        {
            "": row["reduction"] if row["reduction"] == "none" else f"`{row['reduction']}`",
            "classes by round": ", ".join(f"{row[f'classes_round_{k}']:,}" for k in (1, 2, 3)),
            "LP rows = columns": row["rows"],
            "LP nonzeros": row["nonzeros"],
        }
        for row in rows
        if row["cards"] == largest
    )


def write_sparsified(rows: Sequence[Row]) -> str:
    """Return the sizes of programs with the payoffs written out, and with auxiliary variables."""
    return table(
        {
            "deck": row["deck"],
            "classes": row["reduction"],
            "rows": row["rows"],
            "nonzeros": row["nonzeros"],
            "rows, sparsified": row["sparsified_rows"],
            "nonzeros, sparsified": row["sparsified_nonzeros"],
        }
        for row in rows
        if row["suits"] == 4
        and (row["reduction"] == "equitable" or (row["deck"], row["reduction"]) == ("13x4", "suit"))
    )


LP_SIZES = ExperimentSpec(
    name="lp_sizes",
    doc=__doc__,
    axes=(
        deck_axis(DECKS, ("3x2", "4x2", "3x3")),
        Axis("max_bets", (3,), plural="max_bets", help="bets a round", role=Role.PARAMETER),
        Axis("criterion", CRITERIA, plural="criteria", role=Role.REDUCTION),
    ),
    measure=size,
    figures={
        "lp_sizes.png": draw_sizes,
        "whole_game.md": write_whole_game,
        "sparsified.md": write_sparsified,
    },
    version=2,
    shown=("deck", "criterion", "rows", "columns", "nonzeros", "cpu_seconds"),
    memory=2 * 2**30,
)

if __name__ == "__main__":
    run_as_script("lp_sizes")
