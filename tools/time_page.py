"""How large pages are, and how soon they can be used: `python -m tools.time_page report.html ...`.

Each page is opened five times in Chromium without a window. Counted is from the start of the
navigation until the page has been painted and has answered a click: a hand's cell, a tree's node
or the button that checks. `--picture FILE.png` saves what the last page looks like.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from tools.browser import CHROMIUM, DESK, DRIVER, PHONE, resize, start

RUNS = 5

ANSWER = """
const done = arguments[0];
const controls = ".cell[tabindex='-1'], .below summary, [data-check], .sortable button, summary";
const painted = (then) => requestAnimationFrame(() => setTimeout(then));
painted(() => {
  const control = document.querySelector(controls);
  control?.click();
  painted(() => done(control ? performance.now() : null));
});
"""


def milliseconds(browser: Any, page: Path) -> float:
    """Return the time until a page has answered a click, of a navigation of its own."""
    browser.get("about:blank")
    browser.get(page.resolve().as_uri())
    found = browser.execute_async_script(ANSWER)
    if found is None:
        raise SystemExit(f"{page}: there is nothing to click on")
    return float(found)


def main(pages: list[Path], picture: Path | None, size: tuple[int, int], scheme: str) -> None:
    """Print a line for each page."""
    with tempfile.TemporaryDirectory() as profile:
        browser = start(Path(profile))
        try:
            resize(browser, *size, scheme)
            for page in pages:
                times = [milliseconds(browser, page) for _ in range(RUNS)]
                print(
                    f"{page}: {page.stat().st_size:,} bytes, answers after "
                    f"{median(times):.0f} ms (median of {RUNS}; at most {max(times):.0f} ms)"
                )
            if picture is not None:
                browser.save_screenshot(str(picture))
        finally:
            browser.quit()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    parser.add_argument("--width", type=int, default=DESK, help=f"of a phone: {PHONE}")
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--scheme", choices=("light", "dark"), default="light")
    given = parser.parse_args()
    if CHROMIUM is None or DRIVER is None:
        sys.exit("this needs chromium and chromedriver on the path")
    main(given.pages, given.picture, (given.width, given.height), given.scheme)
