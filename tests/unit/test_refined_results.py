"""Refined equilibria as files: what the checker and the library confirm is so, all else refused."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.guess_the_ace import guess_the_ace
from games.kuhn import kuhn
from games.leduc import leduc
from games.signalling import signalling
from seqform import TreeBuilder, load, make, solve
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    NotForThisGameError,
    ResultFileError,
    SeqformError,
    SolverError,
    UnknownNameError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.cli import main
from seqform.exact.certificate import as_bytes, certificate_of, read_certificate, read_refinement
from seqform.exact.plan_proof import prove_equilibrium
from seqform.exact.trembles import Trembles, prove_refinement
from tests.certificates import CHECKER, changed, forgeries, load_tool, put
from tests.float_games import float_game
from tests.reference.after_mistakes import who_does_it

Check = Callable[[Any], tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Return what checks a JSON value: the exit status, and what was printed."""
    checker = load_tool(CHECKER)

    def check(content: Any) -> tuple[int, str]:
        path = tmp_path / "checked.json"
        path.write_text(json.dumps(content))
        return checker.main([str(path)]), capsys.readouterr().out

    return check


def saved(game: Any, folder: Path) -> Any:
    """Return the certificate of a quasi-perfect equilibrium that was saved."""
    solve(game, refine="quasi-perfect").save(folder)
    return json.loads((folder / "certificate.json").read_text())


def is_read(content: Any, folder: Path) -> bool:
    """Return whether the library takes a certificate for one of the game that was saved."""
    path, game = folder / "other.json", load(folder).game
    path.write_text(json.dumps(content))
    try:
        proof = read_certificate(path, game, content["game"])
        read_refinement(path, content, game, proof)
    except (VerificationError, ResultFileError):
        return False
    finally:
        path.unlink()
    return True


def test_one_unit_anywhere_is_refused(tmp_path: Path, run: Check) -> None:
    content = saved(guess_the_ace(), tmp_path / "result")
    status, words = run(content)
    assert status == 0
    assert words.endswith("is 0; the limit of the trembling plans is quasi-perfect\n")
    assert is_read(content, tmp_path / "result")
    for place, forged in forgeries(content["refinement"]):
        assert run(content | {"refinement": forged})[0] == 1, place
        assert not is_read(content | {"refinement": forged}, tmp_path / "result"), place


def test_a_silly_equilibrium_is_refused(tmp_path: Path, run: Check) -> None:
    content = saved(guess_the_ace(), tmp_path / "result")
    silly = put(content, ("plans", 1), {"denominator": 1, "numerators": [1, 1, 0]})
    silly = put(silly, ("refinement", "trembles", 1), [[0, -1, 1]])
    assert run(silly) == (1, "refused: player 1's limit is not quasi-perfect\n")
    assert not is_read(silly, tmp_path / "result")
    del silly["refinement"]
    assert run(silly)[0] == 0


def test_a_whole_plan_may_weigh_any_polynomial_that_tends_to_one(
    tmp_path: Path, run: Check
) -> None:
    content = saved(guess_the_ace(), tmp_path / "result")
    other = put(content, ("refinement", "trembles", 0), [[1, 0, 1], [-3, -3, 0]])
    assert run(other)[0] == 0
    assert is_read(other, tmp_path / "result")


def test_a_game_of_other_sums_is_confirmed_too(tmp_path: Path, run: Check) -> None:
    content = saved(signalling(), tmp_path / "result")
    status, words = run(content)
    assert status == 0
    assert words.endswith("0, 0; the limit of the trembling plans is quasi-perfect\n")
    for place, forged in forgeries(content["refinement"]):
        assert run(content | {"refinement": forged})[0] == 1, place


