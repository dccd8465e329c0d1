"""Plans that tremble, and the proof that their limit is a refined equilibrium.

A plan here is a polynomial in epsilon for each sequence, and for every small epsilon > 0 a plan
that plays all sequences. As epsilon vanishes so do the trembles, and what is left is a behaviour
in every information set, reached or not. The weight of a whole plan may be any polynomial that
tends to 1, since only the shares of actions matter. With b that limit and (x, y) the trembling
plans, b is

* quasi-perfect if every action it plays is a best reply, with best play after it, to the other's
  trembling plan, for all small epsilon (van Damme, "A relation between perfect equilibria in
  extensive form games and proper equilibria in normal form games", IJGT 13, 1984);
* extensive-form perfect if it is one when the own later moves tremble too (Selten, "Reexamination
  of the perfectness concept", IJGT 4, 1975, Theorem 7, on the agent normal form).

Both are statements on polynomials for all small epsilon, so what decides is the lowest power in
which two differ. All is done in integers. It matters neither how the plans were found nor how fast
which action's tremble vanishes: either definition asks for one sequence of trembles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import Any, ClassVar

import numpy as np

from seqform.base.arrays import Exact, Floats
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, UnsupportedGameError, VerificationError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.base.summary import Rows, counted
from seqform.exact.products import FLOATS
from seqform.form.integer_payoffs import integer_payoffs
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex

Polynomial = tuple[int, ...]
"""Coefficients, the lowest power first."""


@dataclass(frozen=True, eq=False)
class Trembles:
    """Plans of two players that are polynomials in epsilon.

    Parameters
    ----------
    plans
        For each player Python ints, object (num_powers, num_sequences): `denominators[player]`
        times the coefficients, the lowest power first.
    denominators
        For each player what the coefficients are over.
    """

    plans: tuple[Exact, Exact]
    denominators: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Refinement:
    """A refined equilibrium, proven.

    Parameters
    ----------
    name
        What it is: a key of `PROOFS`.
    trembles
        The trembling plans whose limit it is.
    behaviors
        For each player the limit: fractions, object (num_sequences,); of each information set the
        entries add up to 1.
    game
        The game that this is of.
    """

    name: str
    trembles: Trembles
    behaviors: tuple[Exact, Exact]
    game: SequenceForm

    kind: ClassVar[str] = "refinement"

    def on(self, game: SequenceForm) -> Refinement:
        """Return the same of the game in another form, proven again."""
        return prove_refinement(game, self.name, self.trembles)

    def floats(self) -> tuple[Floats, Floats]:
        """Return the behaviours rounded to floats: float64 (num_sequences,)."""
        first, second = (behavior.astype(np.float64) for behavior in self.behaviors)
        return first, second

    def rows(self, unit: str = "") -> Rows:
        """Return what is proven for people."""
        powers = max(len(plan) for plan in self.trembles.plans) - 1
        words = f"{self.name}: proven for all small epsilon, by polynomials of degree {powers}"
        if count := self.num_impossible:
            sets = counted(count, "information set")
            words += f"; not at {sets} to which chance never leads (probability 0)"
        return [("refinement", words)]

    @property
    def num_impossible(self) -> int:
        """Information sets of the game's tree that chance never leads to; 0 without a tree."""
        tree = self.game.tree
        if tree is None:
            return 0
        possible = tree.possible & (tree.infoset >= 0)
        return tree.num_infosets - len(np.unique(tree.infoset[possible]))

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values: the name alone; trembles are in the certificate."""
        return {"name": self.name}


def prove_refinement(game: SequenceForm, name: str, trembles: Trembles) -> Refinement:
    """Return the refined equilibrium that trembling plans have as their limit.

    Raises
    ------
    InvalidStrategyError
        If the polynomials are no plans of the game that play everything.
    VerificationError
        If their limit is not proven to be refined so, or there is no such refinement.
    UnsupportedGameError
        If the game has floats.
    NotForThisGameError
        If it is not for two players.
    """
    if name not in PROOFS:
        raise VerificationError(f"there is no refinement {name!r}: use {', '.join(PROOFS)}")
    payoffs = integer_payoffs(game)
    if not payoffs.is_exact:
        raise UnsupportedGameError(FLOATS)
    behaviors = []
    for player, treeplex in enumerate(game.treeplexes):
        try:
            check_trembles(treeplex, trembles.plans[player], trembles.denominators[player])
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"player {player}, {error}") from None
        behaviors.append(limit(treeplex, trembles.plans[player]))
    for player, treeplex in enumerate(game.treeplexes):
        check_time("proving a refinement")
        worth = _products(payoffs.matrices[player], trembles.plans[1 - player])
        wrong = PROOFS[name](treeplex, worth, trembles.plans[player], behaviors[player])
        if wrong is not None:
            raise VerificationError(
                f"player {player}, information set {wrong}: an action that the limit plays is not "
                f"{name}"
            )
    return Refinement(name, trembles, (behaviors[0], behaviors[1]), game)


def check_trembles(treeplex: Treeplex, plan: Exact, whole: int) -> None:
    """See that polynomials are a plan that plays every sequence, for all small epsilon.

    Raises
    ------
    InvalidStrategyError
        With the information set, or the sequence, at which they are not.
    """
    if plan.ndim != 2 or not len(plan) or plan.shape[1] != treeplex.num_sequences or whole < 1:
        raise InvalidStrategyError(
            f"a trembling plan here is Python ints of shape (powers, {treeplex.num_sequences}) "
            "over a positive denominator"
        )
    if plan[0, 0] != whole:
        raise InvalidStrategyError("a trembling plan tends to 1 at the empty sequence")
    if treeplex.num_infosets:
        sums = np.add.reduceat(plan, treeplex.first_sequence[:-1], axis=1)
        wrong = np.flatnonzero((sums != plan[:, treeplex.parent_sequence]).any(axis=0))
        if len(wrong):
            raise InvalidStrategyError(
                f"information set {wrong[0]}: the polynomials do not add up to what leads there"
            )
    leading = plan[_lowest_powers(plan), np.arange(plan.shape[1])]
    wrong = np.flatnonzero(leading <= 0)
    if len(wrong):
        raise InvalidStrategyError(
            f"sequence {wrong[0]}: the polynomial is not positive for all small epsilon"
        )


def limit(treeplex: Treeplex, plan: Exact) -> Exact:
    """Return the behaviour that a trembling plan tends to: fractions, object (num_sequences,)."""
    powers = np.append(_lowest_powers(plan), 0)[treeplex.sequence_parent]
    powers[0] = 0
    numerators = plan[powers, np.arange(plan.shape[1])]
    behavior = np.full(plan.shape[1], Fraction(1), dtype=object)
    leading = plan[powers[1:], treeplex.sequence_parent[1:]]
    behavior[1:] = [
        Fraction(part, whole)
        for part, whole in zip(numerators[1:].tolist(), leading.tolist(), strict=True)
    ]
    return behavior


def _lowest_powers(plan: Exact) -> Any:
    """Return the lowest power of each polynomial that does not vanish; 0 of those that vanish."""
    return np.argmax(plan != 0, axis=0)


def _products(matrix: IntegerMatrix, plan: Exact) -> list[Polynomial]:
    """Return what each own sequence pays against a trembling plan."""
    powers = (matrix @ plan.T).T.tolist()
    return list(zip(*powers, strict=True))


def _quasi_perfect(
    treeplex: Treeplex, worth: list[Polynomial], plan: Exact, behavior: Exact
) -> int | None:
    """Return an information set in which the limit plays what is not best before best play.

    Polynomials of one length, lowest power first, compare for small epsilon as tuples do.
    """
    parents, first = treeplex.parent_sequence.tolist(), treeplex.first_sequence.tolist()
    for infoset in reversed(range(treeplex.num_infosets)):
        actions = range(first[infoset], first[infoset + 1])
        best = max(worth[action] for action in actions)
        if any(behavior[action] and worth[action] != best for action in actions):
            return infoset
        above = parents[infoset]
        worth[above] = tuple(map(add, worth[above], best))
    return None


def _extensive_form_perfect(
    treeplex: Treeplex, worth: list[Polynomial], plan: Exact, behavior: Exact
) -> int | None:
    """Return an information set in which the limit plays what is not best before own trembles.

    Of an action that is reached with x and worth w after all that follows, w x is known; two
    actions compare by w v against v w, each multiplied by what reaches the other.
    """
    parents, first = treeplex.parent_sequence.tolist(), treeplex.first_sequence.tolist()
    reach: list[Polynomial] = [tuple(row) for row in plan.T.tolist()]
    total = [times(pays, there) for pays, there in zip(worth, reach, strict=True)]

    def is_better(action: int, than: int) -> bool:
        return times(total[action], reach[than]) > times(total[than], reach[action])

    for infoset in reversed(range(treeplex.num_infosets)):
        actions = range(first[infoset], first[infoset + 1])
        played = [action for action in actions if behavior[action]]
        if any(is_better(action, than) for action in actions for than in played):
            return infoset
        above = parents[infoset]
        for action in actions:
            total[above] = tuple(map(add, total[above], total[action]))
    return None


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    """Return the product of two polynomials.

    Examples
    --------
    >>> times((1, 2), (1, 0, -3))
    (1, 2, -3, -6)
    """
    product = [0] * (len(first) + len(second) - 1)
    for power, factor in enumerate(first):
        if factor:
            for other, number in enumerate(second):
                product[power + other] += factor * number
    return tuple(product)


Test = Callable[[Treeplex, list[Polynomial], Exact, Exact], int | None]

PROOFS: dict[str, Test] = {
    "quasi-perfect": _quasi_perfect,
    "extensive-form-perfect": _extensive_form_perfect,
}
"""What proves each refinement: None, or an information set where it does not hold."""
