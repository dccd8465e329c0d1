"""AnyStage: what a stage of a recursive game has to tell, however it is held.

There are two ways. `StageForm` lists where sequences meet, entry by entry. `DenseStage` has a
tensor of chances over what the players were dealt, which all lines of play share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.base.deadline import check_time
from seqform.form.origin import Origin
from seqform.form.treeplex import Treeplex
from seqform.game.recursive import Leaf
from seqform.recursive.against import Against

if TYPE_CHECKING:
    from seqform.form.payoff import Payoffs
    from seqform.recursive.stage_form import StageForm


class Meetings(Protocol):
    """Where a seat's sequences come to leads; see `AnyStage.meetings`."""

    def against(self, plans: Sequence[Floats]) -> Against:
        """Return the chances against the others' plans, in floats.

        Parameters
        ----------
        plans
            A realization plan for each seat; that of the seat itself does not matter.
        """

    def exactly_against(self, plans: Sequence[Exact], whole: int) -> Against:
        """Return the chances against the others' plans, in integers.

        Parameters
        ----------
        plans
            `whole` times a realization plan for each seat, int64 (num_sequences,).
        whole
            A power of two.
        """


class Payer(Protocol):
    """Says what sequences are paid, in stages of one form side by side."""

    def pay(self, seat: int, plans: Floats, paid: Floats) -> None:
        """Write what each sequence of a seat is paid against the others' plans.

        Parameters
        ----------
        plans, paid
            A row for each sequence of all seats, float64 (num_rows, num_stages); of `paid` the
            seat's rows are written.
        """


@dataclass(frozen=True, eq=False)
class AnyStage(ABC):
    """A stage: sequences, and what chance makes of them.

    Parameters
    ----------
    treeplexes
        One for each seat.
    origin
        What knows the names of information sets and actions.
    leaves
        What ends of the stage are told apart.
    denominator
        Of all chances, which are integers over it.
    """

    treeplexes: tuple[Treeplex, ...]
    origin: Origin
    leaves: tuple[Leaf, ...]
    denominator: int

    @property
    def num_seats(self) -> int:
        """How many players sit there."""
        return len(self.treeplexes)

    @property
    @abstractmethod
    def num_entries(self) -> int:
        """Where sequences meet, leaf by leaf."""

    @property
    @abstractmethod
    def num_bytes(self) -> int:
        """The memory that it takes as long as it is solved, beyond what it takes itself."""

    @property
    def room(self) -> int:
        """Bytes that are needed while sums over it are made; stages take turns in them."""
        return 0

    @property
    def is_listed(self) -> bool:
        """Whether it lists where sequences meet, entry by entry."""
        return False

    @property
    def most_at_once(self) -> int | None:
        """Of how many stages the players learn side by side at most; None for any number."""
        return None

    def make_ready(self) -> None:
        """Make what is needed to solve the stage, and not to count what there is."""
        return  # nothing, unless somebody says otherwise

    @abstractmethod
    def check(self) -> None:
        """See that chances are integers, not negative, and add up to 1 whatever the players do.

        Raises
        ------
        InvalidGameError
            R4: if not.
        """

    @abstractmethod
    def listed(self) -> StageForm:
        """Return the stage entry by entry, as programs of two players need it.

        Raises
        ------
        GameTooLargeError
            If that does not fit into memory.
        """

    @abstractmethod
    def meetings(self, lead: Ints, seat: int) -> Meetings:
        """Return where a seat's sequences come to leads.

        Parameters
        ----------
        lead
            int32 (num_leaves,): which lead each leaf leads to.
        """

    @abstractmethod
    def payer(self, rows: Index, worth: Floats, near: Floats) -> Payer:
        """Return what says what sequences are paid, for some rounds.

        Parameters
        ----------
        rows
            int64 (num_seats + 1,): the first row of each seat, and where the last one's end.
        worth
            What leaves are worth to each seat, float64 (num_seats, num_leaves, num_stages).
        near
            float64 (num_rows, num_stages): plans near which it has to be most exact.
        """

    @abstractmethod
    def payoffs(self, worth: Floats) -> Payoffs:
        """Return what sequences are paid, so that the stage can be a game of its own.

        Parameters
        ----------
        worth
            What leaves are worth to each seat, float64 (num_leaves, num_seats).
        """

    @abstractmethod
    def ending(self, seat: int, plans: Sequence[Floats]) -> Floats:
        """Return how likely chance and the others let play end in each sequence of a seat.

        Parameters
        ----------
        plans
            A realization plan for each seat; that of the seat itself does not matter.

        Returns
        -------
        chances
            float64 (num_sequences,).
        """

    @abstractmethod
    def feed(self, update: Callable[[bytes], None], lead: Ints) -> None:
        """Give all that chances are made of to the `update` of a digest."""

    def all_against(
        self, meetings: Sequence[Any], plans: Sequence[Sequence[Floats]]
    ) -> list[Against]:
        """Return for several stages of this form the chances against the others' plans, in floats.

        Parameters
        ----------
        meetings
            Of one seat, for each stage.
        plans
            For each stage those of all seats.
        """
        found = []
        for at, own in zip(meetings, plans, strict=True):
            check_time("adding up what strategies meet")
            found.append(at.against(own))
        return found

    def all_exactly_against(
        self, meetings: Sequence[Any], plans: Sequence[Sequence[Exact]], whole: int
    ) -> list[Against]:
        """Return the same in integers, of `whole` times realization plans."""
        found = []
        for at, own in zip(meetings, plans, strict=True):
            check_time("adding up what strategies meet, in integers")
            found.append(at.exactly_against(own, whole))
        return found
