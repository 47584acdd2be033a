"""A rendering that loses nothing is preferred to a longer notice."""

from __future__ import annotations

from mcpcompact import compact


def test_what_loses_nothing_gets_the_short_notice_where_the_full_one_is_too_long() -> None:
    view = "\n".join(f"{n}:    value_{n} = compute(items[{n}], default=None)" for n in range(1, 101))
    size = compact(view, budget=100_000).original_tokens
    result = compact(view, budget=size - 50, threshold=size - 50, tool="open")
    assert result.method == "lossless"
    assert len(result.text) <= len(view)
