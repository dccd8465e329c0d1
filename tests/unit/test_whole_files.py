"""Files and folders that change as a whole: full disks, places that cannot be written, and two
processes at once."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.textbook import matching_pennies
from seqform import build_tree, save_game, solve, write_lp
from seqform.base import whole_file
from seqform.base.errors import ResultFileError, SeqformError
from seqform.base.whole_file import check_writable, locked, replacing, write_text
from seqform.base.whole_folder import ASIDE, LOCK, checksum, listed
from seqform.drawing.figure import save_picture
from seqform.results.folder import RESULT
from seqform.results.verification import verify
from tests.command_line import call, typed

SOLVED = solve(kuhn())
FILES = ["certificate.json", "game.npz", "result.json", "strategy.csv"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    SOLVED.save(tmp_path / "result", "before")
    return tmp_path / "result"


def test_a_block_that_raises_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(KeyboardInterrupt), replacing(path):
        raise KeyboardInterrupt
    assert names(tmp_path) == []
    write_text(path, "old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"half", "no bytes"])  # type: ignore[list-item]
    assert (path.read_text(), names(tmp_path)) == ("old", ["a"])


def test_what_a_killed_process_left_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.part").write_text("much longer than what comes now")
    write_text(tmp_path / "a", "new")
    assert ((tmp_path / "a").read_text(), names(tmp_path)) == ("new", ["a"])


def test_a_link_goes_on_leading_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "a")
    write_text(tmp_path / "link", "text")
    assert (tmp_path / "elsewhere" / "a").read_text() == "text"
    assert (tmp_path / "link").is_symlink()


def test_two_at_once_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_file, "WAIT", 0.05)
    with replacing(tmp_path / "a") as file:
        file.write(b"first")
        with pytest.raises(OSError, match="another process is writing it"):
            write_text(tmp_path / "a", "second")
    assert (tmp_path / "a").read_text() == "first"
    (tmp_path / "a").unlink()
    with locked(tmp_path / LOCK), pytest.raises(ResultFileError, match="another process"):
        SOLVED.save(tmp_path, "kuhn")
    assert names(tmp_path) == []


def test_a_file_that_was_renamed_while_its_lock_was_waited_for_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lock = tmp_path / "a", whole_file._lock

    def late(handle: int) -> bool:
        if not path.exists():  # the process that we wait for finishes
            (tmp_path / "a.part").rename(path)
        return lock(handle)

    monkeypatch.setattr(whole_file, "_lock", late)
    write_text(path, "mine")
    assert (path.read_text(), names(tmp_path)) == ("mine", ["a"])


def test_without_locks_files_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(whole_file.fcntl, "flock", flock)
    write_text(tmp_path / "a", "text")
    assert (tmp_path / "a").read_text() == "text"


SAVERS = """
import sys
from pathlib import Path
from games.kuhn import kuhn
from games.textbook import matching_pennies
from seqform import solve
from seqform.base.whole_file import write_text
folder, name = Path(sys.argv[1]), sys.argv[2]
solution = solve(kuhn() if name == "a" else matching_pennies())
sys.stdin.readline()  # both begin at once
for count in range(12):
    solution.save(folder / "result", name)
    write_text(folder / "text", name * 100_000)
"""


def test_of_two_processes_one_wins_and_nothing_is_mixed(tmp_path: Path) -> None:
    savers = [
        subprocess.Popen(
            [sys.executable, "-c", SAVERS, str(tmp_path), name],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in "ab"
    ]
    for saver in savers:
        assert saver.stdin is not None
        saver.stdin.write("\n")
        saver.stdin.flush()
    while any(saver.poll() is None for saver in savers):
        if (tmp_path / "text").exists():
            text = (tmp_path / "text").read_text()
            assert text in ("a" * 100_000, "b" * 100_000)
    assert [(saver.returncode, saver.communicate()[1]) for saver in savers] == [(0, "")] * 2
    claims = verify(tmp_path / "result").claims
    assert claims["game"] in ("a", "b")
    assert names(tmp_path) == ["result", "text"]
    assert ASIDE not in names(tmp_path / "result")


def full(*_: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def room() -> Iterator[Callable[[int], None]]:
    """Let no file grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("limit", [0, 100, 500, 800, 1500, 2000])
