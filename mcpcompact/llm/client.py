"""Calls of a model through litellm: bounded in time, bytes and attempts, quiet, each on record.

litellm is imported here, at the first call, and nowhere else. A call runs in a thread of its own that is left behind
when its time is up, whatever it waits for; an answer is cut off at ``MAX_BYTES`` and at the deadline while it arrives.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from typing import Any

from mcpcompact.config import prepare_litellm
from mcpcompact.errors import McpcompactError
from mcpcompact.results.calls import Answers
from mcpcompact.tokens import resolve

MAX_BYTES = 16 << 20
ATTEMPTS = 3
GRACE = 5.0  # seconds that a call left behind may go on as the process ends: one that imports holds a lock of the exit
PAUSE = 0.5  # seconds before the second attempt, doubled before each further one; a ``Retry-After`` counts instead

Messages = list[dict[str, str]]

_here = threading.local()
_PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)


class CallError(McpcompactError):
    """A model that could not be asked, or gave nothing usable; never the end of a run."""


def ended_by(error: Exception) -> str:
    """One line on what ended a pass."""
    if isinstance(error, McpcompactError):
        return error.line()
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"


@dataclass(slots=True, frozen=True)
class Options:
    """How a model is asked. ``timeout`` is in seconds, for all calls of a result together; ``jobs`` are the parts asked
    at a time; ``conversation`` is text, see ``llm.history``."""

    model: str
    api_base: str = ""
    style: str = "compact"
    timeout: float = 60.0
    fallbacks: tuple[str, ...] = ()
    cache: bool = True
    conversation: str = ""
    jobs: int = 4


@dataclass(slots=True)
class Answer:
    """``finish`` is the provider's reason to stop; ``length`` means that ``max_tokens`` cut it."""

    text: str
    model: str
    finish: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    cached: bool = False


