"""Cluster: points measured on the workers of a Dask cluster that is there."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from seqform.base.errors import InvalidParameterError, SolverError
from seqform.base.memory import in_words
from seqform.experiment.point import Point
from seqform.experiment.queue import Executor, Task, gone

ANSWERS_WITHIN = 5.0
"""Seconds that a scheduler has to answer."""

ADDRESS = re.compile(
    r"(?:(?P<protocol>tcp|tls|ws|wss|ucx)://)?(?P<host>[^/:]+):(?P<port>[0-9]{1,5})"
)

GREETING = 2**16
"""Bytes that the first message of a scheduler has at most; it begins with their number."""

RESOURCE = "MEMORY"
"""What workers call the bytes that they have for points."""

IN_FLIGHT = 1000
"""Points that a cluster is given before it returns the first."""


class Cluster(Executor):
    """Measures points on the workers of a Dask cluster that is there.

    Each worker says how many bytes it has for points: ``dask worker --resources MEMORY=8e9``. The
    scheduler starts a point where so many are left.

    Parameters
    ----------
    address
        Of the scheduler: ``tcp://host:8786``.

    Raises
    ------
    SolverError
        If Dask is not installed, or no scheduler answers.
    InvalidParameterError
        If the workers do not say what memory they have.
    """

    width, retries = IN_FLIGHT, True  # by the scheduler

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise SolverError(
                "scheduler= needs Dask, which is not installed: pip install 'seqform[dask]'"
            ) from None
        self._address, self.died = address, KilledWorker
        try:
            greet(address)
            self._client: Any = Client(  # type: ignore[no-untyped-call]
                address, timeout=ANSWERS_WITHIN, set_as_default=False
            )
        except (OSError, OverflowError) as error:
            raise SolverError(
                f"scheduler={address}: no Dask scheduler answers there "
                f"({' '.join(str(error).split()) or type(error).__name__:.200}); "
                "start one with `dask scheduler` and give the address that it prints"
            ) from None
        if _most(self._workers()) == 0:
            self.close()
            raise InvalidParameterError(
                f"scheduler={address}: its workers do not say what memory they have for points; "
                f"start them with `dask worker {address} --resources {RESOURCE}=8e9`"
            )

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Hand a task to the scheduler, with the memory that it needs."""
        resources = {RESOURCE: point.memory}
        pool = self._client.get_executor(pure=False, resources=resources)
        run = partial(in_folder, str(Path.cwd()), task)
        return pool.submit(run, point)  # type: ignore[no-any-return]

    def refused(self, points: Sequence[Point]) -> Iterator[tuple[Point, str]]:
        """Yield which points are too large for every worker that is there."""
        most = _most(self._workers())
        for point in points:
            if most is not None and point.memory > most:
                yield (
                    point,
                    f"needs {in_words(point.memory)}, and the largest worker of {self._address} "
                    f"has {in_words(most)}: start one with more, or declare less",
                )

    def close(self) -> None:
        """Take back what is not done, and leave the cluster as it is."""
        logger = logging.getLogger("distributed.client")
        before, logger.disabled = logger.disabled, True  # that one is gone is said by an error
        try:
            self._client.close(timeout=ANSWERS_WITHIN)
        finally:
            logger.disabled = before

    def _workers(self) -> list[dict[str, Any]]:
        """Return what the scheduler knows of each worker.

        Raises
        ------
        SolverError
            If it does not answer any more.
        """
        try:
            return list(self._client.scheduler_info(n_workers=-1)["workers"].values())
        except (OSError, ValueError) as error:
            raise gone(self._address) from error


def greet(address: str) -> None:
    """Check that a scheduler answers at an address; its own client would wait for ever.

    Raises
    ------
    InvalidParameterError
        If that is no address.
    OSError
        If nobody answers, or somebody else.
    """
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise InvalidParameterError(f"scheduler={address}: write an address as tcp://HOST:8786")
    place = found["host"], int(found["port"])
    with socket.create_connection(place, ANSWERS_WITHIN) as connection:
        if found["protocol"] in (None, "tcp"):
            length = int.from_bytes(connection.recv(8, socket.MSG_WAITALL), "little")
            if not 0 < length <= GREETING:
                raise OSError("what answers is another program")


def _most(workers: Sequence[dict[str, Any]]) -> float | None:
    """Return the bytes of the largest worker; None while there is no worker."""
    return max((worker["resources"].get(RESOURCE, 0) for worker in workers), default=None)


def in_folder(folder: str, task: Task, point: Point) -> Any:
    """Run a task in the folder of whoever gave it, where the worker has it too.

    Files and modules of users are named from there.
    """
    with suppress(OSError):
        os.chdir(folder)
    return task(point)
