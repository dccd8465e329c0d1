"""`seqform doctor` finds what is broken, and calls nothing broken that is not."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

import seqform
from seqform.base import installed
from seqform.base.health import Finding
from seqform.base.machine import examine_machine
from seqform.cli import app
from tests.imports import ROOT


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    return seqform.doctor()


def test_here_all_is_well(findings: list[Finding]) -> None:
    by_topic = {(finding.topic, finding.name): finding for finding in findings}
    assert [finding for finding in findings if finding.state == "broken"] == []
    assert by_topic["versions", "seqform"].found == seqform.__version__
    assert {name for topic, name in by_topic if topic == "solvers"} == set(seqform.SOLVERS.names())
    assert by_topic["needed libraries", "numpy"].found == metadata.version("numpy")
    kept = by_topic["caches", "numba"].found
    if told := os.environ.get("NUMBA_CACHE_DIR"):
        assert kept.startswith(told)
    else:
        assert kept.endswith("__pycache__")


def test_what_is_needed_is_what_is_declared() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {canonicalize_name(Requirement(line).name) for line in declared} == set(installed.NEEDED)


def versions(changed: dict[str, str | None], patch: pytest.MonkeyPatch) -> None:
    """Have libraries be of other versions, or absent."""
    real = installed._version
    patch.setattr(
        installed, "_version", lambda name: changed[name] if name in changed else real(name)
    )


def conflicts() -> Iterator[tuple[str, str, str]]:
    for finding in installed.examine_libraries():
        if finding.topic == "conflicts":
            yield finding.name, finding.state, finding.found


def test_versions_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    versions({"highspy": "1.5.0"}, monkeypatch)
    assert ("seqform", "broken", "needs highspy>=1.12; there is 1.5.0") in set(conflicts())


def test_what_libraries_need_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    versions({"llvmlite": "0.1"}, monkeypatch)
    assert [name for name, state, _ in conflicts() if state == "broken"] == ["numba"]


def test_a_library_that_is_not_needed_may_be_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    versions({"pygambit": None}, monkeypatch)
    found = {finding.name: finding for finding in installed.examine_libraries()}
    assert (found["pygambit"].state, found["pygambit"].found) == ("absent", "not installed")


def test_a_library_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "shattered.py").write_text("raise RuntimeError('built for another numpy')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(installed.NEEDED, "igraph", ("shattered", "pictures"))
    found = {finding.name: finding for finding in installed.examine_libraries()}
    assert found["igraph"].state == "broken"
    assert "RuntimeError: built for another numpy" in found["igraph"].found


def test_a_solver_that_errs(monkeypatch: pytest.MonkeyPatch) -> None:
    from seqform.methods import doctor

    monkeypatch.setattr(doctor, "GAME", ("kuhn", 1.0))
    done = CliRunner().invoke(app, ["doctor"], env={"COLUMNS": "80"})
    assert done.exit_code == 1
    assert "broken: clarabel, cvxpy, highs" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from seqform.methods import doctor

    monkeypatch.setattr("os.access", lambda *_: False)
    finding = doctor._kernels()
    assert finding.state == "doubtful"
    assert "NUMBA_CACHE_DIR" in finding.purpose


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    monkeypatch.setenv("MKL_NUM_THREADS", "2")
    found = {finding.name: finding for finding in examine_machine()}
    assert (found["OMP_NUM_THREADS"].state, found["MKL_NUM_THREADS"].state) == ("doubtful", "fine")


def test_as_json() -> None:
    done = CliRunner().invoke(app, ["doctor", "--json"])
    record = json.loads(done.stdout)
    assert (done.exit_code, record["sound"]) == (0, True)
    assert {"topic", "name", "state", "found", "purpose"} == set(record["findings"][0])
