"""Certificates of quotients: a game, a coloring, and what plans of the quotient prove of the game.

They need no plan of the game itself, which may have a thousand times as many sequences.
`tools/check_certificate.py` sees that the coloring is equitable (up to weights), so that the
quotient has the game's value, and that the plans prove it there. Games of signals are described by
deck, betting and outcomes, all others by the entries of their sequence form. The format is in
docs/data-model.md, the theorem in docs/explanation/checkable-quotients.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Index, Ints
from seqform.base.errors import (
    InvalidGameError,
    ResultFileError,
    SeqformError,
    VerificationError,
)
from seqform.exact.certificate import (
    Json,
    Read,
    Write,
    as_bytes,
    check_content,
    check_same_game,
    claims_of,
    content_of,
    exact,
    listing,
    numbers,
    proven_by,
    read_json,
    read_plan,
    read_plans,
    write_plan,
)
from seqform.exact.color_weights import class_weights, infoset_weights
from seqform.exact.plan_proof import Bracket, ExactEquilibrium, ProvenInterval, prove_interval
from seqform.exact.signal_description import describe
from seqform.form.from_signals import SequenceNumbering, build_signal_form
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game.observations import Classes, SignalStructure


class Quotient(NamedTuple):
    """A game as a certificate describes it, a coloring of it, and the game that is left.

    `write` and `read` take a player's plan to what the certificate lists, and back.
    """

    form: SequenceForm
    described: Json
    coloring: Json
    write: Write = write_plan
    read: Read = read_plan

    def content(self, identity: Json, proven: ProvenInterval) -> Json:
        """Return what the certificate says."""
        described = {"game": identity, **self.described}
        return content_of(described, self.coloring, proven, claims_of(proven), self.write)


def quotient_of_signals(structure: SignalStructure, classes: Classes) -> Quotient:
    """Return the quotient of a signal game by classes of observations.

    Raises
    ------
    UnsupportedGameError
        If the game has numbers that are not exact, or too many deals to be listed.
    ImperfectRecallError
        R9: if the classes make a player forget.
    VerificationError
        If they are not equitable up to weights.
    """
    form = build_signal_form(structure, classes)
    weights = class_weights(structure, classes)
    coloring = [
        [
            {"classes": of.tolist(), "weights": numbers(weight)}
            for of, weight in zip(stages, of_player, strict=True)
        ]
        for stages, of_player in zip(classes, weights, strict=True)
    ]
    places = [_places(SequenceNumbering(structure, classes, player)) for player in (0, 1)]

    def write(player: int, plan: Exact) -> list[Any]:
        return [numbers(plan[there]) for there in places[player]]

    def read(player: int, plan: Json) -> list[Any]:
        parts = zip(places[player], plan["numerators"], strict=True)
        in_order = sorted(parts, key=lambda part: part[0].start)
        return [plan["denominator"], *chain.from_iterable(part for _, part in in_order)]

    return Quotient(form, {"signals": describe(structure)}, {"classes": coloring}, write, read)


def _places(of: SequenceNumbering) -> list[slice]:
    """Return where the sequences of a player's nodes are, in the order of the nodes."""
    ends = np.append(of.first_sequence[1:], of.treeplex.num_sequences)
    return [
        slice(int(of.first_sequence[at]), int(ends[at])) for _, at in sorted(of.position.items())
    ]


def quotient_of_form(game: SequenceForm, images: Sequence[Ints]) -> Quotient:
    """Return the quotient of a game by sequences that are treated alike.

    Parameters
    ----------
    images
        For each player int32 (num_sequences,): the quotient's sequence for each of the game's.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    VerificationError
        If that is no coloring, or not equitable up to weights.
    """
    merged = [merge_infosets(*of) for of in zip(game.treeplexes, images, strict=True)]
    treeplexes = [treeplex for treeplex, _ in merged]
    weights = infoset_weights(game, images, treeplexes)
    coloring = [
        {"sequences": image.tolist(), "weights": numbers(exact(weight))}
        for image, weight in zip(images, weights, strict=True)
    ]
    form = game.quotient(treeplexes, images, [members for _, members in merged])
    return Quotient(form, listing(game), {"colors": coloring})


