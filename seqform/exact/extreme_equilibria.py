"""All extreme equilibria of a two-player game, in integers, and how they hang together.

Plans x and y are an equilibrium if each plays only what a best response to the other may play. The
plans x to which y is a best response, and which are best responses to y, are a face of the
subdivision of `seqform.exact.extreme_plans`. So the set of equilibria is a union of products of
such faces, the maximal Nash subsets, and the corners of these are the pairs of extreme plans that
are equilibria (Avis, Rosenberg, Savani & von Stengel, "Enumeration of Nash equilibria for
two-player games", Economic Theory 42, 2010, Section 3, of bimatrix games; Audet, Belhaiza & Hansen,
"A new sequence form approach for the enumeration and refinement of all extreme Nash equilibria for
extensive form games", Int. Game Theory Review 11, 2009). Two of them are connected by equilibria
exactly if a chain of such pairs leads from one to the other in which neighbours share a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.budget import Budget
from seqform.base.deadline import check_time, deadline, overtime
from seqform.base.errors import GameTooLargeError, NotForThisGameError, OutOfTimeError
from seqform.base.number import fraction_text
from seqform.base.pictures import Pictured
from seqform.base.progress import tell
from seqform.base.summary import Rows, counted
from seqform.exact.extreme_plans import ExtremePlans
from seqform.exact.gains import check_exact
from seqform.exact.nash_subsets import NashSubset, maximal_subsets
from seqform.exact.plan_proof import ExactEquilibrium, prove_equilibrium
from seqform.form.pure_strategies import count_strategies, large_number
from seqform.form.sequence_form import SequenceForm

MOST_PURE_PLANS = 1_000
"""Reduced pure strategies of the player who has fewer up to which equilibria are enumerated: all of
them are extreme plans."""

COUNTED_UP_TO = 10_000
"""A lower bound on these strategies beyond which they are not counted: that takes long integers."""

MOST_EQUILIBRIA = 10_000
"""Extreme equilibria at which an enumeration stops."""

STEPS_OF_PROOF = 20
"""Of a budget, for proving that two plans are an equilibrium."""

SHOWN = 12
"""Equilibria that are shown to people."""


@dataclass(frozen=True, eq=False)
class Equilibria(Pictured):
    """Extreme equilibria of a game.

    Parameters
    ----------
    found
        Each proven; no two have the same plans.
    is_complete
        Whether these are all extreme equilibria.
    components
        For each equilibrium the connected component of the set of equilibria that it is in, counted
        from 0 on; None unless all are known.
    game
        The game that they are of.
    """

    found: tuple[ExactEquilibrium, ...]
    is_complete: bool
    components: tuple[int, ...] | None
    game: SequenceForm

    kind: ClassVar[str] = "equilibria"
    picture: ClassVar[str] = "equilibria"

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[ExactEquilibrium]:
        return iter(self.found)

    def __getitem__(self, number: int) -> ExactEquilibrium:
        return self.found[number]

    @cached_property
    def subsets(self) -> tuple[NashSubset, ...] | None:
        """The maximal Nash subsets; None unless all equilibria are known, or if they are too many.

        The set of equilibria is their union.
        """
        if not self.is_complete:
            return None
        edges = [
            tuple(
                tuple(Fraction(entry, whole) for entry in plan.tolist())
                for plan, whole in zip(each.plans, each.denominators, strict=True)
            )
            for each in self.found
        ]
        return maximal_subsets([(x, y) for x, y in edges], [each.values for each in self.found])

    def on(self, game: SequenceForm) -> Equilibria:
        """Return the same plans as equilibria of the game in another form, proven again."""
        return replace(self, found=tuple(each.on(game) for each in self.found), game=game)

    def rows(self, unit: str = "") -> Rows:
        """Return how many there are, and the first of them, for people."""
        shown = [
            (
                f"pays {', '.join(map(str, each.values))}",
                "; ".join(filter(None, map(_in_words, self.strategies(each)))),
            )
            for each in self.found[:SHOWN]
        ]
        left = len(self.found) - len(shown)
        more = [("", f"and {left:,} more (--json lists all)")] if left else []
        return [("extreme equilibria", self._count()), *shown, *more]

    def highlights(self, unit: str = "") -> Rows:
        """Return how many there are: tables show them side by side."""
        return [("extreme equilibria", self._count())]

    def _count(self) -> str:
        if self.components is None:
            return f"at least {len(self.found):,}: these are NOT known to be all"
        parts = len(set(self.components))
        together = counted(parts, "connected component")
        if self.subsets is not None:
            together += f" of {counted(len(self.subsets), 'maximal Nash subset')}"
        return f"{len(self.found):,}: all there are, in {together}"

    def strategies(self, each: ExactEquilibrium) -> tuple[list[dict[str, str]], ...]:
        """Return what each player plays, with names, where the player's own plan comes to."""
        return tuple(self._strategy(each.plans[player].tolist(), player) for player in (0, 1))

    def _strategy(self, plan: list[int], player: int) -> list[dict[str, str]]:
        treeplex, found = self.game.treeplexes[player], []
        for sequence in np.flatnonzero(np.array(plan[1:]) > 0) + 1:
            infoset = int(treeplex.infoset_of[sequence])
            position = int(sequence - treeplex.first_sequence[infoset])
            above = plan[int(treeplex.sequence_parent[sequence])]
            found.append(
                {
                    "infoset": self.game.infoset_text(player, infoset),
                    "action": self.game.action_texts(player, infoset)[position],
                    "probability": fraction_text(Fraction(plan[sequence], above)),
                }
            )
        return found

    def record(self) -> dict[str, Any]:
        """Return them as JSON values, each number as text 'numerator/denominator'."""
        found = []
        for number, each in enumerate(self.found):
            about: dict[str, Any] = {
                "values": list(map(fraction_text, each.values)),
                "strategies": list(self.strategies(each)),
                "plans": [
                    [fraction_text(Fraction(entry, whole)) for entry in plan.tolist()]
                    for plan, whole in zip(each.plans, each.denominators, strict=True)
                ],
            }
            if self.components is not None:
                about["component"] = self.components[number]
            found.append(about)
        subsets = None if self.subsets is None else [list(part.members) for part in self.subsets]
        return {"complete": self.is_complete, "found": found, "subsets": subsets}


