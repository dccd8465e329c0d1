"""Every run draws the same random games, none is timed, and all can be interrupted.

`make test-long` draws others, and more of them: `--hypothesis-profile anew`. The options of the
group `elsewhere` make this machine behave as others do (`python -m tools.elsewhere`).
"""

from __future__ import annotations

import gc
import random
import signal
import sys
import time
from itertools import groupby

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["plugin"]  # a package of its own, which test_plugin.py installs

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "seeded",
    derandomize=True,
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "anew",
    settings.get_profile("seeded"),
    derandomize=False,
    print_blob=True,
    max_examples=60,
)
settings.load_profile("seeded")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("elsewhere", "as on other machines")
    group.addoption("--shuffle", type=int, metavar="SEED", help="run tests in another order")
    group.addoption("--highs-seed", type=int, metavar="SEED", help="have HiGHS choose otherwise")
    group.addoption(
        "--clock", type=float, default=1.0, metavar="FACTOR", help="have time go by so much faster"
    )


def pytest_configure(config: pytest.Config) -> None:
    factor, read = config.getoption("--clock"), time.perf_counter
    if factor != 1:
        time.perf_counter = lambda: factor * read()
    if config.getoption("--highs-seed") is not None:
        seed_highs(config.getoption("--highs-seed"))


def seed_highs(seed: int) -> None:
    """Have every HiGHS object of ours begin with another random seed."""
    from seqform.solvers.linear.turn import SilentHighs

    begin = SilentHighs.__init__

    def seeded(self: SilentHighs) -> None:
        begin(self)
        self.setOptionValue("random_seed", seed)

    SilentHighs.__init__ = seeded  # type: ignore[method-assign]


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an answer that is found be handed over however late: how late hangs on the load."""
    monkeypatch.setattr("seqform.base.deadline.MORE", 600.0)


DIGITS = sys.get_int_max_str_digits()


def pytest_runtest_teardown() -> None:
    """Put back Python's limit on digits, which the checker of certificates lifts for itself."""
    sys.set_int_max_str_digits(DIGITS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle files, and what is in each: what a file shares is made once."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        draw = random.Random(seed)
        files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
        draw.shuffle(files)
        for tests in files:
            draw.shuffle(tests)
        items[:] = [item for tests in files for item in tests]


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make only: a point of an experiment begins with a look.

    The tests themselves are half a million objects, and stay to the end.
    """
    stay()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="module", autouse=True)
def _loaded_before() -> None:
    """What earlier files have loaded stays too."""
    stay()


def stay() -> None:
    """Have all that is no garbage now be looked at no more."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in a line what was left out for want of a browser."""
    skipped = terminalreporter.stats.get("skipped", [])
    if count := sum("chromium" in str(report.longrepr) for report in skipped):
        terminalreporter.line(
            f"{count} tests of pages were left out: there is no chromium with a chromedriver here"
        )
