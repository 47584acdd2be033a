"""The paths of diff headers: quoted, prefixed, dated."""

from __future__ import annotations

from mcpcompact.patterns import regex

_OCTAL = 3  # digits of a byte
_ESCAPE = regex(r"\\([0-7]{3}|.)")
_SYMBOLS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def unquote(path: str) -> str:
    """git's C-style quoting undone: ``"b/\\346\\216.md"`` → the UTF-8 name."""
    if len(path) <= 1 or path[0] != '"' or path[-1] != '"':
        return path
    data = bytearray()
    at = 1
    for match in _ESCAPE.finditer(path, 1, len(path) - 1):
        data += path[at : match.start()].encode("utf-8", "surrogatepass")
        code = match.group(1)
        data += bytes([int(code, 8) & 255]) if len(code) == _OCTAL else _SYMBOLS.get(code, code).encode()
        at = match.end()
    data += path[at:-1].encode("utf-8", "surrogatepass")
    return data.decode("utf-8", "replace")


def git_paths(rest: str) -> tuple[str, str]:
    """Both names of a ``diff --git`` line: quoted, or split in the middle where both halves agree."""
    if rest.startswith('"'):
        end = rest.find('" ', 1)
        if end > 0:
            return strip(unquote(rest[: end + 1]), unquote(rest[end + 2 :]))
    half = len(rest) // 2
    old, new = strip(rest[:half], rest[half + 1 :])
    if rest[half : half + 1] == " " and old == new:
        return old, new
    at = rest.find(" b/")
    if rest.startswith("a/") and at > 0:
        return strip(rest[:at], rest[at + 1 :])
    words = rest.split(" ")
    return strip(" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :]))


def plain_name(rest: str) -> str:
    """The path of a ``---``/``+++`` line without its date or revision."""
    if rest.startswith('"'):
        return unquote(rest[: rest.rfind('"') + 1])
    return _LABEL.sub("", _DATED.sub("", rest.split("\t", 1)[0]).rstrip())


_LABEL = regex(r"(?:before|after)(?:: |$)")  # ansible's, with or without a path behind it
_DATED = regex(r"(?<!\s)\s+(?:\d{4}-\d\d-\d\d [\d:. +-]+|\((?:revision \d+|working copy|nonexistent)\))$")
_PREFIXES = {("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("src://", "dst://")}


def strip(old: str, new: str) -> tuple[str, str]:
    """Without git's ``a/`` and ``b/``, which are no part of the path."""
    for one, other in _PREFIXES:
        left = old.startswith(one)
        right = new.startswith(other)
        if (left or old == "/dev/null") and (right or new == "/dev/null") and (left or right):
            return old[len(one) :] if left else old, new[len(other) :] if right else new
    return old, new