@pytest.mark.parametrize("name", ["quasi-perfect", "extensive-form-perfect"])
def test_the_checker_tells_the_refinements_apart(tmp_path: Path, run: Check, name: str) -> None:
    """Either is proven by its own trembles: whoever errs more often lets the other do the task."""
    y = np.array([[1, 1, 0], [0, -1, 1]], dtype=object)
    x = {
        "extensive-form-perfect": [[1, 0, 1, 0, 0], [0, 1, -1, 1, 0], [0, 0, 0, -2, 2]],
        "quasi-perfect": [[1, 1, 0, 1, 0], [0, -1, 1, -3, 2], [0, 0, 0, 2, -2]],
    }[name]
    plans = np.array(x, dtype=object), y
    game = who_does_it()
    proven = prove_refinement(game, name, Trembles(plans, (1, 1)))
    gains = prove_equilibrium(game, [plan[0] for plan in plans], (1, 1)).as_gains()
    content = certificate_of(gains, {"name": "task"}, proven)
    (tmp_path / "certificate.json").write_bytes(as_bytes(content))
    content = json.loads((tmp_path / "certificate.json").read_text())
    assert run(content)[1].endswith(f"trembling plans is {name}\n")
    for other in {"quasi-perfect", "extensive-form-perfect"} - {name}:
        wrong = put(content, ("refinement", "name"), other)
        assert run(wrong) == (1, f"refused: player 0's limit is not {other}\n")


@pytest.mark.parametrize(
    ("trembles", "reason"),
    [
        ([[0, -1, 0]], "does not add up"),
        ([[1, 0, 2]], "does not add up"),
        ([], "not positive for small epsilon"),
        ([[0, 1, -1]], "not positive for small epsilon"),
        ([[0, 1]], "has 2 entries, not 3"),
    ],
)
def test_what_is_no_trembling_plan_is_refused(
    tmp_path: Path, run: Check, trembles: Any, reason: str
) -> None:
    content = saved(guess_the_ace(), tmp_path / "result")
    wrong = put(content, ("refinement", "trembles", 0), trembles)
    assert reason in run(wrong)[1]
    assert not is_read(wrong, tmp_path / "result")


def test_a_saved_refinement_is_loaded_and_proven_again(tmp_path: Path) -> None:
    found = solve(kuhn(), refine="quasi-perfect")
    found.save(tmp_path / "result", "kuhn")
    again = load(tmp_path / "result")
    assert again.refinement is not None
    assert again.refinement.record() == {"name": "quasi-perfect"}
    pairs = zip(again.refinement.behaviors, found.refinement.behaviors, strict=True)
    assert all((one == other).all() for one, other in pairs)


