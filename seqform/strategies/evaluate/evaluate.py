"""What strategies are worth: head to head, and against whoever answers them best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import nan
from typing import Any, NamedTuple

from seqform.base.deadline import time_limited
from seqform.base.errors import UnsupportedGameError
from seqform.base.number import Number, amount, fraction_text, in_words, is_exact
from seqform.base.summary import Rows, Summarized
from seqform.concepts.best_response import expected_values
from seqform.concepts.nash import NashCertificate, certify
from seqform.exact.gains import expected_exactly, values_and_gains
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.game import needs
from seqform.game.labels import GivenLabels, with_names
from seqform.results.record import jsonable
from seqform.results.solution import Solution
from seqform.strategies.as_profile import Strategy, exact_of, given_of, profile_of
from seqform.strategies.evaluate.contributions_by_hand import Hand, hands_of, structure_of
from seqform.strategies.evaluate.forgetting import Forgetting, playing_form
from seqform.strategies.evaluate.lines import Line, lines_of
from seqform.strategies.evaluate.seats import seated, seated_by_classes
from seqform.strategies.exactly import IN_FRACTIONS, ExactStrategies
from seqform.strategies.given import NOTHING_OPEN, GivenStrategy, LeftOpen, left_open
from seqform.tree.from_any import AnyGame

DIGITS = 9
"""Digits of the decimals beside fractions."""


class Seat(NamedTuple):
    """The profile in one seat, and who is against it in the others."""

    player: int | None
    """Whose part the profile plays; None if it plays everybody's."""
    values: tuple[float, ...]
    """Each player's expected payoff, in the game's unit."""
    lines: list[Line] | None
    """By line of play, where asked for."""
    hands: tuple[list[Hand], ...] | None
    """By hand, for each player, where asked for and the game has hands."""

    def record(self) -> dict[str, Any]:
        """Return the seat as JSON values."""
        found: dict[str, Any] = {"player": self.player, "values": list(self.values)}
        if self.lines is not None:
            found["lines"] = [line.record() for line in self.lines]
        if self.hands is not None:
            found["hands"] = [[hand.record() for hand in of_player] for of_player in self.hands]
        return found


