"""HTML as text that is always escaped, once."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from typing import Any

VOID = {"br", "col", "hr", "img", "input", "link", "meta"}
"""Elements that have no content and no end."""


class Markup(str):
    """HTML that is escaped already."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the HTML, as programs that make pages ask for it."""
        return self


def html(content: object) -> Markup:
    """Return content as HTML: text is escaped, markup is left as it is."""
    if isinstance(content, Markup):
        return content
    return Markup(escape(str(content)))


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Return parts one after the other."""
    return Markup(str(html(between)).join(html(part) for part in parts))


def element(name: str, *content: object, **attributes: object) -> Markup:
    """Return an element.

    Attributes that are None or False are left out, and True has no value. An underscore at the end
    is dropped, others are hyphens.

    Examples
    --------
    >>> element("td", "1 < 2", class_="number", data_sort=1)
    '<td class="number" data-sort="1">1 &lt; 2</td>'
    >>> element("th", element("button", "value", type="button"), hidden=True)
    '<th hidden><button type="button">value</button></th>'
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(content)}</{name}>")


def section(title: str, *content: object, **attributes: object) -> Markup:
    """Return a part of the page with its heading."""
    return element("section", element("h3", title), *content, **attributes)


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def data(identity: str, content: Any) -> Markup:
    r"""Return JSON that a script of the page finds by its identity.

    Examples
    --------
    >>> data("x", {"label": "</script>"})
    '<script type="application/json" id="x">{"label":"\\u003c/script>"}</script>'
    """
    return script_text(identity, json.dumps(content, separators=(",", ":"), allow_nan=False))


def script_text(identity: str, text: str) -> Markup:
    """Return JSON that is text already; ``<`` is written so that it cannot end the element."""
    safe = Markup(text.replace("<", "\\u003c"))
    return element("script", safe, type="application/json", id=identity)


def packed_text(identity: str, packed: bytes) -> Markup:
    """Return what a script of the page finds by its identity, and unpacks."""
    text = Markup(b64encode(packed).decode())
    return element("script", text, type="application/gzip", id=identity)
