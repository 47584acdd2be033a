"""Reading: files, streams and archives become sources, and every failure is one line with its exit code."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path

import pytest

from mcpcompact.errors import CannotReadError, CannotWriteError, InputError, McpcompactError, NoInputError
from mcpcompact.inputs import reading
from mcpcompact.inputs.reading import expand, open_source


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spool above 1,000 bytes, so that the large path is tried with little data."""
    monkeypatch.setattr(reading, "LARGE", 1000)


@pytest.mark.parametrize("data", [b"", b"a", b"a\r\nb\0\xff", b"\x1f\x8b", b"\x1f", "é".encode("utf-16")])
def test_plain_files_come_back_byte_for_byte(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.gz"  # the extension does not matter
    path.write_bytes(data)
    source = open_source(str(path))
    assert (source.data, source.compression, source.name) == (data, "", str(path))
    assert open_source("-", io.BytesIO(data)).data == data


def test_gzip_members_and_padding(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two") + b"\0" * 7)
    source = open_source(str(path))
    assert (source.data, source.compression) == (b"one two", "gz")


def test_zstd_frames(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    pack = zstandard.ZstdCompressor().compress
    data = os.urandom(100_000)
    source = open_source("-", io.BytesIO(pack(data) + pack(b"") + pack(b"end")))
    assert (source.data, source.compression) == (data + b"end", "zst")


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("damage", ["cut", "flip", "header"])
def test_damaged_archives_are_refused(kind: str, damage: str) -> None:
    body = bytes(range(256)) * 40
    if kind == "gz":
        packed = bytearray(gzip.compress(body))
    else:
        packed = bytearray(pytest.importorskip("zstandard").ZstdCompressor(write_checksum=True).compress(body))
    if damage == "cut":
        packed = packed[:-9]
    elif damage == "flip":
        packed[-6] ^= 0xFF
    else:
        packed = packed[:5]
    with pytest.raises(InputError) as caught:
        open_source("-", io.BytesIO(bytes(packed)))
    assert caught.value.exit_code == 65 and "\n" not in caught.value.line()


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_a_bomb_is_refused_while_expanding(kind: str, small: None, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    zeros = b"\0" * 50_000_000
    packed = gzip.compress(zeros) if kind == "gz" else pytest.importorskip("zstandard").ZstdCompressor().compress(zeros)
    monkeypatch.setattr("mcpcompact.inputs.reading.MAX_BYTES", 1_000_000)
    with pytest.raises(InputError, match="expands to more than"):
        open_source("-", io.BytesIO(packed))
    assert list(tmp_path.iterdir()) == []


def test_zstd_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    def missing(name: str, package: str | None = None) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(InputError) as caught:
        open_source("-", io.BytesIO(b"\x28\xb5\x2f\xfd\x20\x00"))
    assert "mcpcompact[fast]" in caught.value.line()


def test_streams_are_spooled_and_the_copy_removed(small: None) -> None:
    data = b"0123456789\n" * 1000
    source = open_source("-", io.BytesIO(gzip.compress(data)))
    assert source.path and source.size == len(data)
    assert b"".join(source.blocks(64)) == data == source.data
    assert source.read(11, 21) == b"0123456789"
    assert os.stat(source.path).st_mode & 0o777 == 0o600
    source.close()
    assert not os.path.exists(source.path)
    dropped = open_source("-", io.BytesIO(data)).path
    assert dropped and not os.path.exists(dropped)


def test_no_room_to_spool(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    with pytest.raises(CannotWriteError):
        open_source("-", io.BytesIO(b"x" * 5000))


def test_a_large_file_is_read_in_place_as_it_was(small: None, tmp_path: Path) -> None:
    path = tmp_path / "app.log"
    path.write_bytes(b"line\n" * 1000)
    source = open_source(str(path))
    assert source.path == str(path)
    with path.open("ab") as more:
        more.write(b"later\n")
    assert b"".join(source.blocks(100)) == b"line\n" * 1000
    path.write_bytes(b"line\n")
    with pytest.raises(CannotReadError, match="shrank"):
        list(source.blocks())
    path.unlink()
    with pytest.raises(McpcompactError) as caught:
        list(source.blocks())
    assert caught.value.exit_code in (66, 74)
    with pytest.raises(McpcompactError):
        source.read(0, 10)


def test_nothing_there(tmp_path: Path) -> None:
    for name in (str(tmp_path / "missing"), str(tmp_path), "a\0b", "x" * 5000, str(tmp_path / "f" / "g"), ""):
        with pytest.raises(NoInputError) as caught:
            open_source(name)
        assert caught.value.exit_code == 66 and "\n" not in caught.value.line()
    with pytest.raises(NoInputError, match="is a directory"):
        open_source(str(tmp_path))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs an ordinary POSIX user")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"x")
    path.chmod(0)
    with pytest.raises(CannotReadError) as caught:
        open_source(str(path))
    assert caught.value.exit_code == 74


@pytest.mark.skipif(os.name != "posix", reason="needs FIFOs")
def test_fifo_and_proc(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: fifo.write_bytes(gzip.compress(b"through a pipe")))
    writer.start()
    assert open_source(str(fifo)).data == b"through a pipe"
    writer.join()
    if os.path.exists("/proc/self/status"):
        assert b"Name:" in open_source("/proc/self/status").data


def test_a_stream_in_single_bytes() -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(1)

    assert open_source("-", Slow(gzip.compress(b"slow"))).data == b"slow"


def test_expand(tmp_path: Path) -> None:
    for name in ("b.fa", "a.fa", "[x].fa", "sub/c.fa"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    root = str(tmp_path)
    relative = [os.path.relpath(name, root) for name in expand([f"{root}/b.fa", f"{root}/*.fa", f"{root}/**/*.fa"])]
    assert relative == ["b.fa", "[x].fa", "a.fa", "sub/c.fa"]
    assert expand(["-", f"{root}/[x].fa", "-", "no-such-file"]) == ["-", f"{root}/[x].fa", "no-such-file"]
    assert f"{root}/sub" not in expand([f"{root}/*"])
    with pytest.raises(NoInputError):
        expand([f"{root}/*.zip"])
