"""The library as its user expects it: configured once, frozen, pickled, shared by threads, in messages of any type."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import mcpcompact
from mcpcompact import Compactor, Policy, ResultStore, Source, ToolCall, compact, errors
from scripts import api

LOG = "\n".join(
    f"2026-03-02T10:{i // 60:02}:{i % 60:02}Z INFO worker {i % 7} took {i * 37 % 911} ms" for i in range(900)
)
MESSAGE = {"content": [{"type": "text", "text": LOG}], "isError": False}


class Model:
    """What pydantic models offer, as MCP's ``CallToolResult`` is one."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def model_dump(self) -> dict[str, Any]:
        return dict(self.values)

    @classmethod
    def model_validate(cls, values: dict[str, Any]) -> Model:
        return cls(values)


def test_one_compactor_says_what_the_function_says(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    compactor = Compactor(Policy(300), store, model="gpt-4o")
    one = compactor.compact(LOG, ToolCall("get_events", "deploys", {"day": 2}))
    other = compact(
        LOG, budget=300, store=store, model="gpt-4o", tool="get_events", server="deploys", arguments={"day": 2}
    )
    assert one.text == other.text
    assert one.tokens <= 300


def test_threads_may_share_a_compactor(tmp_path: Path) -> None:
    compactor = Compactor(Policy(300), ResultStore(tmp_path))
    inputs = [LOG.replace("worker", f"worker-{n}") for n in range(3)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(compactor.compact, inputs * 2))
    alone = [compactor.compact(text).text for text in inputs]
    assert [made.text for made in together] == alone * 2
    assert not any(made.problem for made in together)


@pytest.mark.parametrize("given", [LOG, LOG.encode(), MESSAGE, json.dumps(MESSAGE), json.dumps(MESSAGE).encode()])
def test_the_message_is_of_the_type_that_was_given(given: Any) -> None:
    made = compact(given, budget=300)
    assert type(made.message) is type(given)
    value = made.message if isinstance(given, dict) else json.loads(made.message) if b"{" in _bytes(given) else None
    if value is not None:
        assert value["content"] == [{"type": "text", "text": made.text}]
    else:
        assert _bytes(made.message).decode() == made.text


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else b""


def test_a_model_comes_back_as_a_model_with_what_programs_read() -> None:
    structured = {"result": LOG}
    made = compact(Model({**MESSAGE, "structuredContent": structured}), budget=300)
    assert made.method != "passthrough"
    assert isinstance(made.message, Model)
    assert made.message.values["content"] == [{"type": "text", "text": made.text}]
    assert made.message.values["structuredContent"] == structured


def test_a_tool_message_of_langchain_comes_back_as_one() -> None:
    message = Model(
        {"type": "tool", "content": LOG, "tool_call_id": "call-1", "name": "get_events", "status": "success"}
    )
    made = compact(message, budget=300)
    assert made.message.values == {**message.values, "content": made.text}
    assert "get_events" in made.text.split("\n")[0]


@pytest.mark.parametrize("given", [LOG, MESSAGE, "short"])
def test_what_comes_back_can_be_pickled(given: Any) -> None:
    made = compact(given, budget=300)
    again = pickle.loads(pickle.dumps(made))
    assert again.text == made.text
    assert again.message == made.message
    assert again.as_dict() == made.as_dict()


def test_policies_are_frozen_and_copied_by_the_standard_functions() -> None:
    policy = Policy(300)
    with pytest.raises(dataclasses.FrozenInstanceError):
        policy.budget = 5  # type: ignore[misc]
    assert dataclasses.replace(policy, budget=400).budget == 400
    assert dataclasses.asdict(policy)["budget"] == 300
    assert pickle.loads(pickle.dumps(policy)) == policy


def test_text_is_never_empty_when_there_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.log"
    path.write_text(LOG)
    monkeypatch.setattr("mcpcompact.source.LARGE", 1_000)
    made = compact(Source(path=str(path)), policy=Policy(enabled=False))
    assert made.method == "passthrough"
    assert made.text == LOG


def test_the_page_of_the_library_is_as_written_from_the_docstrings() -> None:
    assert api.PAGE.read_text("utf-8") == api.page(), "run `make usage`"


@pytest.mark.parametrize("name", mcpcompact.__all__)
def test_no_public_parameter_field_or_member_goes_without_a_word(name: str) -> None:
    assert api.undocumented(name) == []


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = api.PAGE.read_text("utf-8").partition("## Reference")[0]
    names: dict[str, Any] = {"text": LOG}
    for block in re.findall(r"```python\n(.*?)```", written, re.DOTALL):
        exec(block, names)
    assert [path.name for path in Path("results").glob("get_events-*.log")]


def test_the_tree_of_errors_is_that_of_the_code() -> None:
    written = api.PAGE.read_text("utf-8")
    for error in [errors.McpcompactError, *errors.McpcompactError.__subclasses__()]:
        assert error.__name__ in written or error.__module__ != "mcpcompact.errors"
    assert (errors.__doc__ or "").partition("\n\n")[2].strip() in written
