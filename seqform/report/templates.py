"""Templates of pages: HTML that escapes whatever it shows, in the folder of that name."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("seqform.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "base64": lambda packed: Markup(b64encode(packed).decode()),
        "json": lambda content: script_text(json.dumps(content, **AS_SHORT)),
        "script_text": script_text,
    }
    return found


AS_SHORT: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False}


def rendered(template: str, **values: Any) -> str:
    """Return what a template of the folder makes of some values."""
    return _environment().get_template(template).render(values)


def script_text(text: str) -> Markup:
    r"""Return JSON as an element of the page may hold it: nothing in it ends the element.

    Examples
    --------
    >>> script_text('{"label":"</script>"}')
    Markup('{"label":"\\u003c/script>"}')
    """
    return Markup(text.replace("<", "\\u003c"))
