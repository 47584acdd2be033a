"""What is told of a log as a whole: when it was written, how it ended, how many failed, and what the totals were."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from mcpcompact import compact
from mcpcompact.content.log import TYPE
from mcpcompact.content.log.grammar import severity_of
from mcpcompact.outline import Hints
from mcpcompact.source import Source


def told(lines: Sequence[str], ended: str = "\n") -> str:
    found = TYPE.outline(Source((ended.join(lines) + ended).encode()), Hints())
    return "\n".join(fact.text for fact in found.facts)


def half(minute: int) -> str:
    """The clock of twelve hours."""
    hour = minute // 60 % 24
    return f"{(hour + 11) % 12 + 1}:{minute % 60:02}:00 {'AM' if hour < 12 else 'PM'}"


CLOCKS: dict[str, Callable[[int], str]] = {
    "04/06/2025 ": lambda minute: f"04/06/2025 {half(minute)} INFO swept shelf {minute}",
    "2025-04-06 ": lambda minute: f"2025-04-06 {half(minute)} INFO swept shelf {minute}",
    "Apr 6, 2025 ": lambda minute: f"Apr 6, 2025 {half(minute)} com.acme.Shelf sweep",
    "Apr 6, 2025 (Java)": lambda minute: f"Apr 6, 2025 {half(minute)} com.acme.Shelf sweep".replace(
        "0 AM", "0\u202fAM"
    ).replace("0 PM", "0\u202fPM"),
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_half_day(clock: str) -> None:
    text = told([CLOCKS[clock](minute) for minute in range(500, 780)]).replace("\u202f", " ")
    assert "8:20:00" in text
    assert "12:59:00 PM (4h 39m)" in text


def test_half_day_entries() -> None:
    lines = [f"4/6/2025 {half(m)} {'ERROR' if m > 777 else 'INFO'} swept shelf {m}" for m in range(700, 800)]
    assert "100 lines, 22 errors" in told(lines)


def test_clock_behind_dates() -> None:
    lines = [f"0{day}/04/2025 09:{minute:02}:00 INFO swept" for day in (1, 2, 3) for minute in range(40)]
    assert "time" not in told(lines)


@pytest.mark.parametrize("zones", [("-05:00", "Z"), ("+0100", "+0200"), ("-0500", "+0000")])
def test_zones(zones: tuple[str, str]) -> None:
    lines = [f"2025-04-06T{hour:02}:{m:02}:00{zones[hour > 5]} INFO a" for hour in range(3, 9) for m in range(20)]
    text = told(lines)
    assert "times in 2 zones" in text
    assert "time:" not in text


def test_one_zone() -> None:
    lines = [f"2025-04-06T03:{m:02}:00{'Z' if m % 2 else '+00:00'} INFO swept" for m in range(60)]
    assert "(59m)" in told(lines)


def test_byte_order_mark() -> None:
    text = told(["\ufeffINFO swept 0", *(f"INFO swept {n}" for n in range(1, 60)), "ERROR lost"])
    assert "levels: ERROR 1 · INFO 60" in text
    assert "none stated" not in text


def test_totals_that_failed_come_first() -> None:
    hosts = [
        f"web{n:02} : ok=9  changed=1  unreachable={n == 4:d}  failed={(n == 7) * 3}  skipped=0" for n in range(30)
    ]
    text = told(["PLAY RECAP ****", *hosts])
    assert "30 more" not in text
    assert "Log of ansible: 31 lines." in text  # the recap counts them
    assert f"ansible: 6: {hosts[4]} · 9: {hosts[7]} · " in text
    assert text.endswith("… 26 more")


def test_no_zero_is_a_failed_total() -> None:
    result = "test result: {}. {} passed; {} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
    crates = [["     Running src/lib.rs", result.format("ok", 40 + n, 0)] for n in range(6)]
    crates[1][1] = result.format("FAILED", 39, 2)
    text = told([line for crate in crates for line in crate])
    assert "cargo test: 4: test result: FAILED. 39 passed; 2 failed" in text
    assert text.endswith("… 2 more")


def test_totals_beside_a_failed_one() -> None:
    specs = [line for n in range(5) for line in (f"  Running: spec{n}", f"  {8 + n} passing (2s)")]
    text = told([*specs[:6], "  1 failing", "  1) cart", *specs[6:]])
    assert "totals: 7: 1 failing · 6: 10 passing (2s) · " in text


@pytest.mark.parametrize("last", ["Found 3 errors in 1 file (checked 2 source files)", "3 errors, 1 warning, 0 notes"])
def test_a_type_checker_is_no_test_runner(last: str) -> None:
    text = told([*(f'src/shelf.py:{n}: error: Name "x{n}" is not defined  [name-defined]' for n in range(3)), last])
    assert "pytest" not in text
    assert f"totals: 4: {last}" in text


def test_packages_of_go() -> None:
    run = [f"=== RUN   TestShelf{n}\n--- {'FAIL' if n == 3 else 'PASS'}: TestShelf{n} (0.01s)" for n in range(40)]
    text = told([*run, "FAIL", "FAIL\texample.org/shelf\t2.1s", "ok  \texample.org/till\t0.2s\tcoverage: 8.0%", "FAIL"])
    assert "FAIL\texample.org/shelf\t2.1s · 83: ok  \texample.org/till" in text


def test_what_a_request_asks_for_is_no_failure() -> None:
    lines = [f'10.1.0.{n} - - [06/Apr/2025:10:00:{n:02} +0000] "GET /a?q=failed HTTP/1.1" 200 7' for n in range(50)]
    assert "failure" not in told(lines).partition("\n")[0]


def test_what_a_call_returned() -> None:
    calls = [f'7 10:00:00.0 read(4, "failed {n}"..., 99) = {n} <0.000002>' for n in range(40)]
    calls += ['7 10:00:00.1 openat(AT_FDCWD, "/etc/a") = -1 ENOENT (No such file or directory) <0.000001>'] * 2
    assert "42 lines, 2 failure messages" in told(calls)


def test_one_of_two_skipped_tests_says_so() -> None:
    lines = [f"test_{n} (till.tests.Drawers) ... {'skipped' if n in (9, 60) else 'ok'}" for n in range(149)]
    lines += ["-" * 70, "Ran 149 tests in 0.2s", "", "OK (skipped=2)"]
    text = compact("\n".join(lines), budget=500, threshold=100).text
    assert "← one of 2 skipped in 149 outcomes" in text and "2 times" not in text


def test_tests_that_ran_again_are_named() -> None:
    lines = [f"tests/test_till.py::test_{n} PASSED" for n in range(60)]
    lines.insert(30, "tests/test_till.py::test_30 RERUN")
    found = TYPE.outline(Source("\n".join([*lines, "===== 60 passed, 1 rerun in 2.0s ====="]).encode()), Hints())
    assert ["RERUN once in 60 outcomes" in item.reason for item in found.items if item.keep] == [True]
    assert any(fact.text == "60 outcomes: PASSED 60" for fact in found.facts)


@pytest.mark.parametrize("said", ["exit status 1", "kernel: Out of memory: Killed process 77 (shelf)"])
def test_what_goes_on_has_not_ended(said: str) -> None:
    lines = [f"2025-04-06 10:00:{n:02} INFO swept shelf {n}" for n in range(60)]
    lines[20:21] = ["2025-04-06 10:00:20 ERROR sweep failed: locked", said]
    lines.append("2025-04-06 10:02:00 INFO sweep succeeded")
    found = TYPE.outline(Source("\n".join(lines).encode()), Hints())
    assert not any("ended with" in fact.text for fact in found.facts)
    assert any(item.keep and "sweep succeeded" in item.text for item in found.items)
    assert "ended with: 22: " in told([*lines[:20], "2025-04-06 10:00:20 ERROR sweep failed: locked", said, ""])


def test_a_build_ends_with_what_stands_at_its_end() -> None:
    steps = [f"#{n} [stage {n}] RUN make part{n}" for n in range(30)]
    lines = [*steps, "failed part: exit code: 3", *steps, "ERROR: failed to solve: exit code: 3"]
    assert "ended with: 62: ERROR: failed to solve: exit code: 3\n" in told(lines) + "\n"


@pytest.mark.parametrize(("second", "say"), [(7, "say:"), (8, "say, with other values:")])
def test_who_says_the_same(second: int, say: str) -> None:
    tests = [f"_____ test_till_{n} _____\nE   assert {n} == 3\ntill.py:{n}: AssertionError" for n in (7, second)]
    tests[1] = tests[1].replace("test_till_7", "test_till_9").replace("test_till_8", "test_till_9")
    summary = ["FAILED till.py::test_till_7 - assert", "FAILED till.py::test_till_9 - assert", "= 2 failed in 1.0s ="]
    assert f"2 of them {say} 2: assert 7 == 3" in told([*"\n".join(tests).split("\n"), *summary])


def test_a_reason_names_its_line() -> None:
    links = [
        f"{n}: eth{n}: <UP> mtu {9001 if n == 9 else 1500} group\n    inet 10.0.{n}.2/24\n    valid_lft forever"
        for n in range(1, 30)
    ]
    found = TYPE.outline(Source("\n".join(links).encode()), Hints())
    assert {item.reason for item in found.items if "mtu 9001" in item.text} == {"line 25: mtu 9001, median 1,500"}


def test_a_number_is_named_by_the_word_before_it() -> None:
    lines = [f"worker {n % 2}: no such file (in directory) <{n % 3}.0>" for n in range(60)]
    assert "directory 0.0" not in told(lines)


NO_FAILURES = {
    "a command line of the kernel": "[    0.000000] Kernel command line: quiet reboot=k panic=1 console=tty0",
    "a count that is aligned": "Failed requests:        0",
    "the names of columns": "    RX:  bytes packets errors dropped  missed   mcast",
    "the names of others": "    TX:  bytes packets errors dropped carrier collsns",
    "an extension of a certificate": "            X509v3 Basic Constraints: critical",
    "a row of interrupts": "23:04:17          ERR      0.00      0.00      0.00",
    "its average": "Average:          ERR      0.00      0.00",
}


@pytest.mark.parametrize("line", NO_FAILURES.values(), ids=NO_FAILURES)
def test_what_states_no_failure(line: str) -> None:
    assert severity_of(line) == 0


@pytest.mark.parametrize(
    "line",
    ["Failed requests:        3", "curl: (7) Failed to connect to shelf port 1", "kernel panic=on", "ERR   3 lost"],
)
def test_what_states_one(line: str) -> None:
    assert severity_of(line) > 0


def test_a_reply_is_no_verdict_of_tests() -> None:
    replies = ["OK", *(f"shelf{n}" for n in range(60)), "WRONGTYPE Operation against a key of another kind"]
    assert told(replies) == "Output: 62 lines."


def test_ansible_counts_its_failures_itself() -> None:
    lines = [
        *("PLAY [shelves] ***", "", "TASK [Sweep] ***", "ok: [oak]", "[ERROR]: Task failed: refused"),
        *('fatal: [elm]: UNREACHABLE! => {"msg": "refused"}', "", "PLAY RECAP ***"),
        "oak  : ok=1    changed=0    unreachable=0    failed=0    skipped=0    rescued=0    ignored=0",
        "elm  : ok=0    changed=0    unreachable=1    failed=0    skipped=0    rescued=0    ignored=0",
    ]
    assert "Log of ansible: 10 lines" in told(lines)
    assert "1 error" not in told(lines) and "unreachable=1" in told(lines)


def test_rows_of_kinds_are_cut_shorter_before_any_is_left_out() -> None:
    long = "while the replica of shard " + " ".join(f"s{n}" for n in range(60))
    lines = []
    for n in range(200):
        stamp = f"2026-03-01 10:{n // 60:02}:{n % 60:02}"
        lines.append(f"{stamp} WARN  store.Lease: cannot renew the lease {long}")
        lines.append(f"{stamp} ERROR store.Disk: write refused {long}")
        lines.append(f"{stamp} WARN  store.Net: slow answer {long}")
        lines.append(f"{stamp} INFO  store.Loop: round {n}")
    said = compact("\n".join(lines), budget=400).text
    assert all(f"200× {n}–{n + 796}: " in said for n in (1, 2, 3))


def test_the_addresses_and_users_that_most_lines_name_are_told_with_their_number() -> None:
    tries = [(f"198.51.100.{n % 3 + 7}", "root" if n % 4 else "invalid user kiosk") for n in range(240)]
    tries += [(f"203.0.113.{n}", f"invalid user guest{n}") for n in range(60)]
    lines = [
        f"Mar  4 02:{n // 60:02}:{n % 60:02} gate sshd[{7000 + n}]: Failed password for {user} from {ip} port 4242"
        for n, (ip, user) in enumerate(tries)
    ]
    said = compact("\n".join(lines), budget=500, threshold=500).text
    assert "lines by what stands behind “from”: 198.51.100.7 80, 198.51.100.8 80, 198.51.100.9 80, " in said
    assert " · “password for”: root 180, kiosk 60, guest" in said
    visits = [
        f'{ip} - - [04/Mar/2031:02:11:09 +0000] "GET /shelf/{n} HTTP/1.1" 200 9' for n, (ip, _) in enumerate(tries)
    ]
    said = compact("\n".join(visits), budget=500, threshold=500).text
    assert "lines by what stands behind “from”: 198.51.100.7 80, 198.51.100.8 80, 198.51.100.9 80, " in said
    assert "kinds of lines" not in said  # of requests with different statuses the first line would speak for none
    calm = compact("\n".join(line.replace("from", "by") for line in lines), budget=500, threshold=500).text
    assert "stands behind" not in calm


def test_the_few_errors_of_a_log_that_tell_of_no_failure_are_shown_for_what_they_are() -> None:
    lines = [f"[INFO] Lifting crate {n} of the {yard} yard with the blue crane" for n in range(30) for yard in "NES"]
    lines[40:40] = ["[ERROR] Picked up JAVA_TOOL_OPTIONS: -Dcrane.colour=blue", "[WARNING] The rope is old"]
    lines[70:70] = ["[ERROR] Picked up JAVA_TOOL_OPTIONS: -Dcrane.colour=blue", "[WARNING] The hook is old"]
    text = compact("\n".join([*lines, "[INFO] BUILD SUCCESS"]), budget=300, threshold=100, store=None).text
    assert "levels: ERROR 2" in text and "41: [ERROR] Picked up JAVA_TOOL_OPTIONS" in text


def test_a_log_of_days_says_its_span_first_and_few_errors_stand_before_many_warnings() -> None:
    lines = []
    for n in range(600):
        at = f"2031-07-{1 + n // 40:02} 08:{n % 40:02}:00,000"
        lines += [f"{at} INFO [main] net.Yard: crate {n} is lifted"]
        lines += [
            f"{at} WARN [main] net.Rope: no rope {n}: exception caught"
            if n % 2
            else f"{at} WARN [main] net.Tide: tide {n}"
        ]
        lines += [f"{at} ERROR [main] net.Crane: the crane does not answer"] * (n % 100 == 7)
    text = compact("\n".join(lines), budget=400, threshold=100, store=None).text.split("\n")
    assert text[1] == "Log: 1,206 lines, 6 errors, 300 other failure messages (level WARN)."
    assert "time: 2031-07-01 … 2031-07-15 (14d 39m)" in text[:5]
    rows = [line.partition("×")[0] for line in text if "× " in line and "(lines × " not in line]
    assert rows[:3] == ["6", "300", "300"]


def test_the_few_warnings_of_a_log_come_before_its_status_lines() -> None:
    words = ["crane", "winch", "davit", "gaff", "boom", "hull", "mast", "keel", "stern", "prow"]
    lines = [f"--YRD-0730: Status: Lifting {words[n % 10]} of '{words[n // 10 % 10]}_{n}' at pier" for n in range(400)]
    said = "YRD-1330: pier.v({}): actual depth 1 differs from formal depth 4 for berth '{}'"
    for n in (91, 203, 355, 120, 260, 301):
        lines[n] = ("W-" if n % 2 else "E-") + said.format(n, words[n % 10])
    text = compact("\n".join(lines), budget=400, threshold=300, store=None).text
    assert all("W-" + said.format(n, words[n % 10]) in text for n in (91, 203, 355))


def test_a_total_without_a_name_that_denies_the_errors_of_a_log_is_not_its_own() -> None:
    lines = [f"INFO: moored boat {n} at pier {n % 7}" for n in range(200)]
    lines[40] = "ERROR: rope 4 of boat 40 is torn"
    lines[90] = "FATAL: no crane for boat 90"
    lines[120:124] = ["Summary of the tide check:", "0 errors", "12 warnings", ""]
    out = compact("\n".join(lines), budget=300, threshold=200, content_type="log").text
    assert "Log: 200 lines, 2 errors." in out
    assert "totals: 121: Summary of the tide check: 0 errors, 12 warnings" in out
    headless = compact("\n".join([*lines[:120], "", *lines[121:]]), budget=300, threshold=200, content_type="log").text
    assert "totals: 123: 12 warnings" in headless
    lines[40], lines[90] = "INFO: rope 4", "INFO: crane 9"
    out = compact("\n".join(lines), budget=300, threshold=200, content_type="log").text
    assert "121: Summary of the tide check: 0 errors, 12 warnings" in out and "2 errors" not in out


def _published() -> list[str]:
    texts = ["$ yard publish --tag next", *(f"packs crate {n} for the quay" for n in range(30)), ""]
    texts += ["npm notice", "npm notice 📦  @yard/crane@4.2.0-next.1", "npm notice Tarball Contents"]
    texts += [f"npm notice {n + 1}.3kB dist/part{n}.js" for n in range(20)]
    texts += ["npm notice total files: 20", "npm notice Publishing to https://registry.yard.example/ with tag next"]
    texts += ["npm error code E404", "npm error 404 Not Found - PUT https://registry.yard.example/@yard%2fcrane"]
    texts += ["npm error 404  '@yard/crane@4.2.0-next.1' is not in this registry.", ""]
    texts += ["npm error A complete log of this run can be found in: /home/yard/.npm/_logs/debug-0.log", ""]
    texts += ["❌ Failed to publish @yard/crane@4.2.0-next.1", 'error: script "publish:next" exited with code 1']
    texts += ["##[error]Process completed with exit code 1.", "Post job cleanup."]
    texts += ["[command]/usr/bin/git version", "git version 2.54.0", "http.https://github.com/.extraheader"]
    texts += ["##[warning]Node.js 20 is deprecated. For more information see: https://yard.example/changelog"]
    return [f"2026-03-18T08:57:{n // 4:02}.{n % 4}689493Z {text}" for n, text in enumerate(texts)]


def test_of_a_job_that_publishes_stands_what_and_where_it_failed_and_nothing_of_its_end() -> None:
    lines = _published()
    text = compact("\n".join(lines), budget=500, threshold=300).text
    assert "npm: 71 lines.\nfailed: 66: ##[error]Process completed with exit code 1. (below 1: yard publish" in text
    assert "npm notice 📦  @yard/crane@4.2.0-next.1 · " in text and "total files" not in text
    assert "failed at: " not in text and "ended with" not in text
    assert "404  '@yard/crane@4.2.0-next.1' is not in this registry." in text and "debug-0.log" not in text
    assert "Post job cleanup" not in text and "extraheader" not in text and "Node.js 20" not in text
    assert not any(line.endswith("Z") or line.endswith("Z ") for line in text.split("\n"))


def test_of_the_start_of_a_job_stands_what_runs_rather_than_on_which_machine() -> None:
    texts = ["Current runner version: '2.335.1'", "##[group]Runner Image Provisioner", "Hosted Compute Agent"]
    texts += ["Worker ID: {3662b1a5-20db-4b2c-a816-3ea3e559c85e}", "Azure Region: northcentralus", "##[endgroup]"]
    texts += ["Uses: yard/crane/.github/workflows/publish.yml@refs/heads/main", "##[group] Inputs"]
    texts += ["  action: publish-next", "  ref: v4.41.0-next.1", "##[endgroup]", "Complete job name: Publish / crane"]
    texts += ["hint:", *(f"hint: use branch {n} or {n + 1} as the name" for n in range(20)), "hint:"]
    texts += [f"sweeps shelf {n} of the quay" for n in range(60)]
    lines = [f"2026-06-18T08:57:{n // 4:02}.{n % 4}689493Z {text}" for n, text in enumerate(texts)]
    text = compact("\n".join(lines), budget=300, threshold=300).text
    assert "  action: publish-next" in text and "  ref: v4.41.0-next.1" in text and "Complete job name: Publish" in text
    assert not any(noise in text for noise in ("Azure Region", "Worker ID", "[endgroup]", "hint:"))


def test_what_npm_writes_below_every_failure_gives_way_to_what_was_published_and_what_failed() -> None:
    stamp = "2026-06-18T08:57:5"
    lines = [f"{stamp}0.{n:03}0000Z npm notice {n}.4kB dist/rope-{n}.js" for n in range(60)]
    lines += [f"{stamp}1.0010000Z npm notice Tarball Details", f"{stamp}1.0020000Z npm notice name: @harbour/rope"]
    lines += [f"{stamp}1.0030000Z npm notice version: 4.1.0", f"{stamp}1.0040000Z npm notice total files: 60"]
    lines += [f"{stamp}2.0010000Z npm notice publish Signed provenance statement with source from the yard"]
    lines += [f"{stamp}2.0020000Z npm notice publish Provenance statement published to the log of the pier"]
    said = [
        "code E404",
        "404 Not Found - PUT https://registry/rope - Not found",
        "404",
        "404  'rope' could not be found.",
    ]
    said += ["404", "404 Note that you can also install from a", "404 tarball, folder, http url, or git url."]
    said += ["A complete log of this run can be found in: /home/crew/.npm/_logs/debug-0.log"]
    lines += [f"{stamp}3.00{n}0000Z npm error {one}" for n, one in enumerate(said)]
    lines += [f"{stamp}4.0010000Z ❌ Failed to publish @harbour/rope@4.1.0"]
    lines += [f"{stamp}4.0020000Z ##[error]Process completed with exit code 1."]
    out = compact("\n".join(lines), budget=480, threshold=300).text
    assert "Signed provenance statement" in out and "published to the log of the pier" in out
    assert "❌ Failed to publish @harbour/rope@4.1.0" in out and "404  'rope' could not be found." in out
    assert "tarball, folder" not in out
    assert "76 lines.\nfailed: 76: ##[error]Process completed with exit code 1.\n" in out
    alone = compact("\n".join([*(f"moored {n}" for n in range(300)), "Error: 404"]), budget=200, threshold=100).text
    assert "Error: 404" in alone


def test_an_error_behind_a_second_stamp_is_shown_by_its_message_not_by_its_context() -> None:
    context = f'[IP="10.0.0.7" agent="{"crane/2.1 " * 24}"]'
    lines = [
        f"May 16 12:11:{n} quay core[1160]: 2026-05-16T12:11:{n}Z [ERROR] [au.go:72]{context}: could not let in pier{n}"
        for n in range(10, 22)
    ]
    text = compact("\n".join(lines), budget=300, threshold=300, content_type="log").text
    assert "could not let in pier" in text.partition("\n1: ")[2].partition("\n")[0]


def test_what_was_installed_before_a_few_tests_is_not_odd() -> None:
    lines = [
        f"Get:{n} http://deb.example/yard main arm64 lib{n}-dev all 2.{n}-1 [{n * 17 + 3} kB]" for n in range(1, 140)
    ]
    lines[70] = "Get:71 http://deb.example/yard main arm64 lib71-dev all 2.71-1 [7112 B]"
    lines += ["============ test session starts ============", "platform linux", "collected 3 items", ""]
    lines += [f"tests/test_yard.py::test_{name} PASSED     [ 33%]" for name in ("crane", "rope", "pier")]
    told = "\n".join([*lines, "", "===== 3 passed in 0.12s ====="])
    text = compact(told, budget=400, threshold=400, content_type="log").text
    assert "3 passed" in text and "once in" not in text


def test_a_proxy_that_says_the_status_before_the_request_writes_an_access_log() -> None:
    lines = [
        f"Feb  6 12:14:{n:02} lb1 proxy[14389]: 10.0.1.{n % 4}:33{n + 100} http-in app/srv{n % 3} 10/0/{n}/69/{n * 7} "
        f'{503 if n in (9, 31) else 200} {n * 97} - - ---- 1/1/1/1/0 {{}} "GET /yard/{"ab"[n % 2]}.htm HTTP/1.1"'
        for n in range(60)
    ]
    text = compact("\n".join(lines), budget=400, threshold=400, content_type="log").text
    assert "Access log: 60 lines" in text and "status 200: 58 · 503: 2" in text and "30× GET /yard/a.htm" in text
    took = [line.replace(" 503 ", " 250 ").replace(" 200 ", f" {n + 200} ") for n, line in enumerate(lines)]
    assert "status 2" not in compact("\n".join(took), budget=400, threshold=400, content_type="log").text


def ruled(said: str) -> str:
    return f" {said} ".center(80, "=")


def test_a_coloured_run_with_comments_in_its_output_is_a_log() -> None:
    output = ["# testroot: quay", "# builder: html", "", "# status:", "building [html]: all", "# warning:", "- a rope"]
    lines = ["Task Metadata:", "\t- Instance ID: yard-7", *(f"Checking patch yard/a{n}.py..." for n in range(90))]
    lines += [f"\x1b[1m{'=' * 20} test session starts {'=' * 20}\x1b[0m", "collected 5 items", ruled("FAILURES")]
    lines += ["", *output, "", "## Notes", "", "**bold** and [a link](http://x.example)", *[*output, ""] * 9]
    lines += ["\x1b[31mFAILED\x1b[0m tests/test_view.py::\x1b[1mtest_view\x1b[0m - assert 2 == 3"]
    lines += [f"\x1b[31m{'=' * 20} \x1b[1m1 failed\x1b[0m, \x1b[32m4 passed\x1b[0m\x1b[31m in 3.93s\x1b[0m {'=' * 20}"]
    text = compact("\n".join(lines), budget=300, threshold=0, store=None).text
    assert "Log of pytest: " in text and ", 1 failing test." in text
    assert text.index("test_view") < 400


def test_warnings_stand_behind_what_failed_and_an_edit_is_no_run() -> None:
    lines = ["+ sed -i 's/pytest/pytest -rA/' tox.ini", "+ python -m pytest tests", ruled("test session starts")]
    lines += [f"/y/quay_{n}.rst:{n + 3}: WARNING: rope {n} is never tied" for n in range(60)]
    lines += [f"mast {n} is {'tall' if n % 2 else 'short'}" for n in range(200)]
    lines += ["FAILED tests/test_view.py::test_view - assert 2 == 3", ruled("1 failed, 60 warnings in 3.93s")]
    text = compact("\n".join(lines), budget=300, threshold=0, store=None).text
    assert text.index("test_view") < text.index("pytest: 265: ") < text.index("60 warnings that name a file")
    assert "ran: 2: python -m pytest tests" in text


def test_a_runners_own_frame_is_not_the_tests() -> None:
    lines = [f"test_{n} (till.tests.Drawers) ... ok" for n in range(90)]
    for name in ("open", "close"):
        lines += ["=" * 70, f"ERROR: test_{name} (till.tests.Drawers)", "-" * 70, "Traceback (most recent call last):"]
        lines += ['  File "/usr/lib/python3.9/unittest/case.py", line 59, in testPartExecutor', "    yield"]
        lines += ['  File "/usr/lib/python3.9/unittest/case.py", line 592, in run', "    self._callTestMethod(method)"]
        lines += ['  File "/usr/lib/python3.9/unittest/case.py", line 550, in _callTestMethod', "    method()"]
        lines += [f'  File "/src/till/tests.py", line 70, in test_{name}', f"    drawer.{name}(pin)"]
        lines += [f'  File "/src/till/drawer.py", line 12, in {name}', "    raise ValueError(pin)"]
        lines += [f"ValueError: no drawer to {name}", ""]
    lines += ["-" * 70, "Ran 90 tests in 0.2s", "", "FAILED (errors=2)"]
    text = compact("\n".join(lines), budget=300, threshold=100).text
    assert "testPartExecutor" not in text
    assert all(f"in test_{name}\n    drawer.{name}(pin)" in text for name in ("open", "close")), text


def test_an_exit_that_is_told_as_the_end_is_no_further_error() -> None:
    code = "".join(f"if(t{n}){{const f=i[{n}];return f.match(/^Cannot find crane/)}}" for n in range(40))
    lines = ["/srv/yard/node_modules/loader/register.cjs:3", code, "", "Error: Cannot find module './crane.js'"]
    lines += [f"    at load{n} (/srv/yard/node_modules/loader/register.cjs:{n}:1004)" for n in range(8)]
    out = told([*lines, "", "Node.js v23.4.0", "", "Command exited with code 1"])
    assert "1 error." in out and "failure message" not in out
    assert "ended with: 16: Command exited with code 1" in out
    assert "[+" in compact("\n".join([*lines, "Command exited with code 1"]), budget=300, threshold=300).text


def test_what_stands_below_an_exit_code_says_what_failed() -> None:
    lines = [f"step {n} of the yard took {n * 7 % 11} minutes and left crane {n} where it stood" for n in range(40)]
    lines[12:12] = ["lint run", "", "Exit code 1", "pier.go:92:1: this file is not laid out well", ""]
    out = compact("\n".join(lines), budget=200, threshold=200, content_type="log").text
    assert "Exit code 1\n16: pier.go:92:1: this file is not laid out well" in out


def test_a_name_of_what_happened_that_says_failed_counts_and_no_other_name_does() -> None:
    lines = [f"2031-07-04 08:00:{n:02}|Crane|31|liftDone={n}" for n in range(60)]
    for n in (7, 21, 40):
        lines[n] = f"2031-07-04 08:00:{n:02}|Crane|31|sendLiftFailedSignal"
    lines[30] = "2031-07-04 08:00:30|Crane|31|load crane.LiftFailedSignal isFailedOver=false onFailedLift(3)"
    text = compact("\n".join(lines), budget=400, threshold=300).text
    assert "60 lines, 3 failure messages (failed)." in text
    assert "sendLiftFailedSignal" in text


def test_a_zero_in_a_list_of_counts_is_no_error_whatever_is_counted() -> None:
    lines = [f"2031-07-04 08:00:{n:02} rope {n} of the fleet is counted" for n in range(60)]
    lines[20] = "[Dock] [ERROR] Can't tie the rope to its post"
    lines[40] = "[Dock] -> 2 copied, 0 not in the dock, 1 not-found, 0 with I/O error"
    lines[41] = "[Dock] -> 2 copied, 3 with I/O error"
    text = compact("\n".join(lines), budget=300, threshold=200).text
    assert "1 error, 1 other failure message (error)." in text


def test_a_single_warning_of_a_compiler_is_told_with_its_file() -> None:
    lines = [f"[{n}/60] Building CXX object dock.dir/rope{n}.cpp.obj" for n in range(60)]
    lines[30] = "../rope.cpp(17): warning C4101: 'a': unreferenced local variable"
    lines[40] = "[dock] [ERROR] cannot tie rope 4"
    text = compact("\n".join(["-- Configuring done", *lines]), budget=300, threshold=200).text
    assert "\n1 warning that names a file, in rope.cpp: 1× C4101\n" in text
    assert "cmake: " not in text


def test_the_words_in_which_most_lines_of_a_kind_differ_are_named() -> None:
    said = ("getRopesOfDock", "setRopesOfDock")
    lines = [f"2031-07-04 08:{n // 60:02}:{n % 60:02}|Crane|31|{said[n % 2]} = {n * n}##{n}" for n in range(500)]
    lines += [f"2031-07-04 08:{n // 60:02}:{n % 60:02}|Tide|31|height {n % 9} dm" for n in range(500, 900)]
    lines[44] = lines[44].replace("getRopesOfDock", "clearRopesOfDock")
    text = compact("\n".join(lines), budget=500, threshold=300).text
    assert "← what differs):" in text
    assert " = … ← setRopesOfDock (250×), getRopesOfDock (249×), clearRopesOfDock (1×)" in text


def test_a_traceback_says_in_the_headline_what_it_ends_with() -> None:
    trace = 'Traceback (most recent call last):\n  File "dock.py", line {}, in tie\n    tie(rope)\n{}: no post {}'
    lines = [f"2031-07-04 08:00:{n % 60:02} INFO rope {n} is tied to its own post" for n in range(200)]
    lines[50] = f"{lines[50]}\n{trace.format(3, 'dock.knots.PostError', 7)}"
    assert "1 traceback (PostError)." in compact("\n".join(lines), budget=300, threshold=200).text
    lines[60] = f"{lines[60]}\n{trace.format(4, 'KeyError', 8)}"
    assert "2 tracebacks (PostError, KeyError)." in compact("\n".join(lines), budget=300, threshold=200).text


def test_of_a_job_that_still_runs_the_last_bar_of_progress_is_shown() -> None:
    def bar(n: int) -> str:
        return f"{n * 10:3}%|{'█' * 3 * n:30}| {n}/10 [00:{n:02}<00:{10 - n:02}, 1.02s/it]"

    lines = [*map(bar, range(11)), "ropes counted: 9", *(f"rope {n}: as long as its post" for n in range(40))]
    lines += [*map(bar, range(8)), "", "The command has run for 300 seconds."]
    text = compact("\n".join(lines), budget=300, threshold=200).text
    assert bar(7).strip() in text and bar(5).strip() not in text
