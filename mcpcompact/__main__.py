"""``python -m mcpcompact``."""

from mcpcompact.cli.app import entry

entry()
