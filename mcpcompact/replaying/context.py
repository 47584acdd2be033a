"""The context of a session as a policy sees and rewrites it, message by message."""

from __future__ import annotations

from mcpcompact.patterns import regex
from mcpcompact.replaying.cost import Prompt
from mcpcompact.replaying.session import Session

REFERENCE = regex(r"\bmcpcompact results (?:get|grep) [0-9a-f]{8,}")
"""What makes a result reachable: a command that fetches it stands in the text."""


class Context:
    """``shown`` is the text that stands for each result now, ``after`` are the tokens that it has in the end. What the
    *host* forgot is out of the prompt, but is no doing of the policy."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.prompt = Prompt()
        self.shown: dict[int, str] = {}
        self.after: dict[int, int] = {}
        self.texts: dict[int, str] = {}  # of messages that are no results, as a policy rewrote them
        self.cut = 0  # the messages before this one, the system's aside, are gone
        self.summary = ""  # what stands in their place
        self._live: dict[int, None] = {}  # results that are in the prompt and not replaced yet, in order

    @property
    def size(self) -> int:
        """Tokens of the next call's prompt, what the recording does not show included."""
        call = min(len(self.prompt.growth), len(self.session.hidden) - 1)
        return self.prompt.total + (self.session.hidden[call] if call >= 0 else 0)

    def add(self, position: int, text: str | None = None) -> None:
        """The next message; ``text`` is a policy's version of a result."""
        tokens = self.session.costs[position]
        message = self.session.messages[position]
        if text is not None:
            if text != message.text:
                tokens = self.session.count[text]
            self.shown[position] = text
            self.after[position] = tokens
            self._live[position] = None
        self.prompt.add(tokens)

    def forget(self, position: int) -> None:
        """The host took a message out."""
        if position < len(self.prompt.costs):
            self.prompt.put(position, 0)
            self._live.pop(position, None)

    def live_results(self, but_last: int) -> list[int]:
        """Positions of the results that are still as they arrived, without the last ones."""
        live = list(self._live)
        return live[: max(0, len(live) - but_last)]

    def replace(self, position: int, text: str) -> None:
        """Another text in the place of a result, from this call on."""
        self.set(position, text)
        self._live.pop(position, None)

    def set(self, position: int, text: str, tokens: int | None = None) -> None:
        """Another text in the place of any message; of a result too, which stays live. "" takes it out."""
        tokens = self.session.count[text] if tokens is None else tokens
        if position in self.shown:
            self.shown[position] = text
            self.after[position] = tokens
            if not text:
                self._live.pop(position, None)
        else:
            self.texts[position] = text
        self.prompt.put(position, tokens)
