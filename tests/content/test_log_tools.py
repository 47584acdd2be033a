"""Outputs of tools as these print them: what failed stands, and nothing is said that the tool did not say."""

from __future__ import annotations

import json
import re

from mcpcompact import compact
from mcpcompact.content.log import TYPE
from mcpcompact.outline import Hints
from mcpcompact.source import Source


def text_of(data: str, budget: int = 1_000, **call: object) -> str:
    return compact(data, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


def test_an_erased_end_of_line_is_no_line_drawn_anew() -> None:
    def coloured(code: str, text: str) -> str:
        return f"\x1b[{code}m\x1b[K{text}\x1b[m\x1b[K"

    lines = []
    for n in range(60):
        place, name = coloured("01", f"unit{n}.c:{n + 3}:9:"), coloured("01", f"spare_{n}")
        lines.append(f"gcc -Wall -c unit{n}.c -o unit{n}.o")
        lines.append(f"{place} {coloured('01;35', 'warning: ')}unused variable '{name}' [-Wunused-variable]")
        lines.append(f"   {n + 3} |     int {coloured('01;35', f'spare_{n}')} = {n};")
    lines.append(
        f"{coloured('01', 'unit7.c:90:3:')} {coloured('01;31', 'error: ')}'{coloured('01', 'lost')}' undeclared"
    )
    lines.append("make: *** [Makefile:7: unit7.o] Error 1")
    said = text_of("\n".join(lines))
    assert "unit7.c:90:3: error: 'lost' undeclared" in said
    assert "60× -Wunused-variable" in said
    assert "states]" not in said


DPKG = """\
||/ Name                          Version                        Architecture Description
ii  libasan8:amd64                12.2.0-14+deb12u1              amd64        a fast memory error detector
ii  libcom-err2:amd64             1.47.0-2                       amd64        common error description library
ii  liberror-perl                 0.17029-2                      all          Perl module for error/exception handling
ii  libsigsegv2:amd64             2.14-1                         amd64        Library for handling page faults"""


def job(*steps: tuple[str, list[str]]) -> str:
    """The log of a job of GitLab, with its steps."""
    lines = []
    for name, said in steps:
        lines += [f"section_start:1700000000:{name}\r\x1b[0K\x1b[36;1mrunning {name}", *said]
        lines += [f"section_end:1700000060:{name}\r\x1b[0K"]
    return "\n".join(lines)


def test_a_failing_script_among_many_that_pass_is_a_failing_test_of_the_job() -> None:
    passed = [f"\x1b[32mPASS\x1b[0m checks/case_{n:04}.sh ({n} ms)" for n in range(900)]
    passed[700] = "\x1b[31mFAIL\x1b[0m checks/case_0700.sh (5002 ms): handoff: expected token 91, got 88"
    stat = ["commit " + "0a1b" * 10, *(f" conf/part{n}.toml | {n} +" for n in range(40))]
    said = text_of(job(("get_sources", stat), ("packages", DPKG.split("\n")), ("checks", passed)))
    assert "Log of GitLab CI: 952 lines, 1 failing test." in said
    assert "FAIL checks/case_0700.sh (5002 ms): handoff: expected token 91, got 88" in said
    assert "error detector" not in said.partition("\n1: ")[0]  # no error, though shown where there is room
    assert "page faults" not in said.partition("\n1: ")[0]


def test_what_tests_say_is_the_error_and_no_line_of_a_frame() -> None:
    def failing(name: str, native: bool) -> list[str]:
        frames = [f"    fixture_{n} = <Fixture {n}>" for n in range(8)]
        marks = ["_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _"]
        error = "ConnectionError: refused (port 5439)"
        if native:
            trace = [
                s for n in range(40) for s in (f'  File "/lib/run.py", line {n}, in call', "    assert hook(item)")
            ]
            return [
                f"____________ ERROR at setup of {name} ____________",
                "Traceback (most recent call last):",
                *trace,
                error,
            ]
        return [f"____________ ERROR at setup of {name} ____________", *frames, *marks, ">   connect()", f"E   {error}"]

    for native in (False, True):
        body = [line for name in ("test_a", "test_b", "test_c") for line in failing(name, native)]
        ends = [f"ERROR tests/test_db.py::{name} - Conn..." for name in ("test_a", "test_b", "test_c")]
        head = ["============================= test session starts ==============================", "collected 3 items"]
        said = text_of("\n".join([*head, *body, *ends, "============ 3 errors in 0.52s ============"]), 300)
        assert re.search(r"3 of them say: \d+: ConnectionError: refused \(port 5439\)\n", said)


def test_failing_tests_of_cargo_are_those_it_lists_with_their_panics() -> None:
    def panics(name: str, message: str) -> list[str]:
        frames = [(0, "__rustc::rust_begin_unwind"), (1, "core::panicking::panic_fmt"), (2, f"demo::{name}")]
        frames += [(n, f"core::ops::step_{n}::call_once") for n in range(3, 12)]
        trace = [
            s for n, frame in frames for s in (f"   {n}: {frame}", f"             at /rustc/5980/core/{n}.rs:{n}:5")
        ]
        head = f"thread 'tests::{name}' (271) panicked at src/lib.rs:145:46:"
        return ["", head, message, "stack backtrace:", *trace]

    warned = []
    for n in range(30):
        warned += [
            f"warning: unused variable: `y{n}`",
            f" --> src/lib.rs:{n + 4}:34",
            "  |",
            f"{n + 4} | fn f{n}() {{}}",
        ]
    body = ["test tests::opt ... ", *panics("opt", "lease missing"), "FAILED", "test tests::a1 ... ok"]
    body += ["test tests::io ... Error: NotFound", "FAILED", "test tests::a2 ... ok"]
    total = "test result: FAILED. 2 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
    names = ["failures:", "    tests::io", "    tests::opt"]
    said = text_of("\n".join([*warned, "", "running 4 tests", *body, "", *names, "", total]), 600)
    assert "2 failing tests." in said
    assert "panicked at src/lib.rs:145:46:\nlease missing\n" in said
    assert "2: demo::opt" in said
    unlisted = text_of("\n".join([*warned, "", "running 4 tests", *body, total]), 600)
    assert "0 failed" not in unlisted.replace("0 ignored", "").split(total)[0]


def test_an_echoed_name_is_no_test_of_pytest() -> None:
    lines = [s for n in range(40) for s in (f"+ python3 -m compileall lib/part{n}.py", f"part {n} compiled")]
    lines[50:50] = ["SyntaxError: invalid syntax", "+ echo 'FAILED lib/part25.py'", "FAILED lib/part25.py"]
    said = text_of("\n".join(lines), 300)
    assert "pytest" not in said
    assert "failing test" not in said
    assert "FAILED lib/part25.py" in said


def test_a_numbered_line_of_npm_is_no_total() -> None:
    words = ("silly idealTree buildDeps", "silly fetch manifest left", "error", "error Found: left@9.39.5", "error")
    lines = [f"{n} {words[n % 5]} {n if n % 5 < 2 else ''}".rstrip() for n in range(90)]
    said = text_of("\n".join(["npm error code ERESOLVE", *lines, "3 errors"]), 300)
    assert "totals: 92: 3 errors\n" in said


def test_a_test_that_passed_when_it_ran_again_is_no_failing_one() -> None:
    rule = "─" * 60
    body = [f"  ✓  {n} shop.spec.ts:{n}:3 › opens {n} (12ms)" for n in range(60)]
    for n, name in ((1, "pays"), (2, "waits")):
        at = f"shop.spec.ts:{n}0:1 › {name}"
        body += ["", f"  {n}) {at} {rule}", "", f"    Error: {name} came to nothing", ""]
    ends = ["  1 failed", f"    shop.spec.ts:10:1 › pays {rule}", "  1 flaky", f"    shop.spec.ts:20:1 › waits {rule}"]
    said = text_of("\n".join(["Running 62 tests using 1 worker", *body, *ends, "  60 passed (2.8s)"]), 400)
    assert "1) shop.spec.ts:10:1 › pays" in said
    assert ", 1 failing test." in said
    assert "1 flaky" in said


def meson(verbose: bool) -> str:
    lines = []
    for n in range(1, 61):
        row = f"{n:2}/60 unit{n:<4} " + ("FAIL  0.01s   exit status 3" if n == 17 else "OK    0.02s")
        lines += [f"{n:2}/60 unit{n:<4} RUNNING       ", row, f"run {n}", ""] if verbose else [row]
    if not verbose:
        for n in range(1, 25):
            code = 3 if n == 17 else 0
            lines += [f"{'=' * 36} {n}/60 {'=' * 36}", f"test:         unit{n}", f"result:       exit status {code}"]
    totals = ["Summary of Failures:", "", "17/60 unit17   FAIL  0.01s   exit status 3", ""]
    totals += ["Ok:                 59  ", "Fail:               1   ", "Timeout:            0   "]
    at = len(lines) if verbose else 60
    return "\n".join([*lines[:at], "", *totals, "", *lines[at:]])


def test_records_of_meson_end_nothing_and_its_verbose_run_is_a_log() -> None:
    brief = text_of(meson(verbose=False), 400)
    assert "ended with" not in brief
    assert "/60 ===" not in brief
    verbose = text_of(meson(verbose=True), 400)
    for said in (brief, verbose):
        assert "Log of meson: " in said
        assert "1 failing test." in said
        assert re.search(r"meson: \d+: Fail: +1 ·", said)


def test_what_a_program_dies_of_is_no_part_of_the_message_above_it() -> None:
    calm = [f"INFO posted order {n}" for n in range(200)]
    frames = [f"\tat com.acme.Ledger.post(Ledger.java:{n})" for n in range(9)]
    thrown = []
    for n in range(3):
        thrown += [f"java.util.concurrent.ExecutionException: cannot post {n}", *frames]
        thrown += ["Caused by: java.lang.IllegalStateException: row 7 is locked", *frames, "\t... 6 more"]
    died = 'Exception in thread "main" java.lang.ClassCastException: String cannot be cast to Integer'
    said = text_of("\n".join([*calm, *thrown, died, "\tat com.acme.App.main(App.java:13)"]), 500)
    assert "Log: 265 lines, 3 errors, 1 other failure message" in said
    assert "201: java.util.concurrent.ExecutionException: cannot post 0\n" in said
    assert f"\n264: {died}\n" in said


def test_an_exception_below_its_own_error_stays_part_of_that() -> None:
    lines = [f"2024-05-01 10:00:{n % 60:02} INFO posted order {n}" for n in range(200)]
    lines[150:150] = ["2024-05-01 10:02:31 ERROR lost", "java.io.IOException: broken pipe", "\tat a.B.c(B.java:1)"]
    assert "Log: 203 lines in 201 entries, 1 error." in text_of("\n".join(lines), 300)


def test_what_leads_to_an_error_of_a_template_is_no_finding_and_its_use_is_shown() -> None:
    head, user = "/usr/include/c++/12/bits/stl_function.h", "shop.cpp"
    lines = []
    for n in range(12):
        lines += [
            f"In file included from {head}:4,",
            f"                 from {user}:1:",
            f"{head}: In instantiation of 'less':",
        ]
        lines += [f"{user}:{n + 20}:35:   required from here"]
        at = "/usr/include/c++/12/ostream" if n == 7 else head
        lines += [f"{at}:{n + 400}:20: error: no match for 'operator<' (operand types are 'Key{n}' and 'Key{n}')"]
        lines += [f"  {n + 400} |       {{ return __x < __y; }}", "      |                ~~~~^~~~~"]
        lines += [
            f"{head}:{n + 500}:5: note: candidate: 'int (*)(int)' (conversion)",
            f"  {n + 500} |     operator<<(nullptr_t)",
        ]
        lines += ["      |     ^~~~~~~~", f"{head}:{n + 500}:9: note:   no known conversion for argument 1"]
    said = text_of("\n".join(lines), 700)
    assert "12 errors of 1 rule in 2 files: 12× error: no match for * (operand types are * and *)" in said
    assert re.search(r"\d+: shop\.cpp:20:35:   required from here\n", said)


def test_what_an_old_gcc_instantiated_is_no_finding() -> None:
    lines = []
    for n in range(14):
        lines += [f"src/less_{n}.h: In member function 'bool Less{n}<T>::operator()(const T&, const T&) const':"]
        lines += [f"src/shop_{n}.cpp:{n + 20}:   instantiated from here"]
        lines += [f"src/less_{n}.h:{n + 70}: warning: unused parameter 'other{n}'"]
    said = text_of("\n".join(lines), 400)
    assert re.search(r"^14 (findings|warnings) of 1 rule", said, re.M)
    assert not re.search(r"\d+× *instantiated", said)


def test_a_build_that_went_well_shows_its_warnings_before_what_it_did() -> None:
    begun = "[INFO] --- maven-jar-plugin:3.3.0:jar (default-jar) @ shop ---"
    lines = [f"[INFO] Wrote manifest /srv/shop/{jar}/META-INF/{jar}.MF" for jar in ("api", "cart", "mail", "stock")]
    lines += ["[WARNING] Manifest shop:bundle:2.1 : one export names a package twice" + ", which takes a version" * 8]
    lines += ["[INFO] Changes detected - recompiling the module!", begun, "[WARNING] Tests run: 16, Skipped: 3"]
    source = Source("\n".join([begun, begun, begun, *lines, "[INFO] BUILD SUCCESS"]).encode())
    weights = {item.start: item.weight for item in TYPE.outline(source, Hints()).items}
    assert weights[8] > max(weights[4], weights[9])


def test_failing_tests_of_go_say_why_and_a_panic_where() -> None:
    lines = []
    for n in range(40):
        lines += [f"=== RUN   TestTable/case_{n}", *([f"    table_test.go:3: load {n}: drift"] if n in (4, 31) else [])]
        lines += [f"=== CONT  TestPar/p{n}", f"    par_test.go:5: shard {n} ok"]
    for n in range(40):
        lines += [f"    --- {'FAIL' if n in (4, 31) else 'PASS'}: TestTable/case_{n} (0.00s)"]
    lines += ["panic: runtime error: nil pointer [recovered]", "[signal SIGSEGV: segmentation violation code=0x1]", ""]
    lines += ["goroutine 118 [running]:"]
    for n in range(6):
        lines += [f"testing.step{n}()", f"\t/usr/lib/go-1.19/src/testing/testing.go:{n} +0x24e"]
    lines += ["demo.(*C).Inc(...)", "\t/home/me/demo/inc.go:7", "testing.tRunner(0xc0)"]
    lines += ["\t/usr/lib/go-1.19/src/testing/testing.go:1446 +0x10b", "FAIL\tdemo\t0.079s", "FAIL"]
    said = text_of("\n".join(lines), 400)
    assert "=== RUN   TestTable/case_4\n    table_test.go:3: load 4: drift\n" in said
    assert "=== RUN   TestTable/case_31\n    table_test.go:3: load 31: drift\n" in said
    assert "/home/me/demo/inc.go:7" in said
    assert said.count("=== CONT") <= 2


def test_the_details_of_an_error_of_postgresql_stand_with_it() -> None:
    lines = [f"2026-01-02 03:04:{n % 60:02} UTC [41] me@shop LOG:  duration: {n % 7}.652 ms" for n in range(900)]
    at = "2026-01-02 03:04:59 UTC [69] me@shop"
    detail = ["DETAIL:  Process 69 waits for ShareLock on transaction 726; blocked by process 71."]
    detail += ["HINT:  See server log for query details.", 'CONTEXT:  while updating tuple (0,1) in relation "a"']
    lines[500:500] = [f"{at} ERROR:  deadlock detected", *(f"{at} {said}" for said in detail)]
    said = text_of("\n".join(lines), 500)
    assert all(one in said for one in ("ERROR:  deadlock detected", *detail))


def test_the_message_of_an_error_stands_with_what_was_thrown_and_few_warnings_stand() -> None:
    lines = [f"2026-01-02 03:04:{n % 60:02} INFO     ingest:7 - batch {n} lag={n % 9}s" for n in range(9_000)]
    for n in range(6):
        lines[n * 1_000] = f"2026-01-02 03:04:05 WARNING  pool:13 - size {40 + n} near the limit"
    trace = ["Traceback (most recent call last):", '  File "/srv/flush.py", line 11, in flush', "    write(part)"]
    lines[7_000:7_000] = ["2026-01-02 03:04:06 ERROR    flush:12 - batch dropped", *trace, "OSError: no space left"]
    said = text_of("\n".join(lines), 700)
    assert "ERROR    flush:12 - batch dropped\n" in said
    assert "OSError: no space left" in said
    assert said.count("WARNING  pool:13 - size") == 6


def test_who_waits_for_whom_stands_where_threads_are_deadlocked() -> None:
    lines = ["Full thread dump OpenJDK 64-Bit Server VM (17.0.15 mixed mode, sharing):", ""]
    for n in range(60):
        lines += [
            f'"pool-{n}" #{n} daemon prio=5 os_prio=0 cpu=0.{n}ms waiting on condition',
            "   java.lang.Thread.State: WAITING",
        ]
        lines += ["\tat java.lang.Thread.sleep(java.base@17/Native Method)", f"\tat shop.Pool.take(Pool.java:{n})", ""]
    lines += ["Found one Java-level deadlock:", "============================="]
    waits = ['"poster":', "  waiting to lock monitor 0x00007f38 (object 0x00000006, a java.lang.Object),"]
    waits += ['  which is held by "settler"']
    said = text_of("\n".join([*lines, *waits, "", "Found 1 deadlock.", ""]), 400)
    assert "\n".join(waits) in said


def test_verbose_examples_of_hypothesis_are_a_run_of_pytest() -> None:
    head = ["plugin.py:306: Deprecated: the option is unset.", "===== test session starts =====", "collected 1 item"]
    tried = [line for n in range(150) for line in ("Test case: test_sorts(", f"    xs=[{n}, 0],", ")")]
    fails = ["____________ test_sorts ____________", ">   assert top(xs) == xs[0]", "E   assert 1 == 0"]
    fails += ["E   Falsifying example: test_sorts(", "E       xs=[0, 0, 1],", "E   )"]
    ends = ["FAILED tests/test_sorts.py::test_sorts - assert 1 == 0", "===== 1 failed in 3.89s ====="]
    said = text_of("\n".join([*head, *tried, *fails, *ends]), 400)
    assert "Log of pytest: " in said
    assert "xs=[0, 0, 1]," in said


def test_files_that_a_build_compiles_give_way_to_what_it_builds_and_warns_of() -> None:
    parts = [
        [
            f"====== Building:  dock/part{n}  Debug",
            *(f"Compiling dock/part{n}/{word}_{n}.cpp" for word in ("quay", "rope", "knot")),
            f"Creating libpart{n}.a",
            f"====== Done building:  dock/part{n}  Debug",
        ]
        for n in range(60)
    ]
    parts[20].insert(2, "/src/dock/part20/rope.hpp:97: warning: 'tide' may be used uninitialized in this function")
    lines = [line for part in parts for line in part] + ["====== All projects have been built.", "+ make labels"]
    said = text_of("\n".join(lines))
    assert "'tide' may be used uninitialized" in said and "All projects have been built" in said
    assert said.count("Compiling ") < said.count("====== ")


def test_blanks_within_a_message_of_a_finding_stay() -> None:
    wrong = 'Found an incorrect indentation style "    ". "  " is correct.'
    lints = [{"filename": f"pier/{n}.proto", "line": n, "rule": "INDENT", "message": wrong} for n in range(200)]
    assert wrong in text_of(json.dumps({"lints": lints}))


def frames(*own: str) -> list[str]:
    """Frames as Valgrind prints them, below one of its own."""
    return ["   at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)", *own, ""]


def test_each_error_that_valgrind_reports_stands_with_the_nearest_own_frame() -> None:
    said = [
        "Memcheck, a memory error detector",
        "Using Valgrind-3.19.0 and LibVEX; rerun with -h for copyright info",
        "",
    ]
    said += ["Invalid write of size 8", "   at 0x10935F: fill_row (grid.c:41)", "   by 0x109400: main (grid.c:90)", ""]
    for n in range(1, 31):
        said.append(f"{8 * n} bytes in 1 blocks are definitely lost in loss record {n} of 30")
        said += frames(f"   by 0x1091{n:02}: make_cell_{n} (cells.c:{n + 10})", "   by 0x10930A: main (grid.c:88)")
    said += ["LEAK SUMMARY:", "   definitely lost: 3,720 bytes in 30 blocks", "   suppressed: 0 bytes in 0 blocks", ""]
    said += ["ERROR SUMMARY: 31 errors from 31 contexts (suppressed: 0 from 0)"]
    text = text_of("\n".join(f"==5150== {line}" for line in said), 500)
    assert "Log of valgrind: " in text
    assert " lines, 31 errors.\n31 errors of a run-time checker" in text
    assert "1× 4: Invalid write of size 8 ← fill_row grid.c:41" in text
    assert "30× 8–153: 8 bytes in 1 blocks are definitely lost in loss record 1 of 30 ← make_cell_1 cells.c:11" in text
    assert "ERROR SUMMARY: 31 errors from 31 contexts" in text
    assert "definitely lost: 3,720 bytes in 30 blocks" in text


def test_errors_of_sanitizers_are_told_once_with_their_place() -> None:
    lines = []
    for pid in (311, 312, 313, 314):
        lines += [f"pool.cpp:{19}:7: runtime error: index {pid} out of bounds for type 'int [8]'"]
        lines += [
            "=" * 65,
            f"=={pid}==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200{pid:07} at pc 0x5572",
        ]
        lines += [f"READ of size 4 at 0x60200{pid:07} thread T0"]
        lines += ["    #0 0x7fd7d5245249 in __interceptor_memcpy ../../../../src/libsanitizer/asan/asan_memcpy.cpp:69"]
        lines += [
            "    #1 0x55721f38f6b6 in Pool::take(int) /home/ann/pool/pool.cpp:27",
            "    #2 0x5572 in main /x/run.cpp:9",
        ]
        lines += ["", "SUMMARY: AddressSanitizer: heap-use-after-free /home/ann/pool/pool.cpp:27 in Pool::take(int)"]
        lines += [f"  0x0c047fff{n:04}: fa fa fa fa fd fd fd fd fa fa fa fa fa fa fa fa" for n in range(16)]
    text = text_of("\n".join(lines), 500)
    assert "2 errors of a run-time checker" in text
    assert "4× 1–76: pool.cpp:19:7: runtime error: index 311 out of bounds for type 'int [8]'" in text
    assert "4× 3–78: ==311==ERROR: AddressSanitizer: heap-use-after-free on address … at pc" in text
    assert "← Pool::take(int) pool.cpp:27" in text


def test_every_error_that_dr_memory_numbers_and_its_table_stand() -> None:
    kinds = [
        "LEAK 40 direct bytes 0x0a5a2540-0x0a5a25d6 + 0 indirect bytes",
        "UNINITIALIZED READ: reading register eax",
    ]
    kinds += ["INVALID HEAP ARGUMENT: free 0x00451234", "UNADDRESSABLE ACCESS: writing 0x0b33a8-0x0b33ac 4 byte(s)"]
    lines = ["Dr. Memory version 2.3.0 build 3 built on Jan 10 2020 10:10:10", ""]
    for n, kind in enumerate(kinds * 2, 1):
        lines += [f"Error #{n}: {kind}", "# 0 replace_malloc          [/drmemory_package/common/alloc_replace.c:2577]"]
        lines += ["# 1 libc.so.6!__GI__IO_fflush     [/build/eglibc-X4/libio/iofflush.c:41]"]
        lines += [f"# 2 shelf_{n}!stock_{n}          [/srv/ci/shop/shelf.c:{n + 30}]"]
        lines += [
            f"# {k} caller_{k}                 [/srv/ci/shop/very/deep/folder/of/sources/main.c:{k}]"
            for k in range(3, 9)
        ]
        lines += [""]
    lines += [
        "ERRORS FOUND:",
        "      2 unique,     7 total unaddressable access(es)",
        "      0 unique,     0 total warning(s)",
    ]
    lines += ["      2 unique,     2 total,     80 byte(s) of leak(s)", "Details: /srv/logs/results.txt"]
    text = text_of("\n".join(lines), 500)
    assert all(f": Error #{n}: " in text and f"stock_{n} shelf.c:{n + 30}" in text for n in range(1, 9))
    assert "LEAK 40 direct bytes … + 0 indirect bytes" in text
    assert "2 unique,     7 total unaddressable access(es)" in text


def test_numbered_errors_of_another_tool_are_of_no_checker() -> None:
    lines = [
        f"Error #{n}: the shelf {n} is not reachable\n# 0 shelf_{n} [/srv/shop/shelf.c:{n}]\n" for n in range(1, 60)
    ]
    assert "checker" not in text_of("\n".join(lines), 400, content_type="log")


def _race(kind: str, line: int, goroutine: int) -> list[str]:
    stack = [
        "  runtime.mapassign_faststr()",
        "      /usr/local/go/src/runtime/map_faststr.go:203 +0x0",
        f"  example.com/harbour/pier.(*{kind}).Rise()",
        f"      /home/mia/go/src/example.com/harbour/pier/{kind.lower()}.go:{line} +0x64",
        f"  example.com/harbour/pier.Test{kind}.func1()",
        f"      /home/mia/go/src/example.com/harbour/pier/{kind.lower()}_test.go:{line + 20} +0x44",
        "",
    ]
    earlier = [text.replace("Rise", "Level").replace(f":{line} ", f":{line + 9} ") for text in stack]
    head = ["==================", "WARNING: DATA RACE", f"Write at 0x00c000{goroutine:06x} by goroutine {goroutine}:"]
    return [
        *head,
        *stack,
        f"Previous read at 0x00c000{goroutine:06x} by goroutine {goroutine - 1}:",
        *earlier,
        f"Goroutine {goroutine} (running) created at:",
        "  testing.(*T).Run()",
        "      /usr/local/go/src/testing/testing.go:1742 +0x825",
        "==================",
        "    testing.go:1398: race detected during execution of test",
    ]


def test_races_in_go_are_told_with_the_own_places_of_both_accesses() -> None:
    lines = []
    for n in range(40):
        lines += [
            f"=== RUN   TestRope{n}",
            f"    rope_test.go:{n}: pulled {n * 3} kN",
            f"--- PASS: TestRope{n} (0.01s)",
        ]
        if n in (9, 21, 33):
            kind = "Moor" if n == 21 else "Tide"
            lines += [f"=== RUN   Test{kind}{n}", *_race(kind, n % 2 * 4 + 41, n), f"--- FAIL: Test{kind}{n} (0.00s)"]
    out = compact("\n".join([*lines, "FAIL", "FAIL\texample.com/harbour/pier\t0.412s", "FAIL"]), budget=500).text
    assert (
        "WARNING: DATA RACE ← write in pier.(*Tide).Rise tide.go:45, previous read in pier.(*Tide).Level tide.go:54"
        in out
    )
    assert "← write in pier.(*Moor).Rise moor.go:45, previous read in pier.(*Moor).Level moor.go:54" in out


def test_the_assertion_of_a_test_of_meson_comes_before_what_its_log_says_of_others() -> None:
    lift = 'lift $i; [ $i = 17 ] && { echo "assert: rope holds 9 of 8" >&2; exit 3; }; '
    lift += "[ $i = 31 ] && kill -SEGV $$; exit 0"
    lines = []
    for n in range(1, 41):
        lines.append(
            f"{n:2}/40 crane{n} {'FAIL            0.02s   exit status 3' if n == 17 else 'OK              0.02s'}"
        )
        if n == 17:
            lines += [f">>> LOAD={n} /usr/bin/sh -c '{lift}'", f"{'―' * 37} ✀  {'―' * 37}", "stdout:", f"lifted {n}"]
            lines += ["stderr:", "assert: rope holds 9 of 8", "―" * 78, ""]
    lines += [
        "",
        "Summary of Failures:",
        "",
        "17/40 crane17 FAIL            0.02s   exit status 3",
        "",
        "Ok:                 39",
    ]
    lines += ["Fail:               1", "", "Full log written to /home/mia/pier/meson-logs/testlog.txt"]
    for n in range(1, 31):
        lines += [
            f"{'=' * 35} {n}/40 {'=' * 35}",
            f"test:         crane{n}",
            "start time:   02:30:34",
            "duration:     0.02s",
        ]
        lines += [f"result:       exit status {3 * (n == 17)}", f"command:      LOAD={n} /usr/bin/sh -c '{lift}'"]
        lines += [f"{'-' * 35} stdout {'-' * 35}", f"lifted {n}", "=" * 78, ""]
    assert ": assert: rope holds 9 of 8" in compact("\n".join(lines), budget=300).text


def test_the_test_of_a_failing_assertion_of_tape_is_named() -> None:
    lines = ["TAP version 13"]
    for n in range(200):
        lines += [f"# basket {n} adds up", f"ok {2 * n + 1} opens", f"{'not ' if n == 77 else ''}ok {2 * n + 2} sum"]
        lines += ["  ---", "    operator: equal", "    expected: 0", "    actual:   60", "  ..."] if n == 77 else []
    said = text_of("\n".join([*lines, "", "1..400", "# tests 400", "# pass  399", "# fail  1"]), 250)
    assert "# basket 77 adds up" in said


def test_a_tool_that_names_itself_above_its_copyright_is_said() -> None:
    sources = [f"berth_{n}.c" for n in range(300)]
    log = [
        "",
        "     Keel Command Line Builder V4.1.2",
        "     Copyright 2011-2020 Keel Works",
        "",
        "Building quay",
        *sources,
    ]
    out = compact("\n".join(log), budget=300, threshold=200, content_type="log").text
    assert "Output of Keel Command Line Builder V4.1.2: 305 lines" in out
    out = compact("\n".join([*log[3:], *log[:3]]), budget=300, threshold=200, content_type="log").text
    assert "Output: 305 lines" in out  # not at the end


def test_a_plan_tells_its_addresses_by_action_and_what_all_of_them_change() -> None:
    def changed(n: int) -> list[str]:
        return [
            f"  # aws_instance.web[{n}] will be updated in-place",
            '  ~ resource "aws_instance" "web" {',
            f'        id   = "i-0{n:04d}abc"',
            "      ~ tags = {",
            f'            "Name"    = "web-{n}"',
            f'          ~ "owner"   = "team-{n}" -> "ops"',
            '          ~ "version" = "1.2" -> "1.3"',
            "        }",
            "        # (5 unchanged blocks hidden)",
            "    }",
        ]

    gone = [
        *('  # aws_iam_user.u["al"] will be destroyed', '  # (because key ["al"] is not in for_each map)'),
        *('  - resource "aws_iam_user" "u" {', '      - name = "al" -> null', "    }"),
    ]
    replaced = [
        *("  # module.db.aws_db_instance.main must be replaced", '-/+ resource "aws_db_instance" "main" {'),
        *('      ~ engine_version = "12.4" -> "14.1" # forces replacement', '        name = "main"', "    }"),
    ]
    moved = ["  # aws_s3_bucket.a has moved to aws_s3_bucket.b", '    resource "aws_s3_bucket" "b" {', "    }"]
    plan = [
        *("OpenTofu used the selected providers to generate the following execution", "plan.", ""),
        *(line for n in range(30) for line in changed(n)),
        *moved,
        *gone,
        *gone[:1],
        *replaced,
        "Plan: 1 to add, 30 to change, 3 to destroy.",
        *("", "Changes to Outputs:", '  ~ address = "a" -> "b"'),
    ]
    found = compact("\n".join(plan) + "\n", budget=400, threshold=100, store=None)
    verdict = found.text.index("Plan: 1 to add, 30 to change, 3 to destroy.")
    told = (
        "\nmust be replaced (engine_version): module.db.aws_db_instance.main\n"
        '2× will be destroyed: aws_iam_user.u["al", "al"]\n'
        '30× will be updated in-place: aws_instance.web[0–29]; in each: tags.version "1.2" -> "1.3"\n'
    )
    assert found.content_type == "log" and found.text.index(told) > verdict, found.text
    assert "moved to aws_s3_bucket.b:" not in found.text


def test_counts_that_a_log_lists_stand_together_below_their_heading_and_the_tool_is_named_behind_its_level() -> None:
    rules = ("net without a driver", "port width differs from its formal", "signal is never read")
    checked = [f"W-KL-{n % 3:03}: top_{n}.v({n + 3}): {rules[n % 3]} in u{n}_core" for n in range(90)]
    lines = [
        "--KL-0001: Status: Opening log file 'keel.log'",
        f"--KL-0001: Status: Keel Lint Suite Version 4.2.17 built {'for the grey harbour ' * 5}(64-bit).",
        "Copyright (c) 2009 Keel Works",
        *checked,
        "E-KL-009: top_5.v(8): module 'mast' is not found",
        "",
        "Severity Summary of the nets:",
        "0 errors",
        "34 warnings",
        "9 informationals",
        "236 comments",
        "--KL-0001: Status: done",
    ]
    said = text_of("\n".join(lines), 500)
    assert "Log of Keel Lint Suite Version 4.2.17: 101 lines" in said
    at = lines.index("Severity Summary of the nets:") + 1
    assert f"{at}: Severity Summary of the nets: 0 errors, 34 warnings, 9 informationals, 236 comments" in said
