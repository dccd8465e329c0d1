"""Arrays with a header in one file: .npz, versioned, checksummed, without pickles."""

from __future__ import annotations

import hashlib
import json
import lzma
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.errors import ResultFileError
from seqform.base.whole_file import replacing

Arrays = dict[str, NDArray[Any]]

DAMAGED = (
    *(OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(ArithmeticError, LookupError, AttributeError, SyntaxError, tokenize.TokenError),
)
"""What reading may raise: TypeError for a single array in place of an archive, RuntimeError for
flags that say it is encrypted. numpy reads an array's header as Python, which has errors of its
own."""


def write_arrays(
    path: Path,
    kind: str,
    version: int,
    header: dict[str, Any],
    arrays: Arrays,
    compress: bool = True,
) -> None:
    """Write arrays to `path`; a file that is there stays whole until the new one is complete.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    head = {"format": kind, "version": version, **header}
    head["checksum"] = _checksum(head, arrays)
    write_npz(path, head, arrays, compress)


def write_npz(path: Path, head: dict[str, Any], arrays: Arrays, compress: bool = True) -> None:
    """Write a header and arrays as they are, as a whole.

    The archive is what `numpy.savez` makes; but that leaves it open if the disk is full (numpy
    2.0), so that Python complains of it on standard error when it is deleted.

    Raises
    ------
    OSError
        If they cannot be written.
    """
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    with replacing(path) as file, zipfile.ZipFile(file, "w", method) as archive:
        for name, array in {"header": text, **arrays}.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)


def read_arrays(path: Path, kind: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """Return the header and the arrays of a file.

    Raises
    ------
    ResultFileError
        If the file is missing, damaged, altered, foreign, or of another version.
    """
    head, arrays = read_npz(path, kind)
    if head.get("format") != kind or head.get("version") != version:
        raise ResultFileError(
            f"{path} is of format {head.get('format')!r} version {head.get('version')}; this "
            f"program reads {kind} {version}"
        )
    content = {key: value for key, value in head.items() if key != "checksum"}
    if _checksum(content, arrays) != head.get("checksum"):
        raise ResultFileError(f"{path} was altered: its content does not match its checksum")
    return head, arrays


def read_npz(path: Path, kind: str) -> tuple[dict[str, Any], Arrays]:
    """Return the header and the arrays of a file, unchecked.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            head = json.loads(bytes(data["header"]))
            arrays = {name: data[name] for name in data.files if name != "header"}
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except DAMAGED as error:
        # of pickles, numpy says how to load them all the same
        about = "" if "pickle" in str(error) else f": {error}"
        raise ResultFileError(f"{path} is damaged or is not a {kind} file{about}") from None
    if not isinstance(head, dict):
        raise ResultFileError(f"{path} is not a {kind} file: its header is not an object")
    return head, arrays


def _checksum(header: dict[str, Any], arrays: Arrays) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
