"""What logs of a kind are read for: the cause of a job's closing error, findings by rule, results, the last screen."""

from __future__ import annotations

import re

import pytest

from mcpcompact import compact

STEP = "Build and publish the nightly container images (linux, amd64)"


def job(step: str, lines: list[str], minute: int) -> list[str]:
    """Lines of ``gh run view --log``: the file of each step begins with a byte order mark."""
    stamped = [f"2026-03-04T05:{minute:02}:{at % 60:02}.1234567Z {line}" for at, line in enumerate(lines)]
    return [f"release\t{step}\t{'' if at else chr(0xFEFF)}{line}" for at, line in enumerate(stamped)]


def test_the_cause_before_the_closing_error_stands_under_its_own_step() -> None:
    listing = [f"npm notice {n}.4kB dist/chunk-{n:06x}.js" for n in range(7, 400, 3)]
    text = "\n".join(
        [
            *job("Set up job", ["Runner name: nightly-4", *[f"Prepare action {n}" for n in range(60)]], 1),
            *job(
                STEP,
                [
                    *["##[group]Run make publish", *listing, "Uploading images", "❌ Manifest for tag 9.1 is locked"],
                    *["error: script exited with code 3", "##[error]Process completed with exit code 3."],
                ],
                2,
            ),
            *job("Post checkout", ["Post job cleanup.", "git version 2.54.0"], 3),
        ]
    )
    shown = compact(text, budget=500, tool="ci").text
    section = shown.partition("── release / Build and publish the nightly")[2].partition("──")[0]
    assert "❌ Manifest for tag 9.1 is locked" in section
    assert "Uploading images" in section


def test_findings_of_a_linter_are_counted_by_rule_and_file() -> None:
    lines = [
        f"[api/errors/v{n % 7}/failure_reason{n % 40}.proto:{n}:1] Line length is {80 + n % 30}" for n in range(300)
    ]
    lines[17:30] = [f"[api/v1/a{n}.proto:{n}:1] Imports are not sorted." for n in range(13)]
    shown = compact("\n".join(lines), budget=500, tool="lint").text
    assert "300 findings of 2 rules in " in shown
    assert "287× Line length is *" in shown and "13× Imports are not sorted." in shown
    assert "words such as" not in shown
    assert re.search(r"^18: \[api/v1/a0.proto:0:1\] Imports are not sorted.$", shown, re.MULTILINE)


def test_findings_below_the_name_of_their_file_are_counted() -> None:
    lines = []
    for n in range(40):
        lines += [f"/app/src/part{n}.tsx", f"  {n + 1}:3  error  'v{n}' is not defined  no-undef"]
        lines += [f"  {n + 9 + k}:1  warning  Unexpected console statement  no-console" for k in range(n % 3)] + [""]
    shown = compact("\n".join(lines), budget=400, tool="eslint").text
    assert "79 findings (40 errors, 39 warnings) of 2 rules in 40 files: 40× no-undef · 39× no-console" in shown


def test_a_log_without_findings_counts_none() -> None:
    lines = [f"2026-01-01 00:{n // 60:02}:{n % 60:02} INFO read part{n}.py:7 in {n} ms" for n in range(400)]
    assert "finding" not in compact("\n".join(lines), budget=400, tool="x").text


def test_settings_of_a_training_do_not_hide_its_results() -> None:
    lines = ["05/06/2026 10:00:00 - WARNING - __main__ - Process rank: 0"]
    lines += [f"option_{n}={n * 3}," for n in range(150)]
    lines += [f"05/06/2026 10:00:{n:02} - INFO - trainer - step {n}" for n in range(10, 20)]
    lines += [f" {n}%|####      | {n}/100 [00:{n % 60:02}<00:30,  2.94s/it]" for n in range(90)]
    lines += ["***** eval metrics *****", "  epoch        =      3.0", "  eval_loss    =   0.4711"]
    lines += ["  eval_runtime = 0:00:22.58", "  eval_accuracy =   0.8315"]
    shown = compact("\n".join(lines), budget=300, tool="train").text
    assert "Log: " in shown and "INI" not in shown
    assert "eval_loss 0.4711" in shown and "eval_accuracy 0.8315" in shown


def test_of_a_screen_drawn_anew_the_last_one_is_shown() -> None:
    screens = []
    for turn in range(4):
        screens += [
            "Refreshing run status every 3 seconds. Press Ctrl+C to quit.",
            "",
            f"* main Deploy · {turn}",
            "JOBS",
        ]
        screens += [f"✓ build part {n} in {turn}m" for n in range(40)] + [f"* deploy {turn} (ID 77{turn})"]
    shown = compact("\n".join(screens), budget=500, tool="watch").text
    assert "a screen drawn 4 times; only the last one is shown, lines 136–180" in shown
    assert "* deploy 3 (ID 773)" in shown and "* deploy 1" not in shown


