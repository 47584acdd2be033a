"""FastMCP: ``compacting(server)`` on a server of one's own. For a server of others there is ``mcpcompact proxy``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool, ToolResult
from mcp.types import CallToolRequestParams, ListToolsRequest, TextContent

from mcpcompact.integrations.base import Interceptor, text_of
from mcpcompact.integrations.reading import TOOLS


class CompactMiddleware(Middleware):
    """Shortens what tools answer. The text stands for structured content too, so output schemas are withdrawn."""

    def __init__(self, compactor: Interceptor, server: str = "") -> None:
        self.compactor, self.server = compactor, server

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        result = await call_next(context)
        call = context.message
        if not isinstance(result, ToolResult) or call.name in TOOLS:
            return result
        blocks = [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]
        message = {"content": blocks, "isError": result.is_error}
        message |= {"structuredContent": result.structured_content} if result.structured_content else {}
        outcome = await self.compactor.acompact(message, tool=call.name, server=self.server, arguments=call.arguments)
        if outcome is None:
            return result
        others = [block for block in result.content if not isinstance(block, TextContent)]
        content = [TextContent(type="text", text=text_of(outcome)), *others]
        return result.model_copy(update={"content": content, "structured_content": None})

    async def on_list_tools(
        self, context: MiddlewareContext[ListToolsRequest], call_next: CallNext[ListToolsRequest, Sequence[Tool]]
    ) -> Sequence[Tool]:
        return [tool.model_copy(update={"output_schema": None}) for tool in await call_next(context)]


def compacting(server: FastMCP[Any], **options: Any) -> FastMCP[Any]:
    """The server, with the middleware and the tools that read the rest. ``options``: those of ``Interceptor``."""
    compactor = Interceptor(**options)
    server.add_middleware(CompactMiddleware(compactor, server.name))
    for function, name, description in compactor.tools:
        server.tool(function, name=name, description=description)
    return server
