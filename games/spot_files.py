"""Spots as others write them: TexasSolver's commands, Pio's tree scripts, Libratus' endgames.

What a file says becomes parameters of `games.holdem`. What is not understood is named: as an error
where it would change the game, else as a note, such as how many threads a solver is to use.

*TexasSolver*: lines such as ``set_pot 50``, ``set_board Qs,Jh,2h``, ``set_range_ip AA,KK:0.5`` and
``set_bet_sizes oop,flop,bet,50,100``; ``allin`` adds all-in. Percentages are of the pot.

*Pio*: lines ``#Pot#180``, ``#Board#Qs Jh 2h``, ``#Range0#...`` and ``#FlopConfig.BetSize#33 75``;
``FlopConfigIP`` is of the player in position. Numbers without a sign are percentages.
``#AddAllin#True`` adds all-in where there are sizes, ``#AddAllinOnlyIfLessThanThisTimesThePot#250``
only where at most 2.5 times the pot is left; ``#AllinThreshold#60`` makes all-in of what puts in at
least 60% of the stack; ``#MergeSimilarBetsThreshold#12`` merges sizes.

*Libratus*: ``-round``, ``-board``, ``-pot`` and ``-reach``, 2,652 probabilities: those of the
player out of position, then the other's, in the order 2s2h, 2s2d, 2s2c, 2s3s, ... Blinds were 50
and 100, stacks 20,000 (Brown & Sandholm 2017). It says no sizes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from games.hand_classes import NUM_HANDS
from games.hand_orders import read_numbers
from games.size_plan import BET, DONK, POSITIONS, RAISE, STREETS
from seqform.base.errors import GameFileError, InvalidParameterError
from seqform.base.number import ratio
from seqform.base.summary import counted
from seqform.base.whole_file import reason

LIBRATUS_STACK = 20_000

LIBRATUS_DIGITS = 10**12
"""Weights are rounded to multiples of its inverse: of floats that are added up nothing is left."""


class SpotFile(NamedTuple):
    """What a file says.

    Parameters
    ----------
    parameters
        Those of `games.holdem.holdem`, as texts.
    notes
        What it says besides, which has nothing to do with the game.
    """

    parameters: dict[str, str]
    notes: tuple[str, ...]


def read_spot(path: Path | str) -> SpotFile:
    """Return the spot that a file describes.

    Raises
    ------
    GameFileError
        If the file is missing, of no format that is read, or says something of the game that is not
        understood; with the line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise GameFileError(f"{path} does not exist") from None
    except (OSError, ValueError) as error:
        raise GameFileError(f"{path} cannot be read: {reason(error)}") from None
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    try:
        return _reader(lines)(lines)
    except _LineError as error:
        raise GameFileError(f"{path}, {error}") from None


