"""A dense stage with every place listed where sequences meet, for what goes through these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Index
from seqform.base.deadline import check_time
from seqform.base.memory import require_memory
from seqform.recursive.stage_form import StageForm

if TYPE_CHECKING:
    from seqform.recursive.dense_stage import DenseStage

BYTES_PER_ENTRY = 110
"""What an entry takes until payoffs are made of it."""


def listed_entries(form: DenseStage) -> StageForm:
    """Return the stage entry by entry; types that are never dealt together have none.

    Raises
    ------
    GameTooLargeError
        If that does not fit into memory.
    """
    require_memory(
        BYTES_PER_ENTRY * form.num_entries,
        f"a list of {form.num_entries:,} payoffs, by what players are dealt",
        "use what needs products only, such as show, evaluate, or method='dcfr'; or deal less",
    )
    places, leaves, weights = zip(*_entries(form), strict=True)
    return StageForm(
        form.treeplexes,
        form.origin,
        form.leaves,
        form.denominator,
        np.concatenate(places, axis=1).astype(np.int32),
        np.repeat(np.array(leaves, dtype=np.int32), [len(of) for of in weights]),
        np.concatenate(weights),
    )


def _entries(form: DenseStage) -> Iterator[tuple[Index, int, Index]]:
    """Yield for each line and leaf where sequences meet, the leaf, and the weights there."""
    for line in form.lines:
        none = tuple(
            seat for seat, block in enumerate(line.blocks) if not form.decides(seat, block)
        )
        for leaf in dict.fromkeys(line.leaf.tolist()):
            check_time("listing where strategies meet")
            outcomes = tuple(np.flatnonzero(line.leaf == leaf).tolist())
            weights = form.tensor.merged(outcomes)
            total = weights.sum(axis=none, keepdims=True, dtype=np.float64)
            dealt = np.nonzero(total)
            at = zip(form.blocks, line.blocks, dealt, strict=True)
            places = np.stack([blocks[block][types] for blocks, block, types in at])
            yield places, leaf, total[dealt].astype(np.int64)
