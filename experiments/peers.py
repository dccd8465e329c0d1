"""How are other programs' average strategies run and read, so that seqform can judge them?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from typing import Any, Protocol

from seqform.base.errors import SolverError


class Peer(Protocol):
    """A solver of another program on a game of OpenSpiel."""

    def run(self, count: int) -> None:
        """Make `count` more iterations."""

    def average(self) -> Any:
        """Return the average strategy, as `seqform.io.from_open_spiel_policy` takes it."""


class OpenSpielCFRPlus:
    """OpenSpiel's CFR+ in C++."""

    def __init__(self, game: Any) -> None:
        import pyspiel

        self._solver = pyspiel.CFRPlusSolver(game)

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        for _ in range(count):
            self._solver.evaluate_and_update_policy()

    def average(self) -> Any:
        """Return the average strategy."""
        return self._solver.tabular_average_policy()


class LiteEFGCFRPlus:
    """LiteEFG's CFR+, with averages by the number of the iteration."""

    def __init__(self, game: Any) -> None:
        try:
            library = import_module("LiteEFG")
            graph = import_module("LiteEFG.baselines.CFRplus").graph
        except ImportError:
            raise SolverError("LiteEFG is not installed: pip install LiteEFG") from None
        with redirect_stdout(None), _home_for_games():
            self._graph = graph()
            self._environment = library.OpenSpielEnv(
                game, traverse_type="Enumerate", regenerate=True
            )
        self._environment.set_graph(self._graph)

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        for _ in range(count):
            self._graph.update_graph(self._environment)
            self._environment.update_strategy(self._graph.current_strategy())

    def average(self) -> Any:
        """Return the average strategy."""
        strategy = self._graph.current_strategy()
        return self._environment.get_strategy(strategy, "linear-avg-iterate")[0]


@contextmanager
def _home_for_games() -> Iterator[None]:
    """Let LiteEFG, which writes every game to the user's home, write it to a folder that goes."""
    before = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = before


PEERS: dict[str, Callable[[Any], Peer]] = {
    "open-spiel-cfr+": OpenSpielCFRPlus,
    "lite-efg-cfr+": LiteEFGCFRPlus,
}

SPIEL = "openspiel:"
SAME = {
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    **{f"liars-dice(sides={n})": f"liars_dice(numdice=1,dice_sides={n})" for n in (4, 5)},
    **{
        f"goofspiel(cards={n})": f"goofspiel(num_cards={n},imp_info=True,points_order=descending)"
        for n in (4, 5)
    },
}
"""Games of the registry that OpenSpiel has too, and what it calls them.

Liar's dice with 6 sides is left out: in the time of five CPU seconds of iterations LiteEFG writes
the game, and its averages are read, for a minute; it makes 27 iterations."""

LARGE = ("phantom_ttt",)
"""Games that are left out for the same reason."""


def spiel_name(game: str) -> str | None:
    """Return what OpenSpiel calls a game; None if it does not have it, or it is left out."""
    if any(word in game for word in LARGE):
        return None
    return game.removeprefix(SPIEL) if game.startswith(SPIEL) else SAME.get(game)
