"""What HiGHS says of how far it has come.

For integer programs its callbacks say all. For linear ones that is its log. In version 1.16 the
simplex method's callbacks count iterations and nothing else, and those of the interior point do not
even do that. Its first-order engine calls nobody, and prints its log.
"""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, suppress
from math import isfinite
from types import TracebackType
from typing import Any

from seqform.base.child_process import is_child
from seqform.base.progress import is_listening, tell
from seqform.base.summary import counted

NUMBER = r"[-+]?\d\.\d+e[-+]\d+"
INTERIOR = re.compile(rf"^\s*(\d+)(?:\s+{NUMBER}){{4}}\s+({NUMBER})\s+[\d.]+\s*$")
"""Iteration, objectives, infeasibilities, relative gap, seconds."""

SIMPLEX = re.compile(r"^\s*(\d+)\s+\S+ (?:Ph1|Pr): (\d+)\((\S+?)\)")
"""Iteration, objective, and the infeasibilities: how many, and their sum."""

SIGNED = r"[-+]\d\.\d+e[-+]\d+"
FIRST_ORDER = re.compile(rf"^\s*([1-9]\d*)(?:\s+{SIGNED}){{2}}\s+\+?({NUMBER})\s.*s \[[AL]\]$")
"""Iteration, objectives, relative gap, of the average point or of the last; at the start, which is
0, the gap says nothing."""


class HighsLog:
    """Listens to HiGHS, which runs in another thread, and tells whoever listens here.

    Its log is turned on only within the block of this, and if somebody listens. That of the
    first-order engine is only in a process of its own, since it goes to standard output.

    Parameters
    ----------
    highs
        A HiGHS object.
    unit
        What 1 of the objective of an integer program is; None if it has no objective.
    """

    def __init__(self, highs: Any, unit: float | None = None) -> None:
        self._highs, self._words, self._unit = highs, "", unit
        self._stack = ExitStack()
        self._printed: Printed | None = None

    def __enter__(self) -> HighsLog:
        prints = self._highs.getOptionValue("solver")[1] == "pdlp"
        if is_listening() and (is_child() or not prints):
            if prints:
                self._printed = self._stack.enter_context(Printed())
            self._highs.setOptionValue("log_to_console", False)
            self._highs.setOptionValue("output_flag", True)
            self._highs.cbLogging += self._hear
            self._highs.cbMipInterrupt += self._look
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _hear(self, event: Any) -> None:
        self._note(event.message)

    def _note(self, line: str) -> None:
        self._words = progress_of(line) or self._words

    def _look(self, event: Any) -> None:
        found = event.data_out
        best, bound = found.mip_primal_bound, found.mip_dual_bound
        self._words = branching(found.mip_node_count, best, bound, self._unit)

    def tell(self) -> None:
        """Tell what was heard last."""
        for line in self._printed.lines() if self._printed else ():
            self._note(line)
        if self._words:
            tell(f"HiGHS: {self._words}")


def branching(nodes: int, best: float, bound: float, unit: float | None) -> str:
    """Return how far the search of an integer program has come that is maximised.

    Parameters
    ----------
    nodes
        How many it branched at.
    best, bound
        What was found, and what nothing exceeds; infinite if nothing is known.
    unit
        What 1 of them is; None if they mean nothing.

    Examples
    --------
    >>> branching(1009, 0.5, 2.0, 2.0)
    '1,009 nodes, found 1, at most 4, gap 3'
    >>> branching(0, float("-inf"), float("inf"), 1.0)
    '0 nodes'
    """
    words = [counted(nodes, "node")]
    if unit is not None:
        known = (("found", best), ("at most", bound), ("gap", bound - best))
        words += [f"{name} {unit * value + 0.0:.6g}" for name, value in known if isfinite(value)]
    return ", ".join(words)


def progress_of(line: str) -> str:
    """Return what a line of HiGHS's log says of its progress; "" if nothing.

    Examples
    --------
    >>> progress_of("   9    2.77e+02   2.90e+01   3.91e-04   5.54e-05   1.61e-03       0.1")
    '9 iterations, gap 1.61e-03'
    >>> progress_of("       2010     1.3799755496e+02 Pr: 12(0.5); Du: 0(2.6e-13) 0.3s")
    '2,010 iterations, 12 infeasibilities (sum 0.5)'
    >>> progress_of("  8000  +8.22385161e+01  +8.21e+01  +7.43e-04    1.38e-04  1.26e-04   0s [A]")
    '8,000 iterations, gap 7.43e-04'
    >>> progress_of("Presolving model")
    ''
    """
    if found := INTERIOR.match(line) or FIRST_ORDER.match(line):
        return f"{counted(int(found[1]), 'iteration')}, gap {found[2]}"
    if found := SIMPLEX.match(line):
        return f"{int(found[1]):,} iterations, {int(found[2]):,} infeasibilities (sum {found[3]})"
    return ""


STDOUT = 1
"""The number of the file that is printed to."""


class Printed:
    """Within its block, what this process prints to standard output comes here.

    It is for processes that have nothing else to print, such as those of
    `seqform.base.child_process`. The output is a terminal, since what is printed to a pipe or a
    file comes only when a buffer is full. Whoever prints more than the terminal holds waits until
    `lines` is called.
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
