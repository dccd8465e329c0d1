"""Certificates of general-sum games, and of many players: plans, payoffs and gains, in fractions.

`tools/check_certificate.py` reads them as it reads those of values. The format is in
docs/data-model.md.
"""

from __future__ import annotations

from pathlib import Path

from seqform.exact.certificate_file import (
    Json,
    check_content,
    check_same_game,
    content_of,
    number,
    pair,
    proven_by,
    read_json,
    read_plan,
    read_plans,
    read_refinement,
    refinement_claims,
    write_json,
)
from seqform.exact.gains import ProvenGains, prove_gains
from seqform.exact.products import integer_entries
from seqform.exact.trembles import Refinement
from seqform.form.sequence_form import SequenceForm


def write_gains(
    path: Path, identity: Json, proven: ProvenGains, refinement: Refinement | None = None
) -> None:
    """Write what plans prove of their game.

    Parameters
    ----------
    identity
        What the game is called, for people: hashed with the rest.
    refinement
        As what the plans are the limit of trembling ones, if that is known.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    described = {"game": identity, **listing_of_all(proven.game)}
    claims = _claims(proven) | refinement_claims(refinement)
    write_json(path, content_of(described, {}, proven, claims))


def read_gains(path: Path, game: SequenceForm, identity: Json) -> ProvenGains:
    """Return what a certificate proves of a game, after checking that it does.

    It has to be what `write_gains` writes for its plans, up to spaces and the order of fields.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    VerificationError
        If it is of another game, or its plans do not prove what it says.
    """
    content = read_json(path)
    described = {"game": identity, **listing_of_all(game)}
    check_same_game(path, content, described)
    plans = read_plans(path, content, game.num_players, read_plan)
    proven = proven_by(path, lambda: prove_gains(game, *plans))
    claims = _claims(proven) | refinement_claims(read_refinement(path, content, game, proven))
    check_content(path, content, content_of(described, {}, proven, claims))
    return proven


def listing_of_all(game: SequenceForm) -> Json:
    """Return all that a game's sequence form is, with every player's payoffs.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    """
    found = [integer_entries(game, player) for player in range(game.num_players)]
    payoffs = [
        {
            "denominator": number(denominator),
            "sequences": [places.tolist() for places in entries],
            "numerators": list(map(number, numbers)),
        }
        for entries, numbers, denominator in found
    ]
    treeplexes = [
        {"parents": t.parent_sequence.tolist(), "actions": t.num_actions.tolist()}
        for t in game.treeplexes
    ]
    return {"treeplexes": treeplexes, "payoffs": payoffs}


def _claims(proven: ProvenGains) -> Json:
    return {
        "values": [pair(value) for value in proven.values],
        "gains": [pair(gain) for gain in proven.gains],
    }
