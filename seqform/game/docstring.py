"""What a docstring after numpydoc's rules says, for people who only play."""

from __future__ import annotations

import inspect
import re
from typing import Any

SECTION = re.compile(r"^(\w+)\n-+$", re.MULTILINE)


def described(thing: Any) -> str:
    """Return the words before the first section, a line a paragraph, less ``Return``."""
    words = _paragraphs(_sections(thing)[0]).removeprefix("Return ")
    return words[:1].upper() + words[1:]


def explained(thing: Any) -> dict[str, str]:
    """Return what the section ``Parameters`` says of each; several may share their words."""
    parts = _sections(thing)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    entries = re.split(r"^(?=\S)", named.get("Parameters", "").strip(), flags=re.MULTILINE)
    found = {}
    for entry in filter(None, entries):
        names, _, words = entry.partition("\n")
        found.update(dict.fromkeys(names.split(", "), _paragraphs(inspect.cleandoc(words))))
    return found


def _sections(thing: Any) -> list[str]:
    """Return the words before the first section, then headers and texts in turn."""
    return SECTION.split(inspect.getdoc(thing) or "")


def _paragraphs(text: str) -> str:
    parts = re.split(r"\n{2,}", text.replace("``", "`").strip())
    return "\n".join(" ".join(part.split()) for part in parts)
