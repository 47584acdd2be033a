"""Bytes to text: what a content type reads (``Source``), and the bounded look that detection takes (``Sample``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

LARGE = 64 * 1024 * 1024  # above this many bytes a source is streamed: ``Source.text`` must not be asked for
BLOCK = 4 * 1024 * 1024  # bytes a block when streaming
LOOK = 65_536  # bytes by which the encoding is told
_CONTINUED = 0x80  # of bytes of UTF-8 behind a first one, the two highest bits
LONG = 2_000  # characters: a longer line is not read by line offsets


class Source:
    """The payload of one tool result: bytes in memory, or a file read in blocks when large.

    ``data`` and ``text`` read the whole payload and are for content of at most ``LARGE`` bytes;
    ``blocks`` serves both. Text is UTF-8 (a byte-order mark is dropped; UTF-16 with a mark is
    decoded), invalid bytes are shown as U+FFFD: the exact bytes are in the store.
    """

    masked: Mapping[str, int] | None = None  # secrets replaced by kind, once the bytes went through a masker

    def __init__(self, data: bytes | None = None, *, path: str | None = None, size: int | None = None) -> None:
        if (data is None) == (path is None):
            raise ValueError("a Source has either data or a path")
        self._data = data
        self._text: str | None = None
        self.path = path
        if data is not None:
            self.size = len(data)
        else:
            import os

            self.size = os.stat(path).st_size if size is None else size  # type: ignore[arg-type]

    @classmethod
    def of_text(cls, text: str) -> Source:
        """A source of a text in memory."""
        source = cls(text.encode("utf-8", "surrogatepass"))
        source._text = text
        return source

    @property
    def large(self) -> bool:
        """A file of more than ``LARGE`` bytes, to be read by ``blocks``."""
        return self._data is None and self.size > LARGE

    @property
    def data(self) -> bytes:
        """All bytes."""
        data = self._data
        if data is None:
            with open(self.path, "rb") as stream:  # type: ignore[arg-type]
                self._data = data = stream.read()
        return data

    @property
    def text(self) -> str:
        """All of it as text."""
        if self._text is None:
            self._text = decode(self.data)
        return self._text

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``start:end``; short at the end of the payload."""
        if self._data is not None:
            return self._data[start:end]
        with open(self.path, "rb") as stream:  # type: ignore[arg-type]
            stream.seek(start)
            data: bytes = stream.read(max(0, end - start))
            return data

    def chunks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Consecutive bytes, ``size`` at a time, wherever that cuts."""
        if self._data is not None:
            yield from (self._data[start : start + size] for start in range(0, self.size, size))
            return
        with open(self.path, "rb", buffering=0) as stream:  # type: ignore[arg-type]
            while chunk := stream.read(size):
                yield chunk

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Consecutive blocks of about ``size`` bytes, each but the last ending after a newline where one is near."""
        return _cut_blocks(self.chunks(size) if self._data is None else iter((self._data,)), size)


def _cut_blocks(chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Re-cut chunks after newlines. A line longer than 16 blocks is cut hard, so memory stays bounded."""
    rest = b""
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if cut and len(chunk) <= size and len(rest) < size:  # the usual case: one copy
            yield b"".join((rest, memoryview(chunk)[:cut]))
            rest = chunk[cut:]
            continue
        data = rest + chunk if rest else chunk
        start = 0
        while len(data) - start > size:
            cut = data.rfind(b"\n", start, start + size) + 1
            if cut <= start:
                cut = data.find(b"\n", start + size, start + 16 * size) + 1 or min(len(data), start + 16 * size)
                if cut == len(data) and len(data) - start < 16 * size:
                    break
            yield data[start:cut]
            start = cut
        cut = data.rfind(b"\n", start) + 1
        if cut > start and len(data) - start >= size:
            yield data[start:cut]
            start = cut
        rest = data[start:]
    if rest:
        yield rest


def decode(data: bytes) -> str:
    """Bytes to text, never raising: UTF-8, UTF-16 by its mark, invalid bytes replaced."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
    return data.decode("utf-8", "replace")


def before_cut(data: bytes, at: int) -> int:
    """``at``, or where the character of UTF-8 begins that a cut there would break."""
    for _ in range(3):  # bytes behind its first one
        at -= at < len(data) and at > 0 and data[at] & 0xC0 == _CONTINUED
    return at


def as_utf8(source: Source) -> Source:
    """The source itself, or its text as UTF-8 where it is UTF-16 with a mark."""
    return Source.of_text(source.text) if source.read(0, 2) in (b"\xff\xfe", b"\xfe\xff") else source


def split_lines(text: str) -> list[str]:
    """Lines by ``\\n`` alone, a final ``\\r`` stripped; a final newline opens no further line.

    ``str.splitlines`` would also split at form feeds and U+2028 and shift every anchor behind them.
    """
    if not text:
        return []
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if "\r" in text:
        lines = [line[:-1] if line.endswith("\r") else line for line in lines]
    return lines


class Sample:
    """A bounded look at an input, for detection: at most the first 64 KB and the last 16 KB. ``claimed`` is the best
    score of the types that were asked: what is below it need not be looked for; ``named`` tells the language of the
    file that the call names, '' where it names none."""

    HEAD, TAIL = 65_536, 16_384

    def __init__(self, source: Source) -> None:
        self.size, self.claimed = source.size, 0.0
        self.named: Callable[[], str] = str
        self.whole = source.size <= self.HEAD
        self.raw = source.read(0, self.HEAD)
        self.head = decode(self.raw)
        if not self.whole and self.head.endswith("\ufffd"):
            self.head = self.head.rstrip("\ufffd")
        self.tail = "" if self.whole else decode(source.read(max(self.HEAD, source.size - self.TAIL), source.size))
        lines = split_lines(self.head)
        if not self.whole and len(lines) > 1 and not self.head.endswith("\n"):
            lines.pop()  # the last one may be cut
        self.lines: list[str] = lines


def begins_in_ascii(source: Source) -> bool:
    """Whether no other encoding comes into question: decided by what is read first. A legacy byte behind it is shown
    replaced, and is in the store."""
    raw = source.read(0, LOOK)
    return raw.isascii() and b"\0" not in raw


def has_long_line(data: bytes) -> bool:
    """Whether some line has more than ``LONG`` characters; looks at about every 2,000th byte."""
    position, size = 0, len(data)
    while size - position > LONG:
        newline = data.rfind(b"\n", position, position + LONG + 1)
        if newline >= 0:
            position = newline + 1
            continue
        end = data.find(b"\n", position, position + 4 * LONG + 4)
        line = data[position : end if end >= 0 else position + 4 * LONG + 4]
        if len(line.decode("utf-8", "replace")) > LONG:
            return True
        position = end + 1 if end >= 0 else position + len(line)
    return False
