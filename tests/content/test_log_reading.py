"""What a reader sees of a log: lines as they stand, in file order, with gaps that count exactly."""

from __future__ import annotations

import re
from itertools import takewhile

import pytest

from mcpcompact import compact

TRACE = """\
Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 196, in _run_module_as_main
    return _run_code(code, main_globals, None,

  File "/app/jobs/{job}.py", line 12, in main
    prepare(args)
  File "/app/jobs/prepare.py", line 31, in prepare
    table = load(args.path)

  File "/app/jobs/tables.py", line 92, in load
    with open(name) as lines:
  File "/usr/lib/python3.11/site-packages/reader/core.py", line 7, in read
    raise error
FileNotFoundError: [Errno 2] No such file or directory: '/data/{job}.csv'
"""


def body(data: str, budget: int, **call: object) -> list[str]:
    text = compact(data, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]
    return [line for line in text.split("\n") if not line.startswith("[mcpcompact]")]


@pytest.mark.parametrize("budget", [180, 260, 340])
def test_every_line_below_a_number_stands_where_the_marks_say(budget: int) -> None:
    steps = "\n".join(f"2024-05-01 10:00:{n:02} INFO step {n} wrote /data/out-{n}.csv" for n in range(4))
    settings = "\n".join(f'  "setting_{n}": {n * 37},' for n in range(30))
    dump = f"2024-05-01 10:00:09 ERROR could not apply {{\n{settings}\n}}"
    data = "\n".join([steps, TRACE.format(job="first"), "", steps, dump, TRACE.format(job="second")])
    original = data.split("\n")
    at, counted, marks = 0, False, 0
    for line in body(data, budget):
        if numbered := re.match(r"(\d+): (.*)", line):
            if counted:  # a mark at the end of an entry counts up to the next line that is shown
                assert int(numbered[1]) == at + 1
            at, line = int(numbered[1]), numbered[2]
        elif mark := re.fullmatch(r"…\[\+(\d+) lines?\]", line):
            at, counted, marks = at + int(mark[1]), True, marks + 1
            continue
        elif not at:
            continue
        else:
            at += 1
        counted = False
        assert original[at - 1].startswith(line.split("…[+")[0])
    assert marks


def test_lines_that_a_call_names_stand_in_file_order() -> None:
    lines = [f"step {n}: done in {n} ms" for n in range(60)]
    lines[20] = "loading beta-set from cache"
    lines[40] = "loading alpha-set from cache"
    shown = body("\n".join(lines), 120, tool="run", arguments={"command": "load alpha-set beta-set"})
    numbers = [int(found[1]) for line in shown if (found := re.match(r"(\d+)[: ]", line))]
    assert {21, 41} <= set(numbers)
    assert numbers == sorted(numbers)


def test_the_states_of_a_progress_line_are_those_of_its_label() -> None:
    receiving = "\r".join(f"Receiving objects: {n}% ({n}/100)" for n in range(40))
    resolving = "\r".join(f"Resolving deltas: {n}% ({n}/100)" for n in range(101))
    data = f"Cloning into 'demo'...\n{receiving}\rremote: Total 100 (delta 9)\x1b[K\n{resolving}, done.\x1b[K\n"
    data += "Receiving objects: 99% (99/100)\rReceiving objects: 100% (100/100), done.\n"  # begun above another line
    shown = "\n".join(body(data, 100))
    assert "remote: Total 100 (delta 9)\n" in shown
    assert "Resolving deltas: 100% (100/100), done. [the last state]" in shown
    assert "Receiving objects: 100% (100/100), done. [the last state]" in shown


def service(seed: int = 0) -> list[str]:
    """A service whose failures and warnings are of many kinds, their level in the middle of the line."""
    fatal = (
        "probe lost|torus link went down|bad file descriptor met|no memory left for job|parity could not be repaired"
    )
    kinds = [("FATAL", text, 40 - 3 * k) for k, text in enumerate(fatal.split("|"))]
    kinds += [("SEVERE", "card is not fully functional", 9), ("WARN", "address change detected on the uplink", 60)]
    kinds += [("INFO", "heartbeat of the cluster received", 400)]
    lines = [(level, text) for level, text, n in kinds for _ in range(n)]
    order = sorted(range(len(lines)), key=lambda n: (n * 7919 + seed) % 104_729)
    return [
        f"- {1117838570 + n} R{n % 40:02}-M1-N0 RAS KERNEL {lines[at][0]} unit {n % 7}: {lines[at][1]}"
        for n, at in enumerate(order)
    ]


