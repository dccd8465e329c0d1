"""Formulas of the site are MathML, made when it is built: browsers set it without a script."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util.logging import getLogger

LOG = getLogger(__name__)


def connect(app: Any) -> None:
    """Offer the renderer; docs/conf.py chooses it."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))


def write_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    writer.body.append(mathml(node))
    raise nodes.SkipNode


def write_block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    writer.body.append(f'<div class="math-block">{mathml(node, as_block=True)}</div>')
    raise nodes.SkipNode


def mathml(node: nodes.Element, as_block: bool = False) -> str:
    """Return a formula as MathML; one that docutils cannot read is a warning, and is left out."""
    try:
        return str(tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        LOG.warning("the formula %r: %s", node.astext(), error, location=node)
        return ""
