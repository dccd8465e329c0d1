"""`seqform experiment`: a sweep whose axes are flags, and whose rows are added to a folder."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
import typer

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED, Parameters
from seqform.cli.command import Command
from seqform.cli.row_tables import print_rows
from seqform.experiment import run_as_script  # noqa: F401  others import it from here

if TYPE_CHECKING:
    from seqform.experiment import ExperimentSpec, Finished, Now, Row

WIDEST = 300
"""Letters of a line of progress."""

WORDS = "seqform.words"
"""Where a click context keeps all words."""


class ExperimentCommand(Command):
    """A command that takes a flag for each axis of the experiment, whichever that is."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        more = {"allow_extra_args": True, "ignore_unknown_options": True}
        settings["context_settings"] = (settings.get("context_settings") or {}) | more
        super().__init__(*args, **settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all words, which say whose axes the help is asked for."""
        ctx.meta[WORDS] = list(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the help, and below it the axes of the experiment, or the experiments."""
        from seqform import EXPERIMENTS

        super().format_help(ctx, formatter)
        named = next((word for word in ctx.meta[WORDS] if word in EXPERIMENTS), None)
        if named is None:
            _list_experiments()
        else:
            display.print_panel(f"Axes of {named}", _axes(EXPERIMENTS.get(named)))


def experiment(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="An experiment, or a FILE.toml; without it, lists them."
        ),
    ] = None,
    param: Parameters = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for rows and figures.", show_default="results/NAME"),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only the smallest games, in seconds.")
    ] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="Measure again what was refused, stopped or failed.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Measure everything again, whatever rows are there.")
    ] = False,
    figures_only: Annotated[
        bool, typer.Option("--figures-only", help="Draw the figures of the rows that are there.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", help="Processes of this machine to measure in.")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask cluster to measure on: tcp://HOST:8786."),
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="What a point needs, such as 8GB.")
    ] = None,
    row_time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop each point after so many seconds.")
    ] = None,
) -> None:
    """Run an experiment, or go on where it was: rows that are there are not made again.

    Each axis is a flag: `seqform experiment lp_sizes --decks 5x3,6x3 --criteria suit,outcome`.
    `-p key=v1,v2` sweeps a parameter of the game. `seqform experiment NAME --help` lists the axes.
    """
    import seqform

    if name is None:
        _list_experiments()
        return
    found = seqform.run_experiment(
        name,
        axis_values(context.args),
        parameters=dict(_parameter(item) for item in param or []),
        out=out,
        quick=quick,
        retry=retry,
        fresh=fresh,
        figures_only=figures_only,
        jobs=jobs,
        scheduler=scheduler,
        memory=memory,
        row_time_limit=row_time_limit,
        progress=_tell,
    )
    _print(found)
    if found.unfinished:
        raise typer.Exit(EXIT_UNSOLVED)


def axis_values(words: list[str]) -> dict[str, str]:
    """Return the values by axis of flags ``--axis v1,v2`` and ``--axis=v1,v2``.

    Raises
    ------
    InvalidParameterError
        If a word is no flag, or a flag has no value.
    """
    found: dict[str, str] = {}
    rest = list(words)
    while rest:
        flag, equals, value = rest.pop(0).partition("=")
        if not flag.startswith("--"):
            raise InvalidParameterError(f"{flag!r} is no option; axes are --AXIS v1,v2")
        if not equals:
            if not rest or rest[0].startswith("--"):
                raise InvalidParameterError(f"{flag} has no values: write {flag} v1,v2")
            value = rest.pop(0)
        name = flag[2:]
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


def _parameter(item: str) -> tuple[str, str]:
    key, equals, values = item.partition("=")
    if not (equals and key):
        raise InvalidParameterError(f"-p {item}: write parameters as key=v1,v2")
    return key.strip(), values


def _list_experiments() -> None:
    from seqform import EXPERIMENTS

    found = [(spec.name, spec.question) for spec in EXPERIMENTS.usable()]
    display.print_panel("Experiments", found)


def _axes(spec: ExperimentSpec) -> list[tuple[str, str]]:
    rows = []
    for axis in spec.axes:
        values = ",".join(map(str, axis.values))
        rows.append((f"--{axis.plural.replace('_', '-')}", f"{axis.help or ''} [{values}]".strip()))
    return rows


def _tell(now: Now) -> None:
    """Print one line on standard error: how far it is, the point, and how it ended."""
    row = now.rows[-1]
    reason = f": {row['reason']}" if row.get("reason") else ""
    line = f"{now.done} of {now.total}: {now.point}: {row['status']}{reason}"
    print(line if len(line) <= WIDEST else f"{line[: WIDEST - 3]}...", file=sys.stderr)


def _print(found: Finished) -> None:
    """Print the rows by the columns that the experiment shows, and why some have no answer."""
    print(found.spec.question)
    print_rows(found)
    for reason, count in Counter(_failure(row) for row in found.without_result).items():
        print(f"{count} x {reason}")
    print("saved", ", ".join(map(str, (found.folder / "rows.csv", *found.figures))))


def _failure(row: Row) -> str:
    return f"{row['status']}: {row['reason']}"
