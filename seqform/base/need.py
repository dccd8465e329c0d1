"""Need: the memory that something takes, said once for all who ask."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from seqform.base.memory import in_words, require_memory

logger = logging.getLogger(__name__)


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
    """

    what: str
    num_bytes: float
    instead: str
    endless: str = ""

    def require(self) -> None:
        """Check that there is so much memory, and tell the user of what may take any time.

        Raises
        ------
        GameTooLargeError
            If there is less.
        """
        require_memory(self.num_bytes, self.what, self.instead)
        if self.endless:
            logger.warning(
                "%s takes about %s of memory; %s",
                self.what,
                in_words(self.num_bytes),
                self.endless,
            )
