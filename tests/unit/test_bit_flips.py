"""Every bit of a saved result counts: one that flips is found, or changes nothing that is said."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from games.kuhn import kuhn
from games.nim import nim
from games.textbook import von_stengel
from seqform import Solution, solve, verify
from seqform.base.errors import SeqformError
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
    return found.record(), found.rows(), {**found.claims, "checksum": None}


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
            # such as the case of the letter in 1e-16, or the name of the checksum
            assert path.name == RESULT
            assert now[:2] == honest[:2]
            assert now[2].items() >= {**honest[2], "checksum": None}.items()
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