def test_a_trace_that_comes_again_is_shown_by_its_exception() -> None:
    frames = [f'  File "/srv/app/stage{n}.py", line {n}, in run\n    call{n}(job)' for n in range(4)]
    lines = []
    for fold in range(3):
        lines += [f"2026-01-01 00:00:{n:02} INFO fold {fold} step {n}" for n in range(40)]
        lines += ["2026-01-01 00:01:00 ERROR fold failed", "Traceback (most recent call last):", *frames]
        lines += [f"FileNotFoundError: no such file: 'fold_{fold}/train.csv'"]
    shown = compact("\n".join(lines), budget=600, tool="run").text
    assert shown.count("call3(job)") == 1
    assert all(f"'fold_{fold}/train.csv'" in shown for fold in range(3))


def test_warnings_and_bugs_of_the_kernel_are_errors() -> None:
    lines = [f"[    {n // 10}.{n:06}] usb 1-{n % 4}: device {n} ready" for n in range(200)]
    lines[90:90] = ["[    9.100000] WARNING: CPU: 1 PID: 77 at mm/slab.c:26 take+0x79/0xd0 [slab]"]
    lines[140:140] = ["[   14.100000] invalid opcode: 0000 [#1] SMP"]
    shown = compact("\n".join(lines), budget=300, tool="dmesg").text
    assert "2 errors" in shown
    assert "mm/slab.c:26" in shown and "invalid opcode: 0000 [#1] SMP" in shown


def test_to_be_the_only_line_of_its_kind_at_level_info_is_nothing_odd() -> None:
    lines = [f"2026-01-01 00:{n // 60:02}:{n % 60:02} INFO worker: read block {n} of disk" for n in range(1200)]
    lines[600] = "2026-01-01 00:10:00 INFO worker: timeline server is not enabled here"
    assert "the only such line" not in compact("\n".join(lines), budget=400, tool="x").text


def test_the_exception_of_a_quoted_trace_is_kept_in_plain_text() -> None:
    lines = ["Code output: Traceback (most recent call last):", '  File "/tmp/a.py", line 21, in <module>']
    lines += ["    for r in found:", "TypeError: 'NoneType' object is not iterable"]
    lines += [f"Trail {n} in the valley of the {n * 7} lakes is open to walkers from May on" for n in range(300)]
    assert "TypeError: 'NoneType' object is not iterable" in compact("\n".join(lines), budget=300, tool="x").text


def test_the_severities_of_chip_design_tools_are_levels() -> None:
    calm = [
        f"--FLOW-0730: Status: placing cell {i} of block_{i % 7}\nI-SYN-1018: alu.v({i}): reading" for i in range(150)
    ]
    loud = ["F-FLOW-0646: top module 'alu_top' is not in the design.", "E-SYN-1494: 'work.prims' cannot be restored"]
    text = compact("\n".join([*calm, "=" * 30, *loud, *calm[:20]]) + "\n", budget=300, threshold=0).text
    assert "levels: FATAL 1 · ERROR 1 · INFO 340 · none stated 1" in text
    assert "\n302: F-FLOW-0646: top module 'alu_top' is not in the design." in text and "303: E-SYN-1494" in text


def test_a_number_in_which_alone_the_lines_of_a_kind_differ_is_told_with_its_values() -> None:
    lines = [f"2026-03-0{1 + n % 9} 04:{n % 60:02}:00 INFO pump {n % 7 + 40} primed by hand" for n in range(300)]
    for n in range(60):
        lines.insert(5 * n, f"2026-03-0{1 + n % 9} 04:{n:02}:30 ERROR valve stuck in state {(3, 4, 4, 11)[n % 4]}")
    text = compact("\n".join(lines), budget=400, threshold=400).text
    row = next(line for line in text.split("\n") if line.startswith("60× "))
    assert row.endswith("valve stuck in state 3 ← 3 (15×), 4 (30×), 11 (15×)")


def test_a_number_of_many_values_is_told_by_its_range() -> None:
    lines = [f"2026-03-01 04:{n % 60:02}:00 INFO round {n} done in good order" for n in range(200)]
    lines += [f"2026-03-01 05:{n % 60:02}:00 ERROR sluice refused for {9 + n * 3} hours" for n in range(50)]
    text = compact("\n".join(lines), budget=400, threshold=400).text
    assert "sluice refused for 9 hours ← 9 to 156" in text


def test_an_error_that_each_package_prints_is_shown_once_with_the_packages_that_failed() -> None:
    lines = ["> yard@1.0.0 check", "> npm run check --workspaces", ""]
    error = "core/src/crane.ts(16,58): error TS2305: Module '\"@yard/base\"' has no exported member 'Hook'."
    for part in ("base", "core", "crane", "dock", "gate"):
        lines += ["", f"> @yard/{part}@1.0.0 check", "> tsc --noEmit", "", f"../{error}" if part != "core" else error]
        lines += ["npm error Lifecycle script `check` failed with error:", "npm error code 2"]
        lines += [f"npm error path /home/me/yard/{part}", f"npm error workspace @yard/{part}@1.0.0"]
        lines += [f"npm error location /home/me/yard/{part}", "npm error command failed"]
        lines += ["npm error command sh -c tsc --noEmit", *(f"Checked {n} files of {part} in {n}ms." for n in range(9))]
    text = compact("\n".join([*lines, "Command exited with code 2"]), budget=320, threshold=320).text
    names = " · ".join(f"@yard/{part}@1.0.0" for part in ("base", "core", "crane", "dock", "gate"))
    assert f"failed in 5 packages: {names}" in text
    assert "1 compiler error in 1 file, printed 5 times" in text
    assert text.count("has no exported member 'Hook'.") == 1
    assert "like it" not in text and text.count("npm error code 2") == 1
    block = [f"{n}: {line}" for n, line in enumerate(lines, 1) if line.startswith("npm error")][:7]
    assert "\n".join(block) in text and "> tsc --noEmit" not in text  # of the first package, before any header


