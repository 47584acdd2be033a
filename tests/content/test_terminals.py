"""What stood on the terminal of an agent: the last of it, its messages as paragraphs."""

from __future__ import annotations

import pytest

from mcpcompact import compact

_NOTES = [f"    - rule {n}: keep the ledger of module {n} in step with the depot" for n in range(60)]
_SCREEN = "\n".join(
    [
        "╭──────────────────────────╮",
        "│ model: brass-2           │",
        "╰──────────────────────────╯",
        "",
        "› Repair the depot and report what is left",
        "",
        "• SessionStart hook (completed)",
        "  hook context: # House rules",
        "",
        "    ## Essential",
        *_NOTES,
        "",
        "• Ran make depot",
        "  └ cc -o depot depot.c",
        "    depot.c:12: warning: unused variable 'tin'",
        "",
        "• Explored",
        "  └ Read depot.c, ledger.c",
        "",
        "• The depot builds, and the ledger of the northern yard",
        "  balances again. Two steps are left:",
        "",
        "  - rename the yard in ledger.c:88",
        "  - close the ticket D-17",
        "",
        "─ Worked for 2m 04s ───────────────────",
        "",
        "› Summarize recent commits",
        "",
        "  brass-2 high · ~/depot · Context 40% used",
    ]
)


def test_the_last_message_of_a_terminal_stands_whole_whatever_was_pasted_above_it() -> None:
    out = compact(_SCREEN, budget=330, threshold=330, tool="shell")
    assert out.content_type == "text"
    assert (
        "Terminal: " in out.text
        and f", {sum(line.startswith('• ') for line in _SCREEN.split(chr(10)))} of them begin with • and a blank."
        in out.text
    )
    assert "• The depot builds, and the ledger of the northern yard\n  balances again. Two steps are left:" in out.text
    assert "  - rename the yard in ledger.c:88\n  - close the ticket D-17" in out.text
    assert "• Ran make depot\n  └ cc -o depot depot.c" in out.text
    assert out.text.count("rule ") < 20


def test_a_failure_on_a_terminal_is_kept_without_the_scroll_bar() -> None:
    acts = [f"● Edit notes-{n}.md +{n} -1\n  └ ~/yard/notes-{n}.md\n" for n in range(40)]
    text = "\n".join([*acts[:20], f"✗ The quota of the yard is used up{' ' * 90}┃\n", *acts[20:], "❯", ""])
    out = compact(text, budget=320, threshold=320, tool="shell")
    assert "✗ The quota of the yard is used up\n" in out.text
    assert "┃" not in out.text
    assert "● Edit notes-39.md" in out.text


def test_a_list_with_bullets_is_no_terminal() -> None:
    text = "\n".join(f"• Point {n}: the barge of day {n} leaves at dawn and returns at noon" for n in range(90))
    assert "Terminal" not in compact(text, budget=320, threshold=320, tool="notes").text


def test_of_a_shell_the_last_commands_and_how_they_ended_are_shown() -> None:
    for prompt in ("me@yard:~/depot$", "➜  depot git:(main) ✗"):
        lines: list[str] = []
        for n in range(30):
            lines += [f"{prompt} ls part{n}", *(f"part{n}_{k}.c  part{n}_{k}.h  notes_{n}_{k}.md" for k in range(6))]
        lines += [f"{prompt} make test", *(f"cc -c rope{n}.c" for n in range(30)), "crane.c:44:9: hook is not known"]
        lines += ["make: *** [crane.o] Stop", f"{prompt} git status --short", " M crane.c", "?? hook.h", f"{prompt} "]
        out = compact("\n".join(lines), budget=400, threshold=400, tool="bash")
        assert out.content_type == "text" and "33 prompts of a shell" in out.text
        for line in (f"{prompt} make test", "crane.c:44:9: hook is not known", "make: *** [crane.o] Stop"):
            assert line in out.text
        assert f"{prompt} git status --short\n M crane.c\n?? hook.h" in out.text
        assert f"{prompt} ls part29" in out.text and f"{prompt} ls part3\n" not in out.text


def test_how_a_command_ended_stands_with_it_though_a_blank_line_divides_its_output() -> None:
    acts = [f"• Ran stock yard-{n}\n  └ yard-{n} holds {n * 3} crates\n" for n in range(40)]
    said = "  └ weigh v2.1\n\n    … +12 lines\n     1 error\n    Weighed 1 crate. [90ms]"
    failed = f"• Ran weigh depot/ledger.test\n{said}\n"
    text = "\n".join([*acts[:30], failed, *acts[30:], "› ", ""])
    out = compact(text, budget=250, threshold=250, tool="shell").text
    assert said in out


