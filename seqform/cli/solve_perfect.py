"""`seqform solve` on games of perfect information: backward induction, minimax, alpha-beta, and methods that a game brings along."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.memory import peak_rss_mb
from seqform.base.number import is_exact
from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED
from seqform.cli.loading import known_value
from seqform.game.rules import Game
from seqform.perfect_information.decision import Trace, to_words
from seqform.perfect_information.own_methods import own_methods, solve_by

if TYPE_CHECKING:
    from seqform.perfect_information.one_shot import OneShotCertificate
    from seqform.perfect_information.result import ProgressCallback, SearchProgress, SearchResult
    from seqform.tree.from_any import AnyGame

METHODS = ("backward", "minimax", "alphabeta")
ALWAYS = {"game", "param", "method", "as_json"}
OPTIONS = {
    "backward": {"max_nodes", "trace"},
    "minimax": {"max_nodes", "trace", "time_limit"},
    "alphabeta": {"max_nodes", "trace", "time_limit", "depth"},
}
OWN_OPTIONS = {"time_limit"}
"""What each method takes besides; the last those that games bring along."""


class Call(NamedTuple):
    """What the user asked for: the game's name and parameters, the method, the names of the options given, and what they say."""

    game: str
    parameters: dict[str, Any]
    method: str
    given: set[str]
    max_nodes: int | None
    time_limit: float | None
    trace: bool
    depth: int | None
    as_json: bool


def solve_perfect(built: AnyGame, call: Call) -> bool:
    """Solve and print if the method is one for games of perfect information; exit with status 1 if the value was not proven."""
    method = choose_method(built, call)
    if method is None:
        if call.trace:
            raise InvalidParameterError(
                f"--trace is for games of perfect information: use --method {', '.join(METHODS)}"
            )
        if call.depth is not None:
            raise InvalidParameterError(
                "--depth is for games of perfect information: use --method alphabeta"
            )
        return False
    _check_options(method, call)
    rules = _rules(built, call.max_nodes)
    with _progress(not call.as_json and not call.trace) as callback:
        record, rows = (
            _backward(rules, call)
            if method == "backward"
            else _search(rules, method, call, callback)
        )
    unit = getattr(rules, "unit", "units")
    about = {
        "game": call.game,
        "params": call.parameters,
        "unit": unit,
        "peak_rss_mb": round(peak_rss_mb(), 1),
    }
    if call.as_json:
        print(json.dumps(about | record))
    else:
        _print(call, unit, record, rows)
    if record["status"] != "solved":
        sys.exit(EXIT_UNSOLVED)
    return True


def choose_method(built: AnyGame, call: Call) -> str | None:
    """Return the method for games of perfect information that is to be used, or None: then it is one of the others.

    'auto' is one on games that are known to have perfect information, unless an option was given
    that is for the other methods: the first of the game's own, else backward induction.
    """
    own = own_methods(built)
    if call.method in (*METHODS, *own):
        return call.method
    if call.method != "auto":
        from seqform.methods.solve import METHODS as OTHERS

        if call.method not in OTHERS:
            raise UnknownNameError.of("method", call.method, (*OTHERS, *METHODS, *own))
        return None
    if not getattr(built, "perfect_information", False):
        return None
    chosen = next(iter(own), METHODS[0])
    return None if call.given - ALWAYS - OPTIONS.get(chosen, OWN_OPTIONS) else chosen


def _check_options(method: str, call: Call) -> None:
    """Refuse options that the method would ignore."""
    foreign = sorted(call.given - ALWAYS - OPTIONS.get(method, OWN_OPTIONS))
    if foreign:
        raise InvalidParameterError(
            f"--{foreign[0].replace('_', '-')} does not apply to --method {method}; leave it out"
        )
    if call.trace and call.as_json:
        raise InvalidParameterError(
            "--trace prints lines for people and --json one object; use one of them"
        )


def _rules(built: AnyGame, max_nodes: int | None) -> Game:
    """Return the game as rules, by way of its tree if it is given in another way."""
    if isinstance(built, Game):
        return built
    from seqform.tree.as_rules import TreeGame
    from seqform.tree.from_any import build_tree

    return TreeGame(build_tree(built, max_nodes))


