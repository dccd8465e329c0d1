"""stage_graph: a walk through all stages that play can come to, and checks of where they lead."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import islice
from operator import index
from typing import Any

import numpy as np

from seqform.base.arrays import Ints
from seqform.base.deadline import check_time
from seqform.base.errors import GameTooLargeError, InvalidGameError, UnsupportedGameError
from seqform.base.memory import require_memory
from seqform.base.number import as_number, check_num_players, is_exact, plain
from seqform.base.progress import tell
from seqform.base.summary import counted
from seqform.game.checks import is_hashable
from seqform.game.recursive import End, Leaf, RecursiveGame
from seqform.recursive.any_stage import AnyStage
from seqform.recursive.graph import Lead, Stage, StageGraph
from seqform.recursive.stage_form import stage_form

MAX_STAGES = 10_000
"""Stages by default; each takes about a millisecond to walk through, and more to solve."""

MOST_COUNTED = 10_000_000
"""Keys of a game that are counted; with more there are at least so many."""


def stage_graph(game: RecursiveGame, max_stages: int | None = None) -> StageGraph:
    """Return all stages that play can come to.

    Parameters
    ----------
    max_stages
        The most stages that are walked through; by default `MAX_STAGES`.

    Raises
    ------
    InvalidGameError
        If a stage, a key or what `leads_to` returns is not as `RecursiveGame` says.
    GameTooLargeError
        If there are more stages; said before any is made where the game has `keys()`.
    UnsupportedGameError
        If payoffs or chances are floats.
    """
    return _Walk(game, MAX_STAGES if max_stages is None else max_stages).run()


class _Walk:
    """A walk through the stages, breadth first."""

    def __init__(self, game: RecursiveGame, max_stages: int) -> None:
        self.game, self.max_stages = game, max_stages
        self.num_players = check_num_players(game.num_players)
        self.endless = self._numbers(game.endless, "what endless play pays")
        self.is_shared = len(set(self.endless)) == 1
        self.has_rewards = bool(getattr(game, "rewards", False))
        self.has_chips = bool(getattr(game, "pays_chips", False))
        if self.has_rewards and self.has_chips:
            raise InvalidGameError("a recursive game has rewards or pays chips, and not both")
        self.forms: dict[int, tuple[Any, AnyStage]] = {}
        self.lead_of: dict[tuple[int, bytes], Ints] = {}
        self.numbers: dict[Hashable, int] = {}
        self.waiting: list[tuple[Hashable, tuple[int, ...]]] = []
        self.entries = self.bytes = self.room = 0

    def run(self) -> StageGraph:
        """Walk until there are no new stages left."""
        self._count_keys()
        self._number(self._key(self.game.start(), "start()"), tuple(range(self.num_players)))
        stages: list[Stage] = []
        while len(stages) < len(self.waiting):
            check_time(f"walking through stages, {len(stages):,} so far")
            tell(f"making stages: {len(stages):,} of at least {len(self.waiting):,}")
            stages.append(self._stage(*self.waiting[len(stages)]))
        by_key: dict[Hashable, list[int]] = {}
        for number, (key, _) in enumerate(self.waiting):
            by_key.setdefault(key, []).append(number)
        endless = tuple(tuple(self.endless[player] for player in who) for _, who in self.waiting)
        return StageGraph(self.game, tuple(stages), endless, by_key)

    def _count_keys(self) -> None:
        """Refuse too many stages before any is made, where the game can say how many there are."""
        keys = getattr(self.game, "keys", None)
        if keys is None:
            return
        count = sum(1 for _ in islice(keys(), MOST_COUNTED))
        if count > self.max_stages:
            at_least = "at least " if count == MOST_COUNTED else ""
            raise GameTooLargeError(self._too_many(f"{at_least}{count:,} stages"))

    def _too_many(self, there_are: str) -> str:
        return (
            f"the game has {there_are}, more than the limit of {self.max_stages:,}; use a coarser "
            "unit of chips or fewer of them, or raise max_stages="
        )

    def _number(self, key: Hashable, who: tuple[int, ...]) -> int:
        """Return the number of a stage, which is walked through later if it is new."""
        name = key if self.is_shared else (key, who)
        number = self.numbers.setdefault(name, len(self.waiting))
        if number == len(self.waiting):
            if number >= self.max_stages:
                raise GameTooLargeError(self._too_many(f"at least {number + 1:,} stages"))
            self.waiting.append((key, who))
        return number

    def _stage(self, key: Hashable, who: tuple[int, ...]) -> Stage:
        form = self._form(key)
        leads: dict[Lead, int] = {}
        of_leaf = np.array(
            [leads.setdefault(lead, len(leads)) for lead in self._leads(key, who, form)],
            dtype=np.int32,
        )
        shown = () if self.is_shared else who
        lead = self.lead_of.setdefault((id(form), of_leaf.tobytes()), of_leaf)
        return Stage(key, shown, form, tuple(leads), lead)

    def _form(self, key: Hashable) -> AnyStage:
        """Return what a stage is made into, once for each object."""
        game = self.game.stage(key)
        if id(game) not in self.forms:
            try:
                form = stage_form(game)
            except InvalidGameError as error:
                raise type(error)(f"stage {plain(key)}: {error}") from None
            if form.num_seats != self.num_players:
                raise InvalidGameError(
                    f"stage {plain(key)} is for {form.num_seats} players, and the recursive game "
                    f"for {self.num_players}; players who are out keep a seat in which they do not "
                    "decide anything"
                )
            self.entries += form.num_entries
            self.bytes += form.num_bytes
            self.room = max(self.room, form.room)
            require_memory(
                self.bytes + self.room,
                f"{counted(len(self.forms) + 1, 'different stage')} with {self.entries:,} places "
                "where sequences meet",
                "use smaller stages or fewer of them",
            )
            self.forms[id(game)] = game, form  # the game is kept, so that no other has its id
        return self.forms[id(game)][1]

    def _leads(self, key: Hashable, who: tuple[int, ...], form: AnyStage) -> Iterator[Lead]:
        for leaf in form.leaves:
            yield self._lead(key, who, leaf)

    def _lead(self, key: Hashable, who: tuple[int, ...], leaf: Leaf) -> Lead:
        def where() -> str:
            return f"stage {plain(key)}, leaf {plain(leaf.at)}"

        found = self.game.leads_to(key, leaf)
        if isinstance(found, End):
            return Lead(self._numbers(found.payoffs, where()), -1, ())
        if found is None:
            if self.has_chips or not leaf.payoffs:
                raise InvalidGameError(
                    f"{where()}: play ends, and leads_to has to say with what: return End(payoffs)"
                )
            return Lead(self._numbers(leaf.payoffs, where()), -1, ())
        try:
            following, seats = found
        except (TypeError, ValueError):
            raise InvalidGameError(
                f"{where()}: leads_to returned {plain(found)}; return (key, seats), an End or None"
            ) from None
        paid = leaf.payoffs if leaf.payoffs and not self.has_chips else (0,) * self.num_players
        if any(paid) and not self.has_rewards:
            raise InvalidGameError(
                f"{where()}: it leads on to {plain(following)} and pays {plain(paid)}; a leaf that "
                "leads on pays 0, unless the game says rewards = True, which adds payoffs up, or "
                "pays_chips = True, which leaves them to leads_to"
            )
        order = self._seats(seats, where)
        after = tuple(who[seat] for seat in order)
        to = self._number(self._key(following, where()), after)
        seat = tuple(order.index(now) for now in range(self.num_players))
        return Lead(self._numbers(paid, where()), to, seat)

    def _seats(self, seats: Any, where: Any) -> tuple[int, ...]:
        """Return who sits where, checked."""
        try:
            order = tuple(map(index, seats))
        except TypeError:
            order = ()
        if sorted(order) != list(range(self.num_players)):
            raise InvalidGameError(
                f"{where()}: the seats are {plain(seats)}; give for each seat of the next stage "
                f"the present seat of its player, each of 0..{self.num_players - 1} once"
            )
        return order

    def _key(self, key: Any, where: str) -> Hashable:
        if not is_hashable(key):
            raise InvalidGameError(
                f"{where}: the key {plain(key)} is not hashable; use a tuple or a text"
            )
        return key  # type: ignore[no-any-return]

    def _numbers(self, numbers: Any, where: str) -> tuple[Fraction, ...]:
        """Return one Fraction for each player."""
        try:
            given = tuple(as_number(number) for number in numbers)
        except TypeError:
            given = ()
        except InvalidGameError as error:
            raise InvalidGameError(f"{where}: {error}") from None
        if len(given) != self.num_players:
            raise InvalidGameError(
                f"{where}: {plain(numbers)}; give one number for each of the "
                f"{self.num_players} players"
            )
        if not all(map(is_exact, given)):
            raise UnsupportedGameError(
                f"{where}: {plain(numbers)} has floats; brackets of recursive games are proven in "
                "exact arithmetic, so give int or Fraction"
            )
        return tuple(Fraction(number) for number in given)