def test_a_full_disk_takes_no_old_result(
    limit: int, tmp_path: Path, saved: Path, room: Callable[[int], None]
) -> None:
    """The game needs 2,200 bytes, the claims 1,500."""
    for folder in (saved, tmp_path / "new"):
        room(limit)
        with pytest.raises(ResultFileError, match=f"cannot write to {folder}: File too large"):
            SOLVED.save(folder, "kuhn")
    room(10_000)
    assert verify(saved).claims["game"] == "before"
    assert names(saved) == FILES
    assert names(tmp_path) == ["result"]
    SOLVED.save(saved, "after")
    assert verify(saved).claims["game"] == "after"


def test_a_full_disk_takes_no_new_result_either(saved: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (800, 800))\n"
        "from seqform.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "solve", "kuhn", "--out", str(saved)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.strip().splitlines()[-1] == (
        f"seqform: cannot write to {saved}: File too large"
    )
    assert "Traceback" not in done.stderr
    assert "-1/18" in done.stdout  # what was found is printed first


WRITERS: dict[str, Callable[[Path], Any]] = {
    "game.efg": lambda path: save_game(kuhn(), path),
    "game.npz": lambda path: save_game(kuhn(), path),
    "game.lp": lambda path: write_lp(kuhn(), path),
    "game.mps": lambda path: write_lp(kuhn(), path),
    "game.svg": lambda path: save_picture(build_tree(matching_pennies()), path),
    "game.png": lambda path: save_picture(build_tree(matching_pennies()), path),
    "search.npz": lambda path: solve(kuhn(), method="dcfr", iterations=3, checkpoint=path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_no_file_is_lost_to_a_full_disk(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    old = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    if name == "search.npz":
        path.unlink()
    with pytest.raises(SeqformError, match=rf"cannot write {path}: No space left") as refused:
        WRITERS[name](path)
    assert "\n" not in str(refused.value)
    if name == "search.npz":
        assert names(tmp_path) == []
    else:
        assert (path.read_bytes(), names(tmp_path)) == (old, [name])


def test_a_program_that_was_cut_short_is_not_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import highspy

    whole = highspy.Highs.writeModel

    def short(highs: Any, path: str) -> Any:
        status = whole(highs, path)
        os.truncate(path, 200)
        return status

    monkeypatch.setattr(highspy.Highs, "writeModel", short)
    for name in ("a.lp", "a.mps"):
        with pytest.raises(SeqformError, match="is there room"):
            write_lp(kuhn(), tmp_path / name)
    assert names(tmp_path) == []


NOWHERE = ("/proc/none/result", "/dev/null/result")


@pytest.mark.parametrize("place", NOWHERE)
def test_a_place_that_cannot_be_written_is_refused_before_any_work(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("the game was solved first")

    with pytest.raises(ResultFileError, match=rf"cannot write {place}\.npz|no folder"):
        solve(kuhn(), method="dcfr", checkpoint=Path(f"{place}.npz"))
    monkeypatch.setattr("seqform.solve", never, raising=False)
    with pytest.raises(ResultFileError, match=f"cannot write to {place}"):
        call("solve", "kuhn", "--out", place)


def test_a_folder_of_other_files_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "thesis.tex").write_text("do not lose me")
    monkeypatch.setattr("seqform.solve", full, raising=False)
    with pytest.raises(ResultFileError, match=r"thesis\.tex"):
        call("solve", "kuhn", "--out", str(tmp_path))
    assert names(tmp_path) == ["thesis.tex"]


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """Be a user who has no rights but in a folder: root may write anywhere."""
    is_root, user = os.geteuid() == 0, 65534
    if is_root:
        os.chown(folder, user, -1)
        os.seteuid(user)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_a_folder_without_permission_is_refused_and_can_be_verified(saved: Path) -> None:
    verify(saved)  # loads all that is needed below, where Python itself may be out of reach
    solve(kuhn(), method="dcfr", iterations=1, checkpoint=saved.parent / "a.npz")
    with TemporaryDirectory() as name, without_rights(folder := Path(name)):
        SOLVED.save(folder / "result", "before")
        (folder / "result").chmod(0o555)
        with pytest.raises(ResultFileError, match=r"cannot write to .*: Permission denied"):
            SOLVED.save(folder / "result", "after")
        assert verify(folder / "result").claims["game"] == "before"
        folder.chmod(0o555)
        with pytest.raises(ResultFileError, match=r"cannot write to .*: Permission denied"):
            SOLVED.save(folder / "new", "after")
        with pytest.raises(ResultFileError, match=r"cannot write .*: Permission denied"):
            solve(kuhn(), method="dcfr", checkpoint=folder / "search.npz")
        assert names(folder) == ["result"]
        folder.chmod(0o755)
        (folder / "result").chmod(0o755)


def test_a_save_that_was_stopped_half_way_is_finished_by_whoever_reads(saved: Path) -> None:
    aside = saved / ASIDE
    aside.mkdir()
    (saved / "strategy.csv").rename(aside / "strategy.csv")
    (saved / "game.npz").rename(aside / "game.npz")
    (saved / "strategy.csv").write_text("of the result before")
    (saved / "strategy.npz").write_text("of the result before")
    assert verify(saved).claims["game"] == "before"
    assert names(saved) == FILES


def test_a_save_that_was_stopped_half_way_survives_one_that_fails(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (saved / ASIDE).mkdir()
    (saved / "strategy.csv").rename(saved / ASIDE / "strategy.csv")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResultFileError, match="No space left"):
        SOLVED.save(saved, "after")
    assert verify(saved).claims["game"] == "before"


def test_what_an_unfinished_save_left_is_not_taken_for_the_result(saved: Path) -> None:
    aside = saved / ASIDE
    aside.mkdir()
    (aside / "strategy.csv").write_text("half")
    assert verify(saved).claims["game"] == "before"
    assert names(saved) == FILES


@pytest.mark.parametrize("name", ["../outside", "a/b", "/etc/passwd", "", "..", "a\0b"])
def test_a_list_reaches_no_other_folder(name: str, saved: Path) -> None:
    claims = json.loads((saved / RESULT).read_text())
    claims["files"][name] = claims["files"]["game.npz"]
    claims["checksum"] = checksum(claims)
    (saved / RESULT).write_text(json.dumps(claims))
    (saved / ASIDE).mkdir()
    (saved / "outside").write_bytes((saved / "game.npz").read_bytes())
    with pytest.raises(ResultFileError, match="its files are"):
        verify(saved)
    assert not (saved.parent / "outside").exists()


@pytest.mark.parametrize("files", [3, "game.npz", ["game.npz"], None])
def test_a_list_that_is_none_is_refused(files: Any, saved: Path) -> None:
    claims = json.loads((saved / RESULT).read_text()) | {"files": files}
    (saved / RESULT).write_text(json.dumps(claims | {"checksum": checksum(claims)}))
    with pytest.raises(ResultFileError, match="its files are"):
        verify(saved)


def test_a_damaged_list_moves_and_removes_nothing(saved: Path) -> None:
    claims = json.loads((saved / RESULT).read_text())
    claims["files"] = {}
    (saved / RESULT).write_text(json.dumps(claims))
    (saved / ASIDE).mkdir()
    assert listed(saved / RESULT) is None
    with pytest.raises(SeqformError, match="altered"):
        verify(saved)
    assert set(names(saved)) >= set(FILES)


def test_trying_leaves_nothing(tmp_path: Path) -> None:
    check_writable(tmp_path / "a")
    assert names(tmp_path) == []
    with pytest.raises(OSError, match="No such file"):
        check_writable(tmp_path / "no" / "a")


def test_the_command_line_prints_what_it_found_before_it_saves(tmp_path: Path) -> None:
    code = typed("solve", "kuhn", "--json", "--out", str(tmp_path / "a"))
    assert (code.returncode, json.loads(code.stdout)["exact_value"]) == (0, "-1/18")
    assert np.isfinite(json.loads((tmp_path / "a" / RESULT).read_text())["value"])
