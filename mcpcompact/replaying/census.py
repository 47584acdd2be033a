"""What a recorded session is made of: tokens by role, tool and message, and how full the model's window gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcpcompact.phrasing import keyed
from mcpcompact.replaying.session import arguments_text, standing
from mcpcompact.tokens import COMPACT_OVER, Tokenizer, counter, resolve
from mcpcompact.tokens.count import estimate_characters
from mcpcompact.transcripts.model import Message, Transcript

_PERCENT = 20  # of all tokens that are worth a line

EXCEEDED = "CONTEXT_LIMIT_EXCEEDED"
WARN_AT = 80.0  # percent of the window from which a session is near its end

ROLES = ("system", "user", "assistant", "tool")


@dataclass(slots=True)
class Row:
    """Tokens of the messages of one role, or of the calls and the results of one tool."""

    name: str
    tokens: int = 0
    count: int = 0  # messages; of a tool its results
    calls: int = 0
    call_tokens: int = 0
    largest: int = 0

    def add(self, other: Row) -> None:
        for name in ("tokens", "count", "calls", "call_tokens"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.largest = max(self.largest, other.largest)


class Census:
    """``tokens`` of all messages (text, and of each call its tool and arguments). ``peak`` is the fullest context: what
    stands before a model call, and the call's own output, without what the host forgot; ``recorded`` is the same as
    the provider counted it (0 where the file holds no usage), with the system prompt and tool schemas that the file
    does not show. ``context`` is the one that the window is compared with: the recorded one where there is one, else
    the high end of the visible one. ``overflow`` is the position of the first message that does not fit, else None."""

    def __init__(
        self,
        transcript: Transcript,
        *,
        model: str | None = None,
        encoding: str | None = None,
        max_tokens: int | None = None,
    ) -> None:
        self.transcript = transcript
        self.tokenizer: Tokenizer = resolve(model or transcript.model or None, encoding)
        self.context_limit = self.tokenizer.context_limit
        if transcript.window and not model:
            self.context_limit = transcript.window
        self.limit = max_tokens if max_tokens is not None else self.context_limit
        self.omissions = transcript.omissions
        self._count(transcript.messages)
        self._fill(transcript.messages)

    def _count(self, messages: Sequence[Message]) -> None:
        texts = [message.text for message in messages]
        spoken = [[f"{c.tool} {arguments_text(c.arguments)}" for c in message.calls] for message in messages]
        count = counter(self.tokenizer.encoding).counts
        costs, asked = count(texts), iter(count([text for calls in spoken for text in calls]))
        self.costs: list[int] = []
        self.roles = {role: Row(role) for role in ROLES}
        self.tools: dict[str, Row] = {}
        self.characters = self.bytes = self.lines = 0
        for message, tokens, calls in zip(messages, costs, spoken, strict=True):
            for call in message.calls:
                spent = next(asked)
                tokens += spent
                self._tool(call.server, call.tool).add(Row("", calls=1, call_tokens=spent))
            self.costs.append(tokens)
            self.roles[message.role].add(Row("", tokens, 1, largest=tokens))
            if message.result is not None:
                origin = message.result.call
                self._tool(origin.server if origin else "", message.result.tool).add(Row("", tokens, 1, largest=tokens))
            for text in (message.text, *calls):
                self.characters += len(text)
                self.bytes += len(text.encode("utf-8", "replace"))
                self.lines += text.count("\n") + bool(text)
        self.tokens = sum(self.costs)

    def _tool(self, server: str, tool: str) -> Row:
        name = f"{server}.{tool}" if server else tool or "(unknown)"
        return self.tools.setdefault(name, Row(name))

    def _fill(self, messages: Sequence[Message]) -> None:
        """Walk the calls: how much stands before each, with its output."""
        self.contexts = list(standing(messages, self.costs))
        self.peak, self.recorded = max(self.contexts, default=0), 0
        self.overflow: int | None = None
        for position, message in enumerate(messages):
            used = message.usage.prompt + message.usage.output if message.usage else 0
            self.recorded = max(self.recorded, used)
            high = used or (0 if self.recorded else self.tokenizer.bounds(self.contexts[position])[1])
            if self.overflow is None and self.limit is not None and high > self.limit:
                self.overflow = position
        self.context = self.recorded or self.tokenizer.bounds(self.peak)[1]

    def drop_texts(self) -> None:
        """Keep the figures only: of many sessions, the texts of one at a time are in memory."""
        for message in self.transcript.messages:
            message.text, message.places = "", ()
            if message.result is not None:
                message.result.text, message.result.places, message.result.copies = "", (), ()
            for call in message.calls:
                call.arguments = {}

    @property
    def usage_percent(self) -> float | None:
        return round(100 * self.context / self.context_limit, 2) if self.context_limit else None

    @property
    def exceeds(self) -> bool:
        return self.limit is not None and self.context > self.limit

    @property
    def warning(self) -> str:
        """One line when the window is nearly full or over; "" when there is room."""
        if self.limit is None or self.context <= self.limit * WARN_AT / 100:
            return ""
        share = f"{self.context:,} of {self.limit:,} tokens ({100 * self.context / self.limit:.0f} %)"
        if not self.exceeds:
            return f"the context reaches {share}"
        at = f", first at message {self.overflow + 1:,}" if self.overflow is not None else ""
        return f"{EXCEEDED}: the context reaches {share}{at}"

    @property
    def suggestions(self) -> list[str]:
        costs = zip(self.costs, self.transcript.messages, strict=True)
        large = [cost for cost, message in costs if message.result and cost > COMPACT_OVER]
        suggestions = []
        if self.exceeds and self.limit is not None:
            suggestions.append(f"over the limit by {self.context - self.limit:,} tokens")
        top = max(self.tools.values(), key=lambda row: row.tokens, default=None)
        if top is not None and self.tokens and (share := 100 * top.tokens / self.tokens) >= _PERCENT:
            suggestions.append(f"results of {top.name} are {share:.0f} % of the session")
        if large:
            suggestions.append(
                f"{len(large):,} results over {COMPACT_OVER:,} tokens hold {sum(large):,}: "
                "mcpcompact replay FILE --policy mcpcompact shows what summaries of them would save and lose"
            )
        return suggestions

    def rows(self, by: Sequence[str]) -> list[dict[str, Any]]:
        """The breakdown as JSON: an object a role, a tool (largest first), a message."""
        rows: list[dict[str, Any]] = []
        if "role" in by:
            rows += [role_row(row, self.tokens) for row in self.roles.values() if row.count]
        if "tool" in by:
            rows += [tool_row(row, self.tokens) for row in ordered(self.tools.values())]
        if "message" in by:
            rows += list(map(self._message, range(len(self.costs))))
        return rows

    def _message(self, position: int) -> dict[str, Any]:
        message = self.transcript.messages[position]
        row: dict[str, Any] = {"message": position + 1, "role": message.role}
        if message.result is not None:
            row["tool"] = message.result.tool
        elif message.calls:
            row["calls"] = [call.tool for call in message.calls]
        return row | {"tokens": self.costs[position], "contextTokens": self.contexts[position]}

    def as_dict(self, by: Sequence[str]) -> dict[str, Any]:
        """The JSON of ``mcpcompact count`` on a transcript."""
        transcript = self.transcript
        report: dict[str, Any] = {"file": transcript.source}
        if transcript.name:
            report["transcript"] = transcript.name
        if self.exceeds:
            report["code"] = EXCEEDED
        report |= {
            "tokens": self.tokens,
            "estimatedTokens": estimate_characters(self.characters),
            **keyed(self, "bytes", "lines"),
            "format": transcript.format,
            **keyed(self.tokenizer, "model", "encoding", "exact"),
            "messages": len(transcript.messages),
            "calls": len(transcript.calls),
            "results": len(transcript.results),
            **self.omissions.as_dict(),
            "peakContext": self.peak,
        }
        if self.recorded:
            report["recordedPeakContext"] = self.recorded
        if self.overflow is not None:
            report["overflowMessage"] = self.overflow + 1
        if transcript.problems:
            report["problems"] = transcript.problems
        return report | {
            **keyed(self, "context_limit", "usage_percent"),
            "exceedsLimit": self.exceeds,
            "breakdown": self.rows(by),
            "suggestions": self.suggestions,
        }


def ordered(rows: Any) -> list[Row]:
    return sorted(rows, key=lambda row: (-row.tokens - row.call_tokens, row.name))


def share(tokens: int, total: int) -> float:
    return round(100 * tokens / total, 2) if total else 0.0


def role_row(row: Row, total: int) -> dict[str, Any]:
    return {"role": row.name, "tokens": row.tokens, "percent": share(row.tokens, total), "messages": row.count}


def tool_row(row: Row, total: int) -> dict[str, Any]:
    about = {"tool": row.name, "tokens": row.tokens, "percent": share(row.tokens, total), "results": row.count}
    return about | keyed(row, "largest", "calls", "call_tokens")
