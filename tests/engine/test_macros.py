"""Calls in the body of what a macro defines are no definitions."""

from __future__ import annotations

from mcpcompact import compact


def test_a_call_in_the_body_of_a_macro_is_no_definition() -> None:
    rules = (
        f'// rule {n}\nDEF(rule_{n});\n  PRINT_INLINE();\n  RULE("part {n}", other_{n});\n'
        f"  OPT TOKEN(NULL, TK_MARK_{n});\n  DONE();\n"
        for n in range(40)
    )
    made = compact(
        '#include "parser.h"\n\n' + "\n".join(rules),
        budget=500,
        threshold=500,
        tool="read",
        arguments={"path": "parser.c"},
    )
    assert "of 40 signatures" in made.text
