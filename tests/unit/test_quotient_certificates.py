"""Certificates of quotients: a true coloring and true plans are confirmed by the checker and read
by the library, and whatever else is in the file is refused by both."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abstraction.color_refinement import refine_colors
from abstraction.outcome import OUTCOME
from games.kuhn import kuhn
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import TreeBuilder, build_sequence_form, build_tree, reduce, solve
from seqform.base.arrays import Ints
from seqform.base.errors import ResultFileError, UnsupportedGameError, VerificationError
from seqform.base.whole_folder import checksum, digests
from seqform.exact.bracket import interval_of
from seqform.exact.certificate import as_bytes, certificate_of, exact, numbers
from seqform.exact.color_weights import class_weights
from seqform.exact.plan_proof import ProvenInterval
from seqform.exact.quotient_file import (
    Quotient,
    merge_infosets,
    quotient_of_form,
    quotient_of_signals,
    read_quotient_certificate,
    read_signal_certificate,
    write_quotient_certificate,
)
from seqform.exact.signal_description import describe
from seqform.form.from_signals import build_signal_form
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE
from seqform.links.lifting import lift_profile
from seqform.results.verification import verify
from tests.certificates import (
    CHECKER,
    RULES,
    at,
    forgeries,
    load_tool,
    places,
    put,
    rehashed,
    unit,
)
from tests.command_line import call
from tests.intervals import LEDUC
from tests.random_signal_games import POKER, Public, RandomSignalGame, random_signal_game
from tests.shrinkable_games import copied_game, observable_game

IDENTITY = {"name": "a game", "params": {}, "unit": "chips", "fingerprint": ""}
Read = Callable[[Path], ProvenInterval]


@pytest.fixture(scope="module")
def checker() -> Any:
    return load_tool(CHECKER)


@pytest.fixture
def verdict(checker: Any, tmp_path: Path) -> Callable[..., str]:
    """Return what tells why the checker refuses a JSON value; '' if it confirms it.

    The library must agree, where it is told how to read it.
    """

    def judge(content: Any, read: Read | None = None) -> str:
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(content))
        try:
            checker.check(checker.read(str(path)))
            reason = ""
        except checker.RefusedError as error:
            reason = str(error)
        if read is not None:
            assert accepted(read, path) == (not reason), reason
        return reason

    return judge


def accepted(read: Read, path: Path) -> bool:
    try:
        read(path)
    except (VerificationError, ResultFileError):
        return False
    return True


def proof_in(form: SequenceForm, bits: int | None = None) -> ProvenInterval:
    """Return an exact equilibrium of a quotient, or the interval of plans of so many bits."""
    solution = solve(form, exact=bits is None)
    assert solution.profile is not None
    found = solution.exact.proven if bits is None else interval_of(form, solution.profile, bits)
    assert found is not None
    return found


def written(path: Path, quotient: Quotient, bits: int | None = None) -> Any:
    write_quotient_certificate(path, quotient, IDENTITY, proof_in(quotient.form, bits))
    return json.loads(path.read_text())


def by_signals(path: Path, game: Any, bits: int | None = None) -> tuple[Any, Read]:
    """Return a certificate of a signal game by its `equitable` classes, and what reads it."""
    smaller, _ = reduce(game, "equitable")
    assert smaller.signals is not None
    structure = SignalStructure(game)
    read = partial(read_signal_certificate, structure=structure, identity=IDENTITY)
    return written(path, quotient_of_signals(*smaller.signals), bits), read


def by_entries(path: Path, form: SequenceForm, bits: int | None = None) -> tuple[Any, Read]:
    """Return a certificate of a sequence form by color refinement, and what reads it."""
    _, inverse = refine_colors(form)
    read = partial(read_quotient_certificate, game=form, identity=IDENTITY)
    return written(path, quotient_of_form(form, inverse.sequences), bits), read


def two_scales() -> SequenceForm:
    """Two copies of one decision, seen by player 0; in the second, chance and payoffs are other.

    They are merged with weights 1 and 6, and with actions in another order.
    """
    b = TreeBuilder(2)
    copies = b.chance(b.root, [("first", Fraction(1, 3)), ("second", Fraction(2, 3))])
    for scale, (copy, label) in enumerate(zip(copies, ("ab", "ba"), strict=True)):
        for action, node in zip(label, b.decision(copy, 0, label, list(label)), strict=True):
            for j, leaf in enumerate(b.decision(node, 1, "hidden", ["c", "d"])):
                payoff = {"a": (3, -1), "b": (-2, 1)}[action][j] * (1 + 2 * scale)
                b.terminal(leaf, (payoff, -payoff))
    return build_sequence_form(b.freeze())


def on_tree(seed: int) -> SequenceForm:
    tree = observable_game(seed, ranks=1 + seed % 3, depth=3)
    return build_sequence_form(tree if seed % 2 else copied_game(tree, seed, 2, shuffled=True))


@pytest.mark.parametrize("seed", range(30))
def test_what_the_quotient_proves_holds_in_the_game(
    seed: int, tmp_path: Path, verdict: Callable[..., str]
) -> None:
    """The checker confirms it, and lifted plans prove the same interval, but for their rounding."""
    form = on_tree(seed)
    smaller, inverse = refine_colors(form)
    profile = solve(smaller).profile
    assert profile is not None
    path = tmp_path / "certificate.json"
    quotient = quotient_of_form(form, inverse.sequences)
    proven = interval_of(smaller, profile, 20)
    write_quotient_certificate(path, quotient, IDENTITY, proven)
    read = partial(read_quotient_certificate, game=form, identity=IDENTITY)
    assert verdict(json.loads(path.read_text()), read) == ""
    lifted = interval_of(form, lift_profile(profile, inverse), 20)
    assert max(proven.lower, lifted.lower) <= min(proven.upper, lifted.upper)
    for one, other in ((proven.lower, lifted.lower), (proven.upper, lifted.upper)):
        assert float(one) == pytest.approx(float(other), abs=1e-4)


@pytest.mark.parametrize("seed", range(30))
def test_signal_games_are_checked_by_their_description(
    seed: int, tmp_path: Path, verdict: Callable[..., str]
) -> None:
    game = random_signal_game(seed)
    content, read = by_signals(tmp_path / "certificate.json", game)
    assert verdict(content, read) == ""
    exact = solve(game, exact=True).exact
    assert exact is not None
    assert Fraction(*(int(str(n), 0) for n in content["value"])) == exact.value


@pytest.mark.parametrize("name", POKER)
def test_poker_is_checked_by_both_descriptions(
    name: str, tmp_path: Path, verdict: Callable[..., str]
) -> None:
    path = tmp_path / "certificate.json"
    content, read = by_signals(path, POKER[name], 30)
    assert verdict(content, read) == ""
    if name.startswith(("kuhn", "leduc, suits")):
        form = build_sequence_form(build_tree(POKER[name]))
        content, read = by_entries(path, form, 30)
        assert verdict(content, read) == ""


def test_weights_and_orders_of_actions(tmp_path: Path, verdict: Callable[..., str]) -> None:
    content, read = by_entries(tmp_path / "certificate.json", two_scales())
    assert content["colors"][0] == {"sequences": [0, 1, 2, 2, 1], "weights": [1, 6]}
    assert verdict(content, read) == ""
    for weights in ([1, 1], [6, 1], [1, 5], [1, 7]):
        wrong = put(content, ("colors", 0, "weights"), weights)
        assert "payoffs differ" in verdict(wrong, read)
    assert "differ" in verdict(put(content, ("colors", 0, "sequences"), [0, 1, 2, 1, 2]), read)


CASES: dict[str, Callable[[Path], tuple[Any, Read]]] = {
    "signals": lambda path: by_signals(path, kuhn()),
    "signals, an interval": lambda path: by_signals(path, kuhn(), 3),
    "entries": lambda path: by_entries(path, two_scales()),
}


@pytest.mark.parametrize("case", CASES)
def test_one_unit_anywhere_is_refused(
    case: str, tmp_path: Path, verdict: Callable[..., str]
) -> None:
    content, read = CASES[case](tmp_path / "written.json")
    assert verdict(content, read) == ""
    for number, (place, forged) in enumerate(forgeries(content)):
        assert verdict(forged, None if number % 4 else read), place  # the library takes longer


@pytest.mark.parametrize("case", CASES)
def test_missing_and_foreign_fields_are_refused(
    case: str, tmp_path: Path, verdict: Callable[..., str]
) -> None:
    content, read = CASES[case](tmp_path / "written.json")
    objects = {place[:end] for place in places(content) for end in range(len(place))}
    for place in objects:
        thing = at(content, place)
        if not isinstance(thing, dict) or place[:1] == ("game",):
            continue
        for key in thing:
            fewer = {name: value for name, value in thing.items() if name != key}
            forged = rehashed(put(content, place, fewer)) if place else fewer
            assert verdict(forged), (place, key)
        more = thing | {"more": 1}
        assert verdict(rehashed(put(content, place, more)) if place else more), place
    assert verdict(content, read) == ""


END = {"parent": 5, "action": "more", "outcome": 0, "stake": [1, 1]}
NODES: tuple[str | int, ...] = ("signals", "nodes")
DECK, OUTCOME_0 = ("signals", "deck"), ("signals", "outcomes", 0)
CLASSES, PLAN = ("classes", 0, 0), ("plans", 0, "numerators")

MALFORMED: list[tuple[tuple[Any, ...], Any, str]] = [
    ((*DECK, "replacement"), 0, "whether a card can come again"),
    ((*DECK, "cards", 0), 3, "no text"),
    ((*DECK, "cards", 0), "Q", "name twice"),
    ((*DECK, "cards"), {}, "no list"),
    ((*DECK, "copies"), [1, 1], "2 entries, not 3"),
    ((*DECK, "copies", 0), 0, "without copies"),
    ((*DECK, "copies", 0), -1, "without copies"),
    (DECK, {"cards": ["J"], "copies": [1], "replacement": False}, "too few cards"),
    (NODES, [], "no nodes"),
    ((*NODES, 5), 3, "no object"),
    ((*NODES, 0, "parent"), 0, "after a parent"),
    ((*NODES, 0, "parent"), -2, "after a parent"),
    ((*NODES, 0, "action"), "deal", "after a parent"),
    ((*NODES, 3, "parent"), 3, "after a parent"),
    ((*NODES, 3, "parent"), -1, "after a parent"),
    ((*NODES, 3, "action"), None, "no text"),
    ((*NODES, 3, "action"), "bet", "name twice"),
    ((*NODES, 2, "action"), "deal", "children of its kind"),
    ((*NODES, 3, "player"), 2, "where a player should be"),
    ((*NODES, 3, "player"), -1, "where a player should be"),
    ((*NODES, 3, "player"), True, "where a player should be"),
    ((*NODES, 3, "player"), "everyone", "where a player should be"),
    ((*NODES, 0, "deal"), 2, "where a player should be"),
    ((*NODES, 0, "deal"), False, "where a player should be"),
    ((*NODES, 5, "outcome"), 2, "after so many signals"),
    ((*NODES, 5, "outcome"), -1, "after so many signals"),
    ((*NODES, 5, "outcome"), True, "no integer"),
    ((*NODES, 5, "stake"), [2, 2], "lowest terms"),
    (OUTCOME_0, 3, "no object"),
    ((*OUTCOME_0, "signals"), 1, "at no stage"),
    ((*OUTCOME_0, "name"), 1, "no text"),
    ((*OUTCOME_0, "strengths"), [[0, 1, 2]], "1 entries, not 2"),
    ((*OUTCOME_0, "strengths", 1), [0, 1], "2 entries, not 3"),
    (OUTCOME_0, {"name": "showdown", "signals": 2, "payoffs": [1]}, "1 entries, not 6"),
    (OUTCOME_0, {"name": "showdown", "signals": 2, "pays": 0, "payoffs": []}, "fields"),
    ((*CLASSES, "classes"), [0, 0, 2], "gaps"),
    ((*CLASSES, "classes"), [0, 1, -1], "gaps"),
    ((*CLASSES, "classes"), [0, 1, True], "no integer"),
    ((*CLASSES, "weights"), [1, 1, -1], "negative weight"),
    ((*CLASSES, "weights"), [1, 1, 2], "common divisor"),
    ((*CLASSES, "weights"), [1, 1, 0], "payoffs of outcome 0 differ"),
    (("classes", 0), [], "0 entries, not 1"),
    ((*PLAN, 0), [4, -1, 3, 0, 3, 0], "negative entry"),
    ((*PLAN, 0), [3, 1, 3, 0, 3, 0], "add up at node 2"),
    ((*PLAN, 1), [3, 1, 2, 1, 0, 3], "add up at node 6"),
    (PLAN, [], "0 entries, not 2"),
    (("plans", 0, "denominator"), 0, "no positive denominator"),
]


@pytest.mark.parametrize(("place", "value", "reason"), MALFORMED)
def test_malformed_descriptions_are_refused_for_what_is_wrong(
    tmp_path: Path, verdict: Callable[..., str], place: tuple[Any, ...], value: Any, reason: str
) -> None:
    """With the hash of what they say."""
    content, read = by_signals(tmp_path / "written.json", kuhn())
    assert reason in verdict(rehashed(put(content, place, value)), read)


def test_public_trees_that_are_none_are_refused(
    tmp_path: Path, verdict: Callable[..., str]
) -> None:
    content, _ = by_signals(tmp_path / "written.json", kuhn())
    nodes = content["signals"]["nodes"]
    deals = {
        5: {"parent": 3, "action": "check", "deal": 0},
        10: {"parent": 6, "action": "call", "deal": 1},
    }
    cases = {
        "node 5 does not have the children": [*nodes, END],
        "node 6 does not have the children": nodes[:9],
        "node 0 does not have the children": [*nodes, END | {"parent": 0, "action": None}],
        "who sees a signal depends": [
            *(deals.get(number, node) for number, node in enumerate(nodes)),
            *({**END, "parent": parent, "action": None} for parent in deals),
        ],
    }
    for reason, wrong in cases.items():
        assert reason in verdict(rehashed(put(content, NODES, wrong)))


def test_outcomes_belong_to_a_number_of_cards(tmp_path: Path, verdict: Callable[..., str]) -> None:
    """A fold before the community card is not one after it, and classes do not forget."""
    content, read = by_signals(tmp_path / "written.json", leduc())
    outcomes = content["signals"]["outcomes"]
    folds = [end for end, outcome in enumerate(outcomes) if outcome["name"] == "fold"]
    first = next(
        number
        for number, node in enumerate(content["signals"]["nodes"])
        if node.get("outcome") == folds[0]
    )
    wrong = put(content, (*NODES, first, "outcome"), folds[1])
    assert "after so many signals" in verdict(rehashed(wrong))
    last = content["classes"][0][1]["classes"]
    forgotten = put(content, ("classes", 0, 1, "classes"), [0] * len(last))
    assert "came from different ones" in verdict(forgotten, read)


def test_malformed_colorings_are_refused_for_what_is_wrong(
    tmp_path: Path, verdict: Callable[..., str]
) -> None:
    content, read = by_entries(tmp_path / "written.json", two_scales())
    for sequences, reason in (
        ([0, 1, 3, 2, 4], "tears a set apart"),
        ([0, 1, 1, 1, 1], "tears a set apart"),
        ([0, 1, 2, 3, 2], "without gaps"),
        ([0, 2, 3, 2, 3], "without gaps"),
        ([1, 1, 2, 2, 1], "parent that comes later"),
        ([0, 1, 2], "3 entries, not 5"),
    ):
        wrong = put(content, ("colors", 0, "sequences"), sequences)
        assert reason in verdict(wrong, read), sequences
    assert "0 entries" in verdict(content | {"colors": []}, read)
    assert "common divisor" in verdict(put(content, ("colors", 0, "weights"), [2, 12]), read)


def test_members_of_a_color_have_as_many_actions_after_the_same(
    tmp_path: Path, verdict: Callable[..., str]
) -> None:
    b = TreeBuilder(2)
    for label, node in zip(
        "ab", b.chance(b.root, [("a", Fraction(1, 2)), ("b", Fraction(1, 2))]), strict=True
    ):
        for leaf in b.decision(node, 0, label, list("xyz" if label == "b" else "xy")):
            b.terminal(leaf, (0, 0))
    content, read = by_entries(tmp_path / "written.json", build_sequence_form(b.freeze()))
    wrong = put(content, ("colors", 0, "sequences"), [0, 1, 2, 1, 2, 3])
    assert "numbers of actions, differ" in verdict(wrong, read)
    wrong = put(content, ("colors", 1, "sequences"), [1])
    assert "without gaps" in verdict(wrong, read)
    content, read = by_entries(tmp_path / "written.json", build_sequence_form(build_tree(kuhn())))
    size = len(content["colors"][0]["sequences"])
    wrong = put(content, ("colors", 0, "sequences"), [0, *[1, 2] * (size // 2)])
    assert "what leads to members of color 1" in verdict(wrong, read)


def test_a_description_is_not_mixed_with_another(
    tmp_path: Path, verdict: Callable[..., str]
) -> None:
    content, _ = CASES["signals"](tmp_path / "written.json")
    other, _ = CASES["entries"](tmp_path / "written.json")
    for key in ("treeplexes", "payoffs", "colors"):
        assert "fields" in verdict(rehashed(content | {key: other[key]}))
        assert "fields" in verdict(rehashed(other | {"classes": content["classes"]}))


def forged_classes(game: Any, classes: tuple[tuple[Ints, ...], ...], path: Path) -> Any:
    """Return the certificate of a quotient that is not equitable, with weights of 1."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "seqform.exact.quotient_file.class_weights",
            lambda structure, classes: [
                [np.ones(len(of), dtype=np.int64) for of in stages] for stages in classes
            ],
        )
        return written(path, quotient_of_signals(SignalStructure(game), classes))


