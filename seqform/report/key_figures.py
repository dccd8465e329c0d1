"""The numbers that a reader looks for first; the page's check compares them with its own."""

from __future__ import annotations

from decimal import ROUND_CEILING
from fractions import Fraction
from math import isfinite, isnan
from typing import NamedTuple

from markupsafe import Markup

from seqform.base.number import Number, decimal, fraction_text
from seqform.exact.plan_proof import ProvenGains, ProvenInterval
from seqform.game.labels import player_names_of, with_names
from seqform.report.numbers import above, below, places_apart, typeset
from seqform.report.reported import Reported

LONGEST = 24
"""Characters of a fraction that is written as such."""

LONGEST_BIG = 12
"""Characters of a number that is written large."""


class Figure(NamedTuple):
    """One number with its name; `more` stands below it in small letters."""

    name: str
    value: object
    unit: str = ""
    more: object = ""


def key_figures(of: Reported) -> list[Figure]:
    """Return the values, how good the answer is, and how large the game."""
    return [*_values(of), *_quality(of), *_size(of)]


def claim(name: str, value: str, shown: str = "") -> Markup:
    """Return a number that the page's check finds by its name and compares with its own.

    A fraction has to be right exactly, and a decimal number to its last place.
    """
    text = typeset(shown or value)
    made = Markup('<data{} value="{}" data-claim="{}">{}</data>')
    return made.format(_size_of(text), value, name, text)


def _size_of(text: str) -> Markup:
    """Return the attribute that makes long numbers smaller."""
    return Markup(' class="long"') if len(text) > LONGEST_BIG else Markup("")


def _values(of: Reported) -> list[Figure]:
    solution = of.solution
    if solution.certificate is None or isnan(solution.values[0]):
        return []
    exact = solution.exact.values if solution.exact else solution.values
    count = 1 if solution.is_constant_sum else len(exact)
    names = player_names_of(solution.game)
    return [
        _value(player, exact[player], solution.unit)._replace(
            name=with_names(f"value to player {player}", names)
        )
        for player in range(count)
    ]


def _value(player: int, number: Number, unit: str) -> Figure:
    text, title = f"{float(number):.6g}", f"value to player {player}"
    if not isinstance(number, Fraction):
        return Figure(title, claim(f"value-{player}", text), unit)
    exact = fraction_text(number)
    shown = claim(f"value-{player}", exact, exact if len(exact) <= LONGEST else text)
    approximate = Markup("= {}").format(claim(f"value-{player}", text))
    is_long = len(exact) <= LONGEST and number.denominator > 1
    return Figure(title, shown, unit, approximate if is_long else "")


def _quality(of: Reported) -> list[Figure]:
    """Return how good the answer is: exact, within an interval, or up to some gain."""
    solution, proven = of.solution, of.solution.bracket
    if of.rounded is not None:
        return _proven_here(of, of.rounded)
    if solution.exact is not None:
        return [
            Figure("proof", claim("exact", "exact"), more="nobody gains by deviating, in fractions")
        ]
    if isinstance(proven, ProvenInterval):
        return [_interval(proven.lower, proven.upper, solution.unit, "proven exactly")]
    if isinstance(proven, ProvenGains):
        gap = claim("gap", decimal(proven.nash_gap, 3, ROUND_CEILING))
        return [Figure("players gain at most", gap, solution.unit, "all together, proven exactly")]
    if not isnan(solution.lower):
        words = "rounding errors included"
        return [_interval(solution.lower, solution.upper, solution.unit, words)]
    if not isfinite(solution.gap):
        return []
    words = "all together" if solution.profile is not None else "by one deviation"
    gap = claim("gap", decimal(Fraction(solution.gap), 3, ROUND_CEILING))
    return [Figure("players gain at most", gap, solution.unit, words)]


def _proven_here(of: Reported, rounded: ProvenInterval) -> list[Figure]:
    """Return what is certified, and what the page itself proves by rounded plans."""
    solution = of.solution
    proven, unit = solution.bracket, solution.unit
    own: tuple[Fraction | float, Fraction | float] = solution.lower, solution.upper
    words = "certified, rounding errors included"
    if isinstance(proven, ProvenInterval):
        own, words = (proven.lower, proven.upper), "proven exactly"
    digits = places_apart(float(own[1]) - float(own[0]))
    ends = typeset(below(own[0], digits)), typeset(above(own[1], digits))
    shown = AND.join(ends)
    here = "this page proves it between"
    return [
        Figure(BETWEEN, shown, unit, words),
        _interval(rounded.lower, rounded.upper, unit, "by rounded plans, exactly", here),
    ]


BETWEEN = "the value is between"
AND = Markup("<small> and </small>")


def _interval(
    lower: Fraction | float, upper: Fraction | float, unit: str, words: str, name: str = BETWEEN
) -> Figure:
    if not (isfinite(lower) and isfinite(upper)):  # of a search that saw a part of the game
        shown = AND.join([_end(lower), _end(upper)])
        return Figure(name, shown, unit, words)
    digits = places_apart(float(upper) - float(lower))
    ends = claim("lower", below(lower, digits)), claim("upper", above(upper, digits))
    return Figure(name, AND.join(ends), unit, words)


def _end(bound: Fraction | float) -> str:
    """Return a bound that may be infinite."""
    if isfinite(bound):
        return typeset(f"{float(bound):.6g}")
    return typeset("-\N{INFINITY}" if bound < 0 else "\N{INFINITY}")


def _size(of: Reported) -> list[Figure]:
    sizes = of.solution.sizes
    found = []
    if "infosets" in sizes and "nodes" in sizes:
        more = f"{sizes['infosets']:,} information sets"
        count = f"{sizes['nodes']:,}"
        nodes = Markup("<span{}>{}</span>").format(_size_of(count), count)
        found.append(Figure("nodes of the game", nodes, more=more))
    elif "nodes" in sizes:  # equal positions may have been searched once
        found.append(Figure("nodes searched", f"{sizes['nodes']:,}"))
    seconds = sum(of.solution.seconds.values())
    return [*found, Figure("time", f"{seconds:.3g}", "seconds")]