class _LineError(Exception):
    """What is wrong in a line, or with all of them."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {what}" if line else what)


Lines = list[tuple[int, str]]


def _reader(lines: Lines) -> Callable[[Lines], SpotFile]:
    """Return what reads a file that begins like this."""
    first = lines[0][1] if lines else ""
    if first.startswith("-"):
        return _libratus
    if first.startswith("#"):
        return _pio
    if re.match(r"set_\w+", first):
        return _texas_solver
    raise _LineError(
        "which is no spot: TexasSolver's files begin with set_..., Pio's scripts with #...#, and "
        "Libratus' endgames with -round"
    )


class _Sizes:
    """Sizes by position, street and situation, and where all-in is added."""

    def __init__(self) -> None:
        self.said: dict[tuple[str, str, str], list[str]] = {}
        self.allin: set[tuple[str, str]] = set()

    def text(self, always: bool) -> str:
        """Return the clauses of `games.size_plan`.

        Parameters
        ----------
        always
            Whether all-in is added where no other size is said, too.
        """
        clauses = []
        for position in POSITIONS:
            for street in STREETS:
                for situation in (BET, RAISE, DONK):
                    sizes = list(self.said.get((position, street, situation), ()))
                    is_donk = situation == DONK
                    if (position, street) in self.allin and not is_donk and (sizes or always):
                        sizes.append("a")
                    if is_donk and position == "oop" and street != STREETS[0] and not sizes:
                        clauses.append(f"{position} {street} {DONK} none")
                    if sizes:
                        clauses.append(f"{position} {street} {situation} {','.join(sizes)}")
        return "; ".join(clauses)


def _texas_solver(lines: Lines) -> SpotFile:
    found: dict[str, str] = {}
    sizes, notes = _Sizes(), []
    for number, line in lines:
        command, _, rest = line.partition(" ")
        if command in TEXAS_VALUES:
            text = rest.strip()
            found[TEXAS_VALUES[command]] = text.replace(",", " ") if "board" in command else text
        elif command == "set_bet_sizes":
            _take_texas_sizes(sizes, [part.strip() for part in rest.split(",")], number)
        elif command in TEXAS_OTHER:
            notes.append(line)
        else:
            raise _LineError(f"{command!r} is no command that is known", number)
    return SpotFile(_required(found | {"sizes": sizes.text(always=True)}), _said(notes))


TEXAS_VALUES = {
    "set_pot": "pot",
    "set_effective_stack": "stack",
    "set_board": "board",
    "set_range_oop": "oop",
    "set_range_ip": "ip",
    "set_allin_threshold": "allin_threshold",
}

TEXAS_OTHER = {
    *("build_tree", "start_solve", "set_thread_num", "set_accuracy", "set_max_iteration"),
    *("set_print_interval", "set_use_isomorphism", "set_dump_rounds", "dump_result"),
}
"""Commands that say nothing of the game."""


def _take_texas_sizes(sizes: _Sizes, parts: list[str], line: int) -> None:
    if len(parts) < 3 or parts[0] not in POSITIONS or parts[1] not in STREETS:
        raise _LineError("write set_bet_sizes oop,flop,bet,50 and the like", line)
    position, street, situation, *amounts = parts
    if situation == "allin":
        sizes.allin.add((position, street))
        return
    if situation not in (BET, RAISE, DONK):
        raise _LineError(f"{situation!r} is none of bet, raise, donk and allin", line)
    amounts = [amount for amount in amounts if amount]
    sizes.said[position, street, situation] = [_size(amount, line) for amount in amounts]


def _size(text: str, line: int) -> str:
    """Return a size as `games.bet_sizes` writes it; a bare number is a percentage of the pot."""
    text = text.strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return f"{text}%"
    if re.fullmatch(r"\d+(\.\d+)?[%xc]|\d*e|a", text):
        return text
    raise _LineError(f"{text!r} is no size that is known", line)


def _pio(lines: Lines) -> SpotFile:
    found: dict[str, str] = {}
    sizes, notes, flags = _Sizes(), [], dict[str, str]()
    for number, line in lines:
        match = re.fullmatch(r"#([^#]+)#(.*)", line)
        if match is None:
            raise _LineError(f"{line!r:.40} is not written as #Name#value", number)
        name, value = match[1].strip(), match[2].strip()
        street = re.fullmatch(r"(Flop|Turn|River)Config(IP)?\.(\w+)", name)
        if name in PIO_VALUES:
            found[PIO_VALUES[name]] = value
        elif street is not None:
            _take_pio_sizes(sizes, street, value, number)
        elif name in PIO_FLAGS:
            flags[name] = value
        elif name in PIO_OTHER or (name.startswith("ICM.") and not _is_on(flags, "ICM.Enabled")):
            notes.append(line)
        else:
            raise _LineError(f"{name!r} is nothing that is known", number)
    return SpotFile(_required(found | _pio_flags(flags, sizes)), _said(notes))


PIO_VALUES = {
    "Range0": "oop",
    "Range1": "ip",
    "Board": "board",
    "Pot": "pot",
    "EffectiveStacks": "stack",
    "MinimumBetsize": "min_bet",
}

PIO_FLAGS = {
    *("AllinThreshold", "AddAllinOnlyIfLessThanThisTimesThePot", "MergeSimilarBets"),
    *("MergeSimilarBetsThreshold", "CapEnabled", "CapPerStreet", "CapMode", "Type", "ICM.Enabled"),
}

PIO_OTHER = {"TreeBuilding", "V2"}
"""What says nothing of the game."""


def _is_on(flags: Mapping[str, str], name: str) -> bool:
    return flags.get(name, "False").lower() == "true"


def _take_pio_sizes(sizes: _Sizes, name: re.Match[str], value: str, line: int) -> None:
    street, position = name[1].lower(), "ip" if name[2] else "oop"
    situation = {"BetSize": BET, "RaiseSize": RAISE, "DonkBetSize": DONK}.get(name[3])
    if name[3] == "AddAllin":
        if value.lower() == "true":
            sizes.allin.add((position, street))
    elif situation is not None:
        amounts = [amount for amount in re.split(r"[\s,]+", value) if amount]
        sizes.said[position, street, situation] = [_size(amount, line) for amount in amounts]
    else:
        raise _LineError(f"{name[0]!r} is nothing that is known", line)


def _pio_flags(flags: Mapping[str, str], sizes: _Sizes) -> dict[str, str]:
    if flags.get("Type", "NoLimit") != "NoLimit":
        raise _LineError(f"#Type#{flags['Type']}: only NoLimit is read")
    if _is_on(flags, "ICM.Enabled"):
        raise _LineError("#ICM.Enabled#True: payoffs by ICM are not read; solve it in chips")
    found = {"sizes": ""}
    if "AllinThreshold" in flags:
        found["allin_threshold"] = str(Fraction(_number(flags["AllinThreshold"])) / 100)
    most = flags.get("AddAllinOnlyIfLessThanThisTimesThePot")
    places = {(position, street) for position in POSITIONS for street in STREETS}
    if most is not None and sizes.allin == places:
        found["add_allin"] = str(Fraction(_number(most)) / 100)
        sizes.allin = set()
    elif most is not None and sizes.allin:
        raise _LineError(
            "all-in is added on some streets and not on others, with a limit of times the pot: "
            "that cannot be said here; leave out the limit, or write a among the sizes"
        )
    if _is_on(flags, "MergeSimilarBets"):
        percent = _number(flags.get("MergeSimilarBetsThreshold", "0"))
        found["merge"] = str(Fraction(percent) / 100)
    caps = _caps(flags) if _is_on(flags, "CapEnabled") else []
    return found | {"sizes": "; ".join(filter(None, [sizes.text(always=False), *caps]))}


def _caps(flags: Mapping[str, str]) -> list[str]:
    """Return clauses of caps on bets and raises; 0 is none."""
    numbers = re.split(r"[\s,#]+", flags.get("CapPerStreet", "0 0 0"))
    if len(numbers) != len(STREETS) or not all(map(str.isdecimal, numbers)):
        raise _LineError(f"#CapPerStreet#{flags['CapPerStreet']}: give a number for each street")
    pairs = zip(STREETS, map(int, numbers), strict=True)
    return [f"{street} cap {number}" for street, number in pairs if number]


def _number(text: str) -> Fraction:
    try:
        return Fraction(ratio(text))
    except (ValueError, ZeroDivisionError):
        raise _LineError(f"{text!r} is no number") from None


def _libratus(lines: Lines) -> SpotFile:
    said = {}
    for number, line in lines:
        name, _, value = line.partition(" ")
        if name not in ("-round", "-board", "-pot", "-reach"):
            raise _LineError(f"{name!r} is nothing that is known", number)
        said[name] = value.strip()
    for name in ("-board", "-pot", "-reach"):
        if name not in said:
            raise _LineError(f"{name} is missing")
    reach = said["-reach"].split()
    if len(reach) != 2 * NUM_HANDS:
        raise _LineError(f"-reach has {len(reach):,} numbers, and must have {2 * NUM_HANDS:,}")
    stack = LIBRATUS_STACK - Fraction(_number(said["-pot"])) / 2
    oop, dropped_oop = _libratus_range(reach[:NUM_HANDS])
    ip, dropped_ip = _libratus_range(reach[NUM_HANDS:])
    dropped = counted(dropped_oop + dropped_ip, "hand")
    return SpotFile(
        {
            "board": said["-board"],
            "pot": said["-pot"],
            "stack": str(stack),
            "oop": oop,
            "ip": ip,
        },
        (f"weights are rounded to multiples of 1 / {LIBRATUS_DIGITS:,}: {dropped} dropped",),
    )


def _libratus_range(weights: Sequence[str]) -> tuple[str, int]:
    """Return a range as text, in multiples coarser than floats, and how many hands were dropped."""
    try:
        held = read_numbers(" ".join(weights), "libratus")
    except InvalidParameterError as error:
        raise _LineError(f"-reach: {error}") from None
    rounded, dropped = held.rounded(LIBRATUS_DIGITS)
    return rounded.to_text(), len(dropped)


def _required(found: dict[str, str]) -> dict[str, str]:
    """Return parameters, of which none that makes a spot is missing."""
    missing = [name for name in ("board", "oop", "ip", "pot", "stack") if not found.get(name)]
    if missing:
        raise _LineError(f"where nothing says {', '.join(missing)}")
    return {name: value for name, value in found.items() if value}


def _said(notes: list[str]) -> tuple[str, ...]:
    if not notes:
        return ()
    return (f"not of the game, and not used: {'; '.join(notes)}",)
