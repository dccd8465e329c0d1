"""Tasks for a process of their own, most of which end badly."""

from __future__ import annotations

import os
import sys
import time
from ctypes import PyDLL

from seqform.base.apart import Record
from seqform.base.array_file import Arrays
from seqform.base.errors import InvalidGameError
from seqform.base.progress import tell


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
