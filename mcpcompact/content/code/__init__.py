"""Code: source and configuration, whole or in part."""

from mcpcompact.content import Own

TYPE = Own("code", ".txt")
