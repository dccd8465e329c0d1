"""Command line options from the options of methods: one flag for each field of each dataclass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
from typer.core import TyperOption

from seqform.cli import display
from seqform.cli.command import Command, with_names
from seqform.cli.shell_completion import offer_names


class FunctionName(click.ParamType[Any]):
    """A function, named ``module:function``; the module is looked for here first."""

    name = "module:function"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the function that is named."""
        from seqform.io import function_named

        return function_named(value) if isinstance(value, str) else value


class Numbers(click.ParamType[Any]):
    """A number, or several between commas."""

    name = "number[,number...]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or a tuple of them."""
        if not isinstance(value, str):
            return value
        try:
            found = tuple(map(float, value.split(",")))
        except ValueError:
            self.fail(f"{value!r} is no number, nor several between commas.", param, ctx)
        return found if len(found) > 1 else found[0]


KINDS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "Path": click.Path(path_type=Path),
    "Callable": FunctionName(),
    "Numbers": Numbers(),
}
"""What the values of options are read as, by the first word of the field's annotation."""

WIDEST_TITLE = 56
"""Letters of the names of methods up to which they stand over their options; else beside each."""

GIVEN = "seqform.method_options"
"""Where a click context keeps the options that the user typed."""


class MethodCommand(Command):
    """A command that takes the options of all methods besides its own.

    In the help there is a part for all methods, and one for each group of methods that have the
    same options. A method of another package is loaded when it is named, and its options are known
    from then on.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the call, with the options of the method that they name."""
        from seqform import METHODS

        name = _named_method(args)
        if name in METHODS and not ctx.resilient_parsing:
            METHODS.get(name)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters, and one for each option of a method."""
        own = super().get_params(ctx)
        names = {parameter.name for parameter in own}
        added = [found for found in _method_options(_at_hand()) if found.name not in names]
        return [*own[:-1], *added, own[-1]]  # the last one is --help

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the help, and below it a line on each method."""
        from seqform import METHODS

        super().format_help(ctx, formatter)
        rows = [(method.name, method.summary) for method in METHODS.at_hand()]
        rows += [
            (name, f"of {package}; --method {name} --help says more")
            for name, package in METHODS.not_at_hand().items()
        ]
        display.print_panel("Methods", rows)


def method_options(context: click.Context) -> dict[str, Any]:
    """Return the options of methods that the user typed, by name."""
    return dict(context.meta.get(GIVEN, {}))


def _named_method(args: list[str]) -> str:
    """Return the method that the words of a call name; else ""."""
    for word, following in pairwise([*args, ""]):
        flag, equals, value = word.partition("=")
        if flag == "--method":
            return value if equals else following
    return ""


def _at_hand() -> tuple[str, ...]:
    from seqform import METHODS

    return tuple(method.name for method in METHODS.at_hand())


@cache
def _method_options(names: tuple[str, ...]) -> tuple[click.Parameter, ...]:
    """Return the options of methods; of equal names the first is taken."""
    from seqform import METHODS

    found: dict[str, Field[Any]] = {}
    owners: dict[str, list[str]] = {}
    for method in map(METHODS.get, names):
        for field in fields(method.Options):
            found.setdefault(field.name, field)
            owners.setdefault(field.name, []).append(method.name)
    return tuple(_option(found[name], owners[name]) for name in _by_owners(owners))


def _by_owners(owners: dict[str, list[str]]) -> Iterator[str]:
    """Yield options; those of the same methods stand together, those of most come first."""
    yield from sorted(owners, key=lambda name: (-len(owners[name]), owners[name]))


def _option(field: Field[Any], owners: list[str]) -> click.Parameter:
    flag = "--" + field.name.replace("_", "-")
    kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "str")
    default = None if field.default is MISSING else field.default
    settings: dict[str, Any] = {"type": KINDS.get(kind.split(" ")[0].partition("[")[0], str)}
    if kind.startswith("bool"):
        flag = f"{flag}/--no-{flag[2:]}" if default is None else flag
        settings = {"is_flag": True}
    words, names = with_names(str(field.metadata.get("help", ""))), ", ".join(owners)
    if default not in (None, False):
        words += f" [default: {default}]"
    if len(names) > WIDEST_TITLE:
        words, names = f"{words} Of {names}.", f"{len(owners)} methods"
    made = TyperOption(
        param_decls=[name for name in (field.name, field.metadata.get("flag"), flag) if name],
        default=None,
        help=words,
        expose_value=False,
        callback=_remember,
        rich_help_panel=f"Options of {names}",
        **settings,
    )
    offer_names(made)
    return made


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    if value is not None and parameter.name is not None:
        context.meta.setdefault(GIVEN, {})[parameter.name] = value
    return value
