"""The registry: every game by name, with its parameters and the values known for it."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.number import Number


@dataclass(frozen=True)
class KnownValue:
    """The value to player 0 at given parameters (those left out are the defaults), and who says so."""

    value: Number
    source: str
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A game of the registry."""

    name: str
    summary: str
    home: str
    known: tuple[KnownValue, ...] = ()

    @property
    def factory(self) -> Callable[..., Any]:
        """The function that makes the game."""
        module, function = self.home.split(":")
        return getattr(import_module(module), function)  # type: ignore[no-any-return]

    @property
    def parameters(self) -> dict[str, tuple[type, object]]:
        """Each parameter's type and default."""
        signature = inspect.signature(self.factory, eval_str=True)
        return {name: (p.annotation, p.default) for name, p in signature.parameters.items()}

    @property
    def perfect_information(self) -> bool:
        """Whether everybody always knows everything, with the default parameters."""
        return bool(getattr(self.factory(), "perfect_information", False))

    def known_value(self, parameters: Mapping[str, object]) -> KnownValue | None:
        """Return the value known for exactly these parameters."""
        defaults = {name: default for name, (_, default) in self.parameters.items()}
        wanted = {**defaults, **parameters}
        return next(
            (known for known in self.known if {**defaults, **known.parameters} == wanted), None
        )


KUHN_1950 = "Kuhn, A simplified two-person poker, 1950"
QSOPT = "QSopt_ex"
PROVEN = "proven in integers, from the bases of player 0's and of player 1's program"

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
LEDUC_BY_RANKS = {
    4: Fraction(-750825476006594814550891332665, 7343544839349721554468972176184),
    5: Fraction(
        -35218006363421785353538286651298673623049, 312302377649515583433939664579927348213692
    ),
    6: Fraction(
        -318316018936505055995424450545100470555555281,
        3044815867409980405093176184584827956368717240,
    ),
    10: Fraction(-3750262202431027339613896958513, 38044604249281208345214245954625),
    13: Fraction(-113743011961333498012928459, 1227346755696326019173737500),
    16: Fraction(-8954266043384438915208340759474175339, 96662140952161877254594440285207651000),
    20: Fraction(-509755136203403133646514767498633, 5532008309088484366090447080759360),
    26: Fraction(
        -250570403440166645608439765061066975934756097,
        2748333244336602000092447776200485925565905000,
    ),
}
RHODE_ISLAND_4X2 = Fraction(
    -4122709480816109494178777189917116357625070822292873075979763457174414793,
    14588221530641817348860392716560596407630911210253109969954028321093772264,
)

BY_HAND = "by hand, as the game's docstring says"
BOUTON = "Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3, 1901"
ALLEN_ALLIS = "Allen, and Allis, A knowledge-based approach of Connect-Four, both 1988; this program's own search"
TROMP = "Tromp, John's Connect Four Playground (tromp.github.io/c4/c4.html), 2006; this program's own search"
MNK = "Uiterwijk & van den Herik, The advantage of the initiative, Information Sciences 122, 2000"

