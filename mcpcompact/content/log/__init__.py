"""Logs: service, system and access logs, test runs and build output."""

from mcpcompact.content import Own

TYPE = Own("log", ".log")
