"""The numbers that a reader looks for first; the page's check compares them with its own."""

from __future__ import annotations

from decimal import ROUND_CEILING
from fractions import Fraction
from math import isfinite, isnan

from seqform.base.number import Number, decimal, fraction_text
from seqform.exact.plan_proof import ProvenGains, ProvenInterval
from seqform.report.markup import Markup, element, join
from seqform.report.numbers import above, below, places_apart, typeset
from seqform.report.reported import Reported

LONGEST = 24
"""Characters of a fraction that is written as such."""

LONGEST_BIG = 12
"""Characters of a number that is written large."""


def key_figures(of: Reported) -> Markup:
    """Return the status, the values, how good the answer is, and how large the game."""
    solution = of.solution
    status = solution.status.name.lower()
    state = element("span", status, class_=f"chip {status}")
    words = element("p", state, f" {solution.status.value}; by {solution.method}", class_="status")
    return element("section", words, element("div", *_figures(of), class_="figures"))


def _figures(of: Reported) -> list[Markup]:
    return [*_values(of), *_quality(of), *_size(of)]


def figure(name: str, value: object, unit: str = "", more: object = "") -> Markup:
    """Return one number with its name."""
    small = element("small", more) if more else ""
    shown = element("b", value, element("i", f" {unit}") if unit else "")
    return element("div", element("span", name), shown, small, class_="figure-box")


def claim(name: str, value: str, shown: str = "") -> Markup:
    """Return a number that the page's check finds by its name and compares with its own.

    A fraction has to be right exactly, and a decimal number to its last place.
    """
    return written("data", typeset(shown or value), value=value, data_claim=name)


def written(name: str, text: str, **attributes: object) -> Markup:
    """Return a number as an element; long ones are smaller."""
    return element(name, text, class_="long" if len(text) > LONGEST_BIG else None, **attributes)


def _values(of: Reported) -> list[Markup]:
    solution = of.solution
    if solution.certificate is None or isnan(solution.values[0]):
        return []
    exact = solution.exact.values if solution.exact else solution.values
    count = 1 if solution.is_constant_sum else len(exact)
    return [_value(player, exact[player], solution.unit) for player in range(count)]


def _value(player: int, number: Number, unit: str) -> Markup:
    text, title = f"{float(number):.6g}", f"value to player {player}"
    if not isinstance(number, Fraction):
        return figure(title, claim(f"value-{player}", text), unit)
    exact = fraction_text(number)
    shown = claim(f"value-{player}", exact, exact if len(exact) <= LONGEST else text)
    approximate = join(["= ", claim(f"value-{player}", text)])
    is_long = len(exact) <= LONGEST and number.denominator > 1
    return figure(title, shown, unit, approximate if is_long else "")


def _quality(of: Reported) -> list[Markup]:
    """Return how good the answer is: exact, within an interval, or up to some gain."""
    solution, proven = of.solution, of.solution.bracket
    if of.rounded is not None:
        return _proven_here(of, of.rounded)
    if solution.exact is not None:
        return [
            figure("proof", claim("exact", "exact"), more="nobody gains by deviating, in fractions")
        ]
    if isinstance(proven, ProvenInterval):
        return [_interval(proven.lower, proven.upper, solution.unit, "proven exactly")]
    if isinstance(proven, ProvenGains):
        gap = claim("gap", decimal(proven.nash_gap, 3, ROUND_CEILING))
        return [figure("players gain at most", gap, solution.unit, "all together, proven exactly")]
    if not isnan(solution.lower):
        words = "rounding errors included"
        return [_interval(solution.lower, solution.upper, solution.unit, words)]
    if not isfinite(solution.gap):
        return []
    words = "all together" if solution.profile is not None else "by one deviation"
    gap = claim("gap", decimal(Fraction(solution.gap), 3, ROUND_CEILING))
    return [figure("players gain at most", gap, solution.unit, words)]


def _proven_here(of: Reported, rounded: ProvenInterval) -> list[Markup]:
    """Return what is certified, and what the page itself proves by rounded plans."""
    solution = of.solution
    proven, unit = solution.bracket, solution.unit
    own: tuple[Fraction | float, Fraction | float] = solution.lower, solution.upper
    words = "certified, rounding errors included"
    if isinstance(proven, ProvenInterval):
        own, words = (proven.lower, proven.upper), "proven exactly"
    digits = places_apart(float(own[1]) - float(own[0]))
    ends = typeset(below(own[0], digits)), typeset(above(own[1], digits))
    shown = join([ends[0], element("small", " and "), ends[1]])
    here = "this page proves it between"
    return [
        figure(BETWEEN, shown, unit, words),
        _interval(rounded.lower, rounded.upper, unit, "by rounded plans, exactly", here),
    ]


BETWEEN = "the value is between"


def _interval(
    lower: Fraction | float, upper: Fraction | float, unit: str, words: str, name: str = BETWEEN
) -> Markup:
    if not (isfinite(lower) and isfinite(upper)):  # of a search that saw a part of the game
        shown = join([_end(lower), element("small", " and "), _end(upper)])
        return figure(name, shown, unit, words)
    digits = places_apart(float(upper) - float(lower))
    ends = claim("lower", below(lower, digits)), claim("upper", above(upper, digits))
    return figure(name, join(ends, element("small", " and ")), unit, words)


def _end(bound: Fraction | float) -> str:
    """Return a bound that may be infinite."""
    if isfinite(bound):
        return typeset(f"{float(bound):.6g}")
    return typeset("-\N{INFINITY}" if bound < 0 else "\N{INFINITY}")


def _size(of: Reported) -> list[Markup]:
    sizes = of.solution.sizes
    found = []
    if "infosets" in sizes and "nodes" in sizes:
        more = f"{sizes['infosets']:,} information sets"
        nodes = written("span", f"{sizes['nodes']:,}")
        found.append(figure("nodes of the game", nodes, more=more))
    elif "nodes" in sizes:  # equal positions may have been searched once
        found.append(figure("nodes searched", f"{sizes['nodes']:,}"))
    seconds = sum(of.solution.seconds.values())
    return [*found, figure("time", f"{seconds:.3g}", "seconds")]
