"""StageGraph: all stages of a recursive game that play can come to, and where they lead."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Ints
from seqform.base.errors import (
    UnknownNameError,
)
from seqform.base.nearest import hint
from seqform.base.number import plain
from seqform.base.summary import Rows, Summarized
from seqform.game.recursive import RecursiveGame
from seqform.recursive.against import Against
from seqform.recursive.any_stage import AnyStage, Meetings

MOST_NAMED = 10
"""Stages that an error lists."""


class Lead(NamedTuple):
    """What comes after a leaf: all play ends, or goes on in another stage, or both pay."""

    payoffs: tuple[Fraction, ...]
    """What each seat of this stage is paid at once."""
    stage: int
    """The stage that follows; -1 where play ends."""
    seat: tuple[int, ...]
    """For each seat of this stage, where its player sits in the next; () where play ends."""


@dataclass(frozen=True, eq=False)
class Stage:
    """A stage of the graph.

    Parameters
    ----------
    key
        What the game calls it.
    who
        The player in each seat, where that matters (see `StageGraph`); else ().
    form
        What it is made into; shared by all stages that are one object.
    leads
        What its leaves lead to, each once.
    lead
        int32 (num_leaves,): which of `leads` each leaf of the form leads to; alike stages share the
        array.
    """

    key: Hashable
    who: tuple[int, ...]
    form: AnyStage
    leads: tuple[Lead, ...]
    lead: Ints


@dataclass(frozen=True, eq=False, repr=False)
class StageGraph(Summarized):
    """The stages of a recursive game, the first one first.

    A *position* is a stage and a seat. Where endless play pays all players alike, stages of one key
    are one, whoever sits where. Otherwise a stage is a key and who sits where.

    Parameters
    ----------
    game
        The recursive game.
    stages
        All that play can come to.
    endless
        What endless play pays who sits where: a Fraction for each stage and seat.
    """

    game: RecursiveGame
    stages: tuple[Stage, ...]
    endless: tuple[tuple[Fraction, ...], ...]
    numbers: dict[Hashable, list[int]] = field(repr=False)

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return len(self.endless[0])

    @cached_property
    def ends(self) -> list[tuple[Fraction, ...]]:
        """What play may end with."""
        return list({lead.payoffs: None for s in self.stages for lead in s.leads if lead.stage < 0})

    @cached_property
    def constant_sum(self) -> Fraction | None:
        """What all players get together whatever happens; None if that varies."""
        sums = {sum(payoffs, Fraction(0)) for payoffs in [*self.ends, *self.endless]}
        rewards = {
            sum(lead.payoffs, Fraction(0))
            for stage in self.stages
            for lead in stage.leads
            if lead.stage >= 0
        }
        return next(iter(sums)) if len(sums) == 1 and rewards <= {Fraction(0)} else None

    @cached_property
    def least(self) -> Fraction:
        """The least that play may pay anybody, endless play too."""
        return min(payoff for payoffs in [*self.ends, *self.endless] for payoff in payoffs)

    @cached_property
    def most(self) -> Fraction:
        """The most that play may pay anybody, endless play too."""
        return max(payoff for payoffs in [*self.ends, *self.endless] for payoff in payoffs)

    @cached_property
    def span(self) -> Fraction:
        """How far apart what is paid lies, at an end, by endless play, or along the way."""
        along = [
            payoff
            for stage in self.stages
            for lead in stage.leads
            if lead.stage >= 0 and any(lead.payoffs)  # else nothing is paid there
            for payoff in lead.payoffs
        ]
        return max([self.most, *along]) - min([self.least, *along])

    @property
    def has_rewards(self) -> bool:
        """Whether payoffs along the way are added up."""
        return any(any(lead.payoffs) for s in self.stages for lead in s.leads if lead.stage >= 0)

    @property
    def unit(self) -> str:
        """What payoffs are counted in."""
        return str(getattr(self.game, "unit", "units"))

    def meetings(self, stage: int, seat: int) -> Meetings:
        """Return where a seat's sequences come to leads, which alike stages share."""
        if (stage, seat) not in self._meetings:
            at = self.stages[stage]
            key = id(at.form), seat, id(at.lead)
            if key not in self._shared:
                self._shared[key] = at.form.meetings(at.lead, seat)
            self._meetings[stage, seat] = self._shared[key]
        return self._meetings[stage, seat]

    def against(self, plans: Sequence[Sequence[Floats]]) -> list[Against]:
        """Return for each position the chances against the others' plans, in floats.

        Parameters
        ----------
        plans
            For each stage and seat a realization plan.
        """
        return self._at_positions(plans, lambda form, at, own: form.all_against(at, own))

    def exactly_against(self, plans: Sequence[Sequence[Exact]], whole: int) -> list[Against]:
        """Return the same in integers, of `whole` times realization plans."""
        return self._at_positions(
            plans, lambda form, at, own: form.all_exactly_against(at, own, whole)
        )

    def _at_positions(
        self,
        plans: Sequence[Any],
        chances: Callable[[AnyStage, list[Meetings], list[Any]], list[Against]],
    ) -> list[Against]:
        """Return what there is at each position; all stages of one form are asked for together."""
        found: dict[tuple[int, int], Against] = {}
        for numbers in self.alike:
            for seat in range(self.num_players):
                at = [self.meetings(number, seat) for number in numbers]
                form = self.stages[numbers[0]].form
                made = chances(form, at, [plans[number] for number in numbers])
                found.update(zip(((number, seat) for number in numbers), made, strict=True))
        return [found[position] for position in sorted(found)]

    def make_ready(self) -> None:
        """Make what is needed to solve stages, and not to count them: chances that were drawn."""
        for numbers in self.alike:
            self.stages[numbers[0]].form.make_ready()

    @cached_property
    def alike(self) -> list[list[int]]:
        """The numbers of stages, those of one form together."""
        found: dict[int, list[int]] = {}
        for number, stage in enumerate(self.stages):
            found.setdefault(id(stage.form), []).append(number)
        return list(found.values())

    @cached_property
    def _meetings(self) -> dict[tuple[int, int], Meetings]:
        return {}

    @cached_property
    def _shared(self) -> dict[tuple[int, int, int], Meetings]:
        return {}

    def label(self, stage: int) -> str:
        """Return how a stage is written."""
        key, who = self.stages[stage].key, self.stages[stage].who
        label = getattr(self.game, "stage_label", None)
        text = plain(key) if label is None else str(label(key))
        return text if not len(who) else f"{text} (players {', '.join(map(str, who))})"

    def worth(self, stage: int, values: Floats) -> Floats:
        """Return what each lead of a stage is worth to each seat.

        Parameters
        ----------
        values
            float64 (num_stages, num_players): what each position is worth.

        Returns
        -------
        worth
            float64 (num_leads, num_players).
        """
        paid, following, seats = self.arrays(stage)
        worth = paid.copy()
        on = following >= 0
        worth[on] += values[following[on][:, None], seats[on]]
        return worth

    def arrays(self, stage: int) -> tuple[Floats, Ints, Ints]:
        """Return what the leads of a stage pay, which stage follows, and where each seat sits then.

        float64 (num_leads, num_players), int32 (num_leads,), -1 where play ends, and int32
        (num_leads, num_players).
        """
        return self._arrays[stage]

    @cached_property
    def _arrays(self) -> list[tuple[Floats, Ints, Ints]]:
        n = self.num_players
        nobody = (0,) * n
        return [
            (
                np.array([[float(p) for p in lead.payoffs] for lead in stage.leads]).reshape(-1, n),
                np.array([lead.stage for lead in stage.leads], dtype=np.int32),
                np.array([lead.seat or nobody for lead in stage.leads], dtype=np.int32),
            )
            for stage in self.stages
        ]

    def number(self, name: Hashable) -> int:
        """Return the number of the stage of a key, or of one that is written so.

        Raises
        ------
        UnknownNameError
            If there is none, or if who sits where matters and there are several.
        """
        numbers = self.numbers.get(name) or self._by_text.get(str(name))
        if numbers is None:
            known = list(dict.fromkeys(plain(self.stages[at].key) for at in self.order()))
            some = ", ".join(known[:MOST_NAMED]) + (", ..." if len(known) > MOST_NAMED else "")
            raise UnknownNameError(
                f"there is no stage {plain(name)}{hint(str(name), known)}; stages are {some}"
            )
        if len(numbers) > 1:
            named = ", ".join(self.label(number) for number in numbers)
            raise UnknownNameError(f"stage {plain(name)} is several by who sits where: {named}")
        return numbers[0]

    def order(self) -> list[int]:
        """Return the numbers of stages in the order of their keys, where these have one."""
        numbers = range(len(self.stages))
        try:
            return sorted(numbers, key=lambda number: (self.stages[number].key, number))
        except TypeError:
            return list(numbers)

    @cached_property
    def _by_text(self) -> dict[str, list[int]]:
        """Numbers of stages by how they and their keys are written."""
        found: dict[str, list[int]] = {}
        for number, stage in enumerate(self.stages):
            for text in dict.fromkeys([plain(stage.key), str(stage.key), self.label(number)]):
                found.setdefault(text, []).append(number)
        return found

    def counts(self) -> dict[str, Any]:
        """Return what there is, as JSON values."""
        forms = {id(stage.form): stage.form for stage in self.stages}
        total = self.constant_sum
        return {
            "players": self.num_players,
            "stages": len(self.stages),
            "different_stages": len(forms),
            "most_sequences": max(_sequences(form) for form in forms.values()),
            "leads": sum(len(stage.leads) for stage in self.stages),
            "sum": "general" if total is None else str(total),
            "unit": self.unit,
        }

    def summary(self) -> Rows:
        """Return what there is."""
        return [
            (name.replace("_", " "), f"{value:,}" if isinstance(value, int) else value)
            for name, value in self.counts().items()
        ]


def _sequences(form: AnyStage) -> int:
    return sum(treeplex.num_sequences for treeplex in form.treeplexes)
