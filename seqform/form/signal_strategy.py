"""SignalStrategy: what to do with which cards after which actions, by classes of observations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.errors import InvalidParameterError, ResultFileError, UnsupportedGameError
from seqform.base.summary import counted
from seqform.form.from_signals import (
    SequenceNumbering,
    SignalOrigin,
    build_signal_form,
    sequence_maps,
)
from seqform.form.lifted_profile import LiftedProfile
from seqform.form.local_strategy import LocalStrategy
from seqform.form.profile import Profile, normalized
from seqform.form.sequence_form import SequenceForm
from seqform.game.deals import card_kinds
from seqform.game.observations import Classes, SignalStructure
from seqform.game.rules import CHANCE, TERMINAL

if TYPE_CHECKING:
    from seqform.base.array_file import Arrays

KIND, VERSION = "seqform-signal-strategy", 1


@dataclass(frozen=True, eq=False)
class SignalStrategy:
    """A strategy for each player of a signal game.

    Parameters
    ----------
    structure
        The game.
    classes
        Which observations are treated alike.
    behaviors
        For each player, float64 (num_sequences,) by the numbers of ``build_signal_form(structure,
        classes)``.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> from seqform import solve
    >>> from seqform.form.from_signals import build_signal_form
    >>> structure = SignalStructure(kuhn())
    >>> solution = solve(build_signal_form(structure))
    >>> strategy = SignalStrategy(structure, structure.identity, solution.profile.behaviors)
    >>> {action: round(p, 6) for action, p in strategy.ask("K", "check-bet").items()}
    {'fold': 0.0, 'call': 1.0}
    """

    structure: SignalStructure
    classes: Classes
    behaviors: tuple[Floats, ...]

    def ask(self, cards: str | Sequence[str], history: str) -> LocalStrategy:
        """Return the probability of each action, with the `reach` by the player's own actions.

        Parameters
        ----------
        cards
            What the player to act has seen, in the order in which it was dealt, such as ``"Ks
            7h"``. A kind of card, such as the rank ``"K"``, stands for all cards of it; one star
            for all that the player can have seen.
        history
            The actions so far, such as ``"check-bet-call/check"``: a slash stands for a deal, the
            empty string for none yet.

        Returns
        -------
        local
            Of several hands it is the mean; each counts by the probability with which the player's
            own actions lead there, or all alike if they never do. ``local.infosets`` lists them.

        Raises
        ------
        InvalidParameterError
            If nobody acts after that history, or the cards cannot be what that player has seen.
        """
        player, stage, observations = self._asked(cards, history)
        node, numbering = self._node(history), self._betting[player]
        classes, hands = np.unique(self.classes[player][stage][observations], return_counts=True)
        numbers = int(numbering.first_infoset[numbering.position[node]]) + classes.astype(np.int64)
        actions = self.structure.public.actions(node)
        first = numbering.treeplex.first_sequence[numbers]
        rows = self.behaviors[player][first[:, None] + np.arange(len(actions))]
        reach = np.array([self._reach(player, infoset) for infoset in numbers.tolist()])
        weights = hands * (reach if reach.any() else 1.0)
        mean = rows[0] if len(rows) == 1 else weights @ rows / weights.sum()
        known = self.structure.game.deck.cards
        seen = self.structure.signals(player, stage)[observations].tolist()
        return LocalStrategy(
            dict(zip(actions, mean.tolist(), strict=True)),
            float(hands @ reach / hands.sum()),
            [f"{' '.join(str(known[card]) for card in row)}:{history}" for row in seen],
        )

    def infosets(self, cards: str | Sequence[str], history: str) -> tuple[int, Index]:
        """Return who acts after a history, and the numbers of the information sets; see `ask`."""
        player, stage, observations = self._asked(cards, history)
        numbering = self._betting[player]
        classes = np.unique(self.classes[player][stage][observations]).astype(np.int64)
        first = numbering.first_infoset[numbering.position[self._node(history)]]
        return player, int(first) + classes

    def infoset(self, cards: str | Sequence[str], history: str) -> tuple[int, int]:
        """Return who acts after a history, and the first of the information sets; see `ask`."""
        player, numbers = self.infosets(cards, history)
        return player, int(numbers[0])

    def _asked(self, cards: str | Sequence[str], history: str) -> tuple[int, int, Index]:
        """Return who acts after a history, the stage, and the observations that cards stand for."""
        node = self._node(history)
        stage, player = self.structure.stage_of_node[node], self.structure.public.player[node]
        names = cards.split() if isinstance(cards, str) else list(cards)
        return player, stage, self._observations(player, stage, names)

    def form(self) -> SequenceForm:
        """Return the sequence form of the game by these classes, the game's own where all differ.

        Raises
        ------
        UnsupportedGameError
            If the game is not zero-sum or has payoffs that are not exact.
        """
        return build_signal_form(self.structure, self.classes)

    def _reach(self, player: int, infoset: int) -> float:
        """Return the probability with which a player's own actions lead to an information set."""
        treeplex, reach = self._betting[player].treeplex, 1.0
        while sequence := int(treeplex.parent_sequence[infoset]):
            reach *= float(self.behaviors[player][sequence])
            infoset = int(treeplex.infoset_of[sequence])
        return reach

    @cached_property
    def _betting(self) -> tuple[SequenceNumbering, ...]:
        return tuple(SequenceNumbering(self.structure, self.classes, player) for player in (0, 1))

    @cached_property
    def _nodes(self) -> dict[str, int]:
        public = self.structure.public
        return {
            public.history(node): node
            for node, player in enumerate(public.player)
            if player not in (CHANCE, TERMINAL)
        }

    def _node(self, history: str) -> int:
        if history not in self._nodes:
            some = ", ".join(repr(known) for known in list(self._nodes)[:4])
            raise InvalidParameterError(
                f"nobody acts after the history {history!r}; write it like one of {some}, ..."
            )
        return self._nodes[history]

    def _observations(self, player: int, stage: int, given: list[str]) -> Index:
        """Return the numbers of what was seen that cards, or kinds of them, stand for."""
        signals, seen = self.structure.signals(player, stage), self.structure.seen(player, stage)
        if given == ["*"]:
            return np.arange(len(signals))
        deck = self.structure.game.deck
        names, kinds = [str(card) for card in deck.cards], card_kinds(deck)
        unknown = [card for card in given if card not in names and card not in kinds]
        if unknown or len(given) != len(seen):
            wrong = f"{counted(len(given), 'card')} given"
            if unknown:
                wrong = f"there is no card {unknown[0]!r} among {' '.join(names[:5])} ..."
            raise InvalidParameterError(
                f"player {player} has seen {counted(len(seen), 'card')} here, and {wrong}"
            )
        fits = np.ones(len(signals), dtype=bool)
        for place, card in enumerate(given):
            one = names.index(card) if card in names else -1
            meant = [n == one if one >= 0 else kinds[n] == card for n in range(len(names))]
            fits &= np.array(meant)[signals[:, place]]
        found = np.flatnonzero(fits)
        if not len(found):
            raise InvalidParameterError(f"{' '.join(given)} cannot all be dealt from this deck")
        return found

    def in_whole_game(self) -> tuple[SequenceForm, Profile]:
        """Return the unabstracted game's sequence form, and the profile in it.

        Raises
        ------
        GameTooLargeError
            If they do not fit into memory.
        """
        from seqform.form.whole_form import whole_form

        form = whole_form(self.structure)
        return form, self.in_form(form)

    def in_form(self, form: SequenceForm) -> LiftedProfile:
        """Return the profile of the unabstracted game's sequence form that plays like this.

        Raises
        ------
        InvalidStrategyError
            If somewhere the probabilities do not add up.
        """
        return LiftedProfile(form, ByClasses(self.checked()))

    def checked(self) -> SignalStrategy:
        """Return the same strategies with probabilities that sum to one, as `Profile` makes them.

        Raises
        ------
        InvalidStrategyError
            If they did not, up to 1e-9.
        """
        treeplexes = [of.treeplex for of in self._betting]
        label = SignalOrigin(self.structure, self.classes, self._betting).infoset_label
        return replace(self, behaviors=normalized(treeplexes, self.behaviors, label))

    def save(self, path: Path) -> None:
        """Write the strategy, in single precision where that is all it has, and its classes.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        from seqform.base.array_file import write_arrays

        arrays: Arrays = {}
        for player in (0, 1):
            behavior = self.behaviors[player]
            single = behavior.astype(np.float32)
            arrays[f"behavior{player}"] = single if (single == behavior).all() else behavior
            arrays |= {
                f"classes{player}.{stage}": of for stage, of in enumerate(self.classes[player])
            }
        write_arrays(path, KIND, VERSION, {"stages": self.structure.num_stages}, arrays)

    @classmethod
    def load(cls, path: Path, structure: SignalStructure) -> SignalStrategy:
        """Read a strategy of a game.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, foreign, or of another game.
        SeqformError
            If its classes are not of this game.
        """
        from seqform.base.array_file import read_arrays

        header, arrays = read_arrays(path, KIND, VERSION)
        try:
            stages = range(int(header["stages"]))
            classes = tuple(
                tuple(arrays[f"classes{player}.{stage}"] for stage in stages) for player in (0, 1)
            )
            behaviors = tuple(arrays[f"behavior{player}"].astype(np.float64) for player in (0, 1))
        except (KeyError, TypeError, ValueError) as error:
            raise ResultFileError(f"{path} is damaged: {error}") from None
        structure.check_classes(classes)
        strategy = cls(structure, classes, behaviors)
        for player, behavior in enumerate(behaviors):
            wanted = strategy._betting[player].treeplex.num_sequences
            if behavior.shape != (wanted,):
                raise ResultFileError(
                    f"{path} is of another game: player {player} has "
                    f"{counted(len(behavior), 'sequence')} there and {wanted} here"
                )
        return strategy


class ByClasses:
    """The way of a profile of an unabstracted signal game that is kept by classes of observations.

    Parameters
    ----------
    strategy
        Checked.
    smaller
        The game by these classes and the same strategies as a profile of it, if there are such.
    """

    def __init__(
        self, strategy: SignalStrategy, smaller: tuple[SequenceForm, Profile] | None = None
    ) -> None:
        self.kept, self._smaller = strategy, smaller

    @cached_property
    def reduced(self) -> SequenceForm:
        """The sequence form of the game by these classes."""
        return self.kept.form() if self._smaller is None else self._smaller[0]

    @cached_property
    def small(self) -> Profile:
        """The profile of that game."""
        if self._smaller is not None:
            return self._smaller[1]
        return self.reduced.profile(self.kept.behaviors)

    def lifted(self, form: SequenceForm) -> Profile:
        """Return the vectors over the sequences of the whole game."""
        structure, classes = self.kept.structure, self.kept.classes
        maps = sequence_maps(structure, structure.identity, classes)
        behaviors = zip(self.kept.behaviors, maps, strict=True)
        return form.profile([behavior[images] for behavior, images in behaviors])


def strategy_of(game: SequenceForm, profile: Profile) -> SignalStrategy:
    """Return a profile of a signal game by classes of observations, as few as it can do with.

    Raises
    ------
    UnsupportedGameError
        If the game did not come from a signal game.
    """
    if isinstance(profile.kept, SignalStrategy):
        return profile.kept
    game, profile = profile.in_signals or (game, profile)
    if game.signals is not None:
        return SignalStrategy(*game.signals, profile.behaviors)
    raise UnsupportedGameError(
        "only strategies of signal games, in which chance deals cards, are kept by what is seen"
    )


class BySignals(NamedTuple):
    """How profiles of a signal game without a tree are kept: by classes of observations."""

    structure: SignalStructure

    def of(self, game: SequenceForm, profile: Profile) -> SignalStrategy:
        """Return a profile by classes; see `strategy_of`."""
        return strategy_of(game, profile)

    def load(self, path: Path) -> SignalStrategy:
        """Read a strategy; see `SignalStrategy.load`."""
        return SignalStrategy.load(path, self.structure)
