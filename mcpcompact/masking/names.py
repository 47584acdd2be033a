"""What names a secret, and what stands between a name and its value, in whatever carries both.

One list of words: ``NAMES`` finds them in running text together with what follows, ``kind_of`` judges a name that stands
alone: the head of a column, the key of a pair.
"""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

import re
from functools import lru_cache

from mcpcompact.patterns import regex

_WORDS = (
    b"pass pwd pw kennwort contrase senha secret token key auth cred sess sid mnemonic seed salt phrase otp".split()
)
_ENDINGS = dict.fromkeys(_WORDS, b"") | {
    b"pass": rb"(?:word|wd|phrase|code|wort|key)?",
    b"contrase": rb"(?:n|\xc3\xb1|\\u00f1)a",
    b"cred": rb"(?:ential)?s?",
    b"sess": rb"(?:ion)?(?:[ ._-]?(?:id|key|cookie))?",
    b"mnemonic": rb"(?:[ ._-]?(?:phrase|words?))?",
    b"seed": rb"(?:[ ._-]?(?:phrase|words?|key))?",
    b"otp": rb"(?:[ _-]?(?:seed|key))?",
}
_MORE = (
    rb"(?:[ _-]?(?:value|plain(?:text)?|text|raw|data)|[ ._-]?(?:base64|b64|base|prod|dev|test|staging|live|old|new|primary"
    rb"|secondary|current|confirm(?:ation)?))?[_-]?\d{0,2}"
)
Q = rb"\\{0,7}[\"'`]"  # a quote: as it is, and escaped in a text of a text

_VALUE_KEY = rb"(?:string_?|default_?|secret_?|plain_?text_?)?(?:value|val|content|data)s?(?:from)?"  # of {"name": …, "value": …}
_BETWEEN = (
    rb"(?:[\s,]{0,40}+@Q?[a-z_]{1,20}+@Q?[ \t]{0,8}+[:=][ \t]{0,8}+(?:@Q[^\"'\\\n]{0,40}@Q|[a-z0-9.]{1,20})){0,3}?"
)
_BETWEEN = _BETWEEN.replace(b"@Q", Q)
JOIN = (
    rb"(?:[ \t]{0,8}(?P<sep>=>|:=|=(?!=)|:(?!:))"
    rb"|(?P<pair>" + _BETWEEN + rb"[,;]?(?:\s|\\[nrt]){0,40}(?:- )?" + Q + rb"?" + _VALUE_KEY + Q + rb"?[ \t]{0,8}[:=])"
    rb"|(?P<tag>(?:\s(?:[\w:.-]{1,40}=[^<>\n]{0,120})?)?(?<!/)>(?:\s{0,8}</(?:key|name)>\s{0,40}<(?:string|value)>)?)"
    rb"|(?P<argument>\s{0,8},\s{0,40}(?=[brfu]{0,2}" + Q + rb"))"
    rb"|(?P<blank>[ \t]{1,4}(?:(?:is|was|of|to|now|set|has been|(?:re)?set to|changed to)[ :]{1,2}){0,2}"
    rb"(?=" + Q + rb"|[^\s\"'`\\,;&<>(){}|]{4})))"
    rb"\s{0,40}(?P<open>[brfu]{0,2}" + Q + rb")?"
)
"""What joins a name and its value, and the quote that opens the value."""


def _name(word: bytes, ending: bytes) -> re.Pattern[bytes]:
    rest = rb"(?=(?P<name>(?P<rest>" + ending + _MORE + rb")(?![a-z0-9_])(?P<close>" + Q + rb"?)\]?"
    return regex(word + rest + JOIN + rb"))")


NAMES = {word: _name(word, ending) for word, ending in _ENDINGS.items()}
"""What a name of a secret holds, for lower-case text: a keyword, and a look at its end and what joins it to the value."""

_WHOLE = regex(
    rb"(?P<head>.*?)(?P<word>"
    + rb"|".join(word + rb"(?=" + ending + _MORE + rb"$)" for word, ending in _ENDINGS.items())
    + rb").*"
)
LONGEST = 64  # bytes of a name
NAMING = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-"  # the bytes of names

