"""How is a strategy for two who go all in or fold used at a table of three?

Once a player is out, a tournament of three is one of two, which is solved by itself. Its strategies
are mapped to the hands of three.

**Definition** (opponents). All others at the table are one opponent, who has all their chips. Who
may be first in sits in the small blind of that hand of two; who has to call, in the big blind.
Where nothing is decided there, since a blind takes all chips, the player stays in.

**Definition** (hands). A hand is what it is (`same`). Or, as there are up to two to beat, it is one
that is as good as it against all of them (`beats all`): let e be how often it beats a random hand,
and k how many have not folded. It acts as the hand that beats a random hand with a chance of e to
the power of k; if that lies between two hands, by linear interpolation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from games.three_handed import CALL, FOLD, Chips, ThreeHanded
from seqform.base.arrays import Floats

if TYPE_CHECKING:
    from seqform.recursive.graph import Lead, Stage, StageGraph
    from seqform.recursive.stationary import StationaryProfile

HANDS = ("same", "beats all")
"""The ways to map hands."""

GAP = 1e-6
"""Of all prizes: what nobody gains more than at any hand of two."""


class Solved(NamedTuple):
    """A hand of two in the equilibrium.

    Parameters
    ----------
    behaviors
        Of the three seats, the last of which nobody sits in.
    often
        For each seat how often each hand goes in, by name; none for a seat that decides nothing.
    """

    behaviors: tuple[Floats, ...]
    often: tuple[Mapping[str, float], ...]


class HeadsUp(NamedTuple):
    """All hands of two of a tournament of three, solved, and how good hands are there.

    Parameters
    ----------
    hands
        By chips.
    beats
        How often each hand beats a random one, ties by half.
    """

    hands: Mapping[Chips, Solved]
    beats: Mapping[str, float]


def solve_heads_up(game: ThreeHanded) -> HeadsUp:
    """Return the hands of two, which are a tournament by themselves."""
    from seqform.recursive.search import search_recursive

    total, found = sum(game.first), dict[Chips, Solved]()
    beats: dict[str, float] = {}
    for chips in range(total // 2, total + total // 2):
        key = (chips % total, total - chips % total, 0)
        if key in found or not key[0]:
            continue
        solution = search_recursive(replace(game, first=key), gap=GAP * sum(game.payouts))
        graph = solution.graph
        beats = beats or equities(graph)
        for stage, own in zip(graph.stages, solution.profile.behaviors, strict=True):
            often = tuple(_often(stage, seat, own[seat]) for seat in range(2))
            found[stage.key] = Solved(own, often)  # type: ignore[index]
    return HeadsUp(found, beats)


def _often(stage: Stage, seat: int, behavior: Floats) -> dict[str, float]:
    first = stage.form.treeplexes[seat].first_sequence.tolist()
    return {hand: float(behavior[first[h] + 1]) for h, hand, _ in situations(stage, seat)}


def situations(stage: Stage, seat: int) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return each information set of a seat: its number, the hand, and what was done before.

    Folding is the first of two actions there.
    """
    found, origin = [], stage.form.origin
    for infoset in range(stage.form.treeplexes[seat].num_infosets):
        hand, _, line = str(origin.infoset_label(seat, infoset)).partition(":")
        found.append((infoset, hand, tuple(filter(None, line.split("-")))))
    return found


def equities(graph: StageGraph) -> dict[str, float]:
    """Return how often each hand beats a random one, ties by half, by a hand of two.

    In the first stage the small blind has no more chips than the big one. So if both are in, it has
    twice as many afterwards, or none, or as many as before.
    """
    from seqform.recursive.deviation import Facing
    from seqform.recursive.stationary import StationaryProfile

    stage: Any = graph.stages[0]
    behaviors = list(StationaryProfile.uniform(graph).behaviors)
    calls = np.ones(stage.form.treeplexes[1].num_sequences)
    calls[1::2] = 0.0  # folds
    behaviors[0] = (behaviors[0][0], calls, behaviors[0][2])
    against = Facing(StationaryProfile(graph, tuple(behaviors))).against[0]
    own, total = stage.key[0], sum(stage.key)
    won = np.array([_chips_after(graph, lead, total) for lead in stage.leads]) / (2 * own)
    dealt, wins = against.gradient(np.ones(len(won))), against.gradient(won)
    first = stage.form.treeplexes[0].first_sequence.tolist()
    return {
        hand: float(wins[first[infoset] + 1] / dealt[first[infoset] + 1])
        for infoset, hand, _ in situations(stage, 0)
    }


def _chips_after(graph: StageGraph, lead: Lead, total: int) -> int:
    """Return what seat 0 has after a hand of two."""
    if lead.stage >= 0:
        key: Any = graph.stages[lead.stage].key
        return int(key[lead.seat[0]])
    return total if lead.payoffs[0] > lead.payoffs[1] else 0


def one_more(graph: StageGraph, two: HeadsUp, hands: str) -> StationaryProfile:
    """Return a profile of the tournament of three, of the hands of two.

    Parameters
    ----------
    graph
        The tournament.
    two
        All its hands of two.
    hands
        How hands are mapped, one of `HANDS`.
    """
    from seqform.recursive.stationary import StationaryProfile

    beats = two.beats if hands == "beats all" else None

    def behavior(stage: Stage, seat: int) -> Floats:
        chips: Any = stage.key
        return _mapped(stage, seat, two, beats) if all(chips) else two.hands[chips].behaviors[seat]

    return StationaryProfile.checked(
        graph, [[behavior(stage, seat) for seat in range(3)] for stage in graph.stages]
    )


def _mapped(stage: Stage, seat: int, two: HeadsUp, beats: Mapping[str, float] | None) -> Floats:
    """Return what a seat does in a hand of three."""
    chips: Any = stage.key
    own, rest, treeplex = chips[seat], sum(chips) - chips[seat], stage.form.treeplexes[seat]
    found = np.ones(treeplex.num_sequences)
    for infoset, hand, done in situations(stage, seat):
        calls = stage.form.origin.actions(seat, infoset)[1] == CALL
        there = two.hands[(rest, own, 0) if calls else (own, rest, 0)]
        first = int(treeplex.first_sequence[infoset])
        often = _goes_in(there.often[int(calls)], hand, beats, 2 - done.count(FOLD))
        found[first : first + 2] = 1 - often, often
    return found


def _goes_in(
    often: Mapping[str, float], hand: str, beats: Mapping[str, float] | None, opponents: int
) -> float:
    """Return how often a hand goes in, of how often those of two do."""
    if not often:
        return 1.0
    if beats is None:
        return often[hand]
    order = sorted(often, key=beats.__getitem__)
    known = [beats[name] for name in order], [often[name] for name in order]
    return float(np.interp(beats[hand] ** opponents, *known))
