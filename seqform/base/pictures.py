"""Pictures that notebooks show of objects, declared by the packages that draw them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seqform.base.registry import Registry

PICTURES: Registry[Callable[[Any], str]] = Registry("seqform.pictures", "picture")
"""Each makes HTML of an object: ``tree`` of a `GameTree`, ``solution`` of a `Solution`. ``brief``
makes the text that Python prints of a `Solution`."""
