"""Cursors: at most 16 tokens, bound to everything, refused when anything is wrong."""

from __future__ import annotations

import random
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpcompact.config import LONGEST_CURSOR_TTL as MAX_TTL
from mcpcompact.errors import CannotReadError, McpcompactError, UsageError
from mcpcompact.paging.cursors import Cursors
from mcpcompact.results import Original, ResultStore
from mcpcompact.tokens import counter

SHA = "3f9c2a1bd0" + "0123456789abcdef" * 3 + "012345"
OPTIONS = "limit=50 fields=id,name sort="

ids = st.text("0123456789abcdef", min_size=8, max_size=64)
positions = st.integers(0, (1 << 44) - 1)


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


@given(id=ids, position=positions, options=st.text(), ttl=st.integers(0, MAX_TTL), now=st.integers(0, 1 << 40))
def test_a_cursor_comes_back_as_it_went(
    directory: Path, id: str, position: int, options: str, ttl: int, now: int
) -> None:
    clock = Clock()
    clock.now = now
    cursors = Cursors(directory, ttl=ttl, clock=clock)
    opened = cursors.open(cursors.issue(id, position, options), options)
    assert (opened.id, opened.position, opened.forever) == (id[:10], position, ttl == 0)


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_a_cursor_never_costs_more_than_16_tokens(directory: Path, encoding: str) -> None:
    count = counter(encoding=encoding).count
    chance = random.Random(7)
    cursors = Cursors(directory)
    for _ in range(2_000):
        text = cursors.issue(f"{chance.getrandbits(256):064x}", chance.getrandbits(44), OPTIONS)
        assert count(text) <= 16
        assert count(f" {text}") <= 16  # behind --cursor
    assert count("c" + "0" * 45) <= 16
    assert all(count(f"{n:03}") == 1 for n in range(1_000)), "every group of three digits is a token"


def test_a_cursor_needs_no_quotes_and_stays_a_string(directory: Path) -> None:
    import json
    import shlex

    text = Cursors(directory).issue(SHA, 50, OPTIONS)
    assert shlex.quote(text) == text
    with pytest.raises(ValueError):
        json.loads(text)


def test_white_space_around_and_inside_is_passed_over(directory: Path) -> None:
    cursors = Cursors(directory)
    text = cursors.issue(SHA, 50, OPTIONS)
    assert cursors.open(f"  {text[:20]}\r\n{text[20:]}\n", OPTIONS).position == 50


def refused(cursors: Cursors, text: str, options: str = OPTIONS) -> str:
    with pytest.raises(UsageError) as caught:
        cursors.open(text, options)
    line = caught.value.line()
    assert "\n" not in line
    assert "c and 45 digits" in line
    assert "start over" in line
    for detail in ("hmac", "sha", "key", "signature", "tag", SHA[:8], "Traceback"):
        assert detail not in line.lower()
    return line


