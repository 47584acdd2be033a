"""Sessions of agents that work in a Jupyter notebook (SUPER): a code cell is a call, its outputs are the result.
Outputs stay as the model saw them, with colours, progress bars and tracebacks."""

from __future__ import annotations

from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder, Call, Document, Lines, Place, mapped, objects, stated

EXECUTE = "execute"
ACTION = regex(r"\s*\*\*Action \((\w{1,40})\)\*\*:?")
TASK = regex(r"\s*#+ (?:Query|Task)\b")
PROMPT = regex(r"\s*#+ Prompt\b")
NOTES = regex(r"\s*(?:#+ Step \d+|Execution Start time:)")


class Format(Lines):
    keys = frozenset({"cells"})
    quiet = "note on a step"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(isinstance(root.get("cells"), list) and ("nbformat" in root or "metadata" in root))

    def record(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        tool = EXECUTE
        for where, cell in build.each(at, line, "cells"):
            source, places = _text(cell.get("source"), where.under("source"))
            if cell.get("cell_type") == "code":
                _result(build, cell, where, build.call("", tool, {"code": source}))
                tool = EXECUTE
            elif PROMPT.match(source):
                build.say("system", source, places=places)
            elif TASK.match(source) or not build.messages:
                build.say("user", source, places=places)
            elif NOTES.match(source):
                build.skip("note on a step")
            else:
                if action := ACTION.match(source):
                    tool, source = action[1] if action[1] != "None" else EXECUTE, source[action.end() :].strip()
                last = build.speaking  # several cells are one message
                if source:
                    (last if last and not last.calls else build.say("assistant")).add(source)


def _result(build: Builder, cell: dict[str, Any], at: Place, call: Call) -> None:
    parts, places, images, failed = list[str](), list[Place](), 0, False
    for where, output in objects(at, cell, "outputs"):
        data = mapped(output.get("data"))
        if output.get("output_type") == "error" or "traceback" in output:
            failed, path = True, "traceback"
            value = output.get("traceback", f"{output.get('ename') or ''}: {output.get('evalue') or ''}")
            if isinstance(value, list):  # its lines, or entries without an end of line
                value = [f"{line}\n" if isinstance(line, str) and not line.endswith("\n") else line for line in value]
        elif "text" in output:
            path, value = "text", output["text"]
        else:
            path, value = "data text/plain", data.get("text/plain")
        text, spots = _text(value, where.under(*path.split()))
        parts.append(text)
        places += spots if text else []
        images += sum(kind.startswith("image/") for kind in data)
    build.result("", "".join(parts), places=places, failed=failed, images=images, call=call)


def _text(value: Any, at: Place) -> tuple[str, list[Place]]:
    """A notebook's text, a string or a list of them, and where that stands."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str)), [at]
    return stated(value), [at] if isinstance(value, str) else []
