"""Replay: a session worked out by hand, the rules of the bill, policies that must agree, and bad input."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import count, replay
from mcpcompact.errors import ConfigError, NoInputError, UsageError
from mcpcompact.replaying import evidence
from mcpcompact.replaying.companions import error_lines, false_absences, surviving
from mcpcompact.replaying.cost import Prompt, load_prices, price_of
from mcpcompact.replaying.cuts import greedy_lines, head, head_tail, tail
from mcpcompact.replaying.registry import REGISTRY, described, parse
from mcpcompact.transcripts import Call, Message, Result, Transcript, Usage
from tests.conftest import corpus

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def said(text: str = "", *calls: tuple[str, dict[str, Any]], **more: Any) -> Message:
    return Message("assistant", text, calls=[Call(str(n), tool, args) for n, (tool, args) in enumerate(calls)], **more)


def session(*messages: Message | str, **more: Any) -> Transcript:
    """Strings are results of the call before them."""
    made: list[Message] = []
    for message in messages:
        if isinstance(message, str):
            before = next((m.calls[-1] for m in reversed(made) if m.calls), None)
            message = Message("tool", message, result=Result(message, before))
        made.append(message)
    return Transcript(made, source="made.jsonl", format="made", **more)


def figures(report: Any, policy: str) -> dict[str, Any]:
    return next(f.as_dict() for f in report.policies if f.policy == policy)


# -- the worked example -----------------------------------------------------------------------

RESULT = "one two three four five six in store/lease_5521.py and batch_loader"
EXAMPLE = session(
    Message("user", "fix the bug"),  # 3 tokens
    said("", ("read", {"path": "a.py"})),  # read + {"path":"a.py"}
    RESULT,
    said("", ("read", {"path": "store/lease_5521.py"})),
    "done",
)


def test_a_session_worked_out_by_hand() -> None:
    # Tokens (o200k_base): the user's message 3; the first call 1 (read) + 6 (its arguments) = 7; the result 17.
    assert [count(t).tokens for t in ("fix the bug", "read", '{"path":"a.py"}', RESULT, "done")] == [3, 1, 6, 17, 1]
    report = replay(EXAMPLE, policies=["none", "head:6"])
    none, cut = figures(report, "none"), figures(report, "head:6")
    # Two model calls. The prompt of the first is the user's message (3), that of the second 3 + 7 + 17 = 27.
    assert none["billedPromptTokens"] == 3 + 27
    # The common prefix of the two prompts is the user's message: 3 cached, the rest fresh.
    assert (none["cachedPromptTokens"], none["freshPromptTokens"]) == (3, 27)
    assert (none["peakContext"], none["overflowCall"]) == (27, None)
    # head:6 keeps "one two three four five six": the second prompt is 3 + 7 + 6 = 16. "done" (1 token) stays as it is.
    assert (cut["resultTokensBefore"], cut["resultTokensAfter"]) == (18, 7)
    assert cut["resultSavedPercent"] == round(100 * 11 / 18, 1)
    assert (cut["billedPromptTokens"], cut["peakContext"]) == (3 + 16, 16)
    assert cut["billedSavedPercent"] == round(100 * 11 / 30, 1)
    # The second call writes store/lease_5521.py, which stood in the result only: one strong use (lease_5521.py is part
    # of it and no use of its own; batch_loader is never written). After the cut it is lost.
    assert none["evidence"]["strong"] | {"interval95": 0} == {
        "total": 1, "keptInContext": 1, "keptBare": 0, "reachable": 0, "lost": 0, "keptPercent": 100.0, "interval95": 0
    }  # fmt: skip
    assert cut["evidence"]["strong"]["lost"] == 1
    assert cut["evidence"]["medium"]["total"] == cut["evidence"]["weak"]["total"] == 0
    # To fetch it: a call of 40 tokens and a page of the result's 17, which only the second model call sends: 57.
    assert (cut["retrievals"], cut["retrievalTokens"]) == (1, 57)
    assert cut["netSavedPercent"] == round(100 * (30 - 19 - 57) / 30, 1)
    # That retrieval is a model call of its own, which sends the context of 16 once more.
    assert cut["netSavedWithTurnsPercent"] == round(100 * (30 - 19 - 57 - 16) / 30, 1)
    assert (none["netSavedPercent"], none["costUsd"], cut["inflated"], cut["falseAbsence"]) == (0.0, None, 0, 0)


def test_usage_and_prices_are_taken_where_they_are_recorded() -> None:
    priced = session(
        Message("user", "fix the bug"),
        said("", ("read", {"path": "a.py"}), usage=Usage(fresh=103, output=10)),
        RESULT,
        said("", ("read", {"path": "b.py"}), usage=Usage(fresh=30, cached=110, output=20)),
        model="gpt-4o",
    )
    found = figures(replay(priced, policies=["none", "head:6"]), "none")
    # hidden: 103 - 3 = 100 before the first call, 140 - 27 = 113 before the second; the common part of it is cached
    assert found["billedPromptTokens"] == 103 + 140
    assert found["cachedPromptTokens"] == 3 + 100
    assert found["costUsd"] == round((140 * 2.5 + 103 * 1.25 + 30 * 10) / 1e6, 4)
    assert figures(replay(priced, policies=["head:6"]), "head:6")["billedPromptTokens"] == 103 + 140 - 11


# -- the bill ---------------------------------------------------------------------------------


def test_what_the_host_forgets_costs_nothing_and_is_no_evidence_afterwards() -> None:
    long = session(
        Message("user", "go"), said("", ("read", {})), RESULT,
        Message("user", "summary", forgets=[0, 1, 2]),
        said("", ("read", {"path": "store/lease_5521.py"})),
    )  # fmt: skip
    found = figures(replay(long, policies=["none"]), "none")
    assert found["billedPromptTokens"] == count("go").tokens + count("summary").tokens
    assert found["cachedPromptTokens"] == 0
    assert found["evidence"]["strong"]["total"] == 0


def test_the_rest_of_a_model_call_is_no_call() -> None:
    going_on = session(Message("user", "go"), said("a"), said("b", continues=True), said("c"))
    report = replay(going_on, policies=["none"])
    assert report.as_dict()["modelCalls"] == 2
    assert report.policies[0].billed == 1 + 3


def test_masking_breaks_the_cache_where_it_rewrites() -> None:
    words = " ".join(["word"] * 100)
    steps: list[Message | str] = [Message("user", "go")]
    for n in range(6):
        steps += [said("", ("read", {"n": n})), words]
    report = replay(session(*steps, said("end")), policies=["none", "mask-old:2", "clear-old:350,1"])
    none, mask, clear = report.policies
    assert mask.billed < none.billed
    assert none.cached / none.billed > mask.cached / mask.billed
    assert clear.peak < none.peak
    assert [f.fates.total() for f in report.policies] == [0, 0, 0]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 20), st.integers(0, 9)), max_size=40))
def test_the_cached_part_is_the_longest_common_prefix(steps: list[tuple[int, int, int]]) -> None:
    prompt, pieces, last, cached = Prompt(), [], [], 0
    for kind, position, tokens in steps:
        if kind < 3 or not pieces:
            prompt.add(tokens + 1)
            pieces.append((len(pieces), tokens + 1, 0))
        elif kind < 5:
            at = position % len(pieces)
            prompt.put(at, tokens)
            pieces[at] = (at, tokens, pieces[at][2] + 1)
        else:
            prompt.send()
            for old, new in zip(last, pieces, strict=False):
                if old != new:
                    break
                cached += new[1]
            last = list(pieces)
            assert prompt.total == sum(size for _, size, _ in pieces)
            assert prompt.cached == cached


# -- evidence ---------------------------------------------------------------------------------

RUNS = st.text(alphabet="abAB19_./:@- é\n", max_size=60)


@settings(max_examples=300)
@given(RUNS, st.lists(RUNS, max_size=4))
def test_the_quick_search_finds_the_atoms_that_matching_finds(written: str, shown: list[str]) -> None:
    messages = [Message("tool", text, result=Result(text)) for text in shown] + [said("", ("t", {"x": written}))]
    atoms, owner = evidence.atoms(written), {}
    for i, text in enumerate(shown):
        for atom in atoms & evidence.atoms(text):
            owner.setdefault(atom, i)
    found = {use.atom: use.owner for uses in evidence.collect(messages).values() for use in uses}
    assert found.items() <= owner.items()
    for atom in owner.keys() - found.keys():  # a short number, or a part of another atom of the same result
        assert (atom.isdigit() and len(atom) <= 4) or any(
            atom in other and owner[other] == owner[atom] for other in found
        )


def test_strength_and_fate() -> None:
    text = "the session reader opens store/lease_5521.py before worker_pool commits its batch_no 88213 to main_db\n" * 2
    spoken = session(
        Message("user", "look at known_name"), said("", ("grep", {"q": "known_name"})), text + "known_name",
        said("worker_pool it is", ("read", {"path": "store/lease_5521.py"})), "fine", said("batch_no 88213 is wrong"),
    )  # fmt: skip
    report = replay(spoken, policies=["none", "cmd:echo 'names: alpha beta lease worker_pool'", "head:0"])
    of = [f.fates.counts for f in report.policies]
    assert [sum(c.values()) for c in of[0].values()] == [1, 2, 1]
    assert of[1]["strong"] == {"lost": 1}  # the path itself is not there
    assert of[1]["weak"] == {"keptBare": 1}  # worker_pool without its words
    assert all(set(c) == {"lost"} for c in of[2].values())
    assert report.losses[0].atom == "store/lease_5521.py"
    assert report.losses[0].used.startswith("read: store/lease_5521.py")


LEASE = "the session reader opens store/lease_5521.py before the worker commits its batch"
ROWS = '[{"id": 7, "host": "web-17", "cpu": 93}, {"id": 8, "host": "web-18", "cpu": 12}]'


@pytest.mark.parametrize(
    "atom, original, shown, fate",
    [
        # a run of its line: "the session reader opens store" before, "py before the worker commits its" behind
        ("lease_5521", LEASE, f"12: {LEASE}", evidence.KEPT),
        (
            "lease_5521",
            LEASE,
            "session reader opens store/lease_5521.py before the worker commits",
            evidence.KEPT,
        ),  # 9 of 11
        ("lease_5521", LEASE, "…reader opens store/lease_5521.py", evidence.BARE),
        ("lease_5521", LEASE, "names: alpha beta lease_5521 gamma delta", evidence.BARE),
        ("lease_5521", LEASE, "nothing of the kind", evidence.LOST),
        ("lease_5521", LEASE, "session reader opens store/lease_5521.py\nbefore the worker commits its", evidence.BARE),
        # its own line only, without its number, mark or quotes
        ("load_rows", "  41\tdef load_rows(path):\n  42\t    return []", "load_rows(path): at 41 def", evidence.BARE),
        ("load_rows", "  41\tdef load_rows(path):\n  42\t    return []", "41 def load_rows(path):", evidence.KEPT),
        ("load_rows", "+def load_rows(path):", "def load_rows(path):", evidence.KEPT),
        ("load_rows", '{"text": "a\\ndef load_rows(path):\\nb"}', "def load_rows(path):", evidence.KEPT),
        # rows: the value whole, its field named, its row identified
        ("web-17", ROWS, "#|id|host|cpu\n#1|7|web-17|93", evidence.KEPT),
        ("web-17", ROWS, "#|id|host\n#1|7|web-17", evidence.KEPT),
        ("web-17", ROWS, "[0].id 7, host: web-17", evidence.KEPT),
        ("web-17", ROWS, "hosts web-17, web-18", evidence.BARE),
        ("web-17", "id,host,cpu\n7,web-17,93\n8,web-18,12\n9,web-19,7\n", "id|host\n7|web-17", evidence.KEPT),
        ("web-17", "id,host,cpu\n7,web-17,93\n8,web-18,12\n9,web-19,7\n", "host web-17", evidence.BARE),
    ],
)
def test_what_can_be_read(atom: str, original: str, shown: str, fate: str) -> None:
    assert evidence.survival(evidence.Use(atom, 1, 0, (1, 0)), original, shown) == fate


def test_a_short_number_is_evidence_only_of_what_its_call_names() -> None:
    text = "store/lease.py has 412 lines"
    for path, total in (("store/lease.py", 1), ("other/part.py", 0)):
        steps = [said("", ("read", {"path": path})), text, said("", ("read", {"path": "store/lease.py", "line": 412}))]
        found = figures(
            replay(session(Message("user", "see store/lease.py, other/part.py"), *steps), policies=["none"]), "none"
        )
        assert found["evidence"]["strong"]["total"] == total


def test_what_is_kept_bare_is_fetched() -> None:
    steps = [said("", ("read", {"path": "a.py"})), LEASE, said("", ("read", {"path": "store/lease_5521.py"}))]
    report = replay(session(Message("user", "go"), *steps), policies=["none", "cmd:echo names: store/lease_5521.py"])
    assert [f.fates.of(evidence.BARE) for f in report.policies] == [0, 1]
    assert [f.retrievals for f in report.policies] == [0, 1]


def test_greedy_lines_takes_whole_lines() -> None:
    text = "".join(f"line {n} of module_{n % 40}.py in plain words\n" for n in range(400))
    shown = greedy_lines(text, 200, lambda part: count(part).tokens)
    assert count(shown).tokens <= 200
    assert set(shown.splitlines()) <= set(text.splitlines())
    assert len({line.split()[3] for line in shown.splitlines()}) == len(shown.splitlines())  # no name twice


def test_wilson() -> None:
    low, high = evidence.wilson(81, 263)  # Newcombe 1998, table I: 0.2553 to 0.3662
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert evidence.wilson(0, 0) == (0.0, 1.0)


def test_absence_that_is_none() -> None:
    log = "ok\nERROR: disk full\ncommit 3f2a\n"
    assert false_absences(log, "no errors found") == ["no errors"]
    assert false_absences(log, "0 matches") == ["0 matches"]
    assert false_absences(log, "Total commits: 0") == ["Total commits: 0"]
    assert false_absences('{"level": "fatal"}', "none has level=fatal") == ["none has level=fatal"]
    assert (
        not false_absences("all fine\n", "no errors")
        + false_absences(log, "1 error, 0 warnings")
        + false_absences("no errors here: 0 matches", "no errors; 0 matches")
    )
    lines = error_lines("a\n  ERROR   x y \nb Error z\nERROR x y")
    assert lines == [["ERROR x y"], ["b Error z"]]
    assert surviving(lines, "1: ERROR x  y") == 1
    assert error_lines("ERROR 1 of 9\nERROR 2 of 9") == [["ERROR 1 of 9", "ERROR 2 of 9"]]


def test_source_that_speaks_of_errors_tells_of_none() -> None:
    source = "".join(
        f"def load_{n}(path):\n    try:\n        return read(path)\n    except OSError as error:\n"
        f"        raise ValueError(path) from error\n\n\n"
        for n in range(40)
    )
    hits = "".join(f"src/part_{n}.py:{n}:    raise ValueError(path)\n" for n in range(1, 90))
    log = "2026-01-01 10:00:00 ERROR disk full\n" + "".join(f"2026-01-01 10:00:{n:02} INFO ok {n}\n" for n in range(60))
    for results, kept in (([source, hits], None), ([source, hits, log], 100.0)):
        parts = [part for text in results for part in (said("", ("read", {})), text)]
        report = replay(session(Message("user", "go"), *parts, said("done")), policies=["head:60"])
        assert figures(report, "head:60")["errorLinesKeptPercent"] == kept


# -- policies ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [head, tail, head_tail])
@pytest.mark.parametrize("budget", [0, 7, 100, 999])
def test_cuts_fill_their_budget(cut: Callable[..., str], budget: int) -> None:
    text = "".join(f"{n} some words, ünd {n * 7}\n" for n in range(300))
    made = cut(text, budget, count(text).tokens, lambda t: count(t).tokens)
    assert (budget - 3 if budget > 7 else 0) <= count(made).tokens <= budget


def test_every_policy_plays_and_says_what_it_is() -> None:
    text = "".join(f"src/module_{n}.py:{n}: raise LeaseError({n})\n" for n in range(1_000))
    steps: list[Message | str] = [Message("system", "be good"), Message("user", "go " * 50)]
    for n in range(6):
        steps += [said("", ("read", {"path": f"src/module_{n}0.py"})), text]
    long = session(*steps, said("end"))
    specs = {name: name for name in REGISTRY} | {"window": "window:gpt-4o", "cmd": "cmd:head -c 100"}
    report = replay(long, policies=list(specs.values()), model="gpt-4o")
    for found in report.policies:
        assert found.results == 6
        assert found.billed <= report.policies[0].billed
        assert found.false_absence == found.inflated == found.failed == 0
    ours = next(f for f in report.policies if f.policy == "mcpcompact")
    assert ours.after <= 6 * 1_000
    assert ours.fates.of(evidence.LOST) == 0
    assert len({syntax.partition("[")[0].partition(":")[0] for syntax, _ in described()}) == len(REGISTRY)


def test_a_reference_makes_reachable() -> None:
    shown = session(said("", ("t", {})), RESULT, said("", ("t", {"x": "batch_loader"})))
    spec = "cmd:echo 'Full: mcpcompact results get 3f9c2a1b'"
    assert figures(replay(shown, policies=[spec]), spec)["evidence"]["strong"]["reachable"] == 1


@pytest.mark.parametrize(
    "spec",
    ["", "nope", "head:x", "head:1,2", "head:-1", "none:1", "cmd", "cmd:", "window", "window:?", "mcpcompact:9,9"],
)
def test_a_wrong_policy_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError):
        parse(spec)


def test_prices(tmp_path: Path) -> None:
    mine = tmp_path / "prices.json"
    mine.write_text('{"models": {"house-model": {"input_price": 2, "output_price": 4}}}')
    prices = load_prices(str(mine))
    price = price_of("openai/House-Model-2", prices)
    assert price is not None and price.cost(1_000_000, 1_000_000, 1_000_000) == 2 + 2 + 4
    known = price_of("gpt-4o-mini-2024-07-18", prices)
    assert known is not None and known.input == 0.15
    mine.write_text('{"m": {"input_price": "much"}}')
    with pytest.raises(ConfigError):
        load_prices(str(mine))
    with pytest.raises(NoInputError):
        load_prices(str(tmp_path / "none.json"))


# -- the command line -------------------------------------------------------------------------


def write_pi(path: Path, results: list[str], cut: int = 0, model: str = "claude-sonnet-4") -> Path:
    """A session of pi that greps and then reads a file of each result."""
    lines: list[dict[str, Any]] = [{"type": "session", "id": "s", "cwd": "/w", "modelId": model}]
    lines.append({"type": "message", "message": {"role": "user", "content": "find the lease error"}})
    for n, text in enumerate(results):
        args = {"path": f"src/module_40{n}.py" if n else "src"}
        call = {"type": "toolCall", "id": f"t{n}", "name": "grep", "arguments": args}
        content = [{"type": "text", "text": f"step {n}"}, call]
        lines.append({"type": "message", "message": {"role": "assistant", "model": model, "content": content}})
        result = {"role": "toolResult", "toolCallId": f"t{n}", "toolName": "grep"}
        lines.append({"type": "message", "message": result | {"content": [{"type": "text", "text": text}]}})
    lines.append({"type": "message", "message": {"role": "assistant", "content": "src/module_599.py is wrong"}})
    data = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_text(data[: len(data) - cut])
    return path


HITS = ["".join(f"src/module_{n}.py:{n}: raise LeaseError({n})\n" for n in range(start, 600)) for start in range(3)]


def run_json(door: Run, *args: object, **more: Any) -> dict[str, Any]:
    done = door("replay", "--json", *args, **more)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for policy in [*found["policies"], *(p for line in found["byTool"].values() for p in line),
                   *(p for line in found["byFormat"].values() for p in line)]:  # fmt: skip
        policy.pop("compactionSeconds")
    return found  # type: ignore[no-any-return]


def test_jobs_and_runs_agree_and_cat_is_none(cli: Run, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    for n in range(3):
        write_pi(folder / f"{n}.jsonl", [*HITS[n:], "odd \U0001f600 \r\n end"])
    args = [folder, "--policy", "none", "--policy", "cmd:'cat'", "--policy", "mcpcompact", "--policy", "head:0"]
    one, two = run_json(cli, *args), run_json(cli, *args, "--jobs", "2")
    assert one == two
    none, cat, ours, nothing = one["policies"]
    assert none | {"policy": 0} == cat | {"policy": 0}
    assert nothing["evidence"]["strong"]["keptInContext"] == nothing["evidence"]["strong"]["keptBare"] == 0
    assert nothing["resultTokensAfter"] == 0
    assert ours["falseAbsence"] == ours["inflated"] == ours["evidence"]["strong"]["lost"] == 0
    assert ours["resultTokensAfter"] < none["resultTokensAfter"] / 5
    assert (one["transcripts"], one["skipped"], one["callsWithoutResult"]) == (3, [], 0)
    assert not (tmp_path / "results").exists() and not (tmp_path / ".mcpcompact").exists()


def test_bad_input_is_said_and_the_rest_done(door: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    write_pi(folder / "a.jsonl", HITS[:1])
    write_pi(folder / "cut.jsonl", HITS[:2], cut=10_000)
    (folder / "build.log").write_text("12:00:01 INFO started\n12:00:02 ERROR failed\n" * 50)
    (folder / "empty.json").write_text("")
    (folder / "raw.bin").write_bytes(bytes(range(256)) * 40)
    done = door("replay", folder, "--policy", "mcpcompact")
    assert done.returncode == 0
    assert b"2 sessions" in done.stdout and b"3 inputs that could not be read" in done.stdout
    assert b"build.log" in done.stderr and b"Traceback" not in done.stderr
    found = run_json(door, folder)
    assert {Path(entry["transcript"]).name for entry in found["skipped"]} == {"build.log", "empty.json", "raw.bin"}
    assert any("cut.jsonl" in line for line in found["problems"])
    assert door("replay", folder / "build.log").returncode == 65
    assert door("replay", folder / "a.jsonl", folder / "build.log").returncode == 65
    assert door("replay", folder / "absent.jsonl").returncode == 66
    assert door("replay", "no*thing").returncode == 66
    assert door("replay", folder / "a.jsonl", "--policy", "no-such").returncode == 2
    assert door("replay", folder / "a.jsonl", "--by", "colour").returncode == 2


def test_commands_that_fail_hang_or_say_nothing(door: Run, tmp_path: Path) -> None:
    path = write_pi(tmp_path / "a.jsonl", ["alpha_beta one", "gamma_delta two", "x three", "y four", "z five"])
    args = [path, "--timeout", "0.3", "--policy", "none", "--policy", "cmd:echo no >&2; exit 3", "--policy",
            "cmd:true", "--policy", "cmd:sleep 60", "--policy", "cmd:sleep 60 & echo short"]  # fmt: skip
    found = run_json(door, *args)
    none, fails, silent, hangs, _ = found["policies"]
    assert fails["resultsFailed"] == silent["resultsFailed"] == hangs["resultsFailed"] == 5
    assert fails["billedPromptTokens"] == hangs["billedPromptTokens"] == none["billedPromptTokens"]
    assert silent["resultTokensAfter"] == 0
    said = "\n".join(found["problems"])
    assert "exit code 3: no" in said and "printed nothing" in said
    assert said.count("no answer within 0.3 s") == 6 and said.count("not tried after 3 time-outs") == 4
    assert "20 results that a policy failed on" in door("replay", *args).stdout.decode()


def test_a_command_without_end_is_ended(door: Run, tmp_path: Path) -> None:
    found = run_json(door, write_pi(tmp_path / "a.jsonl", ["alpha_beta one"]), "--policy", "cmd:yes")
    assert "printed more than 64 MB" in found["problems"][0]
    assert found["policies"][0]["resultsFailed"] == 1


def test_a_process_that_dies_costs_its_transcript_only(cli: Run, tmp_path: Path) -> None:
    for n, text in enumerate(["fine", "deadly", "fine too"]):
        write_pi(tmp_path / f"{n}.jsonl", [text])
    paths = [tmp_path / f"{n}.jsonl" for n in range(3)]
    done = cli("replay", *paths, "--jobs", "2", "--json", "--policy", "cmd:grep -q deadly && kill -9 $PPID; echo short")
    found = json.loads(done.stdout)
    assert [Path(entry["transcript"]).name for entry in found["skipped"]] == ["1.jsonl"]
    assert (found["transcripts"], done.returncode) == (2, 65)
    assert b"1.jsonl: its process died" in done.stderr


def test_unpaired_calls_and_results(door: Run, tmp_path: Path) -> None:
    path = write_pi(tmp_path / "a.jsonl", ["alpha_beta one"])
    orphan = {
        "role": "toolResult",
        "toolCallId": "none",
        "toolName": "grep",
        "content": [{"type": "text", "text": "b"}],
    }
    call = {"role": "assistant", "content": [{"type": "toolCall", "id": "open", "name": "x", "arguments": {}}]}
    with path.open("a") as stream:
        stream.writelines(json.dumps({"type": "message", "message": m}) + "\n" for m in (orphan, call))
    found = run_json(door, path)
    assert (found["callsWithoutResult"], found["resultsWithoutCall"]) == (1, 1)


def test_standard_input(door: Run, tmp_path: Path) -> None:
    path = write_pi(tmp_path / "a.jsonl", ["alpha_beta one"])
    piped = run_json(door, "-", "--by", "transcript", input=path.read_bytes())
    assert piped["policies"] == run_json(door, path)["policies"]
    assert piped["byTranscript"][0]["transcript"] == "-"
    done = door("replay", "-", input=b"hello")
    assert done.returncode == 65 and b"standard input: not a transcript" in done.stderr


def test_gates(door: Run, tmp_path: Path) -> None:
    path = write_pi(tmp_path / "a.jsonl", HITS)
    args = [path, "--policy", "none", "--policy", "head:100"]
    assert door("replay", *args, "--fail-under-savings", "1").returncode == 0
    assert door("replay", *args, "--fail-under-survival", "0").returncode == 0
    done = door("replay", *args, "--fail-under-survival", "99")
    assert done.returncode == 1
    assert b"head:100 keeps" in done.stderr
    assert door("replay", *args, "--fail-under-savings", "99.9").returncode == 1
    assert door("replay", *args, "--fail-under-savings", "much").returncode == 2


def test_what_a_reader_sees(door: Run, tmp_path: Path) -> None:
    path = write_pi(tmp_path / "a.jsonl", HITS)
    table = door("replay", path, "--by", "format,tool,type,transcript,ab").stdout.decode()
    for title in ("Sessions", "Evidence", "Results", "By format", "By tool", "By type", "By transcript", "(A) against"):
        assert f"\n{title}" in table or (title == "(A) against" and title in table)
    assert "unused" in table or "did not use" in table  # the biases are said where the figures are
    assert max(map(len, table.splitlines())) <= 120
    marked = door("replay", path, "--format", "markdown").stdout.decode()
    assert "| policy | billed prompt |" in marked
    assert "\x1b" not in table + marked


def test_transcripts_are_written_back(door: Run, tmp_path: Path) -> None:
    path = write_pi(tmp_path / "a.jsonl", HITS)
    out = tmp_path / "out"
    assert door("replay", path, "--policy", "mcpcompact", "--emit", out).returncode == 0
    again = run_json(door, out / "a.jsonl", "--policy", "none", "--policy", "mcpcompact")
    assert again["policies"][0]["resultTokensBefore"] == again["policies"][1]["resultTokensAfter"] <= 3_000
    assert door("replay", path, "--policy", "none", "--policy", "head:9", "--emit", out).returncode == 0
    assert (out / "head-9" / "a.jsonl").is_file()


@pytest.mark.skipif(corpus() is None, reason="no recorded data")
def test_recorded_sessions_replay(door: Run) -> None:
    folder = corpus() / "transcripts" / "copilot_cli"  # type: ignore[operator]
    if not folder.is_dir():
        pytest.skip("no recorded data")
    found = run_json(door, folder, "--policy", "none", "--policy", "head-tail:500", "--policy", "mcpcompact:500,500")
    none, plain, ours = found["policies"]
    assert ours["evidence"]["strong"]["keptInContext"] >= plain["evidence"]["strong"]["keptInContext"]
    assert ours["falseAbsence"] == ours["inflated"] == 0
    assert none["resultTokensBefore"] == none["resultTokensAfter"] > 0


def test_a_row_of_json_behind_a_shell_header_can_be_read() -> None:
    from mcpcompact.replaying.readable import reading

    runs = [{"conclusion": "success", "databaseId": 277295556 + n, "url": f"https://a.b/{n}"} for n in range(9)]
    original = f"Wall time: 0.9 seconds\nOutput:\n{json.dumps(runs)}\n"
    assert reading(original).kept("277295559", "#|databaseId|conclusion\n#4|277295559|success")
    assert not reading(original).kept("277295559", "277295559 277295560")


def test_a_field_that_is_the_same_in_all_rows_identifies_none() -> None:
    from mcpcompact.replaying.readable import reading

    pulls = [{"baseRefName": "main", "number": 1570 + n, "title": f"fix {n}", "draft": False} for n in range(9)]
    original = json.dumps(pulls)
    assert reading(original).kept("1573", "same in all: baseRefName=main\n#|number|title\n#4|1573|fix 3")
    assert not reading(original).kept("fix 3", "#|title\n#4|fix 3")  # whose?


def test_what_a_host_left_of_a_list_in_json_can_be_read_as_rows() -> None:
    from mcpcompact.replaying.readable import reading

    whole = json.dumps([{"id": f"av-{n}", "notes": "word " * 40, "state": "open"} for n in range(30)], indent=1)
    at = whole.index("word", len(whole) // 2)
    original = f"{whole[:at]}…812 tokens truncated…{whole[at + 3000 :]}"
    assert reading(original).kept("av-2", "#|id|state\n#3|av-2|open")
    assert reading(original).kept("av-29", "#|id|state\n#20|av-29|open")
    assert not reading(original).kept("av-2", "av-1, av-2, av-3")
