"""What a page says, part by part, as SHA-256: so that a change of any number in it is noticed.

`assets/check/seen.js` finds the same of the page that a browser has open. What both read is what a
reader sees, and the data that scripts draw from: texts and attributes of elements. Rows of tables
count in any order, since readers sort them; and what scripts draw does not count, since the check
draws it anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any, NamedTuple

from seqform.exact.certificate import canonical

VOID = {"br", "col", "hr", "img", "input", "link", "meta"}
"""Elements that have no content and no end."""

HOLDER = "fingerprints"
"""The element that holds the fingerprints."""

MOVED = {"open", "aria-sort"}
"""Attributes that readers change: what is open, and what is sorted."""

SPACE = re.compile(r"[\x00-\x20\x7f-\x9f\ufffd]+")
"""Spaces, and what parsers of HTML take away or replace."""

LOADING = {"base", "embed", "frame", "iframe", "link", "object"}
"""Elements that no page has, since they load what is not in it."""

Part = list[Any]
"""An element: its name, attributes, and what is in it."""


class Fingerprints(NamedTuple):
    """What a page's parts say.

    Parameters
    ----------
    page
        Of the title, the style, the script, and what belongs to no result.
    results
        For each result, by its element's identity, of one part after the other.
    """

    page: str
    results: dict[str, list[str]]

    @property
    def of_all(self) -> str:
        """One number for the whole page, by which two people see that they have the same one."""
        return _hash(self.record())

    def record(self) -> dict[str, Any]:
        """Return the fingerprints as JSON values."""
        return {"page": self.page, "results": self.results}


def fingerprints(text: str) -> Fingerprints:
    """Return the fingerprints of a page."""
    reader = Reader(text)
    results = {str(each[1].get("id")): _of_parts(each) for each in reader.results}
    frame = [_seen(each, is_frame=True) for each in reader.frame]
    return Fingerprints(_hash(frame), results)


def _of_parts(result: Part) -> list[str]:
    return [_hash(_seen(part)) for part in result[2] if not isinstance(part, str)]


def held_in(text: str) -> dict[str, Any] | None:
    """Return the fingerprints that a page holds, as JSON values; None if it holds none."""
    held = Reader(text).held
    if held is None:
        return None
    content = json.loads(held)
    return content if isinstance(content, dict) else None


class Reader(HTMLParser):
    """The elements of a page that count.

    Parameters
    ----------
    text
        The whole page.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[Part] = [["", {}, []]]
        self.frame: list[Part] = []
        self.results: list[Part] = []
        self.held: str | None = None
        self.running = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        made: Part = [tag, {name: value or "" for name, value in attrs}, []]
        self.running += _runs(tag, made[1])
        self.open[-1][2].append(made)
        if "data-whole" in made[1]:
            self.frame.append(made)
        if "data-result" in made[1]:
            self.results.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if len(self.open) > 1 and self.open[-1][0] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        """Add text, or keep the fingerprints that the page holds."""
        if self.open[-1][1].get("id") == HOLDER:
            self.held = data
        inside = self.open[-1][2]
        if inside and isinstance(inside[-1], str):
            inside[-1] += data
        else:
            inside.append(data)


def _seen(part: Part, *, is_frame: bool = False) -> Part:
    """Return what counts of an element; of the frame, results do not."""
    name, attributes, inside = part
    if is_frame and "data-result" in attributes:
        return ["result", attributes.get("id")]
    is_drawn = "data-drawn" in attributes
    kept = {
        key: _plain(value)
        for key, value in attributes.items()
        if (key.startswith("data-") if is_drawn else key not in MOVED)
    }
    found: list[Any] = []  # of what scripts draw there is nothing in a file
    for each in inside:
        if not isinstance(each, str):
            found.append(_seen(each, is_frame=is_frame))
        elif (text := _plain(each)) != "" and text != " ":
            found.append(text)
    return [name, kept, sorted(found, key=canonical) if name == "tbody" else found]


def _runs(tag: str, attributes: dict[str, str]) -> bool:
    """Return whether a browser runs, or loads, what an element says."""
    if tag == "script":
        return not attributes.get("type", "").startswith("application/")
    is_handler = any(name.startswith("on") for name in attributes)
    leads_away = not attributes.get("href", "#").startswith("#")
    return tag in LOADING or is_handler or leads_away


def _plain(text: str) -> str:
    return SPACE.sub(" ", text)


def _hash(content: Any) -> str:
    return hashlib.sha256(canonical(content).encode()).hexdigest()
