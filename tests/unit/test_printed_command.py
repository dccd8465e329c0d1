"""The command that a page prints makes the page's result again, whatever was asked for."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from games.kuhn import kuhn
from seqform import Solution, load, make, save_game, solve, write_report
from seqform.cli import app
from seqform.report import report_page
from seqform.results.asked import asked_of
from seqform.results.folder import RESULT

LOCK = "player,infoset,action,probability\n0,J:,bet,1/3\n"

ASKED = [
    "kuhn",
    "kuhn --refine quasi-perfect",
    "kuhn --refine undominated",
    "kuhn --method lcp --refine extensive-form-perfect",
    "kuhn --lock {lock}",
    "kuhn --no-exact",
    "kuhn --no-exact --prove --no-polish",
    "kuhn --family",
    "kuhn --solver highs --engine ipx --tolerance 1e-9 --program folded",
    "kuhn --method dcfr --gap 1e-2 --prove",
    "kuhn --method cfr+ --iterations 37 --threads 2",
    "kuhn --method qre --lambda-end 3",
    "leduc --abstract suit",
    "kuhn --max-nodes 10",
    "kuhn -p players=3 --method cfr --iterations 20",
    "kuhn@J,Q,bet",
    "goofspiel -p cards=3",
    "leduc --abstract equitable --method dcfr --gap 0.1",
    "leduc --abstract outcome --threshold 0.1 --gap 0.1 --method dcfr",
    "chicken --method enumeration",
    "chicken --method mip --optimize welfare",
    "chicken --method lcp --start 1",
    "chicken --method efce --optimize -welfare",
    "chicken --method nfcce --optimize none",
    "centipede --method backward",
    "nim -p heaps=1,2 --method alphabeta",
    "nim -p heaps=3,5 --method minimax --depth 2 --evaluation guess:heaps",
    "games.kuhn:kuhn",
    "{file} --method lp",
]

OF_THE_RUN = {"seconds", "peak_rss_mb", "history", "provenance", "files", "checksum"}
"""What two runs do not have in common."""


def run(*words: str) -> None:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code in (0, 1), done.output


def facts(folder: Path) -> dict[str, Any]:
    content = json.loads((folder / RESULT).read_text())
    return {key: value for key, value in content.items() if key not in OF_THE_RUN}


def printed(page: str) -> list[str]:
    """Return the words of the command that a page prints."""
    found = re.search("<code>(seqform solve .*?)</code>", page)
    assert found, "the page prints no command"
    return shlex.split(unescape(found[1]))


@pytest.mark.parametrize("asked", ASKED)
def test_the_command_makes_the_result_again(
    asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a lock.csv").write_text(LOCK)
    (tmp_path / "guess.py").write_text("def heaps(state):\n    return 0.25\n")
    monkeypatch.chdir(tmp_path)  # where modules are looked for
    save_game(make("kuhn"), tmp_path / "game.npz")
    names = {"lock": tmp_path / "a lock.csv", "file": tmp_path / "game.npz"}
    words = [word.format(**names) for word in asked.split()]
    run("solve", *words, "--out", str(tmp_path / "first"))
    write_report(tmp_path / "first", tmp_path / "page.html")
    _, *again = printed((tmp_path / "page.html").read_text())
    run(*again, "--out", str(tmp_path / "second"))
    first, second = facts(tmp_path / "first"), facts(tmp_path / "second")
    assert len(first["asked"]) == sum(word.startswith("--") for word in words)
    if "lock" in first["asked"]:  # of which each result has a file of its own
        first["asked"]["lock"] = second["asked"]["lock"]
    assert first == second


def test_a_game_without_a_name_is_the_file_beside_its_result(tmp_path: Path) -> None:
    solve(kuhn(), method="lp").save(tmp_path / "first", "poker for three cards")
    write_report(tmp_path / "first", tmp_path / "page.html")
    _, *again = printed((tmp_path / "page.html").read_text())
    assert again == ["solve", str(tmp_path / "first" / "game.npz"), "--method", "lp"]
    run(*again, "--out", str(tmp_path / "second"))
    assert load(tmp_path / "second").value == load(tmp_path / "first").value


def test_what_was_locked_in_python_is_the_file_beside_its_result(tmp_path: Path) -> None:
    found = solve(kuhn(), lock={(0, "J:", "bet"): "1/3"})
    found.save(tmp_path / "first", "kuhn")
    command = printed(report_page(tmp_path / "first"))
    assert command == ["seqform", "solve", "kuhn", "--lock", str(tmp_path / "first" / "lock.csv")]
    run(*command[1:], "--out", str(tmp_path / "second"))
    assert facts(tmp_path / "second")["locked"] == facts(tmp_path / "first")["locked"]


def says(solution: Solution | Path, name: str = "kuhn") -> str:
    page = report_page({name: solution})
    assert "<code>seqform solve" not in page
    found = re.search("makes such a result</dt><dd>(.*?)</dd>", page)
    assert found
    return unescape(found[1])


def test_a_page_says_why_it_prints_no_command(tmp_path: Path) -> None:
    start = solve(kuhn()).profile
    assert (
        says(solve(kuhn(), method="lcp", start=start)) == "none, since start= was given in Python"
    )
    assert "lock= was given in Python" in says(solve(kuhn(), lock={(0, "J:", "bet"): 1}))
    assert "has no name that the command line knows" in says(solve(kuhn()), "poker")
    old = Path(__file__).parents[1] / "data" / "version-2"
    assert "does not say what was asked for" in says(next(iter(sorted(old.iterdir()))))


def test_what_was_asked_for_is_kept_when_a_result_is_saved_again(tmp_path: Path) -> None:
    solve(kuhn(), method="dcfr", gap=0.1).save(tmp_path / "first", "kuhn")
    load(tmp_path / "first").save(tmp_path / "second", "kuhn")
    assert facts(tmp_path / "second")["asked"] == {"method": "dcfr", "gap": 0.1}


def test_functions_and_reductions_are_written_by_their_names() -> None:
    from abstraction.suit import SUIT

    given = {"evaluation": kuhn, "abstract": SUIT, "start": [1.0], "callback": lambda: None}
    assert asked_of(**given) == {
        "evaluation": "games.kuhn:kuhn",
        "abstract": "suit",
        "start": "(not text)",
        "callback": "(not text)",
    }
