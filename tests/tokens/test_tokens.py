"""Exactness of the token counter. The oracle is tiktoken over ranks whose SHA-256 is that of the published files."""

from __future__ import annotations

import base64
import hashlib
import itertools
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcpcompact.errors import UsageError
from mcpcompact.tokens import counter, is_safe_cut, safe_cuts
from mcpcompact.tokens.bulk import VECTORS, Tiktoken, Toktok, backend, encoding
from mcpcompact.tokens.count import Counter, _heap, _scan
from mcpcompact.tokens.encodings import NAMES, shadow, vocabulary, well_formed

PUBLISHED = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("MCPCOMPACT_CORPUS") or ROOT.parent / "shared" / "corpus")

each_encoding = pytest.mark.parametrize("name", NAMES)


def oracle(name: str, text: str) -> int:
    return len(encoding(name).encode_ordinary(text))


# Every class of the pre-tokenizer, its edges, and what has broken other counters.
awkward = st.text(
    st.one_of(
        st.sampled_from(
            [
                *" \t\n\r\x0b\x1c\x85\xa0\u2028\u3000'’/.,-_<|>{}\"09²Ⅷ٣aAsStTmMdDlLrRvVeEſKéÉʰªßǅ你ह",
                *"\u0301\u093e😀\u200d\ufeff",
            ]
        ),
        st.characters(),
    ),
    max_size=60,
)
runs = st.lists(
    st.tuples(
        st.sampled_from(
            [" ", "\n", "\r\n", "\t", "a", "A", "aA", "1", "/", "'s", "'LL", "é", "\u0301", ".", "ACGT", "\u00a0"]
        ),
        st.integers(1, 90),
    ),
    max_size=12,
).map(lambda parts: "".join(text * times for text, times in parts))
texts = st.one_of(awkward, runs, st.tuples(awkward, runs, awkward).map("".join))


@each_encoding
def test_the_table_gives_back_the_published_file(name: str) -> None:
    ranks = vocabulary(name).ranks()
    lines = (
        b"%b %d\n" % (base64.b64encode(token), rank) for token, rank in sorted(ranks.items(), key=lambda item: item[1])
    )
    assert hashlib.sha256(b"".join(lines)).hexdigest() == PUBLISHED[name] == vocabulary(name).sha256


@each_encoding
def test_each_token_is_found_and_no_other(name: str) -> None:
    table, ranks = vocabulary(name), vocabulary(name).ranks()
    for token in list(ranks)[::7]:
        assert table.rank(token) == ranks[token]
        assert table.holds(token)
        assert table.holds(token + b"\x01") == (token + b"\x01" in ranks)


def test_unicode_classes_are_those_of_tiktoken() -> None:
    text = "".join(map(chr, (*range(128, 0xD800), *range(0xE000, 0x110000))))
    shadows = text.translate(shadow())
    singles = {bytes([byte]): byte for byte in range(256)}
    for classes, pattern in (
        ("\x80", r"[\p{Lu}\p{Lt}]"),
        ("\x81\x87", r"\p{Ll}"),
        ("\x82", r"[\p{Lm}\p{Lo}]"),
        ("\x83", r"\p{M}"),
        ("\x84", r"\p{N}"),
        ("\x85", r"\s"),
    ):
        engine = tiktoken.Encoding("class", pat_str=pattern, mergeable_ranks=singles, special_tokens={})
        expected = bytes(engine.encode_ordinary(text)).decode()
        assert "".join(char for char, kind in zip(text, shadows, strict=True) if kind in classes) == expected


@each_encoding
@settings(max_examples=200, deadline=None)
@given(text=texts)
def test_the_own_counter_agrees_with_tiktoken(name: str, text: str) -> None:
    assert Counter(name)._own(well_formed(text)) == oracle(name, text)
    assert counter(name).count(text) == oracle(name, text)


@pytest.mark.usefixtures("soon")
@each_encoding
def test_long_stretches_without_a_cut_are_counted_once(name: str) -> None:
    """Short fields before each of a dozen values of 150,000 letters: every cut searched the value behind it anew."""
    text = "".join('{"a": 1, "b": [2, 3], "c": "d", "e": "' + "x" * 150_000 + '"}\n' for _ in range(12))
    spans = list(safe_cuts(text, 1 << 20))
    assert "".join(text[start:end] for start, end in spans) == text
    assert len(spans) < 6
    assert counter(name).count(text) == sum(counter(name).count(text[start:end]) for start, end in spans)


