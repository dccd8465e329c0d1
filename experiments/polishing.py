"""How far does polishing take an average, round by round, and what does the linear program give?

`python -m experiments.polishing` takes decks of Rhode Island hold'em (ranks x suits, three bets a round, by lossless `equitable`
classes) to an average of `hs-dcfr`, polishes it, and records the certified nash_gap in chips after each round, with CPU seconds from
the start of polishing. Clarabel on the linear program of the same classes is a row of its own where its memory allows. `--large`
takes the 52-card game, too: an hour or two, and about 5 GB.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from abstraction.criteria import reduction
from experiments.tables import Row, arguments, cpu, save, show, show_versions, warm_up
from games.rhode_island import rhode_island
from seqform import certify, solve
from seqform.polish import Round, polish
from seqform.report import peak_rss_mb
from seqform.sequence_form import SequenceForm


class Deck(NamedTuple):
    """Ranks and suits, the gaps to start from and to reach, in chips, how many rounds, and whether the linear program is solved, too."""

    ranks: int
    suits: int
    start: float
    aim: float
    rounds: int
    program: bool


QUICK = (Deck(3, 2, 1e-3, 1e-9, 10, True),)
DECKS = (Deck(3, 4, 3e-5, 1e-11, 8, True), Deck(4, 4, 1e-4, 1e-9, 10, True), Deck(6, 4, 1e-4, 1e-8, 5, True))
LARGE = (Deck(13, 4, 2e-5, 1e-8, 4, False),)
COLUMNS = ("deck", "stage", "round", "nash_gap", "kept_0", "kept_1", "cpu_seconds", "peak_mb")


def rows_of(deck: Deck) -> list[Row]:
    """Return the average, each round of polishing, and the linear program where it is wanted."""
    game = rhode_island(deck.ranks, deck.suits)
    form, _ = reduction("equitable", game).apply(game)
    rows = [*polished(deck, form)]
    if deck.program:
        seconds, solution = cpu(lambda: solve(form, solver="clarabel"))
        rows.append(_row(deck, "linear program", 0, solution.nash_gap, (1.0, 1.0), seconds))
    return rows


def polished(deck: Deck, form: SequenceForm) -> list[Row]:
    """Return the average and each round of polishing."""
    seconds, average = cpu(lambda: solve(form, method="hs-dcfr", gap=deck.start))
    if average.profile is None:
        raise SystemExit(f"no average of {deck.ranks} x {deck.suits}: {average.message}")
    rows = [_row(deck, "average", 0, certify(form, average.profile).nash_gap, (1.0, 1.0), seconds)]
    start = time.process_time()

    def tell(now: Round) -> None:
        rows.append(_row(deck, "polished", len(rows), now.gap, now.kept, time.process_time() - start))

    polish(form, average.profile, gap=deck.aim, rounds=deck.rounds, callback=tell)
    return rows


def _row(deck: Deck, stage: str, number: int, gap: float, kept: tuple[float, float], seconds: float) -> Row:
    return {
        "deck": f"{deck.ranks}x{deck.suits}",
        "stage": stage,
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
