"""Secrets that only their name gives away: ``password=…``, ``"api_key": "…"``, headers, cookies, URLs.

A hit is a keyword. The name around it must end in a word for a secret, a separator must follow, and the value must
not be what names usually stand beside in code and prose: a variable, a type, a call, a placeholder. Keys and tokens
must also look like chance; passwords need not.
"""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from mcpcompact.masking.spans import Span, bits
from mcpcompact.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

REACH = 400
"""Bytes behind a keyword in which its value must end."""

_Q = rb"(?:\\{0,7}[\"'`]|%2[27])"
_ENDINGS = {
    b"pass": rb"(?:word|wd|phrase|code|wort)?",
    b"pwd": rb"",
    b"secret": rb"",
    b"token": rb"",
    b"key": rb"",
    b"auth": rb"",
    b"cred": rb"(?:ential)?s?",
    b"sess": rb"(?:ion)?(?:id|[_-]?key)",
}
_BEHIND_NAME = (
    rb"(?:[_-]?(?:base64|b64|base|value|plain|text|raw|prod|dev|test|staging|live|old|new|primary|secondary|current))?"
    rb"[_-]?\d{0,2}(?![a-z0-9_])(?P<close>" + _Q + rb"?)\]?"
    rb"(?:[ \t]{0,8}(?P<sep>=>|:=|=(?!=)|:(?!:)|%3[ad](?:%20|\+)?)|(?P<pair>,?\s{0,40}\\{0,7}[\"']?value\\{0,7}[\"']?[ \t]{0,8}[:=])|(?P<tag>>)"
    rb"|(?P<blank>[ \t]{1,4}(?:is |was |of )?(?=[\"']|[^\s\"'`\\,;&<>(){}|]{16})))"
    rb"\s{0,40}(?P<open>[brfu]{0,2}" + _Q + rb")?"
)
NAMES = {word: regex(word + rb"(?=(?P<name>" + ending + _BEHIND_NAME + rb"))") for word, ending in _ENDINGS.items()}
"""What a name of a secret holds, for lower-case text: a keyword, and a look at its end and what separates the value."""

