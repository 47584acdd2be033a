"""The files of a change and what became of them."""

from __future__ import annotations

from mcpcompact import compact


def test_what_a_pull_brings_is_a_list_of_changed_files() -> None:
    rows = [f" docs/tide{n:03}.md | {n % 7 + 1} +" for n in range(60)] + [" LEDGER.md    | 9041 ----------------"]
    fates = [f" create mode 100644 docs/tide{n:03}.md" for n in range(60)] + [" delete mode 100644 LEDGER.md"]
    total = " 61 files changed, 236 insertions(+), 9041 deletions(-)"
    lines = ["Updating 4f2b1aa..9c3d5ee", "Fast-forward", *rows, total, *fates, ""]
    text = compact("\n".join(lines), budget=300, threshold=300).text
    summed = "61 files changed, 236 insertions(+), 9041 deletions(-): create mode 60 · delete mode 1 (LEDGER.md)."
    assert summed in text and "LEDGER.md | 9041 ---" in text
    assert compact("\n".join(lines), budget=300, threshold=300).content_type == "text"
