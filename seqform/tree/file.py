"""Game trees as files: one .npz, versioned and checksummed, without pickles."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.array_file import read_npz, write_npz
from seqform.base.errors import ResultFileError
from seqform.base.number import from_text, to_text
from seqform.tree.tree import NODE_COLUMNS, GameTree
from seqform.tree.validate import validate

FORMAT = "seqform-tree"
VERSION = 1


def save_tree(tree: GameTree, path: Path) -> str:
    """Write a tree to `path` (.npz), as a whole, and return its fingerprint."""
    digest = fingerprint(tree)
    columns = {name: getattr(tree, name) for name in NODE_COLUMNS}
    write_npz(path, {**header(tree), "fingerprint": digest}, columns)
    return digest


def load_tree(path: Path) -> GameTree:
    """Read a tree, check its fingerprint, and validate it.

    Labels come back as strings.

    Raises
    ------
    ResultFileError
        If the file is missing, damaged, foreign, or of another version.
    InvalidGameError
        If it holds something that is not a game.
    """
    header, arrays = read_npz(path, "saved game")
    columns = {name: arrays.get(name) for name in NODE_COLUMNS}
    if not all(
        column is not None and column.dtype == np.int32 and column.ndim == 1
        for column in columns.values()
    ):
        raise ResultFileError(
            f"{path} is damaged or is not a saved game: it lacks columns of integers"
        )
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        raise ResultFileError(
            f"{path} is of format {header.get('format')!r} version {header.get('version')}; this "
            f"program reads {FORMAT} {VERSION}"
        )
    tree = _from_parts(header, columns, path)
    if fingerprint(tree) != header.get("fingerprint"):
        raise ResultFileError(f"{path} was altered: its content does not match its fingerprint")
    return validate(tree)


def fingerprint(tree: GameTree) -> str:
    """Return the SHA-256 of everything a tree holds."""
    digest = hashlib.sha256(json.dumps(header(tree), sort_keys=True).encode())
    for name in NODE_COLUMNS:
        digest.update(np.ascontiguousarray(getattr(tree, name), dtype="<i4").tobytes())
    return digest.hexdigest()


def header(tree: GameTree) -> dict[str, Any]:
    """Return what a tree holds beside its columns, as JSON values; labels as texts."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "num_players": tree.num_players,
        "unit": tree.unit,
        "probabilities": [to_text(p) for p in tree.probabilities],
        "payoffs": [[to_text(u) for u in row] for row in tree.payoffs],
        "labels": [str(label) for label in tree.labels],
        "infoset_labels": [str(label) for label in tree.infoset_labels],
    }


def _from_parts(header: dict[str, Any], columns: dict[str, Any], path: Path) -> GameTree:
    try:
        return GameTree.from_columns(
            columns,
            num_players=int(header["num_players"]),
            probabilities=tuple(map(from_text, header["probabilities"])),
            payoffs=tuple(tuple(map(from_text, row)) for row in header["payoffs"]),
            labels=tuple(map(_text, header["labels"])),
            infoset_labels=tuple(map(_text, header["infoset_labels"])),
            unit=_text(header["unit"]),
        )
    except (KeyError, TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value
