"""Writing a recorded session back in its own format, with other texts in its results."""

from __future__ import annotations

import errno
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcpcompact.errors import CannotWriteError
from mcpcompact.transcripts.document import BOM, Document
from mcpcompact.transcripts.model import Place, Result, Step
from mcpcompact.transcripts.packed import packing
from mcpcompact.transcripts.rounds import HOSTS, Cut, Host, element

MAX_TRIED = 1 << 23  # characters of a JSON text up to which its style is found by trying

Path = tuple[Step, ...]
Edits = dict[int, list[tuple[Sequence[Place], str]]]  # of each result, by its number: where it stands, its new text


@dataclass(slots=True)
class Emitted:
    """``replaced`` results hold their new text; ``left`` ones could not be rewritten (their text does not stand in the
    file as such) and are as they were."""

    replaced: int = 0
    left: int = 0


def emit(
    document_path: str, replacements: Iterable[tuple[Result, str]], out_path: str, cuts: Sequence[Cut] = ()
) -> Emitted:
    """Write the transcript file (or directory) again, with the texts of these results replaced, and a summary for the
    older messages of each of ``cuts``.

    Of JSON lines only those that change are dumped anew, in their own style; all others stay byte for byte. A JSON
    document is dumped anew in its own style, everything else in it equal by value. Of a result in several blocks the
    first takes the text and the others go. What the host keeps beside a result for its own screen is not touched.
    Raises ``CannotWriteError``; ``out_path`` is complete or as it was.
    """
    document = Document(document_path)
    packed = bool(packing(document.raw))  # what a place says is of the plain copy
    edits: dict[int, dict[int, Edits]] = {}  # by file and record
    done = Emitted()
    for number, (result, text) in enumerate(replacements):
        if text == result.text:
            continue
        if not result.places or packed:
            done.left += 1
            continue
        for places in (result.places, *result.copies):
            for file, record in sorted({(place.file, place.record) for place in places}):
                here = [place for place in places if (place.file, place.record) == (file, record)]
                of_record = edits.setdefault(file, {}).setdefault(record, {})
                of_record.setdefault(number, []).append((here, text if here[0] is places[0] else ""))
        done.replaced += 1
    failed: set[int] = set()
    try:
        if document.is_directory:
            _directory(document, edits, out_path, failed)
        else:
            _file(document.files[0], document.is_lines, edits.get(0, {}), out_path, failed, () if packed else cuts)
    except OSError as error:
        raise CannotWriteError(f"{out_path}: {error.strerror or error}") from error
    done.replaced -= len(failed)
    done.left += len(failed)
    return done


def _directory(document: Document, edits: dict[int, dict[int, Edits]], out_path: str, failed: set[int]) -> None:
    import shutil

    if os.path.abspath(out_path) != os.path.abspath(document.path):
        for folder, folders, names in os.walk(out_path):  # copying would write through links
            if linked := [name for name in (*folders, *names) if os.path.islink(os.path.join(folder, name))]:
                raise OSError(errno.ELOOP, "a symbolic link stands there", os.path.join(folder, linked[0]))
        shutil.copytree(document.path, out_path, symlinks=True, dirs_exist_ok=True)
    for number, path in enumerate(document.files):
        if number in edits:
            _file(path, Document(path).is_lines, edits[number], os.path.join(out_path, os.path.basename(path)), failed)


def _file(
    path: str, is_lines: bool, edits: dict[int, Edits], out_path: str, failed: set[int], cuts: Sequence[Cut] = ()
) -> None:
    os.makedirs(os.path.dirname(out_path) or ".", exist_ok=True)
    unfinished = f"{out_path}.{os.getpid()}.part"
    try:
        with open(path, "rb") as stream, open(unfinished, "xb") as out:
            lines = [_Lines(cut) for cut in cuts if not cut.inside]
            for number, data in enumerate(stream if is_lines else [stream.read()]):
                edit = edits.get(number, {})
                within = [cut for cut in cuts if cut.inside and cut.gone[0].record == number]
                if edit or within:
                    data = _rewritten(data, edit, failed, within)
                for line in lines:
                    data = line.write(number, data)
                out.write(data)
        os.replace(unfinished, out_path)
    except FileExistsError:
        raise  # not ours
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise


