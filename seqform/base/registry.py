"""Registries: what is declared by name under an entry-point group, by seqform and by any package.

A package adds to a registry with a line of its ``pyproject.toml``, such as

    [project.entry-points."seqform.games"]
    my-poker = "my_package.my_poker:MY_POKER"

Our own games, methods, solvers, concepts and reductions are declared in just that way.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from seqform.base.contract import lacking, whole
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.siblings import SIBLINGS, import_ours

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

logger = logging.getLogger(__name__)

Item = TypeVar("Item")
Stamp = tuple[tuple[str, int], ...]
Groups = dict[str, list["EntryPoint"]]

OURS = ("seqform", *SIBLINGS)
"""The packages in which our own items are."""


class Registry(Generic[Item]):
    """What is declared under one entry-point group; each item is loaded when it is asked for.

    A package that is installed while the program runs is seen by the next look for all names, and
    by that for a name which was not there.

    Parameters
    ----------
    group
        The entry-point group, such as ``seqform.games``.
    kind
        What an item is called in error messages.
    contract
        The protocol of the items: those that were written for an older one get its defaults when
        they are loaded (`seqform.base.contract`), and without what has none are broken.
    """

    def __init__(self, group: str, kind: str, contract: type | None = None) -> None:
        self.group, self.kind, self.contract = group, kind, contract
        self._completed: dict[EntryPoint, tuple[Any, Item]] = {}
        self._added: dict[str, Item] = {}

    def add(self, name: str, item: Any) -> None:
        """Know an item by a name in this process; it is not among those that are listed.

        Parameters
        ----------
        name
            What `get` is asked for. An item that was added by it before is forgotten.
        item
            One for an older contract gets the defaults of the newer.

        Raises
        ------
        InvalidParameterError
            If a package declares the name, or the item lacks what has no default.
        """
        if name not in self._added and name in self:
            raise InvalidParameterError(f"there is a {self.kind} {name!r}: choose another name")
        if self.contract is not None and (missing := lacking(item, self.contract)):
            raise InvalidParameterError(f"{name} is no {self.kind}: it lacks {', '.join(missing)}")
        self._added[name] = item if self.contract is None else whole(item, self.contract)

    def names(self) -> tuple[str, ...]:
        """Return all names: those of seqform first, then the others, both in alphabetical order.

        The order of ``pyproject.toml`` is not kept by every program that builds packages.
        """
        return tuple(dict.fromkeys(entry.name for entry in self.declared()))

    def get(self, name: str) -> Item:
        """Return the item of a name; underscores may stand for hyphens.

        Raises
        ------
        UnknownNameError
            With the nearest name there is.
        InvalidParameterError
            If the package that declares it is broken, or is not the only one that does.
        """
        if not isinstance(name, str):
            raise InvalidParameterError(f"{self.kind} {name!r}: give a name, as text")
        if name in self._added:
            return self._added[name]
        found = self._known(name) or _named(name, self.declared())
        if not found:
            raise UnknownNameError.of(self.kind, name, self.names())
        for other in found[1:]:
            if other.value != found[0].value:
                raise InvalidParameterError(
                    f"two packages declare the {self.kind} {name!r}: {origin(found[0])} and "
                    f"{origin(other)}; uninstall one of them"
                )
        return self._load(found[0])

    def __iter__(self) -> Iterator[Item]:
        """Iterate over all items, in the order of `names`; a broken package is an error."""
        return map(self.get, self.names())

    def __repr__(self) -> str:
        return f"{self.group}: {', '.join(self.names())}"

    def usable(self) -> Iterator[Item]:
        """Go through all items, and pass over those of broken packages with a warning."""
        for name in self.names():
            try:
                item = self.get(name)
            except InvalidParameterError as error:
                logger.warning("%s", error)
            else:
                yield item

    def at_hand(self) -> Iterator[Item]:
        """Go through our own items, and those of other packages that somebody has named before.

        Whatever lists items that nobody asked for goes through these: loading a stranger's package
        may take seconds, or fail.
        """
        for entry in self.declared():
            if is_ours(entry):
                yield _our_own(entry)
            elif entry in self._completed:
                yield self._completed[entry][1]

    def not_at_hand(self) -> dict[str, str]:
        """Return the names of the items that `at_hand` leaves out, and what package each is of."""
        known = self._completed
        declared = self.declared()
        return {e.name: origin(e) for e in declared if not is_ours(e) and e not in known}

    def is_ours(self, name: str) -> bool:
        """Return whether a name is declared by this package itself."""
        return any(is_ours(entry) for entry in _named(name, self.declared()))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if name in self._added:
            return True
        return bool(self._known(name) or _named(name, self.declared()))

    def _known(self, name: str) -> list[EntryPoint]:
        """Return what is declared by a name, as far as that was known at first."""
        return _named(name, _first_found(tuple(sys.path)).get(self.group, ()))

    def declared(self) -> list[EntryPoint]:
        """Return what is declared, in the order of `names`; nothing is loaded.

        Raises
        ------
        InvalidParameterError
            If nothing is, which is so where seqform is not installed.
        """
        declared = _installed(_stamp()).get(self.group)
        if not declared:
            raise InvalidParameterError(
                f"no {self.kind} is declared: seqform is not installed, or was installed by an "
                "earlier version; run `pip install -e .` in the folder that holds it"
            )
        return declared

    def _load(self, entry: EntryPoint) -> Item:
        if is_ours(entry):
            return _our_own(entry)  # type: ignore[no-any-return]
        try:
            item = entry.load()
        except (Exception, SystemExit) as error:  # whatever a foreign package raises as it loads
            raise self._broken(entry, f"{type(error).__name__}: {error}") from error
        known = self._completed.get(entry)
        if known is None or known[0] is not item:
            known = self._completed[entry] = item, self._whole(item, entry)
        return known[1]

    def _whole(self, item: Any, entry: EntryPoint) -> Item:
        """Return an item of another package with the defaults of members that it lacks."""
        if self.contract is None:
            return item  # type: ignore[no-any-return]
        if missing := lacking(item, self.contract):
            raise self._broken(entry, f"it lacks {', '.join(missing)}")
        return whole(item, self.contract)  # type: ignore[no-any-return]

    def _broken(self, entry: EntryPoint, why: str) -> InvalidParameterError:
        return InvalidParameterError(
            f"the {self.kind} {entry.name!r} of {origin(entry)} cannot be loaded from "
            f"{entry.value}: {why}; repair or uninstall that package"
        )


@lru_cache(maxsize=1000)
def _our_own(entry: EntryPoint) -> Any:
    """Return what an entry of ours declares, looked up once."""
    return getattr(import_ours(entry.module), entry.attr)


def _named(name: str, among: Iterable[EntryPoint]) -> list[EntryPoint]:
    wanted = _spelled(name)
    return [entry for entry in among if _spelled(entry.name) == wanted]


@lru_cache(maxsize=1)
def _first_found(path: tuple[str, ...]) -> Groups:
    """Return what is declared when a search path is first looked at; later it costs nothing."""
    return _installed(_stamp())


@lru_cache(maxsize=1)
def _installed(stamp: Stamp) -> Groups:
    """Return the entry points of each of our groups, in order; searching takes milliseconds.

    Of a package that is there more than once the first counts, as for imports.
    """
    from importlib.metadata import distributions  # it brings a reader of e-mail

    path = [place for place in sys.path if isinstance(place, str)]  # as imports do
    names = (package.name for package in distributions(path=path) if _declared_by(package))
    first = [next(iter(distributions(name=name, path=path))) for name in dict.fromkeys(names)]
    groups: Groups = {}
    every = (entry for package in first for entry in _declared_by(package))
    for entry in sorted(every, key=lambda entry: (not is_ours(entry), entry.name)):
        groups.setdefault(entry.group, []).append(entry)
    return groups


def _declared_by(package: Distribution) -> list[EntryPoint]:
    """Return what a package declares under our groups; nothing if that cannot be read."""
    try:
        return [entry for entry in package.entry_points if entry.group.startswith("seqform.")]
    except (ValueError, TypeError) as error:  # no text, or lines without `=`
        logger.warning("what %s declares cannot be read: %s", package.name, error)
        return []


def _stamp() -> Stamp:
    """Return what changes when a package is installed: the search path, and its folders' times."""
    return tuple((folder, _changed(folder)) for folder in sys.path)


def _changed(folder: str) -> int:
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:  # no such folder
        return 0


def _spelled(name: str) -> str:
    return name.replace("_", "-")


def is_ours(entry: EntryPoint) -> bool:
    """Return whether seqform itself declares it."""
    return entry.value.partition(".")[0] in OURS


def origin(entry: EntryPoint) -> str:
    """Return the package that declares it, with its version."""
    package = entry.dist
    return f"{package.name} {package.version}" if package else "an unknown package"