@each_encoding
@settings(max_examples=150, deadline=None)
@given(text=texts)
@example(text="don't: one token, which a cut before the apostrophe makes two")
@example(text=";\n//x: a slash behind a line's end belongs to the sign before it")
@example(text="\u4f60\u597d\u3002\u4e16\u754c\uff0c\u300c\u3053\u30ce\u300d\ud55c 12\u3001ab\uff01s\u3002\u3002x")
def test_counts_add_up_at_every_safe_cut(name: str, text: str) -> None:
    text = well_formed(text)
    whole = counter(name).count(text)
    for at in range(len(text) + 1):
        if is_safe_cut(text, at):
            assert counter(name).count(text[:at]) + counter(name).count(text[at:]) == whole, (text[:at], text[at:])


@settings(max_examples=200, deadline=None)
@given(text=texts, size=st.integers(1, 40))
def test_safe_cuts_partition_the_text(text: str, size: int) -> None:
    spans = list(safe_cuts(text, size))
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(is_safe_cut(text, start) for start, _ in spans)
    for start, end in spans:
        seen = text[: start + size + 1]  # what lies behind is not looked at
        assert end - start <= size or not any(is_safe_cut(seen, at) for at in range(start + 1, len(seen)))


@each_encoding
@settings(max_examples=100, deadline=None)
@given(text=texts, cuts=st.lists(st.integers(0, 200), max_size=5))
def test_a_stream_counts_as_its_whole(name: str, text: str, cuts: list[int]) -> None:
    marks = [0, *sorted(cuts), len(text)]
    parts = [text[start:end] for start, end in itertools.pairwise(marks)]
    assert counter(name).count_stream(parts) == counter(name).count("".join(parts))


def test_a_long_stream_is_cut_only_where_it_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["mcpcompact.tokens.count"], "STREAM", 200)
    chooser = random.Random(7)
    text = "".join(
        chooser.choice(["word ", "\n", "  ", "/", "é", "\r\n", "'s", "12345", '{"a": ', "long" * 40])
        for _ in range(3000)
    )
    parts = [text[at : at + 150] for at in range(0, len(text), 150)]
    assert counter().count_stream(parts) == oracle("o200k_base", text)


@each_encoding
def test_both_merges_are_the_same(name: str) -> None:
    chooser, rank = random.Random(3), vocabulary(name).rank
    for alphabet in (b"ACGT", b"aab", bytes(range(97, 123)), bytes(range(256))):
        for _ in range(40):
            piece = bytes(chooser.choices(alphabet, k=chooser.randrange(2, 120)))
            assert _scan(piece, rank) == _heap(piece, rank)


HOSTILE = {
    "a million spaces": " " * 1_000_000,
    "a million newlines": "\n" * 1_000_000,
    "1 MB of ACGT": "ACGT" * 262_144,
    "one letter": "é" * 300_000,
    "marks": "\u0301" * 100_000,
    "apostrophes": "'s" * 200_000,
    "a word, then spaces": "x" + " " * 600_000 + "y\n" * 1000,
}


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_runs_are_counted_exactly_on_every_way(title: str) -> None:
    pytest.importorskip("toktok")
    text = HOSTILE[title]
    expected = backend(Counter("o200k_base")).count(text)
    assert Tiktoken(Counter("o200k_base")).count(text) == expected
    assert counter().count(text) == expected
    sample = text[:60_000]
    assert Counter("o200k_base")._own(sample) == oracle("o200k_base", sample) == counter().count(sample)


@each_encoding
def test_bulk_ways_agree_on_mixed_text(name: str) -> None:
    chooser = random.Random(11)
    words = [
        "The ",
        "quick",
        " brown\n",
        "\r\n\r\n",
        "  ",
        "foo_bar(",
        "0123456789",
        "é",
        "你好",
        "\u088f",
        "😀",
        "'ll",
        "ſ",
        "\t",
        "//",
        "AGCTAGCTTCGA" * 9,
    ]
    text = "".join(chooser.choices(words, k=120_000))
    expected = oracle(name, text)
    for way in (Tiktoken(Counter(name)), backend(Counter(name)), counter(name)):
        assert way.count(text) == expected


@each_encoding
def test_few_signs_beyond_ascii_do_not_load_all_tokens(name: str) -> None:
    chooser, way = random.Random(2), Tiktoken(Counter(name))
    words = ["".join(chooser.choices("abcdefgh", k=chooser.randrange(1, 9))) for _ in range(9_000)]
    few = " ".join([*words, "naïve → 你好\n", *words, "é"])
    assert way.count(few) == oracle(name, few)
    assert not way._whole
    assert way.counts(["é", "plain", few]) == [oracle(name, text) for text in ("é", "plain", few)]
    for many in (few.replace("a", "ä") * 5, few.replace("ab", "你")):
        assert way.count(many) == oracle(name, many)
    many = few.translate(str.maketrans("abcd", "äöü你")) * 2
    assert way.count(many) == oracle(name, many)
    assert way._whole
    assert way.counts(["é", "plain", few]) == [oracle(name, text) for text in ("é", "plain", few)]


