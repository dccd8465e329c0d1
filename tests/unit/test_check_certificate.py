"""The checker that shares nothing with seqform: what it confirms is so, and one unit anywhere else
is refused."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.textbook import von_stengel
from seqform import TreeBuilder, build_sequence_form, build_tree, solve
from seqform.base.errors import ResultFileError, VerificationError
from seqform.exact.bracket import interval_of
from seqform.exact.certificate import as_bytes, certificate_of, read_certificate
from seqform.tree.tree import GameTree
from tests.certificates import CHECKER, changed, forgeries, load_tool, places, put, rehashed
from tests.intervals import LEDUC

IDENTITY = {"name": "a game", "params": {"cards": 3}, "unit": "chips", "fingerprint": "00"}
Read = Callable[[Path], Any]
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def checker() -> Any:
    """Return the checker as a module."""
    return load_tool(CHECKER)


@pytest.fixture
def run(checker: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what checks a text, or a JSON value, and gives the exit status and what was printed.

    A certificate that was read from a file as one of some game is read so again: the library and
    the checker must agree.
    """

    def check(content: Any, read: Read | None = None) -> tuple[int, str]:
        path = tmp_path / "certificate.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        status = checker.main([str(path)])
        captured = capsys.readouterr()
        assert captured.err == ""
        assert captured.out.count("\n") == 1
        assert captured.out.startswith("confirmed: " if status == 0 else "refused: ")
        if read is not None:
            assert accepts(read, path) == (status == 0), captured.out
        return status, captured.out

    return check


def accepts(read: Read, path: Path) -> bool:
    """Return whether the library takes a file for a certificate; what it raises is its own."""
    try:
        read(path)
    except (VerificationError, ResultFileError):
        return False
    return True


def certificate(tmp_path: Path, game: Any, bits: int | None = None) -> tuple[Any, Read]:
    """Return the certificate of an exact equilibrium, or with `bits` of the interval of rounded
    plans, and what reads it again as one of that game."""
    solution = solve(game, exact=True)
    assert solution.exact is not None
    assert solution.profile is not None
    found = (
        solution.exact.proven
        if bits is None
        else interval_of(solution.game, solution.profile, bits)
    )
    (tmp_path / "written.json").write_bytes(as_bytes(certificate_of(found, IDENTITY)))
    read = partial(read_certificate, game=solution.game, identity=IDENTITY)
    return json.loads((tmp_path / "written.json").read_text()), read


@pytest.mark.parametrize("bits", [None, 3])
def test_one_unit_anywhere_is_refused(tmp_path: Path, run: Run, bits: int | None) -> None:
    content, read = certificate(tmp_path, von_stengel() if bits is None else kuhn(), bits)
    status, text = run(content, read)
    assert status == 0
    assert ("is from" in text) == (bits is not None)
    for place, forged in forgeries(content):
        assert run(forged, read)[0] == 1, place


def mixed_everywhere() -> GameTree:
    """Return a game with the sequences of von Stengel's, whose only equilibrium mixes in all sets,
    so that no other structure has it."""
    b = TreeBuilder(num_players=2)
    low, high = b.chance(b.root, [("low", Fraction(1, 2)), ("high", Fraction(1, 2))])
    left, right = b.decision(low, 0, "low", ["l", "r"])
    up, down = b.decision(high, 0, "high", ["L", "R"])
    b.terminal(left, (1, -1))
    b.terminal(down, (0, 0))
    for node, paid in ((right, (4, -4)), (up, (-2, 4))):
        for end, payoff in zip(b.decision(node, 1, "second", ["c", "d"]), paid, strict=True):
            b.terminal(end, (payoff, -payoff))
    return b.freeze()


