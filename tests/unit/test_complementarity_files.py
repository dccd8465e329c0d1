"""Complementarity problems as files: what other programs read, what is read back, and refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.io
from hypothesis import given
from typer.testing import CliRunner

from games.random_games import random_game
from seqform import build_sequence_form, make, read_lcp, write_lcp
from seqform.base.errors import GameFileError, InvalidParameterError, NotForThisGameError
from seqform.cli import app
from seqform.exact.plan_proof import prove_equilibrium
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.complementarity.covering import covering
from seqform.solvers.complementarity.float_pivots import FloatPivots
from seqform.solvers.complementarity.lemke import follow
from seqform.solvers.complementarity.rational_equilibrium import equilibrium_of_basis
from seqform.solvers.complementarity.start import Start
from tests.float_games import float_game
from tests.strategies import games


@given(games(zero_sum=(False, True)))
def test_what_is_read_back_is_what_was_written(form: SequenceForm) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.mtx"
        written = write_lcp(form, path)
        read = read_lcp(path)
        matrix = scipy.io.mmread(path, spmatrix=False).toarray()
    assert read.denominators == written.denominators
    integers = written.integers.to_dense()
    assert (read.integers.to_dense() == integers).all()
    assert (read.matrix != written.matrix).nnz == 0
    assert (matrix[:, :-1] == integers).all()
    assert (matrix[:, -1] == written.constants).all()


def test_floats_come_back_as_they_were(tmp_path: Path) -> None:
    form = build_sequence_form(float_game(3))
    written = write_lcp(form, tmp_path / "game.mtx")
    assert "real general" in (tmp_path / "game.mtx").read_text().splitlines()[0]
    read = read_lcp(tmp_path / "game.mtx")
    assert not read.is_exact
    assert np.array_equal(read.matrix.toarray(), written.matrix.toarray())


def test_integers_beyond_int64_stay_whole(tmp_path: Path) -> None:
    form = build_sequence_form(random_game(3, zero_sum=False, max_payoff=10**30))
    written = write_lcp(form, tmp_path / "game.mtx")
    assert (
        read_lcp(tmp_path / "game.mtx").integers.to_dense() == written.integers.to_dense()
    ).all()


def test_a_problem_that_was_read_is_solved_for_its_game(tmp_path: Path) -> None:
    form = build_sequence_form(random_game(7, zero_sum=False))
    write_lcp(form, tmp_path / "game.mtx")
    problem = read_lcp(tmp_path / "game.mtx")
    start = Start(problem, covering(problem, [0.0] * problem.num_sequences))
    path = follow(start, FloatPivots(start))
    found = equilibrium_of_basis(form, start, path.basis)
    assert prove_equilibrium(form, found.plans, found.denominators).as_gains().nash_gap == 0


def test_rows_are_named(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.mtx"
    done = CliRunner().invoke(app, ["write-lcp", "kuhn", str(path)])
    assert "wrote 26 complementary pairs, 14 equations, 136 nonzeros" in done.output
    lines = path.read_text().splitlines()
    assert "% 1 x_empty" in lines
    assert "% 14 y_empty" in lines
    assert "% 27 E_empty" in lines
    assert "% 40 F_K_bet" in lines


def test_refusals_of_writing(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"must end in \.mtx"):
        write_lcp(make("kuhn"), tmp_path / "kuhn.lp")
    with pytest.raises(InvalidParameterError, match="cannot be written: No such file"):
        write_lcp(make("kuhn"), tmp_path / "nowhere" / "kuhn.mtx")
    with pytest.raises(NotForThisGameError, match=r"R10: .* 2 players and the game has 3"):
        write_lcp(random_game(players=3), tmp_path / "three.mtx")


def damage(text: str, line: int, words: str) -> str:
    lines = text.splitlines()
    lines[line] = words
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("line", "words", "message"),
    [
        (0, "hello", "line 1: a Matrix Market file"),
        (0, "%%MatrixMarket matrix array real general", "line 1: a Matrix Market file"),
        (5, "% nothing", "no line '% sequences"),
        (5, "% sequences 13 14, denominators 6 6", "holds no complementarity problem"),
        (5, "% sequences 0 0, denominators 6 6", "holds no complementarity problem"),
        (-1, "33 41", "a row, a column and a number"),
        (-1, "33 41 x", "a row, a column and a number"),
        (-1, "34 41 2", "blocks do not fit"),
        (-1, "1 1 5", "blocks do not fit"),
        (-5, "1 1 5", "holds no complementarity problem"),
    ],
)
def test_refusals_of_reading(tmp_path: Path, line: int, words: str, message: str) -> None:
    path = tmp_path / "kuhn.mtx"
    write_lcp(make("kuhn"), path)
    path.write_text(damage(path.read_text(), line, words))
    with pytest.raises(GameFileError, match=message):
        read_lcp(path)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="cannot be read: No such file"):
        read_lcp(tmp_path / "nothing.mtx")
    (tmp_path / "bytes.mtx").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GameFileError, match="it is not UTF-8 text"):
        read_lcp(tmp_path / "bytes.mtx")
