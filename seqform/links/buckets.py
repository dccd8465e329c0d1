"""merge_by: a reduction that merges information sets by hand, by a user's key.

Sets of a player that get one bucket play alike. Where no player forgets its own past by that, the
smaller game is a sequence form as any. Elsewhere it is the game itself with the note that some sets
play alike, for regret minimization only (`seqform.form.merging`). Either way an answer is judged in
the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.csv_table import cells_under, read_rows
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.base.number import plain
from seqform.links.link import EXACTLY, Inverse, Reduction, ReductionOptions, SequenceMap

if TYPE_CHECKING:
    from seqform.base.arrays import Ints
    from seqform.form.merging import Merging
    from seqform.form.patterns import Match, Matched
    from seqform.form.sequence_form import SequenceForm

Key = Callable[[int, Hashable], Hashable]
"""The bucket of a player's information set, by its label; None where it stays alone."""

COLUMNS = ("player", "infoset", "bucket")

Entries = Mapping[tuple[Any, Hashable], tuple[Hashable, str]]
"""By player and name: the bucket, and where it was given."""


def merge_by(key: Key | Mapping[tuple[int, Hashable], Hashable] | PathLike[str] | str) -> MergeBy:
    """Return the reduction that merges information sets of one bucket.

    Parameters
    ----------
    key
        A function of the player and the information set's label that returns a bucket, which is
        anything hashable, or None for a set that stays alone. Or a dict from (player, label) to
        buckets, or the path of a CSV file with the columns player, infoset and bucket; sets that
        are not in it stay alone. Labels in these may be patterns (`seqform.form.patterns`), and
        each star of a bucket then stands for what the pattern's stars stand for, in their order:
        ``?h:*`` in ``hearts:*`` merges hearts, each line of betting on its own. Buckets are each
        player's own.

    Raises
    ------
    InvalidParameterError
        If it is none of these, or names a set twice.
    ResultFileError
        If the file is missing, or no table with these columns.

    Examples
    --------
    >>> from seqform import make, solve
    >>> def by_rank(player, label):  # such as 'Kh Qs:check-bet-call/'
    ...     cards, _, history = label.partition(":")
    ...     return tuple(card[0] for card in cards.split()), history
    >>> solution = solve(make("leduc"), abstract=merge_by(by_rank))
    >>> solution.status.name, solution.abstract.game.treeplexes[0].num_sequences
    ('SOLVED', 337)
    """
    if isinstance(key, (str, PathLike)):
        return _by_table(_read(Path(key)), f"file {key}")
    if isinstance(key, Mapping):
        return _by_table({entry: (bucket, "") for entry, bucket in key.items()}, "dict")
    if callable(key):
        return MergeBy(key)
    raise InvalidParameterError(
        f"merge_by({key!r}): give a function of player and label, a dict, or a CSV file's path"
    )


