"""StageGraph: all stages of a recursive game that play can come to, and where they lead."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import index
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Ints
from seqform.base.deadline import check_time
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.base.memory import require_memory
from seqform.base.nearest import hint
from seqform.base.number import as_number, check_num_players, is_exact, plain
from seqform.base.progress import tell
from seqform.base.summary import Rows, Summarized, counted
from seqform.game.recursive import End, Leaf, RecursiveGame
from seqform.recursive.against import Meetings
from seqform.recursive.stage_form import StageForm, stage_form

MAX_STAGES = 10_000
"""Stages by default; each takes about a millisecond to walk through, and more to solve."""

MOST_NAMED = 10
"""Stages that an error lists."""

BYTES_PER_ENTRY = 60
"""What a stage takes for each place where sequences meet, while it is solved."""


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
        int32 (num_entries,): which of `leads` sequences may meet at.
    """

    key: Hashable
    who: tuple[int, ...]
    form: StageForm
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
            key = id(at.form), seat, at.lead.tobytes()
            if key not in self._shared:
                self._shared[key] = Meetings(at.form, at.lead, seat)
            self._meetings[stage, seat] = self._shared[key]
        return self._meetings[stage, seat]

    @cached_property
    def _meetings(self) -> dict[tuple[int, int], Meetings]:
        return {}

    @cached_property
    def _shared(self) -> dict[tuple[int, int, bytes], Meetings]:
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


def _sequences(form: StageForm) -> int:
    return sum(treeplex.num_sequences for treeplex in form.treeplexes)


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
        self.forms: dict[int, tuple[Any, StageForm]] = {}
        self.numbers: dict[Hashable, int] = {}
        self.waiting: list[tuple[Hashable, tuple[int, ...]]] = []
        self.entries = 0

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
        count = sum(1 for _ in keys())
        if count > self.max_stages:
            raise GameTooLargeError(self._too_many(f"{count:,} stages"))

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
        return Stage(key, shown, form, tuple(leads), of_leaf[form.leaf])

    def _form(self, key: Hashable) -> StageForm:
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
            require_memory(
                BYTES_PER_ENTRY * self.entries,
                f"{counted(len(self.forms) + 1, 'different stage')} with {self.entries:,} places "
                "where sequences meet",
                "use smaller stages or fewer of them",
            )
            self.forms[id(game)] = game, form  # the game is kept, so that no other has its id
        return self.forms[id(game)][1]

    def _leads(self, key: Hashable, who: tuple[int, ...], form: StageForm) -> Iterator[Lead]:
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
        try:
            hash(key)
        except TypeError:
            raise InvalidGameError(
                f"{where}: the key {plain(key)} is not hashable; use a tuple or a text"
            ) from None
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
