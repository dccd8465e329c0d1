"""What objects are shown as, declared by the packages that make it: pictures, pages, frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from seqform.base.errors import SeqformError
from seqform.base.registry import Registry

PICTURES: Registry[Callable[..., Any]] = Registry("seqform.pictures", "picture")
"""Most make HTML of an object: ``tree`` of a `GameTree`, ``solution`` of a `Solution`. Of that,
``brief`` makes the text that Python prints, ``convergence`` a figure of matplotlib, and ``rows``
what has a row for each action."""


class Pictured:
    """An object that notebooks show by a picture of its kind, which is made when it is shown."""

    picture: ClassVar[str]
    """The name under which the picture is declared."""

    def _repr_html_(self) -> str | None:
        """Return the picture; None where there is none, and notebooks show text."""
        try:
            return str(PICTURES.get(self.picture)(self))
        except SeqformError:
            return None
