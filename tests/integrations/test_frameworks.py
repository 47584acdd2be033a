"""Each framework's middleware in a loop of its own framework, with a scripted model: what the model is sent next holds
the shorter text, and it can read the rest."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpcompact import acompact
from mcpcompact.integrations.base import Interceptor
from mcpcompact.integrations.reading import get, grep

LONG = "".join(f"2026-01-01 00:00:{i % 60:02d} INFO unit step {i} ok\n" for i in range(900))
LONG += "2026-01-01 00:10:00 ERROR disk full on /dev/sda1\n"
NOTICE = re.compile(r"mcpcompact_get ([0-9a-f]{8})")


def build(target: str) -> str:
    """Build something."""
    return f"building {target}\n{LONG}"


def short(target: str) -> str:
    """Say something short."""
    return f"{target}: ok"


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return {"store": str(tmp_path / "results")}


def check(shown: str) -> str:
    """The id that a shortened result names."""
    assert len(shown) < len(LONG) // 4 and "disk full" in shown
    found = NOTICE.search(shown)
    assert found is not None, shown[:300]
    return found[1]


def script(results: list[str]) -> tuple[str, dict[str, Any]] | None:
    """What the scripted model calls next, from the results it has seen: build, short, then the rest of the first."""
    if len(results) < 2:
        return (("build", {"target": "all"}), ("short", {"target": "x"}))[len(results)]
    if len(results) == 2:
        return "mcpcompact_get", {"id": check(results[0]), "select": "--lines 500:501"}
    if len(results) == 3:
        return "mcpcompact_grep", {"id": check(results[0]), "term": "disk full"}
    return None


def verify(results: list[str]) -> None:
    assert len(results) == 4
    check(results[0])
    assert results[1] == "x: ok"
    assert "unit step 498 ok" in results[2] and "unit step 499 ok" in results[2] and "step 500 " not in results[2]
    assert "disk full on /dev/sda1" in results[3]


@pytest.mark.parametrize("way", ["sync", "async"])
def test_langchain(options: dict[str, Any], way: str) -> None:
    pytest.importorskip("langchain.agents.middleware")
    from langchain.agents import create_agent
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from pydantic import Field

    from mcpcompact.integrations.langchain import CompactMiddleware

    class Scripted(BaseChatModel):
        seen: list[str] = Field(default_factory=list)

        @property
        def _llm_type(self) -> str:
            return "scripted"

        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

        def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
            self.seen[:] = [str(m.content) for m in messages if isinstance(m, ToolMessage)]
            turn = script(self.seen)
            calls = [{"name": turn[0], "args": turn[1], "id": f"c{len(self.seen)}"}] if turn else []
            return ChatResult(generations=[ChatGeneration(message=AIMessage(content="", tool_calls=calls))])

    model = Scripted()
    agent = create_agent(model, [build, short], middleware=[CompactMiddleware(**options)])
    asked: Any = {"messages": [{"role": "user", "content": "go"}]}
    if way == "sync":
        agent.invoke(asked)
    else:
        asyncio.run(agent.ainvoke(asked))
    verify(model.seen)


def test_openai_agents(options: dict[str, Any]) -> None:
    agents = pytest.importorskip("agents")
    from agents.items import ModelResponse
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    from mcpcompact.integrations.openai_agents import compacting

    seen: list[str] = []

    class Scripted(agents.Model):  # type: ignore[name-defined, misc]
        async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> Any:
            items = input if isinstance(input, list) else []
            seen[:] = [str(one["output"]) for one in items if one.get("type") == "function_call_output"]
            turn = script(seen)
            item: Any = ResponseOutputMessage(
                id="m", role="assistant", status="completed", type="message",
                content=[ResponseOutputText(text="done", type="output_text", annotations=[])],
            )  # fmt: skip
            if turn:
                item = ResponseFunctionToolCall(
                    call_id=f"c{len(seen)}", name=turn[0], arguments=json.dumps(turn[1]), type="function_call"
                )
            return ModelResponse(output=[item], usage=agents.Usage(), response_id=None)

        def stream_response(self, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError

    guardrail, readers = compacting(**options)
    tools = [agents.function_tool(one, tool_output_guardrails=[guardrail]) for one in (build, short)]
    agent = agents.Agent(name="a", model=Scripted(), tools=[*tools, *readers])
    agents.set_tracing_disabled(True)
    asyncio.run(agents.Runner.run(agent, "go"))
    verify(seen)


def test_pydantic_ai(options: dict[str, Any]) -> None:
    pytest.importorskip("pydantic_ai.capabilities")
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    from mcpcompact.integrations.pydantic_ai import Compacting

    seen: list[str] = []

    def model(messages: Any, info: Any) -> ModelResponse:
        parts = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
        seen[:] = [str(part.content) for part in parts]
        turn = script(seen)
        return ModelResponse(parts=[ToolCallPart(*turn) if turn else TextPart("done")])

    agent: Any = Agent(FunctionModel(model), tools=[build, short], capabilities=[Compacting(**options)])
    agent.run_sync("go")
    verify(seen)


def test_fastmcp(options: dict[str, Any]) -> None:
    fastmcp = pytest.importorskip("fastmcp", minversion="4")
    from mcp.types import ImageContent, TextContent

    from mcpcompact.integrations.fastmcp import compacting

    server = fastmcp.FastMCP("ci")
    server.tool(build)
    server.tool(short)

    @server.tool
    def rows() -> dict[str, Any]:
        """Structured content."""
        return {"rows": [{"id": i, "state": "ok" if i != 77 else "disk full", "at": f"10.0.0.{i}"} for i in range(400)]}

    @server.tool
    def shot() -> list[Any]:
        """A picture beside a text."""
        return [TextContent(type="text", text=LONG), ImageContent(type="image", data="AAAA", mime_type="image/png")]

    compacting(server, **options)

    async def talk() -> None:
        async with fastmcp.Client(server) as client:
            tools = {tool.name: tool for tool in await client.list_tools()}
            assert {"build", "mcpcompact_get", "mcpcompact_grep"} <= tools.keys()
            assert all(not tool.output_schema for tool in tools.values())
            seen: list[str] = []
            while turn := script(seen):
                seen.append((await client.call_tool(*turn)).content[0].text)
            verify(seen)
            many = await client.call_tool("rows", {})
            assert many.structured_content is None and "disk full" in many.content[0].text
            picture = await client.call_tool("shot", {})
            assert [block.type for block in picture.content] == ["text", "image"]
            check(picture.content[0].text)

    asyncio.run(talk())


def test_acompact_leaves_the_loop_free() -> None:
    async def main() -> tuple[int, Any]:
        turns, work = 0, asyncio.create_task(acompact(LONG * 3, tool="build"))
        while not work.done():
            await asyncio.sleep(0)
            turns += 1
        return turns, await work

    turns, made = asyncio.run(main())
    assert made.method == "outline" and made.tokens <= 1_000
    assert turns > 20


def test_many_at_once_swap_nothing(options: dict[str, Any]) -> None:
    compactor = Interceptor(**options)

    async def one(number: int) -> None:
        made = await compactor.acompact(f"{LONG}2026-01-01 ERROR host-{number} is down\n", tool="build")
        assert made is not None and f"host-{number} " in made.text

    async def all() -> None:
        await asyncio.gather(*map(one, range(8)))

    asyncio.run(all())


@pytest.fixture
def stored(options: dict[str, Any]) -> Iterator[Callable[[str], tuple[Any, str]]]:
    compactor = Interceptor(**options)

    def put(text: str) -> tuple[Any, str]:
        made = compactor.compact(text, tool="build")
        assert made is not None and made.reference is not None
        return compactor.store, made.reference.id

    yield put


@pytest.mark.parametrize("text", [LONG, "x" * 50 + "é" * 4_000 + LONG.replace("\n", " ")])
def test_all_of_a_result_is_read_back_byte_for_byte(stored: Any, text: str) -> None:
    store, id = stored(text)
    select, pages = "--bytes 0:" if "\n" not in text[:-1] else "", []
    for _ in range(100):
        page = get(store, id, select)
        assert not page.failed
        pages.append(page.text)
        if "more: " not in page.note:
            break
        select = page.note.split("more: ")[1].split(" · ")[0].split(id, 1)[1].strip()
    assert "".join(pages) == text


def test_wrong_reads_say_what_is_wrong(stored: Any) -> None:
    store, id = stored(LONG)
    for wrong, told in (
        ("--lines", "no value"),
        ("--lines x", "cannot be read"),
        ("--color red", "unknown selector"),
        ("--grep 'a", "quotation"),
    ):
        page = get(store, id, wrong)
        assert page.failed and told in page.note
    assert get(store, "ffffffff").failed
    assert "none of" in grep(store, id, "no such words").note
    assert "disk full" in grep(store, id, "DISK full").text
