"""Pages of the site in a browser, from a disk: nothing is cut, formulas are set, search finds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from tests.imports import ROOT
from tools.browser import CHROMIUM, DESK, DRIVER, PHONE, resize, start

LONGEST_WAIT = 20.0
PAGES = ("README", "docs/benchmarks", "docs/data-model", "docs/explanation/gameshrink")
"""The pages of the small site: long lines of code, wide tables, formulas."""

CUT = """
return [...document.querySelectorAll("pre, .table-wrapper, .math-block")]
    .filter(part => part.scrollWidth > part.clientWidth + 1)
    .map(part => part.innerText.slice(0, 80));
"""

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no chromium with its driver here"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a few pages, by the configuration of the whole one."""
    folder = tmp_path_factory.mktemp("site")
    pages = ",".join(f"{page}.md" for page in PAGES)
    options = ["-D", f"include_patterns={pages},docs/static/**", "-D", f"root_doc={PAGES[0]}"]
    options += ["-D", "myst_all_links_external=1", "-d", str(folder / "doctrees")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-c", "docs", *options, ".", str(folder / "made")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return folder / "made"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.mark.parametrize("page", PAGES)
def test_no_code_table_or_formula_is_cut(browser: Any, site: Path, page: str) -> None:
    resize(browser, DESK)
    browser.get((site / f"{page}.html").as_uri())
    assert browser.execute_script(CUT) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_not_wider_than_a_phone(browser: Any, site: Path, page: str) -> None:
    resize(browser, PHONE)
    browser.get((site / f"{page}.html").as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE


def test_formulas_are_set_by_the_browser_alone(browser: Any, site: Path) -> None:
    resize(browser, DESK)
    browser.get((site / "docs/explanation/gameshrink.html").as_uri())
    formulas = browser.execute_script(
        "return [...document.querySelectorAll('math')].map(f => f.getBoundingClientRect().height)"
    )
    assert formulas
    assert all(height > 0 for height in formulas)
    assert "\\sum" not in browser.page_source


def test_search_works_from_a_disk(browser: Any, site: Path) -> None:
    browser.get(f"{(site / 'search.html').as_uri()}?q=equitable")
    found = WebDriverWait(browser, LONGEST_WAIT).until(
        lambda _: browser.execute_script(
            "return [...document.querySelectorAll('#search-results li a')].map(a => a.textContent)"
        )
    )
    assert any(title.startswith("GameShrink") for title in found)
    severe = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert severe == []


def test_the_entrance_leads_to_the_first_page(browser: Any, site: Path) -> None:
    (site / "docs" / "index.html").write_text("<title>the first page</title>")
    browser.get((site / "index.html").as_uri())
    WebDriverWait(browser, LONGEST_WAIT).until(lambda _: browser.title == "the first page")
