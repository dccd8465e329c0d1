"""The documentation site: `make docs` makes it of the pages as they are, in out/site.

The repository is the source, so that a page's links lead to the same place here and there. What is
generated (navigation, reference) is in docs/site_pages.py, docs/glossary_links.py links terms, and
docs/site_math.py sets formulas. The site needs no network and no server: its pages and its search
can be opened from a disk.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))

import glossary_links
import site_math
import site_pages

import seqform

project = "seqform"
author = "The seqform developers"
release = version = seqform.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "myst_nb",
]
root_doc = "docs/index"
include_patterns = [
    "*.md",
    "docs/**",
    "benchmarks/results/*.md",
    "experiments/results/*.md",
    "experiments/results/*/*.md",
]
exclude_patterns = ["out", ".venv", ".git", ".*_cache", "**/.ipynb_checkpoints"]

highlight_language = "none"  # of blocks that name none
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = False
myst_fence_as_directive = ["math"]  # as GitHub has it: blocks of formulas are code called math
nb_execution_mode = "off"
nb_execution_raise_on_error = True
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_title = f"seqform {release}"
html_copy_source = False
html_math_renderer = "mathml"
html_show_search_summary = False  # is fetched page by page, which browsers refuse from a disk
html_show_copyright = False


def setup(app: object) -> None:
    """Have navigation and reference generated, terms linked, and formulas set."""
    site_pages.connect(app)
    glossary_links.connect(app)
    site_math.connect(app)