def test_what_a_reduction_loses_is_not_proven(tmp_path: Path, verdict: Callable[..., str]) -> None:
    """`outcome` merges more of Leduc hold'em than it may: its value is another one."""
    smaller, _ = OUTCOME.apply(leduc())
    assert smaller.signals is not None
    with pytest.raises(VerificationError, match="not equitable"):
        quotient_of_signals(*smaller.signals)
    content = forged_classes(leduc(), smaller.signals[1], tmp_path / "certificate.json")
    assert Fraction(*(int(str(n), 0) for n in content["value"])) != LEDUC
    read = partial(read_signal_certificate, structure=SignalStructure(leduc()), identity=IDENTITY)
    assert "differ within color" in verdict(content, read)


def test_cards_that_follow_must_be_as_many(tmp_path: Path, verdict: Callable[..., str]) -> None:
    """Where nothing is paid before the last card, only what follows tells private cards apart."""
    game = leduc(max_bets=0)
    smaller, _ = reduce(game, "equitable")
    assert smaller.signals is not None
    classes = [list(stages) for stages in smaller.signals[1]]
    classes[0][0] = np.zeros_like(classes[0][0])
    coarse = tuple(tuple(stages) for stages in classes)
    with pytest.raises(VerificationError, match="player 0's observations"):
        quotient_of_signals(smaller.signals[0], coarse)
    content = forged_classes(game, coarse, tmp_path / "certificate.json")
    assert "player 0's coloring of stage 1: followers differ" in verdict(content)


