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
from seqform.base.errors import InvalidParameterError
from seqform.base.number import plain
from seqform.links.link import EXACTLY, Inverse, Reduction, ReductionOptions, SequenceMap

if TYPE_CHECKING:
    from seqform.base.arrays import Ints
    from seqform.form.merging import Merging
    from seqform.form.sequence_form import SequenceForm

Key = Callable[[int, Hashable], Hashable]
"""The bucket of a player's information set, by its label; None where it stays alone."""

COLUMNS = ("player", "infoset", "bucket")


def merge_by(key: Key | Mapping[tuple[int, Hashable], Hashable] | PathLike[str] | str) -> MergeBy:
    """Return the reduction that merges information sets of one bucket.

    Parameters
    ----------
    key
        A function of the player and the information set's label that returns a bucket, which is
        anything hashable, or None for a set that stays alone. Or a dict from (player, label) to
        buckets, or the path of a CSV file with the columns player, infoset and bucket; sets that
        are not in it stay alone. Buckets are each player's own.

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
        return _by_table(_read(Path(key)), True, f"file {key}")
    if isinstance(key, Mapping):
        return _by_table(key, False, "dict")
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
    table
        Where the key comes from a table: its entries, all of which have to be information sets of
        the game, and what they are to be called.
    as_text
        Whether the table has labels as text.
    """

    key: Key
    table: tuple[frozenset[tuple[int, Hashable]], str] | None = None
    as_text: bool = False

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

        from seqform.form.from_tree import build_sequence_form
        from seqform.form.sequence_form import SequenceForm
        from seqform.tree.from_any import build_tree

        is_form = isinstance(game, SequenceForm)
        form = game if is_form else build_sequence_form(build_tree(game, options.max_nodes))
        self._check_table(form)
        merged = tuple(self._merging(form, player) for player in range(form.num_players))
        if any(of.forgotten() is not None for of in merged):
            sizes = [treeplex.num_sequences for treeplex in form.treeplexes]
            itself = tuple(np.arange(size, dtype=np.int32) for size in sizes)
            return replace(form, merged=merged), SequenceMap(form, itself)
        sequences = tuple(of.sequences for of in merged)
        smaller = form.quotient(
            [of.quotient() for of in merged], sequences, [of.members for of in merged]
        )
        return smaller, SequenceMap(form, sequences)

    def _check_table(self, form: SequenceForm) -> None:
        if self.table is None:
            return
        entries, what = self.table
        there = {
            (player, self._label(form, player, infoset))
            for player, treeplex in enumerate(form.treeplexes)
            for infoset in range(treeplex.num_infosets)
        }
        unknown = sorted(entries - there, key=repr)
        if unknown:
            player, label = unknown[0]
            raise InvalidParameterError(
                f"the {what} names {plain(label)} of player {player}, which is no information set "
                "of the game; `seqform solve GAME --out FOLDER` lists them in strategy.csv"
            )

    def _label(self, form: SequenceForm, player: int, infoset: int) -> Hashable:
        label = form.infoset_label(player, infoset)
        return str(label) if self.as_text else label

    def _merging(self, form: SequenceForm, player: int) -> Merging:
        """Return which information sets of a player play alike."""
        import numpy as np

        from seqform.form.merging import Merging

        treeplex = form.treeplexes[player]
        first, buckets = treeplex.first_sequence.tolist(), _Buckets(form, player)
        sequences = [0] * treeplex.num_sequences
        infosets = []
        for infoset in range(treeplex.num_infosets):
            check_time("merging information sets")
            bucket, actions = buckets.put(infoset, self._bucket(form, player, infoset))
            infosets.append(bucket)
            sequences[first[infoset] : first[infoset + 1]] = actions
        images: Ints = np.array(sequences, dtype=np.int32)
        merging = Merging(treeplex, np.array(infosets, dtype=np.int32), images)
        again = merging.absent_minded()
        if again is not None:
            earlier, later = (plain(form.infoset_label(player, infoset)) for infoset in again)
            raise InvalidParameterError(
                f"the key puts {earlier} and {later} of player {player} into one bucket, and one "
                "comes after the other: the player would not know whether it has moved; "
                "give them different buckets"
            )
        return merging

    def _bucket(self, form: SequenceForm, player: int, infoset: int) -> Hashable:
        """Return the bucket that the key gives an information set; one of its own for None."""
        label = self._label(form, player, infoset)
        try:
            bucket = self.key(player, label)
            hash(bucket)
        except Exception as error:
            raise InvalidParameterError(
                f"the key fails on information set {plain(label)} of player {player}: "
                f"{type(error).__name__}: {error}; let it return a hashable bucket, or None"
            ) from error
        return _Alone(infoset) if bucket is None else bucket


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
            f"{plain(form.infoset_label(player, of))} with "
            + ", ".join(map(str, form.actions(player, of)))
            for of in (first, infoset)
        ]
        return InvalidParameterError(
            f"the key puts information sets of player {player} with different actions into one "
            f"bucket: {texts[0]}; and {texts[1]}; give them different buckets"
        )


def _by_table(table: Mapping[Any, Hashable], as_text: bool, what: str) -> MergeBy:
    """Return the reduction of a table from (player, label) to buckets."""
    wrong = [entry for entry in table if not (isinstance(entry, tuple) and len(entry) == 2)]
    if wrong:
        raise InvalidParameterError(
            f"the {what} has the key {wrong[0]!r}: keys are pairs of a player and a label"
        )

    def bucket(player: int, label: Hashable) -> Hashable:
        return table.get((player, label))

    return MergeBy(bucket, (frozenset(table), what), as_text)


def _read(path: Path) -> dict[tuple[int, Hashable], Hashable]:
    """Read a table of buckets."""
    table: dict[tuple[int, Hashable], Hashable] = {}
    expected = f"buckets have {','.join(COLUMNS)}"
    for where, cells in cells_under(path, read_rows(path), COLUMNS, expected):
        if not cells[0].isdecimal():
            raise InvalidParameterError(
                f"{where}{','.join(cells)!r} is not a player's number, an information set and a "
                "bucket"
            )
        entry = int(cells[0]), cells[1]
        if entry in table:
            raise InvalidParameterError(
                f"{where}{cells[1]} of player {cells[0]} is there twice; give it one bucket"
            )
        table[entry] = cells[2] or None
    return table
