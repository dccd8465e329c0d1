"""The command line as a whole: its version, and what it says to a command that it does not have."""

from __future__ import annotations

from typing import Annotated

import click
import typer
from typer.core import TyperGroup

from seqform.base.nearest import hint


class CommandGroup(TyperGroup):
    """All commands; for one that is none of them, the nearest."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            known = self.list_commands(ctx)
            ctx.fail(
                f"there is no command {args[0]!r}{hint(args[0], known)}; use one of "
                f"{', '.join(known)}"
            )
        return super().resolve_command(ctx, args)


def _print_version(asked: bool) -> None:
    if asked:
        import seqform

        print(f"seqform {seqform.__version__}")
        raise typer.Exit


def root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version, and end."
        ),
    ] = False,
) -> None:
    """Find exact, fast and certified equilibria of extensive-form games."""
