"""Stable colorings of sequence forms by their definition, in fractions and dictionaries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any

from seqform.form.sequence_form import SequenceForm

Signature = dict[tuple[Any, ...], Fraction]
Colors = list[list[Any]]


def rounds(
    form: SequenceForm, weight: Callable[[Signature], Fraction], signatures: Any = None
) -> Colors:
    """Return the coarsest coloring in which actions correspond by their order.

    `weight` says what the signature of an information set is divided by, and `signatures` what that
    is: `normalized` unless given.
    """
    of = signatures or normalized
    colors: Colors = [[int(n) for n in t.num_actions] for t in form.treeplexes]
    while True:
        images = [
            [
                (colors[p][h], s - int(t.first_sequence[h])) if h >= 0 else ()
                for s, h in enumerate(t.infoset_of.tolist())
            ]
            for p, t in enumerate(form.treeplexes)
        ]
        found = [
            _numbers(
                [
                    (color, images[p][parent], frozenset(shares.items()))
                    for color, parent, shares in zip(
                        colors[p],
                        t.parent_sequence.tolist(),
                        of(form, p, images, colors[p], weight),
                        strict=True,
                    )
                ]
            )
            for p, t in enumerate(form.treeplexes)
        ]
        if [len(set(c)) for c in found] == [len(set(c)) for c in colors]:
            return found
        colors = found


def normalized(
    form: SequenceForm,
    player: int,
    images: list[list[Any]],
    colors: list[Any],
    weight: Callable[[Signature], Fraction],
) -> list[Signature]:
    """Return the signature of each of a player's information sets over its weight."""
    treeplex = form.treeplexes[player]
    signatures: list[Signature] = [defaultdict(Fraction) for _ in range(treeplex.num_infosets)]
    infoset_of = treeplex.infoset_of.tolist()
    for mine, others, number in _paid(form, player, images):
        if mine:
            key = ("paid", _action(images[player][mine]), *others)
            signatures[infoset_of[mine]][key] += number
    for h in reversed(range(treeplex.num_infosets)):
        signatures[h] = {key: value for key, value in signatures[h].items() if value}
        size = weight(signatures[h])
        signatures[h] = {key: value / size for key, value in signatures[h].items()}
        above = int(treeplex.parent_sequence[h])
        if above and signatures[h]:
            key = ("after", _action(images[player][above]), colors[h])
            signatures[infoset_of[above]][key] += size
    return signatures


def differences(
    form: SequenceForm,
    player: int,
    images: list[list[Any]],
    colors: list[Any],
    weight: Callable[[Signature], Fraction],
) -> list[Signature]:
    """Return signatures without what all actions of an information set share.

    What its first action is worth is taken off all its actions, and counts for the sequence that
    leads there: ``V(h) = max over a of (worth(ha) - worth(h0)) + worth(h0)``.
    """
    treeplex = form.treeplexes[player]
    rows: list[Signature] = [defaultdict(Fraction) for _ in range(treeplex.num_sequences)]
    for mine, others, number in _paid(form, player, images):
        rows[mine]["paid", *others] += number
    found: list[Signature] = [{}] * treeplex.num_infosets
    for h in reversed(range(treeplex.num_infosets)):
        first, end = treeplex.first_sequence[h : h + 2].tolist()
        shared, above = dict(rows[first]), rows[int(treeplex.parent_sequence[h])]
        for sequence in range(first, end):
            for key, value in shared.items():
                rows[sequence][key] -= value
        signature = {
            (_action(images[player][s]), *key): value
            for s in range(first, end)
            for key, value in rows[s].items()
            if value
        }
        size = weight(signature)
        found[h] = {key: value / size for key, value in signature.items()}
        for key, value in shared.items():
            above[key] += value
        if signature:
            above["after", colors[h]] += size
    return found


def _paid(
    form: SequenceForm, player: int, images: list[list[Any]]
) -> Iterator[tuple[int, list[Any], Fraction]]:
    """Yield a player's payoffs: its own sequence, the images of the others', and the number."""
    places, numbers = form.payoffs.entries(player)
    for *sequences, number in zip(*(p.tolist() for p in places), numbers.tolist(), strict=True):
        others = [images[q][s] for q, s in enumerate(sequences) if q != player]
        yield sequences[player], others, Fraction(number)


def scale(signature: Signature) -> Fraction:
    """Weigh an information set by all that is paid and follows."""
    return sum(map(abs, signature.values()), Fraction()) or Fraction(1)


def one(signature: Signature) -> Fraction:
    """Weigh all information sets alike."""
    return Fraction(1)


def _action(image: Any) -> Hashable:
    """Return what tells an image from those of other actions in its information set."""
    return image[1] if isinstance(image, tuple) else image


def _numbers(rows: list[Any]) -> list[int]:
    seen: dict[Any, int] = {}
    return [seen.setdefault(row, len(seen)) for row in rows]
