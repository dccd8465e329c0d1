"""A best response as a strategy: what the others' play is answered by, written down everywhere."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base import thresholds
from seqform.base.arrays import Floats
from seqform.base.deadline import time_limited
from seqform.base.errors import ResultFileError
from seqform.base.number import amount, fraction_text, in_words
from seqform.base.summary import Rows, Summarized
from seqform.base.whole_file import reason
from seqform.concepts.first_best import first_best
from seqform.concepts.judge import Response, response
from seqform.exact.gains import ExactResponse, respond_exactly
from seqform.form.hand_strategy import HandStrategy
from seqform.form.keeping import Kept
from seqform.form.profile import Profile
from seqform.form.profile_table import write_table
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy, strategy_of
from seqform.game import needs
from seqform.game.labels import which_player
from seqform.results.solution import Solution
from seqform.strategies.as_profile import Strategy, exact_of, given_of
from seqform.strategies.evaluate.forgetting import Forgetting, playing_form
from seqform.strategies.exactly import IN_FRACTIONS, ExactStrategies
from seqform.strategies.given import NOTHING_OPEN, GivenStrategy, LeftOpen, left_open
from seqform.tree.from_any import AnyGame

SUFFIXES = (".csv", ".npz")


@dataclass(frozen=True, eq=False, repr=False)
class BestResponse(Summarized):
    """A best response of one player, and what it is worth; amounts are in the game's unit.

    Parameters
    ----------
    form
        The game; the smaller one if it was answered there.
    profile
        The best response, and the strategies of the others that it answers; of that game.
    player
        Who answers.
    value
        What the best response gets.
    bound
        No response gets more than this, rounding errors included.
    before
        What the player gets in the profile as it was given.
    is_whole
        Whether the profile can be written: not where another player forgets.
    exact
        What was got before, and the response, in fractions, where the game and what the others do
        are given so; None otherwise.
    open
        What the strategy left open, and how it was filled.
    """

    form: SequenceForm
    profile: Profile
    player: int
    value: float
    bound: float
    before: float
    is_whole: bool = True
    exact: ExactResponse | None = None
    open: LeftOpen = NOTHING_OPEN

    @property
    def gain(self) -> float:
        """How much more than before the best response gets."""
        return self.value - self.before

    def summary(self) -> Rows:
        """Return what the response gets, and gains."""
        unit, who = self.form.unit, self.form.player_text(self.player)
        if self.exact is not None:
            before, best = self.exact.value, self.exact.best
            return [
                (f"{who} gets as given", amount(in_words(before, 9), unit)),
                (f"{who} gets by a best response", amount(in_words(best, 9), unit)),
                ("gain", amount(in_words(self.exact.gain, 9), unit)),
                ("numbers", IN_FRACTIONS),
                *self.open.rows(),
            ]
        return [
            (f"{who} gets as given", amount(f"{self.before:.12g}", unit)),
            (f"{who} gets by a best response", amount(f"{self.value:.12g}", unit)),
            ("gain", amount(f"{self.gain:.12g}", unit)),
            ("no response gets more than", amount(f"{self.bound:.15g}", unit)),
            *self.open.rows(),
        ]

    def record(self) -> dict[str, Any]:
        """Return what was found as JSON values."""
        return {
            "player": self.player,
            "unit": self.form.unit,
            "value": self.value,
            "bound": self.bound,
            "before": self.before,
            "gain": self.gain,
            "exact": None if self.exact is None else _exact_record(self.exact),
            "left_open": list(self.open.counts),
        }

    def save(self, path: Path | str) -> None:
        """Write the response, and the strategies that it answers, as a profile.

        Parameters
        ----------
        path
            Ends in .csv, or in .npz for a game of cards too large for a tree.

        Raises
        ------
        ResultFileError
            If it ends in something else, or cannot be written.
        """
        path = Path(path)
        check_strategy_file(path)
        if not self.is_whole:
            raise ResultFileError(
                f"{path}: tables say how likely own moves lead to an information set, which is not "
                "one number where a player forgets; take the answer as it is printed"
            )
        try:
            if path.suffix.lower() == ".csv":
                write_table(*self._in_whole_game(), path)
            else:
                self._kept().save(path)
        except OSError as error:
            raise ResultFileError(f"cannot write to {path}: {reason(error)}") from None

    def _kept(self) -> Kept:
        """Return the profile as it is kept without a table."""
        kept = self.profile.kept
        return strategy_of(self.form, self.profile) if kept is None else kept

    def _in_whole_game(self) -> tuple[SequenceForm, Profile]:
        if self.form.signals is None:
            return self.form, self.profile
        return SignalStrategy(*self.form.signals, self.profile.behaviors).in_whole_game()


def check_strategy_file(path: Path) -> None:
    """Check that a strategy can be written to a file of that name, before any work is done.

    Raises
    ------
    ResultFileError
        If not.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ResultFileError(
            f"{path}: a strategy is written as a table .csv, or by classes of hands as .npz (of a "
            "game of cards too large for a tree)"
        )
    if not os.path.isdir(path.parent) or os.path.isdir(path):
        wrong = "it is a folder" if os.path.isdir(path) else f"there is no folder {path.parent}"
        raise ResultFileError(f"cannot write to {path}: {wrong}")


