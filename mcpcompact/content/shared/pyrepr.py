"""Python's literals as JSON text, token by token: linear, of any depth, nothing is evaluated but single strings."""

from __future__ import annotations

import re

from mcpcompact.content.shared.jsontext import NUMBER, Open, Writer, quoted
from mcpcompact.patterns import regex

_MAX = 100_000  # characters that are parsed

_TOKEN = regex(
    r"\s*(?:(?P<bytes>[bB][rR]?(?:'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"))"
    r"|(?P<string>[rRuU]?(?:'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\"))"
    r"|(?P<number>[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?j?(?![\w.]))"
    r"|(?P<name>(?:True|False|None|nan|-?inf|Ellipsis|\.\.\.)(?![\w.(]))"
    r"|(?P<call>[A-Za-z_][\w.]*\()"
    r"|(?P<object><[^<>\n]{1,300}>)"
    r"|(?P<mark>[\[\](){},:]))\s*",
    re.S,
)
_SPACE = regex(r"\s*")
_OTHER = regex(r"\w+=?|[=+*/|.-]")  # between the brackets of a call
_NAMES = {"True": "true", "False": "false", "None": "null"}
_CLOSES = {"[": "]", "(": ")", "{": "}"}


def from_python(text: str, cut: bool = False) -> str | None:
    """The lists and dicts in ``text`` as JSON, one a line; None where it is anything else. Tuples and sets become
    lists; a call or an object that JSON has not (``Decimal('1')``, ``<Foo at 0x1>``) a string of its characters. With
    ``cut`` the text may end before its last bracket closes, or within a token."""
    reader = _Reader(text)
    try:
        sound = reader.read(cut)
    except ValueError:
        return None
    return "".join(reader.out) if sound and reader.out else None


class _Reader(Writer):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.was = ""  # the kind of the token before: "value", "string", "mark"

    def read(self, cut: bool) -> bool:
        at, text = 0, self.text
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                return cut and bool(self.open) and len(text) - at < _MAX and self._is_cut(at)
            kind, at = match.lastgroup or "", match.end()
            token = match[kind]
            if kind == "call":
                end = _closing(text, at)
                if end < 0:
                    return cut and bool(self.open)
                token, at = text[match.start("call") : end], _SPACE.match(text, end).end()  # type: ignore[union-attr]
            if not (self._mark(token) if kind == "mark" else self._value(kind, token)):
                return False
        return cut or not self.open

    def _is_cut(self, at: int) -> bool:
        """Whether what stands at the end is a token that is cut."""
        rest = self.text[at:].lstrip("bruBRU")
        return rest[:1] in ("<", "T", "F", "N", "") or (rest[:1] in "'\"" and "\n" not in rest)

    def _value(self, kind: str, token: str) -> bool:
        if kind == "string" and self.was == "string":  # 'a' 'b' is one string
            self.out[-1] = f"{self.out[-1][:-1]}{_string(token)[1:]}"
            return True
        if not self.open or self.was in ("value", "string"):
            return False
        self.was = "string" if kind == "string" else "value"
        if kind == "string":
            token = _string(token)
        elif not (kind == "number" and NUMBER.fullmatch(token)):
            token = _NAMES.get(token) or quoted(token)
        self.add(token)
        return True

    def _mark(self, mark: str) -> bool:
        if mark in "[({":
            if self.was in ("value", "string") or (mark == "(" and not self.out and "{" not in self.text[:2_000]):
                return False  # the latter: words in brackets
            self.begin(mark)
            self.was = "mark"
            return True
        top = self.open[-1] if self.open else None
        if top is None or (mark in ":," and self.was == "mark"):
            return False
        key = top.values % 2 == 1 and (top.pairs or top.values == 1)  # what stands before may be one
        if mark == _CLOSES[top.mark]:
            self._close(top)
            return True
        if mark == ":" and key and top.mark == "{":
            if not top.pairs:
                self.key(top.start + 1)
            top.pairs = True
        elif mark != "," or (top.pairs and key):
            return False
        self.was = "mark"
        return True

    def _close(self, top: Open) -> None:
        if top.mark == "{" and not top.pairs and top.values:
            self.out[top.start] = "["  # a set
        if top.mark == "(" and top.values == 1 and self.was != "mark":
            self.out[top.start] = ""  # brackets, not a tuple
        self.end()
        self.was = "value" if self.open else ""


def _closing(text: str, at: int) -> int:
    """The end of a call whose bracket opened before ``at``; -1 when it does not close."""
    depth, match = 1, None
    while depth:
        match = _TOKEN.match(text, at)
        if match is None:
            other = _OTHER.match(text, at)
            if other is None:
                return -1
            at = other.end()
            continue
        at, kind = match.end(), match.lastgroup or ""
        depth += (match[kind][-1] == "(") - (match[kind] == ")") if kind in ("mark", "call") else 0
    return match.end("mark") if match else -1


def _string(token: str) -> str:
    import ast

    if "\\" not in token and token[0] in "'\"":
        return quoted(token[1:-1])
    try:
        return quoted(ast.literal_eval(token))
    except (ValueError, SyntaxError):
        return quoted(token)