def test_the_end_and_the_failures_of_a_long_result_come_before_its_beginning() -> None:
    body = [f"    crate {n} of the northern yard weighs {n * 7} stones" for n in range(40)]
    body[20] = "    Error: crate 20 is missing from the ledger"
    acts = [f"• Ran stock yard-{n}\n  └ yard-{n} holds {n * 3} crates\n" for n in range(30)]
    act = ["• Ran weigh --all", "  └ weigh v2.1", *body, "    39 of 40 crates weighed", ""]
    out = compact("\n".join([*acts, *act, "› ", ""]), budget=420, threshold=420, tool="shell").text
    assert "Error: crate 20 is missing" in out and "39 of 40 crates weighed" in out


@pytest.mark.parametrize("place", [1, 9])
def test_a_command_that_failed_stands_there_before_what_went_well(place: int) -> None:
    acts = [
        f"• Ran berth inspect --pier {n}\n  └ pier {n}: moored, lines doubled, lamp lit at {n}:10\n" for n in range(40)
    ]
    failed = ["• Ran berth verify --all", "  └ berth 2.1.0", "", "    … +9 lines", "     1 error", "    Ran 3 checks."]
    acts[place] = "\n".join(failed) + "\n"
    acts.append(
        "• All piers were inspected, I will write the report of pier 3, pier 7 and pier 12 next and send it on.\n"
    )
    shown = compact("\n".join(acts) + "\n", budget=200, threshold=200, tool="exec", arguments={"cmd": "capture pier 3"})
    assert "berth verify --all" in shown.text and "     1 error" in shown.text


def test_what_an_agent_looked_for_is_no_failure() -> None:
    looked = "• Explored\n  └ Search failed|error: in mast.md\n    Read errors.md\n\n"
    acts = "".join(f"• Ran make sail-{n}\n  └ sail {n} is up\n    and the line coiled\n\n" for n in range(60))
    failed = "• Ran make mast\n  └ error: the mast is broken\n\n"
    last = "• The sails are set.\n\n› \n"
    shown = compact(looked + failed + acts + last, budget=250, threshold=250, tool="exec_command").text
    assert "error: the mast is broken" in shown and "The sails are set" in shown
    assert "Explored" not in shown


_PROMPT = "ada@yard:/app#"
_DRAWN = "\r".join(f"{n}% [{n} crates kB/90 kB]{' ' * 60}" for n in range(1, 90, 4))
_INSTALLED = [
    "The following NEW packages will be installed:",
    *(f"  libcrane{n} libhook{n}-2 librope{n}.1 libsail{n}" for n in range(12)),
    *(f"Unpacking libcrane{n} (2.{n}-1) ..." for n in range(60)),
    *(f"Setting up libcrane{n} (2.{n}-1) ..." for n in range(60)),
]


def _recorded(*commands: tuple[str, list[str]]) -> str:
    """What a terminal was sent: prompts behind the sequences that switch how text is pasted, lines with CR LF."""
    lines: list[str] = []
    for command, output in commands:
        lines += [f"\x1b[?2004h{_PROMPT} {command}", f"\x1b[?2004l\r{output[0]}", *output[1:]]
    return "".join(f"{line}\r\n" for line in [*lines, f"\x1b[?2004h{_PROMPT} "])


def test_a_run_of_tests_at_the_end_of_a_terminal_is_read_as_one_behind_an_installation() -> None:
    ruler = "=" * 60
    run = [
        f"\x1b[1m{ruler} test session starts {ruler}\x1b[0m",
        "collected 3 items",
        "tests/test_yard.py \x1b[31mF\x1b[0m.\x1b[31mF\x1b[0m    [100%]",
        f"{ruler} FAILURES {ruler}",
        f"{'_' * 60} test_hook {'_' * 60}",
        "    def test_hook():",
        "        hook = Hook(7)",
        ">       assert hook.load() == 7",
        "\x1b[1m\x1b[31mE       AssertionError: hook 7 holds nothing\x1b[0m",
        "tests/test_yard.py:12: AssertionError",
        f"{ruler} short test summary info {ruler}",
        "\x1b[31mFAILED\x1b[0m tests/test_yard.py::\x1b[1mtest_hook\x1b[0m - AssertionError: hook 7 holds nothing",
        "\x1b[31mFAILED\x1b[0m tests/test_yard.py::\x1b[1mtest_sail\x1b[0m - KeyError: 'mast'",
        f"{ruler} 2 failed, 1 passed in 0.04s {ruler}",
    ]
    drawn = [f"\r{_DRAWN}\rGet:{n} https://example.org/yard libcrane{n}" for n in range(12)]
    text = _recorded(("clear", ["\x1b[H\x1b[J"]), ("bash run-tests.sh", [*drawn, *_INSTALLED, *run]))
    out = compact(text, budget=420, threshold=420)
    assert out.content_type == "log" and "2 failing tests" in out.text
    for line in ("::test_hook - AssertionError: hook 7 holds nothing", "::test_sail - KeyError: 'mast'"):
        assert line in out.text
    assert "hook = Hook(7)" in out.text and ">       assert hook.load() == 7" in out.text
    assert f"{_PROMPT} bash run-tests.sh" in out.text


