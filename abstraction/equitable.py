"""Reduction `equitable`: the coarsest partition of what players see that is found to lose nothing.

On signal games of two players it looks at the cards alone, and elsewhere at the sequence form
(`abstraction.color_refinement`). The proofs are in docs/explanation/gameshrink.md.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, cast

import numpy as np

from abstraction.color_refinement import refine_colors
from abstraction.equal_rows import combine, equal_rows
from abstraction.hand_colors import refine_hands, refine_restricted_hands
from abstraction.integer_table import as_integers, products, table_of
from abstraction.signal_reduction import SignalReduction
from seqform.base.arrays import Ints, Numbers
from seqform.base.deadline import check_time
from seqform.form.from_tree import build_sequence_form
from seqform.form.hand_form import HandForm
from seqform.form.merged_hands import merges_hands
from seqform.form.restricted_hands import RestrictedHandForm
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import Classes, SignalStructure
from seqform.game.orbits import first_of_each
from seqform.links.link import EXACTLY, Inverse, Reduction, ReductionOptions
from seqform.tree.from_any import build_tree


class Equitable(Reduction):
    """Merge what is of equal color: observations of cards, or information sets of any game."""

    name = "equitable"
    lossless = True
    theorem = "color refinement"
    takes_threshold = False

    def accepts(self, game: Any) -> str | None:
        """Return None: any game with perfect recall is accepted."""
        return None

    def apply(self, game: Any, options: ReductionOptions = EXACTLY) -> tuple[SequenceForm, Inverse]:
        """Return the quotient of a game, which may be a sequence form, and the way back.

        Raises
        ------
        GameTooLargeError
            If it is not a signal game of two players, and has more than `max_nodes` nodes.
        ImperfectRecallError
            If players forget something in the game.
        """
        if isinstance(game, SequenceForm):
            if merges_hands(game):
                if isinstance(game, RestrictedHandForm):
                    return refine_restricted_hands(game)
                return refine_hands(cast(HandForm, game))
            return refine_colors(game)
        if _BY_CARDS.accepts(game) is None:
            return _BY_CARDS.apply(game)
        return refine_colors(build_sequence_form(build_tree(game, options.max_nodes)))


def equitable(structure: SignalStructure) -> Classes:
    """Return the coarsest projectively equitable partition of the observations.

    From one class a player and stage on, classes are split until nothing splits. Two observations
    stay in one class if they came from one class and have the same shares of these, of all the ways
    in which they come about: successors in each class, and each class of the opponent, with the
    same net payoff against it at each outcome.

    No class tells apart what a symmetry of the deck exchanges, from the first one on. So it is
    enough to look at one observation of each orbit.
    """
    views = [_View(structure, p, s) for p in (0, 1) for s in range(structure.num_stages)]
    found = {(v.player, v.stage): np.zeros(v.num_orbits, dtype=np.int32) for v in views}
    count = len(found)
    while True:
        refined = {(v.player, v.stage): v.refined(found) for v in views}
        if (now := sum(int(of.max()) + 1 for of in refined.values())) == count:
            return tuple(
                tuple(found[player, stage][orbit] for stage, orbit in enumerate(stages))
                for player, stages in enumerate(structure.orbits)
            )
        found, count = refined, now


class _View:
    """What one observation of each orbit of a player and stage meets, and what follows it."""

    def __init__(self, structure: SignalStructure, player: int, stage: int) -> None:
        check_time("looking for classes of observations")
        self.player, self.stage = player, stage
        self._structure = structure
        self._share, orbits = structure.share(player, stage), structure.orbits
        orbit = orbits[player][stage]
        self.num_orbits, first = int(orbit.max()) + 1, first_of_each(orbit)
        self._mine, self._theirs = (self._seen_by(who) for who in (player, 1 - player))
        self._payoffs = [
            as_integers(self._of_share(structure.payoffs[row]))
            for row in structure.informative(stage)
        ]
        if stage:
            self._earlier = orbits[player][stage - 1][structure.earlier(player, stage)[first]]
        if stage + 1 < structure.num_stages:
            above = structure.earlier(player, stage + 1)
            chosen = np.flatnonzero(np.isin(above, first))
            self._following = (
                orbit[above[chosen]],
                orbits[player][stage + 1][chosen],
                structure.ways(player, stage + 1)[chosen],
            )

    def _of_share(self, of_deals: Numbers) -> Numbers:
        """Return the entries of the deals that are looked at."""
        return of_deals if self._share is None else of_deals[self._share.deals]

    def _seen_by(self, who: int) -> Ints:
        """Return the orbit of a player's observation of each of these deals."""
        seen = self._of_share(self._structure.observations[who][self.stage])
        every = self._structure.share(who, self.stage) is None  # of which each is an orbit
        return seen if every else self._structure.orbits[who][self.stage][seen]

    def refined(self, classes: dict[tuple[int, int], Ints]) -> Ints:
        """Return the classes of the orbits, split by those that all orbits are in."""
        check_time("looking for classes of observations")
        structure, player, stage = self._structure, self.player, self.stage
        theirs = classes[1 - player, stage][self._theirs]
        shape = (self.num_orbits, int(classes[1 - player, stage].max()) + 1)
        deals = None if self._share is None else self._share.deals
        ways = structure.deals.ways(structure.stages[stage], deals)
        tables = [table_of(self._mine, theirs, ways, shape)]
        tables += [
            table_of(self._mine, theirs, products(ways, paid), shape) for paid in self._payoffs
        ]
        if stage + 1 < structure.num_stages:
            above, following, following_ways = self._following
            kind = classes[player, stage + 1][following]
            shape = (self.num_orbits, int(kind.max()) + 1)
            tables.append(table_of(above, kind, following_ways, shape))
        # equal once divided: the ways against all classes add up to all ways, so these are shares
        divisors = reduce(np.gcd, (table.divisors() for table in tables))
        parts = [classes[player, stage], *(equal_rows(t.divided(divisors)) for t in tables)]
        if stage:
            parts.append(classes[player, stage - 1][self._earlier])
        return combine(*parts)


_BY_CARDS = SignalReduction("equitable", equitable, lossless=True)

EQUITABLE = Equitable()
