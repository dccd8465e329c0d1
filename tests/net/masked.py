"""What is recorded of a text: all but what hangs on the machine, the moment and the last digits.

Times, memory, versions, commits and processors are masked, each by a word in `< >`. Floats are
written with six digits, and what is nothing but rounding as 0.0. `alike` then compares numbers by
their size, so that a last digit may fall on either side.
"""

from __future__ import annotations

import json
import math
import re
from difflib import SequenceMatcher
from typing import Any

DIGITS, SMALL = 6, 1e-9
CLOSE = 5e-6
"""How far two floats may be apart, as a share of the larger: their last digit."""

FLOAT = re.compile(r"(?<![\w.])-?(?:\d+\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+)(?![\w.]*\w)")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")

KEYS = {
    **dict.fromkeys(["seconds", "cpu_seconds"], "<seconds>"),
    **dict.fromkeys(["peak_rss_mb", "peak_mb"], "<memory>"),
    **dict.fromkeys(["provenance", "versions"], "<provenance>"),
    **dict.fromkeys(["checksum", "strategy.csv", "strategy.npz", "bound.csv"], "<digest>"),
    **dict.fromkeys(["distribution.csv", "game.npz", "certificate.json.gz"], "<digest>"),
    "fingerprints": "<digests>",
}
"""Keys of JSON, and what stands for what they hold."""

SOLVERS = ("lp/", "mip/", "efce/", "efcce/", "nfcce/")
"""Methods whose messages and iterations are those of a library."""

TEXT = (
    (r"^( *seconds  +).*$", r"\1<seconds>"),
    (r"^(?:[a-z]+ \d+\.\d+(?:, |$))+$", "<seconds>"),
    (r"^time\n[\d.]+\n", "time\n<seconds>\n"),
    (r"\b((?:lp|mip|efce|efcce|nfcce)/[\w/+-]+) \([^()\n]*\)", r"\1 (<message>)"),
    (r"\b((?:lp|mip|efce|efcce|nfcce)/[\w/+-]+) in [\d,]+ iterations?\b", r"\1 in <iterations>"),
    (r"^python \d.*|^(Linux|Darwin|macOS) .*", "<provenance>"),
    (r"\b\d+(\.\d+)? (MB|GB)\b", "<memory>"),
    (r"<memory> {2,}", "<memory>  "),  # the column is as wide as the number was
    (r"\b[\d.]+ (ms|s|seconds|minutes|CPU s)\b", "<seconds>"),
    (r"\bfingerprint [0-9a-f]{64}", "fingerprint <digest>"),
    (r"\b\d{4}-\d\d-\d\d(T[\d:+.]+|,? \d\d:\d\d(:\d\d)?( UTC)?)?", "<time>"),
)
"""What is masked in any text, and what stands for it."""


PROGRESS = re.compile(r"^seqform: .*, after [\d.]+ \w+\n?", flags=re.MULTILINE)
"""What is said while something takes long, as it does on a slow machine."""


def without_progress(text: str) -> str:
    """Return what was printed but for how far something had come.

    Examples
    --------
    >>> without_progress("seqform: building the game, after 2 s\\nError: no such game\\n")
    'Error: no such game\\n'
    """
    return PROGRESS.sub("", text)


def masked(text: str) -> str:
    """Return what is recorded of a text that is printed or saved."""
    return _rounded(_in_text("\n".join(_line(line) for line in text.splitlines())))


def data(content: Any) -> str:
    """Return what is recorded of JSON: an object with a line for each member, else one line."""
    content = without_machine(content)
    if not isinstance(content, dict):
        return _rounded(json.dumps(content, ensure_ascii=False))
    lines = (
        f"  {json.dumps(key)}: {json.dumps(of, ensure_ascii=False)}" for key, of in content.items()
    )
    return _rounded(_in_text("{\n" + ",\n".join(lines) + "\n}"))


def without_machine(content: Any) -> Any:
    """Return JSON without what hangs on the machine."""
    if isinstance(content, list):
        return [without_machine(part) for part in content]
    if not isinstance(content, dict):
        return content
    known = KEYS
    if str(content.get("method", "")).startswith(SOLVERS):
        known = KEYS | dict.fromkeys(["message", "iterations"], "<of the solver>")
    return {
        key: known[key] if key in known else _untimed(key, without_machine(part))
        for key, part in content.items()
    }


def _untimed(key: str, content: Any) -> Any:
    """Return what a key holds without the seconds that stand in each look of a history."""
    if key != "history":
        return content
    return [[iteration, "<seconds>", *gaps] for iteration, _, *gaps in content]


def _line(line: str) -> str:
    """Return a line of a terminal: without boxes, and spaces only as far as they part columns."""
    if line.startswith("{") and (content := _json(line)) is not None:
        return data(content)
    bare = re.sub(r"[─━│╭╮╰╯┃┏┓┗┛]", " ", line).rstrip()
    return re.sub(r" {3,}", "   ", bare)


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _in_text(text: str) -> str:
    for pattern, mask in TEXT:
        text = re.sub(pattern, mask, text, flags=re.MULTILINE)
    return text


def _rounded(text: str) -> str:
    return FLOAT.sub(lambda found: number(float(found[0])), text)


def number(value: float) -> str:
    """Return a float as it is recorded.

    Examples
    --------
    >>> number(-1 / 18), number(7e-15), number(3.0), number(1e300)
    ('-0.0555556', '0.0', '3.0', '1e+300')
    """
    if abs(value) < SMALL:
        return "0.0"
    text = f"{value:.{DIGITS}g}"
    return text if re.search(r"[.e]", text) else f"{text}.0"


def alike(recorded: str, found: str) -> bool:
    """Return whether two texts are the same but for the last digits of floats.

    Examples
    --------
    >>> alike("worth 0.333333", "worth 0.333334"), alike("1/3", "1/4"), alike("0", "0.0")
    (True, False, True)
    """
    if NUMBER.sub("#", recorded) != NUMBER.sub("#", found):
        return False
    pairs = zip(NUMBER.findall(recorded), NUMBER.findall(found), strict=True)
    return all(one == other or _close(one, other) for one, other in pairs)


def _close(one: str, other: str) -> bool:
    if not re.search(r"[.e]", one + other):
        return False  # two integers
    return math.isclose(float(one), float(other), rel_tol=CLOSE, abs_tol=SMALL)


def differences(recorded: str, found: str) -> list[str]:
    """Return the lines that are not alike, the recorded ones before those that are found."""
    one, other = recorded.splitlines(), found.splitlines()
    keys = [[FLOAT.sub("#", line) for line in lines] for lines in (one, other)]
    matched = SequenceMatcher(None, *keys, autojunk=False)
    changes: list[str] = []
    for kind, i, end, j, other_end in matched.get_opcodes():
        pairs = list(zip(one[i:end], other[j:other_end], strict=False))
        if kind == "equal" or (end - i == other_end - j and all(alike(*pair) for pair in pairs)):
            pairs = [pair for pair in pairs if not alike(*pair)]
            changes += [line for old, new in pairs for line in (f"- {old}", f"+ {new}")]
        else:
            changes += [f"- {line}" for line in one[i:end]]
            changes += [f"+ {line}" for line in other[j:other_end]]
    return changes