class _Lines:
    """A cut between lines: those that go, or the host's record before the first that stays."""

    def __init__(self, cut: Cut) -> None:
        self.cut = cut
        self.gone = {place.record for place in cut.gone}
        self.first = min(self.gone, default=-1)
        self.host: Host | None = HOSTS[cut.format](cut) if cut.format in HOSTS else None

    def write(self, number: int, data: bytes) -> bytes:
        """What stands in the place of a line."""
        if self.host is None:
            if number not in self.gone:
                return data
            return _lines([element(self.cut, _read(data))], data) if number == self.first and self.cut.text else b""
        record = _read(data)
        if not isinstance(record, dict):
            return data
        if number < self.cut.line:
            self.host.see(number, record)
            return data
        before = _lines(self.host.records(record), data) if number == self.cut.line else b""
        return before + (_lines([record], data) if self.host.mend(record) else data)


def _read(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _lines(values: Sequence[Any], like: bytes) -> bytes:
    """JSON lines in the style of the given one."""
    body = like.removeprefix(BOM).strip()
    text = body.decode("utf-8", "replace")
    dump = _style(text, _read(body))
    end = like[len(like.rstrip(b"\r\n")) :] or b"\n"
    return b"".join(_encoded(dump(value), value) + end for value in values)


def _rewritten(data: bytes, edits: Edits, failed: set[int], cuts: Sequence[Cut] = ()) -> bytes:
    """A JSON value's bytes with these edits, in its own style; as it was when it does not parse."""
    body = data.removeprefix(BOM).strip()
    start = data.find(body)
    try:
        text = body.decode("utf-8")
        value = json.loads(text)
        dump = _style(text, value)
    except (ValueError, RecursionError):
        failed.update(edits)
        return data
    removed: list[Path] = []
    for number, each in edits.items():
        for places, new in each:
            if not _replace(value, [place.path for place in places], new, removed):
                failed.add(number)
    for cut in cuts:
        gone = [place.path for place in cut.gone]
        if cut.text:
            first = gone.pop(0)
            _at(value, first[:-1])[first[-1]] = element(cut, _at(value, first))
        removed += gone
    for path in sorted(removed, key=lambda path: path[-1] if isinstance(path[-1], int) else -1, reverse=True):
        del _at(value, path[:-1])[path[-1]]
    return data[:start] + _encoded(dump(value), value) + data[start + len(body) :]


def _replace(value: Any, paths: Sequence[Path], new: str, removed: list[Path]) -> bool:
    """Put the new text in the first place and empty the others; whether all of them were there."""
    try:
        for number, path in enumerate(paths):
            if None in path:
                cut = path.index(None)
                outer = _at(value, path[:cut])
                inner = json.loads(outer)
                dump = _style(outer, inner)
                gone: list[Path] = []
                if not _replace(inner, [path[cut + 1 :]], "" if number else new, gone):
                    return False
                _put(value, path[:cut], dump(inner))
                continue
            if not isinstance(_at(value, path), (str, list)):
                return False
            block = path[:-1] if path[-1:] == ("text",) else path
            if number and block and isinstance(block[-1], int):
                removed.append(block)
            else:
                _put(value, path, new if not number else "")
    except (LookupError, TypeError, ValueError, RecursionError):
        return False
    return True


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _put(value: Any, path: Path, text: str) -> None:
    """Set a string; where lines stand in a list (notebooks), they become one."""
    holder = _at(value, path[:-1])
    holder[path[-1]] = [text] if isinstance(holder[path[-1]], list) else text


Dump = Callable[[Any], str]


def _style(text: str, value: Any) -> Dump:
    """How a JSON text was written: the first way that gives it again, else a similar one."""
    if len(text) <= MAX_TRIED:
        for dump in _styles(text):
            if dump(value) == text:
                return dump
    return next(_styles(text))


def _styles(text: str) -> Iterator[Dump]:
    second = text.split("\n", 2)[1] if "\n" in text else ""
    indent = second[: len(second) - len(second.lstrip())] if "\n" in text else None
    colon = text.find('":') + 2
    spaced = text[colon : colon + 1] == " "
    escaped = text.isascii() and "\\u" in text
    for_html = "\\u003" in text or "\\u0026" in text
    for wide, plain, html in itertools.product(
        (spaced, not spaced),
        (escaped, not escaped) if text.isascii() else (False,),
        (False, True) if for_html else (False,),
    ):
        comma = "," if indent is not None or not wide else ", "
        separators = comma, ": " if wide else ":"
        yield partial(_dumped, html, indent=indent, separators=separators, ensure_ascii=plain)


def _dumped(for_html: bool, value: Any, **options: Any) -> str:
    """``for_html`` escapes as Go does; such characters stand only within strings."""
    text = json.dumps(value, **options)
    for character in "<>&\u2028\u2029" if for_html else "":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _encoded(text: str, value: Any) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half a character pair, which only an escape can say
        return json.dumps(value).encode("ascii")
