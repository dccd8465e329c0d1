"""What a shell is offered for the values of arguments: names of games, methods, and so on.

Only declarations are read; nothing of what they name is imported.
"""

from __future__ import annotations

from typing import Any

import click

VALUES: dict[str, tuple[str, tuple[str, ...]]] = {
    "game": ("GAMES", ()),
    "method": ("METHODS", ("auto",)),
    "abstract": ("REDUCTIONS", ("auto", "none")),
    "criterion": ("REDUCTIONS", ()),
    "solver": ("SOLVERS", ()),
}
"""For arguments by name: the registry of their values, and what else they may be."""

EXPERIMENTS = ("experiment", "name")
"""The command and its argument that names an experiment."""


def offer_names(parameter: click.Parameter, command: str | None = None) -> None:
    """Have an argument offer names, if there is a registry of them."""
    registry, more = VALUES.get(str(parameter.name), ("", ()))
    if (command, parameter.name) == EXPERIMENTS:
        registry = "EXPERIMENTS"
    if registry:
        parameter._custom_shell_complete = _Names(registry, more)  # click has no other way in


class _Names:
    """The names of a registry that begin as a word does; files, where none does."""

    def __init__(self, registry: str, more: tuple[str, ...]) -> None:
        self._registry, self._more = registry, more

    def __call__(self, _ctx: Any, _parameter: Any, begun: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        import seqform

        names = (*self._more, *getattr(seqform, self._registry).names())
        return [CompletionItem(name) for name in names if name.startswith(begun)]
