"""Decisions that no invariant sees: which type wins a tie, what counts as failed, how long a notice may be."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from mcpcompact import Policy, compact, notice
from mcpcompact.content import detect as detection
from mcpcompact.inputs.envelope import Envelope, unwrap
from mcpcompact.outline import Fact, Item, Keep, Outline, Verdict
from mcpcompact.retrieval.conditions import Condition
from mcpcompact.source import Source
from mcpcompact.tokens import counter

count = counter("o200k_base").count


def _unwrapped(value: dict[str, object]) -> Envelope:
    return unwrap(Source.of_text(json.dumps(value)), parsed=True)


@pytest.mark.parametrize("code", [1, 2, 127, 137, -9])
def test_any_exit_code_but_0_is_a_failure(code: int) -> None:
    text = "line of output\n" * 30
    assert _unwrapped({"exit_code": code, "output": text}).is_error
    assert unwrap(Source.of_text(f"Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{text}")).is_error
    failed = compact(json.dumps({"exitCode": code, "output": text}), budget=100, threshold=0, tool="bash")
    assert f"bash failed (exit code {code})" in failed.text


def test_exit_code_0_is_none() -> None:
    text = "line of output\n" * 30
    assert not _unwrapped({"exit_code": 0, "output": text}).is_error
    assert not unwrap(Source.of_text(f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{text}")).is_error


def test_an_object_is_one_text_only_where_the_text_is_nearly_all_of_it() -> None:
    assert _unwrapped({"status": "done", "output": "x" * 1_000}).shape == "payload"
    assert _unwrapped({"comment": "y" * 300, "output": "x" * 1_000}).shape == "plain"


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ({"table": 0.7, "log": 0.7, "code": 0.7}, "table"),
        ({"log": 0.5, "text": 0.5}, "log"),
        ({"fasta": 0.9, "diff": 0.95}, "diff"),
        ({"fasta": 0.97, "diff": 0.99}, "fasta"),
    ],
    ids=["a tie goes to the more specific", "text is the last", "0.9 is not certain", "0.97 is certain"],
)
def test_who_wins(scores: dict[str, float], winner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Fake:
        def __init__(self, name: str) -> None:
            self.name = name

        def sniff(self, sample: object) -> Verdict:
            return Verdict(scores.get(self.name, 0.0), "as told")

    monkeypatch.setattr(detection, "load", Fake)
    assert detection.detect(Source(b"anything at all")).content_type == winner


def test_a_certain_type_spares_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    load = detection.load

    def noted(name: str) -> object:
        asked.append(name)
        return load(name)

    monkeypatch.setattr(detection, "load", noted)
    detection.detect(Source(b'[{"a": 1}, {"a": 2}, {"a": 3}]'))
    assert asked == ["records"]


@pytest.mark.parametrize(("style", "most"), [("full", 100), ("short", 45)])
@pytest.mark.parametrize("name", ["get", "server-with-a-name.tool_with_a_long_name_of_words"])
@pytest.mark.parametrize("headline", ["9 lines", "1,204 records, 31 errors, 17 warnings, 9 types"])
@pytest.mark.parametrize(
    "where", ["a.json", ".mcpcompact/results/server-with-a-name.tool_with_a_long_name-3f9c2a1b.json"]
)
def test_a_notice_is_short(style: str, most: int, name: str, headline: str, where: str) -> None:
    facts = notice.NoticeFacts(
        name=name,
        is_error=True,
        exit_code=127,
        original_tokens=48_310_222,
        headline=headline,
        unit="record",
        total=1_204_999,
        shown=61,
        reference="3f9c2a1b",
        where=where,
        command="mcpcompact results get 3f9c2a1b",
        more=["--where 'metadata.status.phase=CrashLoopBackOff'", "--path 'data.items[3].spec.containers'"],
    )
    for reader in notice.READERS:
        above, below = notice.render(facts, style, reader, count, 100_000)
        assert 0 < count("\n".join(filter(None, (above, below)))) <= most


def test_names_of_the_conversation_need_little_showing() -> None:
    lines = [f"{'alpha' if i % 2 else 'beta'}_service_{i}.handler calls" for i in range(200)]
    context = " ".join(line for line in lines if line.startswith("alpha"))
    shown = compact("\n".join(lines), budget=400, threshold=0, context=context).text
    assert shown.count("beta_service") > 3 * shown.count("alpha_service")


@pytest.mark.parametrize(
    ("condition", "record", "holds"),
    [
        ("n<=3", {"n": 3}, True),
        ("n>=3", {"n": 3}, True),
        ("n<3", {"n": 3}, False),
        ("tags!=a", {"tags": ["a", "b"]}, False),
        ("tags=b", {"tags": ["a", "b"]}, True),
        ("ok=true", {"ok": True}, True),
        ("ok=True", {"ok": True}, False),
    ],
)
def test_conditions(condition: str, record: dict[str, object], holds: bool) -> None:
    assert Condition.parse(condition).holds(record) is holds


def test_the_threshold_itself_passes() -> None:
    text = "\n".join(f"line {i}" for i in range(300))
    tokens = count(text)
    assert compact(text, budget=100, threshold=tokens).method == "passthrough"
    assert compact(text, budget=100, threshold=tokens - 1).method != "passthrough"


def test_a_defect_of_a_content_type_returns_the_original(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpcompact.engine import fill

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(str(time.daylight))

    monkeypatch.setattr(fill, "fill", broken)
    made = compact("a line\n" * 400, budget=100, threshold=0)
    assert made.method == "passthrough" and made.text == "a line\n" * 400 and made.problem is not None


@pytest.mark.parametrize(
    ("text", "budget", "threshold", "model"),
    [
        ('[{"e":"e0"},{"error":"evt_1001","data":"evt_1001"}]', 50, 25, "claude-sonnet-4"),
        ("\n".join(f"{i} ERROR evt_{i * 7919 % 100} {'x' * (i % 40)}" for i in range(60)), 51, 25, "claude-sonnet-4"),
    ],
)
def test_a_kept_item_that_was_given_back_is_gone(text: str, budget: int, threshold: int, model: str) -> None:
    made = compact(text, budget=budget, threshold=threshold, model=model)
    assert made.problem is None and made.method != "passthrough" and made.tokens <= budget


@pytest.mark.parametrize("text", [" \ud800中文字", "日\ud800\n中文字", '" \ud800中文字'])
def test_no_more_tokens_than_the_input_where_its_bytes_are_no_text(text: str) -> None:
    made = compact(text, policy=Policy(50, 0, notice="none"))
    assert made.problem is None and made.tokens <= made.original_tokens


def test_a_search_is_never_the_only_command() -> None:
    """Its TERM is the reader's to choose: the command of the notice runs as it stands."""
    facts = notice.NoticeFacts(original_tokens=9_000, headline="783 values", unit="value", total=783, shown=20)
    facts = facts._replace(reference="3f9c2a1b", where="a.json", command="mcpcompact results get 3f9c2a1b")
    above, _ = notice.render(facts, "full", "mcpcompact", count, 1_000)
    assert "\nRest: mcpcompact results get 3f9c2a1b\nOr with: --grep TERM" in above


