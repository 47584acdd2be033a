"""Headers, cookies, URLs and commands: secrets that stand in a place made for them."""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mcpcompact.masking.assignments import REACH, credible, is_basic, is_placeholder, is_word
from mcpcompact.masking.names import JOIN, Q
from mcpcompact.masking.spans import Span, bits, looks_random
from mcpcompact.patterns import regex

SURE, SURE_BITS = 12, 2.5
"""Characters, and bits a byte, from which what stands behind a scheme is no word of prose."""
CRUMB = 6  # characters of a cookie that may open a session

_HEADER = regex(
    rb"(?:authorization(?:"
    + Q
    + rb"?\]?"
    + JOIN
    + rb")?|bearer|basic)(?<![A-Za-z](?=[\w-]))[\"'\\]{0,9}[:=]{0,2}\s{0,4}[\"'\\]{0,9}"
    rb"(?:(?P<scheme>bearer|basic|token|apikey|api-key|bot|negotiate|splunk|ssws|digest)[ :=+]{1,3})?"
    rb"(?P<value>(?!\[secret:)[A-Za-z0-9+/_.~=%!@#^*$?-]{8,2000})",
    2,
)
_COOKIE = regex(
    rb"(?:set[-_]?)?cookies?(?:header|value|string|s)?@Q?\]?@JOIN(?:[^=;\"'\s]{1,40}: )?(?=[\w.-]{1,64}=)".replace(
        b"@Q", Q
    ).replace(b"@JOIN", JOIN),
    2,
)
_CRUMB = regex(rb"(?P<name>[A-Za-z0-9_.-]{1,64})=(?P<value>(?!\[secret:)[^\s;,\"'\\]{0,1000})(?P<next>[;,]?)[ ]{0,2}")
_CRUMB_NAME = regex(rb"sess|sid$|token|auth|csrf|xsrf|jwt|login|remember|secret|^id$|\.id$", 2)
_CRUMB_PLAIN = regex(rb"expires|max-age|path|domain|samesite|priority|version", 2)
_WORDS = regex(rb"(?:[A-Za-z]+|\d{1,4})(?:[-_.:](?:[A-Za-z]+|\d{1,4}))*")
_USERINFO = regex(
    rb"://(?P<user>[^\s:/@\"'<>\\?#]{0,128}):(?P<password>(?!\[secret:)[^\s@\"'<>\\]{1,256})@(?=[\w\[%$.-])"
)
_PORT = regex(rb"\d{0,5}/")
_USER = regex(rb"://(?P<token>[A-Za-z0-9_-]{20,128})@(?=[\w.-])")
_SIGNATURE = regex(rb"(?<![a-z0-9])(?:sig|signature)=(?P<value>[A-Za-z0-9%+/_-]{24,200}(?:={1,2}|%3D)*)", 2)
_SPACE = rb"(?:[ \t]|\\[rnt]|\\?\r?\n)"
_WORD = rb"(?P<quote>\\{0,3}[\"'])?(?P<value>(?!\[secret:)(?(quote)(?:[^\"'\\\r\n]|\\[^\"'nr]){1,128}|[^\s\"'\\;|&<>,]{1,128}))"
_COMMANDS = {
    # command -> what stands before its password
    b"curl ": rb"(?:-u|--user|--proxy-user|-U)[ =]?[\"'\\]{0,3}[^\s:\"'\\]{1,64}:",
    b"mysql": rb"-p",
    b"mariadb": rb"-p",
    b"redis-cli": rb"(?:-a|--pass)[ =]",
    b"sshpass": rb"-p ?",
    b"login ": rb"-p ?",
    b"mongo": rb"-p ",
    b"ldap": rb"-w ",
    b"sqlcmd": rb"-P ?",
    b"bcp ": rb"-P ?",
    b"openssl ": rb"-pass(?:in|out)?[ ][\"'\\]{0,3}pass:",
    b"zip ": rb"-P ?",
    b"7z ": rb"-p",
    b"smbclient": rb"-U ?[\"'\\]{0,3}[^\s%\"']{1,64}%",
    b"htpasswd ": rb"-[a-zA-Z]*b[a-zA-Z]* (?:\S{1,200} )?\S{1,64} ",
    b"rabbitmqctl ": rb"(?:add_user|change_password|authenticate_user) \S{1,64} ",
    b"xfreerdp ": rb"/p:",
}
_SQL = regex(
    rb"identified (?:with [\w\"'\\]{1,40} (?:by|as)|by) (?:password )?(?:values )?(?P<open>"
    + Q
    + rb")(?P<value>(?:(?!(?P=open))[^\r\n]){4,128})(?P=open)",
    2,
)
_NETRC = regex(
    rb"machine@S[^\s\\]{1,253}@S(?:(?:login|account)@S[^\s\\]{1,64}@S){0,2}password@S(?P<value>[^\s\"'\\]{3,128})".replace(
        b"@S", _SPACE + b"{1,8}"
    )
)
_PGPASS = regex(
    rb"(?P<line>(?<![\w.-])[\w.*-]{1,253}:(?:\d{2,5}|\*):[\w*-]{1,63}:[\w.*@-]{1,63}:)(?P<value>(?!\[secret:|[\d:]*[\s\"'])(?:[^\s:\"'\\<>|,]|\\\\?:){4,128})"
)
_HOST = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.*-"
_OTP = regex(rb"otpauth://[^\s\"'<>]{0,300}?[?&;]secret=(?P<value>[A-Z2-7]{8,128})", 2)
_PROSE = regex(
    rb"(?:pass(?:word|phrase|code)|passwd)[ ]{1,2}(?:(?:for|of|on) (?:the )?(?:user |account |host )?[^\s,;]{1,64} )?"
    rb"(?:is|was|will be|=|(?:has been |was |is )?(?:now )?(?:re)?(?:set|changed) to|to)(?: now)?[: ]{1,2}(?P<quote>\\{0,3}[\"'`])?(?P<value>(?(quote)[^\"'`\\\r\n]{4,64}|[^\s\"'`\\<>(){}|]{4,64}))",
    2,
)
_PROSAIC = regex(rb"[A-Z]*[a-z'-]+(?:[A-Z][a-z]{2,})*[A-Z]*|[A-Z'-]+|[\d.,]+%?|\S*\.(?:[a-z]{2,4})")


