"""Inputs that are not UTF-8: read in the encoding that is named or guessed, said, and stored as they came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcompact import ResultStore, compact
from mcpcompact.charset import guess
from mcpcompact.errors import UsageError
from mcpcompact.source import Source

GERMAN = "Name;Straße;Stadt\n" + "".join(f"Müller {n};Bahnhofstraße {n};Köln – „gut“ 5 €\n" for n in range(400))
FRENCH = "".join(f"Événement {n} : le système a été arrêté à la demande de l'utilisateur\n" for n in range(400))
CHINESE = "".join(f"第{n}行：无法打开文件，权限被拒绝\n" for n in range(400))
JAPANESE = "".join(f"{n}行目: ファイルを開けませんでした。権限がありません\n" for n in range(400))
RUSSIAN = "".join(f"Ошибка {n}: не удалось открыть файл журнала\n" for n in range(400))

TEXTS = [
    (GERMAN, "cp1252", "windows-1252"),
    (FRENCH, "latin-1", "windows-1252"),
    (CHINESE, "gbk", "gb18030"),
    (JAPANESE, "shift_jis", "shift_jis"),
    (RUSSIAN, "cp1251", "cp1251"),
    (GERMAN, "utf-16-le", "utf-16-le"),
    (GERMAN, "utf-16-be", "utf-16-be"),
]


@pytest.mark.parametrize(("text", "codec", "said"), TEXTS, ids=[f"{t[1]}-{n}" for n, t in enumerate(TEXTS)])
@pytest.mark.parametrize("named", [True, False])
def test_legacy_text_is_read_and_stored_as_it_came(
    text: str, codec: str, said: str, named: bool, door: Any, tmp_path: Path
) -> None:
    data = text.encode(codec)
    (tmp_path / "in.txt").write_bytes(data)
    options = ["--encoding-in", codec] if named else []
    made = door("summarize", "in.txt", "--budget", "300", "--json", *options)
    assert made.returncode == 0
    assert named or f"read as {said}; use --encoding-in to change" in made.stderr.decode()
    result = json.loads(made.stdout)
    assert "\ufffd" not in result["text"] and not result["text"].isascii()
    back = door("results", "get", result["reference"]["id"])
    assert back.stdout == data
    lines = door("results", "get", result["reference"]["id"], "--lines", "5:5")
    assert lines.stdout.decode().strip() == text.split("\n")[4]


def test_every_command_that_reads(door: Any, tmp_path: Path) -> None:
    data = GERMAN.encode("cp1252")
    (tmp_path / "in.csv").write_bytes(data)
    (tmp_path / "u.csv").write_bytes(GERMAN.encode())
    counted, wanted = (json.loads(door("count", name, "--json").stdout) for name in ("in.csv", "u.csv"))
    assert counted["tokens"] == wanted["tokens"] and counted["bytes"] == len(data)
    assert "Müller 1" in door("paginate", "in.csv", "--limit", "2", "--encoding-in", "cp1252").stdout.decode()
    chunked = door("chunk", "in.csv", "--tokens", "300")
    assert chunked.stdout.decode().startswith("Name;Straße")
    assert b"bytes are those of its text as UTF-8" in chunked.stderr
    assert door("summarize", "in.csv", "--encoding-in", "nope").returncode == 2


def test_the_library_takes_it_too(tmp_path: Path) -> None:
    data = CHINESE.encode("gbk")
    result = compact(data, budget=200, encoding_in="gbk", store=ResultStore(tmp_path))
    assert "无法打开文件" in result.text and result.original_bytes == len(data)
    assert result.reference and Path(str(result.reference.path)).read_bytes() == data
    assert compact(data, budget=200).warnings == ["read as gb18030; use --encoding-in to change"]
    with pytest.raises(UsageError, match="nope"):
        compact(b"x", encoding_in="nope")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
        b"\0" * 900,
        ("ok ü\n" * 300).encode() + b"\xff\xfe bad\n",
        b"a\xffb" * 2,
        b"\xc3" * 900 + b"\ntext" * 900,
    ],
)
def test_binary_and_damaged_utf8_are_not_guessed(data: bytes) -> None:
    assert guess(Source(data)) == ""


@given(st.text())
def test_utf8_is_never_taken_for_anything_else(text: str) -> None:
    assert "\0" in text or guess(Source(text.encode())) == ""


@given(st.binary(max_size=300))
def test_guessing_is_total(data: bytes) -> None:
    guess(Source(data))


def test_what_is_taken_for_binary_says_how_to_read_it(door: Any, tmp_path: Path) -> None:
    dense = "".join(f"éàèùçôâîûäöüßñ ligne numéro {n} déjà été reçue à côté\n" for n in range(300)).encode("latin-1")
    (tmp_path / "dense.txt").write_bytes(dense)
    done = door("summarize", "dense.txt")
    assert (done.returncode, done.stdout) == (65, dense)
    assert "is binary, not text; passed through as it is; if it is text, name its --encoding-in" in done.stderr.decode()
    told = door("summarize", "dense.txt", "--encoding-in", "latin-1", "--budget", "200")
    assert told.returncode == 0 and "ligne numéro 0 déjà" in told.stdout.decode()
