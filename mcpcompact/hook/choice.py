"""Which results are left alone unless the configuration names them: what is read of files is edited later, word by
word, and a marker in it would be written back; what a memory gives, the agent wrote itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcompact.patterns import regex

if TYPE_CHECKING:
    from mcpcompact.hook.event import Event
    from mcpcompact.settings import Settings

SHELLS = {"bash", "shell", "powershell", "exec_command", "local_shell", "run_shell_command"}
EDITS = {"edit", "multiedit", "write", "replace", "patch", "notebook", "todo", "memory", "memories", "remember",
         "recall"}  # fmt: skip
READS, FILES = {"read", "view", "open", "get", "cat", "show", "fetch"}, {"file", "files", "notebook"}
ALONE = {"read", "view", "open", "create", "skill"}  # names of one word that only file tools bear

_WORD = regex(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_READ = regex(
    r"\s*(?:cd\s+[^\s;&|]+\s*&&\s*)?(?:cat|head|tail|nl|bat|less|more|type|sed\s+-n|Get-Content|gc)\s[^|;&<>`$()\n]*"
)
"""A command line that does nothing but show a file."""


def left_alone(event: Event, settings: Settings | None) -> bool:
    """Whether a result is not shortened. ``enabled: true`` of the tool itself says that it is."""
    if settings is not None:
        from mcpcompact.settings.effective import of_tool

        value, layer = settings.find(*of_tool(event.server, event.tool, "enabled"))
        if layer and value:
            return False
    words = _words(event.tool)
    if words & EDITS or "memory" in _words(event.server) or (words & READS and words & FILES):
        return True
    command = event.arguments.get("command") or event.arguments.get("cmd") or ""
    shows = event.tool.lower() in SHELLS and isinstance(command, str) and _READ.fullmatch(command) is not None
    return shows or (len(words) == 1 and bool(words & ALONE))


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}
