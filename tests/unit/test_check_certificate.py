"""The checker that shares nothing with seqform: what it confirms is so, and one unit anywhere else
is refused."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.textbook import von_stengel
from seqform import TreeBuilder, build_sequence_form, build_tree, solve
from seqform.base.errors import ResultFileError, VerificationError
from seqform.exact.certificate_file import Proof, read_certificate, write_certificate
from seqform.exact.interval import prove
from seqform.tree.tree import GameTree
from tests.laws.test_proven_intervals import LEDUC

CHECKER = Path(__file__).parents[2] / "tools" / "check_certificate.py"
IDENTITY = {"name": "a game", "params": {"cards": 3}, "unit": "chips", "fingerprint": "00"}
Run = Callable[[Any], tuple[int, str]]


@pytest.fixture
def checker() -> Iterator[Any]:
    """Return the checker as a module, and put back Python's limit on digits, which it lifts for its
    own process."""
    digits = sys.get_int_max_str_digits()
    spec = importlib.util.spec_from_file_location("check_certificate", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.set_int_max_str_digits(digits)


@pytest.fixture
def run(checker: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what checks a text, or a JSON value, and gives the exit status and what was
    printed."""

    def check(content: Any) -> tuple[int, str]:
        path = tmp_path / "certificate.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        status = checker.main([str(path)])
        captured = capsys.readouterr()
        assert captured.err == ""
        assert captured.out.count("\n") == 1
        assert captured.out.startswith("confirmed: " if status == 0 else "refused: ")
        return status, captured.out

    return check