def test_a_coloring_of_entries_that_is_not_equitable_is_refused(
    tmp_path: Path, verdict: Callable[..., str]
) -> None:
    """King and jack of Kuhn poker played alike, with the exact value of that game."""
    form = build_sequence_form(build_tree(kuhn()))
    infosets = form.treeplexes[0].num_infosets
    images = [np.arange(t.num_sequences, dtype=np.int32) for t in form.treeplexes]
    half = 1 + 2 * (infosets // 2)
    images[0][1:] = np.tile([1, 2], infosets)
    images[0][half:] += 2
    with pytest.raises(VerificationError, match="not equitable"):
        quotient_of_form(form, images)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "seqform.exact.quotient_file.infoset_weights",
            lambda game, images, small: [[1] * t.num_infosets for t in game.treeplexes],
        )
        content = written(tmp_path / "certificate.json", quotient_of_form(form, images))
    read = partial(read_quotient_certificate, game=form, identity=IDENTITY)
    assert "differ within color" in verdict(content, read)


GAME = ("rhode-island", "-p", "ranks=3", "-p", "suits=2", "-p", "max_bets=1", "--max-nodes", "1000")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("proven") / "result"
    call("solve", *GAME, "--abstract", "equitable", "--prove", "--out", str(folder))
    return folder


