"""Text: what no other type claims; search output, listings and histories have a shape of their own."""

from mcpcompact.content import Own

TYPE = Own("text", ".txt")
