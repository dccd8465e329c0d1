"""Reduction `equitable`: the coarsest partition of what players see that is found to lose nothing.

On signal games of two players it looks at the cards alone, and elsewhere at the sequence form
(`abstraction.color_refinement`). The proofs are in docs/explanation/gameshrink.md.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from abstraction.color_refinement import refine_colors
from abstraction.equal_rows import combine, equal_rows
from abstraction.integer_table import as_integers, products, table_of
from abstraction.signal_reduction import SignalReduction
from abstraction.signal_signatures import count_successors
from seqform.base.arrays import Ints
from seqform.base.deadline import check_time
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import Classes, SignalStructure, num_classes
from seqform.links.link import EXACTLY, Inverse, ReductionOptions
from seqform.tree.from_any import build_tree


class Equitable:
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
    """
    classes: Classes = tuple(
        tuple(
            np.zeros(structure.num_observations(player, stage), dtype=np.int32)
            for stage in range(structure.num_stages)
        )
        for player in (0, 1)
    )
    while True:
        refined = tuple(
            tuple(_refine(structure, classes, p, s) for s in range(structure.num_stages))
            for p in (0, 1)
        )
        if num_classes(refined) == num_classes(classes):
            return classes
        classes = refined


def _refine(structure: SignalStructure, classes: Classes, player: int, stage: int) -> Ints:
    check_time("looking for classes of observations")
    mine = structure.observations[player][stage]
    theirs = classes[1 - player][stage][structure.observations[1 - player][stage]]
    shape = (structure.num_observations(player, stage), int(theirs.max()) + 1)
    ways = structure.deals.ways(structure.stages[stage])
    tables = [table_of(mine, theirs, ways, shape)]
    for row in structure.informative(stage):
        payoffs = as_integers(structure.payoffs[row])
        tables.append(table_of(mine, theirs, products(ways, payoffs), shape))
    if stage + 1 < structure.num_stages:
        tables.append(count_successors(structure, player, stage, classes[player][stage + 1]))
    # equal once divided: the ways against all classes add up to all ways, so these are shares
    divisors = reduce(np.gcd, (table.divisors() for table in tables))
    parts = [classes[player][stage], *(equal_rows(table.divided(divisors)) for table in tables)]
    if stage:
        parts.append(classes[player][stage - 1][structure.earlier(player, stage)])
    return combine(*parts)


_BY_CARDS = SignalReduction("equitable", equitable, lossless=True)

EQUITABLE = Equitable()
