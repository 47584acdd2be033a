"""Proof of delivery: recorded sessions are read back, and each replacement of the journal is looked for in what the
model saw. A saving counts only where it was seen, as often as a prompt held it, less what was fetched again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mcpcompact.hook.delivery import Delivery, digest
from mcpcompact.tokens import counter
from mcpcompact.transcripts.model import Result, Transcript

DELIVERED, CUT, DROPPED, ELSEWHERE = "delivered", "cut", "not delivered", "elsewhere"
"""Seen whole; seen in part, because the host cut it; not seen, the call is there; in none of these sessions."""


@dataclass(slots=True)
class Outcome:
    """What became of one replacement. ``sent`` counts the prompts that held it; ``fetched`` the later calls that name
    its result, ``fetched_tokens`` what they gave, as often as it was sent."""

    delivery: Delivery
    state: str = ELSEWHERE
    session: str = ""
    sent: int = 0
    fetched: int = 0
    fetched_tokens: int = 0

    @property
    def saved(self) -> int:
        """Prompt tokens, as billed."""
        spared = self.sent * (self.delivery.before - self.delivery.after) if self.state == DELIVERED else 0
        return spared - self.fetched_tokens


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    looked = [one for one in outcomes if one.state != ELSEWHERE]  # whose session was read
    states = Counter(one.state for one in outcomes)
    return {
        "replacements": len(looked),
        "delivered": states[DELIVERED],
        "cut": states[CUT],
        "notDelivered": states[DROPPED],
        "elsewhere": states[ELSEWHERE],
        "savedOnce": sum(one.delivery.before - one.delivery.after for one in looked if one.state == DELIVERED),
        "savedAsBilled": sum(one.saved for one in looked),
        "fetched": sum(one.fetched for one in looked),
        "fetchedTokens": sum(one.fetched_tokens for one in looked),
        "problems": [
            {"state": one.state, "tool": one.delivery.tool, "call": one.delivery.call, "session": one.session}
            for one in looked
            if one.state != DELIVERED
        ],
    }


Seen = tuple[Transcript, int, Result]


def report(transcripts: Sequence[Transcript], deliveries: Iterable[Delivery]) -> dict[str, Any]:
    """Every replacement of the journal, looked for in the sessions: the figures of all."""
    seen: list[Seen] = []
    by_call: dict[str, list[Seen]] = {}
    for transcript in transcripts:
        for position, message in enumerate(transcript.messages):
            if (result := message.result) is not None:
                seen.append((transcript, position, result))
                by_call.setdefault(result.call.id if result.call else "", []).append(seen[-1])
    taken: set[int] = set()
    outcomes: list[Outcome] = []
    for one in deliveries:
        outcome = Outcome(one)
        outcomes.append(outcome)
        candidates = by_call.get(one.call, []) if one.call else seen
        states = ((each, _state(each[2], one)) for each in candidates if id(each[2]) not in taken)
        where, outcome.state = next(((each, state) for each, state in states if state != ELSEWHERE), (None, ELSEWHERE))
        if where is not None:
            transcript, position, result = where
            taken.add(id(result))
            outcome.sent = _sent(transcript, position)
            _count_fetches(outcome, transcript, position)
        elif of := next(
            (each for each in transcripts if one.session and one.session in f"{each.name}\n{each.source}"), None
        ):
            transcript, outcome.state = of, DROPPED
        if outcome.state != ELSEWHERE:
            outcome.session = transcript.name or transcript.source
    return _figures(outcomes)


def _state(result: Result, one: Delivery) -> str:
    """What a result shows of a replacement. One of the same call is its result, whatever it shows."""
    first = at = result.text.find(one.opening) if one.opening else -1
    while at >= 0:
        if digest(result.text[at : at + one.length]) == one.digest:
            return DELIVERED
        at = result.text.find(one.opening, at + 1)
    if first >= 0:
        return CUT if one.call else ELSEWHERE
    return DROPPED if one.call or (one.original and digest(result.text) == one.original) else ELSEWHERE


def _sent(transcript: Transcript, position: int) -> int:
    """The model calls whose prompt held a message."""
    calls = 0
    for message in transcript.messages[position + 1 :]:
        if position in message.forgets:
            break
        calls += message.role == "assistant" and not message.continues
    return calls


def _count_fetches(outcome: Outcome, transcript: Transcript, position: int) -> None:
    reference = outcome.delivery.reference
    for later, message in enumerate(transcript.messages[position + 1 :], position + 1):
        call = message.result.call if message.result else None
        if not reference or call is None or reference not in json.dumps(dict(call.arguments), default=str):
            continue
        assert message.result is not None
        outcome.fetched += 1
        outcome.fetched_tokens += counter().count(message.result.text) * _sent(transcript, later)
