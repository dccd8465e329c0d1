#!/usr/bin/env python3
"""Check a certificate that seqform wrote, with Python's standard library alone.

Usage: ``python tools/check_certificate.py certificate.json[.gz] [description.json]``, or the folder
of a saved result in place of the first file: then every certificate in it is checked.

This program shares nothing with seqform. A certificate describes a two-player game of constant
sum, gives a plan for each player, and says what these prove: the game's value to player 0, as
[numerator, denominator], or an interval, as two such numbers. Or the game is one of any number of
players and any sums, and what is proven are `values`, what the plans pay each player, and `gains`,
the most that each gains by another plan: 0 for an equilibrium. All is checked in integers; from
2**53 on they are written in hexadecimal, as text.

A game is described in one of two ways. `hash` is the SHA-256 of game and description, as JSON with
sorted keys and without spaces.

1. By entries, in sequence form (B. von Stengel, "Efficient computation of behavior strategies",
   Games and Economic Behavior 14, 1996, Section 3): `treeplexes` has for each player `parents[h]`,
   the sequence of own actions that leads to information set h, and `actions[h]`, how many it has.
   Sequence 0 is the empty one, and the others are numbered information set by information set.
   `payoffs` are player 0's, chance included: a sparse matrix of integers over a denominator, with a
   row for each sequence of player 0. Where gains are claimed, `payoffs` has for each player a
   denominator, and entries: `sequences`, for every player, and `numerators`.
2. By `signals`, if all actions are public and chance deals cards:

   * deck: the cards' names, how many copies there are of each, and whether a card that was dealt
     can come again
   * nodes: the tree of what is public, parents first. At a node chance deals a card to a player or
     to everyone (`deal`), or a player acts (`player`), or the game has ended (`outcome`, `stake`).
     `action` is what led there, null after a deal
   * outcomes: what player 0 gets from player 1 for each unit at stake, after so many `signals`:
     always the same (`pays`); 1, 0 or -1 as player 0's hand is the stronger one or not
     (`strengths`, of each observation of either player); or listed for each deal (`payoffs`)

   Cards are numbered as the deck names them. An observation is what a player has seen of a deal, in
   the order of dealing. Deals, and observations, are in lexicographic order.

Plans of a game by entries are realization plans of the game, or of its quotient by `colors`. Those
of a game by signals are always of a quotient, by `classes` of observations. Each of the player's
nodes, in the order of the file, has a list of numbers: class by class and action by action.

A quotient merges the information sets of a color, or the observations of a class. It has the game's
value if the coloring is equitable up to weights, which is checked: members of a color came from one
color; and divided by its weight each has the same payoffs against each color of the other player,
and the same weight of members of each color that follow. A member of weight 0 has no payoffs.

That plans prove their bounds is weak duality. Checked are that each plan starts with 1, is nowhere
negative, and at each information set adds up to what leads there; and that the best that player 0
can get against plan 1, and the least that player 1 can hold plan 0 to, are the value, or the ends
of the interval.

A game of two players by entries may have a `refinement`: its `name`, and for each player under
`trembles` how the plan trembles, as coefficients of epsilon, of epsilon**2 and so on, over the
plan's denominator. Checked are that the polynomials add up as plans do, from any weight that tends
to 1; that each is positive for all small epsilon; and that each action that is played in the limit,
in any information set, is best against the other's trembling plan for all small epsilon. Then the
limit is `quasi-perfect` (E. van Damme, Int. J. of Game Theory 13, 1984) if own later moves are best
ones, and `extensive-form-perfect` (R. Selten, Int. J. of Game Theory 4, 1975) if they tremble too.

With a second file, the game must be the one that this file describes by signals.

Exit status: 0 confirmed, 1 refused, 2 not called with one or two files or folders.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import sys
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import accumulate, islice
from math import gcd, lcm, prod
from operator import mul
from typing import Any

CERTIFICATE = re.compile(r"certificate[^.]*\.json(\.gz)?")
"""Names of the certificates in the folder of a saved result."""

LARGEST = 2**32
"""No file of more bytes is read, compressed or not."""

PIECE = 2**20
"""Bytes read at a time: Python makes room for all that a call may return."""

Row = dict[int, int]
"""A sparse vector of integers, without zeros."""


class RefusedError(Exception):
    """The certificate does not prove what it says; the message says where."""


def require(condition: bool, message: str) -> None:
    """Refuse unless a condition holds."""
    if not condition:
        raise RefusedError(message)


# Reading


def read(path: str) -> Any:
    """Return the JSON value that a file holds, which may be compressed."""
    with open(path, "rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path) if is_compressed else open(path, "rb") as file:
        pieces = iter(lambda: file.read(PIECE), b"")
        text = b"".join(islice(pieces, LARGEST // PIECE + 1))
    require(len(text) < LARGEST, f"{path} is too large")
    return json.loads(text.decode(), object_pairs_hook=unique)


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


def items(things: Any, name: str, length: int | None = None) -> list[Any]:
    """Return a list, of a length if one is given."""
    require(isinstance(things, list), f"{name} is no list")
    require(
        length is None or len(things) == length, f"{name} has {len(things)} entries, not {length}"
    )
    return list(things)


def integers(values: Any, name: str, length: int | None = None) -> list[int]:
    """Return a list of integers."""
    return [integer(value, name) for value in items(values, name, length)]


def fields(thing: Any, names: Sequence[str], where: str) -> list[Any]:
    """Return the fields of an object that has these and no others."""
    require(isinstance(thing, dict), f"{where} is no object")
    require(
        set(thing) == set(names), f"{where} has the fields {sorted(thing)}, not {sorted(names)}"
    )
    return [thing[name] for name in names]


def fraction(thing: Any, name: str) -> Fraction:
    """Return a fraction that is written as numerator and denominator, in lowest terms."""
    numerator, denominator = integers(thing, name, 2)
    require(
        denominator > 0 and gcd(numerator, denominator) == 1,
        f"{name} is no fraction in lowest terms",
    )
    return Fraction(numerator, denominator)


# Colors


def read_weights(thing: Any, name: str, colors: list[int]) -> list[int]:
    """Return the weights of members of colors, those of a color without a common divisor."""
    weights = integers(thing, name, len(colors))
    require(all(weight >= 0 for weight in weights), f"{name} has a negative weight")
    common: dict[int, int] = {}
    for color, weight in zip(colors, weights, strict=True):
        common[color] = gcd(common.get(color, 0), weight)
    require(set(common.values()) <= {0, 1}, f"{name} has weights with a common divisor")
    return weights


class Multiples:
    """Vectors of colors: those of one color must be their weights times one vector."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.models: dict[int, tuple[int, Row]] = {}
        self.weights: dict[int, int] = {}

    def add(self, color: int, weight: int, row: Row) -> None:
        """See that a member's vector is what it has to be; it may hold zeros."""
        row = {place: entry for place, entry in row.items() if entry}
        unit, model = self.models.setdefault(color, (weight, row)) if weight else (1, {})
        if weight != unit:
            row = {place: entry * unit for place, entry in row.items()}
            model = {place: entry * weight for place, entry in model.items()}
        require(row == model, f"{self.name} differ within color {color}")
        self.weights[color] = self.weights.get(color, 0) + weight

    def add_all(self, colors: list[int], weights: list[int], rows: Iterable[Row]) -> None:
        """See that all members' vectors are what they have to be."""
        for member in zip(colors, weights, rows, strict=True):
            self.add(*member)

    def totals(self) -> list[Row]:
        """Return the sum of the vectors of each color; colors have no gaps."""
        models = [self.models.get(color, (1, {})) for color in range(len(self.weights))]
        return [
            {place: entry * self.weights[color] // unit for place, entry in row.items()}
            for color, (unit, row) in enumerate(models)
        ]


# Games by entries


class Treeplex:
    """One player's information sets: the sequences of h are `first[h]` up to `first[h + 1]`."""

    def __init__(self, parents: list[int], actions: list[int], name: str) -> None:
        self.parents, self.actions = parents, actions
        require(
            len(parents) == len(actions),
            f"{name} has {len(parents)} parents for {len(actions)} information sets",
        )
        require(
            all(count > 0 for count in actions), f"{name} has an information set without actions"
        )
        self.first = list(accumulate(actions, initial=1))
        require(
            all(0 <= p < f for p, f in zip(parents, self.first[:-1], strict=True)),
            f"{name} has a parent that comes later",
        )
        self.size = self.first[-1]

    def infosets(self) -> Iterator[tuple[int, int, int]]:
        """Yield each information set: what leads there, its first sequence and the next one's."""
        return zip(self.parents, self.first[:-1], self.first[1:], strict=True)

    def check_plan(self, thing: Any, whole: int, name: str) -> list[int]:
        """Return integers that are `whole` times a realization plan."""
        plan = integers(thing, name, self.size)
        require(plan[0] == whole, f"{name} does not start with its denominator")
        require(min(plan) >= 0, f"{name} has a negative entry")
        return self.check_sums(plan, name)

    def check_sums(self, plan: list[int], name: str) -> list[int]:
        """Return a vector that at each information set adds up to what leads there."""
        for h, parent in enumerate(self.parents):
            require(
                sum(plan[self.first[h] : self.first[h + 1]]) == plan[parent],
                f"{name} does not add up at information set {h}",
            )
        return plan

    def best(self, worth: list[int]) -> int:
        """Return the most that a plan can get, from the last information set to the first.

        `worth` is changed.
        """
        for h in range(len(self.parents) - 1, -1, -1):
            worth[self.parents[h]] += max(worth[self.first[h] : self.first[h + 1]])
        return worth[0]


class Players:
    """A game of any number of players and any sums, by what each is paid.

    `payoffs` has for each player a denominator, and entries: the sequence of every player, and an
    integer.
    """

    def __init__(self, treeplexes: list[Treeplex], payoffs: Any) -> None:
        self.treeplexes = treeplexes
        self.payoffs = [
            self._read(thing, f"player {player}'s payoffs")
            for player, thing in enumerate(items(payoffs, "payoffs", len(treeplexes)))
        ]

    def _read(self, thing: Any, name: str) -> tuple[int, list[list[int]], list[int]]:
        denominator, places, numbers = fields(
            thing, ("denominator", "sequences", "numerators"), name
        )
        denominator, entries = integer(denominator, name), integers(numbers, name)
        require(denominator > 0, f"{name} have no positive denominator")
        sequences = [
            integers(part, name, len(entries)) for part in items(places, name, len(self.treeplexes))
        ]
        for treeplex, part in zip(self.treeplexes, sequences, strict=True):
            require(
                all(0 <= sequence < treeplex.size for sequence in part),
                f"{name} are of a sequence that there is not",
            )
        return denominator, sequences, entries

    def prove(self, things: Any) -> tuple[list[Fraction], list[Fraction]]:
        """Return what each player gets by the plans, and gains at most by another plan."""
        plans, wholes = [], []
        for player, thing in enumerate(items(things, "plans", len(self.treeplexes))):
            name = f"player {player}'s plan"
            whole, plan = fields(thing, ("denominator", "numerators"), name)
            wholes.append(integer(whole, name))
            require(wholes[player] > 0, f"{name} has no positive denominator")
            plans.append(self.treeplexes[player].check_plan(plan, wholes[player], name))
        values, gains = [], []
        for player, treeplex in enumerate(self.treeplexes):
            below, worth = self._against(player, plans, wholes)
            mine = Fraction(sum(map(mul, worth, plans[player])), below * wholes[player])
            values.append(mine)
            gains.append(Fraction(treeplex.best(worth), below) - mine)
        return values, gains

    def _against(
        self, player: int, plans: list[list[int]], wholes: list[int]
    ) -> tuple[int, list[int]]:
        """Return a denominator, and what each sequence of a player is worth against the others."""
        denominator, sequences, entries = self.payoffs[player]
        worth = [0] * self.treeplexes[player].size
        others = [
            (part, plan)
            for other, (part, plan) in enumerate(zip(sequences, plans, strict=True))
            if other != player
        ]
        for entry, (own, number) in enumerate(zip(sequences[player], entries, strict=True)):
            worth[own] += number * prod(plan[part[entry]] for part, plan in others)
        rest = prod(whole for other, whole in enumerate(wholes) if other != player)
        return denominator * rest, worth


class Listing:
    """A game by entries: treeplexes, and a row of player 0's payoffs for each sequence of either.

    Payoffs are integers over `denominator`.
    """

    def __init__(self, treeplexes: list[Treeplex], denominator: int, rows: list[Row]) -> None:
        self.treeplexes, self.denominator = treeplexes, denominator
        columns: list[Row] = [{} for _ in range(treeplexes[1].size)]
        for sequence, row in enumerate(rows):
            for column, entry in row.items():
                columns[column][sequence] = entry
        self.rows = rows, columns

    def check_plan(self, player: int, thing: Any, whole: int, name: str) -> list[int]:
        """Return integers that are `whole` times a plan of a player."""
        return self.treeplexes[player].check_plan(thing, whole, name)

    def best(self, player: int, plan: list[int]) -> int:
        """Return the most that a player can get against the other's plan, over the denominators."""
        sign = 1 - 2 * player
        return self.treeplexes[player].best(
            [
                sign * sum(entry * plan[place] for place, entry in row.items())
                for row in self.rows[player]
            ]
        )


def read_treeplexes(things: Any, count: int | None = None) -> list[Treeplex]:
    """Return the treeplexes of the players, of so many if that is known."""
    players = []
    for player, thing in enumerate(items(things, "treeplexes", count)):
        name = f"player {player}'s treeplex"
        parents, actions = (
            integers(part, name) for part in fields(thing, ("parents", "actions"), name)
        )
        players.append(Treeplex(parents, actions, name))
    require(bool(players), "there is no player")
    return players


def read_listing(treeplexes: Any, payoffs: Any) -> Listing:
    """Return a game that is listed by entries."""
    players = read_treeplexes(treeplexes, 2)
    denominator, *parts = fields(
        payoffs, ("denominator", "row_lengths", "columns", "numerators"), "payoffs"
    )
    denominator = integer(denominator, "payoffs")
    lengths, columns, entries = (integers(part, "payoffs") for part in parts)
    require(denominator > 0, "payoffs have no positive denominator")
    require(
        len(lengths) == players[0].size,
        f"payoffs have {len(lengths)} rows for {players[0].size} sequences",
    )
    require(
        min(lengths) >= 0 and sum(lengths) == len(columns) == len(entries),
        "the rows of the payoffs do not fit their entries",
    )
    require(
        all(0 <= column < players[1].size for column in columns),
        "payoffs have a column that is no sequence",
    )
    pairs = zip(columns, entries, strict=True)
    rows = [dict(next(pairs) for _ in range(length)) for length in lengths]
    require(sum(map(len, rows)) == len(columns), "payoffs have a row with a column twice")
    return Listing(players, denominator, rows)


def merge(game: Listing, colors: Any) -> Listing:
    """Return the quotient of a game by a coloring, after seeing that this has the game's value."""
    small, images, weights = [], [], []
    for player, thing in enumerate(items(colors, "colors", 2)):
        name, whole = f"player {player}'s coloring", game.treeplexes[player]
        sequences, of_infosets = fields(thing, ("sequences", "weights"), name)
        images.append(integers(sequences, name, whole.size))
        small.append(merge_infosets(whole, images[player], name))
        colors_of = [min(images[player][start:stop]) for _, start, stop in whole.infosets()]
        weight, follow = [1], [Row() for _ in range(whole.size)]
        for color, own, (parent, start, stop) in zip(
            colors_of, read_weights(of_infosets, name, colors_of), whole.infosets(), strict=True
        ):
            weight += [own] * (stop - start)
            add_to(follow[parent], color, own)
        weights.append(weight)
        Multiples(f"{name}: followers").add_all(images[player], weight, follow)
    paid = [Multiples(f"player {player}'s coloring: payoffs") for player in (0, 1)]
    for player in (0, 1):
        rows = (lump(row, images[1 - player]) for row in game.rows[player])
        paid[player].add_all(images[player], weights[player], rows)
    return Listing(small, game.denominator, paid[0].totals())


def merge_infosets(whole: Treeplex, image: list[int], name: str) -> Treeplex:
    """Return the treeplex of the images of sequences: those of a color are one information set."""
    found = {}
    for parent, start, stop in whole.infosets():
        block = sorted(image[start:stop])
        color = block[0]
        require(block == list(range(color, color + len(block))), f"{name} tears a set apart")
        require(
            found.setdefault(color, (image[parent], len(block))) == (image[parent], len(block)),
            f"{name}: what leads to members of color {color}, or their numbers of actions, differ",
        )
    in_order = [found[color] for color in sorted(found)]
    parents, actions = [parent for parent, _ in in_order], [count for _, count in in_order]
    small = Treeplex(parents, actions, name)
    require(
        image[0] == 0 and small.first[:-1] == sorted(found), f"{name} is not numbered without gaps"
    )
    return small


def lump(row: Row, images: list[int]) -> Row:
    """Return a vector with the entries added up that have one image."""
    total: Row = {}
    for place, entry in row.items():
        add_to(total, images[place], entry)
    return total


def add_to(row: Row, place: int, amount: int) -> None:
    """Add an amount to an entry of a vector."""
    row[place] = row.get(place, 0) + amount


# Refinements

Polynomial = tuple[int, ...]
"""Coefficients, the lowest power first: of two, the larger tuple is larger for small epsilon."""


class Trembling:
    """A player's plan that trembles, and what each sequence is paid against the other's."""

    def __init__(self, treeplex: Treeplex, plan: list[int], thing: Any, name: str) -> None:
        self.treeplex = treeplex
        parts = [integers(part, name, treeplex.size) for part in items(thing, name)]
        powers = [plan, *(treeplex.check_sums(part, name) for part in parts)]
        self.plan: list[Polynomial] = list(zip(*powers, strict=True))
        leading = [next(filter(None, entry), 0) for entry in self.plan]
        require(min(leading) > 0, f"{name} has an entry that is not positive for small epsilon")
        self.powers = [next(k for k, number in enumerate(entry) if number) for entry in self.plan]

    def played(self, parent: int, start: int, stop: int) -> list[int]:
        """Return the actions of an information set that the limit plays: as often as it comes."""
        return [a for a in range(start, stop) if self.powers[a] == self.powers[parent]]

    def is_quasi_perfect(self, worth: list[Polynomial]) -> bool:
        """Return whether the limit plays the best actions only, if best ones follow."""
        worth = list(worth)
        for parent, start, stop in reversed(list(self.treeplex.infosets())):
            best = max(worth[start:stop])
            if any(worth[action] != best for action in self.played(parent, start, stop)):
                return False
            worth[parent] = plus(worth[parent], best)
        return True

    def is_perfect(self, worth: list[Polynomial]) -> bool:
        """Return whether the limit plays the best actions only, if own later moves tremble."""
        plan, total = self.plan, list(map(times, worth, self.plan))
        for parent, start, stop in reversed(list(self.treeplex.infosets())):
            for action in self.played(parent, start, stop):
                for other in range(start, stop):
                    if times(total[other], plan[action]) > times(total[action], plan[other]):
                        return False
            for action in range(start, stop):
                total[parent] = plus(total[parent], total[action])
        return True


def plus(first: Polynomial, second: Polynomial) -> Polynomial:
    """Return the sum of polynomials of one length."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    """Return the product of polynomials."""
    product = [0] * (len(first) + len(second) - 1)
    for power, factor in enumerate(first):
        for other, number in enumerate(second):
            product[power + other] += factor * number
    return tuple(product)


def check_refinement(content: Any) -> str:
    """Return how the limit of trembling plans is refined; the plans were found to be some."""
    treeplexes = read_treeplexes(content["treeplexes"], 2)
    pays = paid_to_both(treeplexes, content)
    name, trembles = fields(content["refinement"], ("name", "trembles"), "the refinement")
    tests = {
        "quasi-perfect": Trembling.is_quasi_perfect,
        "extensive-form-perfect": Trembling.is_perfect,
    }
    require(isinstance(name, str) and name in tests, "the refinement is none that is known")
    sides = [
        Trembling(
            treeplex,
            integers(plan["numerators"], "plans"),
            thing,
            f"player {player}'s trembling plan",
        )
        for player, (treeplex, plan, thing) in enumerate(
            zip(treeplexes, content["plans"], items(trembles, "trembles", 2), strict=True)
        )
    ]
    for player, side in enumerate(sides):
        other = sides[1 - player].plan
        worth = [
            tuple(
                sum(number * other[place][power] for place, number in row.items())
                for power in range(len(other[0]))
            )
            for row in pays[player]
        ]
        require(tests[name](side, worth), f"player {player}'s limit is not {name}")
    return str(name)


def paid_to_both(treeplexes: list[Treeplex], content: Any) -> list[list[Row]]:
    """Return what each sequence of each player is paid against sequences of the other."""
    if "gains" not in content:
        first, second = read_listing(content["treeplexes"], content["payoffs"]).rows
        return [first, [{place: -entry for place, entry in row.items()} for row in second]]
    rows: list[list[Row]] = [[{} for _ in range(treeplex.size)] for treeplex in treeplexes]
    for player, (_, places, numbers) in enumerate(Players(treeplexes, content["payoffs"]).payoffs):
        for own, other, entry in zip(places[player], places[1 - player], numbers, strict=True):
            add_to(rows[player][own], other, entry)
    return rows


# Games by signals

EVERYONE = "everyone"
KINDS = {"deal": ("deal",), "player": ("player",), "outcome": ("outcome", "stake")}
Deal = tuple[int, ...]
Pays = Callable[[int, int, Deal], int]
Plan = dict[int, list[int]]
"""For each node of a player, the plan's integers class by class; for node -1, the denominator."""


class Deck:
    """What chance deals from: card i is there `copies[i]` times."""

    def __init__(self, thing: Any) -> None:
        cards, copies, again = fields(thing, ("cards", "copies", "replacement"), "the deck")
        check_names(items(cards, "the deck"), "the deck")
        require(type(again) is bool, "the deck does not say whether a card can come again")
        self.replacement = bool(again)
        self.copies = integers(copies, "the deck", len(cards))
        require(all(count > 0 for count in self.copies), "the deck has a card without copies")

    def num_ways(self, length: int) -> int:
        """Return in how many ways so many cards are dealt, copies told apart."""
        size = sum(self.copies)
        return prod(size if self.replacement else size - i for i in range(length))

    def deals(self, length: int, seen: Deal = ()) -> Iterator[tuple[Deal, int]]:
        """Yield the deals of so many cards after those seen, and the number of ways to each."""
        left = list(self.copies)
        for card in seen if not self.replacement else ():
            left[card] -= 1
        return self._deals(length, left)

    def _deals(self, length: int, left: list[int]) -> Iterator[tuple[Deal, int]]:
        if not length:
            yield (), 1
            return
        for card, copies in enumerate(left):
            if copies:
                left[card] -= not self.replacement
                for rest, ways in self._deals(length - 1, left):
                    yield (card, *rest), copies * ways
                left[card] += not self.replacement


class Node:
    """A node of the public tree.

    Chance deals to `what`, or player `what` acts, or the game has ended in outcome `what`. Signals
    were dealt to the `recipients`. `line[p]` is player p's last action above: a node, which is -1
    before the first, and a position there.
    """

    def __init__(self, thing: Any, nodes: list[Node]) -> None:
        number = len(nodes)
        name = f"node {number}"
        require(isinstance(thing, dict), f"{name} is no object")
        self.kind = next((kind for kind in KINDS if kind in thing), "outcome")
        parent, self.action, self.what, *stake = fields(
            thing, ("parent", "action", *KINDS[self.kind]), name
        )
        self.stake = fraction(stake[0], name) if stake else Fraction(0)
        self.recipients: tuple[Any, ...] = ()
        self.line = [(-1, 0), (-1, 0)]
        self.children: list[int] = []
        whom = (0, 1, EVERYONE) if self.kind == "deal" else (0, 1)
        require(
            self.kind == "outcome" or (self.what in whom and type(self.what) is not bool),
            f"{name} names {self.what!r} where a player should be",
        )
        parent = integer(parent, name)
        require(
            (parent, self.action) == (-1, None) if not number else 0 <= parent < number,
            f"{name} does not come after a parent",
        )
        if number:
            self._follow(nodes[parent], parent, number)

    def _follow(self, above: Node, parent: int, number: int) -> None:
        self.line, self.recipients = list(above.line), above.recipients
        if above.kind == "deal":
            self.recipients += (above.what,)
        elif above.kind == "player":
            self.line[above.what] = parent, len(above.children)
        above.children.append(number)

    @property
    def dealt(self) -> int:
        """How many signals were dealt."""
        return len(self.recipients)


def read_nodes(things: Any) -> list[Node]:
    """Return the public tree: each player's actions have names, and a deal has one child."""
    nodes: list[Node] = []
    for thing in items(things, "nodes"):
        nodes.append(Node(thing, nodes))
    require(bool(nodes), "there are no nodes")
    for number, node in enumerate(nodes):
        actions = [nodes[child].action for child in node.children]
        if node.kind == "player":
            check_names(actions, f"node {number}")
        is_right = (
            bool(actions) if node.kind == "player" else actions == [None] * (node.kind == "deal")
        )
        require(is_right, f"node {number} does not have the children of its kind")
    return nodes


def check_names(things: list[Any], where: str) -> None:
    """See that names are texts, and distinct."""
    require(all(isinstance(thing, str) for thing in things), f"{where} has a name that is no text")
    require(len(set(things)) == len(things), f"{where} has a name twice")


class Signals:
    """A game by signals: its deck, public tree and outcomes.

    A stage is a number of signals after which somebody acts or the game ends. For each player and
    stage, `seen` has the places of the signals that the player has seen, and `observations` the
    number of each observation and the ways to deal it.
    """

    def __init__(self, thing: Any) -> None:
        deck, nodes, outcomes = fields(thing, ("deck", "nodes", "outcomes"), "signals")
        self.deck, self.nodes = Deck(deck), read_nodes(nodes)
        recipients = max((node.recipients for node in self.nodes), key=len)
        require(
            all(node.recipients == recipients[: node.dealt] for node in self.nodes),
            "who sees a signal depends on the actions",
        )
        self.stages = sorted({node.dealt for node in self.nodes if node.kind != "deal"})
        require(self.deck.num_ways(self.stages[-1]) > 0, "the deck has too few cards")
        self.seen = [
            [
                [i for i, who in enumerate(recipients[:dealt]) if who in (player, EVERYONE)]
                for dealt in self.stages
            ]
            for player in (0, 1)
        ]
        self.observations = [
            [
                {deal: (i, ways) for i, (deal, ways) in enumerate(self.deck.deals(len(places)))}
                for places in stages
            ]
            for stages in self.seen
        ]
        self.outcomes = [
            self._outcome(outcome, f"outcome {number}")
            for number, outcome in enumerate(items(outcomes, "outcomes"))
        ]
        for number, node in enumerate(self.nodes):
            if node.kind == "outcome":
                end = integer(node.what, f"node {number}")
                require(
                    0 <= end < len(self.outcomes) and self.outcomes[end][0] == self.stage(node),
                    f"node {number} does not end in an outcome after so many signals",
                )

    def stage(self, node: Node) -> int:
        """Return the last stage with no more signals than were dealt; -1 before the first."""
        return bisect_right(self.stages, node.dealt) - 1

    def _outcome(self, thing: Any, name: str) -> tuple[int, Pays]:
        """Return the stage of an outcome, and what it pays by observations and deal."""
        require(isinstance(thing, dict), f"{name} is no object")
        kind = next((kind for kind in ("pays", "strengths") if kind in thing), "payoffs")
        called, signals, what = fields(thing, ("name", "signals", kind), name)
        check_names([called], name)
        require(integer(signals, name) in self.stages, f"{name} is at no stage")
        stage = self.stages.index(signals)
        if kind == "pays":
            always = integer(what, name)
            return stage, lambda mine, theirs, deal: always
        if kind == "strengths":
            first, second = (
                integers(part, name, len(self.observations[player][stage]))
                for player, part in enumerate(items(what, name, 2))
            )
            return (
                stage,
                lambda mine, theirs, deal: (
                    (first[mine] > second[theirs]) - (first[mine] < second[theirs])
                ),
            )
        deals = [deal for deal, _ in self.deck.deals(signals)]
        table = dict(zip(deals, integers(what, name, len(deals)), strict=True))
        return stage, lambda mine, theirs, deal: table[deal]


class Coloring:
    """Classes without gaps, from 0 on, and a weight for each member."""

    def __init__(self, thing: Any, length: int, name: str) -> None:
        classes, weights = fields(thing, ("classes", "weights"), name)
        self.of = integers(classes, name, length)
        self.weights = read_weights(weights, name, self.of)
        self.count = len(set(self.of))
        require(set(self.of) == set(range(self.count)), f"{name} has gaps")


class Classes:
    """The quotient of a game by signals, after seeing that it has the game's value.

    For each player and stage, `up` has the class of the stage before of each class. For each player
    and outcome, `paid` has for each class what player 0 is paid against classes of the other
    player: their numbers, and the amounts, times the ways to deal the signals.
    """

    def __init__(self, game: Signals, thing: Any) -> None:
        self.game, stages = game, range(len(game.stages))
        self.classes = [
            [
                Coloring(
                    part,
                    len(game.observations[player][stage]),
                    f"player {player}'s coloring of stage {stage}",
                )
                for stage, part in enumerate(items(parts, "classes", len(stages)))
            ]
            for player, parts in enumerate(items(thing, "classes", 2))
        ]
        self.up = [[self._parents(player, stage) for stage in stages] for player in (0, 1)]
        self.paid = [self._paid(player) for player in (0, 1)]
        self.unit = lcm(*(node.stake.denominator for node in game.nodes))
        self.denominator = self.unit * game.deck.num_ways(game.stages[-1])

    def _parents(self, player: int, stage: int) -> list[int]:
        """Return the class of the stage before of each class; before the first there is one."""
        coloring, name = self.classes[player][stage], f"player {player}'s coloring of stage {stage}"
        if not stage:
            return [0] * coloring.count
        before, up = self.classes[player][stage - 1], [-1] * coloring.count
        earlier = self.game.observations[player][stage - 1]
        length = len(self.game.seen[player][stage - 1])
        follow: list[Row] = [{} for _ in before.of]
        for observed, (number, _) in self.game.observations[player][stage].items():
            above, color = earlier[observed[:length]][0], coloring.of[number]
            if up[color] < 0:
                up[color] = before.of[above]
            require(
                up[color] == before.of[above],
                f"{name} has a color whose members came from different ones",
            )
            add_to(follow[above], color, coloring.weights[number])
        Multiples(f"{name}: followers").add_all(before.of, before.weights, follow)
        return up

    def _paid(self, player: int) -> list[list[tuple[list[int], list[int]]]]:
        """Return what the classes of a player are paid at each outcome."""
        outcomes = list(enumerate(self.game.outcomes))
        paid = [Multiples(f"player {player}'s payoffs of outcome {end}") for end, _ in outcomes]
        for stage in range(len(self.game.stages)):
            ends = [(paid[end], pays) for end, (at, pays) in outcomes if at == stage]
            if ends:
                self._meet(player, stage, ends)
        return [[(list(row), list(row.values())) for row in end.totals()] for end in paid]

    def _meet(self, player: int, stage: int, ends: list[tuple[Multiples, Pays]]) -> None:
        """Go through all deals of a stage, by what the player has seen of them."""
        game, coloring = self.game, self.classes[player][stage]
        others, of_other = game.observations[1 - player][stage], self.classes[1 - player][stage].of
        mine, theirs = game.seen[player][stage], game.seen[1 - player][stage]
        hidden = [place for place in range(game.stages[stage]) if place not in mine]
        order = sorted(range(game.stages[stage]), key=[*mine, *hidden].__getitem__)
        for observed, (number, ways) in game.observations[player][stage].items():
            rows: list[Row] = [{} for _ in ends]
            for rest, more in game.deck.deals(len(hidden), observed):
                deal = tuple(map((observed + rest).__getitem__, order))
                other = others[tuple(map(deal.__getitem__, theirs))][0]
                pair = (other, number) if player else (number, other)
                for row, (_, pays) in zip(rows, ends, strict=True):
                    add_to(row, of_other[other], ways * more * pays(*pair, deal))
            for row, (multiples, _) in zip(rows, ends, strict=True):
                multiples.add(coloring.of[number], coloring.weights[number], row)

    def reach(self, player: int, node: Node, plan: Plan) -> list[int]:
        """Return what leads each class of a player to a node, in the plan's integers."""
        stage = self.game.stage(node)
        above, position = node.line[player]
        start, width = -1, 1
        if above >= 0:
            start = self.game.stage(self.game.nodes[above])
            width = len(self.game.nodes[above].children)
        colors = list(range(self.classes[player][stage].count))
        for later in range(stage, start, -1):
            colors = [self.up[player][later][color] for color in colors]
        return [plan[above][color * width + position] for color in colors]

    def check_plan(self, player: int, thing: Any, whole: int, name: str) -> Plan:
        """Return integers that are `whole` times a plan of a player."""
        numbers = [
            number
            for number, node in enumerate(self.game.nodes)
            if node.kind == "player" and node.what == player
        ]
        plan: Plan = {-1: [whole]}
        for number, part in zip(numbers, items(thing, name, len(numbers)), strict=True):
            node = self.game.nodes[number]
            width = len(node.children)
            count = self.classes[player][self.game.stage(node)].count
            plan[number] = integers(part, name, count * width)
            require(min(plan[number]) >= 0, f"{name} has a negative entry")
            sums = [sum(plan[number][i : i + width]) for i in range(0, count * width, width)]
            require(
                sums == self.reach(player, node, plan), f"{name} does not add up at node {number}"
            )
        return plan

    def best(self, player: int, plan: Plan) -> int:
        """Return the most that a player can get against the other's plan, over the denominators."""
        worth: dict[int, list[int]] = {}
        for number in range(len(self.game.nodes) - 1, -1, -1):
            node = self.game.nodes[number]
            below = [worth.pop(child) for child in node.children]
            if node.kind == "outcome":
                worth[number] = self._end(player, node, plan)
            elif node.kind == "deal":
                worth[number] = self._before_deal(player, node, below[0])
            else:
                take: Callable[[Iterable[int]], int] = max if node.what == player else sum
                worth[number] = [take(amounts) for amounts in zip(*below, strict=True)]
        return sum(worth[0])

    def _end(self, player: int, node: Node, plan: Plan) -> list[int]:
        """Return what each class of a player gets where the game ends."""
        deck, stages = self.game.deck, self.game.stages
        ways = deck.num_ways(stages[-1]) // deck.num_ways(node.dealt)
        scale = int(node.stake * self.unit) * ways * (1 - 2 * player)
        reached = self.reach(1 - player, node, plan)
        return [
            scale * sum(map(mul, amounts, map(reached.__getitem__, others)))
            for others, amounts in self.paid[player][node.what]
        ]

    def _before_deal(self, player: int, node: Node, worth: list[int]) -> list[int]:
        """Return what each class of a player gets before a signal is dealt."""
        before, stage = self.game.stage(node), self.game.stage(self.game.nodes[node.children[0]])
        if before == stage:
            return worth
        total = [0] * (self.classes[player][before].count if before >= 0 else 1)
        for color, amount in zip(self.up[player][stage], worth, strict=True):
            total[color] += amount
        return total


# The claim


def check(content: Any, description: Any = None) -> tuple[Any, Fraction, Fraction]:
    """Return the game's name and the bounds on its value that a certificate proves."""
    claim = "interval" if "interval" in content else "value"
    listed = ("signals",) if "signals" in content else ("treeplexes", "payoffs")
    colored = ("classes",) if "signals" in content else ("colors",) * ("colors" in content)
    refined = ("refinement",) * ("refinement" in content and not colored)
    check_head(content, listed, colored, (claim, *refined))
    require(
        description is None or canonical(content.get("signals")) == canonical(description),
        "the game is not the one of the second file",
    )
    plans, claimed = content["plans"], content[claim]
    game: Listing | Classes
    if "signals" in content:
        game = Classes(Signals(content["signals"]), content["classes"])
    else:
        game = read_listing(content["treeplexes"], content["payoffs"])
        game = merge(game, content["colors"]) if colored else game
    lower, upper = prove(game, plans)
    low, high = (
        fraction(bound, claim)
        for bound in (items(claimed, claim, 2) if claim == "interval" else (claimed, claimed))
    )
    require(low < high or claim == "value", "the interval is one number, which is a value")
    require(lower == low, f"player 0's plan does not guarantee the {claim}")
    require(upper == high, f"player 1's plan does not hold player 0 to the {claim}")
    return content["game"], lower, upper


def check_gains(content: Any) -> tuple[Any, list[Fraction], list[Fraction]]:
    """Return the game's name, and each player's payoff and gain that a certificate proves."""
    refined = ("refinement",) * ("refinement" in content)
    check_head(content, ("treeplexes", "payoffs"), (), ("values", "gains", *refined))
    game = Players(read_treeplexes(content["treeplexes"]), content["payoffs"])
    proven = game.prove(content["plans"])
    for name, numbers in zip(("values", "gains"), proven, strict=True):
        claims = items(content[name], name, len(game.treeplexes))
        for player, (claim, number) in enumerate(zip(claims, numbers, strict=True)):
            require(
                fraction(claim, name) == number, f"the plans do not prove player {player}'s {name}"
            )
    return content["game"], *proven


def check_head(
    content: Any, listed: Sequence[str], colored: Sequence[str], claims: Sequence[str]
) -> None:
    """See that a certificate has its fields and no others, and is of the game that was hashed."""
    names = ("format", "version", "game", *listed, "hash", *colored, "plans", *claims)
    kind, version, *_ = fields(content, names, "the certificate")
    require(
        kind == "seqform-certificate" and type(version) is int and version == 1,
        "this is no seqform-certificate of version 1",
    )
    text = canonical({name: content[name] for name in ("game", *listed)})
    require(
        hashlib.sha256(text.encode()).hexdigest() == content["hash"],
        "the game is not the one that was hashed",
    )


def canonical(thing: Any) -> str:
    """Return a JSON value as text: equal values, equal texts."""
    return json.dumps(thing, sort_keys=True, separators=(",", ":"))


def prove(game: Listing | Classes, things: Any) -> tuple[Fraction, Fraction]:
    """Return what player 0's plan guarantees, and what player 1's holds player 0 to."""
    wholes, plans = [], []
    for player, thing in enumerate(items(things, "plans", 2)):
        name = f"player {player}'s plan"
        whole, plan = fields(thing, ("denominator", "numerators"), name)
        wholes.append(integer(whole, name))
        require(wholes[player] > 0, f"{name} has no positive denominator")
        plans.append(game.check_plan(player, plan, wholes[player], name))
    upper, lower = (
        Fraction(game.best(player, plans[1 - player]), game.denominator * wholes[1 - player])
        for player in (0, 1)
    )
    return -lower, upper


def main(arguments: list[str]) -> int:
    """Check a file, or those of a folder, say what was found, and return the exit status."""
    if len(arguments) not in (1, 2) or arguments[0] in ("-h", "--help"):
        usage = "check_certificate.py certificate.json or folder [description.json]"
        print(f"usage: {usage}", file=sys.stderr)
        return 2
    if not os.path.isdir(arguments[0]):
        return checked(arguments)
    names = sorted(filter(CERTIFICATE.fullmatch, os.listdir(arguments[0])))
    if not names:
        print(f"refused: {arguments[0]} holds no certificate.json, nor certificate.json.gz")
        return 1
    paths = [os.path.join(arguments[0], name) for name in names]
    return max(checked([path, *arguments[1:]], f"{path}: ") for path in paths)


def checked(arguments: list[str], where: str = "") -> int:
    """Check a file, say what was found, and return the exit status."""
    try:
        found = confirmed(*map(read, arguments))
    except (RefusedError, OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        print(f"{where}refused: {error}")
        return 1
    print(f"{where}confirmed: {found}")
    return 0


def confirmed(content: Any, description: Any = None) -> str:
    """Return what a certificate proves, as a sentence."""
    require(isinstance(content, dict), "the certificate is no object")
    if "gains" in content:
        require(description is None, "only a game by signals is compared with a second file")
        game, values, gains = check_gains(content)
        write_long_numbers()
        return (
            f"in the game described, called {json.dumps(game)}, the plans pay the players "
            f"{', '.join(map(str, values))}, and by deviating alone they gain at most "
            f"{', '.join(map(str, gains))}{refinement(content)}{gains_in_decimals(values, gains)}"
        )
    game, lower, upper = check(content, description)
    write_long_numbers()
    proven = f"is {lower}" if lower == upper else f"is from {lower} to {upper}"
    what = f"the value to player 0 of the game described, called {json.dumps(game)}, {proven}"
    return what + refinement(content) + value_in_decimals(lower, upper)


def value_in_decimals(lower: Fraction, upper: Fraction) -> str:
    """Return a value, or an interval rounded outwards, for people; nothing of an integer."""
    if lower == upper:
        return "" if lower.denominator == 1 else f"; that is {decimal(lower)}"
    ends = decimal(lower, ROUND_FLOOR), decimal(upper, ROUND_CEILING)
    return (
        f"; that is from {ends[0]} to {ends[1]}, {decimal(upper - lower, ROUND_CEILING, 3)} apart"
    )


def gains_in_decimals(values: list[Fraction], gains: list[Fraction]) -> str:
    """Return what is paid and gained for people, gains rounded up; nothing of integers alone."""
    if all(number.denominator == 1 for number in (*values, *gains)):
        return ""
    paid = ", ".join(map(decimal, values))
    most = ", ".join(decimal(gain, ROUND_CEILING, 3) for gain in gains)
    return f"; that is {paid}, and at most {most}"


def decimal(number: Fraction, rounding: str = ROUND_HALF_EVEN, digits: int = 9) -> str:
    """Return a fraction in so many decimal digits."""
    context = Context(prec=digits, rounding=rounding)
    return str(context.divide(Decimal(number.numerator), Decimal(number.denominator))).lower()


def refinement(content: Any) -> str:
    """Return what is proven of trembling plans, if anything is said of them."""
    if "refinement" not in content:
        return ""
    return f"; the limit of the trembling plans is {check_refinement(content)}"


def write_long_numbers() -> None:
    """Let integers of any length be printed; read are none, since certificates hold hexadecimal."""
    sys.set_int_max_str_digits(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
