"""Chromium without a window, as tests and programs here look at pages in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from selenium import webdriver

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

PHONE, DESK = 390, 1280
"""Widths of windows, in pixels."""


def start(profile: Path) -> Any:
    """Return a browser that keeps its files in a folder; its method `quit` ends it."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(DRIVER, env={**os.environ, "HOME": str(profile)})
    return webdriver.Chrome(options=options, service=service)


def resize(browser: Any, width: int, height: int = 800, scheme: str = "light") -> None:
    """Give the window a size and light or dark colors."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width == PHONE}
    colors = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", colors)
