"""A person at the table: hands against an equilibrium, and afterwards what each decision cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.base.interrupt import First, Interrupt, Interrupted
from seqform.base.number import amount
from seqform.base.summary import counted
from seqform.form.hand_policies import policies_of
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.game import needs
from seqform.game.labels import GivenLabels, player_names_of, which_player
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.game.signals import is_taken_apart
from seqform.strategies.as_profile import Strategy, form_of, profile_of
from seqform.strategies.play.hand_table import HandTable
from seqform.strategies.play.rules_table import THINK, RulesTable
from seqform.strategies.play.signal_table import SignalTable
from seqform.strategies.play.table import ROUNDING, Table, Verdict
from seqform.strategies.play.tree_table import TreeTable
from seqform.tree.from_any import AnyGame

STOP = ("quit", "q", "exit")
HELP = "Type a move, the beginning of its name or its number, or quit to stop."

Ask = Callable[[str], str]
"""Shows a prompt and returns a line; raises EOFError where there is none."""

Tell = Callable[[str], Any]
"""Shows a line."""


class Hand(NamedTuple):
    """A hand that was played to its end."""

    seat: int
    payoffs: tuple[float, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def won(self) -> float:
        """What the person got."""
        return self.payoffs[self.seat]

    @property
    def cost(self) -> float:
        """What the person's decisions gave up in expectation, as far as that is known."""
        return sum(verdict.cost for verdict in self.verdicts if not isnan(verdict.cost))


@dataclass
class Session:
    """All hands of a person at a table."""

    unit: str
    hands: list[Hand] = field(default_factory=list)
    what: str = "hand"
    """What one of them is called."""

    @property
    def won(self) -> float:
        """What the person got in all hands."""
        return sum(hand.won for hand in self.hands)

    @property
    def cost(self) -> float:
        """What all decisions gave up in expectation, as far as that is known."""
        return sum(hand.cost for hand in self.hands)

    def __str__(self) -> str:
        if not self.hands:
            return f"No {self.what} was played to its end."
        count = counted(len(self.hands), self.what)
        mean = self.won / len(self.hands)
        won = amount(f"{self.won:+.6g}", self.unit)
        result = f"You played {count}: {won}, {mean:+.3g} a {self.what}."
        return f"{result} {self._cost_in_words()}"

    def _cost_in_words(self) -> str:
        verdicts = [verdict for hand in self.hands for verdict in hand.verdicts]
        unknown = sum(isnan(verdict.cost) for verdict in verdicts)
        cost = self.cost if self.cost > ROUNDING else 0.0
        known = f"{amount(f'{cost:.3g}', self.unit)} in expectation"
        if not unknown:
            return f"Your decisions cost {known}."
        why = "the search proved too little in its time (--think)"
        if unknown == len(verdicts):
            return f"What your decisions cost is not known: {why}."
        rest = len(verdicts) - unknown
        return (
            f"Of your {counted(len(verdicts), 'decision')} {rest} cost {known}; of the others "
            f"{why}."
        )


def play(
    game: AnyGame | SequenceForm,
    against: Strategy | None = None,
    *,
    ask: Ask = input,
    tell: Tell = print,
    hands: int | None = None,
    player: int | str | None = None,
    seed: int | None = None,
    think: float = THINK,
    complete: str | Profile = "uniform",
    symbols: bool = False,
    max_nodes: int | None = None,
) -> Session:
    """Let a person play a game.

    Parameters
    ----------
    game
        Any game. One of perfect information needs no opponent: it is played against backward
        induction, or a search.
    against
        Who plays the other seats, such as a solution; see `profile_of`.
    ask, tell
        Shows a prompt and returns what was typed; shows a line.
    hands
        How many; without it, until the person stops. An end of the input, and an interrupt from
        the keyboard, stop too.
    player
        The person's seat; without it, all in turn.
    seed
        The same one deals the same cards; None: others every time.
    think
        Seconds of search for a position of a game of perfect information that is too large for
        backward induction.
    complete
        How information sets of which the strategy says nothing are filled.
    symbols
        Whether suits are shown as symbols.
    max_nodes
        The largest tree to build.

    Returns
    -------
    session
        All hands that were played to their end.

    Raises
    ------
    UnsupportedGameError
        If there is nobody to play against, or the game is too large.
    InvalidParameterError
        If there is no such seat, or not at least one hand.

    Examples
    --------
    >>> from seqform import make, solve
    >>> typed = iter(["check", "fold"])
    >>> shown = []
    >>> session = play(make("kuhn"), solve(make("kuhn")), ask=lambda prompt: next(typed, "quit"),
    ...     tell=shown.append, hands=1, player=0, seed=1)
    >>> shown[0]
    'Hand 1. You are player 0.'
    """
    if not think > 0:
        raise InvalidParameterError(f"think={think!r}: use a number of seconds above 0")
    table = table_of(game, against, complete, think, symbols, max_nodes)
    called = GivenLabels(player_names_of(game))
    if player is not None:
        player = which_player(player, game)
    if hands is not None and (type(hands) is not int or hands < 1):
        raise InvalidParameterError(f"hands={hands!r}: use a whole number, at least 1")
    session, rng = Session(table.unit), np.random.default_rng(seed)

    def one(number: int, stop: Interrupt) -> Hand:
        seat = number % table.num_players if player is None else int(player)
        tell(f"Hand {number + 1}. You are {called.player(seat)}.")
        return _hand(table, seat, rng, ask, tell, stop)

    return sit_down(session, one, hands, tell)


