"""Masking of streams: any cut gives the same, data stays data, the time is bounded."""
# ruff: noqa: E501  # samples are read whole

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from masked import KEY, KINDS, TOKEN, masked

from bench.masking import ALONE, CARRIERS, NAMED
from mcpcompact.masking import Masker


def document(seed: int) -> str:
    """Secrets of all kinds in all carriers, between lines of a log, back to back."""
    rng = Random(seed)
    parts = []
    for _ in range(rng.randrange(3, 14)):
        kind = rng.choice(sorted(KINDS))
        name, make = NAMED.get(kind, (kind.upper().replace("-", "_"), ALONE.get(kind)))
        assert make is not None
        parts.append(CARRIERS[rng.choice(sorted(CARRIERS))](name, make(rng), kind in NAMED, rng))
        parts.append("x" * rng.choice((0, 1, 30, 700, 5_000)) + rng.choice(("", " ", "\n")))
    return "".join(parts)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 40_000), max_size=12), st.sampled_from([64, 1_000, 9_000]))
def test_any_split_gives_the_same(seed: int, cuts: list[int], step: int) -> None:
    from mcpcompact.masking import engine

    data = document(seed).encode()
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    blocks = [data[a:b] for a, b in pairwise(places)]
    ahead, engine.AHEAD = engine.AHEAD, 8_192  # so that a few KB are many parts
    try:
        assert b"".join(Masker(KEY).blocks(iter(blocks), step)) == Masker(KEY).data(data)
    finally:
        engine.AHEAD = ahead


@pytest.mark.parametrize("step", [4_000, 7_000, 9_000, 13_000])
def test_a_table_that_follows_one_over_the_edge_of_a_part_is_read(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcompact.masking.engine.AHEAD", 8_192)
    first = "id,user,password\n" + "".join(f"{i},pilot{i},Hawser-{i * 7919}-xq\n" for i in range(400))
    second = "host,owner,secret\n" + "".join(f"quay{i},crew{i},Winch+{i * 104729}zz\n" for i in range(400))
    data = f"{first}\n{second}".encode()
    out = b"".join(Masker(KEY).blocks([data], step))
    assert out == Masker(KEY).data(data) and b"Hawser-" not in out and out.count(b"Winch+") <= 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["password=", "token: ", '"', "\\", "'", "://", "a:b@c", "[secret:x:0000]", "-----BEGIN ",
                                 "PRIVATE KEY-----", "\n", "eyJ", "=", "Bearer ", "Cookie: sid=", TOKEN, "key", "api_", "\x00é"]),
                max_size=40), st.integers(1, 50))  # fmt: skip
def test_any_split_of_odd_text(parts: list[str], size: int) -> None:
    data = "".join(parts).encode()
    blocks = [data[i : i + size] for i in range(0, len(data), size)]
    assert b"".join(Masker(KEY).blocks(blocks, 16)) == Masker(KEY).data(data)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_masking_twice_changes_nothing(seed: int) -> None:
    once = masked(document(seed))
    assert masked(once) == once


def test_the_parts_of_a_long_stream_are_masked_as_the_whole() -> None:
    line = f"2026-01-01 INFO worker took 12 ms, token={TOKEN} done\n"
    data = (line * 20_000).encode()
    masker = Masker(KEY)
    out = b"".join(masker.blocks(data[i : i + 7_001] for i in range(0, len(data), 7_001)))
    assert out == Masker(KEY).text(line).encode() * 20_000
    assert masker.counts == {"github-token": 20_000}


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.sampled_from([TOKEN, "pa\"ss\\wo'rd9", "x"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["password", "apiKey", "token", "id", "cookie", "authorization", "n"]), inner),
    ),
    max_leaves=12,
)


def shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else None