def test_another_game_with_its_own_hash_is_refused(tmp_path: Path, run: Run) -> None:
    """Payoffs of sequences that both plans play, and structure: the hash would fit, the proof does
    not."""
    content, _ = certificate(tmp_path, mixed_everywhere())
    reached = [i for i, number in enumerate(content["payoffs"]["numerators"]) if number]
    refused = sum(
        run(rehashed(changed(content, ("payoffs", "numerators", i), lambda old: old + 1000)))[0]
        for i in reached
    )
    assert refused > len(reached) // 2
    assert run(rehashed(changed(content, ("payoffs", "denominator"), lambda old: old + 1)))[0] == 1
    for place in places(content["treeplexes"], ("treeplexes",)):
        for unit in (-1, 1):
            wrong = changed(content, place, lambda old, unit=unit: old + unit)
            assert run(rehashed(wrong))[0] == 1, place
    for place in places(content["payoffs"]["row_lengths"], ("payoffs", "row_lengths")):
        assert run(rehashed(changed(content, place, lambda old: old + 1)))[0] == 1


def simultaneous(payoffs: list[list[int]]) -> GameTree:
    b = TreeBuilder(2)
    for i, node in enumerate(b.decision(b.root, 0, "rows", ["0", "1"])):
        for j, leaf in enumerate(b.decision(node, 1, "columns", ["0", "1"])):
            b.terminal(leaf, (payoffs[i][j], -payoffs[i][j]))
    return b.freeze()


def test_negative_probabilities_prove_nothing(tmp_path: Path, run: Run) -> None:
    """Twice the first action less the second makes both players indifferent at -1, where the value
    is 1."""
    content, read = certificate(tmp_path, simultaneous([[0, 1], [1, 3]]))
    assert run(content, read)[1].endswith("is 1\n")
    forged = {"denominator": 1, "numerators": [1, 2, -1]}
    assert run(content | {"plans": [forged, forged], "value": [-1, 1]}, read) == (
        1,
        "refused: player 0's plan has a negative entry\n",
    )


def test_plans_must_start_with_their_denominators(tmp_path: Path, run: Run) -> None:
    """Where the value is 0 no best response tells."""
    content, read = certificate(tmp_path, simultaneous([[1, -1], [-1, 1]]))
    assert run(content, read)[1].endswith("is 0\n")
    for player in (0, 1):
        place = ("plans", player, "denominator")
        for unit in (-1, 1):
            wrong = changed(content, place, lambda old, unit=unit: old + unit)
            assert run(wrong, read)[0] == 1


def test_values_are_in_lowest_terms(tmp_path: Path, run: Run) -> None:
    content, read = certificate(tmp_path, von_stengel())
    for value in ([10, 16], [-5, -8], [5, 0]):
        assert "lowest terms" in run(content | {"value": value}, read)[1]


def test_long_integers_are_hexadecimal_and_checked(tmp_path: Path, run: Run) -> None:
    content, read = certificate(tmp_path, leduc())
    status, text = run(content, read)
    assert status == 0
    assert f"is {LEDUC}; that is -0.0856064241\n" in text
    assert isinstance(content["value"][0], str)
    for place in (
        ("value", 0),
        ("value", 1),
        ("plans", 0, "denominator"),
        ("plans", 1, "numerators", 1),
    ):
        for unit in (-1, 1):
            wrong = changed(content, place, lambda old, unit=unit: hex(int(str(old), 16) + unit))
            assert run(wrong, read)[0] == 1
        assert run(changed(content, place, lambda old: str(old).upper()), read)[0] == 1
        assert run(changed(content, place, lambda old: int(str(old), 16)), read)[0] == 1


def test_a_false_claim_beside_a_true_one_is_refused(tmp_path: Path, run: Run) -> None:
    content, read = certificate(tmp_path, kuhn())
    assert run(content | {"interval": [content["value"], content["value"]]}, read)[0] == 1
    content, read = certificate(tmp_path, kuhn(), bits=3)
    assert run(content | {"value": [5, 1]}, read)[0] == 1
    collapsed = {key: value for key, value in content.items() if key != "interval"}
    assert run(collapsed | {"value": content["interval"][0]}, read)[0] == 1


def test_a_value_is_not_an_interval(tmp_path: Path, run: Run) -> None:
    """Both bounds of an exact value say the same; one way of writing it is enough."""
    content, read = certificate(tmp_path, kuhn())
    value = content.pop("value")
    assert run(content | {"interval": [value, value]}, read)[0] == 1


