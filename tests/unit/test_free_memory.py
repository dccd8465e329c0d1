"""What a process may take is the least of what is free, its control groups and its limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import seqform.base.memory
from seqform.base.errors import GameTooLargeError
from seqform.base.free_memory import PAGE, available_bytes, forget_peak, held_bytes, peak_bytes
from seqform.base.memory import MemoryLimit, require_memory
from seqform.tree.builder import TreeBuilder

MB = 2**20


def system(root: Path, free: int, cgroup: str = "", **files: object) -> Path:
    """Write what a system would say, in MB; names of files have __ for / and - for a dot."""
    proc = root / "proc"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text(f"MemTotal: 99999999 kB\nMemAvailable: {free * 1024} kB\n")
    (proc / "self/statm").write_text(f"{10 * MB // PAGE} {5 * MB // PAGE} 1 1 0 {MB // PAGE} 0\n")
    (proc / "self/cgroup").write_text(cgroup)
    for name, content in files.items():
        path = root / "sys/fs/cgroup" / name.replace("__", "/").replace("-", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(content))
    return root


def test_what_is_free_counts(tmp_path: Path) -> None:
    assert available_bytes(system(tmp_path, 700)) == 700 * MB


@pytest.mark.parametrize("inner", ["max", 5000 * MB])
def test_every_control_group_above_counts(tmp_path: Path, inner: object) -> None:
    root = system(
        tmp_path,
        free=9000,
        cgroup="0::/outer/inner\n",
        **{
            "outer__memory-max": 300 * MB,
            "outer__memory-current": 200 * MB,
            "outer__memory-stat": f"anon 5\ninactive_file {50 * MB}\n",
            "outer__inner__memory-max": inner,
            "outer__inner__memory-current": 1 * MB,
        },
    )
    assert available_bytes(root) == 150 * MB


def test_control_groups_of_version_1_count(tmp_path: Path) -> None:
    root = system(
        tmp_path,
        free=9000,
        cgroup="5:cpu:/jobs\n4:memory:/jobs/out-of-sight\n",
        **{
            "memory__memory-limit_in_bytes": 400 * MB,
            "memory__memory-usage_in_bytes": 100 * MB,
            "memory__memory-stat": f"total_inactive_file {30 * MB}\n",
        },
    )
    assert available_bytes(root) == 330 * MB


def test_nothing_is_left_of_a_limit_that_is_passed(tmp_path: Path) -> None:
    root = system(
        tmp_path,
        free=9000,
        cgroup="0::/\n",
        **{"memory-max": 100 * MB, "memory-current": 200 * MB},
    )
    assert available_bytes(root) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits of other systems bound other things")
@pytest.mark.parametrize("name", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_limits_of_the_process_count(name: str) -> None:
    script = (
        "import resource\n"
        f"resource.setrlimit(resource.{name}, (2**30, resource.RLIM_INFINITY))\n"
        "from seqform.base.free_memory import available_bytes\n"
        "before = available_bytes()\n"
        "held = bytearray(2**28)\n"
        "print(before, before - available_bytes())\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    before, taken = map(int, found.stdout.split())
    assert 2**29 < before < 2**30
    assert taken == pytest.approx(2**28, rel=0.05)


def test_what_does_not_fit_is_refused_with_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seqform.base.memory, "available_bytes", lambda: 1000 * MB)
    require_memory(899 * MB, "it", "go on")
    with pytest.raises(GameTooLargeError) as found:
        require_memory(901 * MB, "it", "make it smaller")
    assert str(found.value) == (
        "it needs about 901 MB of memory, and this process may take 1.0 GB; make it smaller"
    )


def test_a_walk_looks_as_often_as_states_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"held": 0}
    monkeypatch.setattr(seqform.base.memory, "held_bytes", lambda: sizes["held"])
    monkeypatch.setattr(seqform.base.memory, "available_bytes", lambda: 2000 * MB)

    def states_until_full(per_state: int) -> tuple[int, int]:
        sizes["held"] = 0
        limit, states, looks = MemoryLimit(), 0, 0
        while not limit.is_used_up(states):
            states = limit.next_look
            sizes["held"] = states * per_state
            looks += 1
        assert sizes["held"] < 1.2 * limit.bytes
        return states, looks

    assert states_until_full(MB)[0] == pytest.approx(1000, rel=0.1)
    states, looks = states_until_full(1000)
    assert states > 10**6
    assert looks < 400


def test_a_tree_written_node_by_node_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seqform.base.memory, "MAX_BYTES", 20 * MB)
    builder = TreeBuilder(2)
    nodes = [builder.root]
    before = held_bytes()

    def grow() -> None:
        for step in range(10**6):
            nodes.extend(builder.decision(nodes.pop(), step % 2, ("x" * 1000, step), range(10)))

    with pytest.raises(GameTooLargeError, match=r"does not fit into 20 MB .* nodes so far"):
        grow()
    assert held_bytes() - before < 60 * MB


GROWS = """
import numpy as np
from seqform.base.free_memory import forget_peak, peak_bytes

for count in (0, 25_000_000, 0):
    assert forget_peak()
    np.ones(count)
    print(peak_bytes() // 2**20)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others never forget a peak")
def test_the_peak_is_of_this_process_and_since_it_was_forgotten() -> None:
    held = np.ones(40_000_000)  # 305 MB, which a process that this one starts never holds
    done = subprocess.run([sys.executable, "-c", GROWS], check=True, capture_output=True, text=True)
    before, most, after = map(int, done.stdout.split())
    assert len(held) > before + after
    assert before < 150
    assert 180 < most - before < 210
    assert abs(after - before) < 20


def test_a_peak_that_is_not_forgotten_is_noticed(tmp_path: Path) -> None:
    root = system(tmp_path, 700)
    (root / "proc/self/status").write_text(f"Name:\tpython\nVmHWM:\t  {90 * 1024} kB\n")
    assert peak_bytes(root) == 90 * MB
    assert not forget_peak(root)  # 5 MB are held
    (root / "proc/self/status").write_text(f"VmHWM:\t  {6 * 1024} kB\n")
    assert forget_peak(root)
    assert not forget_peak(tmp_path / "nowhere")