def respond(
    game: AnyGame | SequenceForm | Solution | Forgetting,
    profile: Strategy,
    player: int | str,
    *,
    complete: str | Profile = "uniform",
    exact: bool | None = None,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> BestResponse:
    """Return a best response to what the others do in a profile.

    It is pure: in every information set it takes the first of the best actions, also where nobody
    ever comes. In fractions these are equally good; in floats they are so up to a bound on all
    rounding errors (`seqform.concepts.first_best`). In large games of hands, which are gone through
    by boards, it is the first of those that get most as computed. Against a profile that was lifted
    from a smaller game it is one of that game where none is better, so that it is as small a
    strategy.

    Parameters
    ----------
    game
        See `evaluate`. Others may have imperfect recall.
    profile
        See `profile_of`; what it says of the player itself does not matter to the response.
    player
        Who answers, by number or name.
    complete
        How information sets of which a strategy says nothing are filled.
    exact
        Whether to answer in fractions; by default where game and strategies are given so.
    max_nodes
        The largest tree to build.
    time_limit
        Seconds.

    Raises
    ------
    InvalidParameterError
        If there is no such player, or it has imperfect recall.
    InvalidStrategyError
        If the strategy is not of this game, or `exact` is True and it is not in fractions.
    UnsupportedGameError
        If `exact` is True and the game has floats.

    Examples
    --------
    >>> from seqform import make
    >>> found = respond(make("kuhn"), lambda player, infoset, actions: None, 1)
    >>> round(found.value, 12), round(found.gain, 12)
    (0.416666666667, 0.541666666667)
    """
    with time_limited(time_limit):
        playing = game if isinstance(game, Forgetting) else playing_form(game, max_nodes)
        forgets = playing if isinstance(playing, Forgetting) else None
        form: SequenceForm = playing if forgets is None else forgets.form  # type: ignore[assignment]
        named: SequenceForm = form if forgets is None else forgets.named
        player = which_player(player, form)
        if forgets is not None:
            forgets.check_remembers(player)
        given = given_of(named, profile)
        fractions = exact_of(named, given, complete, exact, form)
        filled = given.completed(complete) if isinstance(given, GivenStrategy) else given
        if forgets is not None:
            filled = forgets.played(filled)
            fractions = fractions and forgets.played_exactly(fractions)
        found = _response(form, filled, player)
        if fractions is not None:
            found = _in_fractions(found, form, filled, fractions)
        return replace(found, is_whole=forgets is None, open=left_open(given, complete))


def _in_fractions(
    found: BestResponse, form: SequenceForm, given: Profile, fractions: ExactStrategies
) -> BestResponse:
    """Return the response that fractions lead to."""
    answer = respond_exactly(form, found.player, *fractions.plans())
    profile = _pure(form, given, found.player, answer.choices)
    return replace(found, form=form, profile=profile, exact=answer)


def _exact_record(found: ExactResponse) -> dict[str, str]:
    numbers = {"value": found.best, "before": found.value, "gain": found.gain}
    return {name: fraction_text(number) for name, number in numbers.items()}


def _response(form: SequenceForm, given: Profile, player: int) -> BestResponse:
    judged = response(form, given, player)
    if _is_by_hands(form, given):
        answered, value = _by_hands(form, given, player)
    else:
        answered, value = _answered(form, given, player, judged)
    bound = judged.best + (form.zero_sum().sum_spread if needs.is_zero_sum(form) else 0.0)
    return BestResponse(*answered, player, value, bound, judged.value)


def _is_by_hands(form: SequenceForm, given: Profile) -> bool:
    """Tell whether a profile is one of a game of hands whose vectors are too large to be made."""
    sequences = sum(treeplex.num_sequences for treeplex in form.treeplexes)
    is_kept = isinstance(given.kept, HandStrategy) and form.lists_sequences
    return is_kept and sequences > thresholds.COMPLETED_UP_TO


def _by_hands(
    form: SequenceForm, given: Profile, player: int
) -> tuple[tuple[SequenceForm, Profile], float]:
    """Return the form, a profile by hands in which the player answers best, and what that gets."""
    from seqform.strategies.evaluate.hand_response import hand_response

    answer = hand_response(form, given, player).in_form(form)
    return (form, answer), response(form, answer, player).value


def _answered(
    form: SequenceForm, given: Profile, player: int, judged: Response
) -> tuple[tuple[SequenceForm, Profile], float]:
    """Return a form and the profile of it in which the player answers best; what that gets."""
    if given.in_signals is not None:
        reduced, smaller = given.in_signals
        small, value = _in_form(reduced, smaller, player)
        # it plays like this in the whole game, where both values were rounded
        if judged.best - value <= 2 * judged.widened:
            return (reduced, small), value
    answer, value = _in_form(form, given, player)
    return (form, answer), value


def _in_form(form: SequenceForm, given: Profile, player: int) -> tuple[Profile, float]:
    """Return the profile of a form in which the player answers best, and what that gets."""
    gradient = form.gradient(player, given.plans)
    value, choices = first_best(form, player, given.plans, gradient)
    return _pure(form, given, player, choices), value


def _pure(form: SequenceForm, given: Profile, player: int, choices: Any) -> Profile:
    """Return the profile in which a player takes one action in each information set."""
    treeplex = form.treeplexes[player]
    pure = np.zeros(treeplex.num_sequences)
    pure[0] = 1.0
    pure[np.asarray(choices, dtype=np.int64)] = 1.0
    behaviors = _replaced(given.behaviors, player, pure)
    return Profile(behaviors, _replaced(given.plans, player, treeplex.to_plan(pure)), form=form)


def _replaced(vectors: tuple[Floats, ...], player: int, mine: Floats) -> tuple[Floats, ...]:
    return tuple(mine if at == player else vector for at, vector in enumerate(vectors))
