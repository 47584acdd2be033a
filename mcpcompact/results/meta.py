"""Meta files: what is written in one, and which files of a results directory it proves to be the store's own; the ids
of results that ``gc`` removed, since an id that was printed once never means something else.

A directory that came with a checkout is as untrusted as any input, and users keep other files in theirs. A name alone
proves nothing (``resnet50-0676ba61.pth`` has the form of ours): what is removed or rewritten is named by a sound meta
file, has the content that this says, is a regular file, and stands in the directory itself.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.results.durable import open_regular
from mcpcompact.results.layout import ID_LENGTH, NAME, PACKED, Entry, Original, Part, Problem, view_omitted

META_AT_MOST = 16 << 20
"""Bytes of a meta file: 21 calls with the longest argument that a command line takes (128 KB) are under 3 MB."""

TEMPORARY_NAME = regex(r"\.tmp-\d{1,10}-(?:[0-9a-f]{12}|[0-9a-f]{8}-.+)", re.S)  # of durable.stage, and of remote.write
ANSWER_NAME = regex(r"[0-9a-f]{64}\.json")
NOTE_NAME = regex(r"[0-9a-f]{32}")
ID = regex(r"[0-9a-f]{8,64}")

_SHA256 = regex(r"[0-9a-f]{64}")
_ENDING = regex(r"(?:(?:view|payload)\.)?[a-z0-9]{1,8}")
_BESIDE = regex(r"walk\.[0-9a-f]{12}|audit\.ndjson")
_TEXTS = ("contentType", "tool", "server", "source", "time")
_PARTS = ("payload", "view")


SEEN_AT_MOST = 20  # earlier calls with the same content that a meta file remembers

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
    text = json.dumps(about, indent=1, ensure_ascii=False, default=str) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate in an argument
        return (json.dumps(about, indent=1, default=str) + "\n").encode()


def parsed(data: bytes) -> Any:
    """What the bytes of a meta file say; None where they say nothing."""
    if len(data) > META_AT_MOST:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def sound(meta: Any, entry: Entry) -> bool:
    """Whether ``meta`` is what a store wrote about ``entry``: every value of its type, every name of this stem."""
    return (
        isinstance(meta, dict)
        and meta.get("id") == entry.id
        and _sound_part(meta, entry)
        and meta["sha256"].startswith(entry.id)
        and all(meta.get(key) is None or _sound_part(meta[key], entry) for key in _PARTS)
        and all(isinstance(meta.get(key), str | None) for key in _TEXTS)
        and isinstance(meta.get("tokens"), int | float | None)
        and isinstance(meta.get("more"), list | None)
        and all(isinstance(chosen, str | list) for chosen in meta.get("more") or ())
        and all(isinstance(word, str) for chosen in meta.get("more") or () for word in chosen)
        and isinstance(meta.get("earlier"), list | None)
        and all(isinstance(call, dict) for call in meta.get("earlier") or ())
        and all(
            isinstance(call.get("arguments"), dict | None) and isinstance(call.get("source"), str | None)
            for call in (meta, *(meta.get("earlier") or ()))
        )
    )


def _sound_part(part: Any, entry: Entry) -> bool:
    return (
        isinstance(part, dict)
        and isinstance(part.get("file"), str)
        and part["file"].startswith(f"{entry.stem}.")
        and not part["file"].endswith(PACKED)
        and _ENDING.fullmatch(part["file"], len(entry.stem) + 1) is not None
        and isinstance(part.get("sha256"), str)
        and _SHA256.fullmatch(part["sha256"]) is not None
        and type(part.get("bytes")) is int
        and part["bytes"] >= 0
    )


def parts(meta: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What a sound meta file says of each of its files: the original, the payload, the view."""
    yield meta
    for key in _PARTS:
        if meta.get(key):
            yield meta[key]


def narrow(entry: Entry, meta: Mapping[str, Any]) -> None:
    """Leave in ``entry`` what is ours: the files that its sound ``meta`` names, packed or not, its walks and audit."""
    names = {name for name in entry.files() if name != entry.meta}
    named = {str(part["file"]): None for part in parts(meta)}
    files = {file: next((file + end for end in ("", *PACKED) if file + end in names), "") for file in named}
    entry.data = files.pop(str(meta["file"]))
    beside = sorted(name for name in names if _BESIDE.fullmatch(name, len(entry.stem) + 1))
    entry.others = [name for name in (*files.values(), *beside) if name]


def entry_of(file: Any) -> Entry | None:
    """The entry that a file of this name would belong to."""
    match = NAME.fullmatch(file) if isinstance(file, str) else None
    return Entry(match[1], match[2]) if match else None


def damaged(entry: Entry) -> Problem:
    """What is said of a meta file that is not sound."""
    return Problem(entry.id, entry.meta, "damaged, or not written by mcpcompact")


COLLECTED = ".collected"  # a line for each collected result, `<id> <sha256>`, oldest first
MAX_COLLECTED = 10_000  # lines that are kept: under a megabyte, read in 5 ms by each put of new content

LONGER_ID = 10
"""Digits of a new id once the list is full. An id of eight that fell off the list can then be no new one's; that of an
id of ten is one in 10¹² by chance. A cursor holds no more."""

_COLLECTED_AT_MOST = MAX_COLLECTED * 130  # bytes of the list: an id has up to 64 digits
Collected = dict[str, str]  # SHA-256 by id, oldest first

_LINE = regex(r"^([0-9a-f]{8,64}) ([0-9a-f]{64})$", re.M)


def collected(path: str) -> Collected:
    """The list at ``path``, empty where there is none. Raises ``OSError`` where it is no regular file."""
    try:
        with open_regular(path) as stream:
            return listed(stream.read(_COLLECTED_AT_MOST))
    except FileNotFoundError:
        return {}


def listed(data: bytes) -> Collected:
    """What the list says; a line of another form counts for nothing."""
    return {id: sha256 for id, sha256 in _LINE.findall(data.decode("ascii", "replace")) if sha256.startswith(id)}


def written(dead: Mapping[str, str]) -> bytes:
    """The bytes of the list: its newest lines."""
    return "".join(f"{id} {sha256}\n" for id, sha256 in [*dead.items()][-MAX_COLLECTED:]).encode()


def gone(dead: Mapping[str, str], prefix: str) -> str:
    """The id of the collected result that ``prefix`` means: the id, or more of its SHA-256. Empty for none."""
    if len(prefix) < ID_LENGTH:
        return ""
    return next((id for id, sha256 in dead.items() if prefix.startswith(id) and sha256.startswith(prefix)), "")
