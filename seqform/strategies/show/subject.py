"""Subject: the strategies that are looked at, and the form of the game that tells most of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from seqform.base.errors import GameTooLargeError, InvalidParameterError, UnsupportedGameError
from seqform.form.from_tree import build_sequence_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.kinds import is_signal_game
from seqform.game.observations import SignalStructure
from seqform.game.recursive import is_of_stages, is_recursive, is_stage_graph
from seqform.results.on_tree import judged_on
from seqform.results.solution import Solution
from seqform.strategies.analysis import StrategyAnalysis
from seqform.strategies.analyze import analyze
from seqform.strategies.as_profile import Strategy, form_of, given_of
from seqform.strategies.given import GivenStrategy
from seqform.strategies.settled import settled
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.perfect_information.tree_induction import TreeInduction

LARGEST_TREE = 500_000
"""Nodes of a tree that is built to show what backward induction on rules found."""


@dataclass(frozen=True, eq=False)
class Subject:
    """Strategies, and the game as they are shown.

    Parameters
    ----------
    form, profile
        Of a signal game too large for a tree, the game by classes of observations.
    signals
        The same strategies by what players see, where the game deals signals.
    note
        What was added to strategies that leave something open, for people.
    """

    form: SequenceForm
    profile: Profile
    signals: SignalStrategy | None = None
    note: str = ""

    @cached_property
    def played(self) -> StrategyAnalysis:
        """What is played, and where play comes to; values are as floats make them."""
        return analyze(self.form, self.profile)

    @cached_property
    def analysis(self) -> StrategyAnalysis:
        """What is known of every information set; what is 0 but for rounding errors is 0."""
        return settled(self.played)


def subject_of(
    what: Solution | Profile | SignalStrategy, structure: SignalStructure | None = None
) -> Subject:
    """Return what there is to be shown.

    Parameters
    ----------
    structure
        What players see of the signal game that a solution was found of, if that is known already.

    Raises
    ------
    InvalidParameterError
        If it is no strategy for every player.
    UnsupportedGameError
        If a solution says what is done in part of the game only, or jointly.
    """
    if isinstance(what, SignalStrategy):
        form = what.form()
        return Subject(form, form.profile(what.behaviors), what)
    if isinstance(what, Profile):
        if not isinstance(what.form, SequenceForm):
            raise InvalidParameterError(
                "this profile was made of treeplexes, which have no names: "
                "make it with form.profile(behaviors)"
            )
        return _of_profile(what.form, what, None, None)
    if not isinstance(what, Solution):
        raise InvalidParameterError(f"a {type(what).__name__} is no strategy; {_instead_of(what)}")
    if what.concept == "subgame-perfect" and what.answer is not None:
        return _of_induction(what)
    if what.profile is None:
        raise _nothing_to_show(what)
    return _of_profile(what.game, what.profile, what.source, structure)


def subject_in(
    game: AnyGame | SequenceForm | Solution,
    strategy: Strategy,
    complete: str | Profile = "uniform",
    max_nodes: int | None = None,
) -> Subject:
    """Return a strategy of a game, which may leave something open, to be shown.

    Parameters
    ----------
    game
        See `seqform.strategies.as_profile.form_of`.
    strategy
        What `seqform.strategies.as_profile.given_of` takes.
    complete
        How what is left open is filled; see `GivenStrategy.completed`.
    max_nodes
        The largest tree to build.

    Raises
    ------
    SeqformError
        Of a subclass: the game is none, or the strategy is none of it.
    """
    if isinstance(strategy, SignalStrategy):
        return subject_of(strategy)
    source = game.source if isinstance(game, Solution) else game
    form = form_of(game, max_nodes)
    given, note = given_of(form, strategy), ""
    if isinstance(given, GivenStrategy):
        note, given = _of_what_is_open(given, complete), given.completed(complete)
    return replace(_of_profile(form, given, source, None), note=note)


def _of_what_is_open(given: GivenStrategy, complete: str | Profile) -> str:
    """Say of how many sets of each player nothing is said, and what is shown there."""
    counts = [len(given.missing(player)) for player in range(given.form.num_players)]
    if not any(counts):
        return ""
    sizes = [treeplex.num_infosets for treeplex in given.form.treeplexes]
    shown = "as in another strategy" if complete != "uniform" else "evenly"
    parts = ", ".join(
        f"{'all' if count == size else f'{count:,} of the'} {size:,} of player {player}"
        for player, (count, size) in enumerate(zip(counts, sizes, strict=True))
        if count
    )
    return f"(nothing is said of these information sets, which are filled {shown}: {parts})"


def _of_profile(
    form: SequenceForm, profile: Profile, source: Any, structure: SignalStructure | None
) -> Subject:
    if form.tree is not None:
        return Subject(form, profile, _by_signals(source, profile, structure))
    form, profile = profile.in_signals or (form, profile)
    if form.signals is None:
        return Subject(form, profile)
    return Subject(form, profile, SignalStrategy(*form.signals, profile.behaviors))


def _by_signals(
    source: Any, profile: Profile, structure: SignalStructure | None
) -> SignalStrategy | None:
    """Return the profile of a signal game's tree by observations, which are its information sets.

    None where there are none that both players' strategies could be written by.
    """
    if not is_signal_game(source):
        return None
    try:
        structure = structure or SignalStructure(source)
        return SignalStrategy(structure, structure.identity, profile.behaviors)
    except (UnsupportedGameError, GameTooLargeError):
        return None


def _of_induction(solution: Solution) -> Subject:
    """Return the pure strategies of backward induction, on the tree."""
    tree = solution.game
    if not isinstance(tree, GameTree):
        tree = _small_tree(solution.source or solution.game)
    found = cast("TreeInduction", judged_on(tree, solution).answer)
    form = build_sequence_form(tree)
    behaviors = []
    for treeplex, infosets in zip(form.treeplexes, form.tree_infosets, strict=True):
        nodes = tree.infoset_first_node[infosets]
        behavior = np.zeros(treeplex.num_sequences)
        behavior[0] = 1.0
        chosen = found.best_child[nodes] - tree.first_child[nodes]
        behavior[treeplex.first_sequence[:-1] + chosen] = 1.0
        behaviors.append(behavior)
    return Subject(form, form.profile(behaviors))


def _small_tree(game: Any) -> GameTree:
    try:
        return build_tree(game, LARGEST_TREE)
    except GameTooLargeError:
        raise too_large() from None


def _instead_of(what: object) -> str:
    """Return what somebody has to give who gave something that is no strategy."""
    if is_recursive(what) or is_stage_graph(what) or is_of_stages(what):
        return "of a recursive game give a stage of its solution, solve(game).stage(key)"
    return "give a Solution, a Profile of a form, or a SignalStrategy"


def too_large() -> GameTooLargeError:
    """Return the error of a game whose tree is too large to be shown in tables."""
    return GameTooLargeError(
        f"too large to be shown in tables: more than {LARGEST_TREE:,} nodes; "
        "draw_tree(game, solution=True, max_depth=2) draws how it begins"
    )


def _nothing_to_show(solution: Solution) -> UnsupportedGameError:
    if solution.answer is None:
        return UnsupportedGameError(f"there is no strategy to show: {solution.status.value}")
    if solution.concept == "game-value":
        return UnsupportedGameError(
            "a search finds the value and one line of play, no strategies: "
            "solve with method='backward' to have them"
        )
    return UnsupportedGameError(
        f"an answer of the concept {solution.concept} is no strategy for each player apart, but "
        "says what they do together; Solution.save writes it as a table"
    )
