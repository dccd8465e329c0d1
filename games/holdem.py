"""Texas hold'em endgames: rivers, turns and flops, with ranges, no-limit betting and bet sizes.

Payoffs are chips won beyond half of the pot, so the game is zero-sum; the share of the pot, which
other solvers print as EV, is half of the pot more. With a rake it is of general sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

from games.hand_groups import HAND_CLASSES, HAND_GRID, HAND_GROUPS
from games.hand_ranges import parse_range
from games.hand_ranks import hand_strength
from games.no_limit_betting import no_limit_betting
from games.no_limit_rules import NoLimitRules
from games.playing_cards import DECK, SUIT_SWAPS, cards_text, read_cards
from games.size_plan import POSITIONS
from games.spot_files import read_spot
from games.tree_size import Cards, require_fit
from seqform.base.errors import InvalidParameterError
from seqform.base.summary import counted
from seqform.form.hands import HandGame, HandRange
from seqform.game.catalogue import GameEntry

WHOLE_BOARD, FLOP = 5, 3

MOST_NAMED = 5
"""Hands that were left out, by name."""

SIZES = "bet 50%,100%,a; raise 50%,100%,a"


def holdem(
    board: str = "QsJh2h8c3d",
    oop: str = "QQ+, 22, AQs+, KQs, QJs, ThTs, AhTh:0.5",
    ip: str = "JJ-TT, AQ, KQs, QJs, JTs, Th9h, 98s:0.5",
    pot: float = 200,
    stack: float = 900,
    sizes: str = SIZES,
    edits: str = "",
    chip: float = 1,
    min_bet: float = 0,
    min_raise: float = 1,
    add_allin: float = 0,
    allin_threshold: float = 1,
    force_allin: float = 0,
    merge: float = 0,
    rake: float = 0,
    rake_cap: float = 0,
    spot: str = "",
    remarks: str = "",
) -> HandGame:
    """Return an endgame of Texas hold'em: both players have a range, and a pot to play for.

    Player 0 is out of position (oop) and acts first on every street; player 1 is in position (ip).
    The value is in chips won beyond half of the pot.

    Parameters
    ----------
    board
        Three cards (a flop), four (a turn) or five (a river), such as QsJh2h.
    oop
        What player 0 may hold, such as "QQ+, AKs, A5s-A2s:0.5, AhKh" or random; see
        `games.hand_ranges`. Hands that meet the board are left out.
    ip
        What player 1 may hold, in the same way.
    pot
        Chips in the middle.
    stack
        Chips that each player has left.
    sizes
        What may be bet and raised, such as "bet 33%,75%; raise 2.5x; river bet a"; see
        `games.size_plan`.
    edits
        Lines to leave out, and sizes to add at one node; see `games.betting_edits`.
    chip
        The smallest chip, to which bets are rounded.
    min_bet
        The smallest bet; 0: one chip.
    min_raise
        How many times the last bet or raise a raise is at least by.
    add_allin
        All-in is added where at most so many times the pot is left to bet; 0: where it is written.
    allin_threshold
        What puts in at least this share of the whole stack becomes all-in.
    force_allin
        What leaves, once it is called, at most so many times the pot becomes all-in.
    merge
        Sizes are left out that are nearer to a larger one than this, by Pio's rule; 0: none are.
    rake
        The share of the pot that the house takes, such as 0.05. With a rake the game is of general
        sum.
    rake_cap
        The most chips that the house takes; 0: no cap.
    spot
        A file of TexasSolver, Pio or Libratus that says all or some of this; see
        `games.spot_files`.
    remarks
        What is said beside an answer, such as what a file says that is not used.
    """
    if spot:
        return _of_file(dict(locals()))
    cards = _board(board)
    rules = NoLimitRules(
        pot=pot,  # a float is the decimal that it is written as
        stack=stack,
        sizes=sizes,
        streets=WHOLE_BOARD + 1 - len(cards),
        edits=edits,
        chip=chip,
        min_bet=min_bet,
        min_raise=min_raise,
        add_allin=add_allin,
        allin_threshold=allin_threshold,
        force_allin=force_allin,
        merge=merge,
        rake=rake,
        rake_cap=rake_cap,
    )
    ranges, notes = zip(
        *(_range(name, text, cards) for name, text in zip(POSITIONS, (oop, ip), strict=True)),
        strict=True,
    )
    require_fit(rules, Cards(ranges, cards, len(DECK), SUIT_SWAPS))
    half = Fraction(rules.pot) / 2
    return HandGame(
        deck=DECK,
        board=cards,
        ranges=ranges,
        betting=no_limit_betting(rules),
        strength=hand_strength,
        symmetries=SUIT_SWAPS,
        player_names=POSITIONS,
        card_kinds={card: card[0] for card in DECK},
        beyond=(half, half),
        notes=tuple(filter(None, (remarks, *notes))),
        groups=HAND_GROUPS,
        grid=HAND_GRID,
        classes=HAND_CLASSES,
    )


def _board(text: str) -> tuple[int, ...]:
    """Return the cards of a board, with what is wrong in the parameter's name."""
    try:
        cards = read_cards(text)
    except InvalidParameterError as error:
        raise InvalidParameterError(f"board: {error}") from None
    if not FLOP <= len(cards) <= WHOLE_BOARD:
        raise InvalidParameterError(
            f"board={text!r} has {counted(len(cards), 'card')}: give three cards for a flop, four "
            "for a turn, five for a river"
        )
    return cards


