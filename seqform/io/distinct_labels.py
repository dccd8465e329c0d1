"""Labels of moves from elsewhere, made different where they are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def distinct_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return labels with a number added to those that are empty or come again.

    Gambit does the same with files in which they do.

    Examples
    --------
    >>> distinct_labels(["go", "", "stop", "stop", "stop_1"])
    ('go', '_1', 'stop_2', 'stop_3', 'stop_1')
    """
    times, used, numbers = Counter(labels), set(labels), Counter[str]()
    found = []
    for label in labels:
        name = label
        while not label or times[label] > 1:
            numbers[label] += 1
            name = f"{label}_{numbers[label]}"
            if name not in used:
                break
        used.add(name)
        found.append(name)
    return tuple(found)


def given_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a file gives to players; none if they are but numbered.

    Examples
    --------
    >>> given_names(["Alice", "Bob"]), given_names(["Player 1", "Player 2"])
    (('Alice', 'Bob'), ())
    """
    numbered = [f"Player {player}" for player in range(1, len(names) + 1)]
    filled = [name.strip() or number for name, number in zip(names, numbered, strict=True)]
    return () if filled == numbered else distinct_labels(filled)


def written_names(names: Sequence[str], num_players: int) -> list[str]:
    """Return the names of players for a file, numbered from 1 on where they have none."""
    return list(names) or [f"Player {player}" for player in range(1, num_players + 1)]
