"""Registries: what is declared by name under an entry-point group, by seqform and by any package.

A package adds to a registry with a line of its ``pyproject.toml``, such as

    [project.entry-points."seqform.games"]
    my-poker = "my_package.my_poker:MY_POKER"

Our own games, methods, solvers, concepts and reductions are declared in just that way.
"""

from __future__ import annotations

import sys
from functools import cache
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.siblings import check_sibling

Item = TypeVar("Item")


class Registry(Generic[Item]):
    """What is declared under one entry-point group; each item is loaded when it is asked for.

    Parameters
    ----------
    group
        The entry-point group, such as ``seqform.games``.
    kind
        What an item is called in error messages.
    """

    def __init__(self, group: str, kind: str) -> None:
        self.group, self.kind = group, kind

    def names(self) -> tuple[str, ...]:
        """Return all names: those of seqform first, then those of other packages."""
        return tuple(self._declared())

    def get(self, name: str) -> Item:
        """Return the item of a name; underscores may stand for hyphens.

        Raises
        ------
        UnknownNameError
            With the nearest name there is.
        InvalidParameterError
            If the package that declares it is broken, or is not the only one that does.
        """
        declared = self._declared()
        found = declared.get(name) or declared.get(name.replace("_", "-"))
        if found is None:
            raise UnknownNameError.of(self.kind, name, declared)
        return self._load(found)

    def __iter__(self) -> Iterator[Item]:
        """Go through all items, in the order of `names`; broken packages are an error."""
        return map(self._load, self._declared().values())

    def __contains__(self, name: object) -> bool:
        return name in self._declared()

    def _declared(self) -> dict[str, EntryPoint]:
        return _declared(self.group, self.kind, tuple(sys.path))

    def _load(self, entry: EntryPoint) -> Item:
        if _is_ours(entry):
            check_sibling(entry.module)
            return entry.load()  # type: ignore[no-any-return]
        try:
            return entry.load()  # type: ignore[no-any-return]
        except Exception as error:  # whatever a stranger's package raises while it loads
            raise InvalidParameterError(
                f"the {self.kind} {entry.name!r} of {_origin(entry)} cannot be loaded from "
                f"{entry.value}: {type(error).__name__}: {error}"
            ) from error


def _is_ours(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == "seqform"


def _origin(entry: EntryPoint) -> str:
    return "an unknown package" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"


@cache
def _declared(group: str, kind: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    ours = sorted(entry_points(group=group), key=lambda entry: not _is_ours(entry))
    if not ours:
        raise InvalidParameterError(
            f"no {kind} is declared: seqform runs from files that are not installed, or "
            "were installed by an earlier version; run `pip install -e .` where they are"
        )
    for entry in ours:
        other = found.setdefault(entry.name, entry)
        if other.value != entry.value:
            raise InvalidParameterError(
                f"two packages declare the {kind} {entry.name!r}: {_origin(other)} and "
                f"{_origin(entry)}; uninstall one of them"
            )
    return found
