"""What HiGHS's log says of how far it has come.

The log is HiGHS's only report on the way: its callbacks count iterations, and say nothing of gaps.
"""

from __future__ import annotations

import re
from typing import Any

from seqform.base.progress import is_listening, tell

NUMBER = r"[-+]?\d\.\d+e[-+]\d+"
INTERIOR = re.compile(rf"^\s*(\d+)(?:\s+{NUMBER}){{4}}\s+({NUMBER})\s+[\d.]+\s*$")
"""Iteration, objectives, infeasibilities, relative gap, seconds."""

SIMPLEX = re.compile(r"^\s*(\d+)\s+\S+ (?:Ph1|Pr): (\d+)\((\S+?)\)")
"""Iteration, objective, and the infeasibilities: how many, and their sum."""


class HighsLog:
    """Listens to HiGHS, which runs in another thread, and tells whoever listens here.

    Parameters
    ----------
    highs
        A HiGHS object. Its log is turned on only if somebody listens, and never for its first-order
        engine, which writes to standard output what no option turns off.
    """

    def __init__(self, highs: Any) -> None:
        self._words = ""
        if not is_listening() or highs.getOptionValue("solver")[1] == "pdlp":
            return
        highs.setOptionValue("log_to_console", False)
        highs.setOptionValue("output_flag", True)
        highs.cbLogging += self._hear

    def _hear(self, event: Any) -> None:
        self._words = progress_of(event.message) or self._words

    def tell(self) -> None:
        """Tell what was heard last."""
        if self._words:
            tell(f"HiGHS: {self._words}")


def progress_of(line: str) -> str:
    """Return what a line of HiGHS's log says of its progress; "" if nothing.

    Examples
    --------
    >>> progress_of("   9    2.77e+02   2.90e+01   3.91e-04   5.54e-05   1.61e-03       0.1")
    '9 iterations, gap 1.61e-03'
    >>> progress_of("       2010     1.3799755496e+02 Pr: 12(0.5); Du: 0(2.6e-13) 0.3s")
    '2,010 iterations, 12 infeasibilities (sum 0.5)'
    >>> progress_of("Presolving model")
    ''
    """
    if found := INTERIOR.match(line):
        return f"{int(found[1]):,} iterations, gap {found[2]}"
    if found := SIMPLEX.match(line):
        return f"{int(found[1]):,} iterations, {int(found[2]):,} infeasibilities (sum {found[3]})"
    return ""