@dataclass(frozen=True, eq=False)
class MergeBy(Reduction):
    """The reduction; see `merge_by`.

    Parameters
    ----------
    key
        The bucket of each information set.
    entries
        In place of a key: what a table says.
    what
        What the table is to be called.
    """

    key: Key
    entries: Entries | None = None
    what: str = ""

    name = "merged"
    lossless = False
    takes_threshold = False

    def accepts(self, game: Any) -> str | None:
        """Return None: any game with perfect recall is accepted."""
        return None

    def apply(self, game: Any, options: ReductionOptions = EXACTLY) -> tuple[SequenceForm, Inverse]:
        """Return the game of the buckets and the way back.

        Raises
        ------
        InvalidParameterError
            If the key raises an error or returns what is not hashable, if sets of one bucket have
            different actions or follow each other, or if a table has what the game has not.
        GameTooLargeError
            If a tree of more than `max_nodes` nodes would have to be built.
        ImperfectRecallError
            If players forget something in the game as it is.
        """
        import numpy as np

        from seqform.form.from_any import form_by_tree

        form = form_by_tree(game, options.max_nodes)
        table = None if self.entries is None else _Table(form, self.entries, self.what)
        key = self._by_key(form) if table is None else table.bucket
        for matched in () if table is None else table.matched:
            matched.log()
        merged = tuple(_merging(form, player, key) for player in range(form.num_players))
        if any(of.forgotten() is not None for of in merged):
            sizes = [treeplex.num_sequences for treeplex in form.treeplexes]
            itself = tuple(np.arange(size, dtype=np.int32) for size in sizes)
            return replace(form, merged=merged), SequenceMap(form, itself)
        sequences = tuple(of.sequences for of in merged)
        smaller = form.quotient(
            [of.quotient() for of in merged], sequences, [of.members for of in merged]
        )
        return smaller, SequenceMap(form, sequences)

    def matched(self, form: SequenceForm) -> tuple[Matched, ...]:
        """Return what the patterns of a table match in a game; for errors see `apply`."""
        return () if self.entries is None else _Table(form, self.entries, self.what).matched

    def _by_key(self, form: SequenceForm) -> Callable[[int, int], Hashable]:
        """Return the bucket that the key gives an information set, by player and number."""

        def bucket(player: int, infoset: int) -> Hashable:
            label = form.infoset_label(player, infoset)
            try:
                found = self.key(player, label)
                hash(found)
            except Exception as error:
                raise InvalidParameterError(
                    f"the key fails on information set {plain(label)} of player {player}: "
                    f"{type(error).__name__}: {error}; let it return a hashable bucket, or None"
                ) from error
            return found

        return bucket


def _merging(form: SequenceForm, player: int, key: Callable[[int, int], Hashable]) -> Merging:
    """Return which information sets of a player play alike."""
    import numpy as np

    from seqform.form.merging import Merging

    treeplex = form.treeplexes[player]
    first, buckets = treeplex.first_sequence.tolist(), _Buckets(form, player)
    sequences = [0] * treeplex.num_sequences
    infosets = []
    for infoset in range(treeplex.num_infosets):
        check_time("merging information sets")
        found = key(player, infoset)
        bucket, actions = buckets.put(infoset, _Alone(infoset) if found is None else found)
        infosets.append(bucket)
        sequences[first[infoset] : first[infoset + 1]] = actions
    images: Ints = np.array(sequences, dtype=np.int32)
    merging = Merging(treeplex, np.array(infosets, dtype=np.int32), images)
    again = merging.absent_minded()
    if again is not None:
        earlier, later = (plain(form.infoset_text(player, infoset)) for infoset in again)
        raise InvalidParameterError(
            f"the key puts {earlier} and {later} of player {player} into one bucket, and one "
            "comes after the other: the player would not know whether it has moved; "
            "give them different buckets"
        )
    return merging


