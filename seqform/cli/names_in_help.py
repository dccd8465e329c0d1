"""Help texts that list what is registered, by whatever package."""

from __future__ import annotations

import re

import click
from typer.core import TyperCommand

from seqform.base.registry import Registry


class NamesInHelp(TyperCommand):
    """A command in whose help ``{reductions}`` stands for the names of all reductions.

    The same holds for every other entry-point group ``seqform.NAME``. Names are looked up when help
    is printed, and nothing is loaded for that.
    """

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the help."""
        for parameter in self.params:
            words = getattr(parameter, "help", None)
            if words:
                parameter.help = re.sub(r"\{(\w+)\}", _names, words)
        super().format_help(ctx, formatter)


def _names(match: re.Match[str]) -> str:
    return ", ".join(Registry(f"seqform.{match[1]}", match[1]).names())