def test_a_proven_result_without_a_tree_is_saved_by_classes(
    saved: Path, checker: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """`seqform solve --abstract equitable --prove --out`, `seqform verify`, and the checker with
    the rules of the game."""
    path = saved / "certificate.json.gz"
    found = verify(saved)
    proven = found.solution.bracket
    assert isinstance(proven, ProvenInterval)
    rules = saved.parent / "rules.json"
    rules.write_text(json.dumps(load_tool(RULES).describe(3, 2, 1)))
    assert checker.main([str(path), str(rules)]) == 0
    assert f"is from {proven.lower} to {proven.upper}" in capsys.readouterr().out


def resealed(folder: Path, **claims: Any) -> None:
    """Claim something else, and list the files as they are now."""
    content = json.loads((folder / "result.json").read_text()) | claims
    of_files = digests(folder)
    content["files"] = {name: of_files[name] for name in of_files if name != "result.json"}
    content["checksum"] = checksum(content)
    (folder / "result.json").write_text(json.dumps(content))


def test_an_exact_value_is_no_end_of_an_interval(tmp_path: Path) -> None:
    """A true interval does not prove that its lower end is the value."""
    solution = solve(kuhn())
    solution.save(tmp_path, "kuhn")
    assert solution.profile is not None
    proven = interval_of(solution.game, solution.profile, 20)
    claims = json.loads((tmp_path / "result.json").read_text())
    identity = json.loads((tmp_path / "certificate.json").read_text())["game"]
    (tmp_path / "certificate.json").write_bytes(as_bytes(certificate_of(proven, identity)))
    assert proven.lower < proven.upper
    lower = proven.lower
    resealed(tmp_path, exact_value=f"{lower.numerator}/{lower.denominator}")
    with pytest.raises(VerificationError, match="another value, or interval"):
        verify(tmp_path)
    resealed(tmp_path, exact_value=claims["exact_value"])
    with pytest.raises(VerificationError, match="another value, or interval"):
        verify(tmp_path)


def test_an_exact_value_is_proven_by_plans_of_the_game(tmp_path: Path) -> None:
    """Not by those of a quotient, which are not the plans that are loaded."""
    solution = solve(build_signal_form(SignalStructure(leduc())), exact=True)
    solution.save(tmp_path, "leduc")
    assert verify(tmp_path).solution.exact is not None
    smaller, _ = reduce(leduc(), "equitable")
    assert smaller.signals is not None
    path = tmp_path / "certificate.json.gz"
    identity = json.loads(gzip.decompress(path.read_bytes()))["game"]
    quotient = quotient_of_signals(*smaller.signals)
    write_quotient_certificate(path, quotient, identity, proof_in(smaller))
    resealed(tmp_path)
    with pytest.raises(VerificationError, match="another value, or interval"):
        verify(tmp_path)


def test_a_certificate_of_another_kind_is_not_overlooked(tmp_path: Path) -> None:
    solve(kuhn()).save(tmp_path, "kuhn")
    (tmp_path / "certificate.json.gz").write_bytes(gzip.compress(b"{}"))
    resealed(tmp_path)
    with pytest.raises(VerificationError, match="no certificate of such a game"):
        verify(tmp_path)


def test_a_strategy_says_whose_it_is(tmp_path: Path) -> None:
    """Labels are as they were, and so are probabilities."""
    solve(kuhn()).save(tmp_path, "kuhn")
    path = tmp_path / "strategy.csv"
    lines = path.read_text().splitlines()
    lines[1] = lines[1].replace("0,", "1,", 1)
    path.write_text("\n".join(lines) + "\n")
    resealed(tmp_path)
    with pytest.raises(ResultFileError, match="expected 0,"):
        verify(tmp_path)


@pytest.mark.parametrize(
    "place",
    [("signals", "deck", "copies", 0), ("plans", 0, "numerators", 0, 0), ("interval", 0, 0)],
)
def test_an_altered_certificate_by_classes_is_not_verified(
    saved: Path, tmp_path: Path, place: tuple[Any, ...]
) -> None:
    for file in saved.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "certificate.json.gz"
    content = json.loads(gzip.decompress(path.read_bytes()))
    forged = rehashed(put(content, place, unit(at(content, place), 1)))
    path.write_bytes(gzip.compress(json.dumps(forged).encode()))
    with pytest.raises(VerificationError, match="altered"):
        verify(tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ResultFileError, match="damaged"):
        verify(tmp_path)


def test_the_rules_are_those_of_the_library(tmp_path: Path) -> None:
    """Written twice, independently: deck, betting and the ranking of hands."""
    rules = load_tool(RULES)
    for parameters in ((3, 2, 1), (4, 3, 3), (5, 2, 0), (13, 2, 2)):
        structure = SignalStructure(rhode_island(*parameters))
        assert describe(structure) == rules.describe(*parameters)
    printed = subprocess.run(
        [sys.executable, str(RULES), "3", "2", "1"], capture_output=True, text=True, check=True
    )
    assert json.loads(printed.stdout) == rules.describe(3, 2, 1)


def test_another_game_than_described_is_refused(
    tmp_path: Path, checker: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path, rules = tmp_path / "certificate.json", tmp_path / "rules.json"
    by_signals(path, rhode_island(3, 2, 1))
    for game, status in (((3, 2, 1), 0), ((3, 2, 2), 1), ((4, 2, 1), 1)):
        rules.write_text(json.dumps(load_tool(RULES).describe(*game)))
        assert checker.main([str(path), str(rules)]) == status
    by_entries(path, two_scales())
    assert checker.main([str(path), str(rules)]) == 1
    assert "not the one of the second file" in capsys.readouterr().out


def test_compressed_files_are_read_and_damaged_ones_refused(
    tmp_path: Path, checker: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    smaller, _ = reduce(kuhn(), "equitable")
    assert smaller.signals is not None
    path = tmp_path / "certificate.json.gz"
    write_quotient_certificate(
        path, quotient_of_signals(*smaller.signals), IDENTITY, proof_in(smaller)
    )
    assert checker.main([str(path)]) == 0
    proof = read_signal_certificate(path, SignalStructure(kuhn()), IDENTITY)
    assert proof.lower == proof.upper == Fraction(-1, 18)
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole[:40], whole[:40] + b"x" + whole[41:], whole[:2]):
        path.write_bytes(damaged)
        assert checker.main([str(path)]) == 1
        with pytest.raises(ResultFileError, match="damaged"):
            read_signal_certificate(path, SignalStructure(kuhn()), IDENTITY)
    assert capsys.readouterr().out.count("refused: ") == 4


def test_files_of_endless_length_are_refused(
    tmp_path: Path, checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "LARGEST", 1000)
    path = tmp_path / "certificate.json.gz"
    path.write_bytes(gzip.compress(b" " * 1000))
    with pytest.raises(checker.RefusedError, match="too large"):
        checker.read(str(path))


class Kuhn:
    """Kuhn poker with other methods, or, where they are None, without them."""

    def __init__(self, **changes: Any) -> None:
        game = kuhn()
        members = {name: getattr(game, name) for name in dir(game) if not name.startswith("_")}
        members |= changes
        vars(self).update({name: found for name, found in members.items() if found is not None})


def test_outcomes_are_listed_deal_by_deal_unless_hands_are_compared(
    tmp_path: Path, verdict: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content, read = by_signals(tmp_path / "certificate.json", Kuhn(strengths=None))
    outcomes = {outcome["name"]: outcome for outcome in content["signals"]["outcomes"]}
    assert outcomes["showdown"]["payoffs"] == [-1, -1, 1, -1, 1, 1]
    assert verdict(content, read) == ""
    monkeypatch.setattr("seqform.exact.signal_description.MOST_DEALS", 6)
    assert describe(SignalStructure(Kuhn(strengths=None))) == content["signals"]
    monkeypatch.setattr("seqform.exact.signal_description.MOST_DEALS", 5)
    with pytest.raises(UnsupportedGameError, match="give the game `strengths`"):
        describe(SignalStructure(Kuhn(strengths=None)))


def test_strengths_that_are_not_compared_are_refused() -> None:
    def turned(outcome: str, signals: Any) -> Any:
        return (-signals[:, 0], -signals[:, 1]) if outcome == "showdown" else None

    structure = SignalStructure(Kuhn(strengths=turned))
    with pytest.raises(UnsupportedGameError, match="not what its payoffs compare"):
        describe(structure)


@pytest.mark.parametrize(
    "changes",
    [
        {"stake": lambda state: float(kuhn().stake(state))},
        {"payoffs": lambda end, signals: kuhn().payoffs(end, signals).astype(float)},
    ],
    ids=["stakes", "payoffs"],
)
def test_floats_are_not_described(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedGameError, match="float"):
        describe(SignalStructure(Kuhn(**changes)))


class OneHand(RandomSignalGame):
    """Player 0 has a card, and wins if it is the best of three; player 1 has none."""

    def strengths(self, outcome: str, signals: Ints) -> tuple[Ints, Ints]:
        return signals[:, 0], np.ones_like(signals[:, 0])


def one_hand(root: Public) -> OneHand:
    weights, table = np.ones(1, dtype=np.int32), np.array([-1, 0, 1], dtype=np.int32)
    return OneHand(Deck(("J", "Q", "K"), (1, 1, 1)), root, (0,), {"win": weights}, table)


def ends(*stakes: int) -> tuple[Public, ...]:
    return tuple(Public(TERMINAL, (), 1, "win", stake) for stake in stakes)


def test_players_may_see_more_or_less_than_each_other() -> None:
    game = one_hand(Public(CHANCE, (Public(0, ends(1, 2)),)))
    [outcome] = describe(SignalStructure(game))["outcomes"]
    assert outcome["strengths"] == [[0, 1, 2], [1]]


def test_plans_are_listed_node_by_node(tmp_path: Path, verdict: Callable[..., str]) -> None:
    """Sequences are numbered by own moves first: those of the last node come before others."""
    twice = Public(0, (Public(0, ends(1, 3, -2), 1), *ends(2)), 1)
    late = Public(1, (Public(1, (Public(0, ends(4, -1), 1), *ends(2)), 1), *ends(1)), 1)
    content, read = by_signals(
        tmp_path / "certificate.json", one_hand(Public(CHANCE, (Public(1, (twice, late), 1),)))
    )
    assert [len(part) for part in content["plans"][0]["numerators"]] == [6, 9, 6]
    assert verdict(content, read) == ""


@pytest.mark.parametrize(
    ("parents", "first", "image"),
    [
        ([0], [1, 3], [0, 1]),
        ([0], [1, 3], [0, 1, 2, 3]),
        ([0], [1, 3], [1, 1, 2]),
        ([0], [1, 3], [0, 1, 3]),
        ([0], [1, 3], [0, 2, 3]),
        ([0, 0], [1, 3, 6], [0, 1, 2, 1, 2, 3]),
        ([0, 1], [1, 3, 5], [0, 1, 2, 1, 2]),
        ([0, 1], [1, 3, 5], [0, 3, 4, 1, 2]),
    ],
)
def test_only_colorings_of_information_sets_are_merged(
    parents: list[int], first: list[int], image: list[int]
) -> None:
    whole = Treeplex(np.array(parents, dtype=np.int32), np.array(first, dtype=np.int32))
    with pytest.raises(VerificationError, match="no coloring of the game's information sets"):
        merge_infosets(whole, np.array(image, dtype=np.int32))


@pytest.mark.parametrize(
    ("case", "field", "values"),
    [
        ("signals", "classes", [3, [], [[], []], [[{}], [{}]]]),
        ("entries", "colors", [3, [{}], []]),
        ("signals", "classes", [[[{"classes": [part] * 3}]] * 2 for part in (2**40, "x", None)]),
        ("entries", "colors", [[{"sequences": part}] * 2 for part in (2**40, "x", [None], 0)]),
    ],
)
def test_colorings_that_are_none_are_damaged(
    case: str, field: str, values: list[Any], tmp_path: Path
) -> None:
    path = tmp_path / "certificate.json"
    content, read = CASES[case](path)
    for value in values:
        path.write_text(json.dumps(content | {field: value}))
        with pytest.raises((ResultFileError, VerificationError), match=r"damaged|altered"):
            read(path)


def test_certificates_of_another_game_say_so(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    _, of_kuhn = CASES["signals"](path)
    by_signals(path, Kuhn(stake=lambda state: 2 * kuhn().stake(state)))
    with pytest.raises(VerificationError, match="is the certificate of another game"):
        of_kuhn(path)


def test_payoffs_and_weights_of_followers_are_not_added_up(tmp_path: Path) -> None:
    """One member is paid 2 and has a follower of weight 1, the other 1 and one of weight 2."""
    b = TreeBuilder(2)
    for name, node in zip("xy", b.chance(b.root, [(i, Fraction(1, 2)) for i in "xy"]), strict=True):
        go, stop = b.decision(node, 0, name, ["go", "stop"])
        paid, later = (2, 1) if name == "x" else (1, 2)
        end, follower = b.chance(go, [("end", Fraction(1, 2)), ("on", Fraction(1, 2))])
        left, right = b.decision(follower, 0, f"then {name}", ["left", "right"])
        for leaf, payoff in ((stop, 0), (end, paid), (left, later), (right, 0)):
            b.terminal(leaf, (payoff, -payoff))
    form = build_sequence_form(b.freeze())
    images = [np.zeros(t.num_sequences, dtype=np.int32) for t in form.treeplexes]
    for infoset, first in enumerate(form.treeplexes[0].first_sequence[:-1]):
        is_follower = str(form.infoset_label(0, infoset)).startswith("then")
        images[0][first : first + 2] = (3, 4) if is_follower else (1, 2)
    with pytest.raises(VerificationError, match="player 0's information sets is not equitable"):
        quotient_of_form(form, images)


def test_every_outcome_has_to_be_equitable() -> None:
    """All cards are worth the same if it is given up, and not if it is played."""
    stop = (Public(TERMINAL, (), 1, "play", 1), Public(TERMINAL, (), 1, "give up", 1))
    weights = {"play": np.ones(1, dtype=np.int32), "give up": np.zeros(1, dtype=np.int32)}
    deck, table = Deck(("J", "Q", "K"), (1, 1, 1)), np.array([-1, 0, 1], dtype=np.int32)
    game = RandomSignalGame(deck, Public(CHANCE, (Public(0, stop, 1),)), (0,), weights, table)
    structure = SignalStructure(game)
    [mine], theirs = structure.identity
    with pytest.raises(VerificationError, match="player 0's observations is not equitable"):
        class_weights(structure, ((np.zeros_like(mine),), theirs))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("payoff", "fits"), [(2**61 - 1, True), (2**61, False)])
def test_payoffs_times_ways_to_deal_fit_into_63_bits(sign: int, payoff: int, fits: bool) -> None:
    deck, root = Deck(("a", "b", "c", "d"), (1,) * 4), Public(CHANCE, ends(1))
    table = np.array([sign * payoff], dtype=np.int64)
    game = RandomSignalGame(deck, root, (0,), {"win": np.ones(1, dtype=np.int32)}, table)
    structure = SignalStructure(game)
    if fits:
        assert class_weights(structure, structure.identity)[0][0].tolist() == [1] * 4
    else:
        with pytest.raises(UnsupportedGameError, match="do not fit into 63 bits"):
            class_weights(structure, structure.identity)


def test_integers_that_floats_would_round_are_written_as_text() -> None:
    whole = 2**53 - 1
    written = [whole, "0x20000000000000", -whole, "-0x20000000000000"]
    assert numbers(exact([whole, whole + 1, -whole, -whole - 1])) == written


def test_a_folder_is_no_certificate(tmp_path: Path) -> None:
    with pytest.raises(ResultFileError, match="is damaged: IsADirectoryError"):
        read_signal_certificate(tmp_path, SignalStructure(kuhn()), IDENTITY)


def test_rows_have_to_be_multiples_of_their_weights() -> None:
    """Two cards of weights 2 and 3 with followers of weight 1 each, which are all kept apart, and a
    third one."""
    last = Public(0, ends(1, 2), 2)
    first = Public(0, (Public(CHANCE, (last,), 1),), 1)
    table, weights = np.array([1], dtype=np.int32), {"win": np.ones(2, dtype=np.int32)}
    deck = Deck(("a", "b", "c"), (2, 3, 1))
    game = RandomSignalGame(deck, Public(CHANCE, (first,)), (0, EVERYONE), weights, table)
    structure = SignalStructure(game)
    (before, after), theirs = structure.identity
    assert class_weights(structure, structure.identity)[0][1].tolist() == [1] * 8
    with pytest.raises(VerificationError, match="not equitable"):
        class_weights(structure, ((before // 2, after), theirs))
