"""All equilibria of a two-player zero-sum game: how far each action's probability can go.

The optimal plans of each player are a polytope, and every pair of them is an equilibrium. For each
action that some of them lead to, two linear programs find the least and the greatest probability,
and their bases are checked in fractions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from seqform.base.deadline import check_time
from seqform.base.errors import VerificationError
from seqform.base.number import fraction_text
from seqform.base.progress import tell
from seqform.base.summary import Rows, counted
from seqform.exact.certificate import listing
from seqform.exact.plan_proof import ExactEquilibrium
from seqform.exact.proof import Files, ProofKind, Proven
from seqform.exact.saved_plans import equilibrium_of
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.linear.optimal_face import OptimalFace

UNIQUE = "one, up to play in information sets that it never comes to"
SEVERAL = "infinitely many; over all of them the probability of"

MANY = "infinitely many; how far each probability goes stands below"

SHOWN = 30
"""Actions whose probability varies that are shown to people."""


class Range(NamedTuple):
    """The least and the greatest probability of an action over all optimal plans that come there.

    `position` counts the actions of the information set, from 0 on.
    """

    player: int
    infoset: int
    position: int
    least: Fraction
    greatest: Fraction

    @property
    def is_fixed(self) -> bool:
        """Whether the action has one probability."""
        return self.least == self.greatest


@dataclass(frozen=True, eq=False)
class Family:
    """Which equilibria a game has.

    Parameters
    ----------
    ranges
        For each action of each information set that some optimal plan of its player comes to.
    unreached
        For each player the information sets that none comes to: there anything may be played.
    game
        The game that they are of.
    """

    ranges: tuple[Range, ...]
    unreached: tuple[tuple[int, ...], ...]
    game: SequenceForm

    kind: ClassVar[str] = "family"

    @property
    def is_unique(self) -> bool:
        """Whether each player has one optimal plan."""
        return all(found.is_fixed for found in self.ranges)

    def names(self, found: Range) -> tuple[str, str]:
        """Return what the game calls the information set and the action of a range."""
        actions = self.game.action_texts(found.player, found.infoset)
        return self.game.infoset_text(found.player, found.infoset), actions[found.position]

    def on(self, game: SequenceForm) -> Family:
        """Return the family of the game in another form, which has to be the same in integers.

        Raises
        ------
        VerificationError
            If it is of another game.
        """
        if listing(game) != listing(self.game):
            raise VerificationError("a family of equilibria is of the game that it was made for")
        return replace(self, game=game)

    def rows(self, unit: str = "") -> Rows:
        """Return how many equilibria there are, and what varies, for people."""
        if self.is_unique:
            return [("equilibria", UNIQUE)]
        varying = [found for found in self.ranges if not found.is_fixed]
        shown = [
            (" at ".join(reversed(self.names(found))), f"{found.least} to {found.greatest}")
            for found in varying[:SHOWN]
        ]
        left = len(varying) - len(shown)
        more = [("", f"and {counted(left, 'action')} more (--json lists all)")] if left else []
        return [("equilibria", SEVERAL), *shown, *more]

    def highlights(self, unit: str = "") -> Rows:
        """Return how many equilibria there are: a table shows what varies."""
        return [("equilibria", UNIQUE if self.is_unique else MANY)]

    def record(self) -> dict[str, Any]:
        """Return the ranges as JSON values, each number as text 'numerator/denominator'."""
        return {
            "unique": self.is_unique,
            "ranges": [
                {
                    "player": found.player,
                    "infoset": self.names(found)[0],
                    "action": self.names(found)[1],
                    "least": fraction_text(found.least),
                    "greatest": fraction_text(found.greatest),
                }
                for found in self.ranges
            ],
        }


def equilibrium_family(exact: ExactEquilibrium) -> Family:
    """Return which equilibria a two-player zero-sum game has, from any of them in fractions.

    Raises
    ------
    NotForThisGameError
        R10: if the game is not of two players and constant sum.
    SolverError
        If a linear program leaves no basis that is optimal in exact arithmetic.
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> from seqform import make, solve
    >>> family = equilibrium_family(solve(make("kuhn")).exact)
    >>> bet_with_the_jack = family.ranges[1]
    >>> family.names(bet_with_the_jack), bet_with_the_jack[3:]
    (('J:', 'bet'), (Fraction(0, 1), Fraction(1, 3)))
    """
    exact.game.zero_sum()
    ranges: list[Range] = []
    unreached = []
    for player in (0, 1):
        found, never = _of_player(exact, player)
        ranges += found
        unreached.append(never)
    return Family(tuple(ranges), tuple(unreached), exact.game)


def _of_player(exact: ExactEquilibrium, player: int) -> tuple[list[Range], tuple[int, ...]]:
    face, treeplex = OptimalFace(exact, player), exact.game.treeplexes[player]
    ranges, unreached = [], []
    for infoset in range(treeplex.num_infosets):
        check_time("looking for all equilibria")
        tell(f"all equilibria: player {player}'s information set {infoset:,}")
        above = int(treeplex.parent_sequence[infoset])
        if not face.comes_to(above):
            unreached.append(infoset)
            continue
        first, stop = treeplex.first_sequence[infoset : infoset + 2].tolist()
        for position, found in enumerate(_of_infoset(face, range(first, stop))):
            ranges.append(Range(player, infoset, position, *found))
    return ranges, tuple(unreached)


def _of_infoset(face: OptimalFace, sequences: range) -> list[tuple[Fraction, Fraction]]:
    """Return the ranges of the actions of an information set.

    Of two that may be played, each is what the other leaves.
    """
    found = {sequence: (Fraction(0), Fraction(0)) for sequence in sequences}
    possible = [sequence for sequence in sequences if face.is_optimal[sequence]]
    if len(possible) <= 2:
        least, greatest = (Fraction(1),) * 2 if len(possible) == 1 else face.range(possible[0])
        found[possible[-1]] = 1 - greatest, 1 - least
        found[possible[0]] = least, greatest
    else:
        found |= {sequence: face.range(sequence) for sequence in possible}
    return list(found.values())


class OfFamilies(ProofKind):
    """Families in saved results, which follow from the saved equilibrium."""

    name = "family"
    keys = ("family",)
    after = ("exact", "bracket", "refinement")

    def claims(self, proof: Family) -> dict[str, Any]:
        """Return the ranges."""
        return {self.name: proof.record()}

    def read(self, files: Files, claims: dict[str, Any], proven: Proven) -> Family | None:
        """Return the family, found again."""
        return equilibrium_family(equilibrium_of(proven)) if self.name in claims else None


OF_FAMILIES = OfFamilies()
