"""What every object of its kind says: handles, the defaults of Kubernetes, what an API repeats with everything. And a
long line of JSON among other lines without it: its telling members as they stand, a mark for each run of others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex

HANDLE = regex(
    r"(?i:node_?id|gravatar_?id|etag|image_?id|container_?id|cursor|resource_?version|terminationmessage(?:path|policy)"
    r"|imagepullpolicy|self_?link|generation)"
)
_ASIDE = regex(
    HANDLE.pattern
    + r"|(?:squash_)?merge_commit_(?:title|message)|user_view_type|temp_clone_token|serviceAccount|observedGeneration"
    r"|generateName|fullyLabeledReplicas|viewer(?:Did|Can)\w+|isMinimized|minimizedReason|includesCreatedEdit"
)
_COUNT = regex(r"(?!total|error|fail|match|result|warning)\w+_count|forks|watchers|open_issues")  # zero says nothing
_ID = regex(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_DEFAULTS = frozenset(
    {
        ("schedulerName", "default-scheduler"), ("dnsPolicy", "clusterfirst"), ("restartPolicy", "always"),
        ("terminationGracePeriodSeconds", "30"), ("revisionHistoryLimit", "10"), ("progressDeadlineSeconds", "600"),
        ("controller", "true"), ("blockOwnerDeletion", "true"), ("type", "rollingupdate"), ("maxSurge", "25%"),
        ("maxUnavailable", "25%"), ("preemptionPolicy", "preemptlowerpriority"), ("defaultMode", "420"),
        ("sessionAffinity", "none"), ("enableServiceLinks", "true"), ("suspend", "false"),
        ("priority", "0"),
        ("site_admin", "false"), ("type", "user"), ("type", "organization"), ("responseIsBinary", "false"),
    }
)  # fmt: skip
"""What a key holds, in small letters, wherever nobody chose another value."""
_HELD = frozenset(key for key, _ in _DEFAULTS)


def is_given(node: Any) -> bool:
    """Whether it is what Kubernetes adds to every pod: the volume of its token, tolerations of a sick node."""
    if node.__class__ is not dict:
        return False
    name, key = str(node.get("name", "")), str(node.get("key", ""))
    return name.startswith("kube-api-access-") or key.startswith("node.kubernetes.io/")


def is_usual(key: str, value: Any) -> bool:
    """Whether a scalar is such a one."""
    if _ASIDE.fullmatch(key) or (key in _HELD and (key, str(value).lower()) in _DEFAULTS):
        return True
    if key in ("uid", "uuid"):
        return _ID.fullmatch(str(value)) is not None
    return value == 0 and _COUNT.fullmatch(key) is not None


def is_rule(value: Any) -> bool:
    """Whether it is a list of a few conditions that hold together: one of them alone would be another rule."""
    few = value.__class__ is list and 1 < len(value) <= TOGETHER
    return few and all(v.__class__ is dict and "operator" in v for v in value)


RULE, TOGETHER = 300, 3  # characters of such a list, which stands in one line; conditions


_LONG, _SHOWN, _SMALL = 400, 400, 80  # characters: of a line; of its members; of a list or object that stands whole
_TEXT = 160  # characters of a value that tells at a glance
_DEEP, _RUN = 4, 24  # levels that are looked into; characters that are not worth a mark
_NEXT = regex(r"[\s,\]}]*(?:\"(?P<key>[^\"\\]{1,80})\"\s?:)?\s?")
_HEADERS = regex(r"(?i)(?:\[\(|\{)'.{0,2000}?'content-type'[:,]")
_decode = json.JSONDecoder().raw_decode


def told(line: str) -> str:
    """The line, if it begins with an object or a list and is long, without addresses, empty values and what each
    object of its kind says; of all headers of a message, as Python prints them, the beginning."""
    if len(line) <= _LONG or line[0] not in "{[":
        return line
    if _HEADERS.match(line):
        return f"{line[:_SMALL]}…[+{len(line) - _SMALL:,} chars]"
    text, shown, done = "", 0, 0
    for start, end, telling in _members(line):
        if shown >= _SHOWN:
            break
        if telling:
            gap = start - done
            text += (f"…[+{gap:,} chars]" if gap > _RUN else line[done:start]) + line[start:end]
            shown, done = shown + end - start, end
    left = len(line) - done
    return line if shown <= _RUN else text + (f"…[+{left:,} chars]" if left > _RUN else line[done:])


def _members(line: str) -> Iterator[tuple[int, int, bool]]:
    """Where each member of the objects and lists stands, and whether it tells something."""
    at = depth = 0
    while at < len(line):
        match = _NEXT.match(line, at)
        begin, key = (match.end(), match["key"] or "") if match else (at, "")
        try:
            value, end = _decode(line, begin)
        except (ValueError, RecursionError):
            return
        depth -= line.count("}", at, begin) + line.count("]", at, begin)
        if value.__class__ in (dict, list) and end - begin > _SMALL and depth < _DEEP:
            depth, end = depth + 1, begin + 1
            yield at, end, depth == 1
        else:
            yield at, end, _tells(key, value)
        at = end


def _tells(key: str, value: Any) -> bool:
    if value.__class__ in (dict, list):
        return bool(value) and len(str(value)) <= _SMALL
    text = "" if value is None else str(value)
    return text != "" and len(text) <= _TEXT and "://" not in text and not is_usual(key, value)
