"""Game trees as files: one .npz, versioned and checksummed, without pickles."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.array_file import read_npz, write_npz
from seqform.base.errors import ResultFileError
from seqform.base.number import from_text, to_text
from seqform.game.labels import UNSAID, GivenLabels, NamedGrid, SameText
from seqform.tree.tree import NODE_COLUMNS, GameTree
from seqform.tree.validate import validate

FORMAT = "seqform-tree"
VERSION = 1


def save_tree(tree: GameTree, path: Path) -> str:
    """Write a tree to `path` (.npz), as a whole, and return its fingerprint."""
    digest = fingerprint(tree)
    columns = {name: getattr(tree, name) for name in NODE_COLUMNS}
    head = {**header(tree), "fingerprint": digest}
    if written := _written(tree):
        head |= {"written": written, "written_fingerprint": _digest(written)}
    write_npz(path, head, columns)
    return digest


def load_tree(path: Path) -> GameTree:
    """Read a tree, check its fingerprint, and validate it.

    Labels come back as strings, and are written as they were.

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
    written = header.get("written")
    if written is not None and header.get("written_fingerprint") != _digest(written):
        raise ResultFileError(f"{path} was altered: its labels do not match their fingerprint")
    return validate(replace(tree, given=_given(tree, written or {}, path)))


def fingerprint(tree: GameTree) -> str:
    """Return the SHA-256 of everything a tree holds, but for how it is written."""
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


def _written(tree: GameTree) -> dict[str, Any]:
    """Return how a tree is written where that is another text than that of its keys."""
    given, infosets = tree.given, range(tree.num_infosets)
    found: dict[str, Any] = {}
    if given.players:
        found["players"] = list(given.players)
    if given.actions:
        found["actions"] = [tree.action_text(label) for label in tree.labels]
    if given.infosets or not tree.has_text_keys:
        texts = [tree.infoset_parts(h) or tree.infoset_text(h) for h in infosets]
        if texts != [str(label) for label in tree.infoset_labels]:
            found["infosets"] = texts
    if given.nodes:
        found["nodes"] = list(given.nodes)
    if given.kinds:
        found["kinds"] = dict(given.kinds)
    if given.grid is not None:
        found["grid"] = [list(names) for names in given.grid]
    return found


def _given(tree: GameTree, written: dict[str, Any], path: Path) -> GivenLabels:
    """Return how a tree was written, with its labels as texts."""
    if not written:
        return UNSAID
    try:
        players = tree.infoset_player.tolist()
        infosets = [
            _text(label) if isinstance(label, str) else (_text(label[0]), _text(label[1]))
            for label in written.get("infosets", ())
        ]
        keys = list(zip(players, tree.infoset_labels, strict=True))
        actions = map(_text, written.get("actions", ()))
        return GivenLabels(
            tuple(map(_text, written.get("players", ()))),
            dict(zip(keys, infosets, strict=True)) if infosets else {},
            dict(zip(tree.labels, actions, strict=True)) if "actions" in written else {},
            tuple(map(_text, written.get("nodes", ()))),
            {_text(card): _text(kind) for card, kind in written.get("kinds", {}).items()},
            _grid(written.get("grid")),
        )
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None


def _grid(written: Any) -> NamedGrid | None:
    """Return how hands are laid out, of the names of rows, columns and cells."""
    if written is None:
        return None
    rows, columns, names = (tuple(map(_text, each)) for each in written)
    if len(names) != len(rows) * len(columns):
        raise ValueError("a matrix of hands has a name for each cell")
    return NamedGrid(rows, columns, names)


def _digest(written: object) -> str:
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()


def _from_parts(header: dict[str, Any], columns: dict[str, Any], path: Path) -> GameTree:
    try:
        return GameTree.from_columns(
            columns,
            num_players=int(header["num_players"]),
            probabilities=tuple(map(from_text, header["probabilities"])),
            payoffs=tuple(tuple(map(from_text, row)) for row in header["payoffs"]),
            labels=tuple(map(_text, header["labels"])),
            infoset_labels=_keys(header),
            unit=_text(header["unit"]),
        )
    except (KeyError, TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None


def _keys(header: dict[str, Any]) -> tuple[str, ...]:
    """Return the texts of keys; those that several keys have are made different ones."""
    texts = list(map(_text, header["infoset_labels"]))
    if "infosets" not in header.get("written", {}):
        return tuple(texts)
    times = Counter(texts)
    return tuple(SameText(text) if times[text] > 1 else text for text in texts)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value
