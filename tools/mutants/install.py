"""install: puts a mutated function, or constant, in the place of the one that is imported."""

from __future__ import annotations

import ast
import sys
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

from tools.mutants.mutations import Mutation


def install(module: ModuleType, tree: ast.Module, mutation: Mutation) -> None:
    """Put what a mutation changes in place, wherever it was imported to."""
    scratch: dict[str, Any] = {
        key: value for key, value in vars(module).items() if key.startswith("__")
    }
    exec(compile(tree, str(module.__file__), "exec"), scratch)
    parts = mutation.function.split(".") if mutation.function else []
    old, new = _function(vars(module), parts), _function(scratch, parts)
    if old is not None and new is not None:
        old.__code__ = new.__code__
        if mutation.in_default:
            old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__
    elif parts:
        _replace_in_class(vars(module)[parts[0]], scratch[parts[0]])
    else:
        _replace_constants(vars(module), scratch)


def _function(names: dict[str, Any], parts: list[str]) -> FunctionType | None:
    """Return the function of a qualified name, without what decorators put around it."""
    found: Any = None
    for part in parts:
        found = names[part]
        names = vars(found) if isinstance(found, type) else {}
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, cached_property):
        found = found.func
    elif isinstance(found, (classmethod, staticmethod)):
        found = found.__func__
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return found if isinstance(found, FunctionType) else None


def _replace_in_class(old: type, new: type) -> None:
    """Give a class another's attributes that are no functions, and the defaults of its fields."""
    for key, value in vars(new).items():
        if not key.startswith("__") and not callable(value) and not hasattr(value, "__get__"):
            setattr(old, key, value)
    made = vars(old).get("__init__")
    if isinstance(made, FunctionType):
        made.__defaults__ = vars(new)["__init__"].__defaults__


def _replace_constants(old: dict[str, Any], new: dict[str, Any]) -> None:
    for key, value in new.items():
        was = old.get(key)
        if type(value) in (int, float, bool, tuple, str) and value != was:
            for module in list(sys.modules.values()):
                names = getattr(module, "__dict__", {})
                if key in names and names[key] is was:
                    names[key] = value
