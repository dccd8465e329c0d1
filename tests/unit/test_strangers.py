"""What new users try: modules that do not load, files that cannot be written, names mistyped."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.kuhn import kuhn
from seqform import build_sequence_form, build_tree, solve
from seqform.base.array_file import read_npz
from seqform.base.errors import ResultFileError, SolverError, UnknownNameError
from seqform.cli.loading import load_attribute
from seqform.io import efg_text, read_efg
from seqform.solvers.linear.highs import write_lp
from seqform.solvers.linear.program import build_lp


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('boom')", "RuntimeError: boom"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
    ],
)
def test_a_module_that_does_not_load(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stranger.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UnknownNameError, match=said):
        load_attribute("stranger:Game", {})


@pytest.mark.parametrize("name", ["./bluff.py:Bluff", "bluff.py:Bluff", "a/b:C", ".:C", "a..b:C"])
def test_a_path_is_no_module(name: str) -> None:
    with pytest.raises(UnknownNameError, match="without folder and ending"):
        load_attribute(name, {})


def test_a_program_is_not_written_over_a_folder(tmp_path: Path) -> None:
    (tmp_path / "k.lp").mkdir()
    with pytest.raises(SolverError, match="cannot write"):
        write_lp(build_lp(build_sequence_form(build_tree(kuhn()))), tmp_path / "k.lp")


def test_a_byte_order_mark_is_no_token(tmp_path: Path) -> None:
    path = tmp_path / "k.efg"
    path.write_bytes(b"\xef\xbb\xbf" + efg_text(build_tree(kuhn())).encode())
    assert read_efg(path).num_nodes == 58


def test_junk_is_not_said_to_be_loadable(tmp_path: Path) -> None:
    path = tmp_path / "junk.npz"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ResultFileError, match="damaged") as refused:
        read_npz(path, "game")
    assert "pickle" not in str(refused.value)


def test_an_unknown_method_is_named_with_those_for_perfect_information() -> None:
    with pytest.raises(UnknownNameError, match=r"'alphabeto'.*did you mean 'alphabeta'"):
        solve(kuhn(), method="alphabeto")
