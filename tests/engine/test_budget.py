"""The hard promise: within the budget, never longer than the input, whatever the input is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SAMPLES, corpus
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mcpcompact import Compaction, Compactor, Policy, ResultStore, compact
from mcpcompact.dressing import _either
from mcpcompact.notice import READERS, STYLES
from mcpcompact.tokens.bulk import encoding

BUDGETS = (150, 300, 1000, 4000)
EXACT_BYTES = 300_000
"""Larger corpus files would take longer than a test may; ``python -m bench.budget`` takes them all."""


def tokens(text: str) -> int:
    """By tiktoken itself, built from the shipped tables: not by the counter that is being judged."""
    return len(encoding("o200k_base").encode_ordinary(text))


def check(text: str, result: Compaction, budget: int, filled: bool = False) -> None:
    """What holds for every result; ``filled``: also that the budget is used where there is enough to say."""
    assert result.problem is None, result.problem
    if result.method == "passthrough":
        assert result.text == text
        short = tokens(text) <= budget  # and no notice fits into fewer tokens than it has
        assert tokens(text) <= result.threshold or short or result.own is not None
        return
    used = tokens(result.text + "\n")
    assert used <= budget
    assert result.tokens == tokens(result.text)
    assert result.tokens <= tokens(text) and len(result.text) <= len(text)
    assert len(result.text.encode("utf-8", "replace")) <= len(text.encode("utf-8", "replace"))
    if filled and tokens(text) >= 4 * budget and not result.lossless:
        assert used >= 0.85 * budget


# ---- inputs of every kind

WORDS = [
    "alpha", "beta", "load_batch", "src/api/reader.py:120", "4711", "ERROR", "failed", "日本語", "данные", "🙂👍🏽",
    '"', "{", "=", "\t", "\x1b[31m", "0x7f3a", "a.b.c", "e\u0301", "\u2028", "x" * 90, "\0", "\r",
]  # fmt: skip
words = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.sampled_from(WORDS), v, max_size=4), max_leaves=12
)
times = st.integers(1, 200)


def repeated(lines: list[str], n: int) -> str:
    return "\n".join(f"{line} {i}" if i % 3 else line for i in range(n) for line in lines)


plain = st.text(max_size=3000)
wide = st.text(st.characters(min_codepoint=0x3000, max_codepoint=0x1FAFF, exclude_categories=["Cs"]), max_size=800)
documents = st.builds(lambda v, n: json.dumps([v] * n), values, times)
records = st.builds(
    lambda rows, n: json.dumps([{"id": i, **rows[i % len(rows)]} for i in range(n)], ensure_ascii=False),
    st.lists(
        st.dictionaries(st.sampled_from(["name", "state", "n", "at"]), scalars, min_size=1), min_size=1, max_size=4
    ),
    times,
)
logs = st.builds(
    lambda lines, n: repeated([f"2026-03-01T10:00:00Z INFO w1 {line}" for line in lines], n),
    st.lists(words, min_size=1, max_size=4),
    times,
)
tables = st.builds(lambda row, n: "a,b,c\n" + "\n".join(f"{i},{row}" for i in range(n)), words, times)
sequences = st.builds(
    lambda body, n: "".join(f">s{i} word\n{body}\n" for i in range(n)), st.text("ACGTN\n>", max_size=300), times
)
diffs = st.builds(
    lambda lines, n: f"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,{n} +1,{n} @@\n" + repeated(lines, n),
    st.lists(st.builds(str.__add__, st.sampled_from("+- @"), words), min_size=1, max_size=4),
    times,
)
pages = st.builds(
    lambda parts, n: "<html><body>" + "".join(f"<h2>{p}</h2><p>{p} {i}" for i in range(n) for p in parts),
    st.lists(words, min_size=1, max_size=3),
    times,
)
lines = st.builds(repeated, st.lists(words, min_size=1, max_size=6), times)
long_lines = st.builds(lambda line, n: (line or "z") * n * 4, words, times)
anything = st.one_of(plain, wide, documents, records, logs, tables, sequences, diffs, pages, lines, long_lines)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    anything,
    st.sampled_from((50, 51, 64, 100, 150, 299, 300, 1000, 4000)) | st.integers(50, 4000),
    st.sampled_from((None, 0, 100)),
    st.sampled_from((None, *STYLES)),
    st.sampled_from(READERS),
    st.booleans(),
)
@example("x" * 400, 50, 0, "full", "shell", True)
@example("\n" * 5000, 50, 0, None, "mcpcompact", True)
@example(" " * 5000, 50, 0, "none", "none", False)
@example("日本語" * 400, 60, 0, "full", "mcpcompact", True)
@example('{"a": ' * 500, 50, 0, None, "read", True)
def test_never_over_the_budget_nor_longer_than_the_input(
    tmp_path_factory: pytest.TempPathFactory,
    text: str,
    budget: int,
    threshold: int | None,
    style: str | None,
    reader: str,
    stored: bool,
) -> None:
    store = ResultStore(tmp_path_factory.getbasetemp() / "budget") if stored else None
    result = compact(text, policy=Policy(budget, threshold, reader, style), store=store)
    check(text, result, budget)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(anything, st.sampled_from((None, *STYLES)), st.integers(200, 3000), words)
def test_characters_and_the_prefix_are_bounded_too(text: str, style: str | None, most: int, prefix: str) -> None:
    result = Compactor(Policy(600, 200, notice=style, max_chars=most), prefix=prefix).compact(text)
    if result.method != "passthrough":
        assert len(result.text) <= most
        assert tokens(result.text + "\n") <= 600


@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "gemini-2.5-pro", "gpt-4"])
def test_other_models_take_the_high_end(model: str) -> None:
    from mcpcompact.tokens import resolve

    tokenizer = resolve(model)
    result = compact((SAMPLES / "service.log").read_text(), budget=500, model=model)
    counted = len(encoding(tokenizer.encoding).encode_ordinary(result.text))
    assert counted * tokenizer.high <= 500
    assert result.exact == (model == "gpt-4")


def test_a_hundred_sequences_in_150_tokens() -> None:
    """The first users' case: 100 barcodes of 500 residues; what they are, how many, how long, what is odd."""
    text = "".join(
        f">BOLD:{i:04} {('Apis mellifera', 'Vanessa > cardui', 'Bombus terrestris')[i % 3]}\n"
        + ("ACGTTGCA" * 63)[i % 8 : i % 8 + (12 if i == 41 else 500)]
        + "\n"
        for i in range(100)
    )
    for given_text in (text, json.dumps(text), json.dumps({"content": [{"type": "text", "text": text}]})):
        result = compact(given_text, budget=150)
        assert tokens(result.text + "\n") <= 150
        assert result.content_type == "fasta" and result.items_total == 100
        assert "100" in result.text and "500" in result.text and "BOLD:0041" in result.text and "12" in result.text


