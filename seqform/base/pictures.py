"""What objects are shown as, declared by the packages that make it: pictures, pages, frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seqform.base.registry import Registry

PICTURES: Registry[Callable[..., Any]] = Registry("seqform.pictures", "picture")
"""Most make HTML of an object: ``tree`` of a `GameTree`, ``solution`` of a `Solution`. Of that,
``brief`` makes the text that Python prints, ``convergence`` a figure of matplotlib, and ``rows``
what has a row for each action."""
