"""Command line options from the options of methods: one flag for each field of each dataclass."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from functools import cache
from pathlib import Path
from typing import Any

import click
from typer.core import TyperCommand, TyperOption

KINDS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "Path": click.Path(path_type=Path),
}
"""What the values of options are read as, by the first word of the field's annotation."""

GIVEN = "seqform.method_options"
"""Where a click context keeps the options that the user typed."""


class MethodCommand(TyperCommand):
    """A command that takes the options of all methods besides its own."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters, and one for each option of a method."""
        own = super().get_params(ctx)
        for parameter in own:
            parameter.help = _filled(getattr(parameter, "help", None) or "")
        names = {parameter.name for parameter in own}
        added = [found for found in _method_options() if found.name not in names]
        return [*own[:-1], *added, own[-1]]  # the last one is --help


def method_options(context: click.Context) -> dict[str, Any]:
    """Return the options of methods that the user typed, by name."""
    return dict(context.meta.get(GIVEN, {}))


@cache
def _method_options() -> tuple[click.Parameter, ...]:
    """Return the options of all methods; of equal names the first is taken."""
    from seqform.methods.method import METHODS

    found: dict[str, click.Parameter] = {}
    for method in METHODS:
        for field in fields(method.Options):
            found.setdefault(field.name, _option(field))
    return tuple(found.values())


def _filled(words: str) -> str:
    """Put the names that there are into a help text."""
    if "{" not in words:
        return words
    from seqform.base.registry import Registry

    names = {
        kind: ", ".join(Registry[object](f"seqform.{kind}", kind).names())
        for kind in ("methods", "reductions", "solvers")
    }
    return words.format(**names)


def _option(field: Field[Any]) -> click.Parameter:
    flag = "--" + field.name.replace("_", "-")
    kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "str")
    default = None if field.default is MISSING else field.default
    settings: dict[str, Any] = {"type": KINDS.get(kind.split(" ")[0], str)}
    if kind.startswith("bool"):
        flag = f"{flag}/--no-{flag[2:]}" if default is None else flag
        settings = {"is_flag": True}
    words = _filled(str(field.metadata.get("help", "")))
    if default not in (None, False):
        words += f" [default: {default}]"
    return TyperOption(
        param_decls=[field.name, flag],
        default=None,
        help=words,
        expose_value=False,
        callback=_remember,
        **settings,
    )


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    if value is not None and parameter.name is not None:
        context.meta.setdefault(GIVEN, {})[parameter.name] = value
    return value
