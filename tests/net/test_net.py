"""What commands print and save is what was recorded: `python -m tests.net NAME` records it anew."""

from __future__ import annotations

import pytest

from tests.net.masked import alike, differences
from tests.net.record import RECORDED, commands


@pytest.mark.parametrize("name", commands())
def test_it_is_as_recorded(name: str) -> None:
    of = commands()[name]
    for package in of.needs:
        pytest.importorskip(package)
    recorded, found = of.path.read_text(), of.text()
    if not alike(recorded, found):
        pytest.fail("\n".join([*of.run, *differences(recorded, found)]), pytrace=False)


def test_nothing_else_is_recorded() -> None:
    assert {path.stem for path in RECORDED.iterdir()} == set(commands())
