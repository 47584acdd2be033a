"""Text from anywhere made safe to stand in a page: the one door through which values enter it."""

from __future__ import annotations

from mcpcompact.patterns import regex

_SPACE = 0x20

_SPECIAL = regex(
    r"[&<>\"'\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff0-\ufffb\ufffe\uffff\ud800-\udfff]"
)

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\r": "␍", "\x7f": "␡"}


def escaped(text: str, most: int | None = None) -> str:
    """A text for element content and quoted attributes, at most ``most`` characters of it and the rest said.

    Control characters, bidirectional controls, invisible ones and lone surrogates become visible: none of them can
    break the page, hide a word or turn one around ("Trojan Source", Boucher and Anderson, 2021).
    """
    return _SPECIAL.sub(lambda match: _visible(match[0]), cut(text, most))


def cut(text: str, most: int | None) -> str:
    return text if most is None or len(text) <= most else f"{text[:most]}…[+{len(text) - most:,} chars]"


def _visible(character: str) -> str:
    code = ord(character)
    return _NAMED.get(character) or (chr(0x2400 + code) if code < _SPACE else f"‹U+{code:04X}›")


def middle(text: str, most: int) -> str:
    """A name cut in its middle: beginnings tell what it is, ends tell which."""
    return text if len(text) <= most else f"{text[: most // 2 - 1]}…{text[len(text) - (most + 1) // 2 :]}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}\u202f%".replace("-", "−")


def code(text: str, most: int | None = None) -> str:
    return f"<code>{escaped(text, most)}</code>"