def mutations(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    kind = chance.randrange(7)
    if kind == 0:  # one bit
        return text[:at] + chr(ord(text[at]) ^ 1 << chance.randrange(7)) + text[at + 1 :]
    if kind == 1:
        return text[:at]
    if kind == 2:  # a digit more
        return text[:at] + chance.choice("0123456789") + text[at:]
    if kind == 3:  # two digits change places
        other = chance.randrange(len(text))
        letters = list(text)
        letters[at], letters[other] = letters[other], letters[at]
        return "".join(letters)
    if kind == 4:
        return text[:at] + chance.choice("0123456789") + text[at + 1 :]
    if kind == 5:
        return "c" + "".join(chance.choices("0123456789", k=45))
    return text[:at] + chance.choice(["٣", "x", "-", "\0", "é", "🧬"]) + text[at + 1 :]


def test_ten_thousand_mutated_cursors_are_refused(tmp_path: Path) -> None:
    clock = Clock()
    chance = random.Random(11)
    cursors = Cursors(tmp_path / "one", clock=clock)
    older = Cursors(tmp_path / "two", clock=clock)
    tried = 0
    while tried < 10_000:
        position = chance.randrange(1 << chance.choice([4, 8, 20, 44]))
        text = cursors.issue(f"{chance.getrandbits(256):064x}", position, OPTIONS)
        for _ in range(8):
            mutated = mutations(text, chance)
            if "".join(mutated.split()) != text:
                refused(cursors, mutated)
                tried += 1
        refused(cursors, text, OPTIONS + " ")
        refused(cursors, older.issue(SHA, position, OPTIONS))
        tried += 2
    text = cursors.issue(SHA, 7, OPTIONS)
    for later in (601.5, 3_600, 11 * 86_400, 13 * 86_400, (1 << 22) - 1, 10 * ((1 << 22) - 1), 1e9):
        clock.now = Clock.now + later
        refused(cursors, text)


@pytest.mark.parametrize("text", ["", "c", "0" * 45, "c" + "9" * 45, "c" + "1" * 46, "C" + "1" * 45, "next", "\n"])
def test_what_is_no_cursor_is_refused(directory: Path, text: str) -> None:
    refused(Cursors(directory), text)


def test_it_is_valid_as_long_as_it_says(tmp_path: Path) -> None:
    clock = Clock()
    start = clock.now
    for ttl in (1, 600, 86_400, MAX_TTL):
        clock.now = start
        cursors = Cursors(tmp_path, ttl=ttl, clock=clock)
        text = cursors.issue(SHA, 3, "")
        clock.now = start + ttl
        assert cursors.open(text, "").position == 3
        clock.now = start + ttl + 1.5
        assert "expired" in refused(cursors, text, "")
    forever = Cursors(tmp_path, ttl=0, clock=clock)
    text = forever.issue(SHA, 3, "")
    clock.now = start + 10 * 365 * 86_400
    assert Cursors(tmp_path, clock=clock).open(text, "").forever


@pytest.mark.parametrize("ttl", [-1, MAX_TTL + 1])
def test_a_life_that_it_cannot_have(tmp_path: Path, ttl: int) -> None:
    with pytest.raises(UsageError, match="cannot be valid"):
        Cursors(tmp_path, ttl=ttl)


def test_a_position_that_it_cannot_hold(tmp_path: Path) -> None:
    for position in (-1, 1 << 44):
        with pytest.raises(UsageError, match="beyond what a cursor can hold"):
            Cursors(tmp_path).issue(SHA, position, "")


def test_the_key_is_private_and_no_result(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "deep" / "results")
    Cursors(store).issue(SHA, 1, "")
    key = tmp_path / "deep" / "results" / ".cursor-key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert store.list() == []
    assert store.verify() == []
    store.gc(older_than=0, max_bytes=0, dry_run=False)
    assert key.exists()


def test_reading_makes_no_directory_and_no_key(tmp_path: Path) -> None:
    refused(Cursors(tmp_path / "none"), "c" + "1" * 45)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_or_linked_key_is_said(tmp_path: Path) -> None:
    key = tmp_path / ".cursor-key"
    key.write_bytes(b"short")
    with pytest.raises(CannotReadError, match="damaged"):
        Cursors(tmp_path).issue(SHA, 1, "")
    key.unlink()
    (tmp_path / "elsewhere").write_bytes(b"k" * 32)
    key.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(McpcompactError, match="cannot be read"):
        Cursors(tmp_path).issue(SHA, 1, "")


def test_many_processes_agree_on_the_first_key(tmp_path: Path) -> None:
    code = (
        f"from mcpcompact.paging.cursors import Cursors; print(Cursors({str(tmp_path / 'r')!r}).issue({SHA!r}, 9, 'o'))"
    )

    def one(_: int) -> str:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(one, range(8)))
    cursors = Cursors(tmp_path / "r")
    assert {cursors.open(text, "o").position for text in texts} == {9}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(options=st.lists(st.text(max_size=20), min_size=2, max_size=2, unique=True))
def test_other_options_are_refused(directory: Path, options: list[str]) -> None:
    cursors = Cursors(directory)
    refused(cursors, cursors.issue(SHA, 1, options[0]), options[1])


def test_a_stored_result_is_found_by_what_a_cursor_says(tmp_path: Path) -> None:
    from mcpcompact.source import Source

    store = ResultStore(tmp_path)
    reference = store.put(Original(Source(b"[1,2]"), content_type="json", extension=".json"))
    cursors = Cursors(store)
    for id in (reference.sha256, reference.id):
        assert store.find(cursors.open(cursors.issue(id, 1, ""), "").id).id == reference.id
    wrong = reference.id + ("0" if reference.sha256[8] != "0" else "1")
    with pytest.raises(McpcompactError):
        store.find(wrong)