def certificate(tmp_path: Path, game: Any, bits: int | None = None) -> Any:
    """Return the certificate of an exact equilibrium, or with `bits` of the interval of rounded
    plans."""
    solution = solve(game, exact=True)
    assert solution.exact is not None
    assert solution.profile is not None
    found = solution.exact if bits is None else prove(solution.game, solution.profile, bits)
    write_certificate(tmp_path / "written.json", solution.game, IDENTITY, Proof.of(found))
    return json.loads((tmp_path / "written.json").read_text())


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every number and text."""
    if isinstance(content, (dict, list)):
        for key, value in content.items() if isinstance(content, dict) else enumerate(content):
            yield from places(value, (*path, key))
    else:
        yield path


def changed(content: Any, place: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    copy = deepcopy(content)
    holder = copy
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = change(holder[place[-1]])
    return copy


def rehashed(content: Any) -> Any:
    """Hash the listing again, as somebody who changes it would."""
    listing = {key: content[key] for key in ("game", "treeplexes", "payoffs")}
    return content | {
        "hash": hashlib.sha256(
            json.dumps(listing, sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest()
    }


@pytest.mark.parametrize("bits", [None, 3])
def test_one_unit_anywhere_is_refused(tmp_path: Path, run: Run, bits: int | None) -> None:
    content = certificate(tmp_path, von_stengel() if bits is None else kuhn(), bits)
    status, text = run(content)
    assert status == 0
    assert ("is from" in text) == (bits is not None)
    for place in places(content):
        for unit in (-1, 1):
            altered = changed(
                content,
                place,
                lambda old, unit=unit: old + unit if isinstance(old, int) else old + "0",
            )
            assert run(altered)[0] == 1, place
        text_of_number = changed(
            content, place, lambda old: str(old) if isinstance(old, int) else 0
        )
        assert run(text_of_number)[0] == 1, place
        assert run(changed(content, place, lambda _: None))[0] == 1, place
        assert run(changed(content, place, lambda _: 0.5))[0] == 1, place


def test_another_game_with_its_own_hash_is_refused(tmp_path: Path, run: Run) -> None:
    """Payoffs of sequences that both plans play, and structure: the hash would fit, the proof does
    not."""
    content = certificate(tmp_path, von_stengel())
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
    content = certificate(tmp_path, simultaneous([[0, 1], [1, 3]]))
    assert run(content)[1].endswith("is 1\n")
    forged = {"denominator": 1, "numerators": [1, 2, -1]}
    assert run(content | {"plans": [forged, forged], "value": [-1, 1]}) == (
        1,
        "refused: player 0's plan has a negative entry\n",
    )


def test_plans_must_start_with_their_denominators(tmp_path: Path, run: Run) -> None:
    """Where the value is 0 no best response tells."""
    content = certificate(tmp_path, simultaneous([[1, -1], [-1, 1]]))
    assert run(content)[1].endswith("is 0\n")
    for player in (0, 1):
        place = ("plans", player, "denominator")
        for unit in (-1, 1):
            wrong = changed(content, place, lambda old, unit=unit: old + unit)
            assert run(wrong)[0] == 1


def test_values_are_in_lowest_terms(tmp_path: Path, run: Run) -> None:
    content = certificate(tmp_path, von_stengel())
    for value in ([10, 16], [-5, -8], [5, 0]):
        assert "lowest terms" in run(content | {"value": value})[1]


def test_long_integers_are_hexadecimal_and_checked(tmp_path: Path, run: Run) -> None:
    content = certificate(tmp_path, leduc())
    status, text = run(content)
    assert status == 0
    assert f"is {LEDUC}\n" in text
    assert isinstance(content["value"][0], str)
    for place in (
        ("value", 0),
        ("value", 1),
        ("plans", 0, "denominator"),
        ("plans", 1, "numerators", 1),
    ):
        for unit in (-1, 1):
            wrong = changed(content, place, lambda old, unit=unit: hex(int(str(old), 16) + unit))
            assert run(wrong)[0] == 1
        assert run(changed(content, place, lambda old: str(old).upper()))[0] == 1
        assert run(changed(content, place, lambda old: int(str(old), 16)))[0] == 1


@pytest.mark.parametrize(
    "key", ["format", "version", "game", "treeplexes", "payoffs", "hash", "plans", "value"]
)
def test_missing_foreign_and_double_fields_are_refused(tmp_path: Path, run: Run, key: str) -> None:
    content = certificate(tmp_path, von_stengel())
    assert run({name: value for name, value in content.items() if name != key})[0] == 1
    assert run(content | {key + "s": 1})[0] == 1
    for wrong in ([], {}, "", 3, None, [[], []], [1, 2, 3]):
        assert run(content | {key: wrong})[0] == 1
    text = json.dumps(content)
    twice = text[:-1] + f', "{key}": {json.dumps(content[key])}}}'
    assert run(twice)[1] == "refused: a field is there twice\n"


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
    assert checker.main([]) == checker.main(["a", "b"]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_checker_shares_nothing() -> None:
    text = CHECKER.read_text()
    assert len(text.splitlines()) < 250
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in names)


def test_reading_a_certificate_refuses_the_same(tmp_path: Path) -> None:
    content = certificate(tmp_path, von_stengel())
    game = build_sequence_form(build_tree(von_stengel()))
    other = build_sequence_form(build_tree(leduc()))
    path = tmp_path / "written.json"
    assert read_certificate(path, game, IDENTITY).lower == Fraction(5, 8)
    with pytest.raises(VerificationError, match="another game"):
        read_certificate(path, other, IDENTITY)
    with pytest.raises(VerificationError, match="another game"):
        read_certificate(path, game, IDENTITY | {"name": "another"})
    for place in places(content):
        path.write_text(
            json.dumps(
                changed(content, place, lambda old: old + 1 if isinstance(old, int) else old + "0")
            )
        )
        with pytest.raises((VerificationError, ResultFileError)):
            read_certificate(path, game, IDENTITY)
    for text in ("", "[]", "{}", "[" * 100_000, json.dumps(content | {"value": [5, 0]})):
        path.write_text(text)
        with pytest.raises(ResultFileError, match="damaged"):
            read_certificate(path, game, IDENTITY)
    with pytest.raises(ResultFileError, match="does not exist"):
        read_certificate(tmp_path / "nothing.json", game, IDENTITY)
