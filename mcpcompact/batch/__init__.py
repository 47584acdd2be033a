"""One input: opened, compacted as its settings say, and rendered in the shape that was asked for. Many: ``many``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcompact.policy import Policy, for_host, for_window
from mcpcompact.source import Sample, Source, begins_in_ascii

if TYPE_CHECKING:
    from mcpcompact.compaction import Compaction
    from mcpcompact.llm import Options
    from mcpcompact.masking import Masker
    from mcpcompact.pipeline import Compactor
    from mcpcompact.settings.effective import Settings


ASKED_ABOUT = ("server", "arguments", "focus", "model", "encoding")
FIGURES = ("content_type", "method", "original_tokens", "tokens", "budget", "threshold", "items_total", "items_shown")
"""What the outcome of a batch and the telemetry have of a compaction."""
COMPACTED_AS = ("model", "encoding", "content_type", "encoding_in", "exact")


class Chooser(NamedTuple):
    """The policy of each result: settings (or ``base`` where nothing is configured), then ``fields``, then the host's
    limit, then what the window still holds. Small, and sent to the processes of a batch as it is."""

    settings: Settings | None = None
    base: Policy = Policy()
    fields: tuple[str, ...] = ()
    preset: str = ""
    given: tuple[str, ...] = ()  # names of what was asked for by option: a preset leaves them
    window_left: int | None = None

    def policy(self, server: str | None = None, tool: str | None = None) -> Policy:
        policy = self.base if self.settings is None else self.settings.policy(server, tool)
        if self.fields:
            policy = policy.replaced(keep_fields=self.fields)
        if self.preset:
            policy = for_host(policy, self.preset, self.given)
        return policy if self.window_left is None else for_window(policy, self.window_left)


class Common(NamedTuple):
    """What all tasks of a batch share. ``results_dir`` is empty when originals are not kept."""

    shape: str = "text"
    tool: str | None = None
    server: str | None = None
    arguments: Mapping[str, Any] | None = None
    focus: str | None = None
    content_type: str | None = None
    model: str | None = None
    encoding: str | None = None
    exact: bool = False
    results_dir: str = ""
    results_option: str = ""
    version: str = ""
    mask: bool = False  # everything; else what the settings say of a tool
    masker: Masker | None = None
    llm: Options | None = None
    encoding_in: str | None = None

    def fingerprint(self, chooser: Chooser) -> str:
        """Changes with everything that changes an output."""
        return hashlib.sha256(f"{self!r}\n{chooser!r}".encode("utf-8", "replace")).hexdigest()[:16]


def compacted(
    source: Source,
    common: Common,
    chooser: Chooser,
    masker: Masker | None,
    tool: str | None,
    name: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Compaction:
    """One opened input, compacted as ``common`` says, the LLM pass included. ``tool`` is the one that settings go by:
    that of the message where none was named. ``name`` is said of the original, ``progress`` hears the LLM's parts."""
    from mcpcompact.pipeline import ToolCall

    policy, store = chooser.policy(common.server, tool), store_of(common)
    compactor = compactor_of(source, common, policy, store, masker)
    call = ToolCall(common.tool, common.server, common.arguments, common.focus, source=name)
    result = compactor.compact(source, call)
    if common.llm is None:
        return result
    from mcpcompact.llm import refine

    payload, named = (result.envelope.source, result.envelope.tool) if result.envelope is not None else (source, None)
    about: dict[str, Any] = {name: getattr(common, name) for name in ASKED_ABOUT}
    about |= {"tool": tool or named, "policy": policy, "masker": masker or common.masker}
    return refine(result, payload, common.llm, store=store, progress=progress, **about)


def compactor_of(source: Source, common: Common, policy: Policy, store: Any, masker: Masker | None) -> Compactor:
    """How one opened input is compacted, as ``common`` and its policy say."""
    from mcpcompact.pipeline import Compactor

    clean = masker.text if masker is not None else str
    observed = observation_prefix(source, common.server, common.tool) if common.shape == "observation" else ""
    same: dict[str, Any] = {name: getattr(common, name) for name in COMPACTED_AS}
    option = clean(common.results_option)
    return Compactor(policy, store, masker or False, prefix=clean(observed), results_option=option, **same)


def store_of(common: Common) -> Any:
    """Where originals are kept; None when they are not."""
    if not common.results_dir:
        return None
    from mcpcompact.results import ResultStore

    return ResultStore(common.results_dir, options=common.results_option)


def rendered(result: Compaction, shape: str, name: str = "") -> str:
    """The text of a compaction in a shape: text, same, json (one line, with its file's name) or observation."""
    if shape == "json":
        value = ({"file": name} if name else {}) | result.as_dict()
        return json.dumps(value, ensure_ascii=False) + "\n"
    if shape == "same" and result.envelope is not None:
        value = result.envelope.rewrap(result.text)
        return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) + "\n"
    return result.text if result.text.endswith("\n") else result.text + "\n"


def tool_of(source: Source) -> str:
    """The tool that the message itself names."""
    from mcpcompact.inputs.envelope import unwrap

    return unwrap(source).tool or ""


def observation_prefix(source: Source, server: str | None, tool: str | None) -> str:
    """``server.tool: ``, by which an agent's history names whose result follows."""
    return ".".join(part for part in (server, tool or tool_of(source) or "result") if part) + ": "


def is_binary(source: Source, encoding: str | None = None) -> bool:
    """More than a tenth of the sample is neither text nor white space, in its encoding (named, or guessed)."""
    if encoding:
        return False
    if not begins_in_ascii(source):
        from mcpcompact.charset import guess

        if guess(source):
            return False
    sample = Sample(source)
    if sample.raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return False
    odd = sum(sample.raw.count(c) for c in range(32) if c not in (8, 9, 10, 12, 13, 27))
    return odd + sample.head.count("\ufffd") > max(3, len(sample.raw) // 10)