@pytest.mark.parametrize("budget", [300, 500, 1000])
def test_kinds_of_failures_and_warnings_are_whole_lines_that_add_up(budget: int) -> None:
    lines = service()
    shown = body("\n".join(lines), budget)
    head = next(n for n, line in enumerate(shown) if "lines with warnings, errors or failures, of" in line)
    total, kinds = (int(found) for found in re.findall(r"(\d+) (?:lines|kinds)", shown[head]))
    assert (total, kinds) == (239, 7)  # "no memory" and "parity" differ
    rows = list(takewhile(bool, (re.match(r"(\d+)× (\d+)(?:–\d+)?: (.*)", line) for line in shown[head + 1 :])))
    assert all(row and row[3] == lines[int(row[2]) - 1] for row in rows)
    counts = [int(row[1]) for row in rows if row]
    graves = [row[3].partition(" KERNEL ")[2].split()[0] for row in rows if row]
    ranked = [(("FATAL", "SEVERE", "WARN").index(grave), -n) for grave, n in zip(graves, counts, strict=True)]
    assert ranked == sorted(ranked)  # the gravest first, then the most frequent
    left = next((int(found[1]) for line in shown if (found := re.match(r"… (\d+) more$", line))), 0)
    assert len(rows) + left == kinds
    assert any("FATAL 170 · SEVERE 9 · WARN 60 · INFO 400" in line for line in shown)
    assert not any("←" in line and " INFO " in line for line in shown)


def test_a_part_of_a_long_line_stands_behind_its_time_source_and_level() -> None:
    pad = " ".join(f"key{n}=value{n * n}" for n in range(60))
    lines = [f"2024-05-01 10:00:{n:02} INFO [worker-{n}] job {n} done" for n in range(50)]
    lines[30] = f"2024-05-01 10:00:30 WARN [writer] {pad} disk failure on shard 9"
    shown = body("\n".join(lines), 200)
    assert any(re.match(r"31: 2024-05-01 10:00:30 WARN.*…\[\+\d+ chars\] .*disk failure on shard 9", s) for s in shown)


def test_components_are_counted_only_where_all_lines_name_one() -> None:
    threads = ("main", "IPC Server handler 3 on 62270", "RM Allocator", "writer #1")
    lines = [
        f"2024-05-01 10:{n // 60:02}:{n % 60:02} INFO [{threads[n % 4]}] org.app.{('Client', 'Queue', 'Job')[n % 3]}: "
        f"step {n} of the run done"
        for n in range(300)
    ]
    assert "3 components: org.app.Client 100 · org.app.Queue 100 · org.app.Job 100" in body("\n".join(lines), 400)
    lines = [line.replace("[writer #1] org.app.", "<writer 1> ") for line in lines]
    assert not any("components" in line for line in body("\n".join(lines), 300))


def drawn(at: int, head: str, jobs: list[tuple[str, str, str]]) -> list[str]:
    made = ["Refreshing run status every 3 seconds. Press Ctrl+C to quit.", ""] if at >= 0 else []
    made += [f"{head} main CI · 4711", "Triggered via push about 1 minute ago", "", "JOBS"]
    for sign, name, step in jobs:
        made += [f"{sign} {name} in {at + 40}s (ID 81{len(name)})", *(f"  ✓ Prepare {name} {n}" for n in range(9))]
        made += [f"  {step} Run the {name} suite", *(f"  {step} Clean up {name} {n}" for n in range(4))]
    return [*made, "", "ANNOTATIONS", "! A deprecation that all jobs have", "ci: .github#2", ""]