def test_of_a_recorded_terminal_each_command_and_the_end_of_the_last_are_shown() -> None:
    lost = ["./berth: line 4: crane: command not found"]
    drawn = [f"\r{_DRAWN}\rGet:{n} https://example.org/yard libcrane{n}" for n in range(12)]
    text = _recorded(("clear", ["\x1b[H\x1b[J"]), ("sh set-up.sh", [*drawn, *_INSTALLED, "READY"]), ("./berth 7", lost))
    out = compact(text, budget=260, threshold=260)
    assert out.content_type == "text" and "4 prompts of a shell" in out.text
    assert f"{_PROMPT} sh set-up.sh" in out.text and "READY" in out.text
    assert f"{_PROMPT} ./berth 7\n{lost[0]}" in out.text
    assert "\x1b" not in out.text


def test_the_last_lines_of_a_screen_come_first_and_a_command_goes_on_at_its_edge() -> None:
    width = 120
    task = (
        f"{_PROMPT} crane --task 'Lift what lies in the northern yard and put it down in the southern one, then".ljust(
            width, "."
        )
    )
    steps = [
        f"crane (step {n}): lifted crate {n} and set it down in row {n % 7} of the yard".ljust(width, "_")
        for n in range(300)
    ]
    said = [
        "crane: the northern yard is empty",
        "",
        "  1. rows 1 to 6 are full",
        "  2. row 7 has room for 4",
        "Saved /var/crane.json",
    ]
    out = compact(
        "\n".join([f"{_PROMPT} clear", task, "report' -y", *steps, *said, f"{_PROMPT} "]), budget=260, threshold=260
    )
    assert "\n".join(["crane: the northern yard is empty", "", *said[2:]]) in out.text
    assert f"{task}report' -y" in out.text


def test_requests_that_a_test_printed_make_no_access_log_of_its_run() -> None:
    request = '10.0.0.7 - - [12/Mar/2031:07:10:44 +0000] "GET /yard/7 HTTP/1.1" 200 512'
    run = ["=" * 40 + " test session starts " + "=" * 40, "collected 2 items", "tests/test_gate.py F.", *[request] * 6]
    run += [f"row {n} of the gate was read" for n in range(120)]
    run += [
        "FAILED tests/test_gate.py::test_gate - AssertionError: the gate is shut",
        "=" * 40 + " 1 failed, 1 passed in 0.11s " + "=" * 40,
    ]
    out = compact("\n".join(run), budget=200, threshold=200)
    assert "1 failing test" in out.text and "::test_gate - AssertionError: the gate is shut" in out.text


def test_findings_with_their_source_between_bars_are_no_table() -> None:
    lines: list[str] = []
    for n in range(30):
        lines += [
            f"HK{n % 5}01 Hook `h{n}` is never used",
            f"  --> yard/crane{n}.py:{n + 3}:9",
            "   |",
            f"{n + 2} | def lift():",
        ]
        lines += [
            f"{n + 3} |     h{n} = Hook({n})",
            "   |     ^^",
            f"{n + 4} |     return None",
            "   |",
            "help: Remove it",
            "   |",
        ]
        lines += ["   -     h = Hook()", "--------------------", f"{n + 5} | def drop():", "   |", ""]
    out = compact("\n".join(lines), budget=300, threshold=300, tool="bash")
    assert out.content_type == "log" and "30 findings of 5 rules" in out.text
    assert "HK001 Hook `h0` is never used\n  --> yard/crane0.py:3:9" in out.text


def test_one_command_above_the_prompt_that_waits_is_a_terminal_and_a_mark_of_its_output_no_act() -> None:
    logged = [f"     step {n} of the crane: rope {n * 3} checked" for n in range(200)]
    lines = [
        f"{_PROMPT} systemctl status crane",
        "● crane.service - the crane of the yard",
        "     Active: failed (Result: oom)",
    ]
    out = compact("\n".join([*logged[:5], *lines, *logged, f"{_PROMPT} "]), budget=200, threshold=200, tool="bash")
    assert "2 prompts of a shell" in out.text
    assert lines[0] in out.text and logged[-1] in out.text


