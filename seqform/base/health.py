"""What an examination of this installation finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["fine", "absent", "doubtful", "broken"]
"""`absent` is what nobody has to have; `doubtful` harms some uses, and `broken` what is needed."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Parameters
    ----------
    topic
        What it belongs to, such as "needed libraries".
    name
        What was looked at, such as "numpy".
    state
        How it is.
    found
        What there is: a version, a number, a folder; or what is wrong.
    purpose
        What it is for, or what to do about it.
    """

    topic: str
    name: str
    state: State
    found: str
    purpose: str
