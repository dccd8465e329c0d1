"""Endgames of hold'em by regret minimization: `python -m benchmarks.holdem SPOT [PERCENT]` prints
JSON.

A spot is solved from the start to each gap, in a process of its own, on one thread, after kernels
are loaded and compiled. Percentages are of the pot, and of exploitability as other solvers print
it: half of the nash_gap. CPU seconds are told apart by the looks at the gap: set-up is all before
the first one (of one iteration), the search what lies between the first and the last.

Without a percentage the same iterations are done by one thread and by two.

Libratus' endgames are measured where there are files of them: `SEQFORM_LIBRATUS` names a folder
that has them as `subgame*.txt`. They say no bet sizes; those of `LIBRATUS_SIZES` are ours.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.markdown import Table
from benchmarks.measure import run

SEQFORM = Path(sys.executable).parent / "seqform"
LIMIT = 1800.0

TOY = {"board": "2c2d2h3c3d", "oop": "AA,QQ", "ip": "KK", "pot": 100, "stack": 100}


@dataclass(frozen=True)
class Spot:
    """A spot, and to what it is solved.

    Parameters
    ----------
    game, parameters
        Its name, and what is not as by default.
    percents
        Of the pot; the exploitabilities to reach.
    repeats
        How often each is measured; the middle is reported.
    half
        Whether regrets and averages are kept in 16 bits.
    """

    game: str
    parameters: dict[str, Any]
    percents: tuple[float, ...]
    repeats: int = 1
    half: bool = False


OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
"""The ranges of the preset `flop`: they tell suited hands from others."""

SPOTS = {
    "a, river": Spot("river", {}, (0.5, 0.1, 0.01), 5),
    "b, turn": Spot("turn", {}, (0.5, 0.1, 0.05)),
    "b, ranges of c": Spot("turn", {"oop": OOP, "ip": IP}, (0.5, 0.1, 0.05)),
    "c, flop": Spot("flop", {}, (0.5, 0.1)),
    "b, turn, 16 bits": Spot("turn", {}, (0.5, 0.1, 0.05), half=True),
    "c, flop, 16 bits": Spot("flop", {}, (0.5, 0.1), half=True),
    "d, toy": Spot("holdem", {**TOY, "sizes": "bet 100%"}, (0.1,), 5),
}
"""Spots that other solvers were measured on, with the same trees."""

SHARED, SHARED_SPOTS = 60, ("b, turn", "c, flop")
"""Iterations that one thread and two do, and of which spots."""

LIBRATUS = "SEQFORM_LIBRATUS"
LIBRATUS_SIZES = "bet 50%,100%,a; raise 100%,a; cap 3"
SECONDS = (1, 3, 10, 30, 100)
"""CPU seconds of a search after which Libratus' endgames are looked at."""

LIBRATUS_GAP = 0.02
"""Chips to which they are searched at most: a tenth of a milli-blind to be exploited for. Beside
stacks of 20,000 that is still a search in single precision, as those for usual gaps are."""

BIG_BLIND = 100

SAMPLE = 128_000_000
"""Bytes that no cache holds."""


class Looks:
    """Takes the seconds at each look of a search, by a clock, and the gap."""

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self.clock, self.start = clock, clock()
        self.found: list[tuple[float, float]] = []

    def __call__(self, now: Any) -> None:
        """Take one look."""
        self.found.append((self.clock() - self.start, now.gap))

    @property
    def set_up(self) -> float:
        """Seconds until the first look."""
        return self.found[0][0]

    @property
    def search(self) -> float:
        """Seconds from the first to the last look."""
        return self.found[-1][0] - self.found[0][0]


def measure(name: str, percent: float) -> dict[str, Any]:
    """Solve a spot to a share of its pot; return what that took, and what came out."""
    from seqform import make, solve

    spot = SPOTS[name]
    game = make(spot.game, **spot.parameters)
    pot = 2 * float(game.beyond[0])
    certificate(solve(game, method="dcfr", iterations=1, half=spot.half))  # compiles
    runs = []
    for _ in range(spot.repeats):
        looks = Looks()
        gap = 2 * pot * percent / 100
        found = solve(game, method="dcfr", gap=gap, half=spot.half, callback=looks)
        runs.append(looks)
    search, size = median(looks.search for looks in runs), counted(game, spot.half)
    return {
        "iterations": found.iterations,
        "search, CPU s": search,
        "ms an iteration": 1e3 * search / (found.iterations - 1),  # the first is set-up
        "ms to pass over its arrays": 1e3 * pass_over(size),
        "set-up": median(looks.set_up for looks in runs),
        "certificate": certificate(found),
        "MB counted": size / 1e6,
        "EV": float(found.value) + pot / 2,
        "from": found.lower + pot / 2,
        "to": found.upper + pot / 2,
        "exploitability, % of the pot": 50 * found.gap / pot,
    }


def certificate(solution: Any) -> float:
    """Return the CPU seconds of certifying an answer again."""
    from seqform import certify

    start = time.process_time()
    certify(solution.game, solution.profile)
    return time.process_time() - start