def test_only_the_last_of_redrawn_screens_is_shown_its_jobs_before_their_steps() -> None:
    names = ("build", "lint", "types", "links", "docs", "package")
    running = [("*", name, "*") for name in names]
    ended = [("X" if name == "types" else "✓", name, "X" if name == "types" else "✓") for name in names]
    lines = [line for n in range(5) for line in drawn(n, "*", running)]
    last = len(lines) + 1
    lines += drawn(-1, "X", ended)  # the tool says no more that it draws
    shown = body("\n".join(lines), 260)
    assert f"a screen drawn 6 times; only the last one is shown, lines {last}–{len(lines) - 1}" in shown
    numbers = [int(found[1]) for line in shown if (found := re.match(r"(\d+): ", line))]
    assert numbers[0] == last and numbers == sorted(numbers)
    heads = [n for n, line in enumerate(lines, 1) if n >= last and " in " in line and "ID" in line]
    assert set(heads) < set(numbers)
    assert lines.index("  X Run the types suite") + 1 in numbers


def test_tracebacks_are_counted_beside_errors_and_failure_messages() -> None:
    lines = [f"2024-05-01 10:00:{n:02} INFO step {n} wrote /data/out-{n}.csv" for n in range(9)]
    made = [*lines, *TRACE.format(job="first").split("\n"), *lines]
    made += ["2024-05-01 10:01:00 sh: line 7: tool: command not found"]
    made += ["2024-05-01 10:01:00 ERROR the store is read-only", *lines, *TRACE.format(job="second").split("\n")]
    assert "1 error, 2 tracebacks, 1 other failure message" in body("\n".join(made), 300)[0]


def test_the_traceback_of_an_error_is_counted_too_and_a_line_of_source_is_no_number() -> None:
    lines = [f"2024-05-01 10:00:{n % 60:02} INFO app.till:{14 + n % 2} tick {n}" for n in range(90)]
    lines[40:40] = ["2024-05-01 10:00:40 ERROR app.till:90 job failed", *TRACE.format(job="first").split("\n")]
    found = body("\n".join([*lines, *TRACE.format(job="second").split("\n")]), 300)
    assert "1 error, 2 tracebacks" in found[0]
    chain = [
        *TRACE.format(job="inner").split("\n"),
        "",
        "During handling of the above exception, another exception occurred:",
    ]
    chain += ["", *TRACE.format(job="outer").split("\n")]
    ran = [*lines[:40], *chain, *lines[40:], f"Code output: {TRACE.format(job='last')}"]
    assert "1 error, 4 tracebacks" in body("\n".join(ran), 300)[0]
    assert "median" not in "\n".join(found)


def test_the_last_metrics_of_each_phase_of_a_training_are_shown() -> None:
    settings = ", ".join(f"'option_{n}': {n}" for n in range(80))
    lines = [f"2024-05-01 10:00:00 | INFO | train.cli | {{{settings}, 'invalid_crashes': False}}"]
    for epoch in range(1, 30):
        lines += [f"2024-05-01 10:{epoch:02}:{n:02} | INFO | data | wrote shard {n} of epoch {epoch}" for n in range(8)]
        for phase in ("valid", "train"):
            figures = (
                f"loss {9 - epoch / 10:.3f} | ppl {99 - epoch:.2f} | wps {14 + epoch} | lr 1.25e-06 | wall {epoch}"
            )
            lines += [f"2024-05-01 10:{epoch:02}:59 | INFO | {phase} | epoch {epoch:03} | {figures}"]
    shown = "\n".join(body("\n".join(lines), 400))
    assert lines[-1] in shown and lines[-2] in shown
    text = compact("\n".join(lines), budget=400, threshold=0, store=None).text
    assert (
        f": {len(set(re.findall(r'^(?:[0-9]+× )?([0-9]+)[:–]', text, re.MULTILINE)))} of {len(lines)} lines shown"
        in text
    )


def test_a_kind_of_lines_is_counted_under_a_line_that_says_what_all_say() -> None:
    said = ("load of a page failed", "store to memory failed", "parity check failed", "watch on socket failed")
    lines = [f"2024-05-01 10:00:{n % 60:02} FATAL R{n % 7} KERNEL {said[n % 4]}" for n in range(200)]
    lines += [
        f"2024-05-01 10:05:{n % 60:02} ERROR login of {('root', 'admin', 'guest')[n % 3]} refused" for n in range(60)
    ]
    rows = [
        found
        for line in body("\n".join(lines), 500)
        if (found := re.match(r"(\d+)× \d+(?:–\d+)?: \S+ \S+ (.*?)(?: ← .*)?$", line))
    ]
    assert len(rows) > 2
    for row in rows:
        like = re.escape(re.sub(r"\d+", "0", row[2])).replace("…", r"\S+")
        assert sum(re.search(like, re.sub(r"\d+", "0", line)) is not None for line in lines) == int(row[1])
    assert any("login of … refused" in row[0] for row in rows)