class ExactEvaluation(NamedTuple):
    """What strategies that are given in fractions are worth, in fractions."""

    seats: tuple[tuple[Fraction, ...], ...]
    """For each seat each player's expected payoff, in the game's unit."""
    gains: tuple[Fraction, ...]
    """What each player gains at most by leaving the profile, which plays with itself."""
    against_gains: tuple[Fraction, ...] | None = None
    """The same of the opponent's profile; None without an opponent."""

    @property
    def nash_gap(self) -> Fraction:
        """The sum of the gains: 0 of an equilibrium, and of nothing else."""
        return sum(self.gains, Fraction(0))

    def rows(self, unit: str) -> Rows:
        """Return what best responses gain, for people."""
        rows = _gain_rows(self.gains, unit)
        if self.against_gains is not None:
            found = _gain_rows(self.against_gains, unit)
            rows += [(f"against: {name}", text) for name, text in found]
        return [*rows, ("numbers", IN_FRACTIONS)]

    def record(self) -> dict[str, Any]:
        """Return the fractions as JSON values: texts such as -1/18."""
        others = self.against_gains
        return {
            "seats": [_texts(values) for values in self.seats],
            "gains": _texts(self.gains),
            "nash_gap": fraction_text(self.nash_gap),
            "against_gains": None if others is None else _texts(others),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Summarized):
    """What a profile is worth.

    Parameters
    ----------
    unit
        What payoffs are counted in.
    seats
        With an opponent one for each player that the profile supplies, the others being the
        opponent's; without one a single seat, in which the profile plays everybody.
    profile, against
        The certificates of both profiles, each playing with itself: what every player gains at
        most from a best response. None without an opponent.
    forgetful
        Players of imperfect recall. Their gains are those of remembering everything, and so bounds.
    exact
        The same in fractions, where the game and the strategies are given so; None otherwise.
    open
        What the profile left open, and how it was filled.
    player_names
        The names of the players; empty if they have none.
    beyond
        What each player's payoffs are counted beyond, such as half of a pot; empty if 0.
    """

    unit: str
    seats: tuple[Seat, ...]
    profile: NashCertificate
    against: NashCertificate | None
    forgetful: tuple[int, ...] = ()
    exact: ExactEvaluation | None = None
    open: LeftOpen = NOTHING_OPEN
    player_names: tuple[str, ...] = ()
    beyond: tuple[Number, ...] = ()

    def player_text(self, player: int) -> str:
        """Return how a player is written: by the number, and the name if there is one."""
        return GivenLabels(self.player_names).player(player)

    @property
    def mean(self) -> float:
        """What the profile gets on average if it takes every seat equally often."""
        mine = [seat.values[seat.player] for seat in self.seats if seat.player is not None]
        everybody = self.seats[0].values
        return sum(mine) / len(mine) if mine else sum(everybody) / len(everybody)

    def _interval(self) -> Rows:
        """Return what a profile proves of the value of a constant-sum game, in fractions."""
        if self.exact is None or not self.profile.is_constant_sum or len(self.seats) > 1:
            return []
        value, (mine, theirs) = self.exact.seats[0][0], self.exact.gains
        ends = f"[{in_words(value - theirs, DIGITS)}, {in_words(value + mine, DIGITS)}]"
        return [("proven interval", f"{ends} {self.unit}")]

    def _shares(self) -> Rows:
        """Return what players get where payoffs are counted beyond something, such as a pot."""
        if not any(self.beyond):
            return []
        rows = []
        for place, seat in enumerate(self.seats):
            values: tuple[Number, ...] = seat.values
            if self.exact is not None:
                values = self.exact.seats[place]
            shares = [value + share for value, share in zip(values, self.beyond, strict=True)]
            texts = [
                f"{amount(_number(share), self.unit)} to {self.player_text(player)}"
                for player, share in enumerate(shares)
            ]
            rows.append((f"share of the pot{_where(seat)}", ", ".join(texts)))
        return rows

    def _mean_in_words(self) -> str:
        if self.exact is None:
            return f"{self.mean:.12g}"
        pairs = zip(self.seats, self.exact.seats, strict=True)
        mine = [of[seat.player] for seat, of in pairs if seat.player is not None]
        return in_words(sum(mine, Fraction(0)) / len(mine), DIGITS)

    def summary(self) -> Rows:
        """Return payoffs head to head, and what best responses gain."""
        if self.exact is None:
            rows = [(_name(seat), amount(_list(seat.values), self.unit)) for seat in self.seats]
        else:
            named = zip(self.seats, self.exact.seats, strict=True)
            rows = [row for seat, values in named for row in _value_rows(seat, values, self.unit)]
        rows += self._shares()
        rows += self.open.rows()
        if len(self.seats) > 1:
            rows.append(
                ("the profile's mean over its seats", amount(self._mean_in_words(), self.unit))
            )
        rows += [
            (f"player {player} forgets", "its gain is what remembering everything would bring")
            for player in self.forgetful
        ]
        if self.exact is not None:
            rows += [*self._interval(), *self.exact.rows(self.unit)]
        else:
            rows += self.profile.rows(self.unit)
        if self.exact is None and self.against is not None:
            rows += [(f"against: {name}", text) for name, text in self.against.rows(self.unit)]
        return [(with_names(name, self.player_names), text) for name, text in rows]

    def record(self) -> dict[str, Any]:
        """Return what was found as JSON values."""
        found = {
            "unit": self.unit,
            "mean": None if self.against is None else self.mean,
            "seats": [seat.record() for seat in self.seats],
            "profile": self.profile.record(),
            "against": None if self.against is None else self.against.record(),
            "forgetful": list(self.forgetful),
            "exact": None if self.exact is None else self.exact.record(),
            "left_open": list(self.open.counts),
        }
        return jsonable(found)  # type: ignore[no-any-return]