class Client:
    """Asks the model and its fallbacks in turn until one answers, all within the time from the first question on.

    ``directory`` keeps answers, so that no question is asked twice. ``records`` is filled with what was asked and
    answered, an entry a call, ``known`` with answers that were kept; ``clean`` masks what comes back. Safe for several
    threads.
    """

    def __init__(self, options: Options, directory: str, clean: Callable[[str], str] = str) -> None:
        self.models, self.api_base = [options.model, *options.fallbacks], options.api_base
        self.timeout, self.clean = options.timeout, clean
        self.records: list[dict[str, Any]] = []
        self.known: list[dict[str, Any]] = []
        self._answers = Answers(directory) if directory and options.cache else None
        self._began = 0.0
        self._lock = threading.Lock()

    def window(self, model: str) -> int | None:
        """The tokens that a model reads, by the configuration, our table or litellm's; None when nobody knows."""
        if known := resolve(model).context_limit:
            return known
        litellm, _ = _library()
        with suppress(Exception):  # a model that litellm has no entry for
            return int(litellm.get_model_info(model)["max_input_tokens"]) or None
        return None

    def ask(self, messages: Messages, max_tokens: int, about: str) -> Answer:
        """The answer that was kept, or of the first model that gives one. Raises ``CallError`` with one line on the
        last that did not."""
        question = {"messages": messages, "model": self.models, "apiBase": self.api_base, "maxTokens": max_tokens}
        known = self._answers.get(question) if self._answers else None
        if known is not None:
            self.known.append({"about": about, "model": known["model"], "cached": True, "answer": known["text"]})
            return Answer(known["text"], known["model"], known["finish"], known.get("usage", {}), cached=True)
        answer = self._first(messages, max_tokens, about)
        answer.text = self.clean(answer.text)
        if self._answers:
            kept = {"text": answer.text, "model": answer.model, "finish": answer.finish, "usage": answer.usage}
            self._answers.put(question, kept)
        return answer

    def _first(self, messages: Messages, max_tokens: int, about: str) -> Answer:
        litellm, key = _library()
        with self._lock:
            self._began = self._began or time.monotonic()
        problem: CallError | None = None
        for n, model in enumerate(self.models):
            left = self._began + self.timeout - time.monotonic()
            if left <= 0:
                break
            share = left / (len(self.models) - n)
            try:
                return self._ask(litellm, key, model, messages, max_tokens, about, time.monotonic() + share)
            except CallError as error:
                problem = error
        raise problem or CallError(f"no answer within {self.timeout:g} s")

    def _ask(
        self, litellm: Any, key: str, model: str, messages: Messages, most: int, about: str, deadline: float
    ) -> Answer:
        parameters: dict[str, Any] = {"max_tokens": most, "temperature": 0}
        name = _named(litellm, model, self.api_base)
        where: dict[str, Any] = {"api_base": self.api_base} if self.api_base else {}
        if self.api_base and name.startswith("openai/"):
            where["api_key"] = key or "none"  # a local server asks for none
        for attempt in range(1, ATTEMPTS + 1):
            began = time.monotonic()
            record: dict[str, Any] = {"about": about, "model": model, "attempt": attempt, "parameters": parameters}
            record |= {"apiBase": _bare_address(self.api_base)} if self.api_base else {}
            record["messages"] = messages
            try:
                response = _within(deadline, lambda: _complete(litellm, name, messages, parameters | where, deadline))
                answer = _read(response, model)
                record |= {"answer": answer.text, "finish": answer.finish, "usage": answer.usage}
                return answer
            except CallError as error:
                record["error"] = error.line()
                raise
            except Exception as error:
                failure = self._told(error, model)
                record["error"] = failure.line()
                pause = _pause(error, attempt)
                if pause is None or attempt == ATTEMPTS:
                    raise failure from error
                if time.monotonic() + pause >= deadline:
                    raise CallError(f"{failure}, and no time is left to try again") from error
            finally:
                record["seconds"] = round(time.monotonic() - began, 3)
                with self._lock:
                    self.records.append(record)
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _told(self, error: Exception, model: str) -> CallError:
        """One line on what a provider, or litellm, has against a call. Of a server's own words only the beginning."""
        status, kind = getattr(error, "status_code", None), type(error).__name__
        message = " ".join(self.clean(str(error)).split())
        if "LLM Provider NOT provided" in message:
            return CallError(f"unknown model {model}", hint="name it PROVIDER/MODEL, or give --api-base of a server")
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN) or "api_key" in message[:400]:
            return CallError(f"{model}: no key, or one that is refused", hint="set the provider's: OPENAI_API_KEY, …")
        if "ContextWindow" in kind or "context length" in message or "context_length" in message:
            return CallError(f"{model}: the prompt exceeds its window", hint="configure its context_limit")
        if "Timeout" in kind:
            return CallError(f"{model}: no answer within {self.timeout:g} s", hint="allow more with --llm-timeout")
        if status == HTTPStatus.NOT_FOUND:
            return CallError(f"{model}: there is no such model or address (404)", hint="see --llm and --api-base")
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return CallError(f"{model}: too many requests (429)")
        if "Connection error" in message or ("Connection" in kind and "Error code:" not in message):
            return CallError(f"{model}: the server cannot be reached, or cut the connection", hint="see --api-base")
        return CallError(f"{model}: {kind}{f' ({status})' if status else ''}: {message[:120]}")


def _pause(error: Exception, attempt: int) -> float | None:
    """Seconds to wait before another attempt, None when that would be of no use."""
    status, kind = getattr(error, "status_code", None), type(error).__name__
    failing = isinstance(status, int) and status >= HTTPStatus.INTERNAL_SERVER_ERROR
    if not (failing or status in _PASSING or "Connection" in kind) or "Timeout" in kind:
        return None
    asked: str = getattr(error, "retry_after", None) or ""
    try:
        return max(0.0, float(asked))
    except ValueError:
        return float(PAUSE * 2 ** (attempt - 1))


