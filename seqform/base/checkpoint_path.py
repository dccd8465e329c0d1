"""The options ``checkpoint=`` and ``resume=``, which all long searches take alike."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from seqform.base.errors import InvalidParameterError


def checkpoint_path(checkpoint: Any, resume: bool) -> Path | None:
    """Return the path that somebody gave, if any.

    Raises
    ------
    InvalidParameterError
        If it is no path, or a search is to go on and there is none.
    """
    if isinstance(checkpoint, (str, PathLike)):
        return Path(checkpoint)
    if checkpoint is not None:
        raise InvalidParameterError(f"checkpoint={checkpoint!r}: give the path of a file")
    if resume:
        raise InvalidParameterError("resume=True needs checkpoint=: the file to go on from")
    return None
