"""Models, estimates, samples and what ``count`` returns."""

from __future__ import annotations

import json
import random

import pytest
import tiktoken.model

import mcpcompact
from mcpcompact.errors import UsageError
from mcpcompact.source import Source
from mcpcompact.tokens import count, count_blocks, counter, estimate_characters, resolve, sample
from mcpcompact.tokens.models import FACTORS, MODELS, PREFIXES, RETIRED, WINDOWS

SHIPPED = {"o200k_base": "o200k_base", "cl100k_base": "cl100k_base", "o200k_harmony": "o200k_base"}


def test_models_are_mapped_as_tiktoken_maps_them() -> None:
    theirs = tiktoken.model.MODEL_TO_ENCODING
    assert {model: SHIPPED[name] for model, name in theirs.items() if name in SHIPPED} == MODELS
    assert {model: name for model, name in theirs.items() if name not in SHIPPED} == RETIRED
    prefixes = tiktoken.model.MODEL_PREFIX_TO_ENCODING
    assert list(PREFIXES.items()) == [(prefix, SHIPPED[name]) for prefix, name in prefixes.items()]


@pytest.mark.parametrize(
    ("model", "encoding", "limit"),
    [
        ("gpt-4o", "o200k_base", 128_000),
        ("gpt-4o-2024-05-13", "o200k_base", 128_000),
        ("openai/gpt-4.1", "o200k_base", 1_047_576),
        ("gpt-5-mini", "o200k_base", 400_000),
        ("gpt-4", "cl100k_base", 8_192),
        ("gpt-4-turbo", "cl100k_base", 128_000),
        ("ft:gpt-4o:acme::1", "o200k_base", 128_000),
        ("text-embedding-3-small", "cl100k_base", 8_192),
    ],
)
def test_openai_models_are_exact(model: str, encoding: str, limit: int) -> None:
    found = resolve(model)
    assert (found.encoding, found.exact, found.context_limit, found.note) == (encoding, True, limit, "")
    assert (found.low, found.high) == (1.0, 1.0)


def test_no_model_is_o200k() -> None:
    assert (resolve().encoding, resolve().exact, resolve().note) == ("o200k_base", True, "")


@pytest.mark.parametrize(
    "model",
    ["claude-opus-4", "anthropic/claude-3-5-sonnet", "us.anthropic.claude-sonnet-4-v1:0", "models/gemini-2.5-pro"],
)
def test_unpublished_tokenizers_are_bounded_and_said(model: str) -> None:
    found = resolve(model)
    assert not found.exact
    assert found.high > 1.0 and found.low < found.high and "no public tokenizer" in found.note
    assert found.context_limit
    assert found.bounds(1000) == (int(1000 * found.low), int(1000 * found.high))
    narrow = resolve(model, None, "text")
    assert narrow.high < found.high


def test_factors_stay_within_the_family_range() -> None:
    for factors in FACTORS.values():
        low, high = factors[""]
        assert all(low <= pair[0] < pair[1] <= high for pair in factors.values())


def test_what_is_not_known_is_said_never_silent() -> None:
    assert resolve("llama-9").note == "unknown model 'llama-9': counted with o200k_base"
    assert not resolve("llama-9").exact
    assert "r50k_base, which is not shipped" in resolve("davinci").note
    other = resolve("gpt-4o", "cl100k_base")
    assert (other.encoding, other.exact) == ("cl100k_base", False)
    assert "counted with cl100k_base as asked" in other.note
    with pytest.raises(UsageError, match="p50k_base"):
        resolve(None, "p50k_base")


def test_windows_name_the_longer_prefix_first() -> None:
    prefixes = [*WINDOWS]
    for at, prefix in enumerate(prefixes):
        assert not any(prefix.startswith(earlier) for earlier in prefixes[:at]), prefix


def test_the_estimate_is_the_seeds_rule() -> None:
    assert [estimate_characters(size) for size in (0, 1, 10, 4000)] == [0, 1, 3, 1200]


def test_count_of_text_and_bytes() -> None:
    found = count("hello world\nsecond line", model="gpt-4o")
    assert (found.tokens, found.bytes, found.lines, found.exact) == (5, 23, 2, True)
    assert count(b"hello world\nsecond line").tokens == 5
    assert mcpcompact.count("hello world").tokens == 2
    assert count("a\ud800").tokens == count(b"a\xff").tokens
    assert count("\n\n").lines == 2 and count("").lines == 0
    with pytest.raises(UsageError, match="dict"):
        count({})  # type: ignore[arg-type]


def test_utf16_is_counted_as_the_text_it_is() -> None:
    assert count("\ufeffhello world".encode("utf-16-le")).tokens == 2


def test_as_dict_has_the_documented_keys() -> None:
    report = count("word " * 9000, model="gpt-4").as_dict()
    assert list(report) == [
        "tokens", "estimatedTokens", "bytes", "lines", "model", "encoding", "exact",
        "contextLimit", "usagePercent", "exceedsLimit", "breakdown", "suggestions",
    ]  # fmt: skip
    assert report["exceedsLimit"] is True and report["usagePercent"] > 100
    assert any("over the limit by" in line for line in report["suggestions"])
    claude = count("hello world", model="claude-opus-4").as_dict()
    assert (claude["tokens"], claude["low"], claude["high"], claude["exact"]) == (2, 2, 5, False)
    assert "no public tokenizer" in claude["note"]
    json.dumps(claude)


def test_blocks_cut_anywhere_count_as_the_whole() -> None:
    data = ("naïve 你好 😀 text\r\n" * 300).encode()
    blocks = [data[at : at + 7] for at in range(0, len(data), 7)]
    found = count_blocks(blocks, resolve())
    assert (found.tokens, found.bytes, found.lines) == (counter().count(data.decode()), len(data), 300)
    assert found.estimated_tokens == estimate_characters(len(data.decode()))


def records(size: int) -> bytes:
    chooser = random.Random(9)
    rows = []
    while sum(map(len, rows[-1:])) * max(1, len(rows)) < size:
        rows.append(
            json.dumps(
                {
                    "id": len(rows),
                    "sha": f"{chooser.getrandbits(80):x}",
                    "text": "some words here " * chooser.randrange(9),
                }
            )
        )
        if len(rows) > 60_000:
            break
    return "\n".join(rows).encode()


def test_a_sample_is_close_deterministic_and_says_its_error() -> None:
    data = records(9_000_000)
    assert len(data) > 4 * 1024 * 1024
    first, again = sample(Source(data)), sample(Source(data))
    assert (first.tokens, first.error_percent) == (again.tokens, again.error_percent)
    exact = counter().count(data.decode())
    assert 0 < first.error_percent < 5
    assert abs(first.tokens - exact) <= max(first.error_percent, 1.5) / 100 * exact


def test_a_small_source_is_counted_whole() -> None:
    found = sample(Source(b"hello world"))
    assert (found.tokens, found.error_percent) == (2, 0.0)


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 5_000_000,
        b"\x00" * 5_000_000,
        b"\x80\x81" * 3_000_000,
        b" " * 5_000_000,
        "\ufeffab".encode("utf-16-le") * 1_000_000,
    ],
)
def test_a_sample_of_anything_stands(data: bytes) -> None:
    found = sample(Source(data))
    assert 0 < found.tokens <= 4 * len(data)
