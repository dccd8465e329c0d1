"""A solution in a few rows: what the game is worth, how sure that is and why, how long it took.

`seqform.results.rows` has all that is known. What a certificate or a proof says of itself in a
sentence is its own (`certainty`), so that no concept is known here by name.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, isinf, isnan
from typing import TYPE_CHECKING, Any

from seqform.base.number import Number, amount, fraction_text, is_exact
from seqform.base.rounded import interval, rounded
from seqform.base.summary import Rows, counted
from seqform.exact.proof import OF_PLANS, in_order
from seqform.game.labels import player_names_of, with_names
from seqform.results.status import Status

if TYPE_CHECKING:
    from seqform.results.solution import Solution

VALUE, CERTAINTY, TIME = "value", "certainty", "time"

TELLING = (Status.INACCURATE, Status.FAILED)
"""After which it matters what the solver says; and where something was added to that."""

LONGEST = 24
"""Characters of a fraction that is shown; of a longer one the decimals."""

AS_ASKED = (Status.SOLVED, Status.REACHED, Status.LOCKED)
"""After which the answer's own value stands for the game's."""


def short_rows(solution: Solution, known: Any = None) -> Rows:
    """Return the rows of a short answer.

    Parameters
    ----------
    known
        What is known of the game's value, with `value` and `source`; None if nothing is.
    """
    of = solution.locked or solution
    found = [
        *_worth(of, locked=solution.locked is not None),
        *_shares(of),
        *_known(solution, known),
        *_status(solution),
        (CERTAINTY, certainty(of)),
        *(row for point in of.path for row in point.rows(of.unit)),
        *_highlights(of),
        *(_unlocked(solution) if solution.locked is not None else []),
        (TIME, _time(solution)),
    ]
    names = player_names_of(solution.game)
    return [(with_names(name, names), with_names(text, names)) for name, text in found]


def certainty(solution: Solution) -> str:
    """Say how sure an answer is, and why."""
    if solution.certificate is None:
        return "none: there is no answer"
    unit = solution.unit
    proven = solution.exact or solution.bracket
    say = getattr(proven or solution.certificate, "certainty", None)
    gap = amount(f"{solution.gap:.2g}", unit)
    found = say(unit) if say else f"certified: off by at most {gap}"
    return f"lossy; {found}" if solution.status is Status.LIFTED else found


def _status(solution: Solution) -> Rows:
    """Return how the solve ended, where that is not as it was asked for; and what engines say."""
    found = []
    if solution.status is not Status.SOLVED:
        asked = ""
        if solution.status is Status.LIMIT and solution.tolerance > 0:
            most = solution.tolerance * getattr(solution.game, "payoff_scale", 1.0)
            asked = f": {amount(f'{most:.2g}', solution.unit)}"
        found.append(("status", f"{solution.status.name}: {solution.status.value}{asked}"))
    if solution.status in TELLING or ";" in solution.message:
        found += [("message", solution.message)] if solution.message else []
    return found


def _worth(solution: Solution, *, locked: bool) -> Rows:
    """Return what the answer pays: the value of a constant-sum game, or a number for each."""
    if solution.certificate is None or any(map(isnan, solution.values)):
        return []
    exact, unit = solution.exact, solution.unit
    values = exact.values if exact else solution.values
    what = "locked value" if locked else VALUE
    if not solution.is_constant_sum:
        gets = "gets, locked" if locked else "gets"
        return [
            (f"{_player(solution, player)} {gets}", _amount(value, 1e-6 * abs(float(value)), unit))
            for player, value in enumerate(values)
        ]
    if exact is None and _is_interval(solution):
        lower, upper = _interval(solution)
        return [(what, f"between {lower} and {upper} {unit}, to {_player(solution, 0)}")]
    if exact is None and solution.status is Status.REACHED:  # a point on the way to a value
        pays = amount(f"{float(values[0]):.6g}", unit)
        return [("this play pays", f"{pays} to {_player(solution, 0)}")]
    return [(what, _amount(values[0], solution.gap, unit, f" to {_player(solution, 0)}"))]


def _is_interval(solution: Solution) -> bool:
    """Return whether an interval is said of the value, as it is wider than was asked for."""
    return solution.status not in AS_ASKED and not isnan(solution.lower)


def _interval(solution: Solution, beyond: float = 0.0) -> list[str]:
    """Return the ends of the interval in which the value is, with something added."""
    return interval(solution.lower + beyond, solution.upper + beyond).strip("[]").split(", ")


def _shares(solution: Solution) -> Rows:
    """Return what players get where payoffs are counted beyond something, such as half of a pot."""
    beyond = getattr(getattr(solution.game, "origin", None), "beyond", ())
    if not beyond or solution.certificate is None or any(map(isnan, solution.values)):
        return []
    if solution.exact is None and _is_interval(solution):
        lower, upper = _interval(solution, float(beyond[0]))
        whose = _player(solution, 0)
        return [("share of the pot", f"between {lower} and {upper} {solution.unit}, to {whose}")]
    values = solution.exact.values if solution.exact else solution.values
    shares = [value + share for value, share in zip(values, beyond, strict=True)]
    if not solution.exact:
        shares = [float(share) for share in shares]
    texts = [
        _amount(share, solution.gap, solution.unit, f" to {_player(solution, player)}")
        for player, share in enumerate(shares)
    ]
    return [("share of the pot", ", ".join(texts))]


def _player(solution: Solution, player: int) -> str:
    """Return what the game calls a player."""
    name = getattr(solution.game, "player_text", None)
    return str(name(player)) if name else f"player {player}"


def _amount(value: Number, gap: Number, unit: str, to: str = "") -> str:
    """Write what somebody gets: a fraction with its decimals, or as many digits as are known."""
    if not is_exact(value):
        return amount(rounded(float(value), 0.0 if isinf(gap) else float(gap)), unit) + to
    text, decimals = fraction_text(Fraction(value)), f"{float(value):.8g}"
    if Fraction(value).denominator == 1:
        return amount(text, unit) + to
    if len(text) > LONGEST:
        return amount(f"{float(value):.12g}", unit) + to
    return f"{amount(text, unit)}{to} ({decimals})"


def _known(solution: Solution, known: Any) -> Rows:
    """Return the value that others found, and whether it is what is found here."""
    if known is None or solution.certificate is None:
        return []
    exact, value = solution.exact, Fraction(known.value)
    found = exact.values[0] if exact else solution.values[0]
    if found == value and not solution.locked:
        return [("known", f"the same ({known.source})")]
    text, name = fraction_text(value), "unlocked value" if solution.locked else "known"
    shown = text if len(text) <= LONGEST else f"{float(value):.12g}"
    where = ""
    if isfinite(solution.upper - solution.lower) and not solution.locked:
        is_inside = solution.lower <= value <= solution.upper
        where = f", {'' if is_inside else 'NOT '}in that interval"
    return [(name, f"{shown}{where} ({known.source})")]


def _highlights(solution: Solution) -> Rows:
    """Return what was asked for besides, and what the certificate shows."""
    certificate: Any = solution.certificate
    shown, unit = [], solution.unit
    if hasattr(certificate, "highlights"):
        shown = certificate.highlights(unit)
    elif certificate is not None and not hasattr(certificate, "certainty"):
        shown = certificate.rows(unit)  # of another package, which says it so
    proofs = [proof for proof in in_order(solution.proofs) if proof.kind not in OF_PLANS]
    return [*shown, *(row for proof in proofs for row in _rows_of(proof, unit))]


def _rows_of(proof: Any, unit: str) -> Rows:
    found: Rows = getattr(proof, "highlights", proof.rows)(unit)
    return found


def _unlocked(solution: Solution) -> Rows:
    """Return what the players gain in the game as it is, where nobody is held to anything."""
    if solution.certificate is None:
        return []
    if solution.status is Status.SOLVED:
        return [("unlocked", "nobody gains: it is an equilibrium of the whole game, too")]
    least = solution.tolerance * getattr(solution.game, "payoff_scale", 1.0)
    words = [
        f"{_player(solution, player)} would gain {amount(f'{gain:.3g}', solution.unit)}"
        for player, gain in enumerate(getattr(solution.certificate, "gains", ()))
        if gain > least
    ]
    gap = amount(f"{solution.gap:.3g}", solution.unit)
    return [("unlocked", ", ".join(words) or f"nobody would gain more than {gap}")]


def _time(solution: Solution) -> str:
    """Say how long it took, by what, and in which game."""
    seconds = sum(solution.seconds.values())
    took = f"{seconds:,.0f} s" if seconds >= 10 else f"{max(seconds, 0.01):.2f} s"
    count = f" in {counted(solution.iterations, 'iteration')}" if solution.iterations else ""
    return f"{took}, by {solution.method}{count}{_smaller(solution)}"


def _smaller(solution: Solution) -> str:
    """Say in which smaller game, if it was one."""
    names = [name for name in solution.reductions if name != "lock"]
    small = solution.abstract
    while small is not None and small.abstract is not None:
        small = small.abstract
    if small is None or not names:
        return ""
    after, before = (
        sum(treeplex.num_sequences for treeplex in of.game.treeplexes) for of in (small, solution)
    )
    return f", in a smaller game ({', '.join(names)}: {after:,} of {before:,} sequences)"