def merge_infosets(whole: Treeplex, image: Ints) -> tuple[Treeplex, Index]:
    """Return the treeplex of the images of sequences, and a member of each information set.

    Raises
    ------
    VerificationError
        If information sets are torn apart, or members of one differ in what leads to them, or
        images are not numbered information set by information set.
    """
    wrong = VerificationError("what is to be merged is no coloring of the game's information sets")
    if image.shape != (whole.num_sequences,) or image[0] != 0:
        raise wrong
    order = np.lexsort([image[1:], whole.infoset_of[1:]])
    blocks = image[1:][order]
    first = blocks[whole.first_sequence[:-1] - 1]
    starts, members, color = np.unique(first, return_index=True, return_inverse=True)
    actions, parents = whole.num_actions[members], image[whole.parent_sequence]
    ends = 1 + np.cumsum(actions)
    positions = np.arange(1, whole.num_sequences) - whole.first_sequence[whole.infoset_of[1:]]
    is_right = (
        (blocks == first[whole.infoset_of[1:]] + positions).all()
        and (starts == ends - actions).all()
        and (actions[color] == whole.num_actions).all()
        and (parents[members][color] == parents).all()
    )
    if not is_right:
        raise wrong
    try:
        bounds = np.append(1, ends).astype(np.int32)
        return Treeplex(parents[members].astype(np.int32), bounds), members
    except InvalidGameError:
        raise wrong from None


def write_quotient_certificate(
    path: Path, quotient: Quotient, identity: Json, proven: Bracket | ExactEquilibrium
) -> None:
    """Write what plans of a quotient prove of the game that it is of.

    Parameters
    ----------
    path
        Compressed if it ends in '.gz'.
    identity
        What the game is called, for people: hashed with the rest.
    proven
        Of ``quotient.form``, or of any form with the same sequences.

    Raises
    ------
    InvalidStrategyError
        If the plans are not of the quotient.
    OSError
        If it cannot be written.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from seqform import make, reduce, solve
    >>> smaller, _ = reduce(make("leduc"), "equitable")
    >>> proven = solve(smaller, exact=True).exact
    >>> path = Path(mkdtemp()) / "leduc.json"
    >>> write_quotient_certificate(path, quotient_of_signals(*smaller.signals), {}, proven)
    """
    content = quotient_certificate(quotient, identity, proven)
    path.write_bytes(as_bytes(content, packed=path.suffix == ".gz"))


def quotient_certificate(
    quotient: Quotient, identity: Json, proven: Bracket | ExactEquilibrium
) -> Json:
    """Return what `write_quotient_certificate` writes."""
    again = prove_interval(quotient.form, proven.plans, proven.denominators)
    return quotient.content(identity, again)


def read_signal_certificate(
    path: Path, structure: SignalStructure, identity: Json
) -> ProvenInterval:
    """Return what a certificate proves of a signal game by classes of observations.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    VerificationError
        If it is of another game, or its classes and plans do not prove what it says.
    """

    def quotient(content: Json) -> Quotient:
        classes = tuple(
            tuple(np.array(part["classes"], dtype=np.int32) for part in stages)
            for stages in content["classes"]
        )
        return quotient_of_signals(structure, classes)

    return _read(path, quotient, identity)


def read_quotient_certificate(path: Path, game: SequenceForm, identity: Json) -> ProvenInterval:
    """Return what a certificate proves of a game by a quotient; errors as for signal games."""

    def quotient(content: Json) -> Quotient:
        images = [np.array(part["sequences"], dtype=np.int32) for part in content["colors"]]
        return quotient_of_form(game, images)

    return _read(path, quotient, identity)


def _read(path: Path, quotient: Callable[[Json], Quotient], identity: Json) -> ProvenInterval:
    content = read_json(path)
    try:
        found = quotient(content)
    except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None
    except SeqformError as error:
        raise VerificationError(f"{path} was altered: {error}") from None
    check_same_game(path, content, {"game": identity, **found.described})
    plans = read_plans(path, content, 2, found.read)
    proven = proven_by(path, lambda: prove_interval(found.form, *plans))
    check_content(path, content, found.content(identity, proven))
    return proven
