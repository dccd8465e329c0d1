"""A stage as a table at which a person plays one seat, against the others' stationary strategies.

Nothing is dealt and no order of moves is known: a stage is where sequences meet. So what the person
comes to next is drawn by how likely it is, given all that the person knows. Which sequence play
would end in is drawn as if the person went on at random; where that passes an information set, the
person is asked there. How likely that is does not hang on what the person does afterwards.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Mask
from seqform.form.treeplex import Treeplex
from seqform.game.rules import CHANCE, TERMINAL
from seqform.recursive.outcomes_origin import reached
from seqform.recursive.stationary import StationaryProfile
from seqform.strategies.play.table import Verdict


class Place(NamedTuple):
    """How far a person has come in a stage."""

    sequence: int = 0
    """What the person has done so far."""
    infoset: int = -1
    """Where the person has to decide; -1 nowhere."""
    lead: int = -1
    """Where the stage has led to; -1 while it goes on."""
    entry: int = -1
    """Where all sequences have met, if the stage lists that."""


class StageTable:
    """A table whose states are `Place` of one seat.

    Parameters
    ----------
    profile
        What everybody does.
    stage
        The number of the stage.
    seat
        Where the person sits.
    values
        What positions are worth, float64 (num_stages, num_players), by which decisions are judged.
    """

    def __init__(self, profile: StationaryProfile, stage: int, seat: int, values: Floats) -> None:
        self.profile, self.stage, self.seat = profile, stage, seat
        self.graph = profile.graph
        self.num_players, self.unit = self.graph.num_players, self.graph.unit
        self.form = self.graph.stages[stage].form
        self.treeplex: Treeplex = self.form.treeplexes[seat]
        self.against = self.graph.meetings(stage, seat).against(profile.plans[stage])
        self.worth = self.graph.worth(stage, values)[:, seat]
        self._at_random = self.treeplex.to_plan(self.treeplex.uniform())

    def deal(self, rng: np.random.Generator) -> Place:
        """Return where the stage begins."""
        return Place()

    def player(self, state: Place) -> int:
        """Return the person's seat where it has to decide."""
        if state.lead >= 0:
            return TERMINAL
        return self.seat if state.infoset >= 0 else CHANCE

    def actions(self, state: Place) -> tuple[str, ...]:
        """Return how the person's actions are written."""
        return self.form.origin.action_texts(self.seat, state.infoset)

    def after(self, state: Place, place: int) -> Place:
        """Return what follows an action."""
        return Place(int(self.treeplex.first_sequence[state.infoset]) + place)

    def by_chance(self, state: Place, rng: np.random.Generator) -> Place:
        """Return where the person decides next, or where the stage leads to."""
        at = self.against
        pair = _drawn(self.likely(state.sequence), rng)
        sequence, lead = int(at.sequence[pair]), int(at.lead[pair])
        infoset = self.next_infoset(state.sequence, sequence)
        if infoset >= 0:
            return state._replace(infoset=infoset)
        return state._replace(lead=lead, entry=self._entry(sequence, lead, rng))

    def likely(self, sequence: int) -> Floats:
        """Return how likely play ends in each pair of `against`, up to a factor.

        That is for one who has come as far as a sequence, and goes on at random.
        """
        open_to = self._at_random * self._below(sequence)
        return self.against.chances * open_to[self.against.sequence]

    def policy(self, state: Place) -> list[float]:
        """Return what the profile does."""
        return list(map(float, self.profile.behaviors[self.stage][self.seat][self._here(state)]))

    def news(self, before: Place, state: Place, seat: int) -> str:
        """Return nothing: what the person knows is the name of its information set."""
        return ""

    def view(self, state: Place, seat: int) -> str:
        """Return the name of the information set."""
        return f"You know: {self._label(self.seat, state.infoset)}"

    def payoffs(self, state: Place) -> list[float]:
        """Return what the lead pays each seat at once."""
        return list(map(float, self.graph.arrays(self.stage)[0][state.lead]))

    def reveal(self, state: Place) -> str:
        """Return what others did, and what they knew, where that is listed."""
        if state.entry < 0:
            return ""
        said, places = [], self.form.listed().places
        for seat, (treeplex, row) in enumerate(zip(self.form.treeplexes, places, strict=True)):
            sequence = int(row[state.entry])
            if seat != self.seat and sequence:
                infoset = int(treeplex.infoset_of[sequence])
                action = self.form.origin.action_texts(seat, infoset)
                done = action[sequence - int(treeplex.first_sequence[infoset])]
                said.append(f"Seat {seat}: {done}, at {self._label(seat, infoset)}.")
        return " ".join(said)

    def verdict(self, state: Place, place: int) -> Verdict:
        """Return what the profile does in the information set, and what other actions cost."""
        here = self._here(state)
        worth = self._action_values[here]
        actions: tuple[Hashable, ...] = self.actions(state)
        cost = float(worth.max() - worth[place])
        label = self._label(self.seat, state.infoset)
        return Verdict(label, actions, tuple(self.policy(state)), place, cost)

    def _here(self, state: Place) -> slice:
        first = self.treeplex.first_sequence
        return slice(int(first[state.infoset]), int(first[state.infoset + 1]))

    def _label(self, seat: int, infoset: int) -> str:
        return self.form.origin.infoset_text(seat, infoset)

    @cached_property
    def _action_values(self) -> Floats:
        """What each sequence is worth from its information set on, float64 (num_sequences,).

        In the game's unit, for one who is there and then does what the profile does.
        """
        paid = self.against.gradient(self.worth)
        behavior = self.profile.behaviors[self.stage][self.seat]
        for infoset in reversed(range(self.treeplex.num_infosets)):
            here = self._here(Place(infoset=infoset))
            paid[self.treeplex.parent_sequence[infoset]] += behavior[here] @ paid[here]
        ending = self.against.gradient(np.ones(len(self.worth)))
        reach = reached(self.treeplex, ending)[self.treeplex.infoset_of]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(reach > 0, paid / reach, np.nan)

    def _below(self, sequence: int) -> Mask:
        """Return which sequences go on from one, and it itself, bool (num_sequences,)."""
        treeplex = self.treeplex
        below: Mask = np.zeros(treeplex.num_sequences, dtype=np.bool_)
        below[sequence] = True
        for infoset, above in enumerate(treeplex.parent_sequence.tolist()):  # parents come first
            if below[above]:
                below[self._here(Place(infoset=infoset))] = True
        return below

    def next_infoset(self, sequence: int, later: int) -> int:
        """Return the information set that follows a sequence on the way to a later one; or -1."""
        infoset = -1
        while later != sequence:
            infoset = int(self.treeplex.infoset_of[later])
            later = int(self.treeplex.parent_sequence[infoset])
        return infoset

    def _entry(self, sequence: int, lead: int, rng: np.random.Generator) -> int:
        """Return where others' sequences meet one of the person's at a lead; -1 if not listed."""
        if not self.form.is_listed:
            return -1
        form, lead_of = self.form.listed(), self.graph.stages[self.stage].lead
        here = (form.places[self.seat] == sequence) & (lead_of[form.leaf] == lead)
        likely = form.shares * here
        for other, plan in enumerate(self.profile.plans[self.stage]):
            if other != self.seat:
                likely = likely * plan[form.places[other]]
        return _drawn(likely, rng)


def _drawn(likely: Floats, rng: np.random.Generator) -> int:
    """Return a place that is drawn by how likely it is."""
    sums = np.cumsum(likely)
    found = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
    return min(found, len(likely) - 1)
