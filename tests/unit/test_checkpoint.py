"""Checkpoints: whatever stops a search, it goes on to where it would have come without; and no file
is lost to another search."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import Status, build_sequence_form, build_tree, solve
from seqform.base import checkpoint_file
from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.errors import InvalidParameterError, ResultFileError
from seqform.form.from_signals import build_signal_form
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game.observations import SignalStructure
from seqform.methods.method import METHODS
from seqform.results.solution import Solution
from seqform.solvers.iterative import checkpoint
from seqform.solvers.iterative.checkpoint import KIND, VERSION, Checkpoint
from seqform.solvers.iterative.search import Progress
from seqform.tree.builder import TreeBuilder
from tests.command_line import call

LEDUC = SignalStructure(leduc())
FORMS = {"treeplex": build_sequence_form(build_tree(leduc())), "signal": build_signal_form(LEDUC)}
KUHN = build_sequence_form(build_tree(kuhn()))
BEYOND = 1e-12
"""A gap that is not reached before the limit; small enough for double precision."""


@pytest.fixture(autouse=True)
def small_games_go_by_rounds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.BY_ROUNDS_FROM", 0)
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.NONZEROS_PER_PUBLIC_NODE", 0)


def same(a: Solution, b: Solution) -> bool:
    assert a.profile is not None
    assert b.profile is not None
    plans = [
        np.array_equal(x, y) for x, y in zip(a.profile.behaviors, b.profile.behaviors, strict=True)
    ]
    return all(plans) and (a.status, a.nash_gap, a.iterations, a.message) == (
        b.status,
        b.nash_gap,
        b.iterations,
        b.message,
    )


def looks(most: int) -> list[int]:
    """Return the iterations at which a search looks at its gap."""
    seen: list[int] = []
    solve(
        KUHN,
        method="dcfr",
        gap=BEYOND,
        iterations=most,
        callback=lambda now: seen.append(now.iterations),
    )
    return seen


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "search.npz"


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save at every look."""
    monkeypatch.setattr(checkpoint, "Checkpoint", partial(Checkpoint, seconds=0.0))


@pytest.mark.parametrize("method", ["dcfr", "pcfr+", "cfr"])
@pytest.mark.parametrize("engine", FORMS)
def test_a_search_in_parts_ends_where_a_whole_one_does(
    path: Path, engine: str, method: str
) -> None:
    options: dict[str, Any] = {"method": method, "gap": BEYOND}
    stops = [n for n in looks(300) if n > 30][::6]
    for part, stop in enumerate(stops):
        found = solve(FORMS[engine], **options, iterations=stop, checkpoint=path, resume=part > 0)
        assert found.method == f"{method}/{engine}"
        assert same(found, solve(FORMS[engine], **options, iterations=stop))
    header, arrays = read_arrays(path, KIND, VERSION)
    assert header["iterations"] == stops[-1]
    assert {"kept.0", "kept.1"} < arrays.keys()


@pytest.mark.parametrize("gap", [1e-2, 5e-4])  # in single precision where there are signals
@pytest.mark.parametrize("engine", FORMS)
@pytest.mark.parametrize("stop", [1, 37, 101])
def test_a_gap_is_reached_after_an_interruption_as_without(
    path: Path, engine: str, gap: float, stop: int
) -> None:
    whole = solve(FORMS[engine], method="dcfr", gap=gap)
    assert whole.status is Status.SOLVED
    first = solve(FORMS[engine], method="dcfr", gap=gap, iterations=stop, checkpoint=path)
    assert first.status is Status.LIMIT
    assert same(whole, solve(FORMS[engine], method="dcfr", gap=gap, checkpoint=path, resume=True))


@pytest.mark.parametrize("engine", FORMS)
def test_a_finished_search_is_found_finished(path: Path, engine: str) -> None:
    for limit in [
        {"gap": 1e-2},
        *({"gap": BEYOND, "iterations": count} for count in range(37, 60, 3)),
    ]:
        done = solve(FORMS[engine], method="dcfr", **limit, checkpoint=path)
        assert same(
            done, solve(FORMS[engine], method="dcfr", **limit, checkpoint=path, resume=True)
        )
        path.unlink()


