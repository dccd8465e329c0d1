"""Figures in the pages are those of rows, or are listed with the reason in docs/figures.toml."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from benchmarks import memory
from benchmarks.run import RESULTS, all_texts
from seqform import EXPERIMENTS
from seqform.experiment.store import read_table
from seqform.experiment.task import UNFINISHED
from tests.cells import NoCellError, says, value_of
from tests.imports import ROOT
from tests.numbers import changed, places, rounds_to, shown
from tools import tables
from tools.tables import BLOCK, filled

LISTED: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "docs" / "figures.toml").read_text())
PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]
REASONS = {
    "parameters": "of games, methods and programs; constants; numbers of papers",
    "published": "by others, with the source on the page",
    "counts": "of games, which other tests check or the page's command prints",
    "once": "measured once, with a command on the page; no row holds it",
}
BY_HAND = {"correlated.md"}
"""Tables of results that no rows are kept of."""


@pytest.fixture(scope="module", autouse=True)
def _tables_are_read_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "_table", cache(tables._table))
        yield


def text_of(page: str) -> str:
    return (ROOT / page).read_text()


def cells_of(page: str) -> dict[str, list[Any]]:
    """Return the cells of each figure of a page, one for each time that it stands there."""
    cells = LISTED.get(page, {}).get("cells", {})
    return {figure: cell if isinstance(cell, list) else [cell] for figure, cell in cells.items()}


def excused(page: str) -> set[str]:
    return {n for reason in REASONS for n in LISTED.get(page, {}).get(reason, [])}


def problems(text: str, cells: dict[str, list[Any]], without: set[str]) -> list[str]:
    """Return what is wrong with the figures of a text: each needs its cell, or a reason."""
    found = Counter(shown(text, cells))
    wrong = [f"{figure} is listed, and not shown" for figure in without - set(found)]
    wrong += [f"{figure} has a cell and a reason" for figure in without & set(cells)]
    for figure in sorted(set(cells) | set(found) - without):
        if found[figure] != len(cells.get(figure, [])):
            wrong.append(f"{figure} stands {found[figure]} times, not {len(cells.get(figure, []))}")
        wrong += [
            f"{figure} is not what {cell} says"
            for cell in cells.get(figure, [])
            if not says(cell, figure)
        ]
    return wrong


@pytest.mark.parametrize("page", PAGES)
def test_each_figure_of_a_page_is_that_of_its_cell(page: str) -> None:
    assert problems(text_of(page), cells_of(page), excused(page)) == []
    assert set(LISTED.get(page, {})) <= {"cells", *REASONS}


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("page", PAGES)
def test_a_figure_with_another_last_digit_is_found(page: str, up: bool) -> None:
    """On any page, at any place, be it in the text alone or in the list of cells as well."""
    text, cells, without = text_of(page), cells_of(page), excused(page)
    for start, figure in places(text, cells):
        if figure in without:
            continue
        other = changed(figure, up)
        page_alone = text[:start] + other + text[start + len(figure) :]
        assert problems(page_alone, cells, without), f"{other} for {figure}"
        assert not all(says(cell, other) for cell in cells[figure]), figure


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("page", PAGES)
def test_a_number_of_a_table_with_another_last_digit_is_found(page: str, up: bool) -> None:
    text = text_of(page)
    for block in BLOCK.finditer(text):
        for number in re.finditer(r"\d+(?:\.\d+)?", block[0][len(block[1]) :]):
            start = block.start() + len(block[1]) + number.start()
            other = text[:start] + changed(number[0], up) + text[start + len(number[0]) :]
            assert filled(other) == text
            assert other != text


@pytest.mark.parametrize("page", PAGES)
def test_tables_are_those_that_experiments_made(page: str) -> None:
    text = text_of(page)
    assert filled(text) == text
    assert text.count("<!-- table: ") == text.count("<!-- end of table -->")


@pytest.mark.parametrize("name", sorted(set(EXPERIMENTS.names()) - {"sweep"}))
def test_tables_of_experiments_are_made_of_the_rows(name: str) -> None:
    folder = ROOT / "experiments" / "results" / name
    rows = [row for row in read_table(folder) if row["status"] not in UNFINISHED]
    for file, draw in EXPERIMENTS.get(name).figures.items():
        if file.endswith(".md"):
            assert (folder / file).read_text() == draw(rows)


def test_tables_of_benchmarks_are_made_of_the_rows() -> None:
    tables = all_texts() | {
        f"{name}.md": memory.text(memory.saved(name), name) for name in memory.COMMANDS
    }
    there = {path.name: path.read_text() for path in RESULTS.glob("*.md")}
    assert set(there) == set(tables) | BY_HAND
    assert {name: there[name] for name in tables} == tables


def test_tables_are_filled_in_and_what_stands_around_them_stays() -> None:
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


def test_pages_that_are_listed_exist() -> None:
    assert set(LISTED) <= set(PAGES)


PEERS = "benchmarks/results/peers.json"


def test_cells_are_found_by_what_their_rows_have() -> None:
    ours = f"{PEERS} | game=kuhn | program=seqform | inside"
    theirs = ours.replace("seqform", "open_spiel")
    assert rounds_to(value_of(theirs) / value_of(ours), "2.2")
    assert value_of({"ratio": [theirs, ours]}) == value_of(theirs) / value_of(ours)
    assert value_of({"difference": [theirs, 1]}) == value_of(theirs) - 1
    assert value_of({"count": f"{PEERS} | program=seqform | inside"}) == 6
    assert value_of({"least": f"{PEERS} | program=seqform | inside"}) == value_of(ours)
    assert value_of({"sum": [1, 2, {"product": [3, 4]}]}) == 15
    assert value_of("benchmarks/results/shrink.json | criterion=suit | classes[1]") == 325
    assert value_of("benchmarks/results/exact.json | game=kuhn | sequences[1]") == 13
    assert value_of("benchmarks/results/exact.json | game=kuhn | value") == -1 / 18


def test_bounds_are_rounded_away() -> None:
    assert says({"down": 0.129}, "0.12")
    assert says({"up": 0.121}, "0.13")
    assert not says({"down": 0.119}, "0.12")
    assert not says({"down": 0.131}, "0.12")
    assert not says({"up": 0.119}, "0.13")
    assert says(0.121, "0.12")


@pytest.mark.parametrize(
    "cell",
    [
        f"{PEERS} | game=kuhn | inside",  # four rows
        f"{PEERS} | game=kuhn | program=seqform | outside",
        f"{PEERS} | game=nobody's | inside",
        f"{PEERS} | game=kuhn | program=seqform | program",  # no number
        f"{PEERS} | game=kuhn | program=seqform | inside[1]",
        {"median": f"{PEERS} | inside"},
        {"least": [1], "most": [1]},
        True,
        None,
    ],
)
def test_what_is_no_cell_is_refused(cell: Any) -> None:
    with pytest.raises(NoCellError):
        value_of(cell)


def test_what_counts_as_a_figure() -> None:
    text = "In 2007 it had 1,237,238 rows, `12` of 3 games, [a page](at/99.md), -0.25 and 1.5e-3.\n"
    assert list(shown(text)) == ["1,237,238", "-0.25", "1.5e-3"]
    assert [text[start:].startswith(figure) for start, figure in places(text)] == [True] * 3
    assert rounds_to(0.00149, "1.5e-3")
    assert not rounds_to(0.0016, "1.5e-3")
    assert rounds_to(11.6, "12")
    assert not rounds_to(-0.256, "-0.25")
