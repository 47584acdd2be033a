"""OpenAI Agents: a guardrail on the output of function tools, and the tools that read the rest.

guardrail, readers = compacting()
search = function_tool(search, tool_output_guardrails=[guardrail])
agent = Agent(name="a", tools=[search, *readers])
"""

from __future__ import annotations

from typing import Any

from agents import (
    FunctionTool,
    ToolGuardrailFunctionOutput,
    ToolOutputGuardrail,
    ToolOutputGuardrailData,
    function_tool,
)

from mcpcompact.integrations.base import Interceptor, arguments_of, text_of


def compacting(**options: Any) -> tuple[ToolOutputGuardrail[Any], list[FunctionTool]]:
    """The guardrail and the reading tools. ``options``: those of ``Interceptor``."""
    compactor = Interceptor(**options)

    async def shorten(data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
        call = data.context
        arguments = arguments_of(call.tool_arguments)
        made = await compactor.acompact(data.output, tool=call.tool_name, arguments=arguments)
        if made is None or (made.envelope is not None and made.envelope.others):  # pictures would be lost
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(text_of(made))

    tools = compactor.tools
    readers = [function_tool(run, name_override=name, description_override=what) for run, name, what in tools]
    return ToolOutputGuardrail(guardrail_function=shorten, name="mcpcompact"), readers
