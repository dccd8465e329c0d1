"""The tokens of Gambit's texts one after another, each with its place, in time linear in them."""

from __future__ import annotations

import re
from fractions import Fraction
from math import lcm

from seqform.base.errors import GameFileError, InvalidGameError
from seqform.base.number import Number, as_number

MAX_DIGITS = 1000
"""Characters that a number may have; what a game may hold lies between 1e-300 and 1e300 anyway."""

MAX_EXPONENT = 1000

MAX_DENOMINATOR_BITS = 10_000
"""How long the common denominator of the probabilities of one chance move may get."""

# All repetitions are possessive: nothing is ever tried twice, whatever the text.
TOKEN = re.compile(
    r"""[ \t\r\n\f\v]*+(?:
      (?P<text>   "[^"\\]*+ (?: \\"?+ [^"\\]*+ )*+" )               # only \" is an escape
    | (?P<number> [+-]?+ (?: [0-9]++/[0-9]++
                      | (?: [0-9]++\.?+[0-9]*+ | \.[0-9]++ ) (?: [eE][+-]?+[0-9]++ )?+ )
                  (?= [\s{},"] | \Z ) )
    | (?P<word>   [A-Za-z]++ (?= [\s{},"] | \Z ) )
    | (?P<open>   \{ )
    | (?P<close>  \} )
    | (?P<comma>  , )
    | (?P<end>    \Z )
    | (?P<bad>    [^\s{},"]++ | . )
    )""",
    re.VERBOSE | re.DOTALL,
)

NAMES = {
    "text": "a text in quotes",
    "number": "a number",
    "word": "a word",
    "open": "'{'",
    "close": "'}'",
}


class Tokens:
    """A reader's place in an .efg or .nfg text.

    Attributes
    ----------
    kind
        Of the token that comes next: text, number, word, open, close, comma, end, or bad for what
        is no token.
    value
        That token as it is written.
    """

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._text = text
        self._matches = TOKEN.finditer(text)
        self._numbers: dict[str, Number] = {}
        self.advance()

    def advance(self) -> None:
        """Go on to the next token."""
        self._match = next(self._matches)
        self.kind: str = self._match.lastgroup  # type: ignore[assignment]
        self.value: str = self._match[self.kind]

    @property
    def offset(self) -> int:
        """Where the token that comes next begins."""
        return self._match.start(self.kind)

    def take(self, kind: str, what: str) -> str:
        """Return the token that comes next and go on, if it is of this kind."""
        value = self.value
        if self.kind != kind:
            raise self.unexpected(
                f"{what} ({NAMES[kind]})" if kind in ("text", "number") else NAMES[kind]
            )
        self.advance()
        return value

    def text(self, what: str) -> str:
        """Return the content of the text in quotes that comes next, and go on."""
        return self.take("text", what)[1:-1].replace('\\"', '"')

    def whole(self, what: str) -> int:
        """Return the whole number that comes next, and go on."""
        number = self.number(what, go_on=False)
        if not isinstance(number, int):
            raise self.error(f"{what} must be a whole number and is {_short(self.value)}")
        self.advance()
        return number

    def number(self, what: str, go_on: bool = True) -> Number:
        """Return the number that comes next, exactly, and go on."""
        number = self._numbers.get(self.value) if self.kind == "number" else None
        if number is None:
            if self.kind != "number":
                raise self.unexpected(f"{what} (a number)")
            number = self._numbers[self.value] = self._exact(self.value)
        if go_on:
            self.advance()
        return number

    def _exact(self, text: str) -> Number:
        exponent = text.lower().partition("e")[2]
        if len(text) > MAX_DIGITS or (exponent and abs(int(exponent)) > MAX_EXPONENT):
            raise self.error(
                f"the number {_short(text)} is too long; write numbers between 1e-300 and 1e300, "
                f"in {MAX_DIGITS} digits at most"
            )
        try:
            number = Fraction(text)
            return as_number(number.numerator if number.denominator == 1 else number)
        except ZeroDivisionError:
            raise self.error(f"the number {_short(text)} divides by zero") from None
        except InvalidGameError as error:
            raise self.error(str(error)) from None

    def unexpected(self, wanted: str) -> GameFileError:
        """Return the error for a token that cannot come next."""
        if self.kind == "end":
            return self.error(f"the text ends where {wanted} should come; is the file cut short?")
        if self.value == '"':
            return self.error(
                'a quote is never closed; close it, and write quotes within a text as \\"'
            )
        return self.error(f"expected {wanted} and found {_short(self.value)}")

    def error(self, message: str, offset: int | None = None) -> GameFileError:
        """Return an error at `offset`, or else at the token that comes next."""
        at = self.offset if offset is None else offset
        line, column = self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at)
        return GameFileError(f"{self.source}, line {line}, column {column}: {message}")


def exact_sum(numbers: list[Number]) -> Number | None:
    """Add up exact numbers; None if their common denominator outgrows `MAX_DENOMINATOR_BITS`."""
    exact = [Fraction(number) for number in numbers]
    denominator = 1
    for number in exact:
        denominator = lcm(denominator, number.denominator)
        if denominator.bit_length() > MAX_DENOMINATOR_BITS:
            return None
    return Fraction(
        sum(number.numerator * (denominator // number.denominator) for number in exact), denominator
    )


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:30]} ... ({len(text):,} characters)")