def test_a_line_of_output_that_goes_on_at_the_edge_of_the_screen_is_one_with_what_stands_below_it() -> None:
    width = 100
    lines = [f"{_PROMPT} crane --watch"]
    for n in range(120):
        side = "northern" if n % 2 else "southern"
        said = f"10:{n // 60:02}:{n % 60:02} crane of the {side} yard: the hook {n} was moved from the state RESTING"
        said += f" on the pier to the state LIFTED of row {n}"
        lines += [said[:width], said[width:]]
    out = compact("\n".join([*lines, f"{_PROMPT} "]), budget=300, threshold=300, tool="bash")
    assert "".join(lines[-2:]) in out.text
    shown = out.text.split("\n")
    for head, rest in zip(lines[1::2], lines[2::2], strict=True):
        assert any(line.endswith(head) for line in shown) == (rest in shown)


def test_a_log_read_from_a_terminal_has_its_lines_joined_and_the_command_whole() -> None:
    width = 120
    task = (
        f"{_PROMPT} crane --task 'Lift what lies in the northern yard and put it down in the southern one, row by row, "
    )
    task += "and write a report'"
    lines = [f"{_PROMPT} clear", task[:width], task[width:], "> Leave row 7 as it is.'; sync"]
    for n in range(160):
        said = f"10:{n // 60:02}:{n % 60:02} - crane:INFO: pier.py:340 - [yard 116a74d1-ebd8-45d6] Server: INFO:"
        said += f" 10.0.0.{n % 9} - POST /execute_action HTTP/1.1 200 OK"
        lines += [said[:width], said[width:]]
    out = compact("\n".join([*lines, f"{_PROMPT} "]), budget=400, threshold=400, content_type="log")
    assert f"{task}\n> Leave row 7 as it is.'; sync" in out.text
    assert not any(line.partition(": ")[2] == lines[-1] for line in out.text.split("\n"))  # a tail alone
    assert "POST /execute_action HTTP/1.1 200 OK" in out.text


def test_rows_of_a_table_as_wide_as_the_screen_are_not_joined() -> None:
    rows = [
        f"{user:<10} {n:>6}  0.{n % 9}  0.1   4624  3712 pts/0    Ss   20:20   0:00 /usr/bin/crane --yard {n} --pier "
        for n, user in enumerate(["root", "www-data", "ada"] * 40)
    ]
    lines = [f"{_PROMPT} ps aux", *(row.ljust(100, "x")[:100] for row in rows), f"{_PROMPT} "]
    out = compact("\n".join(lines), budget=300, threshold=300, tool="bash")
    assert max(map(len, out.text.split("\n")[2:])) < 120


def test_a_block_printed_again_in_a_terminal_is_shown_once_and_from_its_beginning() -> None:
    block = ["error: externally-managed-yard", "", "× This yard is managed by others", "╰─> To lift crates here, try"]
    block += ["    crane lift NAME, where NAME is", "    the crate.", "", "note: see the manual of the yard"]
    noise = [f"Setting up crate-{n} ({n}.2.1) ..." for n in range(400)]
    lines = [f"{_PROMPT} ./install.sh", *noise, *block, *block, "READY", f"{_PROMPT} "]
    out = compact("\n".join(lines), budget=260, threshold=260, tool="bash")
    assert "\n".join(block) in out.text
    assert out.text.count("    the crate.") == 1


def test_of_a_redrawn_line_that_is_asked_for_the_last_state_stands_alone() -> None:
    bars = "".join(f"\r  {'#' * (n // 5)}  {n}%" for n in range(100))
    spun = "\r   - \r   \\ " * 40 + bars + "\r" + " " * 60 + "\r"
    rest = "".join(
        f"Downloading part {n} of the runtime from https://example.org/parts/{n * 7919}\r\n" for n in range(60)
    )
    data = f"{spun}Found Acme Viewer [Acme.Viewer] Version 3.4.5\r\n{rest}Successfully installed\r\n"
    asked = {"command": "winget install --id Acme.Viewer"}
    text = compact(data.encode(), budget=300, threshold=300, tool="Bash", arguments=asked).text
    assert "1 Found Acme Viewer [Acme.Viewer] Version 3.4.5\n" in text
    assert "\r" not in text and "##" not in text
    assert text.rstrip().endswith("Successfully installed")
