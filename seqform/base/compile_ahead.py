"""Loops compiled in a process of their own, while this one prepares what they will work on.

numba keeps what it compiles in a folder, where every process finds it. So a process that compiles
the same loops for the same types saves this one the wait. If it fails, or there is no processor for
it, this process compiles the loops when it comes to them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seqform.base.child_process import LOOK_EVERY, is_child, run_in_child
from seqform.base.deadline import check_time
from seqform.base.errors import SeqformError
from seqform.base.machine import processors

logger = logging.getLogger(__name__)

_begun: dict[str, threading.Thread] = {}


def compile_ahead(task: str, loops: Sequence[Any]) -> None:
    """Begin to compile loops, unless all are kept or no processor is free; return at once.

    Parameters
    ----------
    task
        ``package.module:function``, as `run_in_child` takes it: it compiles the loops by using
        them.
    loops
        The functions that numba compiles.
    """
    if processors() == 1 or is_child() or task in _begun or all(map(is_kept, loops)):
        return
    _begun[task] = threading.Thread(target=_compile, args=(task,), daemon=True)
    _begun[task].start()


def await_compiled(task: str) -> None:
    """Wait until loops are compiled, if that was begun.

    Raises
    ------
    OutOfTimeError
        If the time limit is over before.
    """
    while not is_over(task):
        check_time("compiling loops, which is done once and kept")
        _begun[task].join(LOOK_EVERY)


def is_over(task: str) -> bool:
    """Return whether nothing is being compiled by a task: it is done, or was not begun."""
    thread = _begun.get(task)
    return thread is None or not thread.is_alive()


def is_kept(loop: Any) -> bool:
    """Return whether numba has kept a loop, for whatever types, since its file was changed."""
    source = Path(loop.py_func.__code__.co_filename)
    name = f"{source.stem}.{loop.py_func.__qualname__}-*.nbi"
    written = [path.stat().st_mtime for path in Path(loop.stats.cache_path).glob(name)]
    return max(written, default=0.0) >= source.stat().st_mtime


def _compile(task: str) -> None:
    try:
        run_in_child(task, {})
    except (SeqformError, MemoryError, OSError) as error:
        logger.info("loops are compiled when they are needed: %s", error)
