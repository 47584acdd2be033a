"""Why a job of a CI runner ended: which command failed, and what it printed last."""

from __future__ import annotations

from pathlib import Path

from mcpcompact import ResultStore, compact

ROOM = 400  # tokens


def _job(*commands: tuple[str, list[str], int], end: str = "Done. Your build exited with 1.") -> list[str]:
    lines = ["Worker information", "Using worker: worker-linux-7", "Pre-installed Node.js versions"]
    lines += ["Allow some information gathering to give useful error messages", "Encryption notice:"]
    lines += [f"license of errors and exceptions, clause {n}" for n in range(30)]
    for command, said, code in commands:
        lines += [f"$ {command}", *said, f'The command "{command}" exited with {code}.']
    return [*lines, "", end]


def _told(lines: list[str], budget: int = ROOM) -> str:
    return compact("\n".join(lines), budget=budget, threshold=budget).text


FETCHED = [f"Fetching: rope-{n}.gem, failed once, error {n} was handled" for n in range(80)]


def test_what_a_command_printed_last_stands_before_all_that_only_uses_words_of_failure() -> None:
    said = [f"checking mooring {n} of the pier" for n in range(90)]
    said += ["99% of the berths are charted, 2 are not", "Uncharted berths:"]
    said += ["  - north quay, third ring", "  - south quay, ladder"]
    text = _told(_job(("gem install rope", FETCHED, 0), ("./chart.sh verify", said, 3)))
    assert 'lines.\nfailed: 213: The command "./chart.sh verify" exited with 3.\n' in text
    assert "$ ./chart.sh verify" in text
    assert all(line in text for line in said[-4:])
    assert "useful error messages" not in text and "Encryption" not in text and "license" not in text
    assert "failure message" not in text and "was handled" not in text


def test_the_first_of_several_commands_that_failed_is_told_before_the_others() -> None:
    first = [f"ties rope {n}" for n in range(60)] + ["the capstan has no bar", "winch 4 stands still"]
    second = [f"casts rope {n}" for n in range(60)] + ["no winch turns"]
    commands = [("make fast", first, 2), ("make sail", second, 2), ("./log.sh", ["wrote the log"], 0)]
    text = _told(_job(*commands, ("make port", ["no harbour in sight"], 1)))
    assert "· … 1 more" in text and 'failed: 99: The command "make fast" exited with 2. · ' in text
    assert "the capstan has no bar" in text and "winch 4 stands still" in text and "no winch turns" in text


def test_what_only_says_once_more_that_it_failed_gives_way_to_the_cause() -> None:
    said = [*(f"looks at sail {n}" for n in range(50)), "✖ sail 51 has a hole!"]
    for script in ("check-sails", "check", "test"):
        said += ["npm ERR! code ELIFECYCLE", "npm ERR! errno 1", f"npm ERR! boat@1.2.3 {script}: `run {script}`"]
        said += ["npm ERR! Exit status 1", "npm ERR!", f"npm ERR! Failed at the boat@1.2.3 {script} script."]
        said += ["npm ERR! A complete log of this run can be found in:", f"npm ERR!     /home/crew/{script}-debug.log"]
    text = _told(_job(("npm test", said, 1)), 300)
    assert "✖ sail 51 has a hole!" in text and "looks at sail 49" in text
    assert "ELIFECYCLE" not in text and "Exit status" not in text and "26 errors" not in text


def test_a_job_that_somebody_cancelled_is_not_said_to_have_failed() -> None:
    lines = [*_job(("npm ci", FETCHED, 0))[:-2], "$ ./moor.sh", *(f"moors boat {n}" for n in range(60))]
    text = _told([*lines, "", "Done: Job Cancelled"])
    assert "\n180: Done: Job Cancelled (below 118: ./moor.sh)\n" in text and "failed: " not in text


def test_that_make_has_no_rule_is_a_cause_and_that_what_it_ran_failed_is_none() -> None:
    said = [*(f"cc sail{n}.o" for n in range(90)), "make[1]: *** No rule to make target 'mast.c'.  Stop."]
    said += ["make[1]: Leaving directory '/yard/boat'", "make: *** [boat] Error 2"]
    text = _told(_job(("make all", said, 2)), 250)
    assert "No rule to make target 'mast.c'" in text and "[boat] Error 2" not in text


def test_a_job_that_stops_within_a_command_is_told_by_its_last_words() -> None:
    lines = _job(("npm ci", FETCHED, 0))[:-2]
    lines += ["$ npm test || travis_terminate 1", *(f"looks at sail {n}" for n in range(60)), "sail 61 is torn"]
    lines += ["npm ERR! Test failed.  See above for more details."]
    text = _told(lines)
    assert f"failed: {len(lines)}: npm ERR! Test failed.  See above for more details. (below 118: npm test || " in text
    assert "sail 61 is torn" in text