def _range(name: str, text: str, board: Sequence[int]) -> tuple[HandRange, str]:
    """Return what a player may hold, and what was left out because the board has it."""
    try:
        held, dropped = parse_range(text).without(board)
        if not held.held:
            raise InvalidParameterError(
                f"no hand of {text!r:.60} is left beside the board {cards_text(list(board))}"
            )
        found = held.hand_range()
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{name}: {error}") from None
    if not dropped:
        return found, ""
    left_out = ", ".join(dropped[:MOST_NAMED]) + (", ..." if len(dropped) > MOST_NAMED else "")
    return found, f"{name}: {counted(len(dropped), 'hand')} met the board, left out: {left_out}"


def _of_file(given: dict[str, Any]) -> HandGame:
    """Return the game of a file; what is given and not as by default counts before it."""
    defaults = HOLDEM.parameters
    said = {name: value for name, value in given.items() if value != defaults[name].default}
    return HOLDEM.make(**said)  # type: ignore[no-any-return]


def expand(given: dict[str, Any]) -> dict[str, Any]:
    """Return parameters with those of a file in its place; what is given counts before these."""
    path = given.pop("spot", "")
    if not path:
        return given
    if not isinstance(path, (str, Path)):
        raise InvalidParameterError(f"spot={path!r} is no path of a file")
    found = read_spot(path)
    remarks = {"remarks": "; ".join(found.notes)} if found.notes else {}
    return {**found.parameters, **remarks, **given}


HOLDEM = GameEntry(
    "holdem",
    "Texas hold'em endgames: a flop, turn or river with ranges, stacks and bet sizes",
    holdem,
    expand=expand,
)


def _preset(name: str, summary: str, **defaults: Any) -> GameEntry:
    """Return the same game with other defaults."""

    @wraps(holdem)
    def factory(**parameters: Any) -> HandGame:
        return holdem(**{**defaults, **parameters})

    known = signature(holdem, eval_str=True)
    others = [p.replace(default=defaults.get(p.name, p.default)) for p in known.parameters.values()]
    typed: Callable[..., HandGame] = factory
    typed.__signature__ = known.replace(parameters=others)  # type: ignore[attr-defined]
    return GameEntry(name, summary, typed, expand=expand)


RIVER = _preset(
    "river",
    "a river of hold'em: all 1,081 hands against all, pot 200, stacks 900",
    oop="random",
    ip="random",
)

TURN = _preset(
    "turn",
    "a turn of hold'em: all 1,128 hands against all, pot 200, stacks 900",
    board="QsJh2h8c",
    oop="random",
    ip="random",
)

FLOP_GAME = _preset(
    "flop",
    "a flop of hold'em: 180 hands against 265, pot 200, stacks 900, one bet size and all-in",
    board="Td9d6h",
    oop="66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    ip=("QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"),
    sizes="bet 60%,a; raise 2.5x",
)
