"""What hook, proxy and middlewares share: a result on its way to the model, as the configuration says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcpcompact.config import DEFAULT_BUDGET, configured
from mcpcompact.errors import McpcompactError
from mcpcompact.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcpcompact.compaction import Compaction
    from mcpcompact.masking import Masker
    from mcpcompact.results import Store
    from mcpcompact.settings.effective import Settings

COUNTED = 1 << 16  # bytes of a text that is counted before anything else is loaded


class Interceptor:
    """Compacts results by server and tool as the configuration says, for a whole process: a changed configuration
    counts from the next result on, an invalid one never. ``store`` is a results directory (a path or a ``ResultStore``;
    the one in force without it). ``budget`` and ``threshold`` stand where nothing is configured. ``log`` gets a line
    for what went wrong. Safe for many threads."""

    def __init__(
        self,
        *,
        store: Store | str | None = None,
        config: str | None = None,
        budget: int = DEFAULT_BUDGET,
        threshold: int | None = None,
        reader: str = "tools",
        log: Callable[[str], object] = str,  # says nothing
    ) -> None:
        self.log = log
        self._base = Policy(budget, threshold, reader)
        self._live: Callable[[], Settings | None] = lambda: None
        if configured(config):
            from mcpcompact.settings.effective import Live, load

            self._live = Live(load(config), log).current
        self._store = store
        self._masker: tuple[Settings, Masker] | None = None  # of the settings that it was made for

    @property
    def settings(self) -> Settings | None:
        """Those in force now; None where nothing is configured."""
        return self._live()

    @property
    def store(self) -> Store:
        """Where originals are kept."""
        held = self._store
        if held is None or isinstance(held, str):
            from mcpcompact.results import opened

            settings = self.settings
            held = self._store = opened(held or (settings.get("results_dir") if settings else None))
        return held

    def masks(self) -> bool:
        """Whether the results of any tool are masked."""
        settings = self.settings
        return settings is not None and settings.masks_any()

    def masker(self, tool: str | None, server: str = "") -> Masker | None:
        """What masks a tool's results, None where nothing does; without a tool what masks those of any. Raises what
        keeps it from being made."""
        settings = self.settings
        if settings is None or not (settings.masks_any() if tool is None else settings.masks(server or None, tool)):
            return None
        if self._masker is None or self._masker[0] is not settings:
            self._masker = (settings, masker_for(self.store, settings))
        return self._masker[1]

    def policy(self, tool: str, server: str = "") -> Policy:
        """The limits of a tool's results."""
        settings = self.settings
        if settings is None:
            return self._base
        chosen = settings.policy(server or None, tool)
        layer = settings.find(("defaults", "reader"))[1]  # 0: nobody said who reads
        return chosen if layer else chosen.replaced(reader=self._base.reader)

    def compact(
        self,
        result: Any,
        *,
        tool: str,
        server: str = "",
        arguments: Mapping[str, Any] | None = None,
        policy: Policy | None = None,
        size: int = 0,
    ) -> Compaction | None:
        """A shorter version of a result (text, or a message that carries it); None where it stays as it is: it is
        small, our own, or something failed. ``size`` is a message's length in bytes, where it is known. What could not
        be masked is withheld: a line says so in its place. Never raises."""
        masks = False
        try:
            settings, policy = self.settings, policy or self.policy(tool, server)
            masks = settings is not None and settings.masks(server or None, tool)
            counted_as_is = settings is None or not settings.get("model")
            if not masks and (not policy.enabled or (counted_as_is and _is_small(result, policy, size))):
                return None
            from mcpcompact.pipeline import Compactor, ToolCall

            store = self.store
            masker = self.masker(tool, server) or False
            model, encoding = (settings.get("model"), settings.get("encoding")) if settings else (None, None)
            compactor = Compactor(policy, store, masker, model, encoding, results_option=store.options)
            outcome = compactor.compact(result, ToolCall(tool, server or None, arguments))
        except (McpcompactError, OSError) as error:
            self.log(f"{tool}: {error} (the result {'is withheld' if masks else 'stays as it was'})")
            from mcpcompact.compaction import Compaction

            return Compaction("text", "passthrough", 0, 0, 0, 0, withheld(error)) if masks else None
        if outcome.problem is not None:
            self.log(f"{tool}: {outcome.problem.line()} (the result stays as it was)")
        return outcome if outcome.masked or (outcome.method != "passthrough" and outcome.problem is None) else None

    async def acompact(
        self, result: Any, *, tool: str, server: str = "", arguments: Mapping[str, Any] | None = None
    ) -> Compaction | None:
        """``compact`` in a thread."""
        import asyncio

        return await asyncio.to_thread(self.compact, result, tool=tool, server=server, arguments=arguments)

    @property
    def tools(self) -> list[tuple[Callable[..., str], str, str]]:
        """The tools that read the rest of a result: function, name and description."""
        from mcpcompact.integrations.reading import GET, GET_HELP, GREP, GREP_HELP

        return [(self.get, GET, GET_HELP), (self.grep, GREP, GREP_HELP)]

    def get(self, id: str, select: str = "") -> str:
        """A page of a stored result, or the line that says what is wrong."""
        from mcpcompact.integrations import reading

        return str(reading.get(self.store, id, select))

    def grep(self, id: str, term: str, context: int = 0) -> str:
        """The lines of a stored result that contain a term."""
        from mcpcompact.integrations import reading

        return str(reading.grep(self.store, id, term, context))


def masker_for(store: Store | None, settings: Settings | None) -> Masker:
    """The built-in rules and those of the configuration, under the key of the results directory."""
    from mcpcompact.masking import rules_of
    from mcpcompact.results.keys import masker_of

    if settings is None:
        return masker_of(store)
    rules = rules_of(settings.find(("masking", "rules"))[0] or ())
    return masker_of(store, rules, email=bool(settings.find(("masking", "email"))[0]))


def withheld(error: Exception) -> str:
    """What stands for a text that could not be masked."""
    return f"[mcpcompact] the result is withheld, its secrets could not be masked ({type(error).__name__})"


def _is_small(result: Any, policy: Policy, size: int) -> bool:
    """Whether a result passes for sure: no tokenizer is loaded for one of no more bytes than it may have tokens."""
    if policy.max_chars or policy.max_bytes or not (size or isinstance(result, str)):
        return False
    size = size or len(result.encode("utf-8", "surrogatepass"))
    if size <= policy.passes_at or size > COUNTED or not isinstance(result, str):
        return size <= policy.passes_at
    from mcpcompact.tokens import counter

    return counter().count(result) <= policy.passes_at


def text_of(outcome: Compaction) -> str:
    """The text that takes the place of the original's: without its message, where it came in one."""
    if outcome.method == "passthrough" and outcome.envelope is not None:  # as long as it was, but masked
        return outcome.envelope.source.text
    return outcome.text


def value_of(result: Any, outcome: Compaction) -> Any:
    """What takes the place of ``result``, in its shape: other blocks, ``isError`` and ``_meta`` stay, structured
    content goes (the text stands for both)."""
    text = text_of(outcome)
    if isinstance(result, (str, bytes)) or outcome.envelope is None or outcome.envelope.shape == "plain":
        return text
    return outcome.envelope.rewrap(text)


def text(value: Any) -> str:
    """A value that should be a text; empty for any other."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> dict[str, Any]:
    """A value that should be an object; empty for any other."""
    return value if isinstance(value, dict) else {}


def arguments_of(value: Any) -> dict[str, Any]:
    """A call's arguments, which some hosts send as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return mapping(value)
