"""Pictures that notebooks show of objects, declared by the packages that draw them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from seqform.base.errors import SeqformError
from seqform.base.registry import Registry

PICTURES: Registry[Callable[[Any], str]] = Registry("seqform.pictures", "picture")
"""Each makes HTML of an object: ``tree`` of a `GameTree`, ``solution`` of a `Solution`. ``brief``
makes the text that Python prints of a `Solution`."""


class Pictured:
    """An object that notebooks show by a picture of its kind, which is made when it is shown."""

    picture: ClassVar[str]
    """The name under which the picture is declared."""

    def _repr_html_(self) -> str | None:
        """Return the picture; None where there is none, and notebooks show text."""
        try:
            return PICTURES.get(self.picture)(self)
        except SeqformError:
            return None
