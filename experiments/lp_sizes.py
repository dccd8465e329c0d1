"""How large is Rhode Island's linear program after each reduction, and what does that lose?

`python -m experiments.lp_sizes` counts the linear programs of decks from 3x2 to 13x4 (ranks x
suits) under the full rules, at most three bets a round, and solves smaller decks with at most one
bet a round before and after each reduction. CPU seconds of sizes are those of counting ("none") or
of reducing; of losses, those of reducing, solving, lifting and certifying.

A reduction loses what the players can gain by deviating in the *whole* game from an equilibrium of
the smaller one: the nash_gap of the lifted profile, half of which is its exploitability. The
smaller game may have several equilibria, and `outcome` is measured on the one that the solver
returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from experiments.drawing import draw_sizes
from experiments.tables import Row, arguments, cpu, save, show, show_versions, verdict, warm_up
from games.rhode_island import rhode_island
from seqform import solve
from seqform.form.counts_from_signals import count_signal_game
from seqform.form.from_signals import build_signal_form
from seqform.game.deals import num_deals
from seqform.game.observations import SignalStructure
from seqform.methods.shrink import shrink
from seqform.results.reduction import REDUCTIONS, lift
from seqform.results.solution import Solution
from seqform.solvers.linear.program import lp_size

Deck = tuple[int, int]
"""Ranks and suits."""

FULL_RULES, ONE_BET = 3, 1
CRITERIA = ("suit", "equitable", "outcome")
DECKS: tuple[Deck, ...] = tuple((ranks, suits) for suits in (2, 3, 4) for ranks in range(3, 14))
SOLVED: tuple[Deck, ...] = (
    (3, 2),
    (4, 2),
    (5, 2),
    (6, 2),
    (7, 2),
    (8, 2),
    (3, 3),
    (4, 3),
    (5, 3),
    (6, 3),
    (3, 4),
    (4, 4),
    (5, 4),
)
QUICK_DECKS: tuple[Deck, ...] = ((3, 2), (4, 2), (3, 3))
QUICK_SOLVED: tuple[Deck, ...] = ((3, 2), (4, 2))

DIRECT_UP_TO = 700_000
"""Nonzeros of the linear program up to which the whole game is solved as it is; beyond, through
`suit`."""


def sizes_of(deck: Deck) -> list[Row]:
    """Return the size of a deck's linear program as it is and after each reduction."""
    return [size_before(deck), *(size_after(deck, criterion) for criterion in CRITERIA)]


def size_before(deck: Deck) -> Row:
    """Return the size of the linear program of the game as it is, by counting."""
    structure = SignalStructure(rhode_island(*deck, FULL_RULES))
    seconds, counts = cpu(lambda: count_signal_game(structure))
    size = lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )
    observations = [
        num_deals(structure.game.deck, len(structure.seen(0, stage)))
        for stage in range(structure.num_stages)
    ]
    return _size_row(deck, "none", size._asdict(), observations, seconds)


def size_after(deck: Deck, criterion: str) -> Row:
    """Return the size of the linear program after a reduction, and the CPU seconds of reducing."""
    record = shrink(rhode_island(*deck, FULL_RULES), criterion)
    return _size_row(deck, criterion, record["after"], record["classes"], record["seconds"])


def _size_row(
    deck: Deck, name: str, size: dict[str, int], classes: Sequence[int], seconds: float
) -> Row:
    return {
        **_deck_columns(deck, FULL_RULES),
        "reduction": name,
        **size,
        **{f"classes_round_{number}": count for number, count in enumerate(classes, start=1)},
        "cpu_seconds": round(seconds, 4),
    }


def losses_of(deck: Deck) -> list[Row]:
    """Solve the whole game and every reduction of it, and return what each reduction loses."""
    solved = {criterion: cpu(partial(solve_reduced, deck, criterion)) for criterion in CRITERIA}
    direct = solve_direct(deck)
    whole = direct or solved["suit"][1][1]
    before: Row = {
        **_deck_columns(deck, ONE_BET),
        "value": float(whole.value),
        "value_lower": whole.lower,
        "value_upper": whole.upper,
        "value_solved_by": "suit" if direct is None else "none",
    }
    return [
        before | _loss(name, float(whole.value), *pair, seconds)
        for name, (seconds, pair) in solved.items()
    ]


def solve_reduced(deck: Deck, criterion: str) -> tuple[Solution, Solution]:
    """Return the solution of the smaller game, and the same lifted into the whole game."""
    game = rhode_island(*deck, ONE_BET)
    smaller, inverse = REDUCTIONS.get(criterion).apply(game)
    abstract = solve(smaller)
    return abstract, lift(abstract, inverse)


def solve_direct(deck: Deck) -> Solution | None:
    """Return the solution of the game as it is, or None where its linear program is large."""
    structure = SignalStructure(rhode_island(*deck, ONE_BET))
    counts = count_signal_game(structure)
    size = lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )
    return solve(build_signal_form(structure)) if size.nonzeros <= DIRECT_UP_TO else None


def _loss(name: str, value: float, abstract: Solution, lifted: Solution, seconds: float) -> Row:
    return {
        "reduction": name,
        "lp_rows": abstract.sizes["lp_rows"],
        "lp_nonzeros": abstract.sizes["lp_nonzeros"],
        "abstract_value": float(abstract.value),
        "abstract_nash_gap": abstract.nash_gap,
        "value_error": float(abstract.value) - value,
        "nash_gap": lifted.nash_gap,
        "exploitability": lifted.exploitability,
        "verdict": verdict(lifted),
        "cpu_seconds": round(seconds, 3),
    }


def _deck_columns(deck: Deck, max_bets: int) -> Row:
    ranks, suits = deck
    return {
        "deck": f"{ranks}x{suits}",
        "ranks": ranks,
        "suits": suits,
        "cards": ranks * suits,
        "max_bets": max_bets,
    }


SIZE_COLUMNS = (
    "deck",
    "reduction",
    "rows",
    "columns",
    "nonzeros",
    "classes_round_1",
    "classes_round_2",
    "classes_round_3",
    "cpu_seconds",
)
LOSS_COLUMNS = (
    *("deck", "value", "value_solved_by", "reduction", "lp_rows", "abstract_value"),
    *("nash_gap", "exploitability", "verdict", "cpu_seconds"),
)


def main(given: Sequence[str] | None = None) -> None:
    """Count, solve, save and print."""
    options = arguments(__doc__, given)
    warm_up()
    sizes = [row for deck in (QUICK_DECKS if options.quick else DECKS) for row in sizes_of(deck)]
    save(options.out / "lp_sizes.csv", sizes)
    draw_sizes(options.out / "lp_sizes.png", sizes)
    losses = [
        row for deck in (QUICK_SOLVED if options.quick else SOLVED) for row in losses_of(deck)
    ]
    save(options.out / "lp_losses.csv", losses)
    show(
        "Linear programs of Rhode Island hold'em, at most 3 bets a round",
        sizes,
        SIZE_COLUMNS,
        "deck",
    )
    show(
        "What reductions lose, at most 1 bet a round (chips; "
        "LOSSY: the lifted profile is no equilibrium)",
        losses,
        LOSS_COLUMNS,
        "deck",
    )
    show_versions()


if __name__ == "__main__":
    main()
