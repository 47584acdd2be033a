"""One answer to a host: its JSON in, the JSON that puts a shorter result in the place of the tool's out, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Set
from typing import TYPE_CHECKING, Any

from mcpcompact.config import on_path
from mcpcompact.hook import delivery
from mcpcompact.hook.hosts import recognised
from mcpcompact.integrations.base import Interceptor, text_of, value_of, withheld
from mcpcompact.patterns import regex
from mcpcompact.results.durable import open_regular
from mcpcompact.source import LARGE

if TYPE_CHECKING:
    from mcpcompact.compaction import Compaction
    from mcpcompact.hook.hosts import Event
    from mcpcompact.masking import Masker
    from mcpcompact.settings.effective import Settings

MAX_TOKENS = 9_500  # Codex cuts at 10,000 tokens, Gemini CLI at 40,000 characters: below, no result is cut twice

# Left alone unless the configuration says so: what is read of files is edited later, word by word, and a marker in it
# would be written back; what a memory gives, the agent wrote itself.
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


def answer(data: bytes, say: Callable[[str], object]) -> bytes:
    """The reply, empty where the result stays as it is. Raises what goes wrong: nothing was replaced then."""
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        return b""
    host = recognised(payload)
    event = host.read(payload) if host else None
    if host is None or event is None or not event.result:
        return b""
    compactor = Interceptor(reader="mcpcompact" if on_path("mcpcompact") else "read", log=say)
    new, replaced = event.result, _replaced(event, compactor)
    if replaced is not None:
        new = text_of(replaced[0]) if event.text_only else value_of(event.result, replaced[0])
    reply = event.reply(new)
    masker = compactor.masker(event.tool, event.server)
    whole = _masked(reply, masker, {*_strings(payload.values())}) if masker else reply
    if reply is None or (new == event.result and whole == reply):
        return b""
    if replaced is not None:
        delivery.note(host.name, event, text_of(replaced[0]), replaced[1], replaced[0])
    return json.dumps(whole).encode() + b"\n"


def _replaced(event: Event, compactor: Interceptor) -> tuple[Compaction, int] | None:
    """What stands for the result, and the tokens of the result as it came; None where it stays."""
    policy = compactor.policy(event.tool, event.server)
    enabled = policy.enabled and not left_alone(event, compactor.settings)
    policy = policy.replaced(budget=min(policy.budget, MAX_TOKENS), enabled=enabled)
    compaction = compactor.compact(
        _whole(event), tool=event.tool, server=event.server, arguments=event.arguments, policy=policy
    )
    if compaction is None or (event.text_only and compaction.envelope is not None and compaction.envelope.others):
        return None  # of pictures there is no text
    before = compaction.original_tokens
    if event.saved:
        from mcpcompact.tokens import counter

        before = counter().count(str(event.result))
    longer = compaction.method != "passthrough" and compaction.tokens >= before and not compaction.masked
    return None if longer else (compaction, before)  # the host's own cut was shorter


def _masked(value: Any, masker: Masker, given: Set[str]) -> Any:
    """A reply without secrets: beside the result it may hold other texts that the tool has ``given``. Each that cannot
    be masked is withheld."""
    if isinstance(value, dict):
        return {key: _masked(inner, masker, given) for key, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner, masker, given) for inner in value]
    if not isinstance(value, str) or value not in given:
        return value
    try:
        return masker.text(value)
    except Exception as error:
        return withheld(error)


def _strings(parts: Iterable[Any]) -> Iterator[str]:
    """The texts within the parts of a payload, not those that are a part."""
    for part in parts:
        if isinstance(part, dict):
            part = list(part.values())
        inner = part if isinstance(part, list) else []
        yield from (each for each in inner if isinstance(each, str))
        yield from _strings(inner)


def _whole(event: Event) -> Any:
    """The result, from the host's own file where the host has cut it."""
    if not event.saved:
        return event.result
    try:
        with open_regular(event.saved) as stream:
            data = stream.read(LARGE + 1)
    except OSError:
        return event.result
    return data if len(event.result) < len(data) <= LARGE else event.result


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