def test_the_name_of_a_test_that_passed_is_no_warning() -> None:
    lines = [f"(pass) Ledger > warns and errors on crate {n} [{n}.00ms]" for n in range(90)]
    lines += [f"Warning: the ledger of yard {n} is old" for n in range(30)]
    lines += ["", " 90 pass", " 0 fail", " 180 expect() calls", "Ran 90 tests across 4 files. [1.25s]"]
    text = compact("\n".join(["bun test v1.1.0", *lines]), budget=300, threshold=300).text
    assert "121: " not in text.split("\n")[1] and "30 lines with warnings, of 1 kind" in text
    assert "90 pass" in text and "0 fail" in text


def test_a_finding_stands_below_its_file_in_the_log_of_a_job_too() -> None:
    head = "Lint\tRun check\t2026-05-06T10:22:2{}.3754778Z "
    lines = [head.format(n % 9) + f"installed part-{n}@1.{n}.0" for n in range(120)]
    for n in range(3):
        lines += [
            head.format(9) + f"./yard/crane{n}.ts:5{n}:21 lint/style/useRope  FIXABLE  {'━' * 40}",
            head.format(9) + "  ",
            head.format(9) + f"  × Ropes of kind {n} are preferred over chains.",
            head.format(9) + f"  > 5{n} │   crane.lift(chain_{n});",
        ]
    lines += [head.format(9) + "Found 3 errors.", head.format(9) + "##[error]Process completed with exit code 1."]
    text = compact("\n".join(lines), budget=500, threshold=500).text
    for n in range(3):
        assert f"./yard/crane{n}.ts:5{n}:21 lint/style/useRope  FIXABLE" in text
        assert f"× Ropes of kind {n} are preferred over chains." in text
    assert "━" not in text


def test_values_of_several_units_have_no_range() -> None:
    values = [f"{n}ms" for n in range(900, 930)] + [f"{n}s" for n in range(2, 30)]
    lines = [f"2026-03-01 05:{n % 60:02}:00 ERROR pump answered after {value}" for n, value in enumerate(values)]
    text = compact("\n".join(lines), budget=200, threshold=200).text
    assert "58× " in text and " to 9" not in text and "ms to" not in text


def test_values_of_lines_that_fail_and_of_those_that_do_not_are_not_mixed() -> None:
    lines = [f"2026-03-01 05:{n % 60:02}:00 INFO crane: lift ended with exit code {n % 3 and 4}" for n in range(90)]
    text = compact("\n".join(lines), budget=200, threshold=200).text
    assert "60× " in text and "0 (30×)" not in text


def test_what_the_findings_of_a_rule_name_is_counted() -> None:
    names = ["ropes"] * 9 + ["anchor"] * 5 + [f"lamp{n}" for n in range(12)]
    lines = [
        f"yard/crane.ts({n + 3},{n % 9 + 1}): error TS2339: Property '{name}' does not exist on type 'Crane'."
        for n, name in enumerate(names)
    ]
    text = compact("\n".join(lines), budget=300, threshold=300).text
    assert "TS2339 most often names 'ropes' 9 · 'anchor' 5\n" in text


def test_what_the_runner_says_around_a_log_is_not_odd() -> None:
    lines = [f"npm notice {n % 90}.{n % 9}kB dist/part{n % 17}/crane_{n}.js" for n in range(400)]
    lines += ["npm notice package size: 4.1 MB", "npm notice total files: 400", "yard-1.0.0.tgz"]
    text = compact("\n".join(["Total output lines: 409", *lines]), budget=300, threshold=300).text
    assert "←" not in text and "total files: 400" in text and "yard-1.0.0.tgz" in text


def _eclipse(number: int, kind: str, file: str, name: str, message: str) -> list[str]:
    place = f"{number}. {kind} in /yard/src/depot/{file}.java (at line {number + 40})"
    return ["----------", place, f"\tprivate int {name} = 7;", "\t" + " " * 12 + "^" * len(name), message]


def test_findings_of_eclipse_are_counted_by_their_message_and_shown_with_it() -> None:
    lines: list[str] = []
    for n in range(1, 31):
        said = (
            "Crate is a raw type. It should be parameterized" if n % 3 else f"The value of the field tin{n} is not used"
        )
        lines += _eclipse(n, "WARNING", f"Crate{n}", f"tin{n}", said)
    out = compact("\n".join([*lines, "----------", "30 problems (30 warnings)"]), budget=400, threshold=400).text
    assert (
        "30 findings of 2 rules in 30 files: 20× Crate is a raw type. It should be parameterized · "
        "10× The value of the field * is not used" in out
    )
    assert "kind" not in out and "----" not in out
    shown = [block for block in out.split("\n") if ". WARNING in" in block]
    assert shown and all("(at line " in line and "): " in line for line in shown)  # each with its message
    assert "\nCrate is a raw" not in out and "\nThe value of" not in out


