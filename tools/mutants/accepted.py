"""The mutations whose survival has a known reason: `tests/mutants.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from tools.mutants.mutations import Mutation

LIST = Path("tests", "mutants.toml")

Key = tuple[str, str, str]
"""File, function, and what is changed."""


@dataclass
class Accepted:
    """What need not be tried."""

    keys: set[Key]
    seen: set[Key] = field(default_factory=set)

    @classmethod
    def read(cls, none: bool = False) -> Accepted:
        """Read the list; with `none`, as if it were empty."""
        if none or not LIST.exists():
            return cls(set())
        entries = tomllib.loads(LIST.read_text()).get("mutants", [])
        return cls({(e["file"], e["function"], what) for e in entries for what in e["changes"]})

    def has(self, path: Path, mutation: Mutation) -> bool:
        """Return whether a mutation is on the list, and note that it was asked for."""
        key = str(path), mutation.function, mutation.what
        self.seen.add(key)
        return key in self.keys

    def unused(self, files: list[Path]) -> list[Key]:
        """Return what the list names in these files and nobody asked for."""
        return sorted(k for k in self.keys - self.seen if Path(k[0]) in files)