def test_best_plans_survive_although_later_ones_are_worse(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = FORMS["treeplex"]
    best = solve(form, method="dcfr", gap=BEYOND, iterations=46)
    honest = type(checkpoint_engine(form)).bounds

    def spoiled(engine: Any) -> tuple[float, float]:
        lower, upper = honest(engine)
        return lower, upper + (1.0 if engine.iterations > 46 else 0.0)

    monkeypatch.setattr(type(checkpoint_engine(form)), "bounds", spoiled)
    solve(form, method="dcfr", gap=BEYOND, iterations=46, checkpoint=path)
    for more in (60, 80):
        later = solve(
            form, method="dcfr", gap=BEYOND, iterations=more, checkpoint=path, resume=True
        )
        assert later.iterations == more
        assert later.nash_gap == best.nash_gap


def checkpoint_engine(form: SequenceForm) -> Any:
    from seqform.solvers.iterative.regret.engine import regret_engine
    from seqform.solvers.iterative.regret.rules import rule

    return regret_engine(form, rule("dcfr"))


KILLED = """
import sys, time
from functools import partial
from pathlib import Path
from games.leduc import leduc
from seqform import solve
from seqform.solvers.iterative import checkpoint
from seqform.form.from_signals import build_signal_form
from seqform.game.observations import SignalStructure
checkpoint.Checkpoint = partial(checkpoint.Checkpoint, seconds=0.0)
from seqform.solvers.iterative.regret import engine
engine.BY_ROUNDS_FROM = 0
engine.NONZEROS_PER_PUBLIC_NODE = 0
form = build_signal_form(SignalStructure(leduc()))
path = Path(sys.argv[1])
saved = {"checkpoint": path, "resume": path.exists()}
solve(form, method="dcfr", gap=2e-4, callback=lambda now: time.sleep(0.01), **saved)
"""


def test_a_killed_search_goes_on_to_the_same_plans(path: Path) -> None:
    whole = solve(FORMS["signal"], method="dcfr", gap=2e-4)
    rng, reached = random.Random(5), 0
    for _ in range(3):
        before = path.stat().st_mtime_ns if path.exists() else 0
        child = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stderr=subprocess.PIPE)
        start = time.perf_counter()
        while (not path.exists() or path.stat().st_mtime_ns == before) and child.poll() is None:
            assert time.perf_counter() < start + 60
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.15))
        child.kill()
        error = child.communicate()[1]
        assert child.returncode == -9, error
        header, _ = read_arrays(path, KIND, VERSION)
        assert reached < header["iterations"] < whole.iterations
        reached = header["iterations"]
    assert same(
        whole, solve(FORMS["signal"], method="dcfr", gap=2e-4, checkpoint=path, resume=True)
    )


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("engine", FORMS)
def test_an_interrupt_leaves_the_last_checkpoint(path: Path, engine: str) -> None:
    def stop(now: Progress) -> None:
        if now.iterations >= 60:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"method": "dcfr", "gap": 1e-3, "checkpoint": path}
    assert solve(FORMS[engine], **options, callback=stop).status is Status.LIMIT
    assert 40 <= read_arrays(path, KIND, VERSION)[0]["iterations"] < 60
    whole = solve(FORMS[engine], method="dcfr", gap=1e-3)
    assert same(whole, solve(FORMS[engine], **options, resume=True))


def test_a_time_limit_saves_at_the_end(path: Path) -> None:
    found = solve(FORMS["treeplex"], method="dcfr", gap=BEYOND, time_limit=1.0, checkpoint=path)
    assert found.status is Status.LIMIT
    assert read_arrays(path, KIND, VERSION)[0]["iterations"] == found.iterations > 1