def test_warnings_whose_message_stands_below_their_place_are_never_of_one_kind() -> None:
    build = [f"[INFO] step {n}: resolved artefact number {n * 7} of depot" for n in range(100)]
    lines = [
        line
        for n in range(1, 31)
        for line in _eclipse(
            n, "WARNING", f"Crate{n}", f"tin{n}", f"The field tin{n} is never read" if n % 2 else "Dead"
        )
    ]
    out = compact("\n".join([*build, *lines, *build]), budget=500, threshold=500).text
    assert "of 1 kind" not in out
    assert "The field tin" in out


def test_findings_of_ghc_are_counted_by_their_message() -> None:
    lines = [
        line
        for n in range(20)
        for line in (
            f"src/Depot/Yard{n}.hs:{n + 3}:5: error:",
            "    • Couldn't match type ‘Int’ with ‘Text’" if n % 4 else f"    • Variable not in scope: tin{n}",
            f"    • In the expression: tin{n}",
            "   |",
            f"{n + 3} |   tin{n} + 1",
            "   |   ^^^^",
            "",
        )
    ]
    out = compact("\n".join(lines), budget=400, threshold=400).text
    assert "15× Couldn't match type ‘Int’ with ‘Text’" in out


def test_lines_that_a_mark_leaves_out_never_join_two_others() -> None:
    lines = []
    for n in range(30):
        jars = ";".join(f"/opt/depot/lib/{name}-{n}.jar" for name in ("amber", "birch", "cedar", "dune", "elm") * 8)
        lines += [f"Compiling yard {n}", f"  - sources -> /yard/{n}/src", f"  - class path -> {jars}"]
    text = "\n".join([*lines, "warning: yard 12 is empty", "BUILD SUCCESSFUL in 3s"])
    known = text.split("\n")
    for budget in (300, 500, 900):
        out = compact(text, budget=budget, threshold=budget, content_type="log").text
        for line in out.split("\n"):
            parts = [part.strip(" …") for part in re.split(r"…\[\+[\d,]+ chars\]", re.sub(r"^\d+: ", "", line))]
            if len(parts) > 1:
                assert any(all(part in one for part in parts) for one in known), line


def test_what_a_hook_and_a_commit_print_is_a_log_with_its_outcome_first() -> None:
    checks = [
        line
        for n in range(9)
        for line in ("", f"> @depot/yard-{n}@1.4.2 check", "> lint --write .", "", f"Checked {n + 20} files in 12ms.")
    ]
    moved = [f" rename yard/src/{{ => core}}/crate-{n}.ts (98%)" for n in range(70)]
    text = "\n".join(
        [
            "Running the checks...",
            *checks,
            "✅ All checks passed!",
            "[main 4f2a9c1] Move the crates",
            " 70 files changed, 81 insertions(+), 79 deletions(-)",
            *moved,
        ]
    )
    out = compact(text, budget=350, threshold=350, tool="bash")
    assert out.content_type == "log"
    head = out.text.partition("1: Running")[0]
    assert "✅ All checks passed!" in head
    assert "70 files changed, 81 insertions(+), 79 deletions(-)" in head


def test_a_log_of_few_kinds_shows_each_with_its_count_and_then_how_it_ended() -> None:
    names = ("anchor", "beacon", "capstan", "davit", "eyelet", "fender", "gaff", "halyard", "inhaul", "jib")
    lines = [
        f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO crane {n % 4} lifted {names[n % 10]}-{n * 37 % 9973}"
        if n % 3
        else f"2031-07-04 08:{n // 60:02}:{n % 60:02} DEBUG tide {n % 7} dm"
        for n in range(400)
    ]
    lines[120] = "2031-07-04 08:02:00 INFO lock opened"
    text = compact("\n".join(lines), budget=500, tool="harbour").text
    assert (
        "3 kinds of lines (lines × first–last: for example, … where words differ ← what differs):\n266× 2–399: " in text
    )
    assert "133× 1–400: …DEBUG tide 0 dm ← 0 (20×), 1 (18×)" in text
    assert "\n1× 121: 2031-07-04 08:02:00 INFO lock opened" in text
    shown = [int(line.partition(":")[0]) for line in text.split("\n") if re.match(r"\d+: ", line)]
    assert shown[-6:] == [*range(395, 401)] and len(shown) < 6 + 6


def test_a_number_behind_a_file_is_a_place_and_no_odd_value() -> None:
    lines = [f"[WARNING] dock/src/Quay{n % 3}.java:{[n + 400, 7][n == 90]}: warning: no comment" for n in range(180)]
    assert " ← 7, median" not in compact("\n".join(lines), budget=500, content_type="log").text


