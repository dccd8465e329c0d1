"""Every run draws the same random games, none is timed, and all can be interrupted."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

collect_ignore = ["plugin"]  # a package of its own, which test_plugin.py installs

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "seeded",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("seeded")
