"""Figures of a whole batch, for its last line and its Markdown table."""

from __future__ import annotations

from collections import Counter

from mcpcompact.batch.many import DONE, FAILED, SKIPPED, UNCHANGED, Outcome
from mcpcompact.errors import InputError

MOST_ROWS = 100


class Totals:
    """Figures of a whole batch, for its last line and its Markdown table."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self.states: Counter[str] = Counter()
        self.codes: set[int] = set()
        self.skipped: set[int] = set()
        self.before = self.after = 0
        self._rows: list[Outcome] = []  # at least the ``MOST_ROWS`` that rank first

    def add(self, outcome: Outcome) -> None:
        """Count an outcome; its text is let go."""
        outcome.text = b""
        self.states[outcome.state] += 1
        if outcome.exit_code and outcome.state != SKIPPED:
            self.codes.add(outcome.exit_code)
        elif outcome.exit_code:
            self.skipped.add(outcome.exit_code)
        self.before += outcome.original_tokens
        self.after += outcome.tokens
        self._rows.append(outcome)
        if len(self._rows) > 4 * MOST_ROWS:
            self._rows = self.ranked()

    @property
    def all(self) -> int:
        """Inputs so far, whatever became of them."""
        return self.states.total()

    @property
    def exit_code(self) -> int:
        """That of a single failure; of several different ones, 65. Skipped inputs count where they are all there is,
        and with ``strict``."""
        none = self.states[DONE] + self.states[UNCHANGED] == 0
        codes = self.codes | self.skipped if self._strict or none else self.codes
        if len(codes) == 1 and none:
            return min(codes)
        return InputError.exit_code if codes else 0

    def line(self) -> str:
        """How many of each state, and the tokens before and after."""
        parts = [f"{self.states[s]:,} {s}" for s in (DONE, UNCHANGED, SKIPPED, FAILED) if self.states[s] or s == DONE]
        saved = f" ({100 * (self.before - self.after) / self.before:.1f} % saved)" if self.before else ""
        return f"{', '.join(parts)}; {self.before:,} -> {self.after:,} tokens{saved}"

    def ranked(self) -> list[Outcome]:
        """Failures first, then what was skipped, then what was largest."""
        first = {FAILED: 0, SKIPPED: 1}
        return sorted(self._rows, key=lambda o: (first.get(o.state, 2), -o.original_tokens, o.name))[:MOST_ROWS]

    def markdown(self) -> str:
        """The table for ``$GITHUB_STEP_SUMMARY``."""
        lines = [
            "### mcpcompact",
            "",
            self.line(),
            "",
            "| file | type | method | tokens before | after | saved |",
            "|---|---|---|--:|--:|--:|",
        ]
        for outcome in self.ranked():
            name = outcome.name.replace("|", "\\|").replace("`", "'")
            if outcome.state in (SKIPPED, FAILED) and not outcome.original_tokens:
                reason = (outcome.problem.partition(": ")[2] or outcome.problem).replace("|", "\\|")
                lines.append(f"| `{name}` | | {outcome.state}: {reason} | | | |")
                continue
            saved = 100 * (outcome.original_tokens - outcome.tokens) / max(1, outcome.original_tokens)
            lines.append(
                f"| `{name}` | {outcome.content_type} | {outcome.method} | {outcome.original_tokens:,} "
                f"| {outcome.tokens:,} | {saved:.1f} % |"
            )
        if self.all > MOST_ROWS:
            lines.append(f"\nand {self.all - MOST_ROWS:,} more files")
        return "\n".join(lines) + "\n"
