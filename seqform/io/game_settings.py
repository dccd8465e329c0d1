"""read_settings: a game of the catalogue and its parameters, as a TOML file says them.

    game = "leduc"
    ranks = 4

That is the game of ``seqform solve leduc -p ranks=4``. A list is the same as its items with commas
between them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from seqform.base.errors import GameFileError
from seqform.base.whole_file import reason

ENDING = ".toml"
"""How the names of such files end."""

KEY = "game"
"""What names the game; all else are its parameters."""


class Settings(NamedTuple):
    """A game by name, and its parameters."""

    game: str
    parameters: dict[str, Any]


def read_settings(path: Path | str) -> Settings:
    """Return the name of a game and its parameters, which are checked where the game is made.

    Raises
    ------
    GameFileError
        If the file is missing or no TOML, names no game, or has a table.
    """
    path = Path(path)
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GameFileError(f"{path} does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise GameFileError(f"{path} cannot be read: {reason(error)}") from None
    except (ValueError, RecursionError) as error:
        raise GameFileError(f"{path} is no TOML: {error}") from None
    name = said.pop(KEY, None)
    if not isinstance(name, str):
        raise GameFileError(
            f'{path} names no game: write a line such as {KEY} = "leduc" before its parameters'
        )
    return Settings(name, {key: _parameter(path, key, value) for key, value in said.items()})


def _parameter(path: Path, key: str, value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, (str, int, float)) for item in value):
        return ", ".join(map(str, value))
    if isinstance(value, (str, int, float)):
        return value
    raise GameFileError(
        f"{path}: {key} is a text, a number, true or false, or a list of these; "
        f"and not {value!s:.40}"
    )