def all_equilibria(game: SequenceForm, budget: Budget | None = None) -> Equilibria:
    """Return all extreme equilibria of a two-player game.

    If the time or the budget is over before all are known, or they are too many, these are some of
    them.

    Parameters
    ----------
    game
        A game of two players.
    budget
        Steps that it may take; None for no limit.

    Raises
    ------
    NotForThisGameError
        If the game is not for two players.
    GameTooLargeError
        If both players have too many strategies.
    UnsupportedGameError
        If the game has floats.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> found = all_equilibria(build_sequence_form(build_tree(make("chicken"))))
    >>> len(found), found.is_complete
    (3, True)
    """
    check_enumerable(game)
    first, budget = _who_has_fewer(game), budget or Budget()
    plans, is_complete = ExtremePlans(game, first, budget).all()
    theirs = ExtremePlans(game, 1 - first, budget)
    pairs: list[tuple[Exact, Exact]] = []
    try:
        with overtime():
            for number, plan in enumerate(plans):
                tell(f"all equilibria: {number:,} of {len(plans):,} plans of player {first}")
                _check_search(len(pairs))
                answers, is_whole = theirs.with_equilibria(plan)
                is_complete &= is_whole
                pairs += [(plan, answer)[:: 1 - 2 * first] for answer in answers]
                budget.spend(STEPS_OF_PROOF * (1 + len(answers)))
    except OutOfTimeError:
        is_complete = False
    is_complete &= len(pairs) <= MOST_EQUILIBRIA
    found, is_proven = _proven(game, pairs[:MOST_EQUILIBRIA])
    is_complete &= is_proven
    return Equilibria(found, is_complete, _components(pairs) if is_complete else None, game)


def _check_search(num_found: int) -> None:
    """See that there is time, which is over sooner if something was found, and room for more."""
    check_time("looking for equilibria")
    if num_found > MOST_EQUILIBRIA or (num_found and perf_counter() >= deadline()):
        raise OutOfTimeError("the time for looking for equilibria was over")


def _proven(
    game: SequenceForm, pairs: Sequence[tuple[Exact, Exact]]
) -> tuple[tuple[ExactEquilibrium, ...], bool]:
    """Return the equilibria that plans form, and whether there was time to prove all."""
    found: list[ExactEquilibrium] = []
    try:
        with overtime():
            for pair in pairs:
                check_time("proving equilibria")
                found.append(prove_equilibrium(game, pair, [int(plan[0]) for plan in pair]))
    except OutOfTimeError:
        return tuple(found), False
    return tuple(found), True


def check_enumerable(game: SequenceForm) -> None:
    """See that a game is for two players, and small enough to enumerate its equilibria.

    Raises
    ------
    NotForThisGameError
        If there are more or fewer players.
    UnsupportedGameError
        If the game has floats.
    GameTooLargeError
        With the number of strategies, and what to do instead.
    """
    if game.num_players != 2:
        raise NotForThisGameError(
            f"equilibria are enumerated for 2 players, and the game has {game.num_players}"
        )
    check_exact(game)
    # each information set of k actions is k - 1 strategies more, or more than that
    least, fewer = min((t.num_sequences - t.num_infosets, p) for p, t in enumerate(game.treeplexes))
    is_counted = least <= COUNTED_UP_TO
    if is_counted:
        fewer = _who_has_fewer(game)
        least = count_strategies(game.treeplexes[fewer]).reduced
    if least > MOST_PURE_PLANS:
        has = large_number(least) + ("" if is_counted else " or more")
        raise GameTooLargeError(
            "enumerating all equilibria goes through the reduced pure strategies of the player who "
            f"has fewer: player {fewer} has {has}, more than {MOST_PURE_PLANS:,}; "
            "look for a best equilibrium (optimize='welfare') or for one (method='lcp')"
        )


def _who_has_fewer(game: SequenceForm) -> int:
    """Return the player with fewer reduced pure strategies."""
    return min((0, 1), key=lambda player: count_strategies(game.treeplexes[player]).reduced)


def _components(pairs: Sequence[tuple[Exact, Exact]]) -> tuple[int, ...]:
    """Return the component of each pair; pairs that share a plan are in one."""
    above: dict[Any, Any] = {}

    def top(key: Any) -> Any:
        while above.setdefault(key, key) != key:
            key = above[key]
        return key

    ends = [[(player, *plan.tolist()) for player, plan in enumerate(pair)] for pair in pairs]
    for mine, theirs in ends:
        above[top(theirs)] = top(mine)
    tops = [top(mine) for mine, _ in ends]
    order = {found: number for number, found in enumerate(dict.fromkeys(tops))}
    return tuple(order[found] for found in tops)


def _in_words(strategy: list[dict[str, str]]) -> str:
    """Return a strategy in one line: what is certain has no number."""
    return ", ".join(
        f"{part['action']} at {part['infoset']}"
        + ("" if part["probability"] in ("1", "1/1") else f" {part['probability']}")
        for part in strategy
    )
