"""How far does polishing take an average, or a linear program's solution, round by round?

`python -m experiments.polishing` takes decks of Rhode Island hold'em (ranks x suits, three bets a
round, by lossless `equitable` classes) to an average of `hs-dcfr`, and to the answer of Clarabel
where its memory allows; it polishes both, and records the certified nash_gap in chips after each
round, with CPU seconds from the start of the search or of the program. `--large` takes the 52-card
game, too: an hour or two, and about 5 GB.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from abstraction.equitable import EQUITABLE
from experiments.tables import Row, arguments, cpu, save, show, show_versions, warm_up
from games.rhode_island import rhode_island
from seqform import solve
from seqform.base.memory import peak_rss_mb
from seqform.form.sequence_form import SequenceForm
from seqform.methods.polish import Round, polish
from seqform.results.solution import Solution


class Deck(NamedTuple):
    """A deck of so many ranks and suits, and what is done with it.

    First the gaps, in chips, of the average and to reach; then how many rounds, and whether the
    linear program is solved, too.
    """

    ranks: int
    suits: int
    start: float
    aim: float
    rounds: int
    program: bool


QUICK = (Deck(3, 2, 1e-3, 1e-9, 10, True),)
DECKS = (
    Deck(3, 4, 3e-5, 1e-11, 8, True),
    Deck(4, 4, 1e-4, 1e-9, 10, True),
    Deck(6, 4, 1e-4, 1e-8, 5, False),
)
LARGE = (Deck(13, 4, 2e-5, 1e-8, 4, False),)
COLUMNS = ("deck", "start", "round", "nash_gap", "kept_0", "kept_1", "cpu_seconds", "peak_mb")


def rows_of(deck: Deck) -> list[Row]:
    """Return the average and its rounds of polishing.

    Where it is wanted, the linear program and its rounds follow.
    """
    game = rhode_island(deck.ranks, deck.suits)
    form, _ = EQUITABLE.apply(game)
    rows = rounds_of(deck, "average", form, lambda: solve(form, method="hs-dcfr", gap=deck.start))
    return rows + (
        rounds_of(deck, "program", form, lambda: solve(form, solver="clarabel"))
        if deck.program
        else []
    )


def rounds_of(
    deck: Deck, start: str, form: SequenceForm, first: Callable[[], Solution]
) -> list[Row]:
    """Return what a first solution came to, and each round of polishing it."""
    seconds, solution = cpu(first)
    rows = [_row(deck, start, 0, solution.nash_gap, (1.0, 1.0), seconds)]
    begun = time.process_time() - seconds

    def tell(now: Round) -> None:
        rows.append(_row(deck, start, len(rows), now.gap, now.kept, time.process_time() - begun))

    if solution.profile is not None:
        polish(form, solution.profile, gap=deck.aim, rounds=deck.rounds, callback=tell)
    return rows


def _row(
    deck: Deck, start: str, number: int, gap: float, kept: tuple[float, float], seconds: float
) -> Row:
    return {
        "deck": f"{deck.ranks}x{deck.suits}",
        "start": start,
        "round": number,
        "nash_gap": gap,
        "kept_0": round(kept[0], 3),
        "kept_1": round(kept[1], 3),
        "cpu_seconds": round(seconds, 2),
        "peak_mb": round(peak_rss_mb()),
    }


def main(given: Sequence[str] | None = None) -> None:
    """Run, save and print."""
    options = arguments(__doc__, given, large="the game of 52 cards, too: hours")
    warm_up()
    rows: list[Row] = []
    for deck in QUICK if options.quick else DECKS + LARGE * options.large:
        rows += rows_of(deck)
        save(options.out / "polishing.csv", rows)
    show("Polishing Rhode Island hold'em, by rounds", rows, COLUMNS, "deck")
    show_versions()


if __name__ == "__main__":
    main()
