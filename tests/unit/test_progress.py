"""What a user sees while a search runs."""

from __future__ import annotations

import itertools
import math
import os
import pty
import re
import subprocess
import sys

import pytest

from seqform import make, solve
from seqform.cli.forecast import Countdown, Forecast, in_words
from seqform.methods.forecast import certificate_seconds, lifting_seconds
from seqform.solvers.iterative.search import Progress, next_look

PROGRESS = re.compile(
    r"[\d,]+ iterations, \d+ a second, gap [\d.e-]+, value in \[-?\d\.\d+, -?\d\.\d+\], "
    r"(about [\d.]+ \w+ to the gap|time left unknown)"
)


def plain(shown: bytes) -> str:
    """Return what a terminal shows, without its colors and movements."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode(errors="replace"))


def seen(seconds: float, gap: float, aim: float) -> Progress:
    return Progress(int(100 * seconds) + 1, seconds, -gap / 2, gap / 2, aim)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 1.5, 3.0])
def test_on_a_power_law_the_forecast_is_right_from_the_second_look_on(exponent: float) -> None:
    forecast, aim = Forecast(), 1e-4
    end = (3.0 / aim) ** (1 / exponent)
    for k in range(30):
        seconds = 1.2**k
        left = forecast.seconds_left(seen(seconds, 3.0 / seconds**exponent, aim))
        if k and seconds < end:
            assert left == pytest.approx(end - seconds, rel=1e-6, abs=1e-6)


def test_the_start_is_forgotten() -> None:
    """A search that starts slowly, then falls like 1/t: the forecast comes to go by the latter."""
    forecast = Forecast()
    for k in range(60):
        seconds = 1.2**k
        left = forecast.seconds_left(
            seen(seconds, 10.0 if seconds < 100 else 1000.0 / seconds, 1e-3)
        )
    assert left == pytest.approx(1e6 - seconds, rel=1e-6)


def test_no_forecast_without_grounds() -> None:
    forecast = Forecast()
    assert forecast.seconds_left(seen(1.0, 1.0, 1e-3)) == math.inf  # one point
    assert forecast.seconds_left(seen(2.0, 1.0, 1e-3)) == math.inf  # no progress
    assert forecast.seconds_left(seen(3.0, 2.0, 1e-3)) == math.inf  # the wrong way
    assert forecast.seconds_left(seen(4.0, 1e-4, 1e-3)) == 0.0  # there
    assert Forecast().seconds_left(seen(0.0, 1.0, 1e-3)) == math.inf  # no time has passed
    for gap, aim in ((1.0, 0.0), (1e-3, -1e-9), (0.0, -1e-9), (-1e-12, -1e-9), (math.nan, 1e-3)):
        forecast = Forecast()
        assert [forecast.seconds_left(seen(now, gap, aim)) for now in (1.0, 2.0)] == [math.inf] * 2
    assert in_words(math.inf) == "time left unknown"


@pytest.mark.parametrize("power", [0.7, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("reached", [10, 82, 233, 1142, 100_000])
def test_looks_are_few_and_the_last_one_is_not_late(power: float, reached: int) -> None:
    """However a gap falls, as long as it does not fall faster than is said."""
    seen, gap = [0], math.inf
    while gap > 1:
        seen.append(next_look(seen[-1], gap, 1.0))
        gap = (reached / seen[-1]) ** power
    assert seen[-1] <= 1.02 * reached
    assert len(seen) - 1 <= 16 + reached / 25
    assert len(seen) - 1 <= 20 + math.log(reached, 1.1)
    for before, after in itertools.pairwise(seen):
        assert after <= 1 + 1.02 * max(1.1 * before, before + 25)


@pytest.mark.parametrize("gap", [math.nan, math.inf, -math.inf, -1.0, 0.0, 1e-300, 1.0, 1e300])
@pytest.mark.parametrize("aim", [0.0, 1e-300, 1e-3, 1.0])
def test_a_search_comes_to_its_next_look_whatever_it_has_seen(gap: float, aim: float) -> None:
    for iterations in (0, 1, 7, 100, 10**6):
        assert iterations < next_look(iterations, gap, aim) <= 1.13 * iterations + 27


@pytest.mark.parametrize("rate", [0.5, 30.0, 1e4])
def test_a_search_ends_at_the_look_that_was_forecast(rate: float) -> None:
    """Looks become rare, and a gap that is reached between two of them is seen at the second."""
    forecast, aim, iterations, ends = Forecast(), 1e-3, 1, []
    while True:
        now = Progress(iterations, iterations / rate, 0.0, 3 / iterations, aim)
        if now.gap <= aim:
            break
        ends.append(now.seconds + forecast.until_seen(now))
        iterations = next_look(iterations, now.gap, aim)
    assert ends[:2] == [math.inf] * 2  # the rest takes over a thousand times as long
    assert len(ends) > 30
    assert ends[2:] == pytest.approx([now.seconds] * (len(ends) - 2))
    assert forecast.until_seen(now) == 0


def test_the_time_left_goes_down_while_nothing_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    left, said = Countdown(302.0, 25.0), []
    for now[0] in (100.0, 360.0, 401.5, 406.0):
        said.append(str(left))
    assert said == [
        "about 5 min to the gap, then 25 s",
        "about 42 s to the gap, then 25 s",
        "nearly at the gap, then 25 s",
        "later than forecast, then 25 s",
    ]


def test_progress_knows_what_certifying_and_lifting_take() -> None:
    seen: list[Progress] = []
    found = solve(make("leduc"), abstract="suit", method="dcfr", iterations=3, callback=seen.append)
    assert found.abstract is not None
    sequences = sum(plex.num_sequences for plex in found.game.treeplexes)
    wanted = certificate_seconds(found.abstract.game) + lifting_seconds(sequences, by_boards=True)
    assert [now.after for now in seen] == pytest.approx([wanted] * 3)


def test_a_terminal_shows_the_gap_the_interval_the_rate_and_the_time_left() -> None:
    parent, child = pty.openpty()
    command = [
        "solve",
        "liars-dice",
        "-p",
        "sides=5",
        "--method",
        "cfr",
        "--gap",
        "1e-12",
        "--time-limit",
        "60",
    ]
    code = "from seqform.cli import main; main()"
    environment = {**os.environ, "COLUMNS": "200", "TERM": "xterm"}
    running = subprocess.Popen(
        [sys.executable, "-c", code, *command],
        stderr=child,
        stdout=subprocess.DEVNULL,
        env=environment,
    )
    os.close(child)
    shown = b""
    while not PROGRESS.search(plain(shown)):
        try:
            piece = os.read(parent, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(parent)
    running.kill()
    running.wait()
    assert PROGRESS.search(plain(shown)), shown
