"""From what the user typed to a game; the one module that reaches for the siblings of seqform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seqform.errors import InvalidParameterError

if TYPE_CHECKING:
    from seqform.build import AnyGame


def registry() -> Any:
    """Return the registry of games: the one place where seqform reaches for its sibling."""
    import games.registry

    return games.registry


def abstraction(module: str) -> Any:
    """Return a module of the reductions: the one place where seqform reaches for them."""
    from importlib import import_module

    return import_module(f"abstraction.{module}")


def load(name: str, given: list[str] | None) -> tuple[AnyGame, dict[str, Any]]:
    """Return a game by registry name or as module:attribute, and the parameters given for it."""
    parameters: dict[str, Any] = {}
    for item in given or []:
        key, separator, value = item.partition("=")
        if not separator or not key:
            raise InvalidParameterError(f"-p {item}: write parameters as key=value")
        parameters[key.strip()] = value.strip()
    if ":" not in name:
        known = registry()
        parameters = known.parse(known.entry(name), parameters)
        return known.make(name, parameters), parameters
    from seqform.build import load_attribute

    return load_attribute(name, parameters), parameters


def load_saved(name: str, parameters: dict[str, Any]) -> AnyGame:
    """Return a game that a saved result names."""
    return load(name, [f"{key}={value}" for key, value in parameters.items()])[0]


def known_value(name: str, parameters: dict[str, Any]) -> Any:
    """Return the value that the registry knows for a game, if any."""
    return None if ":" in name else registry().entry(name).known_value(parameters)
