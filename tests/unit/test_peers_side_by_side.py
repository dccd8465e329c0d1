"""Pages for people who come from other programs: the same ten tasks, and code of theirs that runs.

What is ours there are doctests. LiteEFG is not installed for tests: its code is not run.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import ROOT

HOW_TO = ROOT / "docs" / "how-to"
PEERS = {"Gambit": "from-gambit.md", "OpenSpiel": "from-openspiel.md", "LiteEFG": "from-liteefg.md"}
MODULES = {"Gambit": "pygambit", "OpenSpiel": "pyspiel"}
CHECKS = {
    "Gambit": (
        "value == gbt.Rational(1, 3)",
        "infosets == [2, 1] and zero_sum and recall",
        "(paid['Alice'], regret) == (gbt.Rational(-1, 4), gbt.Rational(3, 4))",
        "len(every) == 3",
        "abs(float(by_path.payoffs['Alice']) - 1 / 3) < 1e-5",
    ),
    "OpenSpiel": (
        "abs(value + 1 / 18) < 1e-6",
        "abs(lost - 11 / 24) < 1e-9",
        "gap <= 1e-2",
        "(len(states), infosets) == (58, 12)",
        "coin.num_players() == 2 and same.num_players() == 2",
        "played[1] > 0.999",
    ),
}
"""What our doctests on the page say, of the answers of the others."""
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def tasks(text: str) -> list[str]:
    return [
        title for title in re.findall(r"^## (.*)$", text, re.MULTILINE) if " does " not in title
    ]


def code_of(peer: str, text: str) -> list[str]:
    return [code for code in BLOCK.findall(text) if code.startswith(f"# {peer}\n")]


@pytest.mark.parametrize("peer", PEERS)
def test_all_pages_have_the_same_ten_tasks(peer: str) -> None:
    text, first = (HOW_TO / PEERS[peer]).read_text(), (HOW_TO / PEERS["Gambit"]).read_text()
    assert len(tasks(first)) == 10
    assert tasks(text) == tasks(first)
    rows = re.findall(r"^\| (.*?) \|", text, re.MULTILINE)
    assert len(rows) == 1 + 10  # the table at the top, with its head
    assert f"## Where {peer} does more" in text
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:11]:
        assert ">>> " in part, part


@pytest.mark.parametrize("peer", CHECKS)
def test_their_code_runs(peer: str, tmp_path: Path) -> None:
    """In a process of its own, since a game is registered; and it finds what ours finds."""
    pytest.importorskip(MODULES[peer])
    found = code_of(peer, (HOW_TO / PEERS[peer]).read_text())
    assert len(found) >= 8
    script = tmp_path / "theirs.py"
    script.write_text(
        "\n".join([*found, *(f"assert {check}, {check!r}" for check in CHECKS[peer])])
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
