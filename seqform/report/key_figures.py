"""The numbers that a reader looks for first; the page's check compares them with its own."""

from __future__ import annotations

from fractions import Fraction
from math import isnan

from seqform.base.number import fraction_text
from seqform.exact.interval import ProvenInterval
from seqform.report.markup import Markup, element, join
from seqform.report.numbers import above, amount, below
from seqform.report.reported import Reported

LONGEST = 24
"""Characters of a fraction that is written as such."""


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


def claim(name: str, number: Fraction | float, text: str) -> Markup:
    """Return a number that the page's check finds by its name and compares with its own."""
    exact = fraction_text(number) if isinstance(number, Fraction) else repr(float(number))
    return element("data", text, value=exact, data_claim=name)


def _values(of: Reported) -> list[Markup]:
    solution = of.solution
    if solution.certificate is None or isnan(solution.values[0]):
        return []
    exact = solution.exact.values if solution.exact else ()
    scale = getattr(solution.game, "payoff_scale", 1.0)
    count = 1 if solution.is_constant_sum else len(solution.values)
    found = []
    for player in range(count):
        number = exact[player] if exact else solution.values[player]
        text, more = amount(float(number), scale), ""
        if isinstance(number, Fraction) and len(fraction_text(number)) <= LONGEST:
            text, more = fraction_text(number), f"= {text}" if number.denominator > 1 else ""
        shown = claim(f"value-{player}", number, text)
        found.append(figure(f"value to player {player}", shown, solution.unit, more))
    return found


def _quality(of: Reported) -> list[Markup]:
    solution = of.solution
    proven = solution.bracket
    if solution.exact is not None:
        return [figure("proof", "exact", more="nobody gains by deviating, in fractions")]
    if isinstance(proven, ProvenInterval):
        lower, upper = proven.lower, proven.upper
        return [figure("the value is in", _interval(lower, upper), solution.unit, "proven exactly")]
    if not isnan(solution.lower):
        shown = _interval(solution.lower, solution.upper)
        return [figure("the value is in", shown, solution.unit, "rounding errors included")]
    if isnan(solution.gap):
        return []
    return [figure("players gain at most", f"{solution.gap:.3g}", solution.unit, "all together")]


def _interval(lower: Fraction | float, upper: Fraction | float) -> Markup:
    return join(
        ["[", claim("lower", lower, below(lower)), ", ", claim("upper", upper, above(upper)), "]"]
    )


def _size(of: Reported) -> list[Markup]:
    sizes = of.solution.sizes
    found = []
    if "nodes" in sizes:
        more = f"{sizes['infosets']:,} information sets" if "infosets" in sizes else ""
        found.append(figure("nodes of the game", f"{sizes['nodes']:,}", more=more))
    seconds = sum(of.solution.seconds.values())
    return [*found, figure("time", f"{seconds:.3g}", "seconds")]