def test_it_is_saved_when_it_is_time_to(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    saver, engine = Checkpoint(path, "identity"), checkpoint_engine(KUHN)
    for now, saved in (
        (100.0, False),
        (159.0, False),
        (160.5, True),
        (161.0, False),
        (220.0, False),
        (221.0, True),
    ):
        clock[0] = now
        saver.save(engine, None)
        assert path.exists() == saved
        path.unlink(missing_ok=True)
    saver.save(engine, None, force=True)
    assert path.exists()


def scaled(payoffs: tuple[int, int]) -> SequenceForm:
    b = TreeBuilder(2)
    for child, payoff in zip(b.decision(b.root, 0, "only", ["l", "r"]), payoffs, strict=True):
        for leaf, sign in zip(b.decision(child, 1, "other", ["l", "r"]), (1, -1), strict=True):
            b.terminal(leaf, (sign * payoff, -sign * payoff))
    return build_sequence_form(b.freeze())


@pytest.mark.parametrize(
    ("mine", "options", "theirs", "others"),
    [
        (FORMS["treeplex"], {}, KUHN, {}),
        (FORMS["signal"], {}, build_signal_form(SignalStructure(kuhn())), {}),
        (FORMS["treeplex"], {}, FORMS["signal"], {}),
        (FORMS["treeplex"], {}, FORMS["treeplex"], {"method": "cfr+"}),
        (FORMS["signal"], {"gap": 1e-3}, FORMS["signal"], {}),
        (FORMS["signal"], {}, build_signal_form(SignalStructure(leduc(merge_suits=True))), {}),
        (scaled((1, 2)), {}, scaled((1, 3)), {}),
    ],
    ids=["game", "signal game", "engine", "method", "precision", "classes", "payoffs"],
)
def test_a_checkpoint_of_another_search_is_refused_and_left_alone(
    path: Path, mine: Any, options: Any, theirs: Any, others: Any
) -> None:
    common = {"method": "dcfr", "gap": BEYOND, "iterations": 20, "checkpoint": path}
    solve(mine, **common | options)
    content = path.read_bytes()
    with pytest.raises(ResultFileError, match="of another game, method or precision"):
        solve(theirs, **common | others, resume=True)
    assert path.read_bytes() == content
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    solve(mine, **common | options, resume=True)


def test_classes_of_equal_shape_are_told_apart(path: Path) -> None:
    """Two classes of cards that exchange their numbers: other payoffs, in arrays of the same
    size."""
    swap = np.array([2, 1, 0], dtype=np.int32)
    structure = SignalStructure(kuhn())
    exchanged = (
        tuple(tuple(swap[of] for of in stages) for stages in structure.identity[:1])
        + structure.identity[1:]
    )
    common: dict[str, Any] = {"method": "dcfr", "gap": BEYOND, "iterations": 20, "checkpoint": path}
    solve(build_signal_form(structure), **common)
    with pytest.raises(ResultFileError, match="of another game"):
        solve(build_signal_form(structure, exchanged), **common, resume=True)


def test_a_file_is_not_written_over_without_being_asked(path: Path) -> None:
    path.write_text("thesis")
    with pytest.raises(
        ResultFileError, match=r"search\.npz exists; go on from it with resume=True"
    ):
        solve(KUHN, method="dcfr", checkpoint=path)
    assert path.read_text() == "thesis"


@pytest.mark.parametrize("content", [b"", b"thesis", None])
def test_a_damaged_checkpoint_is_refused_and_left_alone(path: Path, content: bytes | None) -> None:
    solve(KUHN, method="dcfr", iterations=20, checkpoint=path)
    saved = path.read_bytes()
    middle = len(saved) // 2
    content = (
        saved[:middle] + bytes([saved[middle] ^ 0xFF]) + saved[middle + 1 :]
        if content is None
        else content
    )
    path.write_bytes(content)
    with pytest.raises(ResultFileError, match=r"search\.npz"):
        solve(KUHN, method="dcfr", iterations=20, checkpoint=path, resume=True)
    assert path.read_bytes() == content


@pytest.mark.parametrize("change", ["less", "shape", "kept", "iterations"])
def test_a_checkpoint_that_is_whole_and_does_not_fit_is_refused(path: Path, change: str) -> None:
    solve(KUHN, method="dcfr", gap=BEYOND, iterations=20, checkpoint=path)
    header, arrays = read_arrays(path, KIND, VERSION)
    if change == "less":
        del arrays["engine.regret0"]
    elif change == "shape":
        arrays["engine.regret0"] = np.zeros(5)
    elif change == "kept":
        del arrays["kept.1"]
    else:
        header["iterations"] = "many"
    write_arrays(
        path,
        KIND,
        VERSION,
        {key: header[key] for key in ("identity", "iterations", "kept")},
        arrays,
    )
    with pytest.raises(ResultFileError, match="does not fit this search"):
        solve(KUHN, method="dcfr", gap=BEYOND, checkpoint=path, resume=True)


def with_treeplex(form: SequenceForm, **changed: Any) -> SequenceForm:
    first, second = form.treeplexes
    given = {"parent_sequence": second.parent_sequence, "first_sequence": second.first_sequence}
    return replace(form, treeplexes=(first, Treeplex(**given | changed)))


def with_operator(form: Any, **changed: Any) -> SequenceForm:
    return form.with_operator(replace(form.operator, **changed))  # type: ignore[no-any-return]


def moved(array: Any, place: int, by: int) -> Any:
    return array + by * (np.arange(len(array)) == place).astype(array.dtype)


def other_term(form: Any, part: str) -> SequenceForm:
    """Change one number of a Kronecker operator."""
    first, *rest = form.operator.terms
    matrix = getattr(first, part).copy()
    matrix.data[0] += 1
    return with_operator(form, terms=(replace(first, **{part: matrix}), *rest))


def other_payoff(form: Any) -> SequenceForm:
    matrix = form.operator.matrix.copy()
    matrix.data[0] += 0.5
    return with_operator(form, matrix=matrix)


def with_constant(form: Any) -> SequenceForm:
    return replace(form, payoffs=replace(form.payoffs, constant_sum=1))  # type: ignore[no-any-return]


OTHER_GAMES: dict[str, Callable[[Any], SequenceForm]] = {
    "constant": with_constant,
    "parents": lambda form: with_treeplex(
        form, parent_sequence=moved(form.treeplexes[1].parent_sequence, 5, 1)
    ),
    "actions": lambda form: with_treeplex(
        form, first_sequence=moved(form.treeplexes[1].first_sequence, 1, -1)
    ),
    "denominator": lambda form: with_operator(form, denominator=7),
    "stakes": partial(other_term, part="stakes"),
    "signals": partial(other_term, part="signals"),
    "payoff": other_payoff,
}


@pytest.mark.parametrize(
    ("engine", "change"),
    [
        *(("treeplex", name) for name in ("constant", "parents", "actions", "payoff")),
        *(
            ("signal", name)
            for name in ("constant", "parents", "actions", "denominator", "stakes", "signals")
        ),
    ],
)
def test_a_checkpoint_is_of_one_game_only(engine: str, change: str) -> None:
    """All arrays of the search are alike, and only the game is another one."""
    form = FORMS[engine]
    search, other = checkpoint_engine(form), OTHER_GAMES[change](form)
    assert checkpoint.identify(other, search, "dcfr") != checkpoint.identify(form, search, "dcfr")


def test_files_that_cannot_be_are_refused_before_the_search(path: Path) -> None:
    with pytest.raises(ResultFileError, match="does not exist"):
        solve(KUHN, method="dcfr", checkpoint=path, resume=True)
    with pytest.raises(ResultFileError, match="there is no folder"):
        solve(KUHN, method="dcfr", checkpoint=path / "deeper" / "search.npz")
    with pytest.raises(ResultFileError, match="exists"):
        solve(KUHN, method="dcfr", checkpoint=path.parent)
    with pytest.raises(InvalidParameterError, match="resume=True needs checkpoint="):
        solve(KUHN, method="dcfr", resume=True)
    with pytest.raises(InvalidParameterError, match="'checkpoint' is an option of cfr"):
        solve(KUHN, method="lp", checkpoint=path)
    assert not path.exists()


def test_a_full_disk_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint_file, "write_arrays", full)
    with pytest.raises(ResultFileError, match=r"cannot write .*search\.npz: No space left"):
        solve(KUHN, method="dcfr", iterations=5, checkpoint=path)