def evaluate(
    game: AnyGame | SequenceForm | Solution | Forgetting,
    profile: Strategy,
    against: Strategy | None = None,
    *,
    complete: str | Profile = "uniform",
    exact: bool | None = None,
    lines: bool = False,
    hands: bool = False,
    source: Any = None,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> Evaluation:
    """Return what a strategy profile is worth.

    Parameters
    ----------
    game
        For any number of players, zero-sum or not. A signal game too large for a tree needs the
        memory of its certificate, if strategies are by classes of hands (`SignalStrategy`). Players
        may have imperfect recall.
    profile
        See `profile_of`. A strategy that says nothing of a player does not take that seat.
    against
        Who plays the other seats; without it, the profile itself.
    complete
        How information sets of which a strategy says nothing are filled.
    exact
        Whether to find values and gains in fractions too; by default where the game and all
        strategies are given in integers, fractions, or decimals in a text.
    lines, hands
        Whether to find what each line of play and each hand adds to the payoffs. Hands are those of
        two-player signal games, and are left out of others.
    source
        The signal game, for its hands, where `game` is the form of its tree.
    max_nodes
        The largest tree to build.
    time_limit
        Seconds.

    Raises
    ------
    InvalidStrategyError
        If a strategy is not of this game, or `exact` is True and it is not in fractions.
    UnsupportedGameError
        If `exact` is True and the game has floats; or if `lines` or `hands` are asked for of a game
        of hands.

    Examples
    --------
    >>> from seqform import make
    >>> always = lambda player, infoset, actions: [0] * (len(actions) - 1) + [1]
    >>> found = evaluate(make("kuhn"), always, lambda player, infoset, actions: None)
    >>> [round(value, 3) for value in found.seats[0].values], found.profile.nash_gap
    ([0.5, -0.5], 0.6666666666666...)
    >>> found.exact.nash_gap
    Fraction(2, 3)
    """
    with time_limited(time_limit):
        playing = game if isinstance(game, Forgetting) else playing_form(game, max_nodes)
        if (
            isinstance(profile, SignalStrategy)
            and isinstance(against, SignalStrategy | None)
            and isinstance(playing, SequenceForm)
            and playing.signals is not None
            and not exact
        ):
            return _by_classes(playing, profile, against, lines, hands)
        seen = _Read(playing)
        form, given = seen.form, given_of(seen.named, profile)
        mine = seen.played(given, complete)
        opponent = None if against is None else given_of(seen.named, against)
        if opponent is None:
            pairs: list[tuple[int | None, Profile]] = [(None, mine)]
        else:
            others = seen.played(opponent, complete)
            pairs = [(seat, seated(mine, others, seat)) for seat in _seats(form, given)]
        asked = _Asked(form, game if source is None else source, lines, hands)
        judged = seen.certified(mine)
        known = judged.values if against is None else None
        return Evaluation(
            form.unit,
            tuple(asked.seat(player, playing, known) for player, playing in pairs),
            judged,
            None if against is None else seen.certified(others),
            seen.forgetful,
            seen.in_fractions(given, opponent, [seat for seat, _ in pairs], complete, exact),
            left_open(given, complete),
            form.player_names,
            form.origin.beyond,
        )


class _Read:
    """A game for which strategies are read, maybe one in which players forget."""

    def __init__(self, playing: Any) -> None:
        self.forgets = playing if isinstance(playing, Forgetting) else None
        self.form: SequenceForm = playing if self.forgets is None else self.forgets.form
        self.named: SequenceForm = playing if self.forgets is None else self.forgets.named
        self.forgetful = () if self.forgets is None else self.forgets.forgetful

    def played(self, strategy: Strategy, complete: str | Profile) -> Profile:
        """Return a strategy as a profile of `form`."""
        found = profile_of(self.named, strategy, complete)
        return found if self.forgets is None else self.forgets.played(found)

    def in_fractions(
        self,
        given: Profile | GivenStrategy,
        opponent: Profile | GivenStrategy | None,
        seats: Sequence[int | None],
        complete: str | Profile,
        exact: bool | None,
    ) -> ExactEvaluation | None:
        """Return what strategies are worth in fractions, if all of them are given so."""
        asked = [given] if opponent is None else [given, opponent]
        found = [self._exactly(strategy, complete, exact) for strategy in asked]
        kept = [strategies for strategies in found if strategies is not None]
        if len(kept) < len(found):
            return None
        mine, others = kept[0], kept[-1]
        pairs = [mine if seat is None else mine.seated(others, seat) for seat in seats]
        judged = [values_and_gains(self.form, *strategies.plans()) for strategies in kept]
        values = (
            (judged[0][0],)
            if opponent is None
            else tuple(expected_exactly(self.form, *strategies.plans()) for strategies in pairs)
        )
        return ExactEvaluation(values, judged[0][1], None if opponent is None else judged[1][1])

    def _exactly(
        self, strategy: Profile | GivenStrategy, complete: str | Profile, exact: bool | None
    ) -> ExactStrategies | None:
        found = exact_of(self.named, strategy, complete, exact, self.form)
        return found if self.forgets is None or not found else self.forgets.played_exactly(found)

    def certified(self, profile: Profile) -> NashCertificate:
        """Return the certificate, without an interval for a value that there may not be."""
        found = certify(self.form, profile)
        return replace(found, lower=nan, upper=nan) if self.forgetful else found


def _by_classes(
    form: SequenceForm,
    mine: SignalStrategy,
    others: SignalStrategy | None,
    lines: bool,
    hands: bool,
) -> Evaluation:
    """Evaluate strategies by classes of hands, one profile of the whole game at a time."""
    judged = certify(form, mine.in_form(form))
    pairs: list[tuple[int | None, SignalStrategy]] = [(None, mine)]
    if others is not None:
        pairs = [(seat, others) for seat in range(form.num_players)]
    seats = []
    for seat, against in pairs:
        small, profile = seated_by_classes(mine, against, seat or 0)
        known = judged.values if seat is None else None
        seats.append(_Asked(small, None, lines, hands).seat(seat, profile, known))
    other = None if others is None else certify(form, others.in_form(form))
    return Evaluation(form.unit, tuple(seats), judged, other)


def _seats(form: SequenceForm, strategy: Profile | GivenStrategy) -> tuple[int, ...]:
    """Return the players that a strategy says something of."""
    if isinstance(strategy, GivenStrategy) and strategy.players:
        return strategy.players
    return tuple(range(form.num_players))


class _Asked:
    """What is to be found of each seat."""

    def __init__(self, form: SequenceForm, game: Any, lines: bool, hands: bool) -> None:
        if (lines or hands) and form.origin.is_of_hands:
            raise UnsupportedGameError(
                f"{'lines=' if lines else 'hands='}: what lines and hands add is not told of games "
                "of hands; `seqform show --line`, or at_line, has what each hand gets at a point"
            )
        self.form, self.lines, self.hands = form, lines, hands
        source = game.source if isinstance(game, Solution) else game
        self.structure = structure_of(form, source) if hands else None

    def seat(self, player: int | None, profile: Profile, values: tuple[float, ...] | None) -> Seat:
        """Return what a profile pays, if that is not known yet, and from where it comes."""
        form, structure = self.form, self.structure
        return Seat(
            player,
            _values(form, profile) if values is None else values,
            lines_of(form, profile) if self.lines else None,
            None
            if structure is None
            else tuple(hands_of(form, profile, p, structure) for p in range(form.num_players)),
        )


def _values(form: SequenceForm, profile: Profile) -> tuple[float, ...]:
    """Return what every player gets; of a constant sum the second gets what is left."""
    if not needs.is_zero_sum(form):
        return tuple(expected_values(form, profile).tolist())
    first = float(form.gradient(0, profile.plans) @ profile.plans[0])
    return first, float(form.zero_sum().constant_sum) - first


def _where(seat: Seat) -> str:
    return "" if seat.player is None else f", the profile as player {seat.player}"


def _name(seat: Seat) -> str:
    return f"expected payoffs{_where(seat)}"


def _value_rows(seat: Seat, values: tuple[Fraction, ...], unit: str) -> Rows:
    """Return what each player gets, in fractions."""
    where = _where(seat)
    return [
        (f"player {player} gets{where}", amount(in_words(value, DIGITS), unit))
        for player, value in enumerate(values)
    ]


def _gain_rows(gains: tuple[Fraction, ...], unit: str) -> Rows:
    rows = [
        (f"player {player}'s gain from a best response", amount(in_words(gain, DIGITS), unit))
        for player, gain in enumerate(gains)
    ]
    total = sum(gains, Fraction(0))
    words = amount(in_words(total, DIGITS), unit)
    gap = ("nash_gap (sum of the gains)", words if total else f"{words}: an equilibrium")
    name = f"exploitability (nash_gap / {len(gains)})"
    return [*rows, gap, (name, amount(in_words(total / len(gains), DIGITS), unit))]


def _number(number: Number) -> str:
    """Return a number in words: a fraction with its decimals, or the digits of a float."""
    if is_exact(number):
        return in_words(Fraction(number), DIGITS)
    return f"{float(number):.12g}"


def _texts(numbers: Sequence[Fraction]) -> list[str]:
    return [fraction_text(number) for number in numbers]


def _list(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:.12g}" for value in values)