def pass_over(size: int) -> float:
    """Return the seconds of reading and writing so many bytes once: what memory alone takes.

    The least of 20 tries: a thousandth of a second is too short for a clock of CPU time. Of large
    arrays a part is gone through, that the process is not measured with a larger one.
    """
    import numpy as np

    array = np.ones(min(size, SAMPLE) // 4, dtype=np.float32)

    def once() -> float:
        start = time.perf_counter()
        np.negative(array, out=array)
        return time.perf_counter() - start

    return size / array.nbytes * min(once() for _ in range(20))


def counted(game: Any, half: bool = False) -> int:
    """Return the bytes of regrets and averages, for each action of a hand that stands for others.

    What fills up vectors is counted too.
    """
    from games.tree_size import BYTES_AN_ENTRY, HALF_AN_ENTRY
    from seqform.form.hand_structure import HandStructure
    from seqform.solvers.iterative.regret.hand_layout import lay_out

    structure = HandStructure(game)
    streets = lay_out(structure, structure.alike_cards).streets
    found = 0
    for street in streets:
        size = HALF_AN_ENTRY if half and street is streets[-1] else BYTES_AN_ENTRY
        for side, held in zip(street.round.sides, street.held, strict=True):
            found += size * side.num_actions * held.num_places
    return found


def holdem() -> Table:
    """Endgames of hold'em by `dcfr` to each exploitability: CPU seconds on one thread; EV is the
    first player's share of the pot, with the certified interval of the value."""
    rows: Table = []
    for name, spot in SPOTS.items():
        for percent in spot.percents:
            command = [sys.executable, "-m", "benchmarks.holdem", name, str(percent)]
            measured = run(command, LIMIT)
            found = measured.record or {"note": measured.note}
            known = {"spot": name, "to, % of the pot": percent}
            rows.append(known | found | {"MB of the process": measured.peak_mb})
    return rows


def holdem_processes() -> Table:
    """`seqform solve river --method dcfr --gap 0.4` as a whole process: CPU and wall seconds, in
    the middle of 5 with kernels compiled before, and once where nothing was."""
    command = [str(SEQFORM), "solve", "river", "--method", "dcfr", "--gap", "0.4", "--json"]
    run(command, LIMIT)
    warm = [run(command, LIMIT) for _ in range(5)]
    with tempfile.TemporaryDirectory() as empty:
        cold = run(["env", f"NUMBA_CACHE_DIR={empty}", *command], LIMIT)
    return [
        {
            "kernels": kernels,
            "CPU s": median(each.cpu for each in runs),
            "wall s": median(each.wall for each in runs),
            "peak MB": max(each.peak_mb for each in runs),
        }
        for kernels, runs in (("compiled before", warm), ("compiled now", [cold]))
    ]


def shared(name: str) -> dict[str, Any]:
    """Return the wall seconds of a search of a spot by one thread and by two, and their ratio."""
    from seqform import make, solve

    spot, found = SPOTS[name], {}
    game = make(spot.game, **spot.parameters)
    for threads in (1, 2):
        looks = Looks(time.perf_counter)
        solve(game, method="dcfr", iterations=SHARED, threads=threads, callback=looks)
        found[threads] = looks.search
    return {
        "one thread, wall s": found[1],
        "two threads": found[2],
        "times as fast": found[1] / found[2],
    }


def holdem_threads() -> Table:
    """The same iterations of `dcfr` by one thread and by two, looks at the gap included."""
    rows: Table = []
    for name in SHARED_SPOTS:
        measured = run([sys.executable, "-m", "benchmarks.holdem", name], LIMIT)
        found = measured.record or {"note": measured.note}
        rows.append({"spot": name, "iterations": SHARED} | found)
    return rows


def endgame(path: str) -> Table:
    """Return the exploitability of an endgame of a file after so many CPU seconds of a search."""
    from seqform import make, solve

    game = make("holdem", spot=path, sizes=LIBRATUS_SIZES)
    pot = 2 * float(game.beyond[0])
    solve(game, method="dcfr", iterations=1, gap=LIBRATUS_GAP)  # compiles
    rows = []
    for seconds in SECONDS:
        looks = Looks()
        found = solve(game, method="dcfr", gap=LIBRATUS_GAP, callback=Until(looks, seconds))
        rows.append(
            {
                "endgame": Path(path).stem,
                "search, CPU s": looks.search,
                "iterations": found.iterations,
                "exploitability, chips": found.gap / 2,
                "% of the pot": 50 * found.gap / pot,
                "milli-blinds": 1000 * found.gap / 2 / BIG_BLIND,
                "EV": float(found.value) + pot / 2,
            }
        )
        if found.gap <= LIBRATUS_GAP:
            break
    return rows


class Until:
    """Ends a search at the first look after so many CPU seconds, as a user would."""

    def __init__(self, looks: Looks, seconds: float) -> None:
        self.looks, self.seconds = looks, seconds

    def __call__(self, now: Any) -> None:
        """Take a look, and interrupt the search if it is time."""
        self.looks(now)
        if self.looks.search >= self.seconds:
            signal.raise_signal(signal.SIGINT)


def libratus() -> Table:
    """Endgames of Libratus by `dcfr`, with bet sizes of ours: exploitability after CPU seconds of
    the search, certified."""
    folder = os.environ.get(LIBRATUS)
    if folder is None:
        raise SystemExit(f"set {LIBRATUS} to the folder that has subgame1.txt, ...")
    rows: Table = []
    for path in sorted(Path(folder).glob("subgame*.txt")):
        measured = run([sys.executable, "-m", "benchmarks.holdem", str(path)], LIMIT)
        found = json.loads(measured.printed or "[]") or [{"note": measured.note}]
        rows += [{"endgame": path.stem} | row for row in found]
    return rows


TABLES = {
    "holdem": holdem,
    "holdem_processes": holdem_processes,
    "holdem_threads": holdem_threads,
}

if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], float(sys.argv[2]))))
    elif sys.argv[1] in SPOTS:
        print(json.dumps(shared(sys.argv[1])))
    else:
        print(json.dumps(endgame(sys.argv[1])))