def _lines(*items: Item, facts: Sequence[Fact] = ()) -> Outline:
    return Outline("markup", "line", 400, "400 lines", items=items, facts=[*facts])


def test_a_command_asks_for_lines_that_a_fact_points_at_and_no_others() -> None:
    heavy = [Item(n, n, f"{n} berth {n}", weight=3.0 if 200 <= n < 240 else 0.1) for n in range(1, 401)]
    assert notice.aimed(_lines(*heavy), [], [(1, 9)]) == []  # what weighs most is any part to who reads it
    made = _lines(*heavy, facts=[Fact("400 berths"), Fact("40 vacant, the first at line 210", points=(205, 224))])
    assert notice.aimed(made, [], [(1, 9)]) == [("--lines", "205:224")]
    assert notice.aimed(made, [], [(1, 9), (201, 240)]) == []  # it is shown already
    assert notice.aimed(_lines(*heavy, facts=[Fact("", points=(205, 207))]), [], [(1, 9)]) == []  # too few for a call
    assert notice.aimed(_lines(*heavy, facts=[Fact("", points=(1, 400))]), [], [(390, 400)]) == [("--lines", "1:80")]


def test_a_command_asks_first_for_what_was_asked_for_then_for_a_failure_that_is_not_shown() -> None:
    items = [Item(n, n, f"{n} ballast") for n in range(1, 401)]
    for n in (50, 300, 301):
        items[n - 1] = Item(n, n, f"{n} ERROR keel", Keep.SEVERE, template="leak" if n == 50 else "")
    made = _lines(*items)
    assert notice.aimed(made, [], [(1, 9)], {349}) == [("--lines", "345:355")]
    assert notice.aimed(made, [], [(1, 9)]) == [("--lines", "295:306")]  # where most of them stand
    assert notice.aimed(made, [], [(1, 9), (290, 305)]) == [("--lines", "45:55")]
    items[9] = Item(10, 10, "10 ERROR keel", Keep.SEVERE, template="leak")
    assert notice.aimed(_lines(*items), [], [(1, 10), (290, 305)]) == []  # one like it is shown


def test_a_record_is_asked_for_only_where_it_is_odd_and_not_shown() -> None:
    more = [("--where", "state=adrift"), ("--records", "50:70")]
    odd = Item(80, 80, "#80|adrift", Keep.RARE, "state=adrift")
    made = Outline("records", "record", 120, "120 records", items=[Item(1, 1, "#1|moored"), odd])
    assert notice.aimed(made, more, [(1, 1)]) == [("--where", "state=adrift")]
    assert notice.aimed(made, more[1:], [(1, 1)]) == []
    failed = replace(odd, keep=Keep.SEVERE)
    told = replace(made, items=[made.items[0], failed])
    assert notice.aimed(told, more[1:], [(1, 1)]) == [("--records", "80:80")]
    assert notice.aimed(made, more, [(1, 1), (80, 80)]) == []


def test_an_ordinal_ends_no_sentence() -> None:
    event = "Der Hafen lädt zum großen Fest der Kräne am Samstag, 31. Januar 2015, ab zehn Uhr am alten Kai, und alle."
    page = [f"<p>Das Lager Nummer {n} ist voll von Seilen, von Ankern und von Winden.</p>" for n in range(80)]
    page.insert(3, f"<p>{event} {'Dort wird gegessen und getrunken. ' * 12}</p>")
    shown = compact("<html><body>" + "\n".join(page) + "</body></html>", budget=300, threshold=100).text
    assert not re.search(r"31\.(?! Januar)", shown)
