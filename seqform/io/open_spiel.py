"""OpenSpiel's games as trees, and our solutions as OpenSpiel's policies; pyspiel is optional.

References
----------
Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", arXiv 1908.09453,
2019.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    SeqformError,
    SolverError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.base.number import plain
from seqform.game.least_cost import not_built
from seqform.io.open_spiel_child import size_estimated_by_child, tree_made_by_child
from seqform.io.open_spiel_states import OpenSpielBelow, OpenSpielWalk
from seqform.io.open_spiel_traversal import (
    Knowledge,
    Move,
    Traversal,
    history,
    history_before_the_round,
    information_state,
)
from seqform.tree.from_rules import MAX_NODES
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

if TYPE_CHECKING:
    from seqform.results.solution import Solution


def open_spiel_game(game: Any) -> Any:
    """Return a sequential game of OpenSpiel in which it is told what players know.

    Parameters
    ----------
    game
        A game of OpenSpiel, or the name of one with its parameters, as `pyspiel.load_game` takes
        it. One with simultaneous moves is made sequential.

    Raises
    ------
    SolverError
        If pyspiel is not installed.
    UnknownNameError, InvalidParameterError
        If OpenSpiel has no such game, or not with such parameters.
    UnsupportedGameError
        If a game does not say what players know, or what chance does.
    """
    pyspiel = _pyspiel()
    loaded = _load(pyspiel, game) if isinstance(game, str) else game
    kind = loaded.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        loaded = pyspiel.convert_to_turn_based(loaded)
    elif kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise UnsupportedGameError(
            f"{kind.short_name} is a mean-field game, which has no tree; "
            "use a sequential or simultaneous game"
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise UnsupportedGameError(
            f"{kind.short_name} only samples what chance does; "
            "where a parameter makes the outcomes explicit, set it"
        )
    if _knowledge(pyspiel, loaded) is None:
        raise UnsupportedGameError(
            f"{kind.short_name} hides information and does not say what players know: it has no "
            "information_state_string; use another game, or write its rules (seqform.Game)"
        )
    return loaded


def from_open_spiel(
    game: Any,
    chance_denominator: int | None = None,
    max_nodes: int = MAX_NODES,
    at: str = "",
) -> GameTree:
    """Return the tree of a game of OpenSpiel.

    Players know what `information_state_string` says. In games of perfect information that have
    none, they know what was done before the move, or before simultaneous moves. Perfect recall is
    checked when a sequence form is built (R9). Payoffs and probabilities are the simplest fractions
    that round to OpenSpiel's floats.

    Parameters
    ----------
    game
        See `open_spiel_game`. A game that is named is made and gone through in a process of its
        own, which it may crash; a game that is handed over, in this one.
    chance_denominator
        Round chance probabilities to multiples of one over this, where they are not simple
        fractions; by default they are an error.
    max_nodes
        A limit that turns an endless or large game into an error.
    at
        Names of moves, joined by commas: the restricted game below them, which may be small where
        the whole game is not.

    Raises
    ------
    UnknownNameError
        If no moves are called as `at` says.
    InvalidParameterError
        If `chance_denominator` is not an integer of at least 1.
    InvalidGameError
        If chance has no exact probabilities, or the game breaks another requirement of
        docs/data-model.md.
    GameTooLargeError
        If the tree has more than `max_nodes` nodes.
    SeqformError
        If `open_spiel_game` does not accept the game.
    """
    if chance_denominator is not None and not (
        isinstance(chance_denominator, int) and chance_denominator >= 1
    ):
        raise InvalidParameterError(
            f"chance_denominator={plain(chance_denominator)}: use a whole number, at least 1"
        )
    if not isinstance(game, str):
        return make_tree_here(game, chance_denominator, max_nodes, at)
    _check_installed()
    try:
        return tree_made_by_child(game, chance_denominator, max_nodes, at)
    except UnknownNameError:
        # the caller may have registered a game of its own, in this process only
        if game.partition("(")[0] not in _pyspiel().registered_names():
            raise
        return make_tree_here(game, chance_denominator, max_nodes, at)


def open_spiel_walk(game: Any) -> OpenSpielWalk:
    """Return a walk through a game of OpenSpiel, whose size `seqform.estimate_size` estimates.

    Parameters and errors are those of `open_spiel_game`.
    """
    return OpenSpielWalk(open_spiel_game(game))


def describe_open_spiel(
    game: str,
    probes: int,
    probe_seconds: float | None = None,
    seed: int = 0,
    why: str = "",
    at: str = "",
) -> dict[str, Any]:
    """Return what `seqform.describe` says of a game of OpenSpiel whose tree is too large.

    Parameters
    ----------
    game
        Its name with parameters; it is gone through in a process of its own, which it may crash.
    probes, probe_seconds, seed
        See `seqform.estimate_size`.
    why
        What was said when its tree was not built.
    at
        Moves below which it begins: see `from_open_spiel`.

    Raises
    ------
    SeqformError
        If `open_spiel_game` does not accept the game.
    """
    _check_installed()
    found = size_estimated_by_child(game, probes, seed, probe_seconds, at)
    return {**found, **not_built(why, found)}


def make_tree_here(
    game: Any, chance_denominator: int | None, max_nodes: int, at: str = ""
) -> GameTree:
    """Return the tree of a game of OpenSpiel, made in this process; see `from_open_spiel`."""
    try:
        pyspiel, sequential = _pyspiel(), open_spiel_game(game)
        known = _knowledge(pyspiel, sequential) or information_state
        if at:
            sequential = OpenSpielBelow(sequential, at)
        walk = OpenSpielWalk(sequential)
        traversal = Traversal(sequential.num_players(), chance_denominator, max_nodes, known, walk)
        traversal.run(sequential.new_initial_state())
    except (SeqformError, MemoryError):
        raise
    except Exception as error:  # whatever OpenSpiel's own code raises on the way
        raise InvalidGameError(
            f"OpenSpiel itself fails within the game: {_first_line(error)}"
        ) from error
    return validate(traversal.tree())


def to_open_spiel_policy(solution: Solution) -> Any:
    """Return a solution as a joint policy of OpenSpiel, a `pyspiel.TabularPolicy`.

    Its game is a tree that `from_open_spiel` made.

    `pyspiel.exploitability(open_spiel_game(game), policy)` says of it what the certificate says, up
    to rounding.

    Raises
    ------
    InvalidStrategyError
        If the solution has no profile, or is of another game (a saved one has lost OpenSpiel's
        actions).
    """
    if solution.profile is None:
        raise InvalidStrategyError(
            f"there is no profile to convert: the status is {solution.status.name}, "
            f"by {solution.method}; solve with method='lp' where that accepts the game"
        )
    form = solution.game
    table: dict[Any, list[tuple[int, float]]] = {}
    for player, (treeplex, behavior) in enumerate(
        zip(form.treeplexes, solution.profile.behaviors, strict=True)
    ):
        starts, probabilities = treeplex.first_sequence.tolist(), behavior.tolist()
        for infoset in range(treeplex.num_infosets):
            moves = form.actions(player, infoset)
            if not all(isinstance(move, Move) for move in moves):
                raise InvalidStrategyError(
                    "the game solved is none of OpenSpiel's: "
                    "solve the tree that from_open_spiel makes"
                )
            chosen = probabilities[starts[infoset] : starts[infoset + 1]]
            choice = [(move.action, p) for move, p in zip(moves, chosen, strict=True)]
            key = form.infoset_label(player, infoset)
            if table.setdefault(key, choice) != choice:
                raise InvalidStrategyError(
                    f"two players see {key!r}, "
                    "and OpenSpiel's tabular policies do not distinguish players"
                )
    return _pyspiel().TabularPolicy(table)


def _pyspiel() -> Any:
    _check_installed()
    import pyspiel

    return pyspiel


def _check_installed() -> None:
    if find_spec("pyspiel") is None:
        raise SolverError("OpenSpiel is not installed; `pip install open_spiel` installs it")


def _knowledge(pyspiel: Any, game: Any) -> Knowledge | None:
    """Return what tells what the player who moves knows; None if the game does not."""
    kind, perfect = game.get_type(), pyspiel.GameType.Information.PERFECT_INFORMATION
    if kind.provides_information_state_string:
        return information_state
    if kind.information == perfect:
        return history
    if kind.short_name == "turn_based_simultaneous_game":
        root = game.new_initial_state()  # held, for it owns what comes next
        if root.simultaneous_game_state().get_game().get_type().information == perfect:
            return history_before_the_round
    return None


def _load(pyspiel: Any, name: str) -> Any:
    short = name.partition("(")[0]
    if short.startswith("python_"):
        import open_spiel.python.games  # noqa: F401  registers them
    if short not in pyspiel.registered_names():
        raise UnknownNameError.of("OpenSpiel game", short, pyspiel.registered_names())
    try:
        return pyspiel.load_game(name)
    except (SeqformError, MemoryError):
        raise
    except Exception as error:  # whatever a game raises at parameters that it does not like
        raise InvalidParameterError(
            f"OpenSpiel cannot make {name}: {_first_line(error)}"
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [f"{type(error).__name__}, no reason given"])[0]
