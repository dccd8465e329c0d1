"""The linear program of von Stengel's example as a talk prints it, line by line: A. Gilpin,
"Computing equilibria in extensive form games", 2005, slide 10."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import seqform
from seqform.base.errors import InvalidParameterError, UnknownNameError
from tests.command_line import call

ROWS = {
    "x1": ({"p1": 1, "p2": -1, "p3": -1}, ">=", 0),
    "x2": ({"p2": 1}, ">=", 0),  # and 0 y1, which is printed
    "x3": ({"y2": -1, "y3": 1, "p2": 1}, ">=", 0),
    "x4": ({"y2": 2, "y3": -4, "p3": 1}, ">=", 0),
    "x5": ({"y1": -1, "p3": 1}, ">=", 0),
    "q1": ({"y1": -1}, "=", -1),
    "q2": ({"y1": 1, "y2": -1, "y3": -1}, "=", 0),
}
"""Name: coefficients, sense, right-hand side."""

FREE = ["p1", "p2", "p3"]

BELOW = {
    "x1": "the empty sequence of player 0",
    "x2": "l at low",
    "x3": "r at low",
    "x4": "L at high",
    "x5": "R at high",
    "p1": "that it is played",
    "p2": "player 0 at low",
    "p3": "player 0 at high",
    "y1": "the empty sequence of player 1",
    "y2": "c at second",
    "y3": "d at second",
    "q1": "that it is played",
    "q2": "player 1 at second",
}
"""What the comments say that each name stands for."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("slide") / "slide.lp"
    call("write-lp", "von-stengel", str(file), "--style", "slide")
    return file


def terms(text: str) -> dict[str, int]:
    """Return the coefficients of a sum such as ``+2 y2 -4 y3``, in their order."""
    return {name: int(number) for number, name in re.findall(r"([+-]\d+) (\w+)", text)}


def test_the_text_is_the_printed_one(path: Path) -> None:
    lines = [line.strip() for line in path.read_text().splitlines() if line[0] != "\\"]
    assert lines[0] == "min"
    assert terms(lines[1]) == {"p1": 1}
    assert lines[2] == "st"
    rows = lines[3 : lines.index("bounds")]
    found = [re.fullmatch(r"(\w+): (.*) (>=|<=|=) ([+-]\d+)", row) for row in rows]
    assert [
        (match[1], list(terms(match[2]).items()), match[3], int(match[4]))  # type: ignore[index]
        for match in found
    ] == [(name, list(row.items()), sense, right) for name, (row, sense, right) in ROWS.items()]
    assert lines[lines.index("bounds") + 1 :] == [*(f"{name} free" for name in FREE), "end"]


def test_what_the_names_stand_for(path: Path) -> None:
    comments = [line[2:] for line in path.read_text().splitlines() if line[0] == "\\"]
    said = dict(re.findall(r"\b([xypq]\d+): ([^;]*)", "\n".join(comments).replace("\n", ";")))
    assert said == BELOW
    assert "y is a plan of player 1, whose program this is" in comments


@pytest.mark.parametrize("suffix", ["lp", "mps"])
def test_highs_reads_the_printed_program(suffix: str, tmp_path: Path) -> None:
    import highspy

    path = tmp_path / f"slide.{suffix}"
    program = seqform.write_lp(seqform.make("von-stengel"), path, style="slide")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    lp = highs.getLp()
    assert lp.sense_ == highspy.ObjSense.kMinimize
    names = list(lp.col_names_)
    assert sorted(names) == sorted(program.column_names()) == sorted(["y1", "y2", "y3", *FREE])
    assert list(lp.row_names_) == program.row_names() == list(ROWS)
    assert {name: (*read(lp, i),) for i, name in enumerate(ROWS)} == ROWS
    costs = dict(zip(names, lp.col_cost_, strict=True))
    assert costs == {**dict.fromkeys(names, 0), "p1": 1}
    lower = dict(zip(names, lp.col_lower_, strict=True))
    assert lower == {name: -highspy.kHighsInf if name in FREE else 0 for name in names}
    assert set(lp.col_upper_) == {highspy.kHighsInf}
    highs.run()
    assert highs.getInfo().objective_function_value == pytest.approx(1, abs=1e-12)
    solved = dict(zip(names, highs.getSolution().col_value, strict=True))
    assert [solved[name] for name in ("y1", "y2", "y3")] == pytest.approx([1, 1 / 2, 1 / 2])


