"""Sums of payoffs where sequences meet: in integers that never overflow, or in bounded floats."""

from __future__ import annotations

from collections.abc import Sequence
from math import ulp

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Ints, Mask, Numbers
from seqform.base.integer_matrix import largest
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF


def ratios(numerators: Exact, denominator: int) -> Floats:
    """Return ``numerators / denominator`` as float64, each rounded once."""
    if max(largest(numerators), denominator) <= 2**53:  # two exact floats
        return numerators.astype(np.int64) / denominator
    return np.array([int(n) / denominator for n in numerators], dtype=np.float64)


def sums_at(numbers: Numbers, place: Index, size: int) -> Numbers:
    """Return the sums of the numbers at each place below `size`; integers never overflow."""
    dtype = numbers.dtype
    if dtype == np.int64 and largest(numbers) * len(numbers) >= 2**63:
        dtype = np.dtype(object)
    sums = np.zeros(size, dtype=dtype)
    np.add.at(sums, place, numbers)
    return sums


def errors_at(numbers: Floats, errors: Floats | None, place: Index, size: int) -> Floats:
    """Bound how far `sums_at` of floats is from the sums of the true numbers.

    Rounding n numbers once, and adding them, is off by at most ``n u`` of the sum of their
    magnitudes, and by what vanishes below the least float.

    Parameters
    ----------
    errors
        How far each number is from the true one; None if each is this rounded once.
    """
    if errors is None:
        errors = np.full(len(numbers), ulp(0.0))
    count = np.bincount(place, minlength=size)
    added = count * UNIT_ROUNDOFF * sums_at(np.abs(numbers), place, size)
    bound: Floats = HIGHER_ORDERS * (sums_at(errors, place, size) + added)
    return bound


def kept_entries(places: Sequence[Ints], images: Sequence[Ints]) -> Mask | slice:
    """Return the entries at which no sequence has the image -1."""
    if not any(len(image) and image.min() < 0 for image in images):
        return slice(None)
    kept: Mask = np.ones(len(places[0]), dtype=np.bool_)
    for place, image in zip(places, images, strict=True):
        kept &= image[place] >= 0
    return kept


def meeting_points(
    places: Sequence[Ints], images: Sequence[Ints], sizes: Sequence[int]
) -> tuple[Ints, Index]:
    """Return where mapped sequences meet, and the point of each entry.

    Points are sorted, int32 (num_points, num_players).
    """
    key: Index = np.zeros(len(places[0]), dtype=np.int64)
    for place, image, size in zip(places, images, sizes, strict=True):
        if int(key.max(initial=0)) * size >= 2**62:  # renumber, so that keys never overflow
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        key = key * size + image[place]
    _, first, point = np.unique(key, return_index=True, return_inverse=True)
    mapped = [image[place[first]] for place, image in zip(places, images, strict=True)]
    return np.array(mapped, dtype=np.int32).T.reshape(-1, len(places)), point