class _Table:
    """What a table of buckets says of a game.

    Raises
    ------
    InvalidParameterError
        If it names what is not there, or two rows of which none is more exact do not agree.
    """

    def __init__(self, form: SequenceForm, entries: Entries, what: str) -> None:
        from seqform.form.patterns import Matcher

        self._form, self._what = form, what
        self._matchers = [Matcher(form, player) for player in range(form.num_players)]
        self._rows = [self._row(*entry) for entry in entries.items()]
        self._asked: dict[tuple[int, int], list[int]] = {}
        for place, (match, _, _) in enumerate(self._rows):
            for infoset in match.infosets:
                self._asked.setdefault((match.player, infoset), []).append(place)
        self._finest: dict[tuple[int, ...], list[int]] = {}

    @property
    def matched(self) -> tuple[Matched, ...]:
        """What each pattern matched."""
        patterns = [(m, where) for m, _, where in self._rows if not m.is_exact]
        return tuple(self._matchers[m.player].told(m, where) for m, where in patterns)

    def bucket(self, player: int, infoset: int) -> Hashable:
        """Return the bucket of an information set; None if the table says nothing of it."""
        from seqform.form.patterns import most_exact

        places = tuple(self._asked.get((player, infoset), ()))
        if places not in self._finest:
            finest = most_exact([self._rows[place][0] for place in places])
            self._finest[places] = [places[at] for at in finest]
        found = [self._found(place, infoset) for place in self._finest[places]]
        for place, other in zip(self._finest[places][1:], found[1:], strict=True):
            if other != found[0]:
                one, two = (self._named(at) for at in (self._finest[places][0], place))
                text = plain(self._form.infoset_text(player, infoset))
                raise InvalidParameterError(
                    f"{one} and {two} both match {text} of player {player}, give it different "
                    "buckets, and none is more exact; give this information set a row of its own"
                )
        return found[0] if found else None

    def _row(
        self, entry: tuple[Any, Hashable], given: tuple[Hashable, str]
    ) -> tuple[Match, Hashable, str]:
        from seqform.form.names import player_number

        (said, name), (bucket, where) = entry, given
        form = self._form
        try:
            player = player_number(said, form.num_players, form.player_names)
            return self._matchers[player].match(name), bucket, where
        except InvalidStrategyError as error:
            raise InvalidParameterError(
                f"{where or f'the {self._what}: '}{error}; `seqform solve GAME --out FOLDER` lists "
                "the information sets in strategy.csv"
            ) from None

    def _found(self, place: int, infoset: int) -> Hashable:
        """Return the bucket of a row, with what the stars of its pattern stand for."""
        match, bucket, _ = self._rows[place]
        if match.is_exact or not isinstance(bucket, str) or "*" not in bucket:
            return bucket
        starred = iter(self._matchers[match.player].captured(str(match.name), infoset))
        return "".join(next(starred, "*") if sign == "*" else sign for sign in bucket)

    def _named(self, place: int) -> str:
        match, _, where = self._rows[place]
        return f"{where}{plain(match.name)}"


@dataclass(frozen=True)
class _Alone:
    """The bucket of a set that stays alone."""

    infoset: int


class _Buckets:
    """The buckets of one player so far, and the numbers of their actions."""

    def __init__(self, form: SequenceForm, player: int) -> None:
        self._form, self._player = form, player
        self._numbers: dict[Hashable, tuple[int, int, dict[Hashable, int]]] = {}
        self._next = 1

    def put(self, infoset: int, bucket: Hashable) -> tuple[int, list[int]]:
        """Return the number of a set's bucket, and those of its actions in their order."""
        actions = self._form.actions(self._player, infoset)
        if bucket not in self._numbers:
            numbers = {action: self._next + place for place, action in enumerate(actions)}
            self._numbers[bucket] = len(self._numbers), infoset, numbers
            self._next += len(actions)
        number, first, known = self._numbers[bucket]
        if known.keys() != set(actions) or len(known) != len(actions):
            raise self._different(first, infoset)
        return number, [known[action] for action in actions]

    def _different(self, first: int, infoset: int) -> InvalidParameterError:
        form, player = self._form, self._player
        texts = [
            f"{plain(form.infoset_text(player, of))} with "
            + ", ".join(form.action_texts(player, of))
            for of in (first, infoset)
        ]
        return InvalidParameterError(
            f"the key puts information sets of player {player} with different actions into one "
            f"bucket: {texts[0]}; and {texts[1]}; give them different buckets"
        )


def _by_table(table: Mapping[Any, tuple[Hashable, str]], what: str) -> MergeBy:
    """Return the reduction of a table from (player, label) to buckets."""
    wrong = [entry for entry in table if not (isinstance(entry, tuple) and len(entry) == 2)]
    if wrong:
        raise InvalidParameterError(
            f"the {what} has the key {wrong[0]!r}: keys are pairs of a player and a label"
        )
    return MergeBy(lambda _player, _label: None, table, what)


def _read(path: Path) -> dict[tuple[Any, Hashable], tuple[Hashable, str]]:
    """Read a table of buckets."""
    table: dict[tuple[Any, Hashable], tuple[Hashable, str]] = {}
    expected = f"buckets have {','.join(COLUMNS)}"
    for where, cells in cells_under(path, read_rows(path), COLUMNS, expected):
        entry = cells[0].strip(), cells[1]
        if entry in table:
            raise InvalidParameterError(
                f"{where}{cells[1]} of player {cells[0]} is there twice; give it one bucket"
            )
        table[entry] = cells[2] or None, where
    return table
