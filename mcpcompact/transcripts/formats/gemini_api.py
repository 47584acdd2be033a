"""The Gemini API (also as Vertex AI, which may spell keys in snake case): dumps of exchanges, or a single request."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts import blocks, exchanges
from mcpcompact.transcripts.blocks import ROLES, told
from mcpcompact.transcripts.builder import Builder, Document, Reader, as_count, listed, mapped, parse, stated, text_of
from mcpcompact.transcripts.model import Place, Usage


class Format(exchanges.Dump):
    """Both the API's dialect in a dump and the format of a file that holds one request or its contents."""

    keys = frozenset({"request", "contents", "parts"})
    bare = Reader.read

    def sniff(self, document: Document) -> float:
        root = document.root
        contents = root if isinstance(root, list) else mapped(root).get("contents")
        return super().sniff(document) or 0.9 * _typical(listed(contents))

    def session(self, build: Builder, value: Any, at: Place) -> None:
        self.request(build, value if isinstance(value, dict) else {"contents": value}, at, bare=not mapped(value))

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        return isinstance(request.get("contents"), list) and "countTokens" not in uri

    def request(self, build: Builder, request: dict[str, Any], at: Place, bare: bool = False) -> None:
        build.model(request.get("model"))
        system = _get(request, "systemInstruction")
        if system is not None:
            build.say("system", text_of(system if isinstance(system, str) else mapped(system).get("parts"))[0])
        contents, where = request.get("contents"), at if bare else at.under("contents")
        for index, content in enumerate(contents if isinstance(contents, list) else [contents]):
            if isinstance(content, dict):
                say(build, content, where.under(index))
            elif isinstance(content, str):
                build.say("user", content)
            else:
                build.skip(type(content).__name__)

    def body(self, response: Any) -> dict[str, Any]:
        if isinstance(response, str):
            value = list(exchanges.events(response)) or parse(response)
            response = value if isinstance(value, list) else [value]
        if isinstance(response, list):
            return _assembled([part for part in response if isinstance(part, dict)])
        return response if _content(response) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        build.model(_get(body, "modelVersion"))
        say(build, _content(body) | {"role": "model"}, at.under("candidates", 0, "content"))

    def usage(self, body: dict[str, Any]) -> Usage | None:
        used = _get(body, "usageMetadata")
        names = ("prompt", "cachedContent", "toolUsePrompt", "candidates", "thoughts")
        prompt, cached, tools, spoken, thought = (as_count(_get(mapped(used), f"{name}TokenCount")) for name in names)
        usage = Usage(max(0, prompt + tools - cached), cached, 0, spoken + thought)
        return usage if isinstance(used, dict) else None


def say(build: Builder, content: dict[str, Any], at: Place) -> None:
    """One content: of the model with its calls (code that the provider runs answers within it), or of the user with
    the functions' results."""
    build.here = at
    blocks.say(build, told(content if stated(content.get("role")) in ROLES else content | {"role": "user"}, at))


def _get(value: dict[str, Any], name: str) -> Any:
    if name not in value:
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return value.get(name)


def _content(body: Any) -> dict[str, Any]:
    candidates = listed(mapped(body).get("candidates"))
    return mapped(mapped(candidates[0]).get("content")) if candidates else {}


def _assembled(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """The response that a stream's chunks build up; the last usage is the whole one."""
    body: dict[str, Any] = {}
    parts: list[Any] = []
    for chunk in chunks:
        body |= chunk
        parts += listed(_content(chunk).get("parts"))
    return body | {"candidates": [{"content": {"role": "model", "parts": parts}}]} if parts else {}


def _typical(contents: list[Any]) -> bool:
    return (
        all(isinstance(mapped(content).get("parts"), list) for content in contents)
        and any(content.get("role") in ("user", "model", None) and content["parts"] for content in contents)
        and not any("type" in mapped(part) for content in contents for part in content["parts"])
    )
