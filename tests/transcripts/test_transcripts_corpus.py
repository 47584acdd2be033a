"""Every recording of the corpus: read, paired, and counted a second time by plain walks over its JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import corpus
from walks_b import WALKS

from mcpcompact.transcripts import Transcript, read_transcripts

ROOT = corpus()
FOLDER = ROOT / "transcripts" if ROOT else Path("none")

pytestmark = pytest.mark.skipif(ROOT is None, reason="no corpus")


class Counts(NamedTuple):
    transcripts: int
    calls: int
    results: int
    pairs: int  # results whose call is known


def objects(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").split("\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def blocks(content: Any, *kinds: str) -> list[dict[str, Any]]:
    listed = content if isinstance(content, list) else []
    return [block for block in listed if isinstance(block, dict) and block.get("type") in kinds]


def paired(calls: list[str], results: list[str]) -> Counts:
    return Counts(1, len(calls), len(results), sum(1 for id in results if id in set(calls)))


def claude_code(path: Path) -> Counts:
    calls, results = [], []
    for line in objects(path):
        content = (line.get("message") or {}).get("content") if isinstance(line.get("message"), dict) else None
        if line.get("type") == "assistant":
            calls += [block["id"] for block in blocks(content, "tool_use")]
        if line.get("type") == "user":
            results += [block["tool_use_id"] for block in blocks(content, "tool_result")]
    return paired(calls, results)


def codex_rollout(path: Path) -> Counts:
    items = [line["payload"] for line in objects(path) if line.get("type") == "response_item"]
    calls = [item.get("call_id", "") for item in items if item["type"].endswith("_call")]
    results = [item["call_id"] for item in items if item["type"].endswith("_output")]
    return paired(calls, results)


def copilot_cli(path: Path) -> Counts:
    calls, results = [], []
    for line in objects(path):
        calls += [request["toolCallId"] for request in line["data"].get("toolRequests") or []]
        if line["type"] == "tool.execution_complete":
            results.append(line["data"]["toolCallId"])
    return paired(calls, results)


def gemini_cli(path: Path) -> Counts:
    made = [call for message in json.loads(path.read_bytes())["messages"] for call in message.get("toolCalls") or []]
    answered = sum(bool(call.get("result")) for call in made)
    return Counts(1, len(made), answered, answered)


def pi_session(path: Path) -> Counts:
    messages = [line["message"] for line in objects(path) if line["type"] == "message"]
    calls = [block["id"] for m in messages if m["role"] == "assistant" for block in blocks(m["content"], "toolCall")]
    return paired(calls, [m["toolCallId"] for m in messages if m["role"] == "toolResult"])


def streamed(response: Any) -> list[dict[str, Any]]:
    """The objects of a streamed response, or the response itself."""
    if isinstance(response, dict):
        return [response]
    found = [json.loads(line[5:]) for line in str(response).split("\n") if line.startswith("data:")]
    return [event for event in found if isinstance(event, dict)]


def anthropic_messages(path: Path) -> Counts:
    """All ids that occur in requests and responses: histories repeat them, so each counts once. A conversation begins
    with a request that is no longer than the one before it."""
    calls: set[str] = set()
    results: set[str] = set()
    starts, before = 0, 10**9
    for line in objects(path):
        request = line.get("request")
        if "anthropic.com/v1/messages" not in line["uri"] or not isinstance(request, dict):
            continue
        starts += len(request["messages"]) <= before
        before = len(request["messages"])
        contents = [message["content"] for message in request["messages"]]
        for event in streamed(line["response"]):
            contents += [event.get("content"), [event.get("content_block")]]
        for content in contents:
            calls |= {block["id"] for block in blocks(content, "tool_use", "server_tool_use", "mcp_tool_use")}
            for block in content if isinstance(content, list) else []:
                if isinstance(block, dict) and str(block.get("type")).endswith("tool_result"):
                    results.add(block["tool_use_id"])
    return Counts(starts, len(calls), len(results), len(results & calls))


def gemini_api(path: Path) -> Counts:
    """Of the request with most contents, and the response to it. There is one conversation in each file."""
    largest, answer = [], None
    for line in objects(path):
        request = line.get("request")
        if isinstance(request, dict) and len(request.get("contents") or []) > len(largest):
            largest, answer = request["contents"], line["response"]
    parts = [part for content in largest for part in content["parts"]]
    for event in streamed(answer):
        parts += [part for c in event.get("candidates") or [] for part in (c.get("content") or {}).get("parts") or []]
    calls = sum("functionCall" in part or "function_call" in part for part in parts)
    results = sum("functionResponse" in part or "function_response" in part for part in parts)
    return Counts(1, calls, results, results)


COUNTERS: dict[str, Callable[[Path], Counts]] = {
    "claude_code": claude_code,
    "codex_rollout": codex_rollout,
    "copilot_cli": copilot_cli,
    "gemini_cli": gemini_cli,
    "pi_session": pi_session,
    "anthropic_messages": anthropic_messages,
    "gemini_api": gemini_api,
} | {name: lambda path, walk=walk: Counts(*walk(path)) for name, walk in WALKS.items()}


def files(kind: str) -> list[Path]:
    return sorted((FOLDER / kind).iterdir()) if (FOLDER / kind).is_dir() else []


def counted(found: list[Transcript]) -> Counts:
    results = [result for transcript in found for result in transcript.results]
    calls = sum(len(transcript.calls) for transcript in found)
    return Counts(len(found), calls, len(results), sum(result.call is not None for result in results))


def one_of(found: list[Transcript], kind: str) -> list[Transcript]:
    """The transcripts of that format: one dump may hold exchanges with several providers."""
    return [transcript for transcript in found if transcript.format == kind]


@pytest.mark.parametrize("kind", COUNTERS)
def test_the_counts_are_those_of_a_plain_walk(kind: str) -> None:
    for path in files(kind):
        assert counted(one_of(read_transcripts(str(path)), kind)) == COUNTERS[kind](path), path.name


def test_everything_reads_and_is_paired() -> None:
    totals: Counter[str] = Counter()
    for kind in sorted(FOLDER.iterdir()):
        for path in sorted(kind.iterdir()):
            found = read_transcripts(str(path))
            _, calls, results, pairs = counted(found)
            totals.update(results=results, pairs=pairs, calls=calls)
            totals["answered"] += calls - sum(transcript.omissions.calls_without_result for transcript in found)
    assert totals["pairs"] >= 0.995 * totals["results"]
    assert totals["answered"] >= 0.98 * totals["calls"], "calls of interrupted runs have no result"


@pytest.mark.parametrize("kind", COUNTERS)
def test_the_format_is_the_folder_s(kind: str) -> None:
    others = [path.name for path in files(kind) if not one_of(read_transcripts(str(path)), kind)]
    assert not others
