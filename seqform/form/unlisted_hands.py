"""Games made of a game of hands that are as large as it is: nothing of them is listed.

They are gone through by boards, as the game itself is. Nobody makes products of their payoffs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from seqform.base.errors import GameTooLargeError
from seqform.base.number import Number


def refuse(what: str) -> NoReturn:
    """Refuse what needs a list of a game's sequences or payoffs.

    Parameters
    ----------
    what
        The kind of the game, such as 'locked'.

    Raises
    ------
    GameTooLargeError
        Always.
    """
    raise GameTooLargeError(
        f"a {what} game of hands of this size has no list of its sequences and payoffs: use regret "
        "minimization (method='dcfr'), which is the default, or leave out hands, boards or lines"
    )


@dataclass(frozen=True, eq=False)
class UnlistedPayoffs:
    """Payoffs of which no products are made.

    Parameters
    ----------
    payoffs
        What the game of hands pays.
    extra
        For each player, how many more roundings a term passes through.
    """

    payoffs: Any
    extra: tuple[int, int]

    what: ClassVar[str]
    """The kind of the game."""
    is_exact = False
    stored_csr = None
    kronecker_terms = None

    @property
    def num_nonzeros(self) -> int:
        """What pays somebody in the game of hands: no fewer than here."""
        return int(self.payoffs.num_nonzeros)

    @property
    def constant_sum(self) -> Number | None:
        """What the players' payoffs add up to."""
        return self.payoffs.constant_sum  # type: ignore[no-any-return]

    def roundings(self, player: int) -> int:
        """Return the most roundings that a term passes through."""
        return int(self.payoffs.roundings(player)) + self.extra[player]

    def fingerprint(self) -> Iterator[bytes]:
        """Yield what the payoffs of the game of hands are made of, and what was done to them."""
        yield from self.payoffs.fingerprint()
        yield self.digest()

    def digest(self) -> bytes:
        """Return a digest of what was done to the game of hands."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        refuse(self.what)