def test_toktok_takes_over_where_there_is_much_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("toktok")
    monkeypatch.setattr(sys.modules["mcpcompact.tokens.count"], "MUCH", 5)
    own = Counter("o200k_base")
    assert isinstance(own.prepare(), Tiktoken)
    assert own.counts(["some words"]) == own.counts(["some words"]) == [2]
    assert isinstance(own.prepare(), Toktok)


def test_toktok_is_kept_from_code_points_it_knows_otherwise() -> None:
    pytest.importorskip("toktok")
    chosen = [*range(0x80, 0xD800, 23), *range(0xE000, 0x110000, 97), 0x295, 0x88F, 0xA7CE, 0x1ACF, 0x1E6C0, 0x323B0]
    way = backend(Counter("cl100k_base"))
    for code in chosen:
        text = f"a{chr(code)}b {chr(code)}1A{chr(code)}C'{chr(code)}s\n"
        assert way.count(text) == oracle("cl100k_base", text), hex(code)


def test_a_fast_package_that_counts_wrong_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    toktok = pytest.importorskip("toktok")
    assert isinstance(backend(Counter("o200k_base")), Toktok)
    monkeypatch.setattr(toktok, "batch_count", lambda texts, *_, **__: [7 for _ in texts])
    assert isinstance(backend(Counter("o200k_base")), Tiktoken)
    monkeypatch.setitem(sys.modules, "toktok", None)
    assert isinstance(backend(Counter("o200k_base")), Tiktoken)


def test_vectors_are_those_of_tiktoken() -> None:
    for text, o200k, cl100k in VECTORS:
        assert (oracle("o200k_base", text), oracle("cl100k_base", text)) == (o200k, cl100k)


def test_many_misses_hand_over_and_stay_exact() -> None:
    chooser, own = random.Random(5), Counter("o200k_base")
    lines = ["".join(chooser.choices("ACGT", k=80)) for _ in range(4000)]
    assert own.count("\n".join(lines)) == oracle("o200k_base", "\n".join(lines))
    assert own._bulk is not None
    assert sum(map(own.count, lines[:50])) == sum(oracle("o200k_base", line) for line in lines[:50])


def test_special_tokens_are_plain_text() -> None:
    assert counter().count("<|endoftext|>") == oracle("o200k_base", "<|endoftext|>") > 1


def test_surrogates_and_invalid_bytes_are_replaced() -> None:
    assert counter().count("a\ud800b") == counter().count("a\ufffdb")
    assert counter().count("\ud83d\ude00") == counter().count("😀")


def test_empty_and_tiny() -> None:
    assert [counter().count(text) for text in ("", "a", " ", "\n", "\0")] == [0, 1, 1, 1, 1]


def test_an_unknown_encoding_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="p50k_base"):
        counter("p50k_base")


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")
@each_encoding
def test_corpus_files_are_counted_exactly(name: str) -> None:
    files = sorted(
        path
        for folder in ("tool_outputs", "logs", "sequences")
        for path in (CORPUS / folder).rglob("*")
        if path.is_file()
    )
    for path in random.Random(1).sample(files, min(40, len(files))):
        text = path.read_bytes()[:120_000].decode("utf-8", "replace")
        own = Counter(name)
        assert sum(own._own(text[start:end]) for start, end in safe_cuts(text, 5_000)) == oracle(name, text), path.name


def test_counting_never_reaches_for_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a network call")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr("tiktoken.load.read_file", refuse)
    encoding.cache_clear()
    text = "some words, 12345 and more\n" * 40_000
    assert Counter("cl100k_base").count(text) == Tiktoken(Counter("cl100k_base")).count(text)


def test_small_counts_import_nothing_heavy() -> None:
    program = (
        "import sys; before = set(sys.modules)\n"
        "from mcpcompact.tokens import counter, sample, resolve\n"
        'text = \'{"id": 1, "name": "naïve"}\\n\' * 700\n'
        "assert counter().count(text) > 1000; resolve('gpt-4o')\n"
        "print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    imported = set(done.stdout.split())
    assert not imported & {
        "dataclasses",
        "inspect",
        "tiktoken",
        "toktok",
        "json",
        "unicodedata",
        "concurrent.futures",
        "regex",
    }