_QUALIFIED = regex(
    rb"(?:api|access|secret|priv(?:ate)?|sign(?:ing|ature)?|encrypt(?:ion)?|decrypt(?:ion)?|account|master|auth|shared|storage"
    rb"|service|app(?:lication)?|subscription|admin|deploy|licen[sc]e|session|client|consumer|server|write|ingest(?:ion)?|hmac"
    rb"|aes|cipher|webhook|jwt|ssh|db|push|stream|dd|datadog|maps?|stripe|openai|sendgrid|algolia|totp|2fa|mfa|root|wallet"
    rb"|ethereum|eth|tls|ssl|vapid|gpg|pgp|wpa|wifi|psk|user|recovery|cookie|fernet|data(?:base)?|kms|kek|dek|crypto|backup|nacl|identity|vault|unseal|redis|mongo|logged_in|nonce|field|age|bot|api_secret|cdn|smtp|mail|sms|payment|merchant|github|gitlab|azure|gcp|google|aws|anthropic|slack|twilio)[ _.-]?$",
    2,
)
_PUBLIC = regex(
    rb"(?:(?i:public)[_-]?(?i:key)?|(?i:hash(?:ed)?|encrypted|cancellation|forgot|reset|origin_?trial)"
    rb"|(?:(?<![A-Za-z])(?:[Nn]ext|[Pp]age|[Mm]ax|[Mm]in|[Nn]um|[Tt]otal|[Bb]ad|[Ww]rong|[Nn]o|n)|(?<=[a-z])(?:Next|Page|Max|Min|Num|Total)|(?-i:NEXT|MAX|PAGE)))[_-]?$"
)
_SHORT = regex(
    rb"(?:^|[^a-z]|[a-z]_|bind|root|user|admin|db|my|ldap|mail|smtp|ftp|sql|new|old|[mt2]fa|factor|wallet|master)$", 2
)
_KINDS = {
    b"secret": "secret", b"token": "token", b"key": "key", b"auth": "credential", b"cred": "credential",
    b"sess": "session", b"sid": "session", b"mnemonic": "mnemonic", b"seed": "seed", b"otp": "seed", b"salt": "salt", b"phrase": "mnemonic",
}  # fmt: skip


_PHRASES = (b"recovery", b"backup", b"secret", b"wallet")
_NO_PASS = (b"by", b"com", b"sur", b"tres", b"over", b"under", b"en")  # bypass, compass, encompass


@lru_cache(4_096)  # names are few
def kind(word: bytes, head: bytes, before: bytes = b"") -> str:
    """The kind of secret that a name with ``word`` behind ``head`` says, "" for none; ``before`` stands before it."""
    low = head.lower()
    if _PUBLIC.search(head) or (word == b"key" and not _QUALIFIED.search(head or before)):
        return ""
    if word in (b"pw", b"sid", b"otp", b"seed", b"senha") and not _SHORT.search(head):
        return ""
    if word == b"phrase" and not (low or before.lower()).rstrip(b" ._-").endswith(_PHRASES):
        return ""
    if word == b"cred" and (low or before.lower()).rstrip(b" ._-").endswith(b"bind"):
        return "password"
    if word == b"pass" and head[-1:].islower() and low.endswith(_NO_PASS):
        return ""
    if b"otp" in low or b"2fa" in low or b"mfa" in low:
        return "seed"
    return "password" if b"pass" in low or b"pwd" in low else _KINDS.get(word, "password")


def kind_of(name: bytes) -> str:
    """The kind of secret that a whole name says, "" for none: ``DB Password``, ``api_key``; not ``token_count``."""
    text = name.strip(b" \t\"'`*").replace(b" ", b"_")
    match = _WHOLE.fullmatch(text.lower()) if len(text) <= LONGEST else None
    if match is None:
        return ""
    head, word = text[: match.end("head")], match["word"]
    if word in (b"auth", b"cred") and head[-1:].islower():
        return ""
    return kind(word, head)


def named(match: re.Match[bytes], data: bytes) -> tuple[bytes, bytes, str]:
    """Of a match of ``NAMES``: what stands before its word in the name, before the name, and the kind ("" for none)."""
    hit = match.start()
    before = data[max(0, hit - LONGEST) : hit]
    head = before[len(before.rstrip(NAMING)) :]
    before = before[: len(before) - len(head)]
    return head, before, kind(match[0], head, before[-16:])
