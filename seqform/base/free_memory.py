"""What memory this process may still take, as the system says.

Three things bound it: what the machine has free, the control groups that the process is in, and
its own resource limits (``ulimit -v`` and ``-d``). Files under /proc and /sys say so on Linux.
Elsewhere the free pages and the resource limits count.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path("/")
"""Where the system's files lie; tests have their own."""

PAGE = os.sysconf("SC_PAGE_SIZE")


def available_bytes(root: Path = ROOT) -> int:
    """Return how many bytes this process may still take."""
    return max(0, min([free_bytes(root), *resource_limit_bytes(root)]))


def free_bytes(root: Path = ROOT) -> int:
    """Return how many bytes the machine and the control groups have left."""
    return max(0, min([machine_bytes(root), *control_group_bytes(root)]))


def machine_bytes(root: Path = ROOT) -> int:
    """Return the free memory of this machine, or all of it where the system does not say."""
    with suppress(OSError, ValueError):
        # counts what dropping caches would make free
        return 1024 * _entry(root / "proc/meminfo", "MemAvailable:")
    name = "SC_AVPHYS_PAGES" if "SC_AVPHYS_PAGES" in os.sysconf_names else "SC_PHYS_PAGES"
    return os.sysconf(name) * PAGE


def control_group_bytes(root: Path = ROOT) -> Iterator[int]:
    """Yield what is left in each control group that bounds this process.

    Pages of files that nobody used lately are given back before a limit is felt, so they count as
    free. A group's limit bounds the groups in it too. Within a container the groups above may be
    out of sight, and its own is then where the hierarchy begins.
    """
    for folder, limit, usage, cache in _control_groups(root):
        with suppress(OSError, ValueError):
            most = int(_read(folder / limit))  # "max" is no number
            used = int(_read(folder / usage))
            with suppress(OSError, ValueError):
                used -= _entry(folder / "memory.stat", cache)
            yield most - used


def _control_groups(root: Path) -> Iterator[tuple[Path, str, str, str]]:
    """Yield folders of control groups, and what limit, usage and cached files are called there."""
    try:
        lines = _read(root / "proc/self/cgroup").splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if "memory" in controllers.split(","):  # version 1
            mount, names = root / "sys/fs/cgroup/memory", VERSION_1
        elif not controllers:
            mount, names = root / "sys/fs/cgroup", VERSION_2
        else:
            continue
        folder = mount / path.lstrip("/")
        while folder != mount.parent:
            yield folder, *names
            folder = folder.parent


VERSION_1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
VERSION_2 = ("memory.max", "memory.current", "inactive_file")
"""Files of a control group: its limit, its usage, and an entry of memory.stat."""


def resource_limit_bytes(root: Path = ROOT) -> Iterator[int]:
    """Yield what is left of this process's own limits, on its address space and on its data."""
    for name, column in ((resource.RLIMIT_AS, ADDRESSES), (resource.RLIMIT_DATA, DATA)):
        limit = resource.getrlimit(name)[0]
        if limit != resource.RLIM_INFINITY:
            yield limit - _own_bytes(column, root)


def held_bytes() -> int:
    """Return the memory that this process holds now, or at most held where nobody says."""
    return _own_bytes(RESIDENT)


def data_bytes() -> int:
    """Return what `RLIMIT_DATA` bounds: the memory that only this process can write to."""
    return _own_bytes(DATA)


ADDRESSES, RESIDENT, DATA = 0, 1, 5
"""Columns of /proc/self/statm."""


def _own_bytes(column: int, root: Path = ROOT) -> int:
    try:
        return int(_read(root / "proc/self/statm").split()[column]) * PAGE
    except (OSError, ValueError, IndexError):
        return peak_bytes()


def peak_bytes(root: Path = ROOT) -> int:
    """Return the largest memory this process has held, since `forget_peak` if that could.

    What `getrusage` says counts the process that started this one, too.
    """
    with suppress(OSError, ValueError):
        return 1024 * _entry(root / "proc/self/status", "VmHWM:")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def forget_peak(root: Path = ROOT) -> bool:
    """Have the system count the largest memory from now on; return whether it does."""
    try:
        (root / "proc/self/clear_refs").write_text(FORGET)
        return peak_bytes(root) <= _own_bytes(RESIDENT, root) + SLACK
    except OSError:
        return False


FORGET = "5"
"""What clear_refs takes for that (Linux, Documentation/filesystems/proc.rst)."""

SLACK = 2**23
"""Bytes by which the system's two counts of what is held may differ: it sums up by processor."""


def _entry(path: Path, name: str) -> int:
    """Return the number behind a name in a file of names and numbers."""
    text = f"\n{_read(path)}"
    at = text.index(f"\n{name}") + 1 + len(name)
    number, *_ = text[at : at + LONGEST].split()
    return int(number)


LONGEST = 40
"""Characters between a name and the end of its number, at most."""


def _read(path: Path) -> str:
    """Return the text of a small file; searches of many small games ask for it before each."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, MOST_READ).decode()
    finally:
        os.close(file)


MOST_READ = 2**16
"""Bytes of a file of the system; it hands all of one over at once."""
