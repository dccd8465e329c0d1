"""What says how a result was made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from seqform.base import provenance as module
from seqform.base.provenance import provenance


@pytest.fixture(autouse=True)
def forgetful() -> None:
    module.commit.cache_clear()


def git(folder: Path, *words: str) -> str:
    name = ("-c", "user.name=a", "-c", "user.email=a@b")
    return subprocess.run(
        ["git", "-C", str(folder), *name, *words], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_a_checkout_says_its_commit_and_whether_files_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "file").write_text("one")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "--quiet", "-m", "one")
    git(tmp_path, "tag", "v1")  # a tag is no substitute for the commit
    commit = git(tmp_path, "rev-parse", "--short=12", "HEAD")
    monkeypatch.setattr(module, "HERE", tmp_path)
    assert provenance()["commit"] == commit
    (tmp_path / "file").write_text("two")
    module.commit.cache_clear()
    assert provenance()["commit"] == f"{commit}+"


def test_what_is_installed_within_someone_elses_checkout_says_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "packages").mkdir()
    monkeypatch.setattr(module, "HERE", tmp_path / "packages")
    assert "commit" not in provenance()
    (tmp_path / "packages" / ".git").mkdir()  # that is no repository
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    module.commit.cache_clear()
    assert "commit" not in provenance()


def test_processor_and_packages_are_named() -> None:
    found = provenance(("numpy", "no-such-package"))
    assert found["processor"].endswith("of its cores")
    assert found["no-such-package"] == "not installed"
    assert "seqform" not in found
