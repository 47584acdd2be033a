"""JSON that is no plain list of records."""

from mcpcompact.content import Own

TYPE = Own("json", ".json")
