"""What is recorded of the files that commands leave."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import numpy as np

from tests.net.masked import SOLVERS, data, masked

EXACT = re.compile(r"certificate.*\.json(\.gz)?|bound\.csv|.*\.mtx")
"""Files of integers: every byte is compared."""


def saved(folder: Path, free: tuple[str, ...]) -> Iterator[str]:
    """Yield, for each file in a folder, its name and what is recorded of it.

    Of those whose names are in `free`, only these are recorded.
    """
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] in ("data", "files") or path.is_dir():
            continue
        yield f"--- {name}"
        if not any(re.fullmatch(pattern, name) for pattern in free):
            yield content(path)


def content(path: Path) -> str:
    """Return what is recorded of a file."""
    if EXACT.fullmatch(path.name):
        return _exact(path)
    kind = KINDS.get(path.suffix)
    return kind(path) if kind else "(is there)"


def _exact(path: Path) -> str:
    held = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    digest = f"sha256 {hashlib.sha256(held).hexdigest()}, {len(held)} bytes"
    return digest if len(held) > 2000 else f"{digest}\n{held.decode()}"


def _text(path: Path) -> str:
    return masked(path.read_text())


def _data(path: Path) -> str:
    return data(json.loads(path.read_text()))


def _table(path: Path) -> str:
    """Record a table by its cells; those of machines and moments are masked."""
    rows = list(csv.reader(path.read_text().splitlines()))
    lines = [rows[0], *([_cell(*of) for of in _named(rows[0], row)] for row in rows[1:])]
    return masked("\n".join(",".join(line) for line in lines))


def _named(head: list[str], row: list[str]) -> list[tuple[str, str, str]]:
    """Return column and cell of each, with the engine of the row."""
    engine = dict(zip(head, row, strict=True)).get("engine", "")
    return [(column, cell, engine) for column, cell in zip(head, row, strict=True)]


def _cell(column: str, cell: str, engine: str) -> str:
    by_library = column in ("iterations", "message") and engine.startswith(SOLVERS)
    return f"<{column}>" if by_library or OF_MACHINES.search(column) else cell


def _arrays(path: Path) -> str:
    """Record names, shapes and types of arrays, and of integers a digest."""
    with np.load(path) as file:
        return "\n".join(_array(name, file[name]) for name in sorted(file.files))


def _array(name: str, array: np.ndarray) -> str:
    head = f"{name}: {array.dtype} {array.shape}"
    if array.dtype.kind not in "iub":
        return head
    return f"{head} {hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]}"


def _page(path: Path) -> str:
    """Record the data and the text of a page, without styles and programs."""
    page = path.read_text()
    found = re.compile(r'<script type="application/(json|gzip)" id="([^"]*)">(.*?)</script>', re.S)
    parts = [f"data {name}: {_held(kind, text)}" for kind, name, text in found.findall(page)]
    shown = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", page, flags=re.S)
    texts = (" ".join(unescape(text).split()) for text in re.split(r"<[^>]*>", shown))
    return "\n".join([*parts, masked("\n".join(text for text in texts if text))])


def _held(kind: str, text: str) -> str:
    if kind == "gzip":
        text = gzip.decompress(b64decode(text)).decode()
    held = json.loads(text)
    if "page" in held and "results" in held:
        return "<digests>"
    if isinstance(held, dict) and held.get("format") == "seqform-certificate":
        return f"sha256 {hashlib.sha256(text.encode()).hexdigest()}"
    return data(held)


def _drawing(path: Path) -> str:
    """Record the words of a picture."""
    texts = re.findall(r"<text\b[^>]*>(.*?)</text>", path.read_text(), re.S)
    words = (" ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split()) for text in texts)
    return "\n".join(masked(text) for text in words if text)


OF_MACHINES = re.compile(r"seconds|peak_mb|versions|commit|date|checksum")
"""Columns of what hangs on the machine and the moment."""

KINDS: dict[str, Callable[[Path], str]] = {
    ".json": _data,
    ".csv": _table,
    ".npz": _arrays,
    ".html": _page,
    ".svg": _drawing,
    **dict.fromkeys([".lp", ".mps", ".efg", ".nfg", ".txt"], _text),
}
"""How a file is recorded, by the end of its name; of others only that they are there."""
