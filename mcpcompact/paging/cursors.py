"""Cursors: where the next page or chunk begins, in at most 16 tokens that only this results directory can read.

A cursor is ``c`` and 45 digits. Digits cost one token per three in cl100k and o200k, so that is 16 tokens always; they
need no quoting in a shell, and the letter keeps JSON writers from making a number of them. Inside are 149 bits: a tag
of 42 (HMAC-SHA-256 over all the rest, the options included) and 107 encrypted under it (the construction of RFC 5297,
"synthetic IV"), which say the snapshot (40 bits of its SHA-256), the position (44) and the second at which the cursor
expires (22, its upper bits are in the tag). Nothing is kept on disk but the key.
"""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from mcpcompact.config import CURSOR_TTL, LONGEST_CURSOR_TTL, state_dir
from mcpcompact.errors import CannotReadError, UsageError
from mcpcompact.inputs import is_url
from mcpcompact.patterns import regex
from mcpcompact.results import Store
from mcpcompact.results.keys import SIZE, make_key, read_key
from mcpcompact.results.layout import cannot_write

VALID_FORM = "a cursor is the letter c and 45 digits, copied whole from nextCursor and used with the same options"
START_OVER = f"{VALID_FORM}; start over without a cursor"

_KEY_FILE = ".cursor-key"
_DIGITS = 45
_TAG, _ID, _POSITION, _EXPIRY = 42, 41, 44, 22  # bits; an id's length shows in a leading 1
_BODY = _ID + _POSITION + _EXPIRY
_NEVER = (1 << _EXPIRY) - 1
_PAST = 12 * 86_400  # _NEVER seconds are 48 days: 12 back, 36 ahead; older cursors have a tag of another time
_FORM = regex(rf"c[0-9]{{{_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class Opened:
    """What a cursor said. ``id`` is 8 to 10 hex digits: ``ResultStore.find`` takes it. ``forever``: does not expire."""

    id: str
    position: int
    forever: bool


class Cursors:
    """Issues and opens the cursors of one results directory (a ``ResultStore`` or its path).

    ``ttl`` is how many seconds an issued cursor is valid, 0 for ever, at most 30 days. The key is made with the first
    cursor; without it, all cursors of the directory are refused.
    """

    def __init__(
        self, store: Store | str | os.PathLike[str], *, ttl: int = CURSOR_TTL, clock: Callable[[], float] = time.time
    ) -> None:
        if not 0 <= ttl <= LONGEST_CURSOR_TTL:
            raise UsageError(
                f"a cursor cannot be valid for {ttl:,} seconds",
                hint=f"give 1 to {LONGEST_CURSOR_TTL:,} (30 days), or 0 for no expiry",
            )
        directory = os.fspath(store if isinstance(store, (str, os.PathLike)) else store.directory)
        self.directory = state_dir() if is_url(directory) else directory  # a key is no object to be shared
        self.ttl = ttl
        self._clock = clock
        self._key = b""

    def issue(self, id: str, position: int, options: str) -> str:
        """A cursor for ``position`` (below 2**44) in the snapshot ``id`` (its SHA-256, or 8 or more hex of it).

        ``options`` is everything that must not change between pages, always spelled the same way.
        """
        if not 0 <= position < 1 << _POSITION:
            raise UsageError(f"position {position:,} is beyond what a cursor can hold")
        expires = int(self._clock()) + self.ttl + 1 if self.ttl else -1
        stamp = _NEVER if expires < 0 else expires % _NEVER
        body = (int(f"1{id[:10]}", 16) << _POSITION | position) << _EXPIRY | stamp
        key = self._key or self._made_key()
        tag = _tag(key, body, expires, options)
        return f"c{tag << _BODY | body ^ _mask(key, tag):0{_DIGITS}}"

    def open(self, text: str, options: str) -> Opened:
        """What the cursor ``text`` says; white space in it is passed over.

        Raises ``UsageError`` for anything but a cursor issued here, for these options, and not expired.
        """
        text = "".join(text.split())
        key = self._key or self._read_key() or b"\0" * SIZE
        number = int(text[1:]) if _FORM.fullmatch(text) else 1 << (_TAG + _BODY)
        tag, hidden = number >> _BODY, number & ((1 << _BODY) - 1)
        body = hidden ^ _mask(key, tag)
        stamp = body & _NEVER
        now = int(self._clock())
        least = now - _PAST
        expires = -1 if stamp == _NEVER else least + (stamp - least) % _NEVER
        due = _tag(key, body, expires, options)
        good = hmac.compare_digest(due.to_bytes(16, "big"), tag.to_bytes(16, "big"))
        if not good or not self._key:
            raise UsageError(
                "this cursor is not valid here: it is incomplete, or belongs to other options or content",
                hint=START_OVER,
            )
        if 0 <= expires <= now:
            raise UsageError("this cursor has expired", hint=START_OVER)
        id = f"{body >> (_POSITION + _EXPIRY):x}"[1:]
        return Opened(id, body >> _EXPIRY & ((1 << _POSITION) - 1), expires < 0)

    def _read_key(self) -> bytes:
        """The key, empty where there is none yet."""
        try:
            self._key = read_key(os.path.join(self.directory, _KEY_FILE))
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise CannotReadError(f"the cursor key cannot be read: {error.strerror}") from error
        if not self._key:
            raise CannotReadError(
                f"the key of the cursors is damaged ({_KEY_FILE} in the results directory)",
                hint="remove it and start over",
            )
        return self._key

    def _made_key(self) -> bytes:
        """The key, made where there is none: of many first writers one wins, and all use its key."""
        try:
            make_key(os.path.join(self.directory, _KEY_FILE))
        except OSError as error:
            raise cannot_write(self.directory, error) from error
        return self._read_key()


def _tag(key: bytes, body: int, expires: int, options: str) -> int:
    return _bits(key, f"tag {body} {expires} {options}", _TAG)


def _mask(key: bytes, tag: int) -> int:
    return _bits(key, f"mask {tag}", _BODY)


def _bits(key: bytes, text: str, bits: int) -> int:
    digest = hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256")
    return int.from_bytes(digest, "big") >> (256 - bits)
