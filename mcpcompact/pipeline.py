"""The pipeline: ``STEPS``, each ``State -> State``, and the rails around them.

At or under the threshold the input comes out untouched, over it the text is within the budget and never longer than
the input; when anything fails the original comes out and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from mcpcompact import dressing, notice, steps
from mcpcompact.collector import paused
from mcpcompact.compaction import Compaction
from mcpcompact.config import DEFAULT_BUDGET
from mcpcompact.content.detect import load
from mcpcompact.errors import InputError, MaskError, McpcompactError, UsageError
from mcpcompact.outline import Hints
from mcpcompact.policy import Policy
from mcpcompact.steps import Request, State
from mcpcompact.tokens import resolve

if TYPE_CHECKING:
    from mcpcompact.masking import Masker
    from mcpcompact.results import Store

STEPS: tuple[Callable[[State], State], ...] = (
    steps.read,
    steps.mask,  # on the bytes as they came: no later step sees a secret
    steps.unwrap,
    steps.count,
    steps.detect,
    steps.project,
    steps.outline,
    steps.store,
    dressing.fill,
    dressing.dress,
)


@paused()  # an outline is many objects and hardly a cycle: the collector would look through all of them in vain
def run(state: State) -> Compaction:
    """All steps, or as many as the result needs. Raises ``UsageError`` and, where masking was asked for and did not
    happen, the error that stopped it; any other failure gives the original, with ``problem`` set."""
    for step in STEPS:
        try:
            state = step(state)
        except UsageError:
            raise
        except Exception as error:  # the rail: a defect of ours must never cost the caller the data
            return _rescued(state, error)
        if state.outcome is not None:
            break
    assert state.outcome is not None
    return state.outcome


def _rescued(state: State, error: Exception) -> Compaction:
    if state.unmasked:
        if isinstance(error, McpcompactError):
            raise error
        raise MaskError(f"masking failed ({type(error).__name__}: {error})", hint="nothing was stored") from error
    if isinstance(error, McpcompactError):
        return steps.passed(state, problem=error)
    problem = InputError(f"could not compact this input ({type(error).__name__}: {error})", hint="passed through")
    problem.__cause__ = error
    return steps.passed(state, problem=problem)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What is known of the call that a result answers: all optional, all of it ranks what is shown.

    ``tool`` and ``server`` are names, ``arguments`` those of the call: what they name exactly is shown first. ``focus``
    is the request in words. ``context`` is the conversation so far, as text or as a collection of its names
    (``mcpcompact.engine.atoms.atoms`` of each message; a caller of many results keeps adding to one set): a name that
    stands there already needs little showing. ``source`` names the file or address that the result was read from,
    ``exit_code`` is that of the command whose output it is: the notice says it.
    """

    tool: str | None = None
    server: str | None = None
    arguments: Mapping[str, Any] | None = None
    focus: str | None = None
    context: str | Collection[str] | None = None
    source: str = ""
    exit_code: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Compactor:
    """Configured once, used for many results; holds no state of its own, so threads may share one.

    ``policy`` has the limits. ``content_type`` overrides detection. ``exact`` counts originals above 4 MB whole, not by
    a sample.
    With a ``store`` the full result is kept byte for byte and the text says how to get the rest; without one it carries
    no reference. ``mask`` replaces secrets by stable placeholders before anything else happens: what is stored, counted
    and returned is masked, the call included; ``True`` takes the built-in rules. ``model`` or ``encoding`` say whose
    tokens are counted. ``encoding_in`` names the encoding of bytes that are not UTF-8 (``windows-1252``, ``gbk``); else
    it is guessed where they are clearly text, and ``warnings`` says so. ``prefix`` stands before the text and counts.
    ``results_option`` is what printed commands say of the store (``--results-dir …``).
    """

    policy: Policy = Policy()  # noqa: RUF009  # frozen
    store: Store | None = None
    mask: bool | Masker = False
    model: str | None = None
    encoding: str | None = None
    content_type: str | None = None
    encoding_in: str | None = None
    exact: bool = False
    prefix: str = ""
    results_option: str = ""

    def compact(self, result: Any, call: ToolCall | None = None) -> Compaction:
        """``result`` as ``compact`` takes it. Raises ``UsageError`` for impossible options and ``MaskError`` when
        secrets cannot be masked: nothing is stored. Any later failure returns the original (masked, where that was
        asked for), with ``Compaction.problem`` set."""
        notice.check(self.policy)
        if self.content_type is not None:
            load(self.content_type)  # an unknown name is the caller's mistake, not the input's
        if isinstance(self.store, (str, PathLike)):
            raise UsageError("store is a path", hint="give a store: ResultStore(path)")
        call = call or ToolCall()
        arguments = None
        if call.arguments:
            from mcpcompact.inputs.values import plain

            arguments = plain(call.arguments)
        tokenizer, masker = resolve(self.model, self.encoding), self._masker()
        how = self.content_type, self.encoding_in, self.exact, self.prefix, self.results_option
        request = Request(self.policy, tokenizer, self.store, masker, *how, call.context)
        file = re.split(r"[/\\]", call.source)[-1]
        hints = Hints(call.tool, call.server, arguments, call.focus, exit_code=call.exit_code, file=file)
        return run(State(request=request, result=result, hints=hints, name=call.source))

    def _masker(self) -> Masker | None:
        if self.mask is True:
            from mcpcompact.results.keys import masker_of

            return masker_of(self.store)
        return self.mask or None


def compact(
    result: Any,
    *,
    budget: int | None = None,
    threshold: int | None = None,
    policy: Policy | None = None,
    tool: str | None = None,
    server: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    focus: str | None = None,
    context: str | Collection[str] | None = None,
    content_type: str | None = None,
    model: str | None = None,
    encoding: str | None = None,
    encoding_in: str | None = None,
    store: Store | None = None,
    mask: bool | Masker = False,
) -> Compaction:
    """Compact one tool result into at most ``budget`` tokens (default 1,000): the shortcut of ``Compactor``.

    ``result`` is text, bytes, a message that carries the result (MCP ``CallToolResult``, JSON-RPC envelope, content
    array, Anthropic ``tool_result``, OpenAI ``tool`` message; as a dict, a model with ``model_dump``, or their JSON) or
    a ``Source``. Results of at most ``threshold`` tokens (default twice the budget) come back untouched. ``policy``
    says all limits; together with ``budget`` or ``threshold`` it is a ``UsageError``. The call (``tool``, ``server``,
    ``arguments``, ``focus``, ``context``) is that of ``ToolCall``; ``store``, ``mask``, ``model``, ``encoding``,
    ``content_type`` and ``encoding_in`` are fields of ``Compactor``, whose ``compact`` names the errors.
    """
    if policy is None:
        policy = Policy(DEFAULT_BUDGET if budget is None else budget, threshold)
    elif budget is not None or threshold is not None:
        raise UsageError("policy and budget or threshold were both given", hint="put the limits into the policy")
    compactor = Compactor(policy, store, mask, model, encoding, content_type, encoding_in)
    return compactor.compact(result, ToolCall(tool, server, arguments, focus, context))


async def acompact(result: Any, **options: Any) -> Compaction:
    """``compact`` of ``result``, with its ``options``, in a thread: the loop of events goes on meanwhile."""
    import asyncio

    return await asyncio.to_thread(compact, result, **options)


__all__ = ["Compaction", "Compactor", "ToolCall", "acompact", "compact", "run"]
