"""Histories of commits: whole hashes, subjects and authors; exact ranges; what is no history stays what it is."""

from __future__ import annotations

import random

from mcpcompact import compact

WORDS = ["parse", "budget", "token", "error", "cache", "window", "retry", "index"]


DATE = "  Mon Jul {} 10:00:00 2026 +0200"


def history(n: int, style: str = "git") -> tuple[str, list[str]]:
    r = random.Random(7)
    hashes = [f"{r.getrandbits(160):040x}" for _ in range(n)]
    out = ["Commit history:"] if style == "server" else []
    for i, name in enumerate(hashes):
        subject, author = f"Change {i}: {' '.join(r.sample(WORDS, 3))}", r.choice(["Ada Lovelace", "Alan Turing"])
        body = " ".join(r.choice(WORDS) for _ in range(30))
        if style == "server":
            out += [f"Commit: {name}", f"Author: {author}", f"Date: 2026-07-{1 + i % 28:02d} 10:00:00-04:00"]
            out += [f"Message: {subject}", "", body, ""]
        else:
            out += [
                f"commit {name}",
                f"Author: {author} <a@example.com>",
                f"Date:   Mon Jul {1 + i % 28} 10:00:00 2026 +0200",
            ]
            out += ["", f"    {subject}", "", f"    {body}", ""]
    return "\n".join(out), hashes


def test_commits_come_first_with_their_whole_hash() -> None:
    for style in ("git", "server"):
        text, hashes = history(40, style)
        out = compact(text, budget=1_000, threshold=1_000)
        assert out.content_type == "text"
        assert "History: 40 commits, 2026-07-01 to 2026-07-28; 2 authors." in out.text
        shown = [name for name in hashes if name in out.text]
        assert len(shown) >= 10
        lines = text.split("\n")
        for line in out.text.split("\n"):
            if any(name in line for name in shown):
                place, name = line.split(" ")[:2]
                first, last = map(int, place.split("-"))
                assert name in lines[first - 1] and "Change" in lines[last - 1]
                assert line.endswith(lines[last - 1].replace("Message:", "").strip()) or "…[+" in line


def test_a_word_of_trouble_in_a_message_is_no_log() -> None:
    text, _ = history(60)
    assert "failure" not in compact(text, budget=500, threshold=500).text


def test_patches_stay_diffs() -> None:
    text, _ = history(30)
    patch = "\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    mixed = "\n".join(part + patch for part in text.split("\n\n\n"))
    assert compact(mixed, budget=300, threshold=300).content_type != "records"
    assert "History:" not in compact(mixed, budget=300, threshold=300).text
