"""Files that change as a whole: whatever stops a write, the old file or the new one is there.

What is new goes into a file of its own beside the old one, down to the disk, and then takes its
name. The file beside is locked, so that two processes never write to the same one: the second waits
for the first. Locks end with the process that holds them, so that a file left by one that was
killed is in nobody's way. Where the file system has no locks, there are none.

The file that is locked is the one that is written, and it is gone afterwards: filelock (4.2) locks
a third file, which stays beside each result, and takes as long to load as NumPy.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

WAIT = 60.0
"""Seconds to wait for another process."""


@contextmanager
def replacing(path: Path | str) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of the one at `path`, once the block is left.

    If the block raises, `path` is as it was. What is no file of a disk, such as ``/dev/stdout``, is
    written to as it is.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    target, part = _beside(path)
    if _is_device(Path(path)):
        with open(path, "wb") as device:
            yield device
        return
    with _hold(part) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(part, target)
        except BaseException:
            if _is_at(file.fileno(), part):
                part.unlink()
            raise
    sync(target.parent)


@contextmanager
def replacing_table(path: Path | str) -> Iterator[TextIO]:
    """Yield a file for the rows of a table, in UTF-8, as `replacing` does."""
    with replacing(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        yield text
        text.flush()
        text.detach()


def write_text(path: Path | str, text: str) -> None:
    """Write a text in UTF-8, as a whole; see `replacing`."""
    with replacing(path) as file:
        file.write(text.encode())


def check_writable(path: Path | str) -> None:
    """Check that `replacing` can write to a path, by trying; nothing is changed.

    Raises
    ------
    OSError
        If it cannot.
    """
    if _is_device(Path(path)):
        return
    with locked(_beside(path)[1]):
        pass


def obstacle(path: Path | str) -> str | None:
    """Return what keeps `replacing` from writing to a path, in words; None if nothing does."""
    folder = Path(path).parent
    if not os.path.isdir(folder):
        return f"there is no folder {folder}; make it first"
    try:
        check_writable(path)
    except OSError as error:
        return reason(error)
    return None


@contextmanager
def locked(path: Path, wait: float | None = None) -> Iterator[None]:
    """Keep others who ask for the same file out of a block; the file is there no longer than that.

    Whoever comes later waits for so many seconds, by default `WAIT`.

    Raises
    ------
    OSError
        If it cannot be written, or another process does not let go of it.
    """
    with _hold(path, wait):
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Have a file's content, or a folder's list of files, written down to the disk."""
    try:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EACCES):  # folders, on some disks
            raise


def reason(error: Exception) -> str:
    """Return why a file could not be read or written, for people."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text; save it as UTF-8"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _beside(path: Path | str) -> tuple[Path, Path]:
    """Return a path without links, and that of the file beside it which is written first."""
    target = Path(os.path.realpath(path))
    return target, target.with_name(target.name + ".part")


def _is_device(path: Path) -> bool:
    """Return whether there is something at a path that is neither a file nor a folder."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _hold(path: Path, wait: float | None = None) -> BinaryIO:
    """Return an empty file at `path` that nobody else holds until it is closed."""
    deadline = time.monotonic() + (WAIT if wait is None else wait)
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        file = os.fdopen(handle, "w+b")
        if _lock(handle) and _is_at(handle, path):
            file.truncate()
            return file
        file.close()
        if time.monotonic() > deadline:
            raise OSError(errno.EBUSY, "another process is writing it")
        time.sleep(0.01)


def _lock(handle: int) -> bool:
    """Lock a file unless another process has done so."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # there are no locks here
    return True


def _is_at(handle: int, path: Path) -> bool:
    """Return whether an open file still has its name: whoever held it may have renamed it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
