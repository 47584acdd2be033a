"""Sessions of agents that work in a Jupyter notebook (SUPER): a code cell is a call, its outputs are the result.

Outputs stay as the model saw them, with colours, progress bars and tracebacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript

EXECUTE = "execute"
ACTION = regex(r"\s*\*\*Action \((\w{1,40})\)\*\*:?")
TASK = regex(r"\s*#+ (?:Query|Task)\b")
PROMPT = regex(r"\s*#+ Prompt\b")
NOTES = regex(r"\s*(?:#+ Step \d+|Execution Start time:)")


class JupyterTrajectory:
    name = "jupyter_trajectory"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(isinstance(root.get("cells"), list) and ("nbformat" in root or "metadata" in root))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        tool = EXECUTE
        for index, cell in enumerate(listed(mapped(document.value()).get("cells"))):
            cell = mapped(cell)
            at = Place(0, ("cells", index))
            source, where = _text(cell.get("source"), at.under("source"))
            if cell.get("cell_type") == "code":
                if not build.messages or build.messages[-1].role != "assistant":
                    build.say("assistant")
                made = build.call("", tool, {"code": source})
                _result(build, cell, at, made)
                tool = EXECUTE
            elif PROMPT.match(source):
                build.say("system", source, places=where)
            elif TASK.match(source) or not build.messages:
                build.say("user", source, places=where)
            elif NOTES.match(source):
                build.skip("note on a step")
            elif action := ACTION.match(source):
                tool = action[1] if action[1] != "None" else EXECUTE
                _said(build, source[action.end() :].strip())
            else:
                _said(build, source)
        yield build.transcript


def _said(build: Builder, text: str) -> None:
    """What the model says before an action; several cells are one message."""
    last = build.messages[-1] if build.messages else None
    if last is None or last.role != "assistant" or last.calls:
        if text:
            build.say("assistant", text)
    elif text:
        last.text = f"{last.text}\n{text}" if last.text else text


def _result(build: Builder, cell: dict[str, Any], at: Place, made: Any) -> None:
    parts: list[str] = []
    places: list[Place] = []
    images = 0
    failed = False
    for index, output in enumerate(listed(cell.get("outputs"))):
        output, where = mapped(output), at.under("outputs", index)
        data = mapped(output.get("data"))
        if output.get("output_type") == "error" or "traceback" in output:
            failed = True
            key: tuple[str, ...] = ("traceback",)
            value = output.get("traceback", f"{output.get('ename') or ''}: {output.get('evalue') or ''}")
            if isinstance(value, list):  # its lines, or entries without an end of line
                value = [f"{line}\n" if isinstance(line, str) and not line.endswith("\n") else line for line in value]
        elif "text" in output:
            key, value = ("text",), output["text"]
        else:
            key, value = ("data", "text/plain"), data.get("text/plain")
        text, found = _text(value, where.under(*key))
        if text:
            parts.append(text)
            places += found
        images += sum(kind.startswith("image/") for kind in data)
    build.result("", "".join(parts), places=places, is_error=failed, images=images, call=made)


def _text(value: Any, at: Place) -> tuple[str, list[Place]]:
    """A notebook's text, a string or a list of them, and where its strings stand."""
    if isinstance(value, list):
        strings = [(line, at.under(index)) for index, line in enumerate(value) if isinstance(line, str)]
        return "".join(line for line, _ in strings), [place for _, place in strings]
    return stated(value), [at] if isinstance(value, str) else []


FORMAT = JupyterTrajectory()
