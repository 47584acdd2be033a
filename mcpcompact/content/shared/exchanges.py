"""HTTP exchanges recorded as text, one after the other (``curl -v``, ``.http`` files, recordings of test suites): of
each the method, the address, the status, and what was sent and answered in JSON."""

from __future__ import annotations

import json

from mcpcompact.content.shared.jsontext import quoted
from mcpcompact.patterns import regex

OPENING, KNOWN = 12, 0.8  # lines within which the first one begins; share of the filled ones that are of exchanges
LONG = 80  # characters of an answer that is told once
_REQUEST = regex(r"(?:> )?(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?: ((?:/|https?://)\S*))?(?: HTTP/[\d.]+)?$")
_ADDRESS = regex(r"(?:/|https?://)\S*$")
_STATUS = regex(r"(?:< )?HTTP/[\d.]+ ([1-5]\d\d)\b|([1-5]\d\d)$")
_LOCATION = regex(r"(?i)(?<![\w-])location(?:: |', ')([^\s',]+)")
_AROUND = regex(r"$|[<>*#{}@]|\[(?:\(|$)|[\w-]+: |[\w.:-]+$")  # headers, what curl says, a host by itself
_VALUE = regex(r"\{[ \t\r\n]*[\"}]|\[[ \t\r\n]*[\"{\[\]\d-]")
FAILED = 20  # values that are no JSON: of one with more, each of which costs a look at all before it, nothing is read

_Exchange = dict[str, list[str]]  # the texts of each key


def from_exchanges(text: str, whole: bool = True) -> str | None:
    """The exchanges as a JSON list of objects; None where the text is no recording with answers in JSON."""
    if not any(_REQUEST.match(line.strip()) for line in text.split("\n", OPENING)[:OPENING]):
        return None
    try:
        found = _read(text, whole)
    except RecursionError:
        return None
    first = dict[str, int]()
    for place, one in enumerate(found):
        held = ", ".join(one.get("response", []))
        if len(held) >= LONG and (before := first.setdefault(held, place)) < place:
            one["response"] = [f'"the same as [{before}].response"']
    if not any("response" in one for one in found):
        return None
    return f"[{', '.join('{' + ', '.join(map(_member, one, one.values())) + '}' for one in found)}]"


def _read(text: str, whole: bool) -> list[_Exchange]:
    found, decode = list[_Exchange](), json.JSONDecoder().raw_decode
    at = filled = known = failed = 0
    while at < len(text) and failed < FAILED:
        end = text.find("\n", at) % (len(text) + 1)
        line, start, at = text[at:end].strip(), at, end + 1
        filled += bool(line)
        known += bool(line) and (_tells(line, found) or _AROUND.match(line) is not None)
        if line[:1] in ("{", "[") and _VALUE.match(text, start := text.index(line[0], start)):
            if not found:
                return []
            key = "response" if "status" in found[-1] else "body"
            try:
                _, at = decode(text, start)
                found[-1].setdefault(key, []).append(text[start:at])
            except json.JSONDecodeError as error:  # no JSON, or cut off: on behind what was read of it
                at, failed = max(at, error.pos), failed + 1
                if end >= len(text) and not whole:
                    found[-1][key] = ["null"]
    return found if known >= KNOWN * filled and failed < FAILED else []


def _tells(line: str, found: list[_Exchange]) -> bool:
    """Whether the line is one of method, address, status and of where it was sent on, which is noted then."""
    if match := _REQUEST.match(line):
        found.append({"method": [quoted(match[1])]} | ({"url": [quoted(match[2])]} if match[2] else {}))
    elif found and "url" not in found[-1] and _ADDRESS.match(line):
        found[-1]["url"] = [quoted(line)]
    elif found and (match := _STATUS.match(line)) and (match[1] or "status" not in found[-1]):
        found[-1]["status"] = [match[1] or match[2]]
    elif found and found[-1].get("status", [""])[0][:1] == "3" and (match := _LOCATION.search(line)):
        found[-1]["headers"] = [f'{{"location": {quoted(match[1])}}}']
    else:
        return False
    return True


def _member(key: str, texts: list[str]) -> str:
    return f'"{key}": {texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"}'
