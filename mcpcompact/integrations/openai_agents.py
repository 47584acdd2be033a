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
        outcome = await compactor.acompact(data.output, tool=call.tool_name, arguments=arguments)
        if outcome is None or (outcome.envelope is not None and outcome.envelope.others):  # pictures would be lost
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(text_of(outcome))

    tools = compactor.tools
    readers = [function_tool(run, name_override=name, description_override=what) for run, name, what in tools]
    return ToolOutputGuardrail(guardrail_function=shorten, name="mcpcompact"), readers