def test_of_a_job_that_does_not_say_how_it_ended_the_last_command_is_told_and_nothing_more() -> None:
    lines = _job(("npm ci", FETCHED, 0))[:-2]
    lines += [
        "$ source rig.sh",
        *(f"hoists sail {n}" for n in range(60)),
        "RopeNotFoundError: these ropes are missing:",
        "",
        "  - jib",
    ]
    text = _told(lines)
    assert "lines.\nlast command: 118: $ source rig.sh\n" in text and "ended with" not in text
    assert "RopeNotFoundError: these ropes are missing:" in text and "  - jib" in text
    assert "failed: " not in text


def test_a_job_that_went_well_says_so_and_shows_the_results_of_its_last_command() -> None:
    results = [f"ok  \tyard.example/crane/part{n}\t0.0{n}s\tcoverage: 7{n}.0% of statements" for n in range(9)]
    got = [f"Fetching https://yard.example/part{n}?go-get=1, error {n} handled" for n in range(60)]
    text = _told(_job(("go get ./...", got, 0), ("./test", results, 0), end="Done. Your build exited with 0."), 700)
    assert '\nended with: 108: The command "./test" exited with 0. · 110: Done. Your build exited with 0.\n' in text
    assert all(line in text for line in results) and "failed: " not in text


def test_the_step_that_failed_is_told_with_the_command_that_it_ran() -> None:
    texts = ["##[group]Run ./fetch.sh", "##[endgroup]", *(f"error {n} was handled" for n in range(40))]
    texts += ["##[group]Run ./moor.sh --twice", "./moor.sh --twice", "##[endgroup]"]
    texts += [
        *(f"moors boat {n}" for n in range(60)),
        "berth 7 is taken",
        "##[error]Process completed with exit code 4.",
    ]
    texts += ["Post job cleanup.", "Cleaning up orphan processes"]
    lines = [f"2026-03-18T08:57:{n // 4:02}.{n % 4}689493Z {text}" for n, text in enumerate(texts)]
    text = _told(lines)
    assert "failed: 107: ##[error]Process completed with exit code 4. (below 43: Run ./moor.sh --twice)\n" in text
    assert "── 2026-03-18\n" in text and "106: 08:57:26 berth 7 is taken" in text
    assert "was handled" not in text and "Post job" not in text


def test_the_command_of_the_notice_asks_for_the_lines_before_the_end_of_the_command_that_failed(
    tmp_path: Path,
) -> None:
    said = [f"error {n * n} of rope {n}: it is not there, whatever the crew of boat {n * 7} tells" for n in range(400)]
    said += [f"last word {n} of the crew: {' '.join(f'rope{n * m}' for m in range(9))}" for n in range(40)]
    lines = _job(("./ropes.sh", said, 1), ("./rest.sh", [f"rest {n * n}" for n in range(300)], 0))
    text = compact("\n".join(lines), budget=ROOM, threshold=ROOM, store=ResultStore(tmp_path)).text
    end = lines.index('The command "./ropes.sh" exited with 1.') + 1
    assert f"--lines {end - 40}:{end}" in text


def test_what_gem_installs_is_not_said_of_pip() -> None:
    gem = [line for n in range(40) for line in (f"Fetching: rope-{n}.gem (100%)", f"Successfully installed rope-{n}.0")]
    text = _told(["$ gem install rope", *gem, "40 gems installed"], 300)
    assert "pip" not in text
    pip = [f"Collecting rope{n}" for n in range(300)] + ["Installing collected packages: rope0, rope1"]
    lines = ["$ pip install rope", *pip, "Successfully installed rope0-1.0 rope1-1.0"]
    text = compact("\n".join(lines), budget=200, threshold=200, content_type="log").text
    assert "pip: 303: Successfully installed rope0-1.0 rope1-1.0" in text