def test_a_long_line_is_read_from_its_beginning_and_files_of_a_list_come_last() -> None:
    settings = ", ".join(f"rope_{n}={n * 37 % 991}" for n in range(200))
    lines = [
        f"[INFO] Mooring with Namespace({settings})",
        *(f"[INFO] Coiled rope/line-{n * 7919 % 100003:05x}.hawser {n} m" for n in range(150)),
        *(f"[INFO] Step {word} is done" for word in ("haul", "ease", "trim")),
        "[INFO] Build finished",
    ]
    shown = compact("\n".join(lines), budget=420, tool="make", content_type="log").text
    assert re.search(r"(?m)^1: \[INFO\] Mooring with Namespace\(rope_0=0, rope_1=37, ", shown)
    assert all(f"Step {word} is done" in shown for word in ("haul", "ease", "trim"))


def test_warnings_of_a_build_are_counted_by_rule_and_the_first_of_each_is_shown() -> None:
    lines = []
    for n in range(90):
        lines += [f" [{n + 1}/90] Building hull/part_{n}.o", f" In file included from hull/part_{n}.c:{n + 3}:"]
        if n % 9 == 4:
            lines += [
                f" hull/part_{n}.c:{n * 3}:7: warning: unused variable 'rope_{n}' [-Wunused-variable]",
                "     int rope;",
            ]
        if n == 50:
            lines += [" hull/keel.c:9:1: warning: control reaches end of 'sink' [-Wreturn-type]", "     }"]
    shown = compact("\n".join(lines), budget=400, tool="bash", content_type="log").text
    assert "11 warnings that name a file, of 2 rules in 11 files: 10× -Wunused-variable · 1× -Wreturn-type" in shown
    assert "hull/keel.c:9:1: warning: control reaches end of 'sink' [-Wreturn-type]" in shown
    assert "hull/part_4.c:12:7: warning: unused variable 'rope_4' [-Wunused-variable]" in shown


def test_warnings_of_rustc_are_counted_by_what_they_say() -> None:
    lines = []
    for n in range(30):
        what = "unused rope" if n % 3 else f"value `line_{n}` is never read"
        lines += [
            f"warning: {what}",
            f"  --> src/hull_{n}.rs:{n + 2}:5",
            "   |",
            f"{n + 2} |     let rope = {n};",
            "   |",
            "",
        ]
    lines += [
        "error[E0425]: cannot find value `mast` in this scope",
        "  --> src/deck.rs:9:5",
        "error: could not compile `ship`",
    ]
    shown = compact("\n".join(lines), budget=400, tool="bash", content_type="log").text
    assert "30 warnings that name a file, of 2 rules in 30 files: 20× unused rope · 10× value * is never read" in shown
    assert "error[E0425]: cannot find value `mast` in this scope" in shown


@pytest.mark.parametrize("budget", [150, 300, 1000])
def test_a_repeated_line_that_is_asked_for_by_its_id_is_shown(budget: int) -> None:
    lines = [f"2026-03-01T10:{n // 60:02}:{n % 60:02}Z INFO moored ship-{n} at berth {n % 7}" for n in range(1, 400)]
    shown = compact("\n".join(lines), budget=budget, threshold=0, arguments={"id": "ship-202"}).text
    assert lines[201] in shown


def test_lines_that_facts_quote_are_counted_as_shown() -> None:
    names = ("anchor", "beacon", "capstan", "davit", "eyelet")
    lines = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} WARN {names[n % 5]} is loose" for n in range(400)]
    text = compact("\n".join(lines), budget=200, threshold=200, store=None).text
    quoted = {
        int(found[1]) for line in text.split("\n") if (found := re.match(r"(?:[\d,]+× )?(\d+)(?:–\d+)?: 2031", line))
    }
    said = re.search(r"(\d+) of 400 lines shown", text)
    assert said and 1 in quoted and int(said[1]) == len(quoted)


def test_what_a_formatter_would_write_comes_before_the_lines_around_it() -> None:
    lines = ["> pier@2.1.0 lint", "> tidy --check .", ""]
    for n in range(4):
        lines += [f"./quay/crane_{n}.ts format {'━' * 40}", "", "  × The formatter would have written:", ""]
        lines += [f"    {n + i} {n + i} │   const lantern_{n}_{i} = light(mast_{i});" for i in range(8)]
        lines += [
            f"    {n + 9}    │ - const rope_{n} = coil(deck_{n})",
            f"       {n + 9} │ + const rope_{n} = coil(deck_{n});",
        ]
        lines += [f"   {n + i} {n + i} │   return moor(lantern_{n}_{i});" for i in range(40)]
    lines += ["Found 12 errors.", "error: script lint exited with code 1"]
    text = compact("\n".join(lines), budget=500, threshold=500, store=None, content_type="log").text
    assert text.count("│ + const rope_") >= 3


