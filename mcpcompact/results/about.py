"""What a meta file says, whatever the results directory lies on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from mcpcompact.results.layout import Entry, Original, Part, view_omitted

SEEN_AT_MOST = 20
"""Earlier calls with the same content that a meta file remembers."""

_OURS = ("id", "file", "sha256", "bytes", "contentType", "tool", "view", "payload", "earlier")


def described(
    entry: Entry,
    digest: str,
    size: int,
    original: Original,
    parts: Iterable[tuple[Part, str]],
    known: Mapping[str, Any],
) -> dict[str, Any]:
    """The meta of a result; ``parts`` come with their SHA-256, ``known`` is what its meta file said so far."""
    about: dict[str, Any] = {
        "id": entry.id,
        "file": entry.plain,
        "sha256": digest,
        "bytes": size,
        "contentType": original.content_type,
        "tool": original.tool,
        "server": None,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    about.update((key, value) for key, value in original.meta.items() if key not in _OURS)
    if view_omitted(original):
        about["viewOmitted"] = "over 16 MB"
    for part, sha256 in parts:
        for role in part.roles:
            file = f"{entry.stem}{part.suffix}"
            about[role] = {"file": file, "bytes": len(part.content), "sha256": sha256, **part.more}
    if earlier := _earlier(known, about):
        about["earlier"] = earlier
    return about


def _earlier(known: Mapping[str, Any], about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Earlier calls that brought the same content, latest first, each once."""
    keys = ("tool", "server", "arguments", "source")
    calls = [{key: known[key] for key in (*keys, "time") if known.get(key) is not None}] if known else []
    calls += [call for call in known.get("earlier", []) if isinstance(call, dict)]
    seen, kept = [{key: about.get(key) for key in keys}], []
    for call in calls:
        same = {key: call.get(key) for key in keys}
        if same not in seen:
            seen.append(same)
            kept.append(call)
    return kept[:SEEN_AT_MOST]


def dumped(about: Mapping[str, Any]) -> bytes:
    """The bytes of a meta file."""
    import json

    text = json.dumps(about, indent=1, ensure_ascii=False, default=str) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate in an argument
        return (json.dumps(about, indent=1, default=str) + "\n").encode()