_QUALIFIED = regex(
    rb"(?:api|access|secret|priv(?:ate)?|sign(?:ing|ature)?|encrypt(?:ion)?|account|master|auth|shared|storage|service"
    rb"|app(?:lication)?|subscription|admin|deploy|licen[sc]e|session|client|consumer|server|write|ingest(?:ion)?|hmac"
    rb"|aes|cipher|webhook|jwt|ssh|db|push|stream|dd|datadog|maps?|stripe|openai|sendgrid|algolia)[ _.-]?$",
    2,
)
_NAMING = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-"
_LINE = regex(rb"(?:[+>-]|ENV |ARG |export |set |declare -x |[ \t]{0,16}(?:- )?|.{0,160}\\n(?:export )?)$")
_PUBLIC = regex(rb"(?:public[_-]?(?:key)?|hash(?:ed)?|encrypted|next|page|max|num|cancellation)[_-]?$", 2)
_LONGER = (b"word", b"wd", b"phra", b"code", b"wort")
_BARE = regex(rb"(?!\[secret:)[^\s\"'`\\,;&<>(){}|]{4,256}")
_WHOLE = regex(rb"(?!\[secret:)(?:[^\s\"'`\\]|\\\\){4,256}")
_NUMBER = regex(rb"\d{4,20}(?=\s{0,40}[,}\]])")
_NOT_A_SECRET = regex(
    rb"[*xX._#?-]+|(?:\xe2\x80\xa2)+|<.*|\$\{.*|\$\(.*|(?-i:\$[A-Z_][A-Z0-9_]*|\$[a-z_]+)|%[a-z]|%\w+%|%\(\w+\)s|\{.*\}?|\[.*|@[A-Za-z_.]+|&\w*|\(.*|/[a-z]{0,20}|[A-Za-z_][\w.]*[\[(].*|"
    rb"(?:null|none|nil|undefined|true|false|yes|no|off|str|string|text|bytes?|int|integer|number|bool|boolean|any|object"
    rb"|required|optional|hidden|redacted|masked|removed|changed?|invalid|missing|empty|unset|unknown|default|example"
    rb"|placeholder|expired|revoked|disabled|enabled|failed|error|basic|bearer|digest|plain|type|name|value|field|input"
    rb"|your|enter|insert|todo|n/a)(?:[^A-Za-z0-9].*)?",
    2,
)
_WORDS = regex(rb"[A-Za-z]+(?:[_.:/\-][A-Za-z]+)*\d?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_CLASSLIKE = regex(rb"(?:[A-Z][a-z]{2,}\d?)+|[A-Z][A-Z_]+|[A-Z][a-z]*")
_NAMELIKE = regex(rb"[a-z_.:/\-]+\d?|[a-z]*(?:[A-Z][a-z]{2,})+\d?|[A-Z][A-Z_]+\d?|[A-Za-z]+[_.:/\-][\w_.:/\-]*")
_PASS = regex(rb"pass|pwd", 2)


def looks_random(value: bytes, least: int = 10) -> bool:
    """Whether a value looks drawn by chance: long enough, many kinds of characters, changing often."""
    if len(value) < least:
        return False
    kinds = value.translate(_KINDS)
    digits = kinds.count(b"d")
    changes = sum(a != b for a, b in pairwise(kinds))
    letters = kinds.count(b"l") + kinds.count(b"u")
    if digits >= 1 and kinds.count(b"u") >= 3 and kinds.count(b"l") >= 3 and changes * 100 >= 30 * len(value):
        return bits(value) >= 3.0
    if digits >= 2 and letters >= 2:
        words = kinds.count(b"lllll") + kinds.count(b"uuuuuuu")
        return changes * 100 >= 15 * len(value) and words * 9 < len(value) and bits(value) >= 2.6
    return kinds.count(b"u") >= 3 and kinds.count(b"l") >= 3 and changes * 100 >= 38 * len(value) and bits(value) >= 3.0


_KINDS = bytes(
    100 if 48 <= c < 58 else 108 if 97 <= c < 123 else 117 if 65 <= c < 91 else 45 for c in range(256)
)  # d, l, u, and - for all else


def assigned(data: bytes, match: re.Match[bytes]) -> Span | None:
    """The value behind a name, where both are those of a secret. ``match`` is that of ``NAMES`` in lower case."""
    hit, word = match.start(), match[0]
    before = data[max(0, hit - 64) : hit]
    head = before[len(before.rstrip(_NAMING)) :]
    if before[: len(before) - len(head)].endswith(b"${"):
        return None  # the default of a variable
    if word == b"key" and not _QUALIFIED.search(head or before[-8:]):
        return None
    if word in (b"auth", b"cred") and head[-1:].islower() and data[hit : hit + 1].islower():
        return None  # within another word: "oauth" is none that has a value
    blank = match["blank"] is not None
    if (
        word == b"sess"
        and match["name"].startswith((b"id", b"ionid"))
        and not head.lower().endswith((b"j", b"php", b"asp"))
    ):
        return None  # the id of a session of agents, of a log: only a web server's opens doors
    strict = word not in (b"pass", b"pwd")
    end = min(len(data), match.end("name") + REACH)
    kind = _KIND_OF[word] if b"pass" not in head.lower() else "password"
    if match[0] == b"pass" and not match["name"].startswith(_LONGER) and match["sep"] != b"=" and not match["close"]:
        return None  # "PASS: test_a", "pass 'x'"
    if (match["close"] and blank) or _PUBLIC.search(head):
        return None
    if word in (b"auth", b"cred") and match["sep"] != b"=" and not match["close"]:
        return None
    start, opened = match.end("name"), match["open"]
    if match["tag"]:
        return _element(data, match, start, end, kind, strict)
    if opened:
        if blank and strict:
            return None
        stop = _closing(data, start, end, opened.lstrip(b"brfu"))
        value = data[start:stop]
        if value.startswith(b"[secret:") or not _credible(value, strict, quoted=True):
            return None
        return Span(start, stop, kind, b"")
    if blank:
        bare = _BARE.match(data, start, end)
        return Span(start, bare.end(), kind, b"") if bare and looks_random(bare[0], 16) else None
    if match["close"][-1:] == b'"' and match["sep"] == b":":  # a JSON key with a bare value
        number = _NUMBER.match(data, start, end)
        return Span(start, number.end(), kind, b'"') if number and not strict and match["close"] == b'"' else None
    if b"\n" in match["name"]:
        return None
    return _bare(data, match, head, start, end, kind, strict)


def _bare(
    data: bytes, match: re.Match[bytes], head: bytes, start: int, end: int, kind: str, strict: bool
) -> Span | None:
    """A value without quotes: of an environment, a log, YAML, a query, a connection string; not a variable of code."""
    began = match.start() - len(head)
    separator = match.start("sep")
    name = data[began:separator]
    tight = match["sep"] == b"=" and start == separator + 1 and not name.endswith((b" ", b"\t"))
    line = tight and name.isupper() and _LINE.search(data, max(0, began - 200), began) is not None
    bare = (_WHOLE if line or _starts_line(data, began, tight) else _BARE).match(data, start, end)
    if bare is None:
        return None
    value = bare[0] if line else bare[0].rstrip(b".)]")
    stop = start + len(value)
    following = data[stop : stop + 1]
    if following in (b"(", b"[", b"{") or not _credible(value, strict, quoted=line):
        return None
    if not strict and not line and _WORDS.fullmatch(value) and not looks_random(value):
        # "swordfish": a password, or the name of a variable or a type
        if (_NAMELIKE.fullmatch(value) and (value[:1].isupper() or not tight)) or following in (b",", b")"):
            return None
        if kind.encode() in value.lower() or value.lower() in name.lower():
            return None
    return Span(start, stop, kind, b"")


def _starts_line(data: bytes, began: int, tight: bool) -> bool:
    return tight and (began == 0 or data[began - 1 : began] == b"\n")


def _element(data: bytes, match: re.Match[bytes], start: int, end: int, kind: str, strict: bool) -> Span | None:
    """``<password>…</password>``."""
    stop = data.find(b"<", start, end)
    value = data[start:stop] if stop > start else b""
    if not value or data[stop : stop + 2] != b"</" or match[0] not in data[stop : stop + 80].lower():
        return None
    return Span(start, stop, kind, b"") if _credible(value, strict, quoted=True) and b"\\" not in value else None


def _closing(data: bytes, start: int, end: int, quote: bytes) -> int:
    """Where the text opened by ``quote`` ends, ``quote`` being itself within texts of texts (``\\"``)."""
    depth = len(quote) - 1
    at = data.find(quote[-1:], start, end)
    while at >= 0:
        run = at
        while run > start and data[run - 1] == 92:
            run -= 1
        behind = at - run
        if behind < depth:
            return run  # the text around it ends first
        if (behind - depth) % (2 * (depth + 1)) == 0:
            return at - depth
        at = data.find(quote[-1:], at + 1, end)
    bare = _BARE.match(data, start, end)  # never closed
    return bare.end() if bare else start


def _credible(value: bytes, strict: bool, *, quoted: bool = False) -> bool:
    if len(value) < 4 or _NOT_A_SECRET.fullmatch(value):
        return False
    if strict:
        if b" " in value or b"://" in value or value[:2] == b"0x" or not looks_random(value):
            return False
        return value.count(b"/") < 4 or bits(value) >= 4.6  # a path, or base64
    if b" " in value or b"\t" in value or b"\n" in value:
        return False
    if not quoted:
        return True
    return not (
        _WORDS.fullmatch(value)
        and not looks_random(value)
        and (_PASS.search(value) or _CLASSLIKE.fullmatch(value) or b"." in value)
    )


_KIND_OF = {
    b"pass": "password",
    b"pwd": "password",
    b"secret": "secret",
    b"token": "token",
    b"key": "key",
    b"auth": "credential",
    b"cred": "credential",
    b"sess": "session",
}


# ---- headers, cookies, URLs, commands

_HEADER = regex(
    rb"(?:authorization|bearer|basic)[\"'\\]{0,9}\]?\s{0,4}[:=]{0,2}\s{0,4}[\"'\\]{0,9}"
    rb"(?:(?P<scheme>bearer|basic|token|apikey|api-key|bot|negotiate|splunk|ssws|digest)[ :=]{1,3})?"
    rb"(?P<value>(?!\[secret:)[A-Za-z0-9+/_.~=%!@#^*$?-]{8,2000})",
    2,
)
_COOKIE = regex(rb"(?:set-)?cookies?[\"'\\]{0,9}\s{0,4}[:=]\s{0,4}[\"'\\]{0,9}(?=[A-Za-z0-9_.-]{1,64}=)", 2)
_CRUMB = regex(rb"(?P<name>[A-Za-z0-9_.-]{1,64})=(?P<value>(?!\[secret:)[^\s;,\"'\\]{0,1000})(?P<next>[;,]?)[ ]{0,2}")
_CRUMB_NAME = regex(rb"sess|sid$|token|auth|csrf|xsrf|jwt|login|remember|secret|^id$|\.id$", 2)
_CRUMB_PLAIN = regex(rb"expires|max-age|path|domain|samesite|priority|version", 2)
_USERINFO = regex(
    rb"://(?P<user>[^\s:/@\"'<>\\?#]{0,128}):(?P<password>(?!\[secret:)[^\s@\"'<>\\]{1,256})@(?=[\w\[%$.-])"
)
_ENCODED = regex(
    rb"%3A%2F%2F(?:(?!%40)[A-Za-z0-9_.~%-]){0,128}?%3A(?P<password>(?:(?!%40)[A-Za-z0-9_.~%!$*+-]){1,256})%40"
    rb"|%3A%2F%2F(?P<token>[A-Za-z0-9_-]{20,128})%40",
    2,
)
_PORT = regex(rb"\d{0,5}/")
_USER = regex(rb"://(?P<token>[A-Za-z0-9_-]{20,128})@(?=[\w.-])")
_SIGNATURE = regex(rb"(?<![a-z0-9])(?:sig|signature)=(?P<value>[A-Za-z0-9%+/_-]{24,200}(?:={1,2}|%3D)*)", 2)
_CURL = regex(
    rb"(?<![a-z0-9])curl[^\n|;]{0,200}?\s(?:-u|--user)[ =]?[\"'\\]{0,3}[^\s:\"'\\]{1,64}:(?P<value>[^\s\"'\\]{3,128})"
)
_SQL = regex(
    rb"identified (?:with \w{1,40} )?by (?:password )?(?P<quote>['\"])(?P<value>[^'\"\\\n]{4,128})(?P=quote)", 2
)
_NETRC = regex(rb"login[ \t]+\S{1,64}\s+password[ \t]+(?P<value>[^\s\"'\\]{3,128})", 2)
_OPTION = regex(
    rb" --[a-z0-9-]{0,40}(?:password|passwd|passphrase|pwd|token|secret|api-?key)[ ]{1,4}[\"'\\]{0,3}(?P<value>[^\s\"'\\;|&<>]{4,200})"
)
_SSHPASS = regex(rb"sshpass[ ]+-p[ ]?[\"'\\]{0,3}(?P<value>[^\s\"'\\]{3,128})")


def fields() -> dict[bytes, Callable[[bytes, int], Iterator[Span]]]:
    """What else is looked for, by its keyword in lower case."""
    return {
        b"authorization": _header,
        b"bearer ": _header,
        b"basic ": _header,
        b"cookie": _cookies,
        b"://": _url,
        b"%3a%2f%2f": _encoded_url,
        b"sig=": _one(_SIGNATURE, "signature"),
        b"signature=": _one(_SIGNATURE, "signature"),
        b"curl ": _one(_CURL, "password"),
        b"identified ": _one(_SQL, "password"),
        b" --": _option,
        b"login ": _one(_NETRC, "password"),
        b"sshpass": _one(_SSHPASS, "password"),
    }


def _one(pattern, kind: str) -> Callable[[bytes, int], Iterator[Span]]:  # type: ignore[no-untyped-def]
    def look(data: bytes, hit: int) -> Iterator[Span]:
        match = pattern.match(data, hit, min(len(data), hit + REACH))
        if match and not match["value"].startswith((b"[secret:", b"$", b"<", b"{")):
            yield Span(match.start("value"), match.end("value"), kind, b"")

    return look


def _option(data: bytes, hit: int) -> Iterator[Span]:
    match = _OPTION.match(data, hit, min(len(data), hit + REACH))
    if match is None:
        return
    value, kind = match["value"], "password" if b"pass" in match[0] else "token"
    if value.startswith((b"-", b"[secret:")) or _NOT_A_SECRET.fullmatch(value):
        return
    if looks_random(value, 8) or (kind == "password" and not _WORDS.fullmatch(value)):
        yield Span(*match.span("value"), kind, b"")


def _header(data: bytes, hit: int) -> Iterator[Span]:
    match = _HEADER.match(data, hit, min(len(data), hit + 2_200))
    if match is None:
        return
    value, scheme = match["value"].rstrip(b"."), (match["scheme"] or b"").lower()
    named = data[hit : hit + 13].lower() == b"authorization"
    said = scheme or data[hit : hit + 6].lower().strip()
    # "Basic authentication", "Bearer tokens": prose; what has no scheme must look like chance
    if said == b"basic" and not named:
        sure = len(value) >= 12 and _is_basic(value)
    else:
        sure = looks_random(value) or (
            bool(scheme) and named and len(value) >= 12 and bits(value) >= 2.5 and not _WORDS.fullmatch(value)
        )
    if sure or (said == b"basic" and _is_basic(value)):
        kind = {b"bearer": "bearer", b"basic": "basic-auth"}.get(said, "authorization")
        yield Span(match.start("value"), match.start("value") + len(value), kind, b"")


def _is_basic(value: bytes) -> bool:
    """Base64 of ``user:password``."""
    import base64

    try:
        return b":" in base64.b64decode(value + b"=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False


def _cookies(data: bytes, hit: int) -> Iterator[Span]:
    end = min(len(data), hit + 4_000)
    before = data[max(0, hit - 4) : hit].lower()
    head = _COOKIE.match(data, hit, end)
    if head is None:
        return
    at, first = head.end(), True
    while crumb := _CRUMB.match(data, at, end):
        value, name = crumb["value"], crumb["name"]
        at = crumb.end()
        named = _CRUMB_NAME.search(name) or (first and before == b"set-")
        plain = _CRUMB_PLAIN.fullmatch(name) or value.startswith((b"$", b"{", b"<"))
        if not plain and ((named and len(value) >= 6 and not _WORDS.fullmatch(value)) or looks_random(value, 16)):
            yield Span(*crumb.span("value"), "cookie", b"")
        if not crumb["next"]:
            return
        first = False


def _encoded_url(data: bytes, hit: int) -> Iterator[Span]:
    match = _ENCODED.match(data, hit, min(len(data), hit + REACH))
    if match and match["password"]:
        yield Span(match.start("password"), match.end("password"), "url-password", b"")
    elif match and looks_random(match["token"], 20):
        yield Span(match.start("token"), match.end("token"), "url-token", b"")


def _url(data: bytes, hit: int) -> Iterator[Span]:
    if not data[hit - 1 : hit].isalnum():
        return
    end = min(len(data), hit + REACH)
    match = _USERINFO.match(data, hit, end)
    if match:
        value = match["password"]
        start, stop = match.span("password")
        if match["user"] and looks_random(match["user"], 20) and value in (b"x-oauth-basic", b"x"):
            yield Span(*match.span("user"), "url-token", b"")
        elif not _NOT_A_SECRET.fullmatch(value) and not _PORT.match(value):
            yield Span(start, stop, "url-password", b"")
        return
    token = _USER.match(data, hit, end)
    if token and looks_random(token["token"], 20):
        yield Span(*token.span("token"), "url-token", b"")