def fields() -> dict[bytes, Callable[[bytes, int], Iterator[Span]]]:
    """What else is looked for, by its keyword in lower case."""
    return {
        **dict.fromkeys((b"authorization", b"bearer ", b"basic "), _header),
        b"cookie": _cookies,
        b"://": _url,
        **dict.fromkeys((b"sig=", b"signature="), _one(_SIGNATURE, "signature")),
        b"identified ": _one(_SQL, "password"),
        b"machine": _one(_NETRC, "password"),
        b"otpauth": _one(_OTP, "seed"),
        **dict.fromkeys((b":543", b":*:", b":6432:"), _pgpass),
        **dict.fromkeys((b"password ", b"passwd ", b"passphrase ", b"passcode "), _prose),
        **{command: _command(command, before) for command, before in _COMMANDS.items()},
    }


def _one(pattern: re.Pattern[bytes], kind: str) -> Callable[[bytes, int], Iterator[Span]]:
    def look(data: bytes, hit: int) -> Iterator[Span]:
        match = pattern.match(data, hit, hit + REACH)
        if match and not match["value"].startswith(b"[secret:") and not is_placeholder(match["value"]):
            yield Span(match.start("value"), match.end("value"), kind)

    return look


def _command(name: bytes, before: bytes) -> Callable[[bytes, int], Iterator[Span]]:
    near = rb"" if name.endswith(b" ") else rb"[\w-]{0,16}\s"
    return _one(regex(rb"(?<![A-Za-z0-9])" + name + near + rb"(?:[^\n|;]{0,200}?\s)??" + before + _WORD), "password")


def _pgpass(data: bytes, hit: int) -> Iterator[Span]:
    """A line of ``.pgpass``: host, port, database, user and password; the hit is before the port or the database."""
    start = hit
    for _ in range(2):
        before = data[max(0, start - 253) : start]
        start -= len(before) - len(before.rstrip(_HOST))
        if match := _PGPASS.match(data, start, hit + REACH):
            yield Span(*match.span("value"), "password")
            return
        start -= 1
        if data[start : start + 1] != b":":
            return


def _prose(data: bytes, hit: int) -> Iterator[Span]:
    """ "the password for bob is …": quoted, or not a word of the sentence."""
    match = _PROSE.match(data, hit, hit + 256)
    if match is None:
        return
    value = match["value"] if match["quote"] else match["value"].rstrip(b".,!?;:")
    if credible(value, "password", quoted=True) and (match["quote"] or not _PROSAIC.fullmatch(value)):
        yield Span(match.start("value"), match.start("value") + len(value), "password")


def _header(data: bytes, hit: int) -> Iterator[Span]:
    match = _HEADER.match(data, hit, hit + 2_200)
    if match is None:
        return
    value, scheme = match["value"].rstrip(b"."), (match["scheme"] or b"").lower()
    named = data[hit : hit + 13].lower() == b"authorization"
    word = scheme or data[hit : hit + 6].lower().strip()
    # "Basic authentication", "Bearer tokens": prose; what has no scheme must look like chance
    if word == b"basic" and not named:
        sure = len(value) >= SURE and is_basic(value)
    else:
        declared = bool(scheme) and named and len(value) >= SURE
        sure = looks_random(value) or (declared and bits(value) >= SURE_BITS and not is_word(value))
    if not is_placeholder(value) and (sure or (word == b"basic" and is_basic(value))):
        kind = {b"bearer": "bearer", b"basic": "basic-auth"}.get(word, "authorization")
        yield Span(match.start("value"), match.start("value") + len(value), kind)


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
        plain = _CRUMB_PLAIN.fullmatch(name) or _WORDS.fullmatch(value) or value.startswith((b"$", b"{", b"<"))
        if not plain and ((named and len(value) >= CRUMB and not is_word(value)) or looks_random(value, 16)):
            yield Span(*crumb.span("value"), "cookie")
        if not crumb["next"]:
            return
        first = False


def _url(data: bytes, hit: int) -> Iterator[Span]:
    if not data[hit - 1 : hit].isalnum():
        return
    end = min(len(data), hit + REACH)
    match = _USERINFO.match(data, hit, end)
    if match:
        value = match["password"]
        if match["user"] and looks_random(match["user"], 20) and value in (b"x-oauth-basic", b"x"):
            yield Span(*match.span("user"), "url-token")
        elif not is_placeholder(value) and not _PORT.match(value):
            yield Span(*match.span("password"), "url-password")
        return
    token = _USER.match(data, hit, end)
    if token and looks_random(token["token"], 20):
        yield Span(*token.span("token"), "url-token")
