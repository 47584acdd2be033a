"""Python's literals as JSON text, token by token: linear, of any depth, nothing is evaluated but single strings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpcompact.content.shared.jsontext import NUMBER, quoted
from mcpcompact.patterns import regex

_MOST = 100_000  # characters that are parsed

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
_NAMES = {"True": "true", "False": "false", "None": "null"}
_CLOSES = {"[": "]", "(": ")", "{": "}"}


@dataclass(slots=True)
class _Open:
    mark: str
    at: int  # its place in the output
    key: int  # where the value, or the pair, that is being read begins
    pairs: bool = False
    commas: int = 0


def from_python(text: str, cut: bool = False) -> str | None:
    """The lists and dicts in ``text`` as JSON, one a line; None where it is anything else. Tuples and sets become
    lists; a call or an object that JSON has not (``Decimal('1')``, ``<Foo at 0x1>``) a string of its characters. With
    ``cut`` the text may end before its last bracket closes, or within a token."""
    reader = _Reader(text)
    sound = reader.read(cut)
    return "".join(reader.out) if sound and reader.out else None


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[str] = []
        self.stack: list[_Open] = []
        self.documents = 0
        self.was = ""  # the kind of the token before: "value", "string", "mark"

    def read(self, cut: bool) -> bool:
        at, text = 0, self.text
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                return (
                    cut
                    and bool(self.stack)
                    and len(text) - at < _MOST
                    and text[at] in "'\"bruBRU<TFN"
                    and self._is_open(at)
                )
            kind, at = match.lastgroup or "", match.end()
            token = match[kind]
            if kind == "mark":
                if not self._mark(token):
                    return False
                continue
            if not self.stack:
                return False
            if kind == "call":
                end = _closing(text, at)
                if end < 0:
                    return cut
                token, at = text[match.start("call") : end], _SPACE.match(text, end).end()  # type: ignore[union-attr]
            if not self._value(kind, token):
                return False
        return cut or not self.stack

    def _is_open(self, at: int) -> bool:
        """Whether what stands at the end is a token that is cut."""
        rest = self.text[at:].lstrip("bruBRU")
        return rest[:1] in ("<", "T", "F", "N", "") or (rest[:1] in "'\"" and "\n" not in rest)

    def _value(self, kind: str, token: str) -> bool:
        if kind == "string" and self.was == "string":  # 'a' 'b' is one string
            self.out[-1] = f"{self.out[-1][:-1]}{_string(token)[1:]}"
            return True
        if self.was in ("value", "string"):
            return False
        self.was = "string" if kind == "string" else "value"
        if kind == "string":
            token = _string(token)
        elif not (kind == "number" and NUMBER.fullmatch(token)):
            token = _NAMES.get(token) or quoted(token)
        self.out.append(token)
        return True

    def _mark(self, mark: str) -> bool:
        if mark in "[({":
            if self.was in ("value", "string"):
                return False
            if not self.stack and mark == "(" and not self.documents and "{" not in self.text[:2_000]:
                return False  # words in brackets
            self.stack.append(_Open(mark, len(self.out), len(self.out) + 1))
            self.out.append("{" if mark == "{" else "[")
            self.was = "mark"
            return True
        if not self.stack:
            return False
        top = self.stack[-1]
        if mark == ":":
            if top.mark != "{" or self.was == "mark":
                return False
            self._key(top)
            top.pairs, self.was = True, "mark"
            self.out.append(": ")
        elif mark == ",":
            if self.was == "mark":
                return False
            self.out.append(", ")
            top.commas, top.key, self.was = top.commas + 1, len(self.out), "mark"
        else:
            return mark == _CLOSES[top.mark] and self._close(top)
        return True

    def _key(self, top: _Open) -> None:
        """JSON's keys are strings."""
        key = "".join(self.out[top.key :])
        self.out[top.key :] = [key if key[:1] == '"' else quoted(key)]

    def _close(self, top: _Open) -> bool:
        self.stack.pop()
        empty = len(self.out) == top.at + 1
        if self.out[-1] == ", ":
            self.out.pop()
        if top.mark == "{" and not top.pairs and not empty:
            self.out[top.at] = "["  # a set
        if top.mark == "(" and not top.commas and not empty:  # brackets, not a tuple
            self.out[top.at] = ""
        else:
            self.out.append("}" if self.out[top.at] == "{" else "]")
        self.was = "value"
        if not self.stack:
            self.documents += 1
            self.out.append("\n")
            self.was = ""
        return True


def _closing(text: str, at: int) -> int:
    """The end of a call whose bracket opened before ``at``; -1 when it does not close."""
    depth, match = 1, None
    while depth:
        match = _TOKEN.match(text, at)
        if match is None:
            if at >= len(text) or text[at] not in "=+-*/|.":
                word = re.compile(r"\w+=?").match(text, at)
                if word is None:
                    return -1
                at = word.end()
                continue
            at += 1
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
