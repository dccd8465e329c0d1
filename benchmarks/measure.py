"""Run a child process and take what the operating system says of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)


@dataclass(frozen=True)
class Run:
    """What a finished process printed (None if it was stopped or failed), its CPU and wall seconds
    and peak memory in MB."""

    printed: str | None
    cpu: float
    wall: float
    peak_mb: float
    note: str = ""

    @property
    def record(self) -> dict[str, Any] | None:
        """The JSON object on the last line."""
        return json.loads(self.printed.strip().splitlines()[-1]) if self.printed else None


def run(command: list[str], timeout: float) -> Run:
    """Run a command with one thread and a time limit."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **ONE_THREAD},
        start_new_session=True,
    )
    late = threading.Event()

    def stop() -> None:
        late.set()
        os.killpg(process.pid, signal.SIGKILL)  # with what it started itself

    timer = threading.Timer(timeout, stop)
    timer.start()
    with process.stdout or nullcontext() as stream:
        printed = stream.read() if stream else ""
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    note = (
        f"stopped after {timeout:.0f} s"
        if late.is_set()
        else ("" if process.returncode == 0 else f"failed ({process.returncode})")
    )
    return Run(
        printed if process.returncode == 0 else None,
        usage.ru_utime + usage.ru_stime,
        wall,
        usage.ru_maxrss / 1024,
        note,
    )


def child(what: str, case: str, repeats: int = 3, timeout: float = 120) -> Run:
    """Run one measurement of `benchmarks.child`."""
    return run([sys.executable, "-m", "benchmarks.child", what, case, str(repeats)], timeout)
