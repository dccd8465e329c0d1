"""Run the suite as on other machines: `python -m tools.elsewhere [plain|busy] [what pytest takes]`.

A suite that is green here may hang on this processor, on its speed, on a solver's choice among
several answers, or on the order of the tests. So it is run

plain   without the vector instructions that the processor has, in another order, with another seed
        in HiGHS
busy    at the lowest priority, beside eight processes that never wait, in yet another order, by a
        clock that goes twice as fast

Exit status: 1 if a test fails in either, else 0. What is printed first repeats a run.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import ExitStack

import numpy as np

PYTEST = (sys.executable, "-m", "pytest", "-n", "auto")
LOWEST = ("nice", "-n", "19")
BUSY = 8
"""Processes beside the suite, of its priority: on two cores it would starve beside higher ones."""


def plain(seed: int) -> tuple[dict[str, str], list[str]]:
    """Return variables and options under which numbers are rounded in other ways."""
    extensions = np.show_config("dicts")["SIMD Extensions"]  # type: ignore[index]
    disabled = os.environ.get("NPY_DISABLE_CPU_FEATURES", "").split()
    variables = {
        "NPY_DISABLE_CPU_FEATURES": " ".join([*disabled, *extensions.get("found", [])]),
        "OPENBLAS_CORETYPE": "Nehalem",
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "MKL_CBWR": "COMPATIBLE",
    }
    return variables, ["--highs-seed", str(seed), "--shuffle", str(seed)]


def run_plain(seed: int, arguments: list[str]) -> int:
    """Run the suite without vector instructions."""
    variables, options = plain(seed)
    command = [*PYTEST, *options, *arguments]
    return subprocess.run(command, check=False, env={**os.environ, **variables}).returncode


def run_busy(seed: int, arguments: list[str]) -> int:
    """Run the suite on a machine that has no time for it."""
    command = [*LOWEST, *PYTEST, "--clock", "2", "--shuffle", str(seed), *arguments]
    with ExitStack() as stack:
        for _ in range(BUSY):
            process = subprocess.Popen([*LOWEST, sys.executable, "-c", "while True: pass"])
            stack.callback(process.kill)
        return subprocess.run(command, check=False).returncode


RUNS = {"plain": run_plain, "busy": run_busy}


def main(arguments: list[str]) -> int:
    """Run the suite in the ways that are named, by default all."""
    seed = int(os.environ.get("SEED", random.randrange(10**6)))
    named = [name for name in arguments[:1] if name in RUNS]
    codes = []
    for name in named or RUNS:
        print(f"SEED={seed} python -m tools.elsewhere {name}", flush=True)
        codes.append(RUNS[name](seed, arguments[len(named) :]))
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