def test_a_kind_of_lines_says_how_its_numbers_divide_it() -> None:
    lines = []
    for n in range(120):
        pier = 7 if n % 3 else 4
        lines.append(
            f"2031-07-04 08:{n // 60:02}:{n % 60:02} WARN no rope to {pier} at crate {n * 131 % 977} of hold {n}"
        )
        lines.append(f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO tide {n} dm")
    text = compact("\n".join(lines), budget=300, threshold=300, store=None).text
    row = next(line for line in text.split("\n") if line.startswith("120× "))
    assert "no rope to 4 at crate" in row and row.endswith("← to 4 (40×), 7 (80×)")


def test_a_crash_stands_whole_before_all_else_and_threads_divide_no_kind() -> None:
    threads = ("Poller alpha", "Mooring:quay@harbour-17", "Committer #1", "Committer #2")
    why = "no route from " + "the inner basin " * 14 + "to buoy"
    lines = []
    for n in range(600):
        lines.append(
            f"2031-07-04 08:{n // 60:02}:{n % 60:02} WARN [{threads[n % 4]}] net.Client: Berth moved to {n % 9}"
        )
        lines.append(f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO [main] net.Client: tide {n}")
    lines[500] = f"2031-07-04 08:04:10 FATAL [IPC 13] task.Listener: task_17 exited: {why}"
    lines[700] = lines[500].replace("task_17", "task_18")
    lines[40] = "2031-07-04 08:00:20 INFO [main] net.Client: ropes -4"
    text = compact("\n".join(lines), budget=500, threshold=500, store=None).text.split("\n")
    head = next(n for n, line in enumerate(text) if "of 2 kinds (lines × first–last: for example" in line)
    assert text[head + 1] == f"2× 501–701: {lines[500]} ← …17 (1×), …18 (1×)"
    assert re.match(r"597× 1–1199: .*Berth moved to", text[head + 2])


def test_codes_of_events_are_counted_and_never_stand_for_each_other() -> None:
    codes = ["QUAY0006"] * 9 + ["QUAY0009"] * 3
    lines = [f"WARN: [{codes[n % 12]}] Any text at: berth.java({n % 7})" for n in range(240)]
    lines += [f"INFO: [QUAY0015] Any text at: berth.java({n % 7})" for n in range(400)]
    text = compact("\n".join(lines), budget=300, threshold=300, store=None).text
    row = next(line for line in text.split("\n") if line.startswith("240× "))
    assert "QUAY0006 (180×), QUAY0009 (60×)" in row


def test_a_kind_tells_in_what_its_lines_differ_the_gravest_first_and_the_numbers_add_up() -> None:
    lines = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO [main] net.Client: tide {n}" for n in range(600)]
    for n in range(120):
        who, port = ("[Poller]", 9000) if n % 3 else ("[Keeper alpha]", 8030)
        lines[5 * n] = f"2031-07-04 08:{n // 60:02}:00 WARN {who} net.Client: Berth moved. Old: quay-4/10.0.0.7:{port}"
        lines[5 * n + 1] = f"2031-07-04 08:{n // 60:02}:00 WARN [Poller] net.Lease: rope not renewed for {n} seconds"
    for n in range(30):
        lines[20 * n + 2] = f"2031-07-04 08:{n // 60:02}:00 ERROR [Poller] net.Allocator: the yard does not answer"
    for n, part in enumerate(["crane", "winch", "davit", "gaff", "jib", "boom", "hull"]):
        lines[70 * n + 3] = f"2031-07-04 08:{n:02}:00 ERROR [main] yard.{part.title()}: {part} is broken beyond repair"
    text = compact("\n".join(lines), budget=800, threshold=500, store=None).text.split("\n")
    head = next(n for n, line in enumerate(text) if " (lines × first–last: for example" in line)
    assert (
        "10 kinds, 7 of one line (lines" in text[head] and "… 7 more" in text[head:]
    )  # each of these stands below by itself
    rows = [line for line in text[head + 1 :] if "× " in line[:6] and "INFO" not in line]
    assert [row.partition("×")[0] for row in rows[:3]] == ["30", "120", "120"]  # errors before warnings
    assert rows[1].endswith(":8030 (others differ before the message) ← 8030 (40×), 9000 (80×)")
    assert len(rows) == 3


def test_the_same_message_in_a_long_thread_name_is_of_the_same_kind() -> None:
    lines = [
        f"2026-03-02 10:{n // 60:02}:{n % 60:02},000 INFO [main] yard.Pier: copied part {n * 7}" for n in range(80)
    ]
    for n in range(40):
        thread = (
            "Lease:crane@yard-1" if n else "Writer for file /yard/staging/crane/.staging/job_14451/" + "part_block_" * 8
        )
        lines.insert(
            2 * n, f"2026-03-02 10:{n // 60:02}:{n % 60:02},500 WARN [{thread}] yard.ipc.Client: Address has changed"
        )
    text = compact("\n".join(lines), budget=400, threshold=200, content_type="log").text
    assert "40× 1–79: " in text


def test_a_suite_of_robot_is_no_test_and_tests_that_pass_are_counted() -> None:
    rows = []
    for n in range(60):
        rows += [
            f"{f'Post {n}':<70}| {'FAIL' if n == 41 else 'PASS'} |",
            *["drift in order 41: 7 != 9"] * (n == 41),
            "-" * 78,
        ]
    rows += [f"{'Orders':<70}| FAIL |", "60 tests, 59 passed, 1 failed", "=" * 78]
    text = compact("\n".join(["=" * 78, "Orders", "=" * 78, *rows]), budget=350, threshold=350).text
    assert "1 failing test" in text and "2 failing" not in text
    assert "drift in order 41: 7 != 9" in text
    assert re.search(r"Post 0 .*PASS \| … 41 such lines, to line 84", text)


def test_of_a_long_fatal_line_the_cause_is_kept_and_the_packages_are_cut_and_each_row_counts_as_shown() -> None:
    lines = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO [main] net.Client: tide {n}" for n in range(600)]
    for n in range(200):
        lines[3 * n] = (
            f"2031-07-04 08:{n // 60:02}:00 WARN [Poller] net.Lease: rope not renewed for {n} seconds " + "x" * 90
        )
        lines[3 * n + 1] = f"2031-07-04 08:{n // 60:02}:00 ERROR [Poller] net.Allocator: the yard does not answer"
    lines[311] = (
        "2031-07-04 08:05:11 FATAL [Handler 13 on 62270] org.harbour.pier.freight.crane.LoadListenerImpl: "
        "Load: load_2031_0020_m_02 - ended : org.harbour.net.NoRouteToQuayException: No Route to Quay "
        "from  PIER-7/10.0.0.1 to quay-41:9000 failed on socket timeout exception: no further information; "
        "For more details see:  http://wiki.example.org/NoRouteToQuay"
    )
    text = compact("\n".join(lines), budget=330, threshold=300, store=None).text
    assert "…LoadListenerImpl: Load: load_2031_0020_m_02 - ended : …NoRouteToQuayException" in text
    assert "from  PIER-7/10.0.0.1 to quay-41:9000" in text
    rows = [line for line in text.split("\n") if "× " in line[:6] or line.partition(":")[0].isdigit()]
    assert f" {len(rows)} of 600 lines shown" in text


def test_a_list_whose_entries_begin_with_a_time_is_no_log() -> None:
    trades = [
        f"  - 2025-06-{n:02}T13:14:{n:02}.516Z buy ROPE {n} shares at ${n}.92 per share, for a total of ${n * n}"
        for n in range(1, 29)
    ]
    text = "\n".join(["Your balance is $136.77.", "Holdings:", "  - ROPE: 406 shares", "", "Trade history:", *trades])
    out = compact(text, budget=500, threshold=300)
    assert out.content_type == "text"
    assert "Log" not in out.text and "scanned" not in out.text
    log = "\n".join(
        f"2025-06-{n:02}T13:14:{n:02}.516Z bought ROPE {n} shares at ${n}.92 per share" for n in range(1, 60)
    )
    assert compact(log, budget=500, threshold=300).content_type == "log"


def test_of_a_calm_log_no_event_or_small_measure_is_called_odd() -> None:
    lines, finish = list[str](), [9 if n == 140 else n // 2 % 3 for n in range(400)]
    for n in range(400):
        at = f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO"
        lines += [
            f"{at} quay.Harbour: Moored brig {n * 7919}"
            if n % 2
            else f"{at} quay.Crane: Times: total = {n + 900}, lift = {n * 7 % 300}, finish = {finish[n]}"
        ]
    lines[0] = "2031-07-04 08:00:00 INFO quay.Harbour: Registered pilot boats for the northern quay"
    lines[3] = "2031-07-04 08:00:03 INFO quay.Harbour: Opened the northern quay"
    text = compact("\n".join(lines), budget=500, threshold=0, store=None).text
    assert "Log: 400 lines, all INFO." in text
    assert " once in " not in text and "lines/s" not in text and "the only such line" not in text
    assert "…INFO quay.Harbour: Moored brig" in text
    lines[77] = lines[77].replace("INFO", "ERROR")
    assert "all INFO" not in compact("\n".join(lines), budget=500, threshold=0, store=None).text


def test_a_method_that_is_named_by_its_arguments_tells_of_no_error() -> None:
    lines = [
        f"2031-07-04 08:{n // 60:02}:{n % 60:02} 0x5fee{n % 9} quayd: Yard.load:from:error:" if n % 3 else
        f"2031-07-04 08:{n // 60:02}:{n % 60:02} 0x5fee{n % 9} quayd: -[Yard moor:didFailWithError:] begins"
        for n in range(120)
    ]  # fmt: skip
    assert "failure" not in compact("\n".join(lines), budget=300).text.split("\n")[1]
    lines[60] = "2031-07-04 08:01:00 0x5fee1 quayd: lift:error: the rope broke"
    assert "1 failure message" in compact("\n".join(lines), budget=300).text.split("\n")[1]


def test_an_error_that_is_said_once_stands_before_warnings_that_are() -> None:
    lines = [f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO [main] net.Client: tide {n}" for n in range(900)]
    for n in range(300):
        lines[3 * n] = f"2031-07-04 08:{n // 20:02}:00 ERROR [Poller] net.Allocator: the yard does not answer"
    for n, part in enumerate(["crane", "winch", "davit", "gaff", "jib", "boom"]):
        text = f"exception in the {part} while it was being hoisted over the southern quay of the outer harbour"
        lines[60 * n + 1] = f"2031-07-04 08:{n:02}:00 WARN [{part}] yard.{part.title()}: {text}"
    lines[701] = "2031-07-04 08:11:41 ERROR [Events] yard.Uncaught: Thread Events threw an Exception."
    text = compact("\n".join(lines), budget=400, threshold=300, store=None).text
    assert "702: 2031-07-04 08:11:41 ERROR [Events] yard.Uncaught: Thread Events threw an Exception." in text


def _gate() -> list[str]:
    """Who asks at a gate: most are sent away, by one that few name and by many names."""
    lines = []
    for n in range(600):
        who, port = f"mate{chr(97 + n % 26)}{chr(97 + n // 26)}", 4000 + 7 * n
        said = f"Refused pass of unknown sailor {who} from 10.0.{n % 9}.{n % 250} berth {port}"
        said = f"Refused pass of captain from 10.0.{n % 7}.{n % 250} berth {port}" if n % 2 else said
        lines.append(f"Jul  4 08:{n // 60:02}:{n % 60:02} quay gate[{900 + n}]: error: {said}")
    lines[100] = lines[100].replace("Refused pass", "Refused none")
    lines[311] = "Jul  4 08:05:11 quay gate[1211]: Accepted pass of rower from 10.0.3.4 berth 4711"
    return lines


def test_lines_that_name_many_are_of_one_kind_in_which_all_that_differs_is_left_open() -> None:
    text = compact("\n".join(_gate()), budget=500, threshold=300, store=None).text
    assert "599 lines with errors or failures, of 3 kinds (lines" in text
    rows = [line for line in text.split("\n") if "× " in line[:6]]
    assert any(row.startswith("299× ") and "unknown sailor … from 10.0.… berth …" in row for row in rows)
    assert any(row.startswith("299× ") and "captain from 10.0.… berth …" in row for row in rows)


def test_where_one_row_leaves_open_what_differs_no_other_prints_a_path_as_if_all_named_it() -> None:
    parts, lines = ("anchor", "beacon", "capstan", "davit", "eyelet", "fender", "gaff", "halyard", "inhaul", "jib"), []
    for n in range(400):
        said = f"crane {n % 4} lifted {parts[n % 10]} in 12 s"
        said = f"open basin=/quay/basins/2031/{n % 9 + 1:02}/{n % 28:02}" if n % 3 else said
        lines.append(f"2031-07-04 08:{n // 60:02}:{n % 60:02} INFO {said}")
    text = compact("\n".join(lines), budget=400, threshold=200, tool="harbour", store=None).text
    assert "2 kinds of lines (lines × first–last: for example, … where words differ ← what differs):\n" in text
    assert "266× 2–399: …INFO open basin=/quay/basins/2031/… ← 02/00 to 09/27\n" in text
    assert "134× 1–400: …INFO crane … lifted … in 12 s ← crane 0 (34×)" in text


def test_where_most_fails_its_span_and_the_one_success_come_first() -> None:
    text = compact("\n".join(_gate()), budget=300, threshold=200, store=None).text.split("\n")
    head = next(n for n, line in enumerate(text) if line.startswith("599 lines with errors"))
    assert any(line.startswith("time: Jul  4 08:00:00 … Jul  4 08:09:59") for line in text[:head])
    assert "312: Jul  4 08:05:11 quay gate[1211]: Accepted pass of rower from 10.0.3.4 berth 4711" in text[:head]


def test_what_begins_and_what_ends_are_two_kinds_and_a_lone_line_counts_with_those_that_say_the_same() -> None:
    said = [(verb, "yard.swt:bundle$1.0#target") for verb in ("start", "end")]
    said += [("start", "yard:bundle$2.0#jar"), ("start", "yard.gtk:bundle$3.0#jar")]
    said += [("end", "yard.gtk:bundle$3.0#jar"), ("end", "yard:bundle$2.0#jar")]
    parts = [f"yard.{name}:bundle$4.0#target" for name in ("hull", "keel", "mast") * 6]
    said += [(verb, part) for part in parts for verb in ("start", "end")]
    lines = ["INFO:  Import complete.", *(f"INFO:  [{verb} {part}]" for verb, part in said)]
    lines += ["[copy] /yard/plugins/launcher.jar", "[copy] /yard/plugins/berth.jar", "Error: file yard.java: no berth"]
    text = compact("\n".join(lines), budget=300, threshold=200, store=None).text.split("\n")
    head = next(n for n, line in enumerate(text) if "(lines × first–last" in line)
    assert text[head].startswith("3 kinds of entries without a warning or failure (lines"), text
    rows = {"21× 2–42: INFO:  [start …:…]", "21× 3–43: INFO:  [end …:…]", f"1× 1: {lines[0]}"}
    assert rows == {*text[head + 1 : head + 4]}, text
    shown = [line for line in text[head + 4 :] if not line.startswith("1: ")]
    assert f"{len(shown) + 1} of {len(lines)} lines shown" in text[0], text  # a row with … shows no line


def test_an_assertion_that_compares_with_zero_failed() -> None:
    lines = [
        f"2026-01-08 16:{n:02}:13 quay crane: assert failed: {'0 == (depth)' if n % 2 else 'keelDepth'}"
        for n in range(30)
    ]
    text = compact("\n".join(lines), budget=250, threshold=100, content_type="log").text
    assert "30 failure messages" in text and "15× 2–30" in text
