"""What comes in, and from where. Here its names: URLs are told from paths, and said without their secrets."""

from __future__ import annotations

from mcpcompact.patterns import regex

_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]+://")
_SECRET = regex(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+://)"
    r"(?:[^\s/@:'\"]*:(?!\d{1,5}(?:[/?#'\"\s]|$))[^\s'\"]*@)?"  # user:password@, also one with a slash in it
    r"(?P<rest>[^\s?#'\"]*)(?:[?#][^\s'\"=]*=[^\s'\"]*)?"
)


def is_url(name: str) -> bool:
    """Whether ``name`` is read and written through fsspec (``file://`` is not: see ``local``)."""
    return "://" in name and _SCHEME.match(name) is not None and not name.startswith("file://")


def local(name: str) -> str:
    """The path of a ``file://`` URL; any other name as it is."""
    return "/" + name[7:].lstrip("/") if name.startswith("file://") else name


def shown(name: str) -> str:
    """A name as it may be said: of a URL no password and no query."""
    return scrubbed(name) if "://" in name else name


def scrubbed(text: str) -> str:
    """``text`` with the URLs in it as they may be shown."""
    return _SECRET.sub(r"\g<scheme>\g<rest>", text) if "://" in text else text


def is_pattern(url: str) -> bool:
    """In a web address ``?`` begins the query, and a bracket is one."""
    return any(mark in url for mark in ("*" if url.startswith(("http://", "https://")) else "*?["))
