"""Every bit of a saved result counts: one that flips is found, or changes nothing that is said."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.nim import nim
from games.textbook import von_stengel
from seqform import Solution, load, solve, verify
from seqform.base.errors import ResultFileError, SeqformError, VerificationError
from seqform.results.folder import RESULT

RESULTS: dict[str, Callable[[], Solution]] = {
    "exact": lambda: solve(kuhn()),
    "bracketed": lambda: solve(von_stengel(), exact=False, prove=True),
    "lifted": lambda: solve(kuhn(), abstract="equitable"),
    "by classes": lambda: solve(kuhn(), max_nodes=10),
    "locked": lambda: solve(kuhn(), lock={(0, "J:", "bet"): "1/3", (1, "K:bet", "call"): "3/4"}),
    "subgame-perfect": lambda: solve(nim("1,2"), method="backward"),
    "search": lambda: solve(nim("1,2"), method="alphabeta"),
}
NAMES = {"by classes": ("kuhn", {}), "search": ("nim", {"heaps": "1,2"})}
"""Games and parameters of results that are saved without a tree."""


def said(folder: Path) -> tuple[dict[str, Any], list[tuple[str, str]], dict[str, Any]]:
    """Return all that a saved result says of itself."""
    found = verify(folder)
    return found.record(), found.rows(), found.claims


def damaged(content: bytes) -> Iterator[bytes]:
    """Return a file with each of its bits flipped, and cut after each of its bytes."""
    for position in range(8 * len(content)):
        at, bit = divmod(position, 8)
        yield content[:at] + bytes([content[at] ^ (1 << bit)]) + content[at + 1 :]
    for length in range(len(content)):
        yield content[:length]


def check(folder: Path, share: float) -> None:
    """Damage each file of a result in a share of all ways, and look what is said of it."""
    honest, rng, found = said(folder), random.Random(7), 0
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        for bytes_ in damaged(content):
            if rng.random() >= share:
                continue
            path.write_bytes(bytes_)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of zipfile, about what is damaged
                try:
                    now = said(folder)
                except SeqformError:
                    found += 1
                    continue
            assert path.name == RESULT  # such as the case of the letter in 1e-16
            assert now == honest
        path.write_bytes(content)
    assert found
    assert said(folder) == honest


@pytest.mark.parametrize("kind", RESULTS)
def test_some_bits(kind: str, tmp_path: Path) -> None:
    RESULTS[kind]().save(tmp_path / "result", *NAMES.get(kind, ("a game", {})))
    check(tmp_path / "result", 0.0015)


@pytest.mark.long
def test_all_bits(tmp_path: Path) -> None:
    solve(kuhn()).save(tmp_path / "result", "kuhn", {})
    check(tmp_path / "result", 1.0)


def test_the_key_of_the_checksum_counts(tmp_path: Path) -> None:
    RESULTS["exact"]().save(tmp_path, "a game", {})
    content = (tmp_path / RESULT).read_text()
    assert content.count('"checksum"') == 1
    (tmp_path / RESULT).write_text(content.replace('"checksum"', '"checjsum"'))
    with pytest.raises(VerificationError, match="does not match its checksum"):
        verify(tmp_path)


def test_a_result_of_this_version_has_its_checksum(tmp_path: Path) -> None:
    RESULTS["exact"]().save(tmp_path, "a game", {})
    content = json.loads((tmp_path / RESULT).read_text())
    for name in ("files", "checksum"):
        del content[name]
    (tmp_path / RESULT).write_text(json.dumps(content))
    with pytest.raises(VerificationError, match="does not match its checksum"):
        verify(tmp_path)


def test_headers_of_arrays_that_are_no_python(tmp_path: Path) -> None:
    path = tmp_path / "game.npz"
    np.savez(path, header=np.arange(10_000))  # so long that headers are read before the sum
    content = path.read_bytes()
    start = content.index(b"\x93NUMPY")
    for bit in range(8 * start, 8 * (start + 128)):
        at = bit // 8
        path.write_bytes(content[:at] + bytes([content[at] ^ (1 << bit % 8)]) + content[at + 1 :])
        with pytest.raises(ResultFileError), warnings.catch_warnings(action="ignore"):
            load(path)