def test_behind_the_cause_the_commands_of_the_job_follow_and_then_what_is_printed_for_each_file() -> None:
    said = [*(f"cp lib/sail{n}.pm blib/sail{n}.pm" for n in range(90)), "t/mast.t ... # the mast is not stepped"]
    said += ["t/mast.t ... Dubious, test returned 3 (wstat 768, 0x300)", "Test Summary Report"]
    said += ["t/mast.t (Wstat: 768 Tests: 0 Failed: 0)", "  Non-zero exit status: 3", "Result: FAIL"]
    log = ["$ git clone --depth=50 https://example.org/crew/boat.git crew/boat", "Cloning into 'crew/boat'..."]
    log += ["$ git checkout -qf 411ff3341b125a1ab0a41d5004a28b4640364ac1", "$ cd crew/boat"]
    job = _job(("make test", said, 2))
    text = _told([*job[:35], *log, *job[35:]])
    assert "$ git clone --depth=50 https://example.org/crew/boat.git" in text and "411ff3341b" in text
    assert "# the mast is not stepped" in text and text.count("cp lib/") <= len(said) // 8
    assert text.count("$ make test\n") == 1


def test_what_stands_right_below_the_name_of_a_failing_test_comes_before_the_end_of_a_report() -> None:
    said = [*(f"looks at sail {n}" for n in range(60)), "There was 1 failure:", "", "1) SailTest::test_hoist"]
    said += ["Failed asserting that false is true.", "", "/srv/boat/tests/SailTest.php:318", "", "FAILURES!"]
    said += ["Tests: 401, Assertions: 1341, Failures: 1.", "", "Code Coverage Report:"]
    said += [f"@Boat.Rigging{n}::Sail{n * 7} stands at {n} of {n + 3} lines, methods {n + 1}" for n in range(40)]
    text = _told(_job(("phpunit --coverage-text", said, 1)), 300)
    assert "/srv/boat/tests/SailTest.php:318" in text and "Failed asserting that false is true." in text
    assert text.count('The command "phpunit --coverage-text" exited with 1.') == 1


def test_of_a_job_that_went_well_what_it_prints_for_each_task_gives_way() -> None:
    tasks = [f":boat:task{n}Of{'ABCDEFGH'[n % 8]}" for n in range(90)]
    said = [
        *tasks[:40],
        "Wrote the lint report to build/lint.html",
        *tasks[40:],
        "BUILD SUCCESSFUL",
        "Total time: 6 mins",
    ]
    text = _told(_job(("./gradlew check", said, 0), end="Done. Your build exited with 0."), 300)
    assert "Wrote the lint report" in text and "Total time: 6 mins" in text


def test_of_several_commands_that_failed_each_stands_above_what_it_printed() -> None:
    said = [*(f"ties rope {n}" for n in range(60)), *(f"the capstan of deck {n} has no bar at all" for n in range(12))]
    text = _told(_job(("make fast", said, 2), ("make sail", said, 2)), 300)
    assert "$ make fast\n" in text and "$ make sail\n" in text


def test_what_is_installed_before_the_checkout_is_not_shown() -> None:
    installs = [f"Suggested packages: rope-doc{n} for sail{n * 3} or mast{n * 7}" for n in range(60)]
    job = _job(("make test", [*(f"looks at sail {n}" for n in range(60)), "sail 61 is torn"], 1))
    text = _told(
        [*job[:35], "$ sudo apt-get install rope", *installs, "$ git clone https://example.org/boat.git", *job[35:]],
        900,
    )
    assert "Suggested" not in text and "$ git clone https://example.org/boat.git" in text and "sail 61 is torn" in text


def test_what_a_failing_goal_printed_comes_before_what_passing_tests_print() -> None:
    lines = [
        "Worker information",
        "Running apt-get update by default has been disabled.",
        "$ git clone quay",
        "$ mvn verify",
    ]
    for n in range(80):
        name = f"org.quay.Berth{n}Test"
        said = [
            f"08:00:{n % 60:02}.104 ERROR org.quay.Rope - cannot moor brig {n * 7919}",
            "java.lang.IllegalStateException: rope",
        ]
        trace = [*said, *(f"\tat org.quay.Rope.spin{k}(Rope.java:{k + 9})" for k in range(5))] if n % 9 == 4 else []
        lines += [f"[INFO] Running {name}", *trace]
        lines += [f"[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.{n:03} s - in {name}"]
    lines += ["[INFO] Results:", "[INFO] Tests run: 240, Failures: 0, Errors: 0, Skipped: 0", "[INFO] "]
    lines += [
        "[INFO] --- stow-plugin:1.2:check (holds) @ harbour ---",
        "[WARNING] No label on: /srv/quay/hold/Crate.java",
    ]
    lines += ["[INFO] BUILD FAILURE", "[INFO] Total time: 01:46 min"]
    lines += [
        "[ERROR] Failed to execute goal org.quay:stow-plugin:1.2:check (holds) on project harbour: crates lack labels"
    ]
    lines += ['The command "mvn verify" exited with 1.', "Done. Your build exited with 1."]
    text = compact("\n".join(lines), budget=400, threshold=0, store=None).text
    assert "[WARNING] No label on: /srv/quay/hold/Crate.java" in text
    assert "Tests run: 240, Failures: 0, Errors: 0, Skipped: 0" in text and "BUILD FAILURE" in text
    assert "cannot moor" not in text and "IllegalStateException" not in text and "Running org.quay" not in text