def sit_down(
    session: Session, one: Callable[[int, Interrupt], Hand], hands: int | None, tell: Tell
) -> Session:
    """Have hands played, until there are so many or the person stops; say what that brought.

    Parameters
    ----------
    one
        Plays a hand of a number to its end.
    """
    with Interrupt(First.RAISE) as stop:
        try:
            while hands is None or len(session.hands) < hands:
                session.hands.append(one(len(session.hands), stop))
                _review(session, tell)
        except (EOFError, KeyboardInterrupt, Interrupted):
            tell("")
    tell(str(session))
    return session


def table_of(
    game: AnyGame | SequenceForm,
    against: Strategy | None,
    complete: str | Profile = "uniform",
    think: float = THINK,
    symbols: bool = False,
    max_nodes: int | None = None,
) -> Table:
    """Return the table at which a game is played; see `play`."""
    if against is None:
        if isinstance(game, Game) and needs.declares_perfect_information(game):
            return RulesTable(game, think)
        raise UnsupportedGameError(
            "there is nobody to play against: give against=..., such as a solution; only games "
            "that declare perfect information do without"
        )
    if isinstance(against, SignalStrategy):
        return SignalTable(against, symbols)
    form = form_of(game, max_nodes)
    profile = profile_of(form, against, complete)
    if is_taken_apart(game):
        structure = SignalStructure(game)
        return SignalTable(
            SignalStrategy(structure, structure.identity, profile.behaviors), symbols
        )
    if form.origin.hands is not None:
        return HandTable(form, policies_of(form, profile), symbols)
    if form.tree is None:
        raise UnsupportedGameError("a game that is too large for a tree is played by its cards")
    return TreeTable(form, form.tree, profile)


def _hand(
    table: Table, seat: int, rng: np.random.Generator, ask: Ask, tell: Tell, stop: Interrupt
) -> Hand:
    """Play one hand to its end."""
    state, verdicts = to_the_end(table, seat, rng, ask, tell, stop)
    return Hand(seat, tuple(map(float, table.payoffs(state))), verdicts)


def to_the_end(
    table: Table, seat: int, rng: np.random.Generator, ask: Ask, tell: Tell, stop: Interrupt
) -> tuple[Any, tuple[Verdict, ...]]:
    """Return the state in which a hand ends, and what is said of the person's decisions."""
    state = table.deal(rng)
    decisions: list[tuple[Any, int]] = []
    while (mover := table.player(state)) != TERMINAL:
        if stop.asked:  # while the other was thinking
            raise Interrupted
        before = state
        if mover == CHANCE:
            state = table.by_chance(state, rng)
        elif mover == seat:
            place = _decided(table, state, seat, ask, tell)
            decisions.append((state, place))
            state = table.after(state, place)
        else:
            policy = np.array(table.policy(state))
            state = table.after(state, int(rng.choice(len(policy), p=policy / policy.sum())))
        if news := table.news(before, state, seat):
            tell(news)
    if hidden := table.reveal(state):
        tell(hidden)
    return state, tuple(table.verdict(*decision) for decision in decisions)


def _decided(table: Table, state: Any, seat: int, ask: Ask, tell: Tell) -> int:
    """Ask until what is typed is a move; return its place."""
    if view := table.view(state, seat):
        tell(view)
    actions = table.actions(state)
    names = ", ".join(map(str, actions))
    while True:
        typed = ask(f"Your move ({names}): ").strip()
        place = chosen(typed, actions)
        if place is not None:
            return place
        if typed.lower() in STOP:
            raise EOFError
        tell(HELP if typed in ("", "?", "help") else f"{typed!r} is no move here. {HELP}")


def chosen(typed: str, actions: Sequence[Hashable]) -> int | None:
    """Return the place of the action that somebody typed; None if it is none, or several.

    Examples
    --------
    >>> chosen("RAISE", ("fold", "call", "raise")), chosen("c", ("fold", "call", "raise"))
    (2, 1)
    >>> chosen("2", ("fold", "call")), chosen("2", (3, 2)), chosen("b", ("bet", "bluff"))
    (1, 1, None)
    """
    names = [str(action).lower() for action in actions]
    wanted = typed.lower()
    if wanted in names:
        return names.index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    fits = [place for place, name in enumerate(names) if wanted and name.startswith(wanted)]
    return fits[0] if len(fits) == 1 and wanted not in STOP[:1] else None


def _review(session: Session, tell: Tell) -> None:
    """Say what the last hand brought, and what its decisions cost."""
    hand, unit = session.hands[-1], session.unit
    tell(f"You get {amount(f'{hand.won:+.6g}', unit)}; {session.won:+.6g} so far.")
    for verdict in hand.verdicts:
        tell(f"  {verdict.text(unit)}")
    tell("")