def test_a_tool_is_named_only_from_its_own_words() -> None:
    lines = [f"2024-05-01T10:00:{n:02}Z step {n} of the release" for n in range(40)] + ["Total tests: 5", "5 pass"]
    assert not re.search("dotnet|bun", " ".join(body("\n".join(lines), 120)))
    assert "Log of dotnet" in " ".join(body("\n".join(["$ dotnet test", *lines]), 120))


def test_what_a_tool_left_out_of_a_log_is_said() -> None:
    lines = [f"2024-05-01 10:00:{n % 60:02} INFO step {n} done" for n in range(200)]
    lines[90] += "…18954 tokens truncated…12:00:00 INFO step"
    assert any("truncated its output: “…18954 tokens" in line for line in body("\n".join(lines), 200))


def test_findings_with_code_stand_below_their_place_and_the_total_is_the_tools() -> None:
    finding = (
        "src/app.ts:{n}:2 lint/style/noVar ━━━━━━━━━━━━━━━━━━━━\n\n  × use const {n} here\n  \n"
        "    {m} │ // an error: failed\n"
        "  > {n} │ \tvar x{n};\n        │ \t^^^\n    {k} │ // failed\n  \n"
    )
    text = "".join(finding.format(n=n, m=n - 1, k=n + 1) for n in range(20, 400, 20))
    shown = body(f"{text}Diagnostics not shown: 35.\nFound 54 errors.\nFound 1 warning.\n", 400)
    told = "\n".join(shown)
    assert "errors," not in told
    assert "failure" not in told
    assert "Found 54 errors" in told
    assert "Diagnostics not shown: 35" in told
    assert "19× lint/style/noVar" in told
    for at, line in enumerate(shown):
        if found := re.match(r"\d+:   × use const (\d+) here", line):
            assert f"src/app.ts:{found[1]}:2 lint" in shown[at - 1]


def test_a_build_tells_its_tool_and_that_it_succeeded() -> None:
    files = [f"app build: ESM dist/chunk-{n:04}.js      {n}.10 KB" for n in range(90)]
    lines = [
        "app build: CLI tsup v8.3.5",
        "app build: ESM Build start",
        *files,
        "app build: ESM ⚡️ Build success in 67ms",
    ]
    shown = "\n".join(body("\n".join([*lines, "app build: DTS ⚡️ Build success in 5601ms"]), 200))
    assert "Log of tsup" in shown
    assert "success in 67ms" in shown
    assert "success in 5601ms" in shown


def test_of_a_plan_one_resource_is_whole_and_no_name_of_a_value_is_odd() -> None:
    node = '  # data.node[{n}] will be created\n  + resource "data" "node" {{\n      + id    = "{n}"\n'
    node += "      + size  = {n}0\n    }}\n\n"
    plan = "Terraform will perform the following actions:\n\n" + "".join(node.format(n=n) for n in range(60))
    plan += "Plan: 60 to add, 0 to change, 0 to destroy.\n\nChanges to Outputs:\n  + names = (known after apply)\n"
    shown = "\n".join(body(plan, 500))
    assert "names once" not in shown
    assert re.search(
        r'node\[(\d+)\] will be created\n.*"node" \{\n +\+ id +.*\n +\+ size +.*\n    \}', shown
    )  # one is whole


def test_logs_that_stand_one_after_the_other_have_no_gap_between_them() -> None:
    crane = [
        f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO crane {n % 4} lifted box {n * 37 % 9973}" for n in range(200)
    ]
    gate = [f"2031-07-09 06:{n // 60:02}:{n % 60:02} INFO gate {n % 2} let {n * 7 % 811} in" for n in range(150)]
    headed = "\n".join(["==> crane.log <==", *crane, "", "==> gate.log <==", *gate])
    shown = body(headed, 400)
    assert any(
        "from line 2 2031-07-04 08:00:00 … 2031-07-04 08:03:19 (3m 19s) · from line 204 2031" in one for one in shown
    )
    assert not any("gap" in one for one in shown)
    at = shown.index("203: ==> gate.log <==")
    before = [line for line in shown[at - 2 : at] if line[0].isdigit() and "INFO" in line and "× " not in line[:9]]
    assert all(line.partition(" ")[2] in crane for line in before)
    assert "INFO gate " in shown[at + 1]
    turned = body("\n".join([*gate, *crane]), 400)
    later = body("\n".join([*crane, *gate]), 400)
    assert any("(2m 29s) · from line 151 2031-07-04 08:00:00 … 2031-07-04 08:03:19 (3m 19s)" in one for one in turned)
    assert any("(3m 19s) · from line 201 2031-07-09 06:00:00 … 2031-07-09 06:02:29 (2m 29s)" in one for one in later)
    assert not any("gap" in one for one in [*turned, *later])