def _backward(rules: Game, call: Call) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what `--json` prints of backward induction, and the rows that are shown besides."""
    from seqform.perfect_information.induction import backward_induction
    from seqform.perfect_information.one_shot import check_one_shot

    result = backward_induction(rules, max_nodes=call.max_nodes, trace=_printer(call))
    start = time.perf_counter()
    certificate = check_one_shot(rules, result)
    seconds = {"solve": result.seconds, "certify": time.perf_counter() - start}
    solved = certificate.largest_gain == 0 and certificate.value == result.value
    record = {
        "method": "backward",
        "status": "solved" if solved else "inaccurate",
        **_values(result.value),
        **_line(result.principal_variation()),
        "largest_one_shot_gain": float(certificate.largest_gain),
        "decisions": certificate.num_decisions,
        "statistics": dict(result.statistics),
        "seconds": seconds,
    }
    return record, {"certificate": _certified(certificate)}


def _search(
    rules: Game, method: str, call: Call, callback: ProgressCallback | None
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what `--json` prints of a search, and the rows that are shown besides."""
    from seqform.perfect_information.search import alpha_beta, minimax

    limits: dict[str, Any] = {"callback": callback, "time_limit": call.time_limit}
    if method in METHODS:
        run: Callable[..., SearchResult] = minimax if method == "minimax" else alpha_beta
        limits |= {} if call.depth is None else {"depth": call.depth, "iterative": True}
        result = run(rules, max_nodes=call.max_nodes, trace=_printer(call), **limits)
    else:
        result = solve_by(rules, method, **limits)
    record = {
        "method": method,
        "status": "solved" if result.solved else "limit",
        **_values(result.values),
        "lower": _finite(result.lower),
        "upper": _finite(result.upper),
        "estimate": None if result.estimate is None else float(result.estimate),
        "depth": result.depth,
        **_line(result.principal_variation),
        "statistics": dict(result.statistics),
        "seconds": {"solve": result.seconds},
        "message": result.message,
    }
    rows = {
        "proven": f"the value is in [{to_words(result.lower)}, {to_words(result.upper)}] "
        f"{result.message}".rstrip()
    }
    if result.estimate is not None:
        rows["estimate"] = (
            f"{to_words(float(result.estimate))} to player 0, looking {result.depth} moves deep"
        )
    return record, rows


def _printer(call: Call) -> Trace | None:
    return print if call.trace else None


def _values(values: tuple[Any, ...]) -> dict[str, Any]:
    """Return values as floats, None for NaN, and as text where they are exact."""
    floats = [_finite(value) for value in values]
    exact = [str(value) for value in values] if all(map(is_exact, values)) else None
    return {"value": floats[0], "values": floats, "exact_values": exact}


def _finite(value: Any) -> float | None:
    return float(value) if abs(value) < float("inf") else None


def _line(actions: tuple[Any, ...]) -> dict[str, Any]:
    return {
        "best_action": str(actions[0]) if actions else None,
        "principal_variation": [str(action) for action in actions],
    }


def _certified(certificate: OneShotCertificate) -> str:
    gain = f"largest gain from one deviation {to_words(certificate.largest_gain)}"
    who = (
        ""
        if certificate.player is None
        else f", of player {certificate.player} at {certificate.state!r}"
    )
    return f"{gain}{who}, over {certificate.num_decisions:,} decisions"


def _print(call: Call, unit: str, record: dict[str, Any], rows: dict[str, str]) -> None:
    table = display.new_table("", call.game)
    known = known_value(call.game, call.parameters)
    values = record["exact_values"] or record["values"]
    table.add_row("status", record["status"].upper())
    table.add_row("method", record["method"])
    if record["value"] is not None:
        table.add_row("value to each player", f"{', '.join(map(display.short, values))} {unit}")
    if known is not None:
        table.add_row("known value to player 0", f"{known.value} ({known.source})")
    for name, text in rows.items():
        table.add_row(name, text)
    table.add_row("best line of play", " > ".join(record["principal_variation"]) or "(none known)")
    for name, count in record["statistics"].items():
        table.add_row(name.replace("_", " "), display.grouped(count))
    table.add_row(
        "seconds", ", ".join(f"{name} {seconds:.4f}" for name, seconds in record["seconds"].items())
    )
    display.print_table(table)


@contextmanager
def _progress(shown: bool) -> Iterator[ProgressCallback | None]:
    """Show how far a search has come, on standard error."""
    with display.spinner(shown) as tell:
        if tell is None:
            yield None
            return

        def show(now: SearchProgress) -> None:
            depth = "" if now.depth is None else f", depth {now.depth}"
            rate = now.nodes / max(now.seconds, 1e-9)
            tell(
                f"{now.nodes:,} positions, {rate:,.0f} a second{depth}, value in "
                f"[{to_words(now.lower)}, {to_words(now.upper)}]"
            )

        yield show
