"""The value of a two-player zero-sum game, as far as a search has proven it.

An answer is a `SearchResult`. The bounds in it are the search's own word. Without another search,
only the line of play that comes with them can be checked. It must be legal, and its final payoff
must agree with the bounds.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.base.number import Number, amount, from_text, is_exact, to_text
from seqform.concepts.line_of_play import ANSWER, LINE, finite, line_record, values_record
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.perfect_information.decision import to_words
from seqform.perfect_information.result import SearchResult

ROUNDING = 1e-9
"""Differences of inexact payoffs up to this share of them are taken for rounding errors."""

RESULT = "result.json"

NO_LINE = "(none known)"
"""Stands where there is no line of play."""


@dataclass(frozen=True)
class GameValueCertificate:
    """Bounds on the value to player 0, and the line of play that was checked; in the game's unit.

    Parameters
    ----------
    result
        What the search found.
    paid
        What the line of play pays player 0; None if it ends before the game does.
    """

    result: SearchResult
    paid: Number | None

    is_proof = False
    """A line of play is checked; that no other is better is the search's own word."""

    is_constant_sum = True
    """Searches are of two-player zero-sum games."""

    @property
    def values(self) -> tuple[Number, Number]:
        """The value to both players, NaN unless it is proven; exact on exact payoffs."""
        return self.result.values

    @property
    def lower(self) -> Number:
        """The value is at least this."""
        return self.result.lower

    @property
    def upper(self) -> Number:
        """The value is at most this."""
        return self.result.upper

    @property
    def gap(self) -> float:
        """The width of the proven bounds; 0 if the value is known, infinity without bounds."""
        width = finite(self.upper - self.lower)
        return inf if width is None else width

    def rows(self, unit: str) -> list[tuple[str, str]]:
        """Return the bounds, the estimate and the line of play, for people."""
        result, rows = self.result, []
        bounds = f"[{to_words(self.lower)}, {to_words(self.upper)}]"
        rows.append(("proven", f"the value is in {bounds} {result.message}".rstrip()))
        if result.estimate is not None:
            estimate = to_words(float(result.estimate))
            words = f"{estimate} to player 0, looking {result.depth} moves deep"
            rows.append(("estimate", words))
        line = " > ".join(map(str, result.principal_variation)) or NO_LINE
        return [*rows, ("best line of play", line), ("checked", self._in_words(unit))]

    def certainty(self, unit: str) -> str:
        """Say how sure the value is, in a sentence."""
        if self.gap == inf:
            found = "an estimate: of the value nothing is proven"
        else:
            bounds = f"[{to_words(self.lower)}, {to_words(self.upper)}]"
            found = f"the search's own word that the value is in {bounds}"
        checked = self._checked
        return found if checked == "nothing" else f"{found}; checked is only {checked}"

    def highlights(self, unit: str) -> list[tuple[str, str]]:
        """Return the estimate, and the line of play."""
        return [
            (LINE if name == "best line of play" else name, text)
            for name, text in self.rows(unit)
            if name == "estimate" or (name == "best line of play" and text != NO_LINE)
        ]

    def record(self) -> dict[str, Any]:
        """Return the same as JSON values; `bounds` holds numbers as text, without rounding."""
        result = self.result
        return {
            **values_record(self.values, True),
            "lower": finite(self.lower),
            "upper": finite(self.upper),
            "bounds": [_text(self.lower), _text(self.upper)],
            "estimate": None if result.estimate is None else float(result.estimate),
            "depth": result.depth,
            **line_record(result.principal_variation),
            "message": result.message,
            "checked": self._checked,
        }

    @property
    def _checked(self) -> str:
        """What of this does not rest on the search's word, in short."""
        if self.paid is not None:
            return "the line of play, to its end"
        return "the line of play" if self.result.principal_variation else "nothing"

    def _in_words(self, unit: str) -> str:
        """Say what was checked without searching again, and what was not."""
        if not self.result.principal_variation and self.paid is None:
            return "nothing: there is no line of play; the bounds are the search's own"
        if self.paid is None:
            return "the line of play is legal; the bounds are the search's own"
        end = f"the line of play is legal and pays player 0 {amount(to_words(self.paid), unit)}"
        agrees = "the value" if self.result.solved else "within the bounds"
        return f"{end}, {agrees}; that no other play is better is the search's own word"


