"""Sessions of the Gemini CLI: one JSON document, or (newer) a JSON line a message after one of metadata. A call and its
result stand in the same object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.gemini_api import answer_of
from mcpcompact.transcripts.model import Call, Place, Transcript, Usage


class GeminiCli:
    name = "gemini_cli"

    def sniff(self, document: Document) -> float:
        root = document.root
        if not isinstance(root, dict):
            return 0.0
        if "projectHash" in root and ("sessionId" in root or "messages" in root):
            return 1.0
        messages = root.get("messages")
        spoken = [m for m in (messages if isinstance(messages, list) else document.first) if isinstance(m, dict)]
        return 0.9 * any(m.get("type") == "gemini" and "content" in m for m in spoken)

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        seen: set[str] = set()
        for number, line in document.lines() if document.is_lines else iter([(0, document.value())]):
            if not isinstance(line, dict):
                build.skip(type(line).__name__)
                continue
            messages = line.get("messages")
            pairs = [(line, Place(number, ()))]
            if isinstance(messages, list):
                pairs = [(message, Place(number, ("messages", index))) for index, message in enumerate(messages)]
            for message, at in pairs:
                id = message.get("id") if isinstance(message, dict) else None
                if isinstance(id, str) and id != "REDACTED" and document.is_lines:
                    if id in seen:  # lines are appended when a message grows: the first one stands
                        build.skip("message again")
                        continue
                    seen.add(id)
                self._message(build, message, at)
        yield build.transcript

    def _message(self, build: Builder, message: Any, at: Place) -> None:
        kind = message.get("type") if isinstance(message, dict) else type(message).__name__
        if kind == "user":
            build.say("user", text_of(message.get("content"))[0])
        elif kind == "gemini":
            build.say("assistant", text_of(message.get("content"))[0], usage=_usage(message.get("tokens")))
            build.transcript.model = str(message.get("model") or build.transcript.model)
            calls = message.get("toolCalls")
            made: list[tuple[Call, dict[str, Any], Place]] = []
            for index, call in enumerate(calls if isinstance(calls, list) else ()):
                if isinstance(call, dict):
                    called = build.call(call.get("id"), call.get("name"), call.get("args"))
                    made.append((called, call, at.under("toolCalls", index, "result")))
            for called, call, where in made:
                self._result(build, called, call, where)
        else:
            build.skip(kind)

    def _result(self, build: Builder, called: Call, call: dict[str, Any], at: Place) -> None:
        result = call.get("result")
        if result is None or result == []:
            return  # cancelled before it ran
        texts: list[str] = []
        places: list[Place] = []
        others, whole, failed = 0, True, call.get("status") == "error"
        for index, part in enumerate(result if isinstance(result, list) else [result]):
            where = at.under(index) if isinstance(result, list) else at
            answer = part.get("functionResponse") if isinstance(part, dict) else None
            if isinstance(answer, dict):
                text, found, wrong = answer_of(answer.get("response"), where.under("functionResponse", "response"))
                failed = failed or wrong
            else:
                text, found, images = text_of(part, where)
                others += images
                if images:
                    continue
            texts.append(text)
            places += found
            whole = whole and (bool(found) or not text)
        build.result(
            called.id, "\n".join(texts), places=places if whole else [], is_error=failed, images=others, call=called
        )


def _usage(tokens: Any) -> Usage | None:
    """``input`` includes what came from the cache; thoughts are output."""
    if not isinstance(tokens, dict):
        return None
    names = ("input", "cached", "tool", "output", "thoughts")
    prompt, cached, tool, output, thoughts = (as_count(tokens.get(name)) for name in names)
    return Usage(max(0, prompt + tool - cached), cached, 0, output + thoughts)


FORMAT = GeminiCli()