# ---- recorded files


def recorded() -> list[Path]:
    """About 25 files, chosen by position in the sorted list: the same ones every time."""
    root = corpus()
    if root is None:
        return []
    files = [
        path
        for part in ("tool_outputs", "logs", "sequences")
        for path in sorted((root / part).rglob("*"))
        if path.is_file() and 4_000 < path.stat().st_size < EXACT_BYTES
    ]
    return files[:: max(1, len(files) // 25)][:25]


FINISHED = {
    "ClangAnalyzer.txt",  # every step of all findings is shown in two thirds of 1,000 tokens
    "findbugs-issue12314.xml",  # one finding and the sums: the rest is how long each detector took
}


@pytest.mark.skipif(not recorded(), reason="no corpus: set MCPCOMPACT_CORPUS")
@pytest.mark.parametrize("path", recorded(), ids=lambda path: "/".join(path.parts[-2:]))
def test_recorded_files_fit_and_fill(path: Path, tmp_path: Path) -> None:
    from mcpcompact.inputs.reading import open_source

    source = open_source(str(path))
    store = ResultStore(tmp_path)
    for budget in BUDGETS:
        result = compact(source, budget=budget, store=store)
        payload = result.envelope.source if result.envelope else source
        fills = path.name not in FINISHED
        check(payload.text if result.method != "passthrough" else source.text, result, budget, filled=fills)
        if result.reference:
            assert b"".join(store.get(result.reference.id).source().blocks()) == source.data


@pytest.mark.parametrize("shape", ["exec", "mcp", "payload"])
def test_what_stands_around_a_payload_counts_for_the_threshold(shape: str) -> None:
    """A message just over the threshold whose payload is just under it is shortened, not passed over budget."""
    text = "\n".join(f"line {i} of the output, value {i * 7919 % 9973}" for i in range(70))
    message = {
        "exec": f"Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: 70\nOutput:\n{text}",
        "mcp": json.dumps({"content": [{"type": "text", "text": text}], "isError": False}, indent=8),
        "payload": json.dumps({"exit_code": 0, "output": text}),
    }[shape]
    threshold = tokens(text)
    assert tokens(message) > threshold
    made = compact(message, budget=threshold, threshold=threshold)
    assert made.method != "passthrough" and tokens(made.text) <= threshold


@pytest.mark.parametrize("notice", ["full", "short", "none"])
@pytest.mark.parametrize("line", ["=" * 64, " " * 60 + "x", "-" * 64 + "+"])
def test_never_more_tokens_than_the_input_even_where_it_has_more_characters(line: str, notice: str) -> None:
    """A rule of 64 signs is one token: a text about it is soon dearer than itself."""
    for lines in (3, 12, 40):
        text = f"{line}\n" * lines
        result = compact(text, policy=Policy(1000, 0, notice=notice))
        assert tokens(result.text) <= tokens(text)


@pytest.mark.parametrize("more", [5, 40, 400])
def test_a_body_of_more_tokens_than_it_was_allowed_does_not_leave(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpcompact.engine import fill

    real = fill.fill
    monkeypatch.setattr(fill, "fill", lambda outline, budget, *rest: real(outline, budget + more, *rest))
    rows = "".join(f"2026-01-01 00:00:{i % 60:02d} INFO berth-{i} order {i * 7919 % 997} done\n" for i in range(300))
    made = compact(rows, budget=200, threshold=200)
    assert made.problem is None and tokens(made.text + "\n") <= 200


@pytest.mark.parametrize("budget", range(50, 72))
def test_the_text_as_it_is_and_as_it_is_printed_are_within_the_budget(budget: int) -> None:
    """In o200k_base ``|;`` is two tokens, before a new line it is one: such a text has fewer as it is printed."""
    assert tokens("#4|;") > tokens("#4|;\n")
    assert _either("#4|;", tokens) == tokens("#4|;") and _either("#4", tokens) == tokens("#4\n")
    rows = [
        "D:\\rig\\deck.cpp(17): remark #1418: external definition with no prior declaration",
        ">sail\ufffd_1 len=4",
        "/rig/mast1.f90(1): warning #6843: A dummy argument with an explicit intent is not given a value.   [X]",
        ";",
    ]
    policy = Policy(budget=budget, threshold=0, reader="read")
    call = {"tool": "x y", "server": "s", "arguments": {"id": "len"}}
    out = compact("\n".join(rows), policy=policy, content_type="table", **call)  # type: ignore[arg-type]
    assert max(tokens(out.text), tokens(out.text + "\n")) <= budget
