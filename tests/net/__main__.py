"""Record anew: `python -m tests.net [NAME ...]`, by default all; what changed is printed."""

from __future__ import annotations

import sys

from tests.net.masked import differences
from tests.net.record import RECORDED, commands


def main(names: list[str]) -> int:
    """Record what is named; return the exit status."""
    known = commands()
    if unknown := set(names) - set(known):
        print(f"there is no {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    RECORDED.mkdir(exist_ok=True)
    for name in names or known:
        of = known[name]
        text = of.text()
        before = of.path.read_text() if of.path.exists() else ""
        if changed := differences(before, text):
            print(f"{name}: {len(changed)} lines")
            of.path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
