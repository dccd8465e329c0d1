"""Folders that change as a whole: one file lists the others, and it is replaced last.

The list holds the SHA-256 of each file. New files are written to a folder inside, `ASIDE`. Then the
list takes its place: from that moment on the new files are the folder's, and they are moved up.
Whoever opens the folder after a crash finishes the moves (`finish`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seqform.base.whole_file import locked, sync

ASIDE, LOCK = ".saving", ".lock"
"""What may be left in a folder by a process that was killed."""


@contextmanager
def replacing_folder(folder: Path, names: Collection[str], listing: str) -> Iterator[Path]:
    """Yield an empty folder for new files, which replace the old ones once the block is left.

    If the block raises, the folder is as it was.

    Parameters
    ----------
    folder
        Is made if it is not there.
    names
        What is removed unless the block writes it, besides what the old list holds.
    listing
        The file that lists the others: an object of JSON, written by the block, whose `files` are
        what `digests` returns.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    known, aside = {*names, *(listed(folder / listing) or ())}, folder / ASIDE
    with _opened(folder):
        _tidy(folder, known, listing)  # what came before may have been stopped, too
        _remove(aside)
        aside.mkdir()
        try:
            yield aside
            for path in (*aside.iterdir(), aside):
                sync(path)
            os.replace(aside / listing, folder / listing)
            sync(folder)
        finally:
            _tidy(folder, known, listing)
            _remove(aside)


def check_replaceable(folder: Path) -> None:
    """Check that `replacing_folder` can write to a folder, by trying; nothing is changed.

    Raises
    ------
    OSError
        If it cannot.
    """
    with _opened(folder):
        pass


def finish(folder: Path, names: Collection[str], listing: str) -> None:
    """Do what a process that was killed while it replaced a folder did not come to do.

    Raises
    ------
    OSError
        If the folder cannot be written.
    """
    if os.path.exists(folder / ASIDE):
        with locked(folder / LOCK):
            _tidy(folder, names, listing)


def digests(folder: Path) -> dict[str, str | None]:
    """Return the SHA-256 of each file of a folder, by name."""
    return {path.name: digest(path) for path in sorted(folder.iterdir())}


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a file; None if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def checksum(content: dict[str, Any]) -> str:
    """Return the SHA-256 of an object of JSON, but for its own `checksum`."""
    rest = {key: value for key, value in content.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def listed(path: Path) -> dict[str, str] | None:
    """Return the SHA-256 of each file by the list at `path`; None if there is no whole list."""
    try:
        content = json.loads(path.read_bytes())
        return dict(content["files"]) if content["checksum"] == checksum(content) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


@contextmanager
def _opened(folder: Path) -> Iterator[None]:
    """Make a folder, keep others out, and remove it again if it was not there and stays empty."""
    is_new = not os.path.exists(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with locked(folder / LOCK):
            yield
    finally:
        if is_new and not any(folder.iterdir()):
            folder.rmdir()


def is_plain(name: str) -> bool:
    """Return whether a name is one of a file in the same folder."""
    return Path(name).name == name and name not in ("", "..") and "\0" not in name


def _tidy(folder: Path, names: Collection[str], listing: str) -> None:
    """Make a folder hold what its list says; a second time it changes nothing."""
    files = listed(folder / listing)
    if files is None:
        return
    for name in set(names) - set(files) - {listing}:
        (folder / name).unlink(missing_ok=True)
    for name in filter(is_plain, files):
        if digest(folder / ASIDE / name) == files[name]:
            os.replace(folder / ASIDE / name, folder / name)
    sync(folder)
    _remove(folder / ASIDE)


def _remove(folder: Path) -> None:
    if os.path.exists(folder):
        shutil.rmtree(folder)
