"""Need: the memory that something takes, said once for all who ask."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from seqform.base.deadline import limit_given
from seqform.base.errors import GameTooLargeError
from seqform.base.memory import in_words, require_memory, shortage

logger = logging.getLogger(__name__)

PATIENCE = 3_600
"""Seconds from which what takes longer, by an estimate, is begun only within a time limit."""


@dataclass(frozen=True)
class Need:
    """What a method takes beside the game's form, by an estimate.

    Parameters
    ----------
    what
        What takes it: "solving a linear program with 1,000 nonzeros".
    num_bytes
        How much.
    instead
        What to do where there is less.
    endless
        Why nobody can say how long it takes, and what to do about it; empty if that is not so.
    seconds
        How long it takes on one core, by an estimate; 0 where none is known.
    """

    what: str
    num_bytes: float
    instead: str
    endless: str = ""
    seconds: float = 0.0

    @property
    def is_too_long(self) -> bool:
        """Whether it takes longer than anybody waits who has not said for how long."""
        return self.seconds > PATIENCE

    @property
    def is_met(self) -> bool:
        """Whether there is so much memory and time that `require` would not refuse."""
        return shortage(self.num_bytes) is None and not self._lacks_time

    @property
    def _lacks_time(self) -> bool:
        return self.is_too_long and limit_given() is None

    def require(self) -> None:
        """Check that there is so much memory and time, and tell of what may take any time.

        Raises
        ------
        GameTooLargeError
            If there is less memory; or if it takes longer than `PATIENCE`, and no time limit ends
            it.
        """
        require_memory(self.num_bytes, self.what, self.instead)
        if self._lacks_time:
            raise GameTooLargeError(
                f"{self.what} takes about {self.seconds / 3600:,.1f} hours by an estimate, and "
                f"{in_words(self.num_bytes)} of memory; {self.instead}, or try it all the same "
                "within a time limit (time_limit=)"
            )
        if self.endless:
            logger.warning(
                "%s takes about %s of memory; %s",
                self.what,
                in_words(self.num_bytes),
                self.endless,
            )
