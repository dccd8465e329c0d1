"""CheckpointFile: where a long search is written down, so that it can go on after any stop."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqform.base.array_file import Arrays, read_arrays, write_arrays
from seqform.base.errors import ResultFileError
from seqform.base.whole_file import obstacle, reason

KIND, VERSION = "seqform-checkpoint", 1


@dataclass
class CheckpointFile:
    """A file that a search is saved to from time to time.

    Parameters
    ----------
    path
        The file; it is replaced as a whole.
    identity
        A digest of the search that is saved; a file of another search is an error and stays
        unchanged.
    seconds
        Time between two saves.
    """

    path: Path
    identity: str
    seconds: float = 60.0

    def __post_init__(self) -> None:
        self._saved = time.perf_counter()

    @property
    def is_due(self) -> bool:
        """Whether it is time to save again."""
        return time.perf_counter() >= self._saved + self.seconds

    def write(self, header: dict[str, Any], arrays: Arrays) -> None:
        """Write a search down.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        head = {"identity": self.identity, **header}
        try:
            write_arrays(self.path, KIND, VERSION, head, arrays, compress=False)
        except OSError as error:
            raise ResultFileError(f"cannot write {self.path}: {reason(error)}") from None
        self._saved = time.perf_counter()

    def read(self) -> tuple[dict[str, Any], Arrays]:
        """Return header and arrays of the file if it is of this search.

        Raises
        ------
        ResultFileError
            If the file is missing or damaged, or is of another search.
        """
        header, arrays = read_arrays(self.path, KIND, VERSION)
        if header.get("identity") != self.identity:
            raise ResultFileError(
                f"{self.path} is of another game, method or precision; "
                "give another file, or delete it"
            )
        return header, arrays


def check_place(path: Path, resume: bool) -> None:
    """See that a search can be saved to a file; one that is there is only gone on with.

    Raises
    ------
    ResultFileError
        If there is a file and it is not to be resumed, or none can be written.
    """
    if os.path.exists(path) and not resume:
        raise ResultFileError(f"{path} exists; go on from it with resume=True, or delete it")
    if why := obstacle(path):
        raise ResultFileError(f"cannot write {path}: {why}")