def test_integers_from_two_to_the_53_on_are_hexadecimal(tmp_path: Path, run: Run) -> None:
    scale = 2**53
    content, read = certificate(tmp_path, simultaneous([[0, scale], [0, scale]]))
    assert content["payoffs"]["numerators"] == [hex(scale)] * 2
    assert run(content, read)[0] == 0
    for wrong, reason in ((scale, "no integer as they"), (hex(scale - 1), "not how integers are")):
        forged = put(content, ("payoffs", "numerators", 0), wrong)
        assert reason in run(rehashed(forged), read)[1]


MALFORMED = [
    (("treeplexes", 0, "actions", 0), 0, "without actions"),
    (("treeplexes", 0, "actions", 0), -1, "without actions"),
    (("treeplexes", 1, "parents", 0), -1, "parent that comes later"),
    (("treeplexes", 1, "parents", 0), 1, "parent that comes later"),
    (("treeplexes", 1, "parents", 0), True, "no integer"),
    (("treeplexes", 1, "parents"), [0, 0], "2 parents for 1 information sets"),
    (("treeplexes", 1, "parents"), {}, "is no list"),
    (("treeplexes",), [], "0 entries, not 2"),
    (("payoffs", "denominator"), 0, "no positive denominator"),
    (("payoffs", "denominator"), -4, "no positive denominator"),
    (("payoffs", "row_lengths"), [0], "1 rows for 5 sequences"),
    (("payoffs", "row_lengths"), [0, -1, 2, 2, 2], "do not fit"),
    (("payoffs", "row_lengths"), [0, 0, 0, 2, 1], "do not fit"),
    (("payoffs", "columns", 0), -1, "no sequence"),
    (("payoffs", "columns", 0), 3, "no sequence"),
    (("payoffs", "columns"), [0, 1, 1, 1, 2], "column twice"),
    (("payoffs", "numerators"), [1], "do not fit"),
    (("plans", 0, "denominator"), 0, "no positive denominator"),
    (("plans", 0, "denominator"), True, "no integer"),
    (("plans", 0, "numerators"), [], "0 entries"),
    (("plans",), {}, "no list"),
    (("version",), True, "version 1"),
    (("version",), 2, "version 1"),
    (("format",), "another", "version 1"),
    (("value",), [5], "1 entries, not 2"),
    (("value", 1), -8, "lowest terms"),
    (("value",), [1, 0], "lowest terms"),
]


@pytest.mark.parametrize(("place", "value", "reason"), MALFORMED)
def test_malformed_certificates_are_refused_for_what_is_wrong(
    tmp_path: Path, run: Run, place: tuple[Any, ...], value: Any, reason: str
) -> None:
    """With the hash of what they say."""
    content, read = certificate(tmp_path, von_stengel())
    forged = rehashed(put(content, place, value))
    assert reason in run(forged, read)[1]


@pytest.mark.parametrize(
    "key", ["format", "version", "game", "treeplexes", "payoffs", "hash", "plans", "value"]
)
def test_missing_foreign_and_double_fields_are_refused(tmp_path: Path, run: Run, key: str) -> None:
    content, read = certificate(tmp_path, von_stengel())
    assert run({name: value for name, value in content.items() if name != key}, read)[0] == 1
    assert run(content | {key + "s": 1}, read)[0] == 1
    for wrong in ([], {}, "", 3, None, [[], []], [1, 2, 3]):
        assert run(content | {key: wrong}, read)[0] == 1
    text = json.dumps(content)
    twice = text[:-1] + f', "{key}": {json.dumps(content[key])}}}'
    assert run(twice, read)[1] == "refused: a field is there twice\n"


def test_a_field_twice_inside_is_refused(tmp_path: Path, run: Run) -> None:
    content, read = certificate(tmp_path, von_stengel())
    text = json.dumps(content).replace('"denominator"', '"denominator": 7, "denominator"', 1)
    assert run(text, read)[1] == "refused: a field is there twice\n"