def test_a_log_with_stamps_of_another_form_has_a_span_of_its_own() -> None:
    crane = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO crane {n % 4} lifted box {n}" for n in range(90)]
    door = [f"Jul  9 06:{n // 60:02}:{n % 60:02} pier7 door[{n}]: let box {n * 7} out" for n in range(120)]
    shown = body("\n".join([*crane, *door]), 400)
    assert any("from line 1 2031-07-04 08:00:00 … 2031-07-04 08:01:29 (1m 29s)" in one for one in shown)
    assert any("from line 91 Jul  9 06:00:00 … Jul  9 06:01:59 (1m 59s)" in one for one in shown)
    among = body("\n".join(line for both in zip(crane, door, strict=False) for line in both), 400)
    assert not any(line.startswith(("time:", "times:")) for line in among)


def test_a_log_in_no_order_is_one_log_and_a_late_line_begins_none() -> None:
    crane = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO crane {n % 4} lifted box {n}" for n in range(200)]
    late = body("\n".join([*crane[:3], *crane[4:80], crane[3], *crane[80:]]), 400)
    assert any("not in order: line 80 goes back to 2031-07-04 08:00:03" in one for one in late)
    shuffled = body("\n".join(crane[n * 77 % 200] for n in range(200)), 400)
    assert any(one.startswith("time: 2031-07-04 08:00:00 … 2031-07-04 08:03:19 (3m 19s)") for one in shuffled)


