#!/usr/bin/env python3
"""Check a certificate that `seqform solve --out` wrote.

Usage: ``python tools/check_certificate.py certificate.json``.

This program shares nothing with seqform and needs only Python's standard library. The certificate
lists a two-player game of constant sum in sequence form (B. von Stengel, "Efficient computation of
behavior strategies", Games and Economic Behavior 14, 1996, Section 3):

* game: what it is called (name, parameters, unit, fingerprint of its file)
* treeplexes: for each player, `parents[h]`, the sequence of own actions that leads to information
  set h, and `actions[h]`, how many it has; sequence 0 is the empty one, and the others are numbered
  information set by information set
* payoffs: player 0's, chance included, as a sparse matrix of integers over a denominator: a row for
  each sequence of player 0
* hash: the SHA-256 of these three, as JSON with sorted keys and without spaces
* plans: for each player a realization plan, as integers over a denominator
* value: the game's value to player 0, [numerator, denominator], or interval: two such numbers

What is checked, in integers: the hash; that each plan starts with 1, is nowhere negative, and at
each information set adds up to what leads there; and that the best that player 0 can get against
plan 1, and the least that player 1 can hold plan 0 to, are both the value, or the two ends of the
interval. By weak duality the game's value lies between them, so that is a proof. Integers from
2**53 on are written in hexadecimal, as text.

Exit status: 0 confirmed, 1 refused, 2 not called with one file.
"""

import hashlib
import json
import sys
from fractions import Fraction
from itertools import accumulate
from math import gcd
from operator import mul
from typing import Any


class RefusedError(Exception):
    """The certificate does not prove what it says; the message says where."""


def require(condition: bool, message: str) -> None:
    """Refuse unless a condition holds."""
    if not condition:
        raise RefusedError(message)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, which must not name a field twice."""
    require(len(dict(pairs)) == len(pairs), "a field is there twice")
    return dict(pairs)


def integer(value: Any, name: str) -> int:
    """Return an integer that is written as such, or from 2**53 on as hexadecimal text."""
    if type(value) is int and abs(value) < 2**53:
        return value
    require(
        isinstance(value, str),
        f"{name} holds {str(value)[:40]}, which is no integer as they are written here",
    )
    try:
        number = int(value, 16)
    except ValueError:
        raise RefusedError(f"{name} holds {value[:40]!r}, which is no integer") from None
    require(
        abs(number) >= 2**53 and hex(number) == value,
        f"{name} holds {value[:40]!r}, which is not how integers are written here",
    )
    return number


def integers(values: Any, name: str) -> list[int]:
    """Return a list of integers."""
    require(isinstance(values, list), f"{name} is no list")
    return [integer(value, name) for value in values]


def fields(thing: Any, names: tuple[str, ...], where: str) -> list[Any]:
    """Return the fields of an object that has these and no others."""
    require(isinstance(thing, dict), f"{where} is no object")
    require(
        set(thing) == set(names), f"{where} has the fields {sorted(thing)}, not {sorted(names)}"
    )
    return [thing[name] for name in names]


def pair(things: Any, name: str) -> list[Any]:
    """Return a list of two."""
    require(isinstance(things, list) and len(things) == 2, f"{name} is not a pair")
    return list(things)


def fraction(thing: Any, name: str) -> Fraction:
    """Return a fraction that is written as numerator and denominator, in lowest terms."""
    numerator, denominator = integers(pair(thing, name), name)
    require(
        denominator > 0 and gcd(numerator, denominator) == 1,
        f"{name} is no fraction in lowest terms",
    )
    return Fraction(numerator, denominator)


class Treeplex:
    """One player's information sets: the sequences of h are `first[h]` up to `first[h + 1]`."""

    def __init__(self, thing: Any, player: int) -> None:
        name = f"player {player}'s treeplex"
        self.parents, actions = (
            integers(part, name) for part in fields(thing, ("parents", "actions"), name)
        )
        require(
            len(self.parents) == len(actions),
            f"{name} has {len(self.parents)} parents for {len(actions)} information sets",
        )
        require(
            all(count > 0 for count in actions), f"{name} has an information set without actions"
        )
        self.first = list(accumulate(actions, initial=1))
        require(
            all(0 <= p < f for p, f in zip(self.parents, self.first[:-1], strict=True)),
            f"{name} has a parent that comes later",
        )
        self.size = self.first[-1]

    def check_plan(self, plan: list[int], whole: int, name: str) -> None:
        """See that integers are `whole` times a realization plan."""
        require(len(plan) == self.size, f"{name} has {len(plan)} entries for {self.size} sequences")
        require(whole > 0 and plan[0] == whole, f"{name} does not start with its denominator")
        require(min(plan) >= 0, f"{name} has a negative entry")
        for h, parent in enumerate(self.parents):
            require(
                sum(plan[self.first[h] : self.first[h + 1]]) == plan[parent],
                f"{name} does not add up at information set {h}",
            )

    def best(self, worth: list[int]) -> int:
        """Return the most that a plan can get, from the last information set to the first.

        `worth` is changed.
        """
        for h in range(len(self.parents) - 1, -1, -1):
            worth[self.parents[h]] += max(worth[self.first[h] : self.first[h + 1]])
        return worth[0]


