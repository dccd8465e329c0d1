"""Contracts that have grown: what was written for an older one gets the defaults of the newer.

A contract is a protocol. What it only annotates, and its abstract methods, an item must have. What
it gives a value is a default: items that inherit from the contract have it anyway, and all others
get it here, once, when they come in. So nobody asks later whether an item has a member.
"""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any


def whole(item: Any, contract: type) -> Any:
    """Return an item with all defaults of a contract: itself, or what stands for it.

    Examples
    --------
    >>> from typing import Protocol
    >>> class Named(Protocol):
    ...     name: str
    ...     is_fast: bool = False
    >>> class Old:
    ...     name = "old"
    >>> found = whole(Old(), Named)
    >>> found.name, found.is_fast
    ('old', False)
    """
    added = {name: found for name, found in defaults(contract).items() if not hasattr(item, name)}
    return _Older(item, added) if added else item


def lacking(item: Any, contract: type) -> list[str]:
    """Return the members for which a contract has no default and which an item does not bring."""
    return [name for name in required(contract) if not hasattr(item, name)]


def required(contract: type) -> list[str]:
    """Return the members that an item must bring: annotated without a value, or abstract."""
    annotated = [name for name in contract.__annotations__ if not hasattr(contract, name)]
    return [*annotated, *sorted(getattr(contract, "__abstractmethods__", ()))]


def defaults(contract: type) -> dict[str, Any]:
    """Return the members that a contract gives a value, by name."""
    needed = set(required(contract))
    public = {name: found for name, found in vars(contract).items() if not name.startswith("_")}
    return {name: found for name, found in public.items() if name not in needed}


class _Older:
    """Stands for an item that was written before some members of its contract."""

    def __init__(self, item: Any, added: dict[str, Any]) -> None:
        self._item = item
        for name, found in added.items():
            is_method = isinstance(found, FunctionType)
            setattr(self, name, MethodType(found, item) if is_method else found)

    def __getattr__(self, name: str) -> Any:
        """Return a member of the item's own."""
        return getattr(self._item, name)

    def __repr__(self) -> str:
        return repr(self._item)
