"""Configuration files, the settings in force, and policies by server and tool (design §10).

``schema`` is the table of all settings, ``checking`` names every mistake of a file, ``effective`` puts the layers
together, ``live`` follows a file that changes, ``limits`` are presets and the window that is left.
"""

from __future__ import annotations

from mcpcompact.settings.effective import ModelEntry, Settings, load
from mcpcompact.settings.limits import PRESETS, for_host, for_window
from mcpcompact.settings.live import Live

__all__ = ["PRESETS", "Live", "ModelEntry", "Settings", "for_host", "for_window", "load"]
