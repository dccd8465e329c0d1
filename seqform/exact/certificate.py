"""Certificates, for anyone to check without this program.

A certificate holds a game's sequence form, plans and what they prove, all in integers: of an
interval (or a value) player 0's payoffs and two plans, of gains every player's.

`tools/check_certificate.py` checks one with Python's standard library alone. The format is in
docs/data-model.md.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.errors import InvalidStrategyError, ResultFileError, VerificationError
from seqform.exact.plan_proof import Bracket, ProvenInterval, prove_gains, prove_interval
from seqform.exact.products import integer_entries, integer_matrix
from seqform.exact.trembles import Refinement, Trembles, prove_refinement
from seqform.form.sequence_form import SequenceForm

FORMAT, VERSION = "seqform-certificate", 1

SAFE = 2**53
"""Exact from here on are written in hexadecimal, as text: many readers of JSON would round
them."""

Json = dict[str, Any]
Proven = TypeVar("Proven")
Write = Callable[[int, Exact], list[Any]]
"""Takes a player and a plan to what a certificate lists under `numerators`."""

Read = Callable[[int, Json], list[Any]]
"""Takes a player and an object of `plans` to the plan's numbers, as they are written."""


class Plans(Protocol):
    """Plans in integers over their denominators."""

    @property
    def plans(self) -> tuple[Exact, ...]:
        """Each player's plan."""

    @property
    def denominators(self) -> tuple[int, ...]:
        """Each player's denominator."""


def write_plan(player: int, plan: Exact) -> list[Any]:
    """Return a plan as it is listed, sequence by sequence."""
    return numbers(plan)


def read_plan(player: int, plan: Json) -> list[Any]:
    """Return the numbers of a plan that is listed sequence by sequence."""
    return plan["numerators"]  # type: ignore[no-any-return]


def content_of(
    described: Json, coloring: Json, proof: Plans, claims: Json, write: Write = write_plan
) -> Json:
    """Return all that a certificate says.

    Parameters
    ----------
    described
        What the game is, which is hashed, and what it is called.
    coloring
        Of which quotient the plans are; empty if they are of the game.
    claims
        What is proven.
    write
        How a player's plan is written.
    """
    plans = [
        {"denominator": number(whole), "numerators": write(player, plan)}
        for player, (plan, whole) in enumerate(zip(proof.plans, proof.denominators, strict=True))
    ]
    head = {"format": FORMAT, "version": VERSION, **described}
    return {**head, "hash": hash_of(described), **coloring, "plans": plans, **claims}


def certificate_of(proven: Bracket, identity: Json, refinement: Refinement | None = None) -> Json:
    """Return all that a certificate says.

    Parameters
    ----------
    proven
        What plans prove of their game.
    identity
        What the game is called, for people: hashed with the rest.
    refinement
        As what the plans are the limit of trembling ones, if that is known.
    """
    described = {"game": identity, **_listing_for(proven)}
    return content_of(described, {}, proven, claims_of(proven) | refinement_claims(refinement))


def read_certificate(
    path: Path, game: SequenceForm, identity: Json, *, of_gains: bool = False
) -> Bracket:
    """Return what a certificate proves of a game, after checking that it does.

    It has to be what `certificate_of` says of its plans, up to spaces and the order of fields: no
    field and no digit more or less.

    Parameters
    ----------
    of_gains
        Whether it is one of gains, and not of an interval.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    VerificationError
        If it is of another game, or its plans do not prove what it says.
    """
    content = read_json(path)
    list_all, prove = (listing_of_all, prove_gains) if of_gains else (listing, prove_interval)
    described = {"game": identity, **list_all(game)}
    check_same_game(path, content, described)
    plans = read_plans(path, content, game.num_players if of_gains else 2, read_plan)
    proven = proven_by(path, lambda: prove(game, *plans))
    claims = claims_of(proven) | refinement_claims(read_refinement(path, content, game, proven))
    check_content(path, content, content_of(described, {}, proven, claims))
    return proven


def claims_of(proven: Bracket) -> Json:
    """Return what plans prove as fields of a certificate: a value, an interval, or gains."""
    if not isinstance(proven, ProvenInterval):
        names = {"values": proven.values, "gains": proven.gains}
        return {name: [pair(number) for number in numbers] for name, numbers in names.items()}
    interval = [pair(proven.lower), pair(proven.upper)]
    return {"value": interval[0]} if not proven.width else {"interval": interval}


def _listing_for(proven: Bracket) -> Json:
    of_interval = isinstance(proven, ProvenInterval)
    return listing(proven.game) if of_interval else listing_of_all(proven.game)


def refinement_claims(refinement: Refinement | None) -> Json:
    """Return what a certificate says of trembling plans: their coefficients from power 1 on."""
    if refinement is None:
        return {}
    trembles = [[numbers(row) for row in plan[1:]] for plan in refinement.trembles.plans]
    return {"refinement": {"name": refinement.name, "trembles": trembles}}


