"""Outputs of tools as these print them: what failed stands, and nothing is said that the tool did not say."""

from __future__ import annotations

from mcpcompact import compact


def text_of(data: str, budget: int = 1_000, **call: object) -> str:
    return compact(data, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


def test_an_erased_end_of_line_is_no_line_drawn_anew() -> None:
    def coloured(code: str, text: str) -> str:
        return f"\x1b[{code}m\x1b[K{text}\x1b[m\x1b[K"

    lines = []
    for n in range(60):
        place, name = coloured("01", f"unit{n}.c:{n + 3}:9:"), coloured("01", f"spare_{n}")
        lines.append(f"gcc -Wall -c unit{n}.c -o unit{n}.o")
        lines.append(f"{place} {coloured('01;35', 'warning: ')}unused variable '{name}' [-Wunused-variable]")
        lines.append(f"   {n + 3} |     int {coloured('01;35', f'spare_{n}')} = {n};")
    lines.append(
        f"{coloured('01', 'unit7.c:90:3:')} {coloured('01;31', 'error: ')}'{coloured('01', 'lost')}' undeclared"
    )
    lines.append("make: *** [Makefile:7: unit7.o] Error 1")
    said = text_of("\n".join(lines))
    assert "unit7.c:90:3: error: 'lost' undeclared" in said
    assert "60× -Wunused-variable" in said
    assert "states]" not in said
