"""The pipeline as a library: rails, message shapes, the notice, determinism, references that work."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, SAMPLES, Run, environment

import mcpcompact
from mcpcompact import Compaction, Policy, ResultStore, compact, count
from mcpcompact.errors import UsageError
from mcpcompact.notice import LIMITS, READERS, STYLES
from mcpcompact.source import Source

EVENTS = (SAMPLES / "events.json").read_bytes()
LOG = "".join((SAMPLES / "service.log").read_text().splitlines(True)[1_000:1_500])
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.name not in ("make.py", "demo.py") and path.is_file())


def tokens(text: str) -> int:
    return count(text).tokens


# ---- the public API


def test_exported_names_are_there_and_documented() -> None:
    for name in mcpcompact.__all__:
        assert getattr(mcpcompact, name).__doc__, name
    with pytest.raises(AttributeError):
        mcpcompact.no_such_name  # noqa: B018


def test_importing_the_package_costs_nothing() -> None:
    heavy = {"orjson", "tiktoken", "Bio", "rich", "toktok", "platformdirs", "zstandard", "json", "typing_extensions"}
    code = "import sys, mcpcompact; print(sorted(set(sys.modules)))"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment(ROOT), text=True, check=True
    )
    assert not heavy & set(eval(found.stdout))


def test_a_compaction_says_what_it_is() -> None:
    result = compact(EVENTS, budget=300, tool="get_events", server="deploys")
    assert isinstance(result, Compaction)
    assert result.method == "outline" and result.content_type == "records"
    assert result.items_total == 400 and 0 <= result.items_shown < 400
    assert not result.lossless and result.problem is None and result.reference is None
    assert result.tokens == tokens(result.text) <= 300
    assert result.original_tokens == count(EVENTS).tokens
    assert result.saved_percent == round(100 * (1 - result.tokens / result.original_tokens), 1)
    assert "deploys.get_events" in result.text
    assert "not stored" in result.text and "results get" not in result.text


@pytest.mark.parametrize("form", [str, bytes, Source])
def test_text_bytes_and_sources_give_the_same(form: type) -> None:
    value: Any = LOG if form is str else LOG.encode() if form is bytes else Source.of_text(LOG)
    assert compact(value, budget=300).text == compact(LOG, budget=300).text


def test_parsed_messages_are_taken_too() -> None:
    message = {"content": [{"type": "text", "text": LOG}], "isError": False}
    assert compact(message, budget=300).text == compact(json.dumps(message), budget=300).text
    assert compact(json.loads(EVENTS), budget=300).content_type == "records"


@pytest.mark.parametrize(
    "options",
    [
        {"budget": 0}, {"budget": -1}, {"budget": 49}, {"threshold": -1}, {"content_type": "nope"},
        {"policy": Policy(reader="nope")}, {"policy": Policy(notice="nope")}, {"encoding": "nope"},
        {"policy": Policy(), "budget": 300}, {"policy": Policy(), "threshold": 300},
    ],
)  # fmt: skip
def test_impossible_options_are_the_callers_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        compact(LOG, **options)


def test_a_path_is_not_taken_for_a_result() -> None:
    with pytest.raises(UsageError, match="path"):
        compact(Path("log.txt"))


@pytest.mark.parametrize("store", ["results", Path("results")])
def test_a_path_is_not_taken_for_a_store(store: Any) -> None:
    with pytest.raises(UsageError, match="path"):
        compact(LOG, budget=300, store=store)


# ---- rails


@pytest.mark.parametrize(
    "text", ["", "x", "\n", "ok\r\n", "a\0b", "\ufeffx", "{}", "[]", "null", '"s"', "<a>", ">", "---"]
)
def test_little_passes_through(text: str) -> None:
    result = compact(text, threshold=0 if not text else 5)
    assert (result.text, result.method) == (text, "passthrough")


def test_the_threshold_is_the_last_count_that_passes() -> None:
    total = tokens(LOG)
    assert compact(LOG, threshold=total).method == "passthrough"
    assert compact(LOG, threshold=total).text == LOG
    assert compact(LOG, threshold=total - 1).method != "passthrough"


def test_the_default_threshold_is_twice_the_budget() -> None:
    total = tokens(LOG)
    assert compact(LOG, budget=-(-total // 2)).method == "passthrough"
    assert compact(LOG, budget=total // 2 - 1).method != "passthrough"


def test_a_failure_returns_the_original_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("made to fail")

    monkeypatch.setattr("mcpcompact.engine.fill.fill", broken)
    result = compact(LOG, budget=300)
    assert result.text == LOG and result.method == "passthrough"
    assert result.problem is not None and "ZeroDivisionError" in result.problem.line()
    assert "\n" not in result.problem.line()


def test_a_failing_content_type_falls_back_to_text(monkeypatch: pytest.MonkeyPatch) -> None:
    import mcpcompact.content.log as log

    def broken(*_: object) -> None:
        raise ValueError("made to fail")

    monkeypatch.setattr(log.TYPE, "outline", broken)
    result = compact(LOG, budget=300)
    assert result.content_type == "text" and result.method == "outline" and result.tokens <= 300
    assert any("read as text" in warning for warning in result.warnings)


def test_why_a_text_is_not_read_as_what_it_looks_like_stands_in_it() -> None:
    rows = "".join(f"{60 * n + 1:>9} {' '.join(['acgtacgtac'] * 6)}\n" for n in range(60))
    record = (
        "LOCUS       PIER01                  3600 bp    DNA     linear   BCT 11-OCT-2001\n"
        "DEFINITION  A pier.\nACCESSION   PIER01\nFEATURES             Location/Qualifiers\n"
        '     CDS             1..42\n                     /product "no equals sign\n'
        f"                     and no end of quotes\nORIGIN\n{rows}//\n"
    )
    result = compact(record, budget=400, threshold=100)
    assert result.content_type == "text" and "\nRead as text: not readable as genbank: " in result.text


def test_a_store_that_fails_returns_the_original(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    result = compact(LOG, budget=300, store=ResultStore(tmp_path / "file"))
    assert result.text == LOG and result.reference is None
    assert result.problem is not None and result.problem.exit_code == 73


# ---- the notice


TOLD = ["events.json", "service.log", "barcodes.fasta", "refactoring.diff", "status.html"]


@pytest.mark.parametrize(
    ("name", "style", "reader"),
    [(TOLD[(n + m) % len(TOLD)], style, reader) for n, style in enumerate(STYLES) for m, reader in enumerate(READERS)]
    + [(name, STYLES[n % 2], "mcpcompact") for n, name in enumerate(TOLD[1:], 1)],
)
def test_the_notice_is_short(name: str, style: str, reader: str, tmp_path: Path) -> None:
    data = (SAMPLES / name).read_bytes()
    store = ResultStore(tmp_path)
    result = compact(data, policy=Policy(600, None, reader, style), tool="a_tool", server="server", store=store)
    told = result.text.split("\n")
    lines = [line for line in told if line.startswith("[mcpcompact]")]
    if style == "none":
        assert not lines
        return
    above = told[:1] + [line for line in told[1:2] if line.startswith(("Full:", "More:", "Rest:"))]
    below = lines[1:]
    assert tokens("\n".join([*above, *below])) <= LIMITS[style]
    assert lines[0] == above[0]
    assert style == "short" or below == told[-1:]
    assert result.reference is not None
    known = any(result.reference.id in line for line in [*above, *below])
    assert known or (reader == "none" and style == "short")
    for word in ("corrupt", "compressed", "hash"):
        assert word not in above[0]
    if reader == "mcpcompact":
        assert f"mcpcompact results get {result.reference.id}" in "\n".join(above)
    assert str(tmp_path) not in result.text or reader in ("shell", "read")


def test_the_short_notice_is_the_default_under_600() -> None:
    assert "\n[mcpcompact] end" not in compact(LOG, budget=599).text
    assert "\n[mcpcompact] end" in compact(LOG, budget=600).text


@pytest.mark.parametrize(("is_error", "word"), [(True, "failed"), (False, "ok")])
def test_the_notice_says_whether_the_call_failed(is_error: bool, word: str) -> None:
    first = compact({"content": [{"type": "text", "text": LOG}], "isError": is_error}, tool="t").text.split("\n")[0]
    assert first.startswith(f"[mcpcompact] t {word}")


# ---- message shapes


def texts(value: Any) -> list[str]:
    """The long strings anywhere in a value."""
    if isinstance(value, str):
        return [value] if len(value) > 200 else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in inner for text in texts(item)]


IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
SHAPES: dict[str, Any] = {
    "mcp": {"content": [{"type": "text", "text": LOG}, IMAGE], "isError": True, "_meta": {"trace": "t-1"}},
    "jsonrpc": {
        "jsonrpc": "2.0",
        "id": 17,
        "result": {"content": [IMAGE, {"type": "text", "text": LOG}], "isError": False},
    },
    "content": [{"type": "text", "text": LOG}, IMAGE],
    "tool_result": {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "is_error": True,
        "content": [{"type": "text", "text": LOG}],
    },
    "tool_result text": {"type": "tool_result", "tool_use_id": "toolu_2", "content": LOG},
    "tool": {"role": "tool", "tool_call_id": "call_1", "name": "logs", "content": LOG},
    "function_call_output": {"type": "function_call_output", "call_id": "c1", "output": LOG},
}


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_the_same_shape_comes_back(name: str, door: Run) -> None:
    message = SHAPES[name]
    done = door("summarize", "--shape", "same", "--budget", 400, input=json.dumps(message).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    back = json.loads(done.stdout)
    (short,) = texts(back)
    assert tokens(short) <= 400 and "StoreError" in short

    def emptied(value: Any) -> Any:
        if isinstance(value, str):
            return "" if len(value) > 200 else value
        if isinstance(value, dict):
            return {key: emptied(item) for key, item in value.items()}
        return [emptied(item) for item in value] if isinstance(value, list) else value

    assert emptied(back) == emptied(message)  # blocks, order, ids, isError and all
    id = short.split("mcpcompact results get ")[1].split()[0]
    stored = door("results", "get", id)
    assert stored.stdout == json.dumps(message).encode()
    assert door("results", "get", id, "--lines", "1:3").stdout.decode() == "".join(LOG.splitlines(True)[:3])


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_a_short_message_comes_back_as_it_is(name: str) -> None:
    text = json.dumps(SHAPES[name], indent=1).replace(json.dumps(LOG), json.dumps("short"))
    assert compact(text).text == text


def test_structured_content_gives_way_to_the_short_text() -> None:
    message = {"content": [{"type": "text", "text": EVENTS.decode()}], "structuredContent": json.loads(EVENTS)}
    result = compact(message, budget=300)
    assert result.envelope is not None and result.content_type == "records"
    assert result.envelope.rewrap(result.text) == {"content": [{"type": "text", "text": result.text}]}


# ---- what is shown follows the call


def tales() -> str:
    """720 lines of 60 kinds in a fixed shuffle, and one line unlike them."""
    tellers = ["baker", "miller", "weaver", "mason", "potter", "smith", "cooper", "tanner", "fuller", "ropemaker"]
    kinds = [(what, who) for what in ("tale", "song", "history", "fall", "rise", "memory") for who in tellers]
    lines = [
        f"Chapter {i}: the {kinds[i % 60][0]} of the {kinds[i % 60][1]} is told at length here.\n" for i in range(720)
    ]
    lines.append("The quicksilver mirror stands behind the third door.\n")
    return "".join(sorted(lines, key=lambda line: zlib.crc32(line.encode())))


def test_focus_and_arguments_change_what_is_shown() -> None:
    plain = compact(tales(), budget=200)
    focused = compact(tales(), budget=200, focus="ropemaker memory")
    called = compact(tales(), budget=200, arguments={"query": "Chapter 17 of the smith", "path": "tales/smith.txt"})
    assert focused.text.count("ropemaker") > plain.text.count("ropemaker")
    assert called.text.split("\n", 1)[1] != "" and all(result.tokens <= 200 for result in (plain, focused, called))


@pytest.mark.parametrize("budget", [200, 1000])
def test_the_best_answer_to_the_focus_is_shown(budget: int) -> None:
    assert "quicksilver mirror" in compact(tales(), budget=budget, focus="quicksilver mirror").text


# ---- determinism


def test_the_same_bytes_in_every_process() -> None:
    """Of the samples, and of texts of every content type: nothing may depend on the order of a set."""
    code = (
        "import sys, pathlib; from mcpcompact import compact; from lookalikes import CASES\n"
        "for name in sys.argv[1:]:\n"
        "    data = pathlib.Path(name).read_bytes()\n"
        "    print(compact(data, budget=400, focus='lease ledger').text)\n"
        "for _, data in list(CASES.values())[::2]:\n"
        "    if len(data) < 5_000: print(compact(data, budget=120, threshold=0).text)\n"
    )
    names = [str(SAMPLES / name) for name in ("health.json", "harbour.py")]
    paths = f"{ROOT}{os.pathsep}{ROOT / 'tests'}"
    found = [
        subprocess.run(
            [sys.executable, "-c", code, *names],
            capture_output=True,
            env=environment(ROOT, PYTHONHASHSEED=seed, PYTHONPATH=paths),
        )
        for seed in ("0", "random")
    ]
    assert all(run.returncode == 0 for run in found), found[0].stderr
    assert found[0].stdout and len({run.stdout for run in found}) == 1


# ---- references


def fetch(command: str, door: Run) -> bytes:
    """Run a command as it was printed."""
    words = shlex.split(command)
    assert words[0] == "mcpcompact"
    done = door(*words[1:])
    assert done.returncode == 0, (command, done.stderr)
    return bytes(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_a_reference_works(name: str, door: Run, tmp_path: Path) -> None:
    data = (SAMPLES / name).read_bytes()
    store = ResultStore(tmp_path / "kept", options=f" --results-dir {shlex.quote(str(tmp_path / 'kept'))}")
    reference = compact(data, budget=300, store=store).reference
    assert reference is not None
    whole, *parts = reference.commands
    assert fetch(whole, door) == data
    assert parts
    for command in parts:
        assert fetch(command, door).strip(), command


def printed(text: str) -> list[str]:
    """The commands that the notice prints: the first whole, the further ones as selectors of the same."""
    lines = text.split("\n")[:4]
    at = next(n for n, line in enumerate(lines) if "mcpcompact results get" in line)
    first = lines[at][lines[at].index("mcpcompact results get") :]
    get = " ".join(first.split()[:4])
    others = lines[at + 1].removeprefix("Or with: ").split(" · ") if lines[at + 1].startswith("Or with: ") else []
    return [first, *(f"{get} {other}" for other in others)]


def test_the_printed_command_fetches_what_is_odd_and_not_shown(cli: Run, tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    result = compact(EVENTS, budget=300, store=store)  # the row of the failed event has no room for all fields
    command = printed(result.text)[0]
    assert f"More: {command}" in result.text
    record = json.loads(fetch(command, cli))
    assert record["status"] == "failed" and record["error"].startswith("health check failed")
    calm = json.dumps([event for event in json.loads(EVENTS)["events"] if event["status"] != "failed"])
    result = compact(calm, budget=300, store=store)
    command = printed(result.text)[0]
    number = re.search(r"region=sa-east-1 \(#(\d+)\)", result.text)
    assert number and (f"\n#{number[1]}|" in result.text) != command.endswith(f"--records {number[1]}:{number[1]}")
    rows = [{"crate": n, "pier": "east" if n == 342 else "west", "kilos": n * 7919 % 1000} for n in range(1, 2001)]
    result = compact(json.dumps(rows), budget=120, store=store)
    assert "\n#342|" in result.text and f" Rest: {printed(result.text)[0]}\n" in result.text  # nothing odd is left


def test_the_printed_command_fetches_the_failing_lines_that_are_not_shown(cli: Run, tmp_path: Path) -> None:
    result = compact(LOG, budget=300, store=ResultStore(tmp_path / "results"))
    assert "StoreError: lease L-5521 lost" in result.text and " Rest: " in result.text  # it is shown already
    words = [
        "hull",
        "keel",
        "mast",
        "boom",
        "sail",
        "oar",
        "helm",
        "deck",
        "hold",
        "bow",
        "stern",
        "rope",
        "knot",
        "pump",
        "buoy",
        "chart",
    ]
    lines = [f"2031-05-06 07:{n // 60:02}:{n % 60:02} INFO pump {n % 7} moved {n * 37} litres\n" for n in range(1500)]
    for n, word in enumerate(words):
        lines[700 + n] = f"2031-05-06 07:11:{n:02} ERROR {word} of the {words[n - 3]} is lost to {words[n - 7]}\n"
    result = compact("".join(lines), budget=250, store=ResultStore(tmp_path / "results"))
    command = next(command for command in printed(result.text) if "--lines" in command)
    got = fetch(command, cli).decode()
    assert f"More: {command}" in result.text and got.count(" ERROR ") > 3 * result.text.count(" ERROR ")


@pytest.mark.parametrize("name", NAMES)
def test_every_printed_command_can_be_typed(name: str, door: Run, tmp_path: Path) -> None:
    result = compact((SAMPLES / name).read_bytes(), budget=1000, store=ResultStore(tmp_path / "results"))
    for command in printed(result.text):
        if "TERM" not in command:
            assert fetch(command, door).strip(), command


def test_a_policy_stands_for_its_limits() -> None:
    from mcpcompact import Policy

    text = "\n".join(f"line {n} names value_{n}" for n in range(2_000))
    by_policy = compact(text, policy=Policy(budget=200, notice="none"))
    assert by_policy.text == compact(text, policy=Policy(200, notice="none")).text
    assert compact(text, policy=Policy(budget=200, threshold=10**6)).method == "passthrough"


def test_a_line_of_the_notice_that_holds_a_command_runs_as_it_stands(tmp_path: Path, cli: Run) -> None:
    for data in (EVENTS, LOG):
        text = compact(data, budget=900, store=ResultStore(tmp_path / "results")).text
        line = next(line for line in text.split("\n")[:3] if "mcpcompact results get" in line)
        assert fetch(line[line.index("mcpcompact results get") :], cli).strip()


def test_a_reference_points_at_the_gravest_finding_else_at_what_holds_most(tmp_path: Path) -> None:
    rows = [
        {"file": f"s{n}.sh", "line": n + 1, "column": 2, "level": "error" if n == 40 else "info", "code": 2000 + n % 4,
         "message": f"Double quote {n} to prevent globbing."}
        for n in range(60)
    ]  # fmt: skip

    def printed_of(value: object) -> tuple[str, Sequence[str]]:
        made = compact(json.dumps(value), budget=300, store=ResultStore(tmp_path / "results"))
        assert made.reference is not None
        return made.text.partition("\n")[0], made.reference.commands

    notice, commands = printed_of(rows)
    assert " Rest: " in notice and commands[1].endswith("--path '[40]'")  # which is shown
    nested = {"$schema": "https://example.com/s.json", "kind": "x", "runs": [[{"a": [n, n + 1]}] for n in range(300)]}
    notice, commands = printed_of(nested)
    assert " Rest: " in notice and "$schema" not in commands[1]


def test_where_all_is_shown_nothing_more_is_offered(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    numbered = "".join(f"{n:6}\tdef hoist_{n}(sail: int) -> int:\n" for n in range(1, 60))
    every = compact(numbered, budget=900, threshold=400, store=store, tool="Read")
    assert every.lossless and every.text.split("\n")[1].startswith("Original: mcpcompact results get ")
    flights = {"legs": [{"gate": f"{n}", "seats": {"aft": n * 7, "fore": n * 11}} for n in range(40)]}
    values = compact(json.dumps(flights, indent=4), budget=1200, threshold=200, store=store)
    for made in (every, values):
        assert "More: " not in made.text and "more: " not in made.text and "Not shown" not in made.text
    assert "Not shown does not mean absent" in compact(json.dumps(flights), budget=250, threshold=99, store=store).text


def test_of_a_small_original_all_of_it_is_offered_of_a_long_document_the_part_that_holds_most(
    tmp_path: Path, cli: Run
) -> None:
    store = ResultStore(tmp_path / "results")
    sparse = [
        f"<p>Knot {n} holds the {['fore', 'aft', 'main', 'mizzen'][n % 4]} sheet {n * 7}.</p>" for n in range(120)
    ]
    page = ["<html><head><style>", *(f".knot-{n} {{ margin: {n}px; }}" for n in range(900)), "</style></head><body>"]
    made = compact("\n".join([*page, *sparse, "</body></html>"]), budget=300, store=store)
    assert made.content_type == "markup" and made.original_tokens > 6_000
    command = printed(made.text)[0]
    assert (
        f" More: {command}" in made.text
        and b"holds the" in fetch(command, cli)
        and b"margin" not in fetch(command, cli)
    )
    small = compact("\n".join(["<html><body>", *sparse, "</body></html>"]), budget=300, threshold=300, store=store)
    assert " Rest: mcpcompact results get " in small.text and "--lines" not in small.text.partition("\n")[0]
