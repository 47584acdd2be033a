"""LangChain: ``create_agent(model, tools, middleware=[CompactMiddleware()])``.

The first middleware of a list is the outermost: stand after those that keep results elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeGuard

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.types import Command

from mcpcompact.compaction import Compaction
from mcpcompact.integrations.base import Interceptor, value_of
from mcpcompact.integrations.reading import TOOLS

Answer: TypeAlias = ToolMessage | Command[Any]


class CompactMiddleware(AgentMiddleware[Any, Any, Any]):
    """Shortens what tools answer, and gives the agent the tools to read the rest. Options: those of ``Interceptor``."""

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.compactor = Interceptor(**options)
        tools = self.compactor.tools
        self.tools = [StructuredTool.from_function(run, name=name, description=what) for run, name, what in tools]

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]) -> Answer:
        answer = handler(request)
        if not _has_text(answer, request):
            return answer
        return _shorter(answer, self.compactor.compact(answer.content, **_call(request)))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        answer = await handler(request)
        if not _has_text(answer, request):
            return answer
        return _shorter(answer, await self.compactor.acompact(answer.content, **_call(request)))


def _has_text(answer: Answer, request: ToolCallRequest) -> TypeGuard[ToolMessage]:
    return isinstance(answer, ToolMessage) and request.tool_call["name"] not in TOOLS


def _call(request: ToolCallRequest) -> dict[str, Any]:
    return {"tool": request.tool_call["name"], "arguments": request.tool_call["args"]}


def _shorter(answer: ToolMessage, compaction: Compaction | None) -> ToolMessage:
    return answer if compaction is None else answer.model_copy(update={"content": value_of(answer.content, compaction)})
