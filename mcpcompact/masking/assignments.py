"""Secrets that only their name gives away: ``password=…``, ``"api_key": "…"``, ``--token …``, ``<pin>…</pin>``.

A hit is a keyword. The name around it must be one of a secret (``names``), something must join it to a value, and the
value must not be what names usually stand beside in code and prose: a variable, a type, a call, a label, a placeholder.
Keys and tokens must also look like chance; passwords need not.
"""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

import re
from functools import lru_cache

from mcpcompact.masking.blocks import block
from mcpcompact.masking.names import named
from mcpcompact.masking.spans import BACKSLASH, Span, bits, looks_random
from mcpcompact.patterns import regex

REACH = 400  # bytes behind a name in which its value must end
SHORTEST = 4  # bytes of a value that may be a secret
SALT = range(60, 69)  # bytes of the keys and salts of WordPress, which have blanks
CODE_BITS, BASE64_BITS, SLASHES = 3, 4.6, 4
"""Bits a byte of a code in base32, and of base64 with so many slashes, which else is a path."""
BASIC = 8  # characters of base64 that can hold a user and a password
PHRASE, PLAIN_WORDS = range(2, 13), 3
"""Words of a password with blanks, and of one that is words of prose alone."""

_BARE = regex(
    rb"(?!\[secret:)[^\s\"'`\\,;&<>(){}|]{1,256}(?:(?<=[^\s=:])[\"'](?=[A-Za-z0-9])[^\s\"'`\\,;&<>(){}|]{1,128}){0,8}"
)
_WHOLE = regex(rb"(?!\[secret:)(?:[^\s\"'`\\]|\\\\){4,256}")
_LINE = regex(rb"(?!\[secret:)(?:[^\r\n\"\\]|\\(?![nr\"]))*")
_LAYOUT = regex(rb"\\{1,2}[nrt]|\s")
_TO_END = regex(
    rb"(?!\[secret:)(?=\S*[&,;'\\]|(?=\S*\d)\S*[<|`])(?:[^\s\"`\\(){}<>|=]|[<|`](?=[A-Za-z0-9])|\\(?![nrt\"])){5,256}(?<![,;:'])(?=[ \t]{0,8}(?:[\r\n]|\\[nr]|$))"
)
"""What ends with its line and has signs that end a value elsewhere."""
_PHRASE = regex(rb"[a-z]{3,12}(?:[-_.][a-z]{3,12}){3,7}")
_NUMBER = regex(rb"\d{4,20}(?=\s{0,40}[,}\]])")
_NOT_A_SECRET = regex(
    rb"[*xX._#?-]+|(?:\xe2\x80\xa2)+|(?:<|\\+u003c).*|\$\{.*|\$\(.*|(?-i:\$[A-Z_][A-Z0-9_]*|\$[a-z_]+)|%[a-z]|%\w+%|%\(\w+\)s|\{.*\}?|\[.*|@[A-Za-z_.]+|(?-i:&[a-z_]+(?:[A-Z][a-z]+)*)|\(.*|/[a-z]{0,20}|[A-Za-z_][\w.]*[\[(].*|"
    rb":[a-z_]\w*|!(?:vault|ref|sub|secret)\b.*|(?:ref\+|vault:|op://|arn:|sm://|env[:.]|process\.env|secrets\.).*|[\d.,]+ ?%|"
    rb"(?:null|none|nil|undefined|true|false|yes|no|off)(?:[^A-Za-z0-9_].*)?|(?:str|string|text|bytes?|int|integer|number|bool|boolean|any|object"
    rb"|required|optional|hidden|redacted|masked|removed|changed?|invalid|missing|empty|unset|unknown|default|example"
    rb"|placeholder|expired|revoked|disabled|enabled|failed|error|basic|bearer|digest|plain|type|name|value|field|input"
    rb"|your|enter|insert|todo|n/a|varchar|char)(?:[^A-Za-z0-9].*)?",
    2 | 16,
)
_WORDS = regex(rb"[A-Za-z]+(?:[_.:/\-][A-Za-z]+)*\d?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_DOTTED = regex(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_MEMBER = regex(rb"(?:[a-z]+|(?:[A-Z]+[a-z]+)+|[a-z]+(?:[A-Z]+[a-z]+)+)(?:\.(?:[a-z]+|[a-z]*(?:[A-Z]+[a-z]+)+))+")
_TOLD = ("password", "token", "secret", "key")
_PLAIN = regex(rb"[A-Za-z]+\d?")
_HUMPS = regex(rb"[A-Za-z][a-z]+[A-Z]\w*")
_LABEL = regex(
    rb"(?-i:[A-Z]+_[A-Z_]+|[a-z]+_[a-z_]+)|[A-Z]?[a-z]*[A-Z][a-z]*(?:Str|String|Field|Type|Input|Control|Hash|Buffer|Bytes|Value|Key|Error|Schema|Model|Config)"
    rb"|buffer|uuid|hash|email|username|login|sign|log|forgot|submit|confirm|repeat|strength|min|max|length|protected|secure|private"
    rb"|(?:wachtwoord|l\xc3\xb6senord|has\xc5\x82o|parola|salasana|heslo|adgangskode|passord|\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c).*",
    2,
)
"""What stands beside ``password`` in schemas and translations."""

_NAMELIKE = regex(rb"[a-z_.:/\-]+\d?|[a-z]*(?:[A-Z][a-z]{2,})+\d?|[A-Z][A-Z_]+\d?|[A-Za-z]+[_.:/\-][\w_.:/\-]*")
_PASS = regex(rb"pass|pwd|contrase|kennwort|senha|secret", 2)
_SENTENCE = regex(
    rb"(?:^|\s)(?:an?|the|is|are|be|was|were|must|should|can(?:not)?|to|of|in|on|for|you|your|my|at|with|and|or|not|this|that|it|by"
    rb"|from|if|please|has|have|will|least|new|old|de|la|le|el|der|die|das|ein|il|o|te|en)(?=\s|$)|[:\xa6\xbf]$|pass|pwd|secret|token|--|[<>{}=]|://",
    2,
)
_STARTS = regex(
    rb"(?:^|[\r\n]|\\[nr]|[:\[,] ?\\{0,3}\")[ \t]{0,40}(?:[+>|-][ \t]{0,8}|\d{1,6}[\t:|] ?|//?|#)?(?:export |set |setx |ENV |ARG |LABEL |declare -x |SET )?(?:\\{0,3}[\"'])?$"
)
_DECLARED = regex(rb"(?:\b(?:var|let|const|val)\s|[,;])$")
"""Before a name of code, whose value without quotes is code, too."""
_REVERSED = regex(
    rb"[\"'](?:value|val|content)\\{0,7}[\"'][ \t]{0,8}:\s{0,8}\\{0,7}[\"'](?P<value>[^\"'\\\n]{4,300})\\{0,7}[\"']\s{0,8},\s{0,40}\\{0,7}[\"']\w{1,12}\\{0,7}[\"'][ \t]{0,8}:\s{0,8}\\{0,7}[\"']$",
    2,
)
_SETTER = regex(
    rb"(?:def(?:ine)?|env|set|put|add|property|header|option|config|credential|with|arg)[a-z_]{0,20}!?\(\s{0,4}[\"'\\]{1,8}$",
    2,
)
_ARN = regex(rb"arn:[\w:/-]{4,80}$")
_PHRASED = ("mnemonic", "seed")
_OF_ENV = (b"ENV ", b"setenv ", b"setx ")  # commands that give a name its value, with a blank between
_WORDS_ALONE = regex(rb"[a-z]{3,9}(?: [a-z]{3,9}){3,7}")
_NOT_OF_A_TEST = regex(rb"\$?\d{1,4}(?:\D.*)?|[\d.,/]+%?|[A-Za-z_]+[\w.:\[\]-]*")
_OWNER = regex(
    rb"(?:default|db|user|wifi|wi-fi|admin|smtp|root|mail|e-?mail|ftp|sql|login|account|bind|ldap|redis|database|my)[ ]$",
    2,
)
_FIELDS = regex(rb"[^\r\n\"\\=,;{}<>]{4,128}?(?=[ ]{1,2}[\w.-]{1,40}=|[ \t]*(?:[\r\n\"\\]|$))")
_COMMAND_END = regex(rb"[\"'\\]{0,3}[ \t]{0,8}(?:$|[\r\n\\\"'`|;&>,\])#-]|[^\s]{0,60}[/.:=@_\d-])")


def assigned(data: bytes, match: re.Match[bytes]) -> Span | None:
    """The value behind a name, where both are those of a secret. ``match`` is that of ``NAMES`` in lower case."""
    head, before, kind = named(match, data)
    word, hit, close = match[0], match.start(), match["close"]
    if not kind or before.endswith(b"${") or _ARN.search(before):
        return None  # the default of a variable; the name of a secret
    if word in (b"auth", b"cred") and head[-1:].islower() and data[hit : hit + 1].islower():
        return None  # within another word: "oauth" is none that has a value
    if word == b"auth" and head.endswith(b".") and data[match.end("name") - 1 : match.end("name")] == b":":
        return None  # "com.google.auth:library"
    start, opened = match.end("name"), match["open"]
    end, began = min(len(data), start + REACH), hit - len(head)
    blank = match["blank"] is not None
    flag = blank and not close and head.startswith(b"-")
    env = blank and not close and before.endswith(_OF_ENV)
    passing = word == b"pass" and not match["rest"]
    if (passing and opened == b"`") or (blank and not (flag or env) and (kind not in _TOLD or passing)):
        return None  # "All tests pass: `make test`", "session 0x1234", "pass `x`"
    if match["tag"]:
        return _element(data, start, end, kind, match)
    low = max(0, began - 420)
    if close and (back := _REVERSED.search(data[low:began])):
        return _valued(data, low + back.start("value"), low + back.end("value"), kind)
    setting = match["argument"] and (_SETTER.search(data[max(0, began - 40) : began]) or head.startswith(b"-"))
    if match["argument"] and not (close and opened and setting):
        return None
    if flag:
        return _flag(data, start, end, opened, kind)
    if env and not opened:
        return _bare(data, match, head, start, end, kind)
    return _separated(data, match, head, kind, start, end)


def _separated(data: bytes, match: re.Match[bytes], head: bytes, kind: str, start: int, end: int) -> Span | None:
    """The value from ``start`` on, by what joins it to the name: a quote, a colon, a blank, the end of a line."""
    close, sep, opened, strict = match["close"], match["sep"], match["open"], kind != "password"
    blank = match["blank"] is not None
    if sep == b":" and not opened and (text := block(data, start)):
        value = (b"" if strict and kind != "mnemonic" else b" ").join(_LAYOUT.sub(b" ", data[slice(*text)]).split())
        return Span(*text, kind) if credible(value, kind, quoted=True) else None
    if opened:
        if blank and strict:
            return None
        return _valued(data, start, _closing(data, start, end, opened.lstrip(b"brfu")), kind)
    if blank:
        return _told(data, start, end, kind) if not close else None
    if close[-1:] == b'"' and sep == b":":  # a JSON key with a bare value
        number = _NUMBER.match(data, start, end)
        return Span(start, number.end(), kind, b'"') if number and not strict and close == b'"' else None
    if b"\n" in match["name"]:
        return _next_line(data, start, end, kind) if sep == b":" else None
    return _bare(data, match, head, start, end, kind)


def _valued(data: bytes, start: int, stop: int, kind: str) -> Span | None:
    """A value that stands where only a value can."""
    value = data[start:stop]
    fits = not value.startswith(b"[secret:") and credible(value, kind, quoted=True)
    return Span(start, stop, kind) if fits else None


def _text(pattern: re.Pattern[bytes], data: bytes, start: int, end: int) -> bytes:
    match = pattern.match(data, start, end)
    return match[0] if match else b""


def _flag(data: bytes, start: int, end: int, opened: bytes | None, kind: str) -> Span | None:
    """``--password VALUE``: a word of prose is none, so one must be followed by what follows in commands."""
    value = data[start : _closing(data, start, end, opened)] if opened else _text(_WHOLE, data, start, end)
    stop = start + len(value)
    if not value or (value.startswith(b"-") and not looks_random(value, 16)) or not credible(value, kind, quoted=True):
        return None
    if _PLAIN.fullmatch(value) and not (opened or _COMMAND_END.match(data, stop, stop + 80)):
        return None
    return None if _PLAIN.fullmatch(value) and value.isupper() else Span(start, stop, kind)


def _told(data: bytes, start: int, end: int, kind: str) -> Span | None:
    """ "the password is …": what cannot be a word of the sentence."""
    value = _text(_BARE, data, start, end).rstrip(b".!?:)")
    least = 16 if kind != "password" else 8
    return Span(start, start + len(value), kind) if looks_random(value, least) else None


def _bare(data: bytes, match: re.Match[bytes], head: bytes, start: int, end: int, kind: str) -> Span | None:
    """A value without quotes: of an environment, a log, YAML, a query, a connection string; not a variable of code."""
    blank = match["blank"] is not None
    began, separator = match.start() - len(head), match.start("blank" if blank else "sep")
    name, before = data[began:separator], data[max(0, began - 80) : began]
    owned = _OWNER.search(before[-10:]) is not None
    if name.rstrip().lower() == b"pass" and match["sep"] == b":" and not owned and _tested(data, start, end, name):
        return None
    first = began == 0 or _starts(before)
    tight = match["sep"] == b"=" and start == separator + 1 and not name.endswith((b" ", b"\t"))
    sure = first or b"_" in head or b"-" in head or owned
    listed = not sure and match["sep"] == b":" and before.endswith((b", ", b"; "))
    line = blank or (tight and name.isupper() and not _DECLARED.search(before))
    if (sure or tight or listed or kind in _PHRASED) and (span := _whole_line(data, start, end, kind, first, sure)):
        return span
    whole = line or (tight and (began == 0 or before.endswith(b"\n") or head.startswith(b"--")))
    for pattern in (_TO_END, _WHOLE if whole else _BARE):
        value = _text(pattern, data, start, end)
        if not line:
            value = value.rstrip(b".)]")
        behind = data[start + len(value) : start + len(value) + 2]
        own = (sure and _ends(behind)) or (listed and behind[:1] in (b"", b"\r", b"\n"))
        if not credible(value, kind, quoted=line) or _is_code(value, name, behind, kind):
            continue
        if kind != "password" or line or not _is_variable(value, name, behind, own, tight):
            return Span(start, start + len(value), kind)
    return None


def _is_code(value: bytes, name: bytes, behind: bytes, kind: str) -> bool:
    """Whether a value is a call, a path, or a member ("Token: req.SourceAuth.Token")."""
    if behind[:1] in (b"(", b"[", b"{") or value.startswith(b"://"):
        return True
    if name.endswith((b"PWD", b"pwd")) and value.startswith((b"/", b"~/", b"C:")):
        return True  # where a shell works
    return kind != "password" and _MEMBER.fullmatch(value) is not None


def _is_variable(value: bytes, name: bytes, behind: bytes, own: bool, tight: bool) -> bool:
    """Whether a word is a variable or a type rather than a password; ``own``: it stands where only values do."""
    if not _WORDS.fullmatch(value) or looks_random(value):
        return False
    if not (own and _own(value)) and _NAMELIKE.fullmatch(value) and (value[:1].isupper() or not tight):
        return True
    return behind[:1] in (b",", b")") or _PASS.search(value) is not None or value.lower() in name.lower()


def _tested(data: bytes, start: int, end: int, name: bytes) -> bool:
    """``PASS: test_a``, ``pass: 12``: the result of a test."""
    value = _text(_WHOLE, data, start, end)
    if not value or name.isupper():
        return True
    return not looks_random(value, 8) and _NOT_OF_A_TEST.fullmatch(value) is not None


def _ends(behind: bytes) -> bool:
    return behind[:1] in (b"", b"\r", b"\n", b"\\", b" ") and behind not in (b" =", b" |", b" ?")


def _own(value: bytes) -> bool:
    """Whether words are none of a schema or of code."""
    plain = _PLAIN.fullmatch(value) or _PHRASE.fullmatch(value)
    return bool(plain) and not is_label(value) and _HUMPS.fullmatch(value) is None


@lru_cache(1_024)
def _starts(before: bytes) -> bool:
    return _STARTS.search(before) is not None


def _next_line(data: bytes, start: int, end: int, kind: str) -> Span | None:
    """A scalar of YAML below its key."""
    value = _text(_LINE, data, start, end).rstrip()
    if b":" in value or (kind == "password" and not looks_random(value, 8)) or not credible(value, kind):
        return None
    return Span(start, start + len(value), kind)


def _whole_line(data: bytes, start: int, end: int, kind: str, first: bool, sure: bool) -> Span | None:
    """What ends with its line, or where the next ``name=`` begins: the only values that may have blanks or quotes."""
    if kind in _PHRASED and (words := _MNEMONIC.match(data, start, end)):
        return Span(start, words.end(), kind)
    value = _text(_LINE if first else _FIELDS, data, start, end).rstrip(b" \t\\")
    if value.endswith((b",", b";", b"{", b"(", b"[", b")", b"|")) or b" #" in value or b" =" in value:
        return None
    if b" " in value:
        phrase = credible(value, kind, quoted=True) if sure else _WORDS_ALONE.fullmatch(value) is not None
        fits = kind == "password" and (not first or b"=" not in value) and phrase
    else:
        code = _BARE.fullmatch(value) or (kind != "password" and _DOTTED.fullmatch(value))
        fits = first and not code and value[:1] not in b"\"'`" and credible(value, kind)
    return Span(start, start + len(value), kind) if fits else None


_KEYED = regex(rb"[\s\\](?:[a-z]{1,8}:)?(?:key|name|id|property|k|n)\s?=\s?\\{0,3}[\"'][\w.$-]*$", 2)


def _element(data: bytes, start: int, end: int, kind: str, match: re.Match[bytes]) -> Span | None:
    """``<password>…</password>``, ``<entry key="password">…</entry>``."""
    tag = match["tag"]
    if data[start : start + 9] == b"<![CDATA[":
        start += 9
        stop = data.find(b"]]>", start, end)
    else:
        stop = data.find(b"<", start, end)
        if data[stop : stop + 2] != b"</":
            return None
    keyed = match["close"] and _KEYED.search(data, max(0, match.start() - 80), match.start())
    within = keyed or b"/key" in tag or b"/name" in tag
    if stop <= start or not (within or match[0] in data[stop : data.find(b">", stop, stop + 80)].lower()):
        return None
    value = data[start:stop]
    return None if b"\\n" in value else _valued(data, start, stop, kind)


def _closing(data: bytes, start: int, end: int, quote: bytes) -> int:
    """Where the text opened by ``quote`` ends, ``quote`` being itself within texts of texts (``\\"``)."""
    depth = len(quote) - 1
    at = data.find(quote[-1:], start, end)
    while at >= 0:
        if quote in (b"'", b'"') and at > start and _CONTINUED.match(data, at):
            joint = data[at + 1 : at + 2]
            at = data.find(quote, at + _JOINTS.get(joint, 2), end)
            continue
        run = at
        while run > start and data[run - 1] == BACKSLASH:
            run -= 1
        behind = at - run
        if behind < depth:
            return run  # the text around it ends first
        if (behind - depth) % (2 * (depth + 1)) == 0:
            return at - depth
        at = data.find(quote[-1:], at + 1, end)
    return start + len(_text(_BARE, data, start, end))  # never closed


_CONTINUED = regex(rb"'\"'\"'|'\\''|''(?=[A-Za-z0-9])|\"\"(?=[A-Za-z0-9])")
"""Where a quoted text goes on: a quote in quotes of a shell, a doubled one."""

_JOINTS = {b'"': 5, b"\\": 4}
"""How long such a place is, by its second character; a doubled quote is two."""


@lru_cache(1_024)  # of text that repeats itself, the same value at each hit
def credible(value: bytes, kind: str, *, quoted: bool = False) -> bool:
    """Whether a value can be a secret of a kind. ``quoted``: it stands where only a value can, not code or prose."""
    if len(value) < SHORTEST or _NOT_A_SECRET.fullmatch(value):
        return False
    if kind in _PHRASED and (_MNEMONIC.fullmatch(value.strip().lower()) or _SEED.fullmatch(value)):
        return True
    if kind == "session":  # of a web server; the id of an agents' session opens no door
        random = looks_random(value, 16) and _TOKEN.fullmatch(value) is not None
        return random and _NAMED_SESSION.fullmatch(value) is None
    if kind == "credential" and is_basic(value):
        return True
    if kind != "password":
        return _random(value)
    if value.isspace() or b"\n" in value or b"\t" in value:
        return False
    if b" " in value:
        return quoted and _is_phrase(value)
    if not quoted:
        return True
    code = is_label(value) or b"." in value
    return not (code and _WORDS.fullmatch(value) and not looks_random(value))


def _random(value: bytes) -> bool:
    value = value.removeprefix(b"base64:")
    if _HEX.fullmatch(value) or (_BASE32.fullmatch(value) and bits(value) >= CODE_BITS):
        return True
    salt = len(value) in SALT and b"\\n" not in value and len(_SYMBOL.findall(value)) * 8 >= len(value)
    if b" " in value and not salt:
        return False
    if b"://" in value or _ADDRESS.fullmatch(value) or not looks_random(value):
        return False
    return value.count(b"/") < SLASHES or bits(value) >= BASE64_BITS


def is_label(value: bytes) -> bool:
    """A type, a constant or a translation of "password"."""
    return (_LABEL.fullmatch(value) or _PASS.search(value)) is not None


def is_placeholder(value: bytes) -> bool:
    """What stands for a secret, or is none in its place: ``***``, ``${VAR}``, ``null``, ``string``."""
    return _NOT_A_SECRET.fullmatch(value) is not None


def is_basic(value: bytes) -> bool:
    """Base64 of ``user:password``."""
    import base64

    try:
        decoded = base64.b64decode(value + b"=" * (-len(value) % 4), validate=True) if len(value) >= BASIC else b""
    except ValueError:
        return False
    return b":" in decoded and decoded.isascii() and decoded.decode().isprintable()


def is_word(value: bytes) -> bool:
    """Words, joined as in names."""
    return _WORDS.fullmatch(value) is not None


_HEX = regex(rb"0x[0-9a-fA-F]{40,128}|(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{32,128}")
_ADDRESS = regex(rb"0x[0-9a-fA-F]+")
_BASE32 = regex(rb"(?=[A-Z]*[2-7])(?:[A-Z2-7]{16,128}={0,6}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4})")
_SEED = regex(rb"[A-Z2-7]{16,128}={0,6}|[a-z2-7]{16,128}={0,6}|(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{4}")
_SYMBOL = regex(rb"[^A-Za-z0-9\s]")
_TOKEN = regex(rb"[\w%.:+/=~*$!-]+")
_NAMED_SESSION = regex(
    rb"0x.*|(?:[a-z]+_?\d{0,4}|\d+|[0-9a-f]{1,12})(?:[-_.:](?>(?:[a-z]+\d{0,4}|\d+|[0-9a-f]{1,12})(?![^-_.:])))+", 2
)
"""Dates, words, numbers and UUIDs: what agents and tests name their sessions by."""

_MNEMONIC = regex(rb"(?:[a-z]{3,8}(?:%20|[ ,_+-]{1,2})){11,23}[a-z]{3,8}")  # 12 to 24 short words, as wallets have


def _is_phrase(value: bytes) -> bool:
    """A password with blanks, not a label, a message or a piece of code."""
    words = value.split()
    letters = all(word.isalpha() for word in value.rstrip(b"?!.:").split())
    if len(words) not in PHRASE or _SENTENCE.search(value) or (letters and not words[-1].isalpha()):
        return False
    return not letters or (len(words) >= PLAIN_WORDS and value.islower()) or len(words) > PLAIN_WORDS
