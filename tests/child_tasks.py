"""Tasks for a process of their own, most of which end badly."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from ctypes import PyDLL
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from seqform.base.array_file import Arrays
from seqform.base.child_process import Record
from seqform.base.errors import InvalidGameError
from seqform.base.interrupt import Interrupt
from seqform.base.progress import tell
from seqform.solvers.linear.child_solver_task import solve_here


def double(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    print("what strangers print goes nowhere")
    tell("half way", every=0)
    return {"name": record["name"] * 2}, {name: 2 * array for name, array in arrays.items()}


def die(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    print("something is wrong", file=sys.stderr, flush=True)
    os.kill(os.getpid(), record["signal"])
    return record, arrays


def leave(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    os._exit(0)


def refuse(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    raise InvalidGameError("R4: so it is")


def take_all(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    return {"bytes": len(bytearray(2**50))}, {}


def sleep(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    with open(record["pid"], "w") as file:
        file.write(str(os.getpid()))
    if record.get("alone"):
        PyDLL(None).sleep(60)  # as a library that lets no other thread run
    time.sleep(3600)
    return record, arrays


def until_asked(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    with Interrupt(insist=False) as user:
        tell("waiting to be asked", every=0)
        while not user.asked:
            time.sleep(0.01)
    return {"asked": True}, arrays


def solve_slowly(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    """Solve a program, with a pause before the sixth iteration that lasts until a signal comes."""
    module = import_module(f"seqform.solvers.linear.{record['solver']}")
    asks, times = module._Stop.__call__, count()

    def stop(self: Any, *arguments: Any) -> bool:
        if next(times) == 5:
            tell("5 iterations", every=0)
            while not self._user.asked:
                time.sleep(0.01)
        return bool(asks(self, *arguments))

    module._Stop.__call__ = stop
    return solve_here(record, arrays)


COUNT = """
import sys
from numba.core import event
compiled = []
class Compiled(event.Listener):
    def on_start(self, at): compiled.append(at.data["dispatcher"].py_func)
    def on_end(self, at): pass
event.register("numba:compile", Compiled())
{code}
ours = [loop.__qualname__ for loop in compiled if loop.__module__.startswith("seqform")]
print(len(compiled), *ours)
"""


def compiled(code: str, cache: Path) -> tuple[int, list[str]]:
    """Return how many functions a fresh process compiles, and the names of ours."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT.format(code=code)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    count, *names = done.stdout.splitlines()[-1].split()
    return int(count), names
