"""What hypothesis draws: random games and random strategies in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import build_sequence_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm


@st.composite
def trees(
    draw: Any, players: tuple[int, ...] = (2,), zero_sum: tuple[bool, ...] = (True,), depth: int = 5
) -> Any:
    return random_game(
        seed=draw(st.integers(0, 10_000)),
        players=draw(st.sampled_from(players)),
        depth=draw(st.integers(0, depth)),
        branching=draw(st.integers(1, 3)),
        zero_sum=draw(st.sampled_from(zero_sum)),
        max_payoff=draw(st.sampled_from([1, 10, 1000])),
        chance=draw(st.sampled_from([0.0, 0.2, 0.5])),
        hidden=draw(st.sampled_from([0.0, 0.7, 1.0])),
        rewards=draw(st.booleans()),
    )


@st.composite
def games(draw: Any, **options: Any) -> SequenceForm:
    return build_sequence_form(draw(trees(**options)))


def random_profile(game: SequenceForm, seed: int, sparse: bool = False) -> Profile:
    """Return a random profile; a sparse one gives some actions no probability."""
    rng = np.random.default_rng(seed)
    behaviors = []
    for treeplex in game.treeplexes:
        weights = rng.random(treeplex.num_sequences) + 1e-3
        if sparse:
            weights *= rng.random(treeplex.num_sequences) < 0.5
        behaviors.append(treeplex.to_behavior(weights))
    return Profile.from_behaviors(game.treeplexes, behaviors)


seeds = st.integers(0, 2**32 - 1)
