"""Lists of objects: bare, beside other keys, NDJSON, YAML."""

from mcpcompact.content import Own

TYPE = Own("records", ".json")
