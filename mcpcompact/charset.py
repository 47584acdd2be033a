"""Text that is not UTF-8 (Windows-1252, GBK, Shift-JIS, UTF-16 without its mark): its encoding, named or guessed."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from mcpcompact.errors import InputError, UsageError
from mcpcompact.source import LOOK, Source, begins_in_ascii

_MIN_PAIRS = 4  # pairs of bytes that tell UTF-16
_MIN_KINDS = 4  # different bytes beyond ASCII; fewer are damage

_ASKED = 8_192  # bytes of lines that are not ASCII, which the library is asked about: it takes 10 ms a KB
_FEW = 12  # bytes beyond ASCII: fewer may be anything, unless they are Western letters
_CONTROLS = frozenset(range(32)) - {7, 8, 9, 10, 12, 13, 27}
_ASKED_FOR = [
    "cp1251", "koi8_r", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "gb18030", "big5", "shift_jis", "euc_jp",
    "euc_kr", "cp437", "cp866", "mac_roman",
]  # fmt: skip
_WESTERN = frozenset("äöüßÄÖÜéèêëÉÈÊàâÀÂçÇîïôœŒûùñÑáíóúÁÍÓÚåÅæÆøØãõÃÕìòðþ¿¡ºª€£„“”‚‘’«»–—…•§°²³½¼µ®©™·×±\xa0")
"""What Windows-1252 writes beside ASCII in the languages that use it; other encodings' letters read as others there."""

_NAMES = {"cp1252": "windows-1252", "cp932": "shift_jis", "gb2312": "gbk", "hz": "gbk"}


def codec(name: str) -> str:
    """A codec's name as it is said. Raises ``UsageError`` for one that Python does not know, or that is no text's."""
    try:
        info = codecs.lookup(name)
        "".encode(info.name)
    except (LookupError, ValueError):
        raise UsageError(
            f"unknown encoding '{name}'", hint="for example windows-1252, latin-1, gbk, shift_jis, utf-16-le"
        ) from None
    return _NAMES.get(info.name, info.name)


def guess(source: Source) -> str:
    """The encoding of a text that is clearly not UTF-8; empty for UTF-8, damaged UTF-8 and what is no text."""
    raw = source.read(0, LOOK)
    if not raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff") or begins_in_ascii(source):
        return ""
    if wide := _wide(raw):
        return wide
    if sum(map(raw.count, _CONTROLS)):
        return ""
    shown = raw.decode("utf-8", "replace")
    bad = shown.count("\ufffd") - (source.size > LOOK)
    good = sum(1 for character in shown if character > "\x7f") - shown.count("\ufffd")
    if bad <= 1 or good > bad:
        return ""
    lines = [line for line in raw.split(b"\n")[:-1] or [raw] if not line.isascii()] or [raw]
    return _best(b"\n".join(lines)[:_ASKED].rpartition(b"\n")[0] or lines[0][:_ASKED])


def unlike_ascii(head: bytes, name: str | None = None) -> str:
    """The encoding of a stream in which ASCII does not stand as it is: of its mark, else ``name``, else guessed."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if name is None:
        return _wide(head)
    ascii_text = "".join(map(chr, range(32, 127)))
    return "" if ascii_text.encode(codec(name), "replace") == ascii_text.encode() and name != "utf-7" else codec(name)


def _wide(raw: bytes) -> str:
    """UTF-16 without its mark: every other byte of Western text is zero."""
    raw = raw[: len(raw) // 2 * 2]
    even, odd = raw[::2].count(0), raw[1::2].count(0)
    half = len(raw) // 2
    if half < _MIN_PAIRS or max(even, odd) < 0.4 * half or min(even, odd) > 0.02 * half:
        return ""
    name = "utf-16-le" if odd > even else "utf-16-be"
    text = raw.decode(name, "replace")
    return name if sum(1 for c in text if c < " " and c not in "\t\r\n\f") <= len(text) // 100 else ""


def _best(lines: bytes) -> str:
    beyond = [c for c in lines.decode("cp1252", "replace") if c > "\x7f"]
    if 5 * len(beyond) < 2 * len(lines) and sum(c in _WESTERN for c in beyond) > 0.95 * len(beyond):
        return "windows-1252"
    from charset_normalizer import from_bytes

    best = from_bytes(lines, cp_isolation=_ASKED_FOR, threshold=0.2).best()
    if best is None or len(beyond) < _FEW or len(set(beyond)) < _MIN_KINDS:
        return ""
    text = lines.decode(best.encoding, "replace")
    odd = sum(1 for c in text if not c.isprintable() and c not in "\t\r\n\f\x1b\x07\x08") + text.count("\ufffd")
    return "" if odd else _NAMES.get(best.encoding, best.encoding)


def recoded(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Bytes of that encoding as UTF-8. What is none of its characters is replaced, as in UTF-8."""
    try:
        for text in codecs.iterdecode(chunks, name, "replace"):
            yield text.encode("utf-8", "surrogatepass")
    except UnicodeError as error:
        raise InputError(f"not readable as {name}: {error}") from None