@settings(max_examples=100, deadline=None)
@given(JSON, st.booleans(), st.sampled_from([None, 1]), st.booleans())
def test_json_stays_json(value: object, ascii_only: bool, indent: int | None, nested: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    if nested:
        text = json.dumps({"body": text, "token": TOKEN})
    again = json.loads(masked(text))
    assert shape(again) == shape(json.loads(text))
    if nested:
        assert shape(json.loads(again["body"])) == shape(value)
    assert TOKEN not in masked(text)


@pytest.mark.usefixtures("soon")
def test_hostile_input_takes_no_long_time() -> None:
    for text in ("-----BEGIN PRIVATE KEY-----" * 4_000, "pass" * 30_000, "eyJ" * 40_000, "password=\"" * 10_000,
                 "://" + "a:" * 50_000, "cookie: a=" * 10_000, "\\" * 100_000 + '"', "MT.abcdef." * 9_000):  # fmt: skip
        masked(text)


def test_a_column_is_masked_to_the_end_of_a_long_table_however_it_is_cut() -> None:
    rows = "".join(f'{n},user{n},"p{n}-Zx9,kk",Oslo\n' for n in range(16_000))
    data = ("id,user,password,city\n" + rows).encode()
    out = b"".join(Masker(KEY).blocks(data[i : i + 50_001] for i in range(0, len(data), 50_001)))
    assert b"Zx9" not in out and out.count(b"[secret:password:") == 16_000
    assert all(line.count(b",") == 3 for line in out.splitlines())
    assert out == Masker(KEY).data(data)


def seconds(data: bytes) -> float:
    """Processor time, the best of two."""
    import time

    taken = []
    for _ in range(2):
        start = time.process_time()
        Masker(KEY).data(data)
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize("text", ["sk-", "token=", "password=\"", "A-AzFu", "sk-T3BlbkFJ", "secret ", "password,b\n", "data:\n a: b\n", "%41",
                                  "pass", "|password|", "kind: Secret\ndata:\n", "https://a:b@c", "login ", "api_key=", "--token ",
                                  '"name":"token",', "password is ", ":5432:a:b:", "password: |\n a\n", "eyJ", "curl -u a:b "])  # fmt: skip
def test_repeated_marks_are_masked_in_bounded_time(text: str) -> None:
    size = 100_000
    log = b"".join(b"2026-01-01 10:00:00 INFO [worker-%d] request took %d ms\n" % (n % 7, n) for n in range(4_000))
    log = (log * 10)[: 5 * size]
    # five times as much log takes about 0.01 s, the marks 0.05 to 0.25 s: quadratic work would take hundreds of times as long
    assert seconds((text * (size // len(text))).encode()) < 60 * seconds(log)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(["password", "token", ":", " ", "|", ",", "\n", "\\n", "\t", '"', "'", "\\", "data:", "kind: Secret", ">-", "  ", "%", "%3A", "%4",
                                 "=", "--", "[secret:", "user", "QUJDREVGR0hJSktMTU5PUFFSU1RVVg", "<", ">", "{", "}", "-----BEGIN PRIVATE KEY-----", "\x00", "é"]),
                max_size=60))  # fmt: skip
def test_masking_never_fails(parts: list[str]) -> None:
    data = "".join(parts).encode()
    once = Masker(KEY).data(data)
    assert b"".join(Masker(KEY).blocks([data[i : i + 7] for i in range(0, len(data), 7)], 16)) == once


def test_text_that_repeats_itself_is_masked_to_its_last_byte() -> None:
    for line in (
        "password=Zx9kQ7vT2m\n",
        "curl -u bob:Zx9kQ7vT2m\n",
        "https://a:Zx9kQ7vT2m@h/\n",
        "password: |\n  Zx9kQ7vT2m\n",
    ):
        for times in (1, 50, 3_000):
            out = masked(line * times + "password=Yw8other1\n" + line)
            assert "Zx9kQ7vT2m" not in out and "Yw8other1" not in out, (line, times)
            assert out.count("[secret:") == times + 2