def _installed(conflicts: bool = False) -> str:
    bar = "   " + "━" * 40 + " 0.0/5.2 MB ? eta -:--:--"
    done = "   " + "━" * 40 + " 5.2/5.2 MB 4.1 MB/s eta 0:00:00"
    lines = ["Collecting rope", "  Downloading rope-1.0-py3-none-any.whl.metadata (2 kB)"]
    lines += [f"Requirement already satisfied: part{n} in /opt/yard/lib (from rope) (2.{n})" for n in range(30)]
    lines += [f"Requirement already satisfied: bolt{n} in /opt/yard/lib (from part1->rope) (3.{n})" for n in range(10)]
    lines += ["Downloading rope-1.0-py3-none-any.whl (5.2 MB)", bar, done]
    lines += ["  Building wheel for rope (pyproject.toml) ... -\b \b\\\b \b|\b \bdone"]
    lines += ["Installing collected packages: rope", *(f"  Attempting uninstall: rope{n}" for n in range(4))]
    said = [f"quay 1.{n} requires knot>=2.{n}, but you have knot 1.0 which is incompatible." for n in range(3)]
    error = "ERROR: pip's dependency resolver does not currently take into account all the packages."
    lines += [error, *said] * conflicts
    names = " ".join(f"rope{n}-1.{n}.0" for n in range(50))
    return "\n".join([*lines, f"Successfully installed {names}", "", "[notice] A new release of pip is available"])


def test_what_pip_installed_is_a_log_that_begins_with_how_it_ended() -> None:
    found = compact(_installed(), budget=1000, threshold=300, store=None)
    assert found.content_type == "log" and "Log of pip: " in found.text
    assert "\npip: 52: Successfully installed rope0-1.0.0 rope1-1.1.0 " in found.text, found.text
    assert "\n40 requirements already satisfied\n" in found.text
    assert "Building wheel for rope (pyproject.toml) ... done" in found.text  # a spinner leaves nothing
    assert "Downloading rope-1.0-py3-none-any.whl (5.2 MB)" in found.text and "━" not in found.text  # no bar is news


def test_the_packages_that_conflict_stand_with_the_error_of_pip() -> None:
    text = compact(_installed(conflicts=True), budget=500, threshold=300, store=None).text
    assert "Log of pip: 58 lines, 1 error." in text
    assert all(
        f"quay 1.{n} requires knot>=2.{n}, but you have knot 1.0 which is incompatible." in text for n in range(3)
    )


def test_what_an_error_says_that_one_raised_of_it_repeats_stands_once() -> None:
    why = "Max retries exceeded with url: /piers?berth=7 (Caused by NewError(no route to the harbour of the quay))"
    lines = []
    for n, name in enumerate(("urllib3.exceptions.MaxRetryError", "requests.exceptions.ConnectionError")):
        lines += ["Traceback (most recent call last):"]
        frames = [
            (f'  File "/yard/lib/part{n}{k}.py", line {k + 9}, in send', f"    reply = call{k}(part)") for k in range(9)
        ]
        lines += [line for frame in frames for line in frame]
        lines += [f"{name}: {why}", "", "During handling of the above exception, another exception occurred:", ""]
    text = compact("\n".join(lines[:-3]), budget=350, threshold=300, store=None).text
    last = len(lines) - 3
    assert f"urllib3.exceptions.MaxRetryError: …[as in line {last}]" in text
    assert f"{last}: requests.exceptions.ConnectionError: {why}" in text and text.count(why) == 1


def test_the_subtests_among_the_tests_of_go_are_counted() -> None:
    lines = []
    for n in range(12):
        lines += [f"=== RUN   TestQuay{n}", *(f"=== RUN   TestQuay{n}/berth_{k}" for k in range(4))]
        lines += [f"--- PASS: TestQuay{n} (0.00s)", *(f"    --- PASS: TestQuay{n}/berth_{k} (0.00s)" for k in range(4))]
    lines += ["        --- PASS: TestQuay11/berth_3/bow (0.00s)", "PASS", "ok  \texample.com/quay\t0.230s"]
    text = compact("\n".join(lines), budget=300, threshold=200, store=None).text
    assert "61 outcomes, 49 of them subtests: PASS 61" in text