def test_asking_for_a_checkpoint_is_asking_for_regret_minimization(path: Path) -> None:
    assert solve(KUHN, checkpoint=path).method == "sapdcfr+/treeplex"
    assert path.exists()


def test_the_command_line_goes_on_from_a_checkpoint(path: Path) -> None:
    search = ("solve", "kuhn", "--method", "dcfr", "--gap", "1e-9", "--checkpoint", str(path))
    assert "LIMIT: a limit was hit" in call(*search, "--iterations", "30")
    with pytest.raises(ResultFileError, match="--resume"):
        call(*search)
    assert "40 iterations" in " ".join(call(*search, "--iterations", "40", "--resume").split())
    assert read_arrays(path, KIND, VERSION)[0]["iterations"] == 40


@pytest.mark.parametrize(
    ("name", "method", "digest"),
    [
        ("treeplex", "dcfr", "bee7b922bebde537c61b8940b0c7db91986560d42d7b72ba7bbfa940a7e10325"),
        ("treeplex", "pdhg", "967d8a5b3fc9a3828b9eaf4a1e806ab4da8b95722253adc33b997ea7e90578f3"),
        ("signal", "dcfr", "59471b97926de1b234ce6437891a2ed43ede02de1b480b90f349dee006e8284c"),
        ("signal", "pdhg", "be41bf41cf7edc7a58aa3bf9dcd8b58f943557a983e82ba7cc68a279ea4520af"),
    ],
)
def test_checkpoints_of_earlier_versions_are_of_the_same_search(
    name: str, method: str, digest: str
) -> None:
    """Digests of version 0.1.0: a change of them would refuse all checkpoints written before."""
    form = FORMS[name]
    assert checkpoint.identify(form, METHODS.get(method).engine(form), method)  # type: ignore[attr-defined] == digest
