"""What libraries in other languages print: caught here, line by line, and shown nowhere else."""

from __future__ import annotations

import os
from contextlib import suppress
from types import TracebackType

STDOUT = 1
"""The number of the file that is printed to."""


class Printed:
    """Within its block, what this process prints to standard output comes here.

    It is for processes that have nothing else to print, such as those of `seqform.base.apart`. The
    output is a terminal, since what is printed to a pipe or a file comes only when a buffer is
    full. Whoever prints more than the terminal holds waits until `lines` is called.
    """

    def __init__(self) -> None:
        self._rest = b""

    def __enter__(self) -> Printed:
        from pty import openpty

        self._reader, writer = openpty()
        os.set_blocking(self._reader, False)
        self._before = os.dup(STDOUT)
        os.dup2(writer, STDOUT)
        os.close(writer)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.dup2(self._before, STDOUT)
        os.close(self._before)
        os.close(self._reader)

    def lines(self) -> list[str]:
        """Return the whole lines that were printed since the last call."""
        with suppress(BlockingIOError):  # nothing more is there now
            while piece := os.read(self._reader, 2**16):
                self._rest += piece
        *whole, self._rest = self._rest.split(b"\n")
        return [line.decode(errors="replace").rstrip("\r") for line in whole]
