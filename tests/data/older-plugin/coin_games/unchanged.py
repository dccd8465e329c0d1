"""A reduction of our own, the simplest there is: the smaller game is the game itself."""

from __future__ import annotations

from seqform.results.reduction import EXACTLY, SequenceMap


class Unchanged:
    """The reduction; every sequence is its own image."""

    name = "unchanged"
    lossless = True
    takes_threshold = False

    def accepts(self, game):
        return None  # any game

    def apply(self, game, options=EXACTLY):
        import numpy as np

        from seqform import build_sequence_form, build_tree

        form = build_sequence_form(build_tree(game, options.max_nodes))
        images = (np.arange(t.num_sequences, dtype=np.int32) for t in form.treeplexes)
        return form, SequenceMap(form, tuple(images))


UNCHANGED = Unchanged()
