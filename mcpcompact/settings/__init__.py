"""Configuration files, the settings in force, and policies by server and tool.

``schema`` is the table of all settings, ``checking`` names every mistake of a file, ``effective`` puts the layers
together and follows a file that changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpcompact.settings.effective import Live, ModelEntry, Settings, load

__all__ = ["Live", "ModelEntry", "Settings", "load"]


def __getattr__(name: str) -> object:
    """Imported when asked for: a command without a configuration needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module 'mcpcompact.settings' has no attribute '{name}'")
    from mcpcompact.settings import effective

    return getattr(effective, name)
