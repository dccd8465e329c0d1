"""Figures in the pages are those of rows, or are listed with the reason in docs/figures.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from seqform import EXPERIMENTS
from seqform.experiment.store import read_table
from seqform.experiment.task import UNFINISHED
from tests.imports import ROOT
from tests.numbers import held, is_backed, shown
from tools.tables import filled

LISTED = tomllib.loads((ROOT / "docs" / "figures.toml").read_text())
PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]
REASONS = {
    "parameters": "of games, methods and programs; constants; numbers of papers",
    "published": "by others, with the source on the page",
    "counts": "of games, which other tests check or the page's command prints",
    "once": "measured once, with a command on the page; no row holds it",
}


@cache
def numbers_of(path: str) -> list[float]:
    return held(ROOT / path)


def unbacked(page: str, text: str) -> set[str]:
    """Return the numbers of a page's text that no row of its files rounds to."""
    rows = [numbers_of(path) for path in LISTED.get(page, {}).get("rows", [])]
    return {number for number in shown(text) if not is_backed(number, rows)}


def excused(page: str) -> set[str]:
    return {n for reason in REASONS for n in LISTED.get(page, {}).get(reason, [])}


@pytest.mark.parametrize("page", PAGES)
def test_rows_back_the_figures_of_a_page(page: str) -> None:
    """Those that no row backs are listed, and those that are listed are there and not backed."""
    assert unbacked(page, (ROOT / page).read_text()) == excused(page)
    assert set(LISTED.get(page, {})) <= {"rows", *REASONS}


@pytest.mark.parametrize("page", PAGES)
def test_tables_are_those_that_experiments_made(page: str) -> None:
    text = (ROOT / page).read_text()
    assert filled(text) == text
    assert text.count("<!-- table: ") == text.count("<!-- end of table -->")


@pytest.mark.parametrize("name", sorted(set(EXPERIMENTS.names()) - {"sweep"}))
def test_tables_of_experiments_are_made_of_the_rows(name: str) -> None:
    folder = ROOT / "experiments" / "results" / name
    rows = [row for row in read_table(folder) if row["status"] not in UNFINISHED]
    for file, draw in EXPERIMENTS.get(name).figures.items():
        if file.endswith(".md"):
            assert (folder / file).read_text() == draw(rows)


def test_tables_are_filled_in_and_what_stands_around_them_stays(tmp_path: Path) -> None:
    before, name = (
        "above\n<!-- table: experiments/results/dominance/dominance.md -->\n",
        "| old |\n",
    )
    after = "<!-- end of table -->\nbelow, 12\n"
    text = filled(before + name + after)
    assert text.startswith(before)
    assert text.endswith(after)
    assert "goofspiel" in text
    assert "old" not in text
    assert list(shown(text)) == ["12"]


def test_pages_and_files_that_are_listed_exist() -> None:
    assert set(LISTED) <= set(PAGES)
    files = {path for listed in LISTED.values() for path in listed["rows"]}
    assert {path for path in files if not (ROOT / path).exists()} == set()
    assert {Path(path).parts[0] for path in files} <= {"experiments", "benchmarks"}


def test_a_figure_that_no_row_backs_is_found() -> None:
    page = "docs/benchmarks.md"
    text = (ROOT / page).read_text()
    assert "0.0049" in text
    changed = text.replace("0.0049", "0.0048")
    assert unbacked(page, changed) - excused(page) == {"0.0048"}


def test_what_counts_as_a_figure() -> None:
    text = "In 2007 it had 1,237,238 rows, `12` of 3 games, [a page](at/99.md), -0.25 and 1.5e-3.\n"
    assert list(shown(text)) == ["1,237,238", "-0.25", "1.5e-3"]
    assert is_backed("1.5e-3", [[0.00149]])
    assert not is_backed("1.5e-3", [[0.0016]])
    assert is_backed("12", [[11.6]])
    assert not is_backed("-0.25", [[-0.256]])