def read_refinement(
    path: Path, content: Json, game: SequenceForm, proof: Plans
) -> Refinement | None:
    """Return the refinement that a certificate proves, if it says that it does.

    Raises
    ------
    ResultFileError
        If it is damaged.
    VerificationError
        If it is not proven.
    """
    if "refinement" not in content:
        return None
    try:
        name, listed = content["refinement"]["name"], content["refinement"]["trembles"]
        plans = [
            np.array([plan, *(exact([_integer(entry) for entry in row]) for row in rows)])
            for plan, rows in zip(proof.plans, listed, strict=True)
        ]
        trembles = Trembles((plans[0], plans[1]), (proof.denominators[0], proof.denominators[1]))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None
    return proven_by(path, lambda: prove_refinement(game, str(name), trembles))


def listing(game: SequenceForm) -> Json:
    """Return all that a game's sequence form is, with player 0's payoffs."""
    payoff, denominator = integer_matrix(game.zero_sum_operator())
    entries = {
        "denominator": number(denominator),
        "row_lengths": np.diff(payoff.pattern.indptr).tolist(),
        "columns": payoff.pattern.indices.tolist(),
        "numerators": numbers(payoff.entries),
    }
    return {"treeplexes": _treeplexes(game), "payoffs": entries}


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
    return {"treeplexes": _treeplexes(game), "payoffs": payoffs}


def _treeplexes(game: SequenceForm) -> list[Json]:
    return [
        {"parents": t.parent_sequence.tolist(), "actions": t.num_actions.tolist()}
        for t in game.treeplexes
    ]


def as_bytes(content: Json, *, packed: bool = False) -> bytes:
    """Return a JSON object as a file holds it, or as a compressed file does."""
    text = (json.dumps(content, separators=(",", ":")) + "\n").encode()
    return gzip.compress(text, 6, mtime=0) if packed else text


def read_json(path: Path) -> Json:
    """Return a JSON object in which no field is twice.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    """
    try:
        text = path.read_bytes()
        text = gzip.decompress(text) if path.suffix == ".gz" else text
        content = json.loads(text.decode(), object_pairs_hook=_unique)
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None
    if not isinstance(content, dict):
        raise ResultFileError(f"{path} is damaged: it holds no object")
    return content


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a field is there twice")
    return dict(pairs)


def check_same_game(path: Path, content: Json, described: Json) -> None:
    """See that a certificate is of a game.

    Raises
    ------
    VerificationError
        If it is of another, or was altered.
    """
    if canonical({key: content.get(key) for key in described}) != canonical(described):
        raise VerificationError(f"{path} is the certificate of another game, or was altered")


def read_plans(
    path: Path, content: Json, num_players: int, read: Read
) -> tuple[tuple[Exact, ...], tuple[int, ...]]:
    """Return plans and denominators; `read` returns a player's numbers one after the other.

    Raises
    ------
    ResultFileError
        If there are no plans, or not in this way.
    """
    try:
        listed = [plan for _, plan in zip(range(num_players), content["plans"], strict=True)]
        plans = tuple(
            exact([_integer(entry) for entry in read(player, plan)])
            for player, plan in enumerate(listed)
        )
        wholes = tuple(_integer(plan["denominator"]) for plan in listed)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ResultFileError(f"{path} is damaged: {error!r}") from None
    return plans, wholes


def proven_by(path: Path, prove: Callable[[], Proven]) -> Proven:
    """Return what a certificate's plans prove.

    Raises
    ------
    VerificationError
        If they are no plans of the game.
    """
    try:
        return prove()
    except InvalidStrategyError as error:
        raise VerificationError(f"{path} was altered: {error}") from None


def check_content(path: Path, content: Json, right: Json) -> None:
    """See that a certificate says what its plans prove, and nothing else.

    Raises
    ------
    VerificationError
        With the fields that say something else.
    """
    wrong = [
        key
        for key in sorted({*right, *content})
        if canonical([right.get(key), key in right])
        != canonical([content.get(key), key in content])
    ]
    if wrong:
        raise VerificationError(
            f"{path} was altered: its plans do not prove what it says under {', '.join(wrong)}"
        )


def hash_of(described: Json) -> str:
    """Return the SHA-256 by which a certificate names its game."""
    return hashlib.sha256(canonical(described).encode()).hexdigest()


def canonical(thing: Any) -> str:
    """Return JSON as text with sorted keys and without spaces: equal values, equal texts."""
    return json.dumps(thing, sort_keys=True, separators=(",", ":"))


def exact(integers: list[int]) -> Exact:
    """Return Python ints as an array."""
    array = np.empty(len(integers), dtype=object)
    array[:] = integers
    return array


def numbers(integers: Exact) -> list[int | str]:
    """Return an array of integers as they are written."""
    return [number(entry) for entry in integers.tolist()]


def pair(value: Fraction) -> list[int | str]:
    """Return a fraction as it is written."""
    return [number(value.numerator), number(value.denominator)]


def number(value: int) -> int | str:
    """Return an integer as it is written."""
    return value if abs(value) < SAFE else hex(value)


def _integer(value: object) -> int:
    if isinstance(value, str):
        return int(value, 16)
    if type(value) is not int:
        raise ValueError(f"{value!r} is not an integer")
    return value
