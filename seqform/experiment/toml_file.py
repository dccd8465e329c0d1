"""A sweep of a user's own, without code: a TOML file of games, reductions, methods and seeds.

    question = "Which method is the fastest on my game?"
    memory = "4 GB"            # that a point needs
    row_time_limit = 60        # seconds for a point

    [axes]
    game = ["kuhn", "my_game:Poker"]
    reduction = ["none", "tree"]
    method = ["lp", "cfr+(iterations=1000)"]

    [parameters]               # of every game
    cards = [4, 5, 6]

    [options]                  # of every method
    gap = [1e-3, 1e-6]

With ``experiment = "lp_sizes"`` the axes are those of an experiment, and the file replaces some.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.whole_file import reason
from seqform.base.whole_folder import is_plain
from seqform.experiment.axes import Axis, Role
from seqform.experiment.spec import EXPERIMENTS, ExperimentSpec, in_bytes

KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "question": (str,),
    "experiment": (str,),
    "memory": (str, int, float),
    "row_time_limit": (int, float),
    "axes": (dict,),
    "parameters": (dict,),
    "options": (dict,),
}
"""What a file may say, and as what."""

WORDS = {str: "a text", float: "a number", dict: "a table, in [brackets]"}


def read_sweep(path: Path | str) -> ExperimentSpec:
    """Return the experiment that a TOML file describes; see the module's text.

    Raises
    ------
    InvalidParameterError
        If the file is missing or no TOML, or a value cannot be what it stands for.
    UnknownNameError
        If a name is none that such a file may have, with the nearest.
    """
    path = Path(path)
    said = _read(path)
    try:
        base = EXPERIMENTS.get(said.get("experiment", "sweep"))
        spec = replace(base, axes=(*base.axes, *_option_axes(said.get("options", {}))))
        spec = spec.taking(
            _lists(said.get("axes", {})) | _lists(said.get("options", {})),
            _lists(said.get("parameters", {})),
        )
        known = {name: said[name] for name in ("memory", "row_time_limit") if name in said}
        in_bytes(known.get("memory", 0))
        question = said.get("question", spec.question)
        doc = spec.doc.replace(spec.question, question, 1)
        return replace(spec, name=_name(said.get("name", path.stem)), doc=doc, **known)
    except (InvalidParameterError, UnknownNameError) as error:
        raise type(error)(f"{path}: {error}") from None


def _read(path: Path) -> dict[str, Any]:
    """Return what a file says, its names and types checked."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidParameterError(f"{path} does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParameterError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:
        raise InvalidParameterError(f"{path} is no TOML: {error}") from None
    except RecursionError:
        raise InvalidParameterError(f"{path}: brackets lie in each other too deep") from None
    if all(value == {} for value in said.values()):
        raise InvalidParameterError(
            f"{path} says nothing: give the games at least, such as [axes] and game = ['kuhn']"
        )
    for name, value in said.items():
        if name not in KINDS:
            raise UnknownNameError(f"{path}: {UnknownNameError.of('setting', name, KINDS)}")
        if not isinstance(value, KINDS[name]) or isinstance(value, bool):
            kind = " or ".join(WORDS[kind] for kind in KINDS[name] if kind in WORDS)
            raise InvalidParameterError(f"{path}: {name} is {kind}, and not {value!s:.40}")
    return said


def _name(name: str) -> str:
    """Return a name, which its folder of results has too."""
    if not is_plain(name):
        raise InvalidParameterError(f"name {name!r} is no name of a folder")
    return name


def _option_axes(options: Mapping[str, Any]) -> tuple[Axis, ...]:
    return tuple(Axis(name, (), plural=name, role=Role.OPTION) for name in options)


def _lists(table: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the values of each name; one value is a list of one."""
    return {name: value if isinstance(value, list) else [value] for name, value in table.items()}
