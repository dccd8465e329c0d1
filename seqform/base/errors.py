"""The one family of errors: each message says what is wrong, where, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


REQUIREMENTS = {
    "R1": "a game has at least one player and one node, and a single root",
    "R2": "nodes stand in level order, the children of one side by side",
    "R3": "players are 0..n-1, CHANCE or TERMINAL, and just terminal nodes have no children",
    "R4": "chances are not negative and sum to one, and cards can be dealt",
    "R5": "every end of the game pays each player one finite number",
    "R6": "decision nodes, and no others, have an information set",
    "R7": "an information set is of one player",
    "R8": "the nodes of an information set have the same actions, called alike",
    "R9": "no player forgets what it knew or did: perfect recall",
    "R11": "labels that a game gives are text, not empty, and differ from one another",
    "R10": "linear programs are for two-player zero-sum games, pivots for two players",
}
"""What is asked of games, by the words with which messages begin; docs/data-model.md has more."""


class SeqformError(Exception):
    """Base of every error that seqform raises on purpose.

    A message that begins with a requirement, such as ``R10:``, has a note that says what that is.
    """

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        name = str(args[0]).partition(":")[0] if args else ""
        if name in REQUIREMENTS:
            self.add_note(f"({name} in docs/data-model.md: {REQUIREMENTS[name]})")


class InvalidGameError(SeqformError, ValueError):
    """The game is not valid; the message names the requirement of docs/data-model.md."""


class GameFileError(InvalidGameError):
    """A file of a game is missing or cannot be read, or a game does not fit its format."""


class ImperfectRecallError(InvalidGameError):
    """A player forgets something that it knew or did (requirement R9)."""


class GameTooLargeError(SeqformError):
    """The game has more nodes than the limit allows, or never ends."""


class UnsupportedGameError(SeqformError):
    """The game is valid, but the requested method does not cover its class."""


class NotForThisGameError(UnsupportedGameError):
    """The game is not of the kind that a method is for.

    Parameters
    ----------
    why
        What the game is, and the method is not for.
    instead
        What to do; `solve` names the methods that accept the game.
    """

    def __init__(
        self, why: str, instead: str = "seqform.solve(game) takes a method that accepts it, if any"
    ) -> None:
        super().__init__(why, instead)

    def __str__(self) -> str:
        return "; ".join(self.args)


class UnknownNameError(SeqformError, KeyError):
    """No game, parameter, solver or option has this name."""

    def __str__(self) -> str:  # KeyError would print the message in quotes
        return str(self.args[0]) if self.args else ""

    @classmethod
    def of(cls, kind: str, name: str, names: Iterable[str]) -> UnknownNameError:
        """Return the error for a name that is none of `names`, with the nearest there is."""
        from seqform.base.nearest import hint

        known = list(names)
        return cls(f"there is no {kind} {name!r}{hint(name, known)}; use one of {', '.join(known)}")


class InvalidParameterError(SeqformError, ValueError):
    """A parameter has a value that it cannot have."""


class OutOfTimeError(SeqformError):
    """A time limit is over, and there is nothing to return."""


class InvalidStrategyError(SeqformError, ValueError):
    """A vector is not a realization plan or behaviour strategy of the treeplex."""


class SolverError(SeqformError):
    """A solver cannot run on this input, or is not installed."""


class MissingLibraryError(SolverError):
    """A solver needs a library that is optional, and not installed."""


class CrashError(SeqformError):
    """Code that ran in a process of its own ended that process."""


class ResultFileError(SeqformError):
    """A saved result is missing, damaged, or of a version that this program does not read."""


class VerificationError(SeqformError):
    """A saved result does not say what its own files prove."""
