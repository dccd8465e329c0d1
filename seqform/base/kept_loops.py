"""Loops that numba keeps once they are compiled, and compiles anew when what is in them changes.

numba looks at the file of a loop alone. What that takes from other files, functions as well as
constants, is compiled into it, and would stay there as it was: an update of this program, or an
edit, would go on computing by the code that it replaces.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import njit


def kept_with(*helpers: ModuleType, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return what decorates a loop: numba's `njit`, which keeps what it compiles.

    Parameters
    ----------
    helpers
        The modules, but its own, of which a loop uses functions or constants.
    options
        Of `njit`.
    """
    sources = b"".join(Path(str(module.__file__)).read_bytes() for module in helpers)
    digest = hashlib.sha256(sources).digest()

    def decorate(function: Callable[..., Any]) -> Any:
        loop = njit(cache=True, **options)(function)
        kept = getattr(getattr(loop, "_cache", None), "_cache_file", None)
        if kept is not None:  # else nothing is compiled, or nothing is kept
            kept._source_stamp = kept._source_stamp, digest
        return loop

    return decorate
