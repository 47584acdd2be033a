"""What a session is billed: the prompt of every model call, split into cached and fresh.

Every model call sends again what stands before it. A prompt is a list of pieces, one a message, each with its tokens;
a piece that a policy rewrites or drops breaks the provider's cache from there on. Providers cache the longest common
prefix of successive prompts (OpenAI "Prompt caching", Anthropic "Prompt caching"); here the prefix ends at a piece, no
least length is asked for, and nothing expires.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpcompact.errors import ConfigError, NoInputError
from mcpcompact.tokens.models import bare

PRICED = "list prices of November 2025, USD a million tokens"


@dataclass(slots=True, frozen=True)
class Price:
    """USD a million tokens. ``written`` is what fresh tokens cost where the provider charges for caching them."""

    input: float
    cached: float
    output: float
    written: float | None = None

    def cost(self, fresh: int, cached: int, output: int) -> float:
        fresh_price = self.input if self.written is None else self.written
        return (fresh * fresh_price + cached * self.cached + output * self.output) / 1e6


PRICES: dict[str, Price] = {
    # the longest prefix of the model's name that fits counts; list prices of the providers' pages, see PRICED
    "gpt-5": Price(1.25, 0.125, 10.0),
    "gpt-5-mini": Price(0.25, 0.025, 2.0),
    "gpt-5-nano": Price(0.05, 0.005, 0.4),
    "gpt-4.1": Price(2.0, 0.5, 8.0),
    "gpt-4.1-mini": Price(0.4, 0.1, 1.6),
    "gpt-4.1-nano": Price(0.1, 0.025, 0.4),
    "gpt-4o": Price(2.5, 1.25, 10.0),
    "gpt-4o-mini": Price(0.15, 0.075, 0.6),
    "o3": Price(2.0, 0.5, 8.0),
    "o4-mini": Price(1.1, 0.275, 4.4),
    "claude-opus-4": Price(15.0, 1.5, 75.0, 18.75),
    "claude-opus-4-5": Price(5.0, 0.5, 25.0, 6.25),
    "claude-sonnet-4": Price(3.0, 0.3, 15.0, 3.75),
    "claude-3-7-sonnet": Price(3.0, 0.3, 15.0, 3.75),
    "claude-3-5-sonnet": Price(3.0, 0.3, 15.0, 3.75),
    "claude-haiku-4-5": Price(1.0, 0.1, 5.0, 1.25),
    "claude-3-5-haiku": Price(0.8, 0.08, 4.0, 1.0),
    "gemini-2.5-pro": Price(1.25, 0.125, 10.0),
    "gemini-2.5-flash": Price(0.3, 0.03, 2.5),
    "gemini-2.0-flash": Price(0.1, 0.025, 0.4),
}


def load_prices(path: str | Mapping[str, Any] | None) -> dict[str, Price]:
    """The table above, overlaid by a JSON or TOML file: ``{"MODEL": {"input_price": 2.5, "cached_input_price": 1.25,
    "output_price": 10, "cache_write_price": 3}}``, at the top or under ``models`` (as in the configuration).

    ``cached_input_price`` defaults to the input price. A mapping of that form stands for a file. Raises
    ``NoInputError`` or ``ConfigError``.
    """
    if path is None:
        return PRICES
    label, table = (path, _read(path)) if isinstance(path, str) else ("prices", path)
    return PRICES | {bare(name): _price(label, name, entry) for name, entry in table.items()}


def _read(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise NoInputError(f"{path}: {error.strerror or error}", hint="name a price file for --prices") from None
    try:
        table = tomllib.loads(data.decode()) if path.endswith(".toml") else json.loads(data)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}", hint="a price file is JSON, or TOML when it ends in .toml") from None
    table = table.get("models", table) if isinstance(table, dict) else table
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: not a table of models", hint='for example {"my-model": {"input_price": 2.5}}')
    return table


def _price(path: str, name: str, entry: Any) -> Price:
    keys = ("input_price", "cached_input_price", "output_price", "cache_write_price")
    if not isinstance(entry, dict) or "input_price" not in entry:
        raise ConfigError(f"{path}: {name} has no input_price", hint=f"a model has {', '.join(keys)}")
    values = [entry.get(key) for key in keys]
    for key, value in zip(keys, values, strict=True):
        if value is not None and (not isinstance(value, (int, float)) or isinstance(value, bool) or not value >= 0):
            raise ConfigError(f"{path}: {key} of {name} is {value!r}", hint="give USD per million tokens, 0 or more")
    given, cached, output, written = (None if value is None else float(value) for value in values)
    given = given or 0.0
    return Price(given, given if cached is None else cached, output or 0.0, written)


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The price of a model by the longest name in the table that its own begins with."""
    name = bare(model)
    fitting = [known for known in prices if name.startswith(known)]
    return prices[max(fitting, key=len)] if fitting else None


class Prompt:
    """The pieces of the next prompt by the position of their message, and the bill so far, in tokens: ``billed`` in
    all, of them ``cached``, and the context of each call (``growth``).

    What changes is found as it changes: the cost of a call is that of what changed since the call before, never that
    of the whole prompt.
    """

    __slots__ = ("_changed", "_hidden", "billed", "cached", "costs", "growth", "total")

    def __init__(self) -> None:
        self.costs: list[int] = []
        self.growth: list[int] = []
        self.total = self.billed = self.cached = 0
        self._changed = 0  # the first piece that is not as it was in the last prompt
        self._hidden = 0

    def add(self, tokens: int) -> None:
        self.costs.append(tokens)
        self.total += tokens

    def put(self, position: int, tokens: int) -> None:
        """Another text in the place of a piece; 0 tokens take it out."""
        self.total += tokens - self.costs[position]
        self.costs[position] = tokens
        self._changed = min(self._changed, position)

    def send(self, hidden: int = 0) -> None:
        """Bill one call. ``hidden`` tokens stand before the first piece: what the recording's usage has more."""
        cached = self.total - sum(self.costs[self._changed :])
        if self.growth:
            cached += min(hidden, self._hidden)
        self.billed += self.total + hidden
        self.cached += cached
        self.growth.append(self.total + hidden)
        self._changed, self._hidden = len(self.costs), hidden
