"""Binary content inside a JSON string (base64, hex, data URIs): said by kind, size and hash, never shown.

``⟪png 30,123 bytes, sha256 3f9c2a1b…⟫``. Size and hash are those of the decoded bytes: what ``results get ID --path``
gives, decoded, can be checked with ``sha256sum``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from mcpcompact.patterns import regex

MIN = 400  # characters from which a string of one alphabet is data; the longest digests and keys have 344

_DATA = regex(
    r"data:(?P<mime>[\w.+-]{0,60}(?:/[\w.+-]{1,60})?)(?:;[\w.=-]{1,60}){0,4};base64,(?P<body>[\w+/-]{64,}+={0,2})"
)
_RUN = regex(r"(?<![\w+/-])[A-Za-z0-9+/_-]{400,}+={0,2}(?![\w+/=-])")
_WRAPPED = regex(r"\s*(?:[A-Za-z0-9+/]{40,}+\r?\n){2,}[A-Za-z0-9+/]*={0,2}\s*")
_HEX = regex(r"[0-9a-f]+|[0-9A-F]+")
_ALPHABET = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/-\\")  # \\: of an escape
_MASK, _LIKELY = bytes(map(_ALPHABET.__contains__, range(256))), b"\1" * 40
_SPACE = regex(r"\s+")
_DIGIT = regex(r"[0-9]")
_OTHER = regex(r"[A-Z+/]*[JO][A-Z+/]*").fullmatch  # capitals with letters that stand for no residue
_PREFIX = 1_024  # characters whose alphabet tells data from names, rulers and sequences

# the first bytes of what is commonly carried in base64
_KINDS = (
    (b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF8", "gif"), (b"%PDF", "pdf"), (b"PK\x03\x04", "zip"),
    (b"\x1f\x8b", "gzip"), (b"OggS", "ogg"), (b"ID3", "mp3"), (b"\x7fELF", "elf"), (b"SQLite format 3", "sqlite"),
    (b"BM", "bmp"), (b"II*\x00", "tiff"), (b"MM\x00*", "tiff"), (b"wOF", "woff"),
)  # fmt: skip


class Encoded(str):
    """Stands for a string of a parsed document that is not shown as it is."""

    __slots__ = ()


def without_data(text: str) -> str:
    """``text`` with the binary content in it said by kind, size and hash; the same object where there is none."""
    if len(text) < MIN:
        return text
    if "\n" in text and _WRAPPED.fullmatch(text):
        return _named(_SPACE.sub("", text), "") or text
    if text.count(" ", 0, 4 * MIN) > MIN // 5 and "base64," not in text:
        return text  # blanks throughout
    changed = _DATA.sub(lambda m: _named(m["body"], m["mime"].rpartition("/")[2].partition("+")[0]) or m[0], text)
    return _RUN.sub(lambda m: _named(m[0], "") or m[0], changed)


def _named(data: str, kind: str) -> str:
    import base64
    import binascii
    import hashlib

    head = data[:_PREFIX]
    try:
        if _HEX.fullmatch(data) and len(data) % 2 == 0 and not data.isdigit():
            decoded, kind = bytes.fromhex(data), kind or "hex"
        elif kind or data[-1] == "=" or (head.upper() != head != head.lower() and _DIGIT.search(head)) or _OTHER(head):
            # lengths of one character over never come out of an encoder; missing padding does
            standard = data.rstrip("=").translate(_URL_SAFE)
            decoded = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
        else:
            return ""
    except (binascii.Error, ValueError):
        return ""
    if kind in ("", "octet-stream"):
        kind = next((name for magic, name in _KINDS if decoded.startswith(magic)), "base64")
        if decoded[:4] == b"RIFF":
            kind = {b"WEBP": "webp", b"WAVE": "wav"}.get(decoded[8:12], "riff")
    return f"⟪{kind} {len(decoded):,} bytes, sha256 {hashlib.sha256(decoded).hexdigest()[:8]}…⟫"


_URL_SAFE = {ord("-"): "+", ord("_"): "/"}


_HOLD = {dict, list}


def containers(root: Any) -> list[Any]:
    """The lists and objects of a parsed document that hold anything, each before those inside it. Any depth."""
    return list(chain.from_iterable(filter(None, level) for level in levels(root)))


def levels(root: Any) -> Iterator[list[Any]]:
    """The lists and objects of a parsed document by how many others they stand in, the empty ones too."""
    level: list[Any] = [root] if root.__class__ in _HOLD else []
    while level:
        yield level
        kinds = {*map(type, level)}
        held = level
        if kinds != {list}:
            held = [v.values() if v.__class__ is dict else v for v in level if v]
        kinds = {*map(type, chain.from_iterable(held))}  # most levels hold none or nothing else: no look at each then
        inside = chain.from_iterable(held) if kinds & _HOLD else ()
        level = list(inside) if kinds <= _HOLD else [v for v in inside if v.__class__ is dict or v.__class__ is list]


def may_hold_data(text: str) -> bool:
    """Whether a string of a JSON text may hold binary content: a look at memory speed, not one at each string."""
    return _LIKELY in text.encode("ascii", "replace").translate(_MASK)


def name_data(nodes: list[Any]) -> None:
    """Replace, in place, the strings right in these containers that hold binary content."""
    for node in nodes:
        held = node.items() if node.__class__ is dict else enumerate(node)
        for key, value in [(k, v) for k, v in held if v.__class__ is str and len(v) >= MIN]:
            if (named := without_data(value)) is not value and named != value:
                node[key] = Encoded(named)
