"""What a request names: ids, paths, symbols, keys and line numbers in the call's arguments and the focus."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mcpcompact.engine.atoms import ASKED_MOST, is_common
from mcpcompact.patterns import regex
from mcpcompact.phrasing import MAX_DIGITS
from mcpcompact.source import Source, as_utf8

_LETTERS = 3  # of a word

MAX_TERMS = 40  # of one request: a whole file in an argument (an edit) names thousands of things, that is none
MAX_TERM = 200  # characters; what is longer is text, not a name
MAX_PHRASE_WORDS = 16  # a focus of more words is a message: its names count, its phrases do not
PHRASE = 4  # words of the longest phrase that is looked for within a focus
LONG_CAPITALS = 6  # letters: ENOENT is a name, PR, API and HTTPS are words
MIN_NUMBER = 4  # digits; shorter ones are counts, limits and ports as often as ids

_TRIM = " \t\r\n\"'`()[]{}<>,;!?*"
_SPLIT = regex(r"[\s\"'`()\[\]{}<>,;|=]+")
_LINE_KEYS = regex(r"(?i)(?:start_?|first_?|from_?)?line(?:_?(?:number|no|start))?|offset|lineno")
_ID_KEYS = regex(r"(?i)(?:.*[_-])?(?:id|key|number|name|uuid|guid|sha|ref)|\w*(?:Id|ID|Key|Number)")
_SIZES = regex(
    r"(?i)(?:.*_)?(?:limit|offset|timeout|page|per_?page|page_?size|max\w*|min\w*|count|size|depth|budget|head_?limit"
    r"|top_?k?|skip|context|width|height|year)(?:_?(?:ms|seconds|tokens|lines|results))?"
)
_PLACES = regex(r"(?i)(?:work(?:ing)?_?)?dir(?:ectory)?|cwd|(?:project_?|repo_?)?(?:root|path)_?dir|repo_path")
_COMMAND_KEYS = regex(r"(?i)(?:\w*_)?(?:command|cmd|args|argv|script|shell)(?:_?line)?")
_FILE = regex(r"/|[^\s.\d]\.[A-Za-z]")
_PATH = regex(r"[\w@./-]*[\w-]\.[A-Za-z]\w{0,5}")
_BASENAME = regex(r"[\w-][\w.-]*\.[A-Za-z]\w*")
_FILE_LINE = regex(r"(.*[^:\d]):(\d{1,7})(?::\d+)?")
_SED_RANGE = regex(r"\b\d+,[+~]?\d+p\b")  # what the command shows, not what is looked for in it
_ECHOED = regex(r"\becho (?:-\w+ )?(?:\"[^\"]*\"|'[^']*')", holds="echo ")  # says itself what heads the next output
_OPTION = regex(r"--[A-Za-z][\w-]+")
_SAID_LINE = regex(r"(?i)(?:\blines? |#L)(\d{1,7})\b")
_CODE = regex(r"`([^`\n]{1,120})`")  # in prose
_GENERIC = frozenset(
    "main master head true false null none yes no all any ok get post put delete asc desc".split()  # noqa: SIM905
)
_EXTENSIONS = frozenset(
    "bat c cc cfg cpp cs css csv cxx go h hpp hs html ini java jl js json jsx kt log lua md mjs php pl proto py r rb "  # noqa: SIM905
    "rs rst scala sh sql swift tcl toml ts tsv tsx txt vim vue xml yaml yml zig".split()
)
"""Last parts of dotted names that stand for no more than a kind of file."""


class Term(NamedTuple):
    """``whole``: names only what equals it whole (a value, an id, a key, a symbol), not every text it occurs in."""

    text: str
    whole: bool = False


class Asked(NamedTuple):
    """Terms by preference: the later alternatives of one name are taken where the earlier occur nowhere. ``names`` of
    the focus, ``values`` that stand alone in an argument, ``words`` of longer ones (a command, a pattern)."""

    names: list[list[Term]]
    lines: list[int]
    values: list[list[Term]]
    words: list[list[Term]]


def asked_for(arguments: Mapping[str, Any] | None, focus: str | None, source_name: str = "") -> Asked:
    """What the arguments and the focus name. ``source_name``, the name of the whole input, names nothing in it."""
    names: dict[str, list[Term]] = {}
    values: dict[str, list[Term]] = {}
    words: dict[str, list[Term]] = {}
    lines: dict[int, None] = {}
    own = source_name.rsplit("/", 1)[-1]
    files = {own} - {""}
    for key, value in _scalars(arguments):
        files.update(_files(str(value)))
        if isinstance(value, int) or (value.isdecimal() and len(value) <= MAX_DIGITS):
            if _LINE_KEYS.fullmatch(key):
                lines[int(value)] = None
            elif not _SIZES.fullmatch(key) and (_ID_KEYS.fullmatch(key) or len(str(value)) >= MIN_NUMBER):
                values.setdefault(str(value), [Term(str(value), whole=True)])
        elif not _PLACES.fullmatch(key):
            # a number in a command that names no file says how many: seq 1 3000
            counts = not _COMMAND_KEYS.fullmatch(key) or _FILE.search(value) is not None
            value = _ECHOED.sub("echo", value)
            _add_text(value, words if len(value.split()) > 1 else values, lines, counts=counts)
    request, last = (focus or "")[-ASKED_MOST:], list[str]()
    every = _files(request)
    for part in re.split(r"\n+", request):
        last, places = _files(part) or last, dict[int, None]()
        _add_text(part, names, places, options=True)
        # a line is one of this file, unless the request speaks of others there
        lines |= places if not (files and every) or files.intersection(last or every) else {}
        parts = part.split()
        if 2 < len(parts) <= MAX_PHRASE_WORDS:
            _add_phrases(parts, names)
    groups: list[list[list[Term]]] = []
    seen: set[str] = set()
    for group in (names, values, words):
        groups.append([t for text, t in group.items() if text not in seen and text.rsplit("/", 1)[-1] != (own or None)])
        seen |= group.keys()
    if sum(map(len, groups)) > MAX_TERMS:  # of a long message the files, and what it quotes as code, that it names last
        coded = set(_CODE.findall(request))
        groups = [[t for t in groups[0] if _PATH.fullmatch(t[0].text) or t[0].text in coded][-MAX_TERMS:], [], []]
    return Asked(groups[0], list(lines), groups[1], groups[2])


def _files(text: str) -> list[str]:
    """The files that a text names, without their folders."""
    return [name for name in _BASENAME.findall(text[-ASKED_MOST:]) if name.rpartition(".")[2].lower() in _EXTENSIONS]


def spellings(text: str) -> list[bytes]:
    """As it stands, and as JSON escapes it."""
    forms = (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    return list(dict.fromkeys(form.encode("utf-8", "surrogatepass") for form in forms))


def present(source: Source, asked: Asked) -> list[Term]:
    """The terms whose letters occur anywhere, in any case: most requests name nothing of most results."""
    terms = [term for names in (asked.names, asked.values, asked.words) for name in names for term in name]
    left = {term: [form.lower() for form in spellings(term.text)] for term in dict.fromkeys(terms)}
    hits: dict[Term, None] = {}
    for block in as_utf8(source).blocks() if left else ():
        low = block.lower()
        for term in [term for term, forms in left.items() if any(form in low for form in forms)]:
            hits[term] = None
            del left[term]
        if not left:
            break
    return list(hits)


def _scalars(value: Any) -> Iterator[tuple[str, str | int]]:
    """The strings and integers in the arguments, each with the key it stands under."""
    pending: list[tuple[str, Any]] = [("", value)]
    while pending:
        key, value = pending.pop()
        if isinstance(value, Mapping):
            pending += [(str(k), v) for k, v in reversed(list(value.items()))]
        elif isinstance(value, (list, tuple)):
            whole = [" ".join(map(str, value))] if _COMMAND_KEYS.fullmatch(key) else value
            pending += [(key, v) for v in reversed(whole)]
        elif isinstance(value, (str, int)) and not isinstance(value, bool):
            yield key, value


def _add_text(
    text: str, names: dict[str, list[Term]], lines: dict[int, None], *, counts: bool = True, options: bool = False
) -> None:
    """The whole text where it is short, then the names in it; ``counts``: bare numbers too; ``options``: those of a
    command line too, which a command itself has for its own ends."""
    lines |= dict.fromkeys(int(number) for number in _SAID_LINE.findall(text[:ASKED_MOST]))
    text = text.replace("*.", "*")  # what many files end in names none of them
    whole = text.strip(_TRIM).rstrip(".:")
    words = len(whole.split())
    if whole and len(whole) <= MAX_TERM and "\n" not in whole and words <= PHRASE * 2 and not _generic(whole):
        if named(whole):
            _add_name(whole, names, lines)
        else:
            names.setdefault(whole, [Term(whole, whole=words == 1)])
    if words > 1:
        for token in _SPLIT.split(_SED_RANGE.sub(" ", text[-ASKED_MOST:])):
            token = token.strip(_TRIM).rstrip(".:")
            token = token if options and _OPTION.fullmatch(token) else token.lstrip("-")
            if named(token) and (counts or not token.isdigit()):
                _add_name(token, names, lines)


def _add_name(text: str, names: dict[str, list[Term]], lines: dict[int, None]) -> None:
    """A name, and what stands for it where it occurs nowhere: a path without its first folders, the last part of a
    dotted name. ``a.py:417`` names a line too."""
    terms = [Term(text)]
    if located := _FILE_LINE.fullmatch(text):
        lines[int(located[2])] = None
        text = located[1]
        terms.append(Term(text))
    parts = text.strip("/").split("/")
    terms += [Term("/".join(parts[n:])) for n in range(len(parts) - 1) if "://" not in text]
    last = re.split(r"::|[.#]", text)[-1]
    if "/" not in text and last != text and last.lower() not in _EXTENSIONS and not _generic(last):
        terms.append(Term(last, whole=True))
    names.setdefault(terms[0].text, list(dict.fromkeys(terms)))


def _add_phrases(words: list[str], names: dict[str, list[Term]]) -> None:
    """Runs of words that are no ordinary ones: "Vanessa cardui", "invoice exporter"; the longest that occurs counts."""
    clean = [word.strip(_TRIM).rstrip(".:") for word in words]
    for start in range(len(clean) - 1):
        runs = [clean[start : start + n] for n in range(min(PHRASE, len(clean) - start), 1, -1)]
        terms = [
            Term(" ".join(run)) for run in runs if not any(is_common(w) or len(w) < _LETTERS for w in (run[0], run[-1]))
        ]
        if terms:
            names.setdefault("\0" + terms[0].text, terms)  # behind the names of the same text


def named(token: str) -> bool:
    """Whether a token is a name by its looks: digits among letters, a long number, a path, a symbol, an option."""
    if not 1 < len(token) <= MAX_TERM or _generic(token) or not any(map(str.isalnum, token)):
        return False
    if token.isdigit():
        return len(token) >= MIN_NUMBER
    digits = any(map(str.isdigit, token)) and any(map(str.isalpha, token))
    inner = re.search(r"\w[_./:@#\\-]+\w|^\.[a-zA-Z]{4}", token)  # also .gitignore, which is no suffix
    cased = token[1:] != token[1:].lower() and (token != token.upper() or len(token) >= LONG_CAPITALS)
    return bool(digits or inner or cased or _OPTION.fullmatch(token))


def _generic(text: str) -> bool:
    return text.lower() in _GENERIC or is_common(text) or re.fullmatch(r"[\d.,:%+-]{1,3}", text) is not None
