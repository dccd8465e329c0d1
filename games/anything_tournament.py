"""Push or fold against a player who may do anything, to bound what that loses.

One player, the *restricted* one, pushes or folds before the flop, and does nothing else. The other
is *free*: all that no-limit hold'em allows. A restricted player answers whatever is not all-in as
if it were a limp: by a push or a fold. Against that, nothing the free player could do is better
than what the free player may do here, which is to fold, to limp or to push, and after a limp that
is pushed over, to fold or to call:

* after a push of the restricted player there is a fold and a call, as ever;
* a raise that is not all-in ends as a limp does if the restricted player folds. After a push the
  free player calls, with the same stacks at stake as after a limp, or folds and has lost at least
  as much as after a limp. It is no better as long as more chips are never worse;
* the hand never comes to a flop before both are all-in.

So what the restricted player is guaranteed here holds in no-limit hold'em too, where stacks and
bets are multiples of a unit. docs/explanation/recursive-games.md has the proof, and
`more_is_never_worse` sees to its condition, in fractions.

References
----------
Miltersen & Sorensen, "A near-optimal strategy for a heads-up no-limit Texas hold'em poker
tournament", AAMAS 2007, bound this loss by 1.4 percentage points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from games.blinds import Blinds
from games.chip_tournament import SWAPPED, stacks, won_by
from games.parameters import require
from games.push_fold_stages import HandPairs
from games.push_fold_tournament import holdem_hands
from seqform.base.errors import VerificationError
from seqform.game.catalogue import GameEntry
from seqform.game.recursive import End, Leaf, Next

if TYPE_CHECKING:
    from seqform.recursive.solution import RecursiveSolution


class Stacks(NamedTuple):
    """A stage."""

    chips: int
    """Of seat 0, the small blind."""
    free: int
    """The seat of the free player."""


@dataclass(frozen=True)
class AnythingTournament:
    """A tournament in which one player pushes or folds, and the other may limp too.

    Parameters
    ----------
    hands
        The classes of hands.
    blinds
        What is played for.
    chips
        All that are on the table.
    first
        Those of seat 0, and who is free, in the first hand.
    """

    hands: HandPairs
    blinds: Blinds
    chips: int
    first: Stacks

    num_players = 2
    endless = (Fraction(1, 2), Fraction(1, 2))
    pays_chips = True
    unit = "tournaments"

    def start(self) -> Stacks:
        """Return the first stage."""
        return self.first

    def keys(self) -> Iterator[Stacks]:
        """Return all stages."""
        for mine in range(self.blinds.unit, self.chips, self.blinds.unit):
            for free in (0, 1):
                yield Stacks(mine, free)

    def stage(self, key: Stacks) -> Any:
        """Return the hand at these stacks; only a free small blind may limp."""
        effective = min(key.chips, self.chips - key.chips)
        return self.blinds.hand(self.hands, effective, limps=key.free == 0)

    def leads_to(self, key: Stacks, leaf: Leaf) -> Next | End:
        """Return the next hand, in which the players have changed seats, or who has won."""
        mine = key.chips + self.blinds.won(key.chips, self.chips - key.chips, leaf)
        following = Next(Stacks(self.chips - mine, 1 - key.free), SWAPPED)
        return won_by(mine, self.chips) or following

    def stage_label(self, key: Stacks) -> str:
        """Write the stacks, and who is free."""
        blind = "small" if key.free == 0 else "big"
        return f"{key.chips} against {self.chips - key.chips} chips, the {blind} blind is free"


def anything_tournament(
    chips: int = 8000,
    small_blind: int = 300,
    big_blind: int = 600,
    unit: int = 100,
    first: int = 0,
    free: int = 0,
) -> AnythingTournament:
    """Return hold'em for two of whom one pushes or folds, and the other may do anything.

    Against a player who answers by a push or a fold, nothing but a limp can be better than these.
    So what the restricted player is guaranteed holds against all that no-limit hold'em allows. The
    other rules are those of `push-fold-tournament`.

    Parameters
    ----------
    chips
        All that are on the table.
    small_blind
        Chips of the small blind.
    big_blind
        Chips of the big blind.
    unit
        What stacks, blinds and bets are multiples of.
    first
        Chips of player 0, who has the small blind in the first hand; 0 stands for half of all.
    free
        The player who may do anything: 0 or 1.
    """
    blinds = Blinds(small_blind, big_blind, unit)
    require("free", free, 0, 1)
    start = Stacks(stacks(chips, first, unit), free)
    return AnythingTournament(holdem_hands(), blinds, chips, start)


def most_lost(solution: RecursiveSolution) -> dict[int, Fraction]:
    """Return what pushing or folding loses at most, for each number of the small blind's chips.

    The optimum of no-limit hold'em in a seat is at most what a free player gets there against the
    strategy that is restricted. What that one is guaranteed in the seat is 1 less what the other
    seat gets when free. The difference of both is the same for both seats.

    Parameters
    ----------
    solution
        Of an `AnythingTournament`.

    Raises
    ------
    VerificationError
        If the bounds are not proven of no-limit hold'em (`more_is_never_worse`).
    """
    if not more_is_never_worse(solution):
        raise VerificationError(
            "the bounds are of a player who limps, pushes or folds, and not of one who does "
            "anything: at some stacks more chips are worth less, or case (C) does not apply; "
            "solve to a smaller gap"
        )
    blind, other = _free_bounds(solution)
    return {chips: bound + other[chips] - 1 for chips, bound in blind.items()}


def more_is_never_worse(solution: RecursiveSolution) -> bool:
    """Return whether bounds of a free player never fall with the chips, and hold by case (C).

    Then they are bounds of one who may raise too: see the module's text.
    """
    blind, other = _free_bounds(solution)
    mine = [blind[chips] for chips in sorted(blind)]
    theirs = [other[chips] for chips in sorted(other, reverse=True)]
    rises = all(a <= b for own in (mine, theirs) for a, b in pairwise(own))
    from seqform.recursive.bound import Case  # noqa: PLC0415

    return rises and solution.proof.cases == (Case.SLACK,)


def _free_bounds(solution: RecursiveSolution) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Return the most that a free small blind gets, and a free big blind, by the former's chips."""
    found: tuple[dict[int, Fraction], dict[int, Fraction]] = ({}, {})
    for stage, row in zip(solution.graph.stages, solution.proof.upper, strict=True):
        key: Any = stage.key
        found[key.free][key.chips] = row[key.free]
    return found


ANYTHING_TOURNAMENT = GameEntry(
    "push-fold-against-anything",
    "A tournament of hold'em in which one player pushes or folds, and the other does anything",
    anything_tournament,
)