def test_spaces_and_the_order_of_fields_are_free(tmp_path: Path, run: Run) -> None:
    content, read = certificate(tmp_path, von_stengel())
    assert run(json.dumps(dict(reversed(content.items())), indent=1), read)[0] == 0


def test_long_decimals_are_refused_before_they_are_read(run: Run) -> None:
    """Reading them takes time that grows with the square of their length."""
    sys.set_int_max_str_digits(4300)
    assert "4300 digits" in run('{"version": 1' + "0" * 5000 + "}")[1]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "3", "nonsense", "[" * 100_000, '{"format": NaN}', '"\\ud800"']
)
def test_what_is_no_certificate_is_refused_in_one_line(run: Run, text: str) -> None:
    assert run(text)[0] == 1


def test_files_that_are_not_there_and_wrong_calls(
    checker: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checker.main([str(tmp_path / "nothing.json")]) == 1
    assert checker.main([str(tmp_path)]) == 1
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    assert checker.main([str(tmp_path / "binary")]) == 1
    assert checker.main([]) == checker.main(["a", "b", "c"]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_checker_shares_nothing() -> None:
    text = CHECKER.read_text()
    assert len(text.splitlines()) < 1100
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in names)


def test_a_certificate_is_read_as_one_of_its_game(tmp_path: Path) -> None:
    certificate(tmp_path, von_stengel())
    game = build_sequence_form(build_tree(von_stengel()))
    other = build_sequence_form(build_tree(leduc()))
    path = tmp_path / "written.json"
    assert read_certificate(path, game, IDENTITY).lower == 1
    with pytest.raises(VerificationError, match="another game"):
        read_certificate(path, other, IDENTITY)
    with pytest.raises(VerificationError, match="another game"):
        read_certificate(path, game, IDENTITY | {"name": "another"})
    for text in ("", "[]", "{}", "[" * 100_000, '{"a": 1, "a": 1}'):
        path.write_text(text)
        with pytest.raises((ResultFileError, VerificationError)):
            read_certificate(path, game, IDENTITY)
    with pytest.raises(ResultFileError, match="does not exist"):
        read_certificate(tmp_path / "nothing.json", game, IDENTITY)


def test_a_folder_is_checked_with_all_its_certificates(
    checker: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "saved"
    lock = {(0, "J:", "bet"): 1, (0, "J:", "check"): 0}
    solve(kuhn(), exact=True, lock=lock).save(folder, "kuhn", {})
    names = sorted(path.name for path in folder.glob("certificate*.json"))
    assert "certificate-locked.json" in names
    assert checker.main([str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(names)
    for name, line in zip(names, lines, strict=True):
        assert line.startswith(f"{folder / name}: confirmed: the value to player 0 of the game")
    content = json.loads((folder / "certificate-locked.json").read_text())
    content["value"][0] += 1
    (folder / "certificate-locked.json").write_text(json.dumps(content))
    assert checker.main([str(folder)]) == 1
    assert "certificate-locked.json: refused: " in capsys.readouterr().out
    assert checker.main([str(tmp_path)]) == 1
    assert "holds no certificate.json" in capsys.readouterr().out


def test_a_person_is_told_decimals(
    checker: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solve(kuhn(), exact=True).save(tmp_path / "kuhn", "kuhn", {})
    assert checker.main([str(tmp_path / "kuhn" / "certificate.json")]) == 0
    assert capsys.readouterr().out.endswith("is -1/18; that is -0.0555555556\n")
    third = Fraction(1, 3)
    assert checker.value_in_decimals(Fraction(2), Fraction(2)) == ""
    assert checker.value_in_decimals(-third, third) == (
        "; that is from -0.333333334 to 0.333333334, 0.667 apart"
    )
    assert checker.gains_in_decimals([third, Fraction(1)], [Fraction(0), 2 * third]) == (
        "; that is 0.333333333, 1, and at most 0, 0.667"
    )
    assert checker.gains_in_decimals([Fraction(1)], [Fraction(0)]) == ""
