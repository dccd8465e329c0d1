"""No-limit trees against plain recursion, what rules promise, and what is written and read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bet_sizes import BetSize, Stakes, read_size, total_of
from games.betting_edits import ADD, CARD, REMOVE, Edit, read_edits
from games.no_limit_betting import no_limit_betting
from games.no_limit_rules import NoLimitRules
from games.size_plan import POSITIONS, STREETS, read_plan
from seqform.game.betting_tree import BettingTree
from seqform.game.rules import CHANCE, TERMINAL
from tests.examples import examples
from tests.reference.plain_no_limit import PlainSpot, plain_tree

SIZES = ["25%", "33.3%", "50%", "75%", "150%", "3c", "10.5c", "e", "1e", "2e", "a"]
KINDS = ("bet", "raise", "donk", "cap")
CHIPS = {"1": 1, "0.5": Fraction(1, 2), "0.1": Fraction(1, 10), "2": 2}


@st.composite
def plans(draw: st.DrawFn, most: int = 2) -> str:
    """Draw the text of a plan; general clauses first, so that each is heard."""
    bets = st.lists(st.sampled_from(SIZES), max_size=most, unique=True)
    raises = st.lists(st.sampled_from([*SIZES, "2.5x", "3x"]), max_size=most, unique=True)
    kinds = {"bet": bets, "raise": raises, "donk": bets}
    clauses = [f"bet {written(draw(bets))}", f"raise {written(draw(raises))}"]
    if draw(st.booleans()):
        clauses.append(f"cap {draw(st.integers(0, 3))}")
    for place in ["flop", "oop river", "turn oop"][: draw(st.integers(0, 3))]:
        kind = draw(st.sampled_from(["bet", "raise", "donk"]))
        clauses.append(f"{place} {kind} {written(draw(kinds[kind]))}")
    return "; ".join(clauses)


def written(sizes: list[str]) -> str:
    return ", ".join(sizes) or "none"


def mostly(usual: str, *others: str) -> st.SearchStrategy[str]:
    return st.sampled_from([usual, usual, *others])


@st.composite
def spots(draw: st.DrawFn) -> dict[str, Any]:
    chip = draw(st.sampled_from(sorted(CHIPS)))
    streets = draw(st.integers(1, 3))
    return {
        "pot": draw(st.integers(1, 40)) * CHIPS[chip],
        "stack": draw(st.integers(1, [0, 60, 40, 25][streets])) * CHIPS[chip],
        "sizes": draw(plans()),
        "streets": streets,
        "chip": chip,
        "min_bet": draw(mostly("0", "1", "2.5")),
        "min_raise": draw(mostly("1", "0", "1.5")),
        "add_allin": draw(mostly("0", "1.5")),
        "allin_threshold": draw(mostly("1", "0.6")),
        "force_allin": draw(mostly("0", "0.2")),
        "merge": draw(mostly("0", "0.1", "0.3")),
        "rake": draw(mostly("0", "0.05")),
        "rake_cap": draw(mostly("0", "2")),
    }


def plain_of(given: dict[str, Any]) -> PlainSpot:
    """Read a spot anew, by hand."""
    sizes: dict[tuple[int, str, str], list[str]] = {}
    caps = {}
    for clause in given["sizes"].split(";"):
        *where, kind = clause.replace(",", " ").split()[: _place_of_kind(clause) + 1]
        said = clause.split(kind, 1)[1].replace(" ", "").split(",")
        for street in [word for word in where if word in STREETS] or STREETS:
            if kind == "cap":
                caps[street] = int(said[0])
            for player, position in enumerate(POSITIONS):
                heard = position in where or not set(where) & set(POSITIONS)
                if heard and kind != "cap" and (kind != "donk" or player == 0):
                    sizes[player, street, kind] = [] if said == ["none"] else said
    numbers = {
        name: Fraction(value) for name, value in given.items() if name not in ("sizes", "streets")
    }
    return PlainSpot(streets=given["streets"], sizes=sizes, caps=caps, **numbers)


def _place_of_kind(clause: str) -> int:
    words = clause.replace(",", " ").split()
    return next(
        place for place, word in enumerate(words) if word in ["bet", "raise", "donk", "cap"]
    )


def described(tree: BettingTree) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for node, line in enumerate(tree.lines):
        player = int(tree.player[node])
        paid = [[Fraction(int(x), tree.denominator) for x in of] for of in tree.paid[node]]
        ends = tuple((of[0], of[1]) for of in paid)
        found[line] = {CHANCE: "deal", TERMINAL: ends}.get(player, player)
    return found


@given(spots())
@examples(50, 100)
def test_trees_are_those_of_plain_recursion(given: dict[str, Any]) -> None:
    tree = no_limit_betting(NoLimitRules(**given))
    found, wanted = described(tree), plain_tree(plain_of(given))
    assert len(found) == tree.num_nodes  # no two nodes are written alike
    assert found == wanted


@given(spots())
def test_nobody_pays_more_than_there_is(given: dict[str, Any]) -> None:
    rules = NoLimitRules(**given)
    tree = no_limit_betting(rules)
    most = Fraction(rules.pot) / 2 + Fraction(rules.stack)
    for node in range(tree.num_nodes):
        for of in tree.paid[node].tolist():
            assert -most <= min(Fraction(amount, tree.denominator) for amount in of)
            lost = Fraction(-sum(of), tree.denominator)
            assert 0 <= lost <= Fraction(rules.rake) * 2 * most
    if not rules.rake:
        assert tree.constant_sum == 0


@given(spots())
def test_raises_are_large_enough_or_all_in(given: dict[str, Any]) -> None:
    rules = NoLimitRules(**given)
    to_see = [rules.root()]
    for spot in to_see:
        children = rules.children(spot)
        for action, after in children.items():
            if str(action).startswith("raise"):
                assert after.step >= max(Fraction(rules.min_raise) * spot.step, 1)
            if str(action).startswith("allin"):
                assert set(rules.children(after)) == {"fold", "call"}
        to_see += children.values()


@given(plans(most=4))
def test_plans_are_read_as_they_are_written(text: str) -> None:
    plan = read_plan(text)
    assert read_plan(str(plan)) == plan
    assert str(read_plan(str(plan))) == str(plan)


@given(st.sampled_from("%xc"), st.integers(1, 10**6), st.integers(0, 4))
def test_sizes_are_read_as_they_are_written(kind: str, digits: int, places: int) -> None:
    size = BetSize(kind, Fraction(digits, 10**places) + (kind == "x"))
    assert read_size(str(size)) == size


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(1, 10**6), st.integers(1, 4))
def test_geometric_bets_put_in_the_stack_with_the_last(
    pot: int, facing: int, behind: int, streets: int
) -> None:
    at = Stakes(pot, facing, facing + behind, streets)
    bet = total_of(BetSize("e"), at) - facing

    def grown(bet: Fraction) -> Fraction:
        return pot * (1 + 2 * bet / pot) ** streets

    aim = pot + 2 * behind
    assert grown(bet - Fraction(1, 2)) <= aim < grown(bet + Fraction(1, 2))


def lines_of(rules: NoLimitRules) -> list[str]:
    return [line for line in no_limit_betting(rules).lines if line]


def edit_at(line: str, kind: str) -> Edit:
    edit = read_edits(f"{REMOVE} {line}")[0]
    return edit._replace(kind=kind)


@given(spots(), st.data())
def test_a_line_that_is_removed_is_all_that_is_missing(
    given: dict[str, Any], data: st.DataObject
) -> None:
    every = lines_of(NoLimitRules(**given))
    passive = [line for line in every if not line.endswith(CARD)]
    line = data.draw(st.sampled_from(passive))
    siblings = [other for other in passive if _parent(other) == _parent(line)]
    if len(siblings) == 1:
        return
    left = lines_of(NoLimitRules(**given, edits=f"remove {line}"))
    gone = [other for other in every if other == line or other.startswith((line + "-", line + "/"))]
    assert sorted(left) == sorted(set(every) - set(gone))


def _parent(line: str) -> tuple[str, ...]:
    return edit_at(line, REMOVE).path


@given(spots(), st.data())
def test_what_is_there_cannot_be_added(given: dict[str, Any], data: st.DataObject) -> None:
    every = lines_of(NoLimitRules(**given))
    bets = [line for line in every if _last(line)[0] in "bra"]
    if not bets:
        return
    line = data.draw(st.sampled_from(bets))
    edit = edit_at(line, ADD)
    assert read_edits(str(edit)) == (edit,)
    with pytest.raises(ValueError, match="there already"):
        NoLimitRules(**given, edits=str(edit))


def _last(line: str) -> str:
    return edit_at(line, REMOVE).action if not line.endswith(CARD) else CARD


@given(spots(), st.data())
def test_a_size_that_is_added_is_at_its_place(given: dict[str, Any], data: st.DataObject) -> None:
    rules = NoLimitRules(**given)
    tree = no_limit_betting(rules)
    acting = [node for node in range(tree.num_nodes) if tree.player[node] >= 0]
    node = data.draw(st.sampled_from(acting))
    path = _path_of(tree, node)
    spot = rules.root()
    for step in path:
        spot = rules.child(spot, step)
    least, most = min(rules.least(spot), rules.left(spot)), rules.left(spot)
    label = rules.label(spot, data.draw(st.integers(least, most)))
    if spot.facing == most or label in rules.actions(spot):
        return
    edit = Edit(ADD, tuple(CARD if step is None else step for step in path), label)
    assert read_edits(str(edit)) == (edit,)
    grown = no_limit_betting(NoLimitRules(**given, edits=(edit,)))
    there = {line for line in grown.lines if line not in set(tree.lines)}
    joint = "" if not tree.lines[node] or tree.lines[node].endswith("/") else "-"
    assert min(there, key=len) == tree.lines[node] + joint + label
    assert set(tree.lines) <= set(grown.lines)


def _path_of(tree: BettingTree, node: int) -> list[str | None]:
    path: list[str | None] = []
    while node:
        path.append(tree.actions[node])
        node = int(tree.parent[node])
    return path[::-1]
