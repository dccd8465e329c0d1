"""Every run draws the same random games, and none is timed."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

collect_ignore = ["plugin"]  # a package of its own, which test_plugin.py installs

settings.register_profile(
    "seeded",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("seeded")
