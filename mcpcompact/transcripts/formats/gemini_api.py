"""The Gemini API (also as Vertex AI, which may spell keys in snake case): dumps of exchanges, or a single request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder, as_count
from mcpcompact.transcripts.document import Document, parse
from mcpcompact.transcripts.model import Place, Result, Transcript, Usage

FILES = {"inlineData", "inline_data", "fileData", "file_data"}

ANSWERS = ("output", "result", "error", "content", "return_value")
"""Keys of a function's response under which its text usually stands."""


class Gemini:
    """Both the API's dialect in a dump and the format of a file that holds one request or its contents."""

    name = "gemini_api"

    def sniff(self, document: Document) -> float:
        if claim := exchanges.sniff(document, self.name):
            return claim
        root = document.root
        if isinstance(root, list):
            return 0.9 * _typical(root)
        return 0.9 * (isinstance(root, dict) and _typical(root.get("contents")))

    def read(self, document: Document) -> Iterator[Transcript]:
        if exchanges.sniff(document, self.name) or not self.sniff(document):
            yield from exchanges.conversations(document)
            return
        lines = document.lines() if document.is_lines else iter([(0, document.value())])
        several = document.is_lines
        for number, line in lines:
            body, at = (line, Place(number, ())) if isinstance(line, dict) else ({"contents": line}, None)
            build = Builder(self.name, document.path, str(number + 1) if several else "")
            self.request(build, body, at, bare=Place(number, ()))
            yield build.transcript

    # the dialect

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        return isinstance(request.get("contents"), list) and "countTokens" not in uri

    def request(self, build: Builder, request: dict[str, Any], at: Place | None, bare: Place | None = None) -> None:
        build.transcript.model = str(request.get("model") or build.transcript.model)
        system = _get(request, "systemInstruction")
        if isinstance(system, dict):
            build.say("system", _texts(system.get("parts")))
        elif isinstance(system, str):
            build.say("system", system)
        contents = request.get("contents")
        where = at.under("contents") if at else bare
        for index, content in enumerate(contents if isinstance(contents, list) else [contents]):
            if isinstance(content, dict):
                say(build, content, where.under(index) if where else None)
            elif isinstance(content, str):
                build.say("user", content)
            else:
                build.skip(type(content).__name__)

    def body(self, response: Any) -> dict[str, Any]:
        if isinstance(response, str):
            return _assembled(list(exchanges.events(response)) or _listed(response))
        if isinstance(response, list):
            return _assembled([part for part in response if isinstance(part, dict)])
        return response if isinstance(response, dict) and _content(response) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place | None) -> None:
        build.transcript.model = str(_get(body, "modelVersion") or build.transcript.model)
        say(build, _content(body) | {"role": "model"}, at.under("candidates", 0, "content") if at else None)

    def usage(self, body: dict[str, Any]) -> Usage | None:
        counted = _get(body, "usageMetadata")
        if not isinstance(counted, dict):
            return None
        names = ("prompt", "cachedContent", "toolUsePrompt", "candidates", "thoughts")
        prompt, cached, tools, spoken, thought = (as_count(_get(counted, f"{name}TokenCount")) for name in names)
        return Usage(max(0, prompt + tools - cached), cached, 0, spoken + thought)


def say(build: Builder, content: dict[str, Any], at: Place | None) -> None:
    """One content: of the model with its calls (code that the provider runs answers within it), or of the user with
    the functions' results."""
    build.here = at
    parts = content.get("parts")
    parts = parts if isinstance(parts, list) else []
    if content.get("role") == "model":
        said = build.say("assistant")
        for index, part in enumerate(part if isinstance(part, dict) else {} for part in parts):
            call, code = _get(part, "functionCall"), _get(part, "executableCode")
            answer, text = _get(part, "codeExecutionResult"), part.get("text")
            if isinstance(answer, dict):
                output = answer.get("output")
                places = [at.under("parts", index, _key(part, "codeExecutionResult"), "output")] if at else []
                failed = str(answer.get("outcome") or "OUTCOME_OK") != "OUTCOME_OK"
                whole = output if isinstance(output, str) else ""
                build.result(answer.get("id"), whole, places=places if whole else [], is_error=failed)
                continue
            if not isinstance(text, str) or part.get("thought") is True:
                text = ""
            if not text and not isinstance(call, dict) and not isinstance(code, dict):
                continue
            if build.messages[-1] is not said:
                said = build.say("assistant", continues=True)
            if isinstance(call, dict):
                build.call(call.get("id"), call.get("name"), call.get("args"))
            elif isinstance(code, dict):
                build.call(code.get("id"), "code_execution", {"code": code.get("code")})
            else:
                said.text += text
        return
    spoken: list[Any] = []
    results: list[Result] = []
    for index, part in enumerate(parts):
        answer = _get(part, "functionResponse") if isinstance(part, dict) else None
        if isinstance(answer, dict):
            where = at.under("parts", index, _key(part, "functionResponse")) if at else None
            text, places, failed = answer_of(answer.get("response"), where.under("response") if where else None)
            images = len(answer["parts"]) if isinstance(answer.get("parts"), list) else 0
            tool = str(answer.get("name") or "")
            results.append(
                build.result(answer.get("id"), text, places=places, tool=tool, is_error=failed, images=images)
            )
        elif results and isinstance(part, dict) and not FILES.isdisjoint(part):
            results[-1].images += 1  # files of a function stand beside its response
        else:
            spoken.append(part)
    if spoken or not parts:
        build.say("system" if content.get("role") == "system" else "user", _texts(spoken))


def answer_of(response: Any, at: Place | None) -> tuple[str, list[Place], bool]:
    """Text, places and failure of a function's response: its one text, else all of it as JSON."""
    failed = isinstance(response, dict) and bool(response.get("error"))
    if isinstance(response, str):
        return response, [at] if at else [], False
    if isinstance(response, dict):
        for name in ANSWERS:
            if isinstance(response.get(name), str) and len(response) == 1:
                return response[name], [at.under(name)] if at else [], failed
    if response in (None, {}):
        return "", [], False
    import json

    return json.dumps(response, ensure_ascii=False), [], failed


def _get(value: dict[str, Any], name: str) -> Any:
    return value.get(_key(value, name))


def _key(value: dict[str, Any], name: str) -> str:
    if name in value:
        return name
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _texts(parts: Any) -> str:
    listed = parts if isinstance(parts, list) else ()
    texts = [part.get("text") if isinstance(part, dict) else part for part in listed]
    return "\n".join(text for text in texts if isinstance(text, str))


def _content(body: dict[str, Any]) -> dict[str, Any]:
    candidates = body.get("candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    content = first.get("content") if isinstance(first, dict) else None
    return content if isinstance(content, dict) else {}


def _assembled(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """The response that a stream's chunks build up; the last usage is the whole one."""
    body: dict[str, Any] = {}
    parts: list[Any] = []
    for chunk in chunks:
        body |= chunk
        found = _content(chunk).get("parts")
        parts += found if isinstance(found, list) else []
    return body | {"candidates": [{"content": {"role": "model", "parts": parts}}]} if parts else {}


def _listed(text: str) -> list[dict[str, Any]]:
    value = parse(text)
    return [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)]


def _typical(contents: Any) -> bool:
    return (
        isinstance(contents, list)
        and bool(contents)
        and all(isinstance(c, dict) and isinstance(c.get("parts"), list) for c in contents)
        and any(c.get("role") in ("user", "model", None) and c["parts"] for c in contents)
        and not any(isinstance(p, dict) and "type" in p for c in contents for p in c["parts"])
    )


FORMAT = DIALECT = Gemini()