def test_a_locked_game_is_refined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the locked game whose answer is refined, and the command succeeds."""
    table = tmp_path / "lock.csv"
    table.write_text("player,infoset,action,probability\n0,J:,bet,1/2\n")
    command = ["seqform", "solve", "kuhn", "--lock", str(table), "--refine", "quasi-perfect"]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (None, 0)
    found = solve(kuhn(), lock=str(table), refine="quasi-perfect")
    assert found.locked is not None
    assert found.locked.refinement is not None
    assert found.refinement is None


def test_a_game_too_large_for_its_program_is_refused_by_the_option_given() -> None:
    with pytest.raises(InvalidParameterError, match="refine= needs the linear program"):
        solve(make("rhode-island"), refine="quasi-perfect")


def without_checksums(folder: Path, change: Callable[[Any], Any]) -> None:
    path = folder / "result.json"
    claims = change(json.loads(path.read_text()))
    path.write_text(json.dumps({k: v for k, v in claims.items() if k not in ("files", "checksum")}))


def test_a_refinement_that_is_claimed_and_not_proven_is_refused(tmp_path: Path) -> None:
    solve(kuhn(), exact=True).save(tmp_path / "plain", "kuhn")
    claim = {"refinement": {"name": "quasi-perfect"}}
    without_checksums(tmp_path / "plain", lambda claims: claims | claim)
    with pytest.raises(VerificationError, match="certificate proves none"):
        load(tmp_path / "plain")


def test_another_strategy_than_the_refined_one_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "result"
    saved(guess_the_ace(), folder)
    without_checksums(folder, lambda claims: changed(claims, ("gains",), lambda gains: gains))
    table = folder / "strategy.csv"
    text = table.read_text()
    assert "guess,ace,0" in text
    table.write_text(
        text.replace("guess,ace,0.0", "guess,ace,1.0").replace("guess,other,1.0", "guess,other,0.0")
    )
    with pytest.raises(VerificationError, match="not the refined one"):
        load(folder)


REFUSED: list[tuple[Any, dict[str, Any], type[SeqformError], str]] = [
    (kuhn, {"refine": "perfect"}, UnknownNameError, "no refinement 'perfect'"),
    (kuhn, {"refine": 3}, UnknownNameError, "no refinement '3'"),
    (kuhn, {"refine": "quasi-perfect", "exact": False}, InvalidParameterError, "leave out exact="),
    (kuhn, {"refine": "quasi-perfect", "method": "dcfr"}, InvalidParameterError, "no option"),
    (leduc, {"refine": "extensive-form-perfect"}, GameTooLargeError, "up to 600 .* has 3,124"),
    (kuhn, {"refine": "perfect", "method": "lcp"}, UnknownNameError, "no refinement 'perfect'"),
    (kuhn, {"refine": "quasi-perfect", "solver": "clarabel"}, InvalidParameterError, "highs"),
    (
        kuhn,
        {"refine": "quasi-perfect", "abstract": "suit"},
        InvalidParameterError,
        "by best replies",
    ),
    (
        lambda: kuhn(players=3),
        {"refine": "quasi-perfect"},
        NotForThisGameError,
        "2 players.*check_sequential_equilibrium",
    ),
    (
        lambda: float_game(1),
        {"refine": "quasi-perfect", "method": "lp"},
        UnsupportedGameError,
        "int or Fraction",
    ),
    (
        lambda: float_game(1, zero_sum=False),
        {"refine": "quasi-perfect"},
        UnsupportedGameError,
        "int or Fraction",
    ),
]


RIVER = {"sizes": "bet 100%"}
"""A river small enough to be merged soon, and too large for fractions of pairs of hands."""

BY_CLASSES = {"method": "lp", "abstract": "equitable"}

NAMED_INSTEAD: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    (
        {"refine": "extensive-form-perfect"},
        "method='lp' on classes of hands (abstract='equitable') and refine='undominated'",
        {**BY_CLASSES, "refine": "undominated"},
    ),
    ({"refine": "quasi-perfect"}, "refine='undominated'", {**BY_CLASSES, "refine": "undominated"}),
    ({"family": True}, "exact=True, for one", {**BY_CLASSES, "exact": True}),
    ({"exact": True, "abstract": "none"}, "(abstract='equitable')", {**BY_CLASSES, "exact": True}),
]


@pytest.mark.parametrize(("options", "words", "instead"), NAMED_INSTEAD)
def test_what_is_named_instead_is_taken(
    options: dict[str, Any], words: str, instead: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make("river", **RIVER)
    monkeypatch.setattr("seqform.base.need.PATIENCE", 10)
    with pytest.raises(GameTooLargeError, match=re.escape(words)):
        solve(game, **options)
    monkeypatch.setattr("seqform.methods.lp._solve_program", _begun)
    with pytest.raises(SolverError, match="it was begun"):
        solve(game, **instead)


def test_of_a_raked_river_no_refinement_is_named_instead() -> None:
    game = make("river", rake=0.05)
    for refine in ("extensive-form-perfect", "undominated", "quasi-perfect"):
        with pytest.raises(SeqformError, match="; leave out refine=, and use regret minimization"):
            solve(game, refine=refine)


def test_only_methods_that_take_the_options_are_named_instead() -> None:
    with pytest.raises(NotForThisGameError) as told:
        solve(make("chicken"), method="lp", refine="quasi-perfect")
    assert "use method='lcp'" in str(told.value)
    assert "cfr" not in str(told.value)


def _begun(*_: Any) -> Any:
    raise SolverError("it was begun")


@pytest.mark.parametrize(("game", "options", "error", "words"), REFUSED)
def test_what_cannot_be_refined_is_refused(
    game: Any, options: dict[str, Any], error: type[SeqformError], words: str
) -> None:
    with pytest.raises(error, match=words):
        solve(game(), **options)


def test_a_row_says_where_chance_never_leads() -> None:
    """Below a chance move of probability 0 nothing is refined."""
    b = TreeBuilder(2)
    for node, label in zip(
        b.chance(b.root, [("usual", 1), ("never", 0)]), ("here", "there"), strict=True
    ):
        for child, pays in zip(b.decision(node, 0, label, ["l", "r"]), (1, 0), strict=True):
            left, right = b.decision(child, 1, (label, pays), ["a", "b"])
            b.terminal(left, (pays, -pays))
            b.terminal(right, (pays + 1, -pays - 1))
    row = dict(solve(b.freeze(), refine="quasi-perfect", method="lp").rows())["refinement"]
    assert row.endswith("not at 3 information sets to which chance never leads (probability 0)")
    assert "never" not in dict(solve(kuhn(), refine="quasi-perfect").rows())["refinement"]
