"""Form: a game as its players' sequences meet, however it is held; its numbering and its products.

A representation says how many sequences there are, what they are called, and how the game is gone
through: in *blocks*, one after the other. An explicit form is one block. A game by boards is each
of them, and then what is before them. On a block there are vectors over the players' sequences, in
parts; steps from the last information sets to the first; and what sequences are paid against
plans, in floats with bounds on their errors, and in integers.

What a representation must never know is what is looked for. There is no maximum here, and no best
response: judges (`seqform.concepts.judge`) and proofs (`seqform.exact.interval`) bring these, and
are written once. So no solver shares code with a certificate.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from seqform.base.arrays import Exact, Floats

if TYPE_CHECKING:
    from seqform.base.number import Number
    from seqform.form.sequence_form import SequenceForm
    from seqform.form.treeplex import Treeplex

Parts = dict[Hashable, npt.NDArray[Any]]
"""A vector over a player's sequences on a block, in as many arrays as the representation likes."""


class Space(Protocol):
    """A player's strategies, counted; a `Treeplex` adds the arrays."""

    @property
    def num_infosets(self) -> int:
        """Information sets of the player."""

    @property
    def num_sequences(self) -> int:
        """Sequences, the empty one included."""

    @property
    def num_runs(self) -> int:
        """How many steps a pass takes: the most own moves."""

    @property
    def most_actions(self) -> int:
        """Actions of the largest information set; 0 if there is none."""

    @property
    def most_following(self) -> int:
        """The most information sets that follow one sequence."""


class Step(Protocol):
    """Information sets of a player on a block, none of which is below another."""

    def entries(self, parts: Parts) -> npt.NDArray[Any]:
        """Return the entries of the actions of all of them, to be written to."""

    def over_actions(self, operation: np.ufunc, parts: Parts) -> npt.NDArray[Any]:
        """Return a reduction over the actions of each: (num_infosets,)."""

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return one value an information set, as it is compared with `entries`."""

    def add(self, values: npt.NDArray[Any], parts: Parts, later: Parts) -> None:
        """Add one value an information set to the sequence that leads there.

        To `later` where that is on a block that comes later: its vectors have this beside their
        own parts.
        """


class Paid(Protocol):
    """What a player's sequences are paid on a block, and what bounds how far that is off.

    Rounding changes a term by a `share` of it at most. Whoever asks says how large a share, since
    that hangs on what is done with the terms; what else may be off is known here.
    """

    @property
    def gradient(self) -> Parts:
        """What each sequence is paid, as computed."""

    def raised(self, share: float) -> Parts:
        """Return the gradient with bounds on its errors added, in arrays of its own."""

    def off(self, share: float, plan: Parts) -> float:
        """Bound how far the gradient's product with a plan is off."""


class Block(Protocol):
    """A part of a game that is gone through at once: indices and products only."""

    @property
    def times(self) -> int:
        """How many blocks it stands for, itself included: those that are like it."""

    @property
    def is_last(self) -> bool:
        """Whether it is the last one, which has the empty sequences."""

    def steps(self, player: int) -> Iterator[Step]:
        """Yield the steps of a player, from the last information sets to the first."""

    def paid(self, player: int, plans: Sequence[Parts]) -> Paid:
        """Return what the player's sequences are paid against the others' plans on this block."""

    def root(self, parts: Parts) -> Any:
        """Return the entry of the empty sequence, which is on the last block."""

    def numerators(self, player: int, plans: Sequence[Parts]) -> Parts:
        """Return that times a denominator, in integers, of a game of two players and zero sum.

        Player 1 is paid what player 0 loses. The constant that payoffs add up to is left out.
        """


class Played(NamedTuple):
    """A plan on a block, and what is wrong with it."""

    plan: Parts
    residuals: tuple[float, float]
    """The largest violations of ``E x = e`` and of ``x >= 0``."""


class Integers(NamedTuple):
    """What integers `Block.numerators` takes and makes.

    Parameters
    ----------
    denominator
        What they are over.
    bound
        A product with entries from 0 to z has entries of at most ``bound * z``, and so has every
        sum on the way to it.
    total
        A backward pass over products with a plan of entries from 0 to z adds up at most
        ``total * z``.
    room
        Bits that products may have, sign apart.
    """

    denominator: int
    bound: int
    total: int
    room: int


class Laid(Protocol):
    """Vectors over a player's sequences, as they stand on blocks."""

    def on(self, block: Any) -> list[Parts]:
        """Return each of them on a block."""


class Passage(Protocol):
    """How a form is gone through for a profile: block after block, with the profile's plans.

    The profile may be kept by fewer sequences than the form has, as one by classes of observations
    is. Vectors in integers are over these.
    """

    @property
    def form(self) -> Any:
        """The form."""

    @property
    def treeplexes(self) -> Sequence[Treeplex]:
        """For each player the sequences that the profile is kept by."""

    @property
    def behaviors(self) -> Sequence[Floats]:
        """For each player the behaviour strategy over these."""

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks; at last the one with the empty sequences."""

    def played(self, player: int, block: Any) -> Played:
        """Return a player's plan on a block."""

    def laid_out(self, player: int, vectors: Sequence[Exact]) -> Laid:
        """Return vectors over the sequences that the profile is kept by, to be asked on blocks."""

    def gathered(self, player: int, block: Any, parts: Parts) -> Floats:
        """Return a vector on a block, and on those like it, by the sequences of the profile.

        The transpose of `laid_out`: what is paid for any of the sequences that one stands for is
        added up. So a method that takes gradients needs no more than the two.
        """

    def whole(self, plans: tuple[Exact, ...]) -> Sequence[Exact]:
        """Return plans by these sequences as plans of the form, made when they are asked for."""

    def integers(self) -> Integers:
        """Return the bounds by which integers are chosen.

        Raises
        ------
        UnsupportedGameError
            If the game has floats, or is not of two players and constant sum.
        """


class Form(Protocol):
    """A game in sequence form, in whichever representation; a `SequenceForm` is the explicit one.

    A representation of another kind needs no more than these to be solved. What asks for vectors
    over all sequences gets those of `explicit`.
    """

    @property
    def num_players(self) -> int:
        """How many players there are."""

    @property
    def constant_sum(self) -> Number | None:
        """What the players' payoffs add up to at every leaf, or None if that varies."""

    def explicit(self) -> SequenceForm:
        """Return the form with every sequence listed: the reference of all others.

        Raises
        ------
        GameTooLargeError
            If it does not fit into memory, with the numbers.
        """
