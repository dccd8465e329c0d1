"""run_as_script: an experiment's file as a program."""

from __future__ import annotations

import runpy
import sys


def run_as_script(name: str) -> None:
    """Do what ``python -m seqform experiment NAME`` does, for ``python -m experiments.NAME``."""
    sys.argv[1:1] = ["experiment", name]
    runpy.run_module("seqform", run_name="__main__")
