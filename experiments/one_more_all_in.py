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
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from games.three_handed import CALL, FOLD, Chips, ThreeHanded
from seqform.base.arrays import Floats
from seqform.game.recursive import End, Leaf, Next

if TYPE_CHECKING:
    from seqform.recursive.graph import Stage, StageGraph
    from seqform.recursive.stage_form import StageForm
    from seqform.recursive.stationary import StationaryProfile

HANDS = ("same", "beats all")
"""The ways to map hands."""


@dataclass(frozen=True, eq=False)
class HeadsUp:
    """A tournament of three once a player is out, as a game for the two who are left.

    Parameters
    ----------
    whole
        The tournament of three.
    first
        The chips of the small and the big blind in the first hand, and 0.
    """

    whole: ThreeHanded
    first: Chips
    _made: dict[int, Any] = field(default_factory=dict, repr=False)

    num_players = 2
    pays_chips = True

    @property
    def endless(self) -> tuple[Fraction, Fraction]:
        """What endless play pays: what is left of the prizes, in halves."""
        each = Fraction(sum(self.whole.payouts[:2]), 2)
        return each, each

    def start(self) -> Chips:
        """Return the chips in the first hand."""
        return self.first

    def stage(self, key: Chips) -> StageForm:
        """Return the hand without the seat that is out; hands that are alike stay one object."""
        form = self.whole.stage(key)
        if id(form) not in self._made:
            self._made[id(form)] = _two_seats(form)
        made: StageForm = self._made[id(form)]
        return made

    def leads_to(self, key: Chips, leaf: Leaf) -> Next | End:
        """Return where the hand leads for the two."""
        found = self.whole.leads_to(key, leaf)
        if isinstance(found, End):
            return End(found.payoffs[:2])
        return Next(found.key, found.seats[:2])


def _two_seats(form: StageForm) -> StageForm:
    from dataclasses import replace

    return replace(form, treeplexes=form.treeplexes[:2], places=form.places[:2])


class Solved(NamedTuple):
    """A hand of two in the equilibrium: how often each hand of each seat goes in, by name.

    A seat that decides nothing has none.
    """

    form: StageForm
    behaviors: tuple[Floats, ...]
    often: tuple[Mapping[str, float], ...]


def solve_heads_up(game: ThreeHanded) -> dict[Chips, Solved]:
    """Return all hands of two of a tournament of three, solved."""
    from seqform import solve_recursive

    total, found = sum(game.first), dict[Chips, Solved]()
    for chips in range(1, total):
        key = (chips, total - chips, 0)
        if key in found:
            continue
        solution = solve_recursive(HeadsUp(game, key))
        for stage, own in zip(solution.graph.stages, solution.profile.behaviors, strict=True):
            often = tuple(_often(stage.form, seat, own[seat]) for seat in (0, 1))
            found[stage.key] = Solved(stage.form, own, often)  # type: ignore[index]
    return found


def _often(form: StageForm, seat: int, behavior: Floats) -> dict[str, float]:
    first = form.treeplexes[seat].first_sequence.tolist()
    return {
        hand: float(behavior[first[infoset] + 1]) for infoset, hand, _ in situations(form, seat)
    }


def situations(form: StageForm, seat: int) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return each information set of a seat: its number, the hand, and what was done before.

    Folding is the first of two actions there.
    """
    found = []
    for infoset in range(form.treeplexes[seat].num_infosets):
        parts = form.origin.infoset_parts(seat, infoset)
        assert parts is not None
        found.append((infoset, parts[0], tuple(filter(None, parts[1].split("-")))))
    return found


def equities(form: StageForm) -> dict[str, float]:
    """Return how often each hand of seat 0 beats a random one of seat 1, where both are in."""
    wins = np.zeros(form.treeplexes[0].num_sequences)
    shown = wins.copy()
    both = np.array([len(leaf.at) == 2 for leaf in form.leaves])  # type: ignore[arg-type]
    ahead = np.array([bool(leaf.at) and leaf.at[0] == 0 for leaf in form.leaves])  # type: ignore[index]
    weights = form.weights.astype(np.float64) * both[form.leaf]
    np.add.at(shown, form.places[0], weights)
    np.add.at(wins, form.places[0], weights * ahead[form.leaf])
    first = form.treeplexes[0].first_sequence
    places = {hand: int(first[infoset]) + 1 for infoset, hand, _ in situations(form, 0)}
    return {hand: float(wins[at] / shown[at]) for hand, at in places.items()}


def one_more(graph: StageGraph, solved: Mapping[Chips, Solved], hands: str) -> StationaryProfile:
    """Return a profile of the tournament of three, of the hands of two.

    Parameters
    ----------
    graph
        The tournament.
    solved
        All its hands of two.
    hands
        How hands are mapped, one of `HANDS`.
    """
    from seqform.recursive.stationary import StationaryProfile

    deep = next(of.form for of in solved.values() if all(of.often))
    beats = equities(deep)

    def behavior(stage: Stage, seat: int) -> Floats:
        chips: Any = stage.key
        if not all(chips):
            return np.ones(1) if seat == 2 else solved[chips].behaviors[seat]
        return _mapped(stage, seat, solved, beats if hands == "beats all" else None)

    return StationaryProfile.checked(
        graph, [[behavior(stage, seat) for seat in range(3)] for stage in graph.stages]
    )


def _mapped(
    stage: Stage, seat: int, solved: Mapping[Chips, Solved], beats: Mapping[str, float] | None
) -> Floats:
    """Return what a seat does in a hand of three."""
    chips: Any = stage.key
    form, own, rest = stage.form, chips[seat], sum(chips) - chips[seat]
    treeplex = form.treeplexes[seat]
    found = np.ones(treeplex.num_sequences)
    for infoset, hand, done in situations(form, seat):
        calls = form.origin.actions(seat, infoset)[1] == CALL
        often = solved[(rest, own, 0) if calls else (own, rest, 0)].often[1 if calls else 0]
        opponents = 2 - done.count(FOLD)
        first = int(treeplex.first_sequence[infoset])
        found[first + 1] = _goes_in(often, hand, beats, opponents)
        found[first] = 1 - found[first + 1]
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