def read(lp: Any, row: int) -> tuple[dict[str, float], str, float]:
    """Return the coefficients, the sense and the right-hand side of a row that HiGHS has read."""
    import highspy
    import numpy as np
    import scipy.sparse as sp

    matrix = lp.a_matrix_
    parts = (np.array(matrix.value_), np.array(matrix.index_), np.array(matrix.start_))
    columnwise = matrix.format_ == highspy.MatrixFormat.kColwise
    shape = (lp.num_row_, lp.num_col_)
    dense = (sp.csc_array if columnwise else sp.csr_array)(parts, shape=shape).toarray()[row]
    lower, upper = lp.row_lower_[row], lp.row_upper_[row]
    assert upper in (lower, highspy.kHighsInf)
    entries = {lp.col_names_[j]: float(dense[j]) for j in np.flatnonzero(dense)}
    return entries, "=" if lower == upper else ">=", lower


def test_the_other_players_program_is_the_dual(tmp_path: Path) -> None:
    game = seqform.make("von-stengel")
    printed = seqform.write_lp(game, tmp_path / "a.lp", style="slide")
    dual = seqform.write_lp(game, tmp_path / "b.lp", player=0, style="slide")
    assert dual.column_names() == printed.row_names()
    assert dual.row_names() == printed.column_names()
    text = (tmp_path / "b.lp").read_text()
    assert text[text.index("max") :].splitlines() == [
        "max",
        " obj: -1 q1 ",
        "st",
        " y1: +1 x5 +1 q1 -1 q2 >= +0",
        " y2: +1 x3 -2 x4 +1 q2 >= +0",
        " y3: -1 x3 +4 x4 +1 q2 >= +0",
        " p1: +1 x1 = +1",
        " p2: -1 x1 +1 x2 +1 x3 = +0",
        " p3: -1 x1 +1 x4 +1 x5 = +0",
        "bounds",
        " q1 free",
        " q2 free",
        "end",
    ]


def test_what_the_command_says(tmp_path: Path) -> None:
    said = call("write-lp", "kuhn", str(tmp_path / "kuhn.lp"), "--style", "slide")
    assert "wrote 20 rows, 20 columns, 68 nonzeros" in said
    assert "the optimum is 6.0 times the least that player 1 can hold player 0 to" in said
    said = call("write-lp", "kuhn", str(tmp_path / "k.lp"), "--style", "slide", "--player", "0")
    assert "the optimum is 6.0 times what player 0 can guarantee" in said


def test_styles_and_players_that_there_are_not(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"no style 'slid' .*'slide'.*named, slide"):
        call("write-lp", "kuhn", str(tmp_path / "k.lp"), "--style", "slid")
    with pytest.raises(InvalidParameterError, match="player"):
        call("write-lp", "kuhn", str(tmp_path / "k.lp"), "--style", "slide", "--player", "2")


def test_the_page_shows_what_is_written(tmp_path: Path) -> None:
    page = (Path(seqform.__file__).parents[1] / "docs/explanation/linear-program.md").read_text()
    shown = re.findall(r"^```\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    for block, style in zip(shown, ("named", "slide"), strict=True):
        seqform.write_lp(seqform.make("von-stengel"), tmp_path / "shown.lp", style=style)
        text = (tmp_path / "shown.lp").read_text().replace(" \n", "\n")
        assert text.endswith(block)
