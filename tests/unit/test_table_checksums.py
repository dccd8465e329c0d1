"""Every bit of the table of an experiment counts, but for what a killed process left behind."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from seqform import run_experiment
from seqform.base.errors import ResultFileError
from seqform.experiment import Row, read_table

TABLE = "rows.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table of a small sweep."""
    out = tmp_path_factory.mktemp("sweep") / "out"
    run_experiment("sweep", {"game": "kuhn,centipede", "method": "lp,lcp"}, out=out)
    return out


def rows_of(content: bytes, place: Path) -> list[Row] | None:
    """Return the rows of a table with this content; None if it is refused."""
    place.mkdir(exist_ok=True)
    (place / TABLE).write_bytes(content)
    try:
        return read_table(place)
    except ResultFileError:
        return None


def check(folder: Path, place: Path, share: float) -> None:
    content = (folder / TABLE).read_bytes()
    honest, rng, refused = read_table(folder), random.Random(7), 0
    for position in range(8 * len(content)):
        if rng.random() >= share:
            continue
        at, bit = divmod(position, 8)
        changed = content[:at] + bytes([content[at] ^ (1 << bit)]) + content[at + 1 :]
        found = rows_of(changed, place)
        refused += found is None
        # the last row may look as if it had been half written, and is measured again then
        assert found in (None, honest, honest[:-1]), (at, bit, content[at - 20 : at + 20])
        assert found != honest[:-1] or at >= content.rindex(b"\n", 0, -1)
    assert refused


def test_some_bits(folder: Path, tmp_path: Path) -> None:
    check(folder, tmp_path / "changed", 0.03)


@pytest.mark.long
def test_all_bits(folder: Path, tmp_path: Path) -> None:
    check(folder, tmp_path / "changed", 1.0)


@pytest.mark.parametrize("column", ["value", "gap", "versions", "checksum", "seconds", "date"])
def test_a_column_that_is_renamed_is_noticed(folder: Path, tmp_path: Path, column: str) -> None:
    head, rows = (folder / TABLE).read_text().split("\n", 1)
    names = ["x" + name if name == column else name for name in head.split(",")]
    assert names != head.split(",")
    (tmp_path / TABLE).write_text(",".join(names) + f"\n{rows}")
    with pytest.raises(ResultFileError, match="line 2 does not match its checksum"):
        read_table(tmp_path)
    with pytest.raises(ResultFileError, match="Delete the line to have its point measured again"):
        run_experiment("sweep", {"game": "kuhn"}, out=tmp_path)


def test_a_line_that_is_deleted_is_measured_again(folder: Path, tmp_path: Path) -> None:
    lines = (folder / TABLE).read_text().splitlines(keepends=True)
    (tmp_path / TABLE).write_text("".join([*lines[:2], *lines[3:]]))
    asked = {"game": "kuhn,centipede", "method": "lp,lcp"}
    found = run_experiment("sweep", asked, out=tmp_path)
    assert found.made == 1
    assert len(read_table(tmp_path)) == len(lines) - 1


def test_rows_that_were_changed_on_purpose_are_read_once_their_checksums_are_cleared(
    folder: Path, tmp_path: Path
) -> None:
    with (folder / TABLE).open() as file:
        rows = list(csv.DictReader(file))
    rows[0] |= {"value": "7.5", "versions": "", "checksum": ""}
    with (tmp_path / TABLE).open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    assert read_table(tmp_path)[0]["value"] == 7.5
