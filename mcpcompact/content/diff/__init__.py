"""Diffs: what changed, by file and hunk."""

from mcpcompact.content import Own

TYPE = Own("diff", ".diff")