def products(
    payoffs: Any, treeplexes: list[Treeplex], plans: list[list[int]]
) -> tuple[int, list[int], list[int]]:
    """Return the common denominator, the payoffs times plan 1, and plan 0 times the payoffs."""
    denominator, lengths, columns, entries = fields(
        payoffs, ("denominator", "row_lengths", "columns", "numerators"), "payoffs"
    )
    denominator = integer(denominator, "payoffs")
    lengths, columns, entries = (integers(part, "payoffs") for part in (lengths, columns, entries))
    require(denominator > 0, "payoffs have no positive denominator")
    require(
        len(lengths) == treeplexes[0].size,
        f"payoffs have {len(lengths)} rows for {treeplexes[0].size} sequences",
    )
    require(
        min(lengths) >= 0 and sum(lengths) == len(columns) == len(entries),
        "the rows of the payoffs do not fit their entries",
    )
    require(
        all(0 <= column < treeplexes[1].size for column in columns),
        "payoffs have a column that is no sequence",
    )
    mine, theirs, start = [], [0] * treeplexes[1].size, 0
    for reach, length in zip(plans[0], lengths, strict=True):
        there, row = columns[start : start + length], entries[start : start + length]
        start += length
        mine.append(sum(map(mul, row, map(plans[1].__getitem__, there))))
        if reach:
            for column, entry in zip(there, row, strict=True):
                theirs[column] += reach * entry
    return denominator, mine, theirs


def check(content: Any) -> tuple[Any, Fraction, Fraction]:
    """Return the game's name and the bounds on its value that a certificate proves."""
    claim = "interval" if isinstance(content, dict) and "interval" in content else "value"
    names = ("format", "version", "game", "treeplexes", "payoffs", "hash", "plans", claim)
    kind, version, game, treeplexes, payoffs, digest, plans, claimed = fields(
        content, names, "the certificate"
    )
    require(
        kind == "seqform-certificate" and type(version) is int and version == 1,
        "this is no seqform-certificate of version 1",
    )
    listing = {"game": game, "treeplexes": treeplexes, "payoffs": payoffs}
    text = json.dumps(listing, sort_keys=True, separators=(",", ":"))
    require(
        hashlib.sha256(text.encode()).hexdigest() == digest,
        "the game is not the one that was hashed",
    )

    treeplexes = [
        Treeplex(thing, player) for player, thing in enumerate(pair(treeplexes, "treeplexes"))
    ]
    numerators, wholes = [], []
    for player, thing in enumerate(pair(plans, "plans")):
        name = f"player {player}'s plan"
        whole, plan = fields(thing, ("denominator", "numerators"), name)
        numerators.append(integers(plan, name))
        wholes.append(integer(whole, name))
        treeplexes[player].check_plan(numerators[player], wholes[player], name)
    denominator, mine, theirs = products(payoffs, treeplexes, numerators)
    upper = Fraction(treeplexes[0].best(mine), denominator * wholes[1])
    lower = Fraction(-treeplexes[1].best([-entry for entry in theirs]), denominator * wholes[0])
    low, high = (
        fraction(bound, claim)
        for bound in (pair(claimed, claim) if claim == "interval" else (claimed, claimed))
    )
    require(lower == low, f"player 0's plan does not guarantee the {claim}")
    require(upper == high, f"player 1's plan does not hold player 0 to the {claim}")
    return game, lower, upper


def main(arguments: list[str]) -> int:
    """Check a file, say what was found, and return the exit status."""
    if len(arguments) != 1:
        print("usage: check_certificate.py certificate.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            game, lower, upper = check(json.load(file, object_pairs_hook=unique))
    except (RefusedError, OSError, ValueError, RecursionError) as error:
        print(f"refused: {error}")
        return 1
    # For what is printed; reading longer decimals, which no certificate has, would take for ever.
    sys.set_int_max_str_digits(0)
    proven = f"is {lower}" if lower == upper else f"is from {lower} to {upper}"
    print(
        f"confirmed: the value to player 0 of the game listed, called {json.dumps(game)}, {proven}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
