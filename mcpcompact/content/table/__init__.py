"""Delimited text, aligned columns, Markdown and box tables."""

from mcpcompact.content import Own

TYPE = Own("table", ".csv")