ENTRIES = (
    Entry(
        "kuhn",
        "Kuhn poker: one card each, one bet",
        "games.kuhn:kuhn",
        (KnownValue(Fraction(-1, 18), KUHN_1950),),
    ),
    Entry(
        "leduc",
        "Leduc hold'em: two rounds, one community card; ante 1, bets 2 and 4",
        "games.leduc:leduc",
        (
            KnownValue(LEDUC, f"{QSOPT}; {PROVEN}"),
            KnownValue(LEDUC, f"{QSOPT}; {PROVEN}", {"merge_suits": True}),
            *(
                KnownValue(value, PROVEN, {"ranks": ranks, "merge_suits": True})
                for ranks, value in LEDUC_BY_RANKS.items()
            ),
            KnownValue(LEDUC_BY_RANKS[13], PROVEN, {"ranks": 13}),
        ),
    ),
    Entry(
        "rhode-island",
        "Rhode Island hold'em: three rounds, two community cards; ante 5, bets 10, 20 and 20",
        "games.rhode_island:rhode_island",
        (KnownValue(RHODE_ISLAND_4X2, PROVEN, {"ranks": 4, "suits": 2, "max_bets": 1}),),
    ),
    Entry(
        "liars-dice",
        "Liar's dice, the highest face wild",
        "games.liars_dice:liars_dice",
        (
            KnownValue(Fraction(-7, 258), f"published to fifteen digits; {PROVEN}"),
            KnownValue(Fraction(1, 9), PROVEN, {"sides": 3}),
            KnownValue(Fraction(1, 16), PROVEN, {"sides": 4}),
            KnownValue(Fraction(1, 125), PROVEN, {"sides": 5}),
        ),
    ),
    Entry(
        "goofspiel",
        "Goofspiel, imperfect information, prizes descending, win or lose",
        "games.goofspiel:goofspiel",
        (KnownValue(0, "the game is symmetric"),),
    ),
    Entry(
        "matching-pennies",
        "Matching pennies",
        "games.textbook:matching_pennies",
        (KnownValue(0, "by hand: either player can make it 0 by tossing the coin"),),
    ),
    Entry(
        "rock-paper-scissors",
        "Rock, paper, scissors",
        "games.textbook:rock_paper_scissors",
        (KnownValue(0, "the game is symmetric"),),
    ),
    Entry(
        "von-stengel",
        "A game with the sequences of von Stengel's 1996 example, payoffs our own",
        "games.textbook:von_stengel",
        (KnownValue(Fraction(5, 8), "by hand: docs/explanation/linear-program.md"),),
    ),
    Entry(
        "two-player-tree",
        "A small tree for two that introduces backward induction; not zero-sum",
        "games.textbook:two_player_tree",
        (KnownValue(3, BY_HAND),),
    ),
    Entry(
        "king-queen-jack",
        "The betting of a bluffing game with king, queen and jack, cards known",
        "games.textbook:king_queen_jack",
        (KnownValue(-1, BY_HAND),),
    ),
    Entry(
        "centipede",
        "Centipede: a growing pot that either may take; not zero-sum",
        "games.centipede:centipede",
        (
            KnownValue(
                4,
                "Rosenthal 1981: the first player takes at once; payoffs of McKelvey & Palfrey "
                "1992",
            ),
            KnownValue(
                4,
                "McKelvey & Palfrey, An experimental study of the centipede game, Econometrica "
                "60, 1992",
                {"moves": 4},
            ),
        ),
    ),
    Entry(
        "ultimatum",
        "Ultimatum: an offer, accepted or not; not zero-sum",
        "games.ultimatum:ultimatum",
        (
            KnownValue(
                10,
                "by hand: who gets nothing either way accepts, so nothing is offered; a second "
                "equilibrium offers 1",
            ),
        ),
    ),
    Entry(
        "nim",
        "Nim: take from one heap, the last object wins",
        "games.nim:nim",
        (
            KnownValue(1, BOUTON),
            KnownValue(-1, BOUTON, {"heaps": "1,2,3"}),
            KnownValue(-1, BOUTON, {"heaps": "2,4,6"}),
            KnownValue(1, BOUTON, {"heaps": "1,3,5,6"}),
        ),
    ),
    Entry(
        "tic-tac-toe",
        "Tic-tac-toe, from any position",
        "games.tic_tac_toe:tic_tac_toe",
        (
            KnownValue(0, MNK),
            KnownValue(1, "by hand: two ways to make a row are open", {"board": "xoo/.xx/..."}),
        ),
    ),
    Entry(
        "mnk",
        "m,n,k game: the first with k in a row wins, from any position",
        "games.mnk:mnk",
        (
            KnownValue(1, MNK),
            KnownValue(0, MNK, {"columns": 3}),
            KnownValue(1, MNK, {"rows": 4}),
            KnownValue(0, MNK, {"rows": 4, "in_a_row": 4}),
        ),
    ),
    Entry(
        "connect-four",
        "Connect Four: stones fall down a column, the first line of four wins",
        "games.connect_four:connect_four",
        (
            KnownValue(1, ALLEN_ALLIS),
            *(
                KnownValue(0, TROMP, {"columns": c, "rows": r})
                for c, r in ((4, 4), (5, 4), (7, 4), (4, 5), (5, 5), (6, 5), (4, 6), (5, 6))
            ),
            *(
                KnownValue(-1, TROMP, {"columns": c, "rows": r})
                for c, r in ((6, 4), (8, 4), (6, 6))
            ),
        ),
    ),
    Entry("random", "A seeded random game with perfect recall", "games.random_games:random_game"),
)


def entry(name: str) -> Entry:
    """Return the entry of a game.

    Raises
    ------
    UnknownNameError
        With the nearest names there are.
    """
    for candidate in ENTRIES:
        if candidate.name == name.replace("_", "-"):
            return candidate
    raise UnknownNameError(
        f"there is no game {name!r}{_suggest(name, [e.name for e in ENTRIES])}; `seqform games` "
        f"lists them"
    )


def make(name: str, parameters: Mapping[str, object] | None = None) -> Any:
    """Make a game; parameters may be given as strings.

    Raises
    ------
    UnknownNameError
        For a game or parameter that does not exist, with the nearest that do.
    InvalidParameterError
        For a value that is not of the parameter's type, or that the game refuses.
    """
    found = entry(name)
    return found.factory(**parse(found, parameters or {}))


def parse(found: Entry, given: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters with strings turned into the types of the factory."""
    known = found.parameters
    for key in given:
        if key not in known:
            choices = f"it has {', '.join(known)}" if known else "it has none"
            raise UnknownNameError(
                f"{found.name} has no parameter {key!r}{_suggest(key, list(known))}; {choices}"
            )
    return {key: _convert(key, value, known[key][0]) for key, value in given.items()}


def _convert(key: str, value: object, kind: type) -> object:
    if not isinstance(value, str):
        return value
    if kind is bool:
        lowered = value.lower()
        if lowered in ("true", "yes", "1"):
            return True
        if lowered in ("false", "no", "0"):
            return False
        raise InvalidParameterError(f"{key}={value!r} is neither true nor false")
    try:
        return kind(value)
    except ValueError:
        raise InvalidParameterError(f"{key}={value!r} is not of type {kind.__name__}") from None


def _suggest(name: str, names: list[str]) -> str:
    close = difflib.get_close_matches(name, names, n=2, cutoff=0.4)
    return f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
