"""All commands.

The module of each is imported where it is asked for, and everything heavy inside it, so that
`seqform --help` is instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import click
import typer
from typer.core import TyperGroup
from typer.main import get_command

from seqform.base.nearest import hint
from seqform.cli.command import Command
from seqform.cli.examples import epilog

CLASSES = {
    "solve": "seqform.cli.method_options:MethodCommand",
    "exploit": "seqform.cli.method_options:MethodCommand",
    "experiment": "seqform.cli.experiment:ExperimentCommand",
}
"""Commands that take more options than their functions have arguments."""

COMMANDS = {
    "games": "seqform.cli.list_games:games",
    "info": "seqform.cli.list_games:info",
    "solve": "seqform.cli.solve:solve",
    "show": "seqform.cli.show:show",
    "shrink": "seqform.cli.shrink:shrink",
    "isomorphism": "seqform.cli.isomorphism:isomorphism",
    "compare-nodes": "seqform.cli.compare_nodes:compare_nodes",
    "verify": "seqform.cli.verify:verify",
    "report": "seqform.cli.report:report",
    "evaluate": "seqform.cli.evaluate:evaluate",
    "best-response": "seqform.cli.best_response:best_response",
    "play": "seqform.cli.play:play",
    "sample": "seqform.cli.sample:sample",
    "exploit": "seqform.cli.exploit:exploit",
    "experiment": "seqform.cli.experiment:experiment",
    "convert": "seqform.cli.convert:convert",
    "write-lp": "seqform.cli.write_lp:write_lp",
    "write-lcp": "seqform.cli.write_lcp:write_lcp",
    "draw": "seqform.cli.draw:draw",
    "demo": "seqform.cli.demo:demo",
    "doctor": "seqform.cli.doctor:doctor",
}
"""The function of each command."""


class Root(TyperGroup):
    """The command line; a command is made where it is asked for.

    Reading the arguments of all of them takes as long as evaluating a strategy of Leduc hold'em.
    For a command that is none of them it says the nearest.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name, if there is one."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.commands[cmd_name] = _command(cmd_name)
        return self.commands.get(cmd_name)

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


def application() -> typer.Typer:
    """Return the command line."""
    made = typer.Typer(cls=Root, no_args_is_help=True, pretty_exceptions_enable=False)
    made.callback()(root)
    return made


def _command(name: str) -> click.Command:
    alone = typer.Typer(add_completion=False)  # which the whole command line offers
    kind = _found(CLASSES[name]) if name in CLASSES else Command
    alone.command(name, cls=kind, epilog=epilog(name))(_found(COMMANDS[name]))
    return get_command(alone)


def _found(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)
