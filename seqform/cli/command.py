"""Commands: their help lists what is registered, all take a time limit, errors speak of flags."""

from __future__ import annotations

import inspect
import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, get_type_hints

import click
from typer.core import TyperCommand, TyperOption

from seqform.base.deadline import last_resort, time_limited
from seqform.base.errors import InvalidGameError, SeqformError
from seqform.base.nearest import nearest
from seqform.cli.shell_completion import offer_names
from seqform.cli.watch import end_at

TOO_LATE = (
    "the time limit of {:.3g} s was over, and what was at work would not end: the process is "
    "killed; what it printed and saved before stays"
)
"""What is printed where only killing helps."""

MATCHED = "seqform.matched"
"""The logger that says what patterns match."""

REGISTRIES = {"methods": "METHODS", "reductions": "REDUCTIONS", "solvers": "SOLVERS"}
"""What stands for the names of a registry in help texts."""


class Command(TyperCommand):
    """A command in whose help ``{reductions}`` stands for the names of all reductions.

    The same holds for the other `REGISTRIES`. An argument of the library that an error names, such
    as ``max_nodes=3``, is shown as what the user types: ``--max-nodes 3``.
    """

    _explains = False

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the help; only for that are names looked up."""
        self._explains = True
        super().format_help(ctx, formatter)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, with their help if it is to be printed."""
        own = super().get_params(ctx)
        found = [*own[:-1], time_limit_option(), own[-1]]  # the last one is --help
        for parameter in found:
            offer_names(parameter, self.name)
        if self._explains:
            for parameter in found:
                parameter.help = with_names(self._help_of(parameter))
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the call; for an option that there is not, say which is nearest."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [flag for found in self.get_params(ctx) for flag in found.opts]
            near = nearest(error.option_name, [flag for flag in known if flag.startswith("--")])
            raise click.NoSuchOption(
                error.option_name, possibilities=[near] if near else [], ctx=ctx
            ) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command within its time limit.

        In a shell that counts from the moment `ctx.obj`, and what nothing else ends is killed.
        """
        seconds, since = ctx.params.pop("time_limit"), ctx.obj
        try:
            with time_limited(seconds, since), _warnings(ctx):
                if seconds is not None and since is not None:
                    end_at(last_resort(), TOO_LATE.format(seconds))
                return super().invoke(ctx)
        except SeqformError as error:
            raise type(error)(*(in_flags(str(words), ctx) for words in error.args)) from error
        except SystemExit as stop:  # of a user's own rules: we end so with another status only
            if stop.code in (None, 0):
                raise InvalidGameError("the code of the game ended the program") from stop
            raise

    def _help_of(self, parameter: click.Parameter) -> str:
        """Return a parameter's help; that of arguments is lost by typer on click 8.4 and later."""
        words = getattr(parameter, "help", None)
        if words or self.callback is None or isinstance(parameter, click.Option):
            return words or ""
        hints = get_type_hints(inspect.unwrap(self.callback), include_extras=True)
        declared = getattr(hints.get(str(parameter.name)), "__metadata__", ())
        return next((found.help for found in declared if getattr(found, "help", None)), "")


class _Shown(logging.Handler):
    """Prints what the library warns of on standard error, as its errors are printed."""

    def __init__(self, ctx: click.Context) -> None:
        super().__init__(logging.INFO)
        self._ctx = ctx
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print one warning, or what a pattern matched, which is read again by some commands."""
        message = record.getMessage()
        if record.levelno >= logging.WARNING:
            message = f"seqform: {in_flags(message, self._ctx)}"
        elif record.name != MATCHED or message in self._told:
            return
        self._told.add(message)
        print(message, file=sys.stderr, flush=True)


@contextmanager
def _warnings(ctx: click.Context) -> Iterator[None]:
    """Show what the library warns of within, and what patterns match."""
    log, matched, handler = logging.getLogger("seqform"), logging.getLogger(MATCHED), _Shown(ctx)
    log.addHandler(handler)
    before = matched.level
    matched.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        matched.setLevel(before)


@cache
def time_limit_option() -> click.Parameter:
    """Return the option that every command has."""
    return TyperOption(
        param_decls=["time_limit", "--time-limit"],
        type=float,
        metavar="SECONDS",
        help="Stop after so many seconds, certificates and files included.",
    )


def with_names(words: str) -> str:
    """Put the names that there are into a help text."""
    return re.sub(r"\{(\w+)\}", lambda found: _names(found[1]), words)


def _names(kind: str) -> str:
    import seqform

    return ", ".join(getattr(seqform, REGISTRIES[kind]).names())


def in_flags(message: str, ctx: click.Context) -> str:
    """Return a message of the library with its arguments as the user types them.

    These are the options of the command, and of `solve`, which messages of others may point to. A
    name without a value is one of them too if no English word is written so: ``max_nodes``.
    Parameters of the game that are called like an option are left as they are.
    """
    given = {item.partition("=")[0].strip() for item in ctx.params.get("param") or ()}
    flags = {name: flag for name, flag in _flags(ctx).items() if name not in given}
    names = "|".join(map(re.escape, sorted(flags, key=len, reverse=True)))
    valued = rf"(?P<valued>{names})=(?P<value>'[^']*'(?: or '[^']*')*|\.\.\.|[\w.+-]*\w)?"
    bare = "|".join(re.escape(name) for name in flags if "_" in name)
    written = re.compile(rf"(?<![\w.'-])(?:{valued}|(?P<bare>{bare})(?![\w.'(=]))")

    def typed(found: re.Match[str]) -> str:
        return _flag(flags[found["valued"] or found["bare"]], found["value"] or "")

    return written.sub(typed, message)


def _flags(ctx: click.Context) -> dict[str, str]:
    """Return the options that messages may name: those of `solve`, and the command's own."""
    root = ctx.find_root().command
    solve = root.get_command(ctx, "solve") if isinstance(root, click.Group) else None
    options = [
        found
        for command in (solve or ctx.command, ctx.command)
        for found in command.get_params(ctx)
        if isinstance(found, click.Option)
    ]
    return {str(found.name): found.opts[-1] for found in options if found.name != "help"}


def _flag(flag: str, value: str) -> str:
    if value == "True":
        return flag
    if value == "False":
        return f"--no-{flag[2:]}"
    return f"{flag} {value.replace(chr(39), '')}".strip()
