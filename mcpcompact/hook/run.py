"""One answer to a host: its JSON in, the JSON that puts a shorter result in the place of the tool's out, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcpcompact.config import on_path
from mcpcompact.hook import delivery
from mcpcompact.hook.choice import left_alone
from mcpcompact.hook.hosts import recognised
from mcpcompact.integrations.base import Interceptor, text_of, value_of
from mcpcompact.results.durable import open_regular
from mcpcompact.source import LARGE

if TYPE_CHECKING:
    from mcpcompact.compaction import Compaction
    from mcpcompact.hook.event import Event

MOST_TOKENS = 9_500  # Codex cuts at 10,000 tokens, Gemini CLI at 40,000 characters: below, no result is cut twice


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
    compaction = _made(event, compactor)
    if compaction is None:
        return b""
    before = _before(event, compaction)
    if compaction.method != "passthrough" and compaction.tokens >= before:  # the host's own cut was shorter
        return b""
    new = text_of(compaction) if event.text_only else value_of(event.result, compaction)
    reply = event.reply(new)
    if reply is None or new == event.result:
        return b""
    delivery.note(host.name, event, text_of(compaction), before, compaction)
    return json.dumps(reply).encode() + b"\n"


def _made(event: Event, compactor: Interceptor) -> Compaction | None:
    policy = compactor.policy(event.tool, event.server)
    enabled = policy.enabled and not left_alone(event, compactor.settings)
    policy = policy.replaced(budget=min(policy.budget, MOST_TOKENS), enabled=enabled)
    compaction = compactor.compact(
        _whole(event), tool=event.tool, server=event.server, arguments=event.arguments, policy=policy
    )
    pictures = compaction is not None and compaction.envelope is not None and compaction.envelope.others > 0
    return None if event.text_only and pictures else compaction


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


def _before(event: Event, compaction: Compaction) -> int:
    """Tokens of the result as it came."""
    if not event.saved:
        return compaction.original_tokens
    from mcpcompact.tokens import counter

    return counter().count(str(event.result))
