"""Pydantic-AI: ``Agent(model, tools=…, capabilities=[Compacting()])``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext, ToolDefinition
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import BinaryContent, ToolCallPart, ToolReturn
from pydantic_ai.toolsets import FunctionToolset

from mcpcompact.integrations.base import Interceptor, text_of
from mcpcompact.integrations.reading import TOOLS


class Compacting(AbstractCapability[Any]):
    """Shortens what tools answer, and gives the agent the tools to read the rest. Options: those of ``Interceptor``."""

    def __init__(self, **options: Any) -> None:
        self.compactor = Interceptor(**options)

    def get_toolset(self) -> FunctionToolset[Any]:
        tools: FunctionToolset[Any] = FunctionToolset()
        for function, name, description in self.compactor.tools:
            tools.add_function(function, name=name, description=description)
        return tools

    async def after_tool_execute(
        self, ctx: RunContext[Any], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any], result: Any
    ) -> Any:
        value = result.return_value if isinstance(result, ToolReturn) else result
        parts = value if isinstance(value, list) else [value]
        if call.tool_name in TOOLS or any(isinstance(part, BinaryContent) for part in parts):
            return result
        outcome = await self.compactor.acompact(value, tool=call.tool_name, arguments=args)
        if outcome is None:
            return result
        return replace(result, return_value=text_of(outcome)) if isinstance(result, ToolReturn) else text_of(outcome)