class GameValue:
    """Bounds on the value of a game, proven by a search."""

    name = "game-value"
    keys = (*ANSWER, "lower", "upper", "bounds", "estimate", "depth", "message", "checked")
    keeps_tree = False

    def prepare(self, game: Any) -> Game:
        """Return the rules of a game."""
        return _rules(game)

    def certify(self, game: Any, answer: SearchResult) -> GameValueCertificate:
        """Check what can be checked without searching again.

        Parameters
        ----------
        game
            Rules, tree, signal game or sequence form.
        answer
            What a search returned, or `load` read.

        Raises
        ------
        InvalidStrategyError
            If the line of play is illegal, the bounds contradict each other, or what the line pays
            in the end contradicts them.
        """
        if not isinstance(answer, SearchResult):
            raise InvalidStrategyError(
                f"{type(answer).__name__} is not an answer of a search; give a SearchResult"
            )
        if not answer.lower <= answer.upper:
            raise InvalidStrategyError(
                f"the search claims a value of at least {to_words(answer.lower)} and at most "
                f"{to_words(answer.upper)}; no number is both"
            )
        paid = _played(_rules(game), answer.principal_variation)
        if paid is not None and not _agrees(answer, paid):
            raise InvalidStrategyError(
                f"the line of play pays player 0 {to_words(paid)}, and the search claims a value "
                f"in [{to_words(answer.lower)}, {to_words(answer.upper)}]"
            )
        return GameValueCertificate(answer, paid)

    def save(self, game: Any, answer: SearchResult, folder: Path) -> None:
        """Write nothing: bounds and line of play are in the record, in `result.json`."""

    def transfer(self, game: Any, answer: SearchResult) -> SearchResult:
        """Return the answer itself: it names actions, as all forms of a game do."""
        return answer

    def load(
        self, game: Any, folder: Path, claims: Mapping[str, Any] | None = None
    ) -> SearchResult:
        """Return the answer that a saved record claims; `certify` checks it.

        Parameters
        ----------
        game
            What was searched; it tells which actions the texts of the line of play name.
        folder
            What holds `result.json`, if `claims` are not given.
        claims
            The content of `result.json`.

        Raises
        ------
        ResultFileError
            If the record is missing or damaged, or its line of play is not one of the game.
        """
        claims = _read(folder / RESULT) if claims is None else claims
        lower, upper = _bounds(claims, folder / RESULT)
        texts: Any = claims.get("principal_variation")
        estimate: Any = claims.get("estimate")
        depth, message = claims.get("depth"), claims.get("message", "")
        fits = isinstance(texts, list) and isinstance(message, str)
        if not (fits and type(depth) in (int, type(None)) and _is_estimate(estimate)):
            raise ResultFileError(f"{folder / RESULT} is damaged: it is not the record of a search")
        line = _named(_rules(game), list(texts), folder / RESULT)
        return SearchResult(
            str(claims.get("method", "")),
            lower,
            upper,
            line[0] if line else None,
            line,
            estimate,
            depth,
            message=message,
        )


def _rules(game: Any) -> Game:
    if isinstance(game, Game):
        return game
    from seqform.tree.as_rules import TreeGame
    from seqform.tree.from_any import build_tree

    return TreeGame(getattr(game, "tree", None) or build_tree(game))


def _played(game: Game, line: tuple[Hashable, ...]) -> Number | None:
    """Return what a line of play pays player 0; None if the game goes on after it."""
    rewards = getattr(game, "rewards", None)
    state, paid = game.root(), 0
    for place, action in enumerate(line, start=1):
        player = game.player(state)
        actions = () if player in (CHANCE, TERMINAL) else tuple(game.actions(state))
        if action not in actions:
            raise InvalidStrategyError(
                f"move {place} of the line of play is {action!r}, where the actions are "
                f"{', '.join(map(repr, actions)) or 'none'}"
            )
        reward = rewards(state) if rewards else None
        paid += 0 if reward is None else reward[0]
        state = game.child(state, action)
    if game.player(state) != TERMINAL:
        return None
    return paid + game.payoffs(state)[0]


def _agrees(answer: SearchResult, paid: Number) -> bool:
    """Return whether what a whole line of play pays is in the bounds; exactly, if it is exact."""
    lower, upper = answer.lower, answer.upper
    if lower <= paid <= upper:
        return True
    if all(map(is_exact, (lower, upper, paid))):
        return False
    slack = ROUNDING * max(1.0, abs(float(paid)))
    return lower - slack <= paid <= upper + slack


def _named(game: Game, texts: list[str], path: Path) -> tuple[Hashable, ...]:
    """Return the actions whose texts these are, from the root on."""
    line: list[Hashable] = []
    state = game.root()
    for text in texts:
        over = game.player(state) in (CHANCE, TERMINAL)
        actions = () if over else game.actions(state)
        found = [action for action in actions if str(action) == text]
        if len(found) != 1:
            raise ResultFileError(
                f"{path}: move {len(line) + 1} of the line of play is {text!r}, which "
                f"{len(found)} actions of the game are called there"
            )
        line.append(found[0])
        state = game.child(state, found[0])
    return tuple(line)


def _text(bound: Number) -> str | None:
    return None if abs(bound) == inf else to_text(bound)


def _is_estimate(value: object) -> bool:
    """Return whether this can be a record's estimate: None, or a number that is a float."""
    return type(value) in (float, type(None)) or (type(value) is int and finite(value) is not None)


def _bounds(claims: Mapping[str, Any], path: Path) -> tuple[Number, Number]:
    texts = claims.get("bounds")
    if not isinstance(texts, list):
        raise ResultFileError(f"{path} is damaged: its bounds are {texts!r}")
    try:
        lower, upper = (text if text is None else from_text(text) for text in texts)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise ResultFileError(f"{path} is damaged: its bounds are {texts!r}: {error}") from None
    return -inf if lower is None else lower, inf if upper is None else upper


def _read(path: Path) -> dict[str, Any]:
    try:
        claims = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} cannot be read: {error}") from None
    if not isinstance(claims, dict):
        raise ResultFileError(f"{path} is damaged: it holds no record")
    return claims


GAME_VALUE = GameValue()