def test_a_banner_divides_no_log() -> None:
    lines = [
        "=== harbour starts ===",
        *(f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO crane {n % 4} is up" for n in range(200)),
    ]
    lines[150:] = [line.replace("-04 08:", "-04 11:") for line in lines[150:]]
    shown = body("\n".join(lines), 400)
    assert any("time: 2031-07-04 08:00:00 … 2031-07-04 11:03:19 (3h 3m)" in one for one in shown)
    assert any("largest gaps: 3h 1s after line 150" in one for one in shown)


def test_warnings_whose_level_stands_before_their_place_are_counted_by_the_rule_behind_it() -> None:
    lines = [f"[INFO] step {n} of the build wrote target/classes/part{n}.bin" for n in range(60)]
    for n in range(9):
        rule = "UnusedValue" if n % 3 else "ArrayCopy"
        lines[n * 5] = (
            f"[WARNING] /src/main/java/org/example/Part{n}.java:[{n + 7},12] [{rule}] Avoid this in {n} places"
        )
    text = "\n".join(body("\n".join([*lines, "[INFO] BUILD SUCCESS"]), 300))
    assert "9 warnings that name a file, of 2 rules in 9 files: 6× UnusedValue · 3× ArrayCopy" in text


def test_among_failures_the_only_success_is_shown() -> None:
    lines = [
        f"Dec 10 {n // 60:02}:{n % 60:02}:46 gate sshd[{24000 + n}]: Failed password for {'root' if n % 3 else 'me'} "
        f"from 10.{n % 7}.9.{n % 250} port {40000 + n} ssh2"
        for n in range(900)
    ]
    lines[517] = "Dec 10 08:37:46 gate sshd[24517]: Accepted password for mira from 10.1.2.3 port 49116 ssh2"
    assert any(
        "518: Dec 10 08:37:46 gate sshd[24517]: Accepted password for mira" in line
        for line in body("\n".join(lines), 300)
    )


def test_of_a_failed_build_the_kinds_are_those_of_its_errors() -> None:
    lines = [f"  src/part{n}.cs(17,{n}): warning CS0618: 'Old.Part' is obsolete: use 'New.Part'" for n in range(60)]
    lines += [f"  step {n} is done" for n in range(60)]
    lines += [
        f'  Common.targets(27,9): error MSB3021: Unable to copy file "obj/part{n}.dll" to "bin"' for n in range(30)
    ]
    text = "\n".join(body("\n".join([*lines, "Build FAILED.", "    60 Warning(s)", "    30 Error(s)"]), 300))
    assert "error MSB3021: Unable to copy file" in text and "60× CS0618" in text and "Build FAILED." in text
    assert not re.search(r"\d+× \d+: .*warning CS0618", text)


def test_what_was_printed_last_before_a_traceback_stands_beside_it() -> None:
    printed = ["rows: 48213, columns: 37", *(f"fold {n} of 40 has loss {n * 7919 % 9973}" for n in range(40))]
    printed += ["predictions have shape (4821, 1)", "targets have shape (4822,)", "last row is 48212"]
    library = [
        f'  File "/usr/lib/python3.11/site-packages/checks/part{n}.py", line {n}, in wrapper\n    return inner{n}()'
        for n in range(20)
    ]
    trace = ["Traceback (most recent call last):", '  File "/app/train.py", line 212, in <module>', "    main()"]
    trace += ['  File "/app/metrics.py", line 54, in evaluate', "    score = squared_error(targets, predictions)"]
    text = "\n".join([*printed, *trace, *library, "ValueError: found 4822 and 4821 samples"])
    shown = body(text, 300)
    assert "42: predictions have shape (4821, 1)" in shown
    assert "43: targets have shape (4822,)" in shown
    assert '48:   File "/app/metrics.py", line 54, in evaluate' in shown
    assert "90: ValueError: found 4822 and 4821 samples" in shown
    for at, line in enumerate(shown):  # a frame stands with its statement
        assert "site-packages" not in line or shown[at + 1].startswith("    return inner")


@pytest.mark.parametrize("escape", ["\x1b", ""])
def test_console_notes_of_jenkins_are_left_out_and_counted(escape: str) -> None:
    note = f"{escape}[8mha:////{'4KqLmT0Jw+/' * 90}AAA=={escape}[0m"
    lines = [f"Started by user {note}keeper", "Running as SYSTEM"]
    lines += [f"{note}[INFO] Compiling module {n} of 60" for n in range(60)]
    lines[30] = f"{note}[ERROR] /src/Gate.java:[12,5] cannot find symbol: class Latch"
    shown = "\n".join(body("\n".join([*lines, f"{note}Finished: FAILURE"]), 300))
    assert "Log of Jenkins" in shown
    assert "[ERROR] /src/Gate.java:[12,5] cannot find symbol: class Latch" in shown
    assert "62 console notes of Jenkins" in shown
    assert "8mha" not in shown


def test_output_that_ends_with_a_traceback_is_a_log_whatever_was_printed() -> None:
    printed = [line for n in range(60) for line in (f"Pier: {n}", f"Depth: {n * 7 % 13} m", "Berths:", "  none")]
    trace = TRACE.format(job="tides").split("\n")
    outcome = compact("\n".join([*printed, *trace, "During the run 60 piers were read."]), budget=300)
    assert outcome.content_type == "log"
    assert "Depth: 10 m" in outcome.text and "Pier: 59" in outcome.text
    assert "FileNotFoundError: [Errno 2] No such file or directory: '/data/tides.csv'" in outcome.text
    quoted = "\n".join([*trace, *printed])
    assert compact(f"Notes\n\n{quoted}", budget=300).content_type != "log"


@pytest.mark.parametrize("budget", [150, 170, 200])
def test_the_frame_of_ones_own_that_failed_stands_beside_its_message(budget: int) -> None:
    printed = [f"tide {n} is {n * 7 % 13} cm" for n in range(90)]
    trace = TRACE.format(job="tides").replace("\n\n", "\n")
    shown = "\n".join(body("\n".join([*printed, trace]), budget))
    assert 'File "/app/jobs/tables.py", line 92, in load\n    with open(name) as lines:' in shown


def test_of_a_failed_assertion_its_line_and_both_sides_come_before_passed_tests_and_the_printed_value() -> None:
    passed = [f"(pass) berths > keeps buoy {n} where channel {n * 7 % 11} bends [{n}.25ms]" for n in range(30)]
    value = [f'+   "mooring{n}": {"null" if n % 3 else f"rope-{n}"},' for n in range(40)]
    frame = ["41 |", "42 |   const tide = await read();", "43 |   expect(tide).toEqual(expected);", f"{' ' * 21}^"]
    failed = [
        "error: expect(received).toEqual(expected)",
        "",
        "+ {",
        *value,
        "+ }",
        "",
        "Expected: low",
        "Received: high",
        "",
    ]
    failed += ["      at <anonymous> (/src/tide.test.ts:43:21)", "(fail) berths > reads the tide [3.1ms]"]
    shown = body("\n".join(["bun test v1.3.0", "", "tide.test.ts:", *passed, *frame, *failed]), 300)
    assert any(line.endswith("43 |   expect(tide).toEqual(expected);") for line in shown)
    assert any(line.endswith("Expected: low · Received: high") for line in shown)
    assert any(line.endswith("Received: high") for line in shown)
    assert not any("(pass)" in line for line in shown)


def test_of_a_bar_of_progress_the_last_state_is_shown_and_one_that_did_not_end_stands_before_others() -> None:
    lines = ["2031-07-04 08:00:00 INFO yard | loading the crane"]
    lines += [f"{n * 10:3}%|{'█' * n}{' ' * (10 - n)}| {n}/10 [00:{n:02}<00:30,  3.5s/it]" for n in range(11)]
    lines += [f"2031-07-04 08:01:{n:02} INFO yard | box {n * 37 % 991} lifted to {n * 91 % 773}" for n in range(60)]
    lines += ["rope.bin        0%[          ]       0  --.-KB/s"]
    lines += ["tide.txt        0%[          ]       0  --.-KB/s", "tide.txt      100%[=========>] 226.08K  in 0.006s"]
    lines += [f"2031-07-04 08:02:{n:02} INFO yard | box {n * 37 % 991} lifted to {n * 91 % 773}" for n in range(60)]
    text = "\n".join(body("\n".join(lines), 300))
    assert "rope.bin        0%[" in text
    assert "30%|" not in text and "tide.txt        0%" not in text


def test_a_frame_stands_with_its_statement_and_a_result_that_facts_tell_is_not_said_again() -> None:
    frames = [f'  File "/srv/yard/part{n}.py", line {n}, in step{n}\n    crane{n}.lift(load_{n})' for n in range(14)]
    printed = [f"container {n} weighs {n * 7919 % 9973} kg" for n in range(60)]
    figures = [
        "***** eval metrics *****",
        "  eval_loss               =     0.4711",
        "  eval_accuracy           =     0.9321",
    ]
    trace = ["Traceback (most recent call last):", *frames, "OverflowError: load 13 is too heavy"]
    shown = body("\n".join([*printed, *figures, *trace, "sh: line 4: dock: command not found"]), 400)
    framed = [at for at, line in enumerate(shown) if 'File "' in line]
    assert len(framed) > 1 and "1 failure message (command not found)" in shown[0]
    for at in framed:
        assert "crane" in shown[at + 1]
    assert sum("crane" in line for line in shown) == len(framed)
    assert sum("0.9321" in line for line in shown) == 1


def test_what_a_parallel_branch_prints_for_every_file_is_routine_behind_its_name_too() -> None:
    below = "http://repo.example.com/maven2/org/harbour"
    lines = ["[Quay side] started", "[Quay side] [workspace] $ mvn compile"]
    lines += [f"[Quay side] Downloading: {below}/crane-{n}/1.7.0/crane-{n}-1.7.0.pom" for n in range(50)]
    lines += [f"[Quay side] [{name}] Collecting reports of the yard" for name in ("ROPES", "TIDES")]
    lines += ["[Quay side] [BUOYS] A total of 555 notes have been found.", "[Quay side] [TIDES] Reading on"]
    lines += ["[Quay side] [TIDES] A total of 105 notes have been found.", "[Quay side] finished: SUCCESS"]
    shown = compact("\n".join(lines), budget=300, threshold=200, content_type="log").text
    assert "[BUOYS] A total of 555 notes" in shown and "[TIDES] A total of 105 notes" in shown
    assert shown.count("Downloading") < 5


def test_of_lines_that_differ_in_a_file_alone_none_is_the_only_one() -> None:
    files = [f"[warn] web/m{n}.js" for n in range(90)] + ["[warn] web/index.js", "[warn] docs/a.md", "[warn] lib/b.ts"]
    data = "\n".join(["Checking formatting...", *files, "Code style issues found in 93 files.", "rc 1"])
    shown = "\n".join(body(data, 400))
    assert "only such line" not in shown
    assert " once in " not in shown


def test_a_list_of_kinds_without_a_row_is_no_list() -> None:
    files = [f"[warn] web/{a}{b}/{b}{a}.js" for a in "abcdefghij" for b in "klmnopqrs"]
    shown = body("\n".join([f"[error] part {n}: no such file" for n in range(3)] + files), 300)
    heads = [n for n, line in enumerate(shown) if "for example" in line]
    assert all("×" in shown[n + 1] for n in heads)


def test_lines_without_a_word_in_common_are_no_kind() -> None:
    sums = [f"{n * 7919 % 99991:064x}  ./src/mod{n}.py" for n in range(60)]
    sizes = [f"{n}.0K\t./conf/svc{n}.toml" for n in range(4, 60)] + ["760K\t./logs", "348K\t."]
    data = "\n".join([*sums, *sizes, *(f"Modify: 2026-01-02 10:00:0{n}.959374141 +0000" for n in range(8))])
    shown = "\n".join(body(data, 400))
    assert "such line" not in shown
    assert " once in " not in shown


def test_rows_that_count_levels_are_no_errors_and_rulers_part_what_commands_printed() -> None:
    listed = [f"{word} was checked by {word[::-1]}" for word in ("alpha", "beta", "gamma", "delta", "epsilon")] * 4
    failed = ["2026-11-26T10:05:31 ERROR lease lost for job 7731", "2026-11-26T10:05:32 INFO that is all", "======"]
    counts = ["      1 ERROR", "     39 INFO", "======", "worker\tERROR\t1", "worker\tINFO\t39", "======"]
    data = "\n".join([*failed, *listed, "======", *counts, "HOME=/root", "LANG=C", *listed])
    shown = compact(data, budget=330, threshold=330, content_type="log").text
    assert "1 error" in shown and "errors" not in shown
    assert re.search(r"^24: ======\n25: +1 ERROR$", shown, re.MULTILINE)
    assert re.search(r"^30: ======\n31: HOME=/root$", shown, re.MULTILINE)


def test_outcomes_of_a_run_that_broke_off_do_not_say_that_none_failed() -> None:
    ran = [f"test_mooring_{n} (quay.tests.Mooring) ... ok" for n in range(10)]
    trace = [
        "Traceback (most recent call last):",
        *(f'  File "quay/part{n}.py", line {n + 7}, in haul_{n}\n    rope_{n}.haul()' for n in range(30)),
        "AttributeError: Can't pickle local object 'Mooring.test_rope.<locals>.Rope'",
        "Subtest failed:",
    ]
    text = compact("\n".join([*ran, *trace]), budget=200, threshold=100).text
    assert "10 test outcomes, 0 failed" not in text and "10 test outcomes" in text, text


def test_a_line_that_is_kept_is_not_cut_to_when_and_where_it_was_said() -> None:
    said = (
        "pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost={0}",
        "Failed password for invalid user rope from {0} port {1} ssh2",
        "Received disconnect from {0}: 11: Bye Bye [preauth]",
    )
    lines = [
        f"Dec 10 0{6 + n // 200}:{n // 10:02d}:{n % 60:02d} quay sshd[{24000 + n}]: "
        + said[n % 3].format(f"10.{n % 7}.{n % 13}.{n % 17}", 30000 + n * 7 % 9000)
        for n in range(600)
    ]
    opened = "pam_unix(sshd:session): session opened for user mona by (uid=0)"
    lines[401:401] = [
        "Dec 10 08:32:20 quay sshd[24680]: Accepted password for mona from 10.9.9.9 port 49116 ssh2",
        f"Dec 10 08:32:20 quay sshd[24680]: {opened}",
    ]
    for budget in range(150, 700, 10):
        text = compact("\n".join(lines), budget=budget, threshold=1, store=None).text
        cut = re.findall(r"^\d+: (.*)…\[\+\d+ chars\]", text, re.MULTILINE)
        assert all(len(line) >= 50 for line in cut), (budget, cut)
