"""Report pages: how large they are, how soon they answer, and how long their check takes.

Each result is solved and reported by `seqform`, and opened in Chromium without a window.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import run
from tools.browser import DESK, resize, start
from tools.time_page import RUNS, milliseconds

SEQFORM = Path(sys.executable).parent / "seqform"
DEALS = "--method dcfr --gap 0.1 --prove"
CASES = (
    *("kuhn", "leduc", "leduc --method dcfr --gap 1e-3", "leduc --abstract suit"),
    *("sheriff --method lcp", "sheriff --method efce", "tic-tac-toe --method backward"),
    f"rhode-island -p ranks=3 -p suits=2 --abstract equitable {DEALS}",
    f"rhode-island -p ranks=5 --abstract equitable {DEALS}",
    "rhode-island --gap 5e-2",
)
LIMIT = 1200.0
VERDICT = "return document.querySelector('.verdict')?.className ?? 'none'"


def pages() -> list[dict[str, Any]]:
    """Report pages: bytes, CPU seconds of making one, milliseconds until it has answered a click
    (median of 5), and seconds of its check."""
    with tempfile.TemporaryDirectory() as place:
        browser = start(Path(place) / "browser")
        try:
            resize(browser, DESK)
            return [measured(browser, case, Path(place)) for case in CASES]
        finally:
            browser.quit()


def measured(browser: Any, case: str, place: Path) -> dict[str, Any]:
    """Solve, report and open one result."""
    folder, page = place / "result", place / "page.html"
    run(["rm", "-rf", str(folder)], LIMIT)
    run([str(SEQFORM), "solve", *case.split(), "--out", str(folder)], LIMIT)
    made = run([str(SEQFORM), "report", str(folder), "-o", str(page)], LIMIT)
    return {
        "made by seqform solve": case,
        "bytes": page.stat().st_size,
        "report, CPU s": made.cpu,
        "answers, ms": median(milliseconds(browser, page) for _ in range(RUNS)),
        "check, s": checked(browser),
    }


def checked(browser: Any) -> float | None:
    """Return the seconds that the button of the open page takes; None where there is none.

    Raises
    ------
    RuntimeError
        If the page refuses its certificate.
    """
    begin = time.perf_counter()
    browser.execute_script("document.querySelector('[data-check]')?.click()")
    while "busy" in (found := browser.execute_script(VERDICT)):
        time.sleep(0.01)
    if "wrong" in found:
        raise RuntimeError("a page refuses its certificate")
    return None if found == "none" else time.perf_counter() - begin
