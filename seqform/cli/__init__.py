"""The command line; signals are taken before anything else is loaded."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from contextlib import suppress
from typing import Any

from seqform.base.errors import SeqformError
from seqform.base.interrupt import SIGNALS, leave
from seqform.base.left_behind import is_one_left

BEGAN = time.perf_counter() - time.process_time()
"""When this process began, by `time.perf_counter`, if nothing made it wait until here."""

EXIT_ERROR = 2

INSTEAD = (
    "use a smaller game, a coarser abstraction (--abstract), regret minimization (--method dcfr), "
    "or give the process more memory"
)
"""What to do where memory ran out that nobody had estimated."""


def __getattr__(name: str) -> Any:
    """Return the commands, as `app`, when they are asked for."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from seqform.cli.commands import application

    return application()


def shell() -> None:
    """Run the command line as the program of this process, and end it.

    A time limit counts from the start of the process, and ends it whatever it does.
    """
    try:
        main(BEGAN)
    except SystemExit as stop:
        if is_one_left():  # Python would wait for it, and all is printed
            os._exit(stop.code if isinstance(stop.code, int) else EXIT_ERROR)
        raise


def main(began: float | None = None) -> None:
    """Run the command line.

    Parameters
    ----------
    began
        When a time limit begins, by `time.perf_counter`; None: now.

    Notes
    -----
    An error of our own becomes one line on standard error, and exit status 2. A signal that leaves
    nothing to show becomes one, too, and exit status 130 or 143.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(number, leave)
    # no dense algebra here; idle threads would only burn time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # imports and trees make many objects and no garbage: look for it rarely
    gc.set_threshold(200_000, 50, 50)
    try:
        _run(began)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(EXIT_ERROR)
    except (SeqformError, MemoryError) as error:
        print(f"seqform: {_in_words(error)}", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    except OSError as error:  # a full disk, or a path that the system does not take
        _print_nothing_more()
        where = error.filename or "cannot write what is printed"
        print(f"seqform: {where}: {error.strerror or error}", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    finally:
        gc.freeze()  # Python looks for garbage before it ends, and all goes with the process


def _run(began: float | None) -> None:
    from seqform.base.memory import refuse_more_than_available
    from seqform.cli.commands import application

    refuse_more_than_available()
    try:
        application()(obj=began, prog_name="seqform")
    finally:
        sys.stdout.flush()  # what cannot be written is an error here, and not when Python ends


def _print_nothing_more() -> None:
    """Send what was not yet printed nowhere: Python would try again when it ends."""
    with suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _in_words(error: Exception) -> str:
    if isinstance(error, MemoryError):
        why = f" ({error})" if str(error) else ""
        return f"out of memory{why}; {INSTEAD}"
    return " ".join([str(error), *getattr(error, "__notes__", ())])