def _within(deadline: float, work: Callable[[], Any]) -> Any:
    """What ``work`` gives, in a thread that is not waited for beyond the deadline."""
    done: list[tuple[bool, Any]] = []

    def run() -> None:
        try:
            done.append((True, work()))
        except BaseException as error:
            if asked := getattr(_here, "retry_after", None):
                error.retry_after = asked  # type: ignore[attr-defined]
            done.append((False, getattr(_here, "refused", None) or error))

    began = time.monotonic()
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(max(0.0, deadline - began))
    if not done:
        atexit.register(thread.join, GRACE)
        raise CallError(f"no answer within {max(0.0, deadline - began):.3g} s", hint="allow more with --llm-timeout")
    fine, value = done[0]
    if not fine:
        raise value
    return value


def _complete(litellm: Any, name: str, messages: Messages, options: dict[str, Any], deadline: float) -> Any:
    _here.deadline, _here.refused, _here.retry_after = deadline, None, None
    left = max(0.05, deadline - time.monotonic())
    bounds = {"stream": False, "timeout": left, "num_retries": 0, "max_retries": 0, "drop_params": True}
    return litellm.completion(model=name, messages=messages, **bounds, **options)


def _read(response: Any, model: str) -> Answer:
    try:
        choice = response.choices[0]
        text, finish = choice.message.content, choice.finish_reason
    except (AttributeError, IndexError, TypeError):
        raise CallError(f"{model}: the answer is not a chat completion", hint="see --api-base") from None
    if not isinstance(text, str) or not text.strip():
        raise CallError(f"{model}: the answer is empty" + (" (cut by max_tokens)" if finish == "length" else ""))
    usage = getattr(response, "usage", None)
    counts = (("promptTokens", "prompt_tokens"), ("completionTokens", "completion_tokens"))
    counted = {name: value for name, key in counts if isinstance(value := getattr(usage, key, None), int)}
    return Answer(text, model, str(finish or ""), counted)


def _named(litellm: Any, model: str, api_base: str) -> str:
    """The name litellm knows: a model of one's own server speaks as OpenAI's do unless its provider is said."""
    if api_base and model.partition("/")[0] not in {str(getattr(p, "value", p)) for p in litellm.provider_list}:
        return f"openai/{model}"
    return model


def _bare_address(address: str) -> str:
    """An address without the user, password and query in it."""
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path.partition('?')[0]}" if rest else address


@cache
def _library() -> tuple[Any, str]:
    """litellm, silenced, with a bounded HTTP client; and the OpenAI key of the environment. Raises ``CallError``."""
    key = prepare_litellm()
    warnings.filterwarnings("ignore", module="(pydantic|litellm|openai)")
    try:
        import litellm
    except ImportError:
        raise CallError("litellm is not installed", hint="pip install 'mcpcompact[llm]'") from None
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback"):
        setattr(litellm, hooks, [])
    litellm.client_session = _session()
    return litellm, key


def _session() -> Any:
    """An HTTP client whose answers are plain, of bounded size, and end with the deadline of the thread's call."""
    import httpx

    class Bounded(httpx.SyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Any:
            seen = 0
            for block in self._stream:
                seen += len(block)
                if seen > MAX_BYTES:
                    raise _refused(f"the answer has no end: over {MAX_BYTES >> 20} MB")
                if time.monotonic() > getattr(_here, "deadline", float("inf")):
                    raise _refused("the answer did not end in time", hint="allow more with --llm-timeout")
                yield block

        def close(self) -> None:
            self._stream.close()

    def watch(response: Any) -> None:
        kind = response.headers.get("content-type", "")
        _here.retry_after = response.headers.get("retry-after")
        if response.status_code < HTTPStatus.BAD_REQUEST and "html" in kind:
            raise _refused("the server answers with a web page, not as an API", hint="see --api-base")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise _refused("the server answers packed although that was not allowed")
        response.stream = Bounded(response.stream)

    return httpx.Client(event_hooks={"response": [watch]}, headers={"Accept-Encoding": "identity"}, timeout=None)


def _refused(message: str, hint: str = "") -> CallError:
    """An answer that is not taken; noted for the thread, since the layers between wrap every error."""
    _here.refused = error = CallError(message, hint=hint)
    return error
