"""What compilers and linters found: each finding whole, with its message, before the source that it quotes."""

from __future__ import annotations

from mcpcompact import compact


def _ant(number: int, file: str, line: int, code: str, name: str, said: str) -> list[str]:
    told = [
        "----------",
        f"{number}. WARNING in /home/build/yards/harbour/src/depot/{file}.java (at line {line})",
        f"\t{code}",
        "\t" + " " * code.index(name) + "^" * len(name),
        said,
    ]
    return [f"    [javac] {one}" for one in told]


def test_findings_behind_the_name_of_a_task_are_lines_of_their_own_with_their_message() -> None:
    lines = ["Buildfile: build.xml", "", "compile:", "    [mkdir] Created dir: /home/build/yards/harbour/out"]
    for n in range(1, 9):
        name = f"rope{n}" if n % 3 else f"depth{n}"
        code = f"void moor(Rope {name}, Tide tide)" if n % 3 else f"int {name} = 4;"
        said = f"The parameter {name} is never read" if n % 3 else f"The local variable {name} is never read"
        lines += _ant(n, f"pier/Crane{n // 3}", 40 + n, code, name, said)
    lines += ["    [javac] 8 problems (8 warnings)", "", "BUILD SUCCESSFUL", "Total time: 1 second"]
    out = compact("\n".join(lines), budget=460, threshold=300).text
    assert "6× The parameter * is never read · 2× The local variable * is never read" in out
    assert "paths that begin with …/ are below /home/build/yards/harbour/src/depot/pier/" in out
    for n in range(1, 9):
        message = f"The {'parameter rope' if n % 3 else 'local variable depth'}{n} is never read"
        assert f"{n}. WARNING in …/Crane{n // 3}.java (at line {40 + n}): {message}" in out
    assert "-----" not in out


def test_source_that_a_warning_quotes_is_never_shown_without_it() -> None:
    lines = []
    for n in range(12):
        lines += [
            f"In file included from yard{n}.cpp:20:0:",
            f"pier.h: In instantiation of ‘bool pier::Crane{n}::lift(long) [with long w = {n}]’:",
            f"yard{n}.h:2{n}:30:   required from here",
            f"pier.h:{n + 100}:21: warning: rope of crane number {n} may break under load {n * 7} [-Wropes-{n % 2}]",
            f"rope_{n}.pull(depth_{n}, tide_{n});",
            "     ^~~~~~~~",
        ]
    for budget in (150, 300, 500):
        out = compact("\n".join(lines), budget=budget, threshold=100).text.split("\n")
        text = "\n".join(out)
        for line in out:
            number = line.partition(": ")[0]
            belongs = any(map(line.__contains__, ("depth_", "required from", "In instantiation", "In file included")))
            if number.isdigit() and belongs:
                assert f"number {(int(number) - 1) // 6} may" in text


def test_diagnostics_that_name_their_rules_make_a_log_and_stand_before_lists_of_checks() -> None:
    checks = [f"    harbour-checks-{a}.{b}" for a in ("crane", "rope", "tide") for b in range(25)]
    lines = ["# checks of the night", "Enabled checks:", *checks, "", "# First file"]
    for n in range(5):
        lines += [
            f"tidy-5 -header-filter=src/,include/ -p=/srv/harbour/project src/../src/pier{n}.cpp:{n + 1}:8: "
            f"warning: rope changes its sign on pier {n} [harbour-rope-sign]",
            f"    case {n}: return pull(rope_{n});",
            "                ^",
        ]
    lines += ["/srv/old yard/src/tide.cpp:24:5: warning: tides must be marked explicit [harbour-explicit-tide]"]
    lines += ["warning: /srv/yard/include: 'linker' input unused [-Wunused-command-line-argument]"]
    result = compact("\n".join(lines), budget=430, threshold=300)
    assert result.content_type == "log"
    assert "7 warnings of 3 rules in 6 files: 5× harbour-rope-sign" in result.text
    for n in range(5):
        assert f"src/../src/pier{n}.cpp:{n + 1}:8: warning: rope changes its sign on pier {n}" in result.text
    assert "/srv/old yard/src/tide.cpp:24:5: warning: tides must" in result.text
    assert "'linker' input unused" in result.text and "-p=/srv" not in result.text


def test_the_directory_of_all_warnings_is_said_once() -> None:
    below = "/Users/keeper/work/harbour-tools/model/src/main/java/org/harbour/yard/"
    lines = ["[INFO] Scanning for projects...", "[INFO] Building Harbour Model 5.0.0"]
    for n in range(14):
        lines += [
            f"[WARNING] {below}part{n % 3}/Crane{n}.java:[{n + 3},44] [RopeRule{n % 4}] Ropes of kind {n} are worn"
        ]
        lines += [f"    (see https://harbour.example.com/rules/RopeRule{n % 4})"]
    lines += ["[INFO] BUILD SUCCESS", "[INFO] Total time:  6.572 s"]
    out = compact("\n".join(lines), budget=500, threshold=300).text
    assert out.count(below) == 1
    shown = [line for line in out.split("\n") if "[WARNING]" in line]
    assert len(shown) >= 4 and all("…/part" in line and "Ropes of kind" in line for line in shown)


def test_source_that_a_warning_quotes_is_no_error() -> None:
    lines = []
    for n in range(30):
        lines += [f"yard{n}.c:{n + 9}:17: warning: ignoring what ‘moor’ returns [-Wunused-result]"]
        lines += [f'      moor(crane, "Unknown error: {n} (error %d)", err);', "      ^~~~~~~~~~~~"]
    text = compact("\n".join(lines), budget=300, threshold=200).text
    assert "30 findings of 1 rule in 30 files" in text or "30 warnings" in text
    assert "lines with" not in text and "errors" not in text.partition("\n")[2].split("\n")[0]


def test_rules_that_print_alike_are_one_and_all_their_lines_are_counted() -> None:
    build = [f"step {n}: copied part {n * 7} of the yard" for n in range(200)]
    for n in range(40):
        build.insert(3 * n, f"yard{n % 3}.ts:{n}:1: warning: rope {n} is worn [harbour-{'torn' if n % 2 else 'worn'}]")
    text = compact("\n".join(build), budget=250, threshold=200, content_type="log").text
    assert "20× harbour-worn · 20× harbour-torn" in text
    assert "(+19 of its rule" in text
    ecj: list[str] = []
    for n, pointed in enumerate(["Tin", "Box"] * 8, 1):
        ecj += [
            "----------",
            f"{n}. WARNING in /yard/{pointed}.java (at line {n})",
            f"\t{pointed} x = new {pointed}();",
        ]
        ecj += ["\t" + "^" * 3 if n % 4 else "\t    ^", "The type Crate is deprecated"]
    text = compact("\n".join([*ecj, "----------"]), budget=200, threshold=100, content_type="log").text
    assert text.count("× The type Crate is deprecated") == 1 and "16× The type Crate" in text


def test_warnings_that_a_summary_repeats_are_counted_once_and_those_of_a_project_too() -> None:
    told = [
        "MSBUILD : warning : CA2210 : Microsoft.Design : Sign 'Crane.exe' with a strong name key. [c:\\a.csproj]",
        "c:\\crane\\Program.cs(12): warning : CA1801 : Microsoft.Usage : Parameter 'arg' is never used. [c:\\a.csproj]",
        "c:\\crane\\Load.cs(40): warning : CA1801 : Microsoft.Usage : Parameter 'weight' is never used. [c:\\a.csproj]",
    ]
    steps = [f'  Copying file from "part{n}.config" to "bin\\part{n}.config".' for n in range(60)]
    lines = [*steps, *told, "", "Build succeeded.", "", *told, "", "    3 Warning(s)", "    0 Error(s)"]
    shown = compact("\n".join(lines), budget=400, threshold=100, tool="bash", content_type="log", store=None).text
    assert "3 warnings of 2 rules in 2 files: 2× CA1801 · 1× CA2210" in shown


def test_a_warning_of_a_whole_file_is_counted_with_those_of_its_lines() -> None:
    lines = ['"c:\\yard\\All.build" (Pack target) (1) ->', "(Check target) ->"]
    lines += [f"  c:\\yard\\Cranes.package : warning YP6: The {part} is packed twice" for part in ("hook", "rope")]
    lines += [f"  c:\\yard\\Part{n}.feature : warning YP11: The feature has no title" for n in range(2)]
    lines += [f"  Load{n}.cs({n},9): warning CS0649: Field 'crane{n}' is never assigned to" for n in range(3)]
    lines += ["", *[f"  Copied part {n} of the yard" for n in range(40)], "", "    7 Warning(s)", "    0 Error(s)"]
    shown = compact("\n".join(lines), budget=400, threshold=100, tool="bash", content_type="log", store=None).text
    assert "7 warnings of 3 rules in 6 files: 3× CS0649 · 2× YP6 · 2× YP11" in shown


def test_a_line_is_not_the_only_one_of_its_kind_where_another_is_of_its_rule() -> None:
    lines = [f"[INFO] Copied part {n} of the yard" for n in range(60)]
    for n in range(12):
        lines.insert(3 * n, f"[WARNING] /srv/yard/Crane{n}.java:[1] [WornRope] A rope is worn")
    lines[20:20] = ["[WARNING] /srv/yard/Tide.java:[4] [UnusedImports] Unused imports: yard.Tide"]
    lines[50:50] = ["[WARNING] /srv/yard/Moor.java:[1] [UnusedImports] Unused imports: yard.Moor, yard.Rope, yard.Pier"]
    shown = compact("\n".join(lines), budget=300, threshold=200, content_type="log").text
    assert "12× WornRope · 2× UnusedImports" in shown and "the only such line" not in shown
    left = 12 - shown.count("[WornRope]")
    assert 0 < left < 11 and f"(+{left} of its rule: " in shown  # those that are shown are not named again


def test_warnings_of_doxygen_without_a_file_count_and_a_rule_is_its_text_without_what_is_quoted() -> None:
    lines = [f"Parsing file /srv/yard/crane{n}.h..." for n in range(40)]
    lines += [f"/srv/yard/crane{n}.h:{n + 3}: Warning: Found unknown command `\\lift{'abc'[n]}'" for n in range(3)]
    lines += ["<unknown>:-1: Warning: Found unknown command `\\TODO'"]
    lines += ["/srv/yard/moor.h:12: Warning: no matching class member found for "]
    lines += ["void yard::Moor::fasten(Rope *rope)"]
    shown = compact("\n".join(lines), budget=300, threshold=200, content_type="log").text
    assert "5 warnings of 2 rules in 4 files: 4× Found unknown command * · 1× no matching class member" in shown
    assert "member found for void yard::Moor::fasten(Rope *rope)" in shown


def _unused(number: int) -> list[str]:
    return [
        f"warning: unused variable: `gauge{number}`",
        f"  --> src/gauge{number % 3}.rs:{40 + number}:13",
        "   |",
        f"{40 + number} |         let gauge{number} = read(port);",
        f"   |             ^^^^^^ help: if this is intentional, prefix it with an underscore: `_gauge{number}`",
        "",
    ]


def test_what_rustc_found_stands_with_the_line_it_points_at_and_what_it_expected() -> None:
    lines = ["   Compiling tidewatch v0.4.1 (/srv/tidewatch)", *(line for n in range(9) for line in _unused(n))]
    lines += [
        "error[E0308]: mismatched types",
        "   --> src/harbour.rs:112:24",
        "    |",
        "108 |     fn depth(&self, pier: usize) -> Option<f64> {",
        "    |                                     ----------- expected `Option<f64>` because of return type",
        "...",
        "112 |         return self.depths[pier];",
        "    |                ^^^^^^^^^^^^^^^^^ expected `Option<f64>`, found `f64`",
        "    |",
        "    = note: expected enum `Option<f64>`",
        "               found type `f64`",
        "",
        "Some errors have detailed explanations: E0308.",
        "For more information about this error, try `rustc --explain E0308`.",
        "error: could not compile `tidewatch` (lib) due to 1 previous error; 9 warnings emitted",
    ]
    text = compact("\n".join(lines), budget=330, threshold=200, content_type="log").text
    assert "error[E0308]: mismatched types\n   --> src/harbour.rs:112:24" in text
    assert (
        "return self.depths[pier];\n    |                ^^^^^^^^^^^^^^^^^ expected `Option<f64>`, found `f64`" in text
    )
    assert "expected enum `Option<f64>`\n               found type `f64`" in text


def test_findings_of_a_rule_are_not_called_alike_and_what_they_name_is_told() -> None:
    build = [f"step {n}: copied part {n * 7} of the yard" for n in range(80)]
    for n in range(12):
        named = ["crane", "rope", "tide"][n % 3]
        build.insert(5 * n, f"[branch] [WARNING] /srv/yard/Pier{n}.java:[{n},4] [removal] {named}() in Yard is marked")
    text = compact("\n".join(build), budget=330, threshold=200, content_type="log").text
    assert "12 warnings that name a file, of 1 rule in 12 files: 12× removal" in text
    assert "removal names crane() 4 · rope() 4 · tide() 4" in text
    assert "of its rule" in text and "like it" not in text


def test_frames_of_dr_memory_stay_below_their_own_error_and_each_error_counts() -> None:
    lines = ["Dr. Memory version 2.5.0", 'Dr. Memory results for pid 41: "yard"', ""]
    for n in range(1, 9):
        lines += [f"Error #{n}: LEAK {n * 32} direct bytes 0x005a25{n}0-0x005a26{n}6 + 0 indirect bytes"]
        lines += ["# 0 replace_malloc               [/drmemory/common/alloc_replace.c:2576]"]
        lines += [f"# {k} yard_{n}_{k}                   [/srv/yard/src/crane_{n}.c:{k * 40}]" for k in range(1, 8)]
        lines += [
            f"#{k} yard_{n}_{k}                   [/srv/yard/src/crane_{n}.c:{k * 40}]" for k in range(10, 12)
        ] + [""]
    lines += [
        "FINAL SUMMARY:",
        "",
        "DUPLICATE ERROR COUNTS:",
        "",
        "ERRORS FOUND:",
        "      8 unique,     8 total leak(s)",
    ]
    text = compact("\n".join(lines), budget=600, threshold=300, content_type="log").text
    assert "8 errors" in text.splitlines()[1]
    for n in range(1, 9):
        assert f"Error #{n}: LEAK {n * 32} direct bytes … + 0 indirect bytes ← yard_{n}_1 crane_{n}.c:40" in text


def test_lines_that_go_on_from_a_finding_are_its_own() -> None:
    lines = []
    for n in range(12):
        lines += [
            f"/srv/yard/pier{n}.h:{n + 5}: warning: The following parameters of moor_{n}(int rope) are not documented:"
        ]
        lines += [f"parameter 'rope{n}'", f"parameter 'tide{n}'"]
    text = compact("\n".join(lines), budget=330, threshold=200, content_type="log").text
    for line in text.splitlines():
        assert "parameter 'rope" not in line or "are not documented: parameter" in line


def test_findings_that_a_hook_indents_are_findings_and_no_failures_of_the_run() -> None:
    lines = [
        "✔ Preparing lint-staged...",
        "  ❯ *.ts — 9 files",
        "      ✖ eslint --fix [FAILED]",
        "",
        "✖ eslint --fix:",
        "",
    ]
    for n in range(9):
        lines.append(f"        /srv/yard/src/pier{n}.ts")
        for k in range(6):
            level, rule = ("error", "no-explicit-any") if k % 2 else ("warning", "no-console")
            lines.append(f"          {10 * k + n}:{k + 1}  {level}  Unexpected thing of the yard  {rule}")
        lines.append("")
    lines += ["        ✖ 54 problems (27 errors, 27 warnings)", "husky - pre-commit script failed (code 1)"]
    text = compact("\n".join(lines), budget=400, threshold=200, content_type="log").text
    assert "54 findings (27 errors, 27 warnings) of 2 rules in 9 files: 27× no-console · 27× no-explicit-any" in text
    assert "27 errors" not in text.splitlines()[1] and "30 errors" not in text.splitlines()[1]


def test_findings_whose_place_stands_behind_what_is_said_are_no_search_and_count_by_severity() -> None:
    said = ("Hard tabs used", 3), ("Bareword file handle opened", 5)
    lines = [
        f"lib/Yard/Crane{n % 7}.pm: {said[n % 2][0]} at line {n * 3 + 1}, column 5.  See page {20 + n % 2} of PBP."
        f"  (Severity: {said[n % 2][1]})"
        for n in range(40)
    ]
    out = compact("\n".join(lines), budget=400, threshold=300).text
    assert "40 findings (20 severity 5, 20 severity 3) of 2 rules in 7 files:" in out
    assert "Search output" not in out


def test_places_of_puppet_and_ansible_and_checkpatch_are_of_their_findings() -> None:
    puppet = [f"WARNING: rope not enclosed in {{}} on line {n}" for n in range(3, 43)]
    assert "40 warnings of 1 rule: 40× rope not enclosed in {}" in compact("\n".join(puppet), budget=200).text
    ansible = [
        f"name[missing]: Moor by name.\nroles/pier{n % 3}/tasks/main.yml:{n} Task/Handler: moor {n}\n"
        for n in range(1, 41)
    ]
    assert "40 findings of 1 rule in 3 files: 40× name[missing]" in compact("\n".join(ansible), budget=300).text
    patch = [
        f"ERROR: trailing whitespace\n#{n + 9}: FILE: pier/crane{n}.c:{n}:\n+\treturn rope;\n" for n in range(1, 31)
    ]
    out = compact("\n".join(patch), budget=300).text
    assert "30 errors of 1 rule in 30 files" in out
    assert "failing test" not in out


def test_a_warning_that_is_printed_again_at_the_same_place_counts_once() -> None:
    lines = []
    for n in range(12):
        lines += [f"g++ -Wall -c part{n}.cpp -o part{n}.o"]
        lines += [
            "include/shelf.h:31:9: warning: unused variable 'depth' [-Wunused-variable]",
            "   31 |     int depth;",
        ]
        lines += [f"part{n}.cpp:7:12: warning: comparison of integer expressions [-Wsign-compare]"]
    said = compact("\n".join(lines), budget=300, threshold=300).text
    assert "13 warnings of 2 rules in 13 files, printed 24 times: 12× -Wsign-compare" in said
    assert "1× -Wunused-variable" in said and said.count("shelf.h:31:9: ") == 1
    assert "beside the findings" not in said


def test_a_report_of_more_lines_than_are_items_tells_its_totals_too() -> None:
    lines = []
    for n in range(2_100):
        rule = ("E401 Multiple imports on one line", "F841 Local variable is assigned to but never used")[n % 3 == 0]
        lines += [rule, f" --> yard/part{n % 7}.py:{n + 1}:5", "  |", f"{n + 1} | import os, sys", "  | ^^^^^^^^^", ""]
    lines += ["Found 2100 errors.", "[*] 1400 fixable with the `--fix` option."]
    said = compact("\n".join(lines), budget=500, threshold=500, content_type="log").text
    assert len(lines) > 10_000
    assert "2,100 findings of 2 rules in 7 files: 1,400× E401 · 700× F841" in said


def test_paths_of_windows_may_hold_blanks() -> None:
    src = r"C:\Users\Mia Sol\Pier Works\src"
    lines = ['Project "C:\\Users\\Mia Sol\\Pier Works\\pier.sln" on node 1 (Build target(s)).']
    for n in range(60):
        lines.append(f"  crane{n:02}.cpp")
        if n % 20 == 7:
            lines.append(rf"{src}\crane{n:02}.cpp({n}): error C2065: 'rope_{n}': undeclared identifier")
        if n % 9 == 4:
            lines.append(
                rf"C:\Program Files (x86)\Kits\um\tide.h({n * 30},5): warning C4996: 'Moor{n}': was deprecated"
            )
    out = compact("\n".join(lines), budget=400, threshold=250).text
    assert "3 compiler errors in 3 files" in out
    assert "7 warnings that name a file, of 1 rule in 1 file: 7× C4996" in out


def test_a_warning_told_again_for_each_file_gives_way_to_what_belongs_to_the_first() -> None:
    lines = []
    for n in range(9):
        lines += [f" [{n * 10 + m}/99] Building CXX object src/dock_{n}_{m}.cpp.o" for m in range(8)]
        lines += [
            " In file included from ../src/moor.h:18:0,",
            f"                  from ../src/dock_{n}.cpp:21:",
            " build/tide.h: In member function 'void Tide::rise(Moor*)':",
            " build/tide.h:26:5: warning: 'Moor::Moor(Rope*)' is deprecated [-Wdeprecated-declarations]",
            "     moor = new Moor(rope);",
            "                          ^",
            " In file included from /opt/pier/include/rope-8.1/knot.h:46:0,",
            f"                  from ../src/dock_{n}.cpp:21:",
            " /opt/pier/include/rope-8.1/rope.h:82:14: note: declared here",
            "    OLD_ROPE(Moor(Rope *rope = nullptr));",
        ]
    out = compact("\n".join(lines), budget=430, threshold=300).text
    assert "printed 9 times" in out and "moor = new Moor(rope);" in out
    assert out.count("is deprecated [-W") == 1


def _critic(script: str, row: int, said: str, grade: int) -> str:
    return f"/srv/depot/{script}: {said} at line {row}, column 1.  See page 40 of PBP.  (Severity: {grade})"


def test_a_finding_in_a_file_without_an_extension_counts_like_all_others() -> None:
    lines = []
    for script in ("moor.pl", "tide.pl", "crane.pl", "bin/unload"):
        lines += [_critic(script, 1, 'No "$HARBOUR" variable found', 2), _critic(script, 1, "Code is not tidy", 1)]
        lines += [_critic(script, 3 * n, f'Rope without "/{flag}" knot', 2) for n, flag in enumerate("smsx", 1)]
    lines += [_critic("bin/unload", 7, "Code before moorings are enabled", 5), ""]
    lines += [f"Jun  4 15:24:{n:02} pier kernel: crane{n} lifted crate {n * 37} onto wagon {n + 4}" for n in range(14)]
    out = compact("\n".join(lines), budget=430, threshold=300).text
    assert "25 findings (1 severity 5, 20 severity 2, 4 severity 1) of 4 rules in 4 files: 16× Rope" in out
    assert '4× No "$HARBOUR" variable found' in out  # the same in all lines
    assert 'the 16× “Rope without * knot” name "/s" 8 · "/m" 4 · "/x" 4' in out
    assert "25: /srv/depot/bin/unload: Code before moorings are enabled at line 7" in out  # the worst is shown
    assert "lines of another form: 27–40 (14)" in out


def test_what_rustc_points_at_stands_below_its_whole_source_and_a_message_with_its_place() -> None:
    lines = ["   Compiling tidewatch v0.3.1 (/home/dock/tidewatch)"]
    for n in range(40):
        code = f"fn moor{n}(depth: i32) -> i32 {{ let rope{n} = depth * {n}; let tide: Vec<String> = vec![]; depth }}"
        bad = n % 8 == 0
        lines += [
            f"error[E03{n:02}]: mismatched types of pier {n}" if bad else f"warning: unused variable: `rope{n}`",
            f" --> src/pier{n % 3}.rs:{n + 1}:44",
            "  |",
            f"{n + 1} | {code}",
            "  |" + " " * 44 + f"^^^^^^^ expected `i{n}`, found `usize`",
            "  |" + " " * 44 + "|",
            "  |" + " " * 44 + f"expected due to rope {n}",
            "",
        ]
    lines.append("error: could not compile `tidewatch` (lib) due to 5 previous errors; 35 warnings emitted")
    for budget in (300, 450, 600, 900):
        shown = compact("\n".join(lines), budget=budget, threshold=200, content_type="log").text.split("\n")
        for n, line in enumerate(shown):
            assert "^^^" not in line or "; depth }" in shown[n - 1]
            assert "expected due to" not in line or "^^^" in "".join(shown[n - 2 : n])
            head = "warning: unused variable" in line or ("error[" in line and "could" not in line)
            assert not head or " --> src/pier" in shown[n + 1]


def _missing(file: str, names: list[str]) -> list[str]:
    return [
        f"{file}({n * 7 + 3},{n % 9 + 5}): error TS2304: Cannot find name '{name}'." for n, name in enumerate(names)
    ]


NAMES = [
    "tideTable",
    "moorRope",
    "buoyOf",
    "craneArm",
    "dockOf",
    "pierEnd",
    "lampPost",
    "quaySide",
    "harbourOf",
    "keelOf",
]


def test_the_path_of_findings_in_one_file_is_said_once_and_each_name_that_is_missing() -> None:
    file = "src/harbour/crane-operations/crane-operator.ts"
    lines = _missing(file, NAMES)
    lines += [f"{file}({n + 200},3): error TS7006: Parameter 'p' implicitly has an 'any' type." for n in range(9)]
    out = compact("\n".join(lines), budget=400, threshold=300).text
    assert "\nDiagnostics: 19 lines" in out
    assert out.count(file) == 2  # in the count, and above the lines
    assert "\n1: …(3,5): error TS2304: Cannot find name 'tideTable'." in out
    assert "TS2304 names " + " · ".join(f"'{name}'" for name in NAMES) in out
    small = compact("\n".join(lines), budget=120, threshold=100).text
    assert " · 7 more" in small and f"19 errors of 2 rules in {file}: 10× TS2304" in small


def test_findings_of_many_files_say_their_own_and_each_file_is_shown_before_a_second_finding_of_its_rule() -> None:
    files = [f"src/port{n}/berth{n}.ts" for n in range(7)]
    lines = [line for file in files for line in _missing(file, NAMES[:6])]
    out = compact("\n".join(lines), budget=430, threshold=300).text
    shown = [file for file in files if f"{file}(" in out]
    assert shown == files


def test_a_place_below_another_file_keeps_its_own_path() -> None:
    lines = []
    for n in range(12):
        lines += [
            f"include/rope/knot.hpp:{n + 40}:7: error: no match for 'operator<' [-Wknot]",
            f"src/dock.cpp:{n + 90}:3:   required from here",
        ]
    out = compact("\n".join(lines), budget=300, threshold=200).text
    assert "…:" not in out and "include/rope/knot.hpp:40:7: error" in out


def test_of_a_warning_with_a_long_message_its_beginning_and_the_last_note_are_shown() -> None:
    inner = "Rope<Knot<Anchor<Chain<Link<Shackle<Hook<Crane<Dock<Pier<Quay<Harbour>>>>>>>>>>>"
    used = "note: see reference to function template instantiation"
    said = "conversion from 'size_t' to 'int', possible loss of data. " + "The tide rises and falls at the quay. " * 60
    lines = [f"C:\\Program Files\\Kit\\include\\harbour(41,5): warning C4267: 'argument': {said}"]
    lines += [
        f"C:\\Program Files\\Kit\\include\\rope{n}(660): {used} '{inner}::moor(int)' being compiled" for n in range(8)
    ]
    lines += [f"..\\yard\\crane.cpp(53): {used} 'moor<{inner}>' being compiled"]
    out = compact("\n".join(lines), budget=400, threshold=300).text
    assert "\nDiagnostics: 10 lines" in out
    assert "harbour(41,5): warning C4267: 'argument': conversion from 'size_t' to 'int', possible loss of data." in out
    assert f"..\\yard\\crane.cpp(53): {used} 'moor<{inner}>'" in out
    assert out.count("The tide rises and falls at the quay.") < 10


def test_a_program_that_logs_with_place_and_level_is_no_compiler() -> None:
    lines = [f"2026-03-0{n % 9 + 1} 10:00:{n:02} crane.go:{n + 10}: error: rope {n} is slack" for n in range(40)]
    assert "Diagnostics" not in compact("\n".join(lines), budget=300, threshold=200).text
    bare = [f"crane.go:{n + 10}: error: rope {n} is slack" for n in range(40)]
    assert "Diagnostics" not in compact("\n".join(bare), budget=300, threshold=200).text


def test_the_rating_of_pylint_is_a_total() -> None:
    lines = [
        f"yard/crane.py:{n + 1}:0: C0116: Missing function or method docstring (missing-function-docstring)"
        for n in range(30)
    ]
    lines += ["", "-" * 60, "Your code has been rated at 4.20/10 (previous run: 4.10/10, +0.10)"]
    out = compact("\n".join(lines), budget=300, threshold=200).text
    assert "pylint: 33: Your code has been rated at 4.20/10" in out


def test_a_finding_that_stands_below_a_ruled_heading_is_one_line_before_quoted_source_and_formatting() -> None:
    lines = [
        "Build....................Passed",
        "Lint.....................Failed",
        "- hook id: lint",
        "- exit code: 1",
        "",
    ]
    lines += ["  Checked 61 files in 90ms. No fixes applied.", "  Found 9 errors."]
    for n in range(6):
        lines += [
            f"  ./src/yard/crane{n}.ts:{n + 3}:14 lint/harbour/noLooseRope {'━' * 30}",
            "",
            f"    × The rope of pier {n} is not fastened.",
            "",
            *(f"      {at} │   // killed by error {at} before it moored crane {n}" for at in range(1, n + 3)),
            f"    > {n + 3} │   const rope{n} = untie(pier{n});",
            "        │              ^^^^",
            "",
            "    i A loose rope drifts away.",
            "",
        ]
    lines += ["... [9000 characters truncated] ...", ""]
    for n in range(40, 70):
        lines += [f'      {n}     │ - ········moor("rope{n}")', f"         {n + 3} │ + ········moor('rope{n}');"]
        lines += [f"      {n} {n + 3} │             // killed before the tide of day {n}, an error"]
    lines += ["  check " + "━" * 40, "", "    × Some errors were emitted while running checks.", ""]
    lines += ['  error: script "lint" exited with code 1', "error: failed to push some refs"]
    out = compact("\n".join(lines), budget=460, threshold=300).text
    for n in range(6):
        assert f"crane{n}.ts:{n + 3}:14 lint/harbour/noLooseRope × The rope of pier {n} is not fastened." in out
    assert "Found 9 errors." in out
    assert "failure message" not in out and "13 errors" not in out and "killed" not in out
    assert "━" not in out


def test_boxes_and_bars_with_the_signs_of_a_formatter_hide_no_failure() -> None:
    lines = [f"moored boat {n} at pier {n % 7}" for n in range(200)]
    lines[90] = "│ - ERROR: the rope of boat 90 is torn │"
    lines[120:122] = ["harbour.bin 45% " + "━" * 30, "    ERROR: no crane for boat 121"]
    out = compact("\n".join(lines), budget=300, threshold=200, content_type="log").text
    assert "rope of boat 90 is torn" in out and "no crane for boat 121" in out
    assert "2 errors" in out


def test_words_of_failure_in_the_source_that_a_finding_quotes_are_no_errors_of_their_own() -> None:
    lines = list[str]()
    for n in range(12):
        quoted = ['LL | |         panic!("rope torn")', "LL | |     }"]
        lines += [f"error: berth {n} is too narrow", f"  --> $DIR/quay.rs:{3 * n + 7}:5", "   |"]
        lines += [f"LL | /     fn moor{n}(&self) {{", *quoted, "   | |_____^", "   |", "help: widen it", "   |"]
        lines += [f"LL ~     fn moor{n}(&self) -> Error {{", "   |", ""]
    lines += ["error: aborting due to 12 previous errors", ""]
    out = compact("\n".join(lines), budget=400, threshold=300, store=None).text
    assert "12 errors" in out and "beside the findings" not in out and "24 errors" not in out


def test_findings_right_below_each_other_keep_their_own_messages() -> None:
    lines = []
    for n in range(1, 13):
        name = f"Rope{n}"
        said = f"The import depot.harbour.{name} is never used"
        lines += [one.removeprefix("    [javac] ") for one in _ant(n, "Pier", n, f"import depot.{name};", name, said)]
    out = compact("\n".join([*lines, "----------", "12 problems (12 warnings)"]), budget=560, threshold=300).text
    assert (
        "12 findings of 1 rule in /home/build/yards/harbour/src/depot/Pier.java: 12× The import * is never used" in out
    )
    for n in range(1, 13):
        found = [line for line in out.split("\n") if f": {n}. WARNING in" in line]
        assert all(line.endswith(f"(at line {n}): The import depot.harbour.Rope{n} is never used") for line in found)
    heads = [n for n, line in enumerate(out.split("\n")) if " WARNING in " in line]
    quoted = [n for n, line in enumerate(out.split("\n")) if "\timport " in line]
    assert len(heads) >= 8 and all(n - 1 in heads for n in quoted)


def test_messages_that_differ_in_the_name_at_their_end_are_of_one_rule() -> None:
    names = ("server", "root", "base", "filter", "groups")
    lines = [f"src/main/Pier.java:{48 + n}: warning: no @param for {name}" for n, name in enumerate(names)]
    lines += [f"[INFO] crane {n} is oiled and stands where it stood at {n * 7} minutes" for n in range(30)]
    out = compact("\n".join(lines), budget=300, threshold=300).text
    assert "of 1 rule in 1 file: 5× no @param for *" in out


def test_what_a_second_rule_names_is_told_where_few_names_are_all() -> None:
    lines = [f"src/yard.ts({n},5): error TS2304: Cannot find name 'rope{n}'." for n in range(1, 17)]
    lines += [
        f"src/yard.ts({n},7): error TS2339: Property '{'hook' if n % 3 else 'winch'}' does not exist on type 'Crane'."
        for n in range(20, 32)
    ]
    text = compact("\n".join(lines), budget=300, threshold=200, store=None).text
    assert "TS2339 names 'hook' 8 · 'winch' 4" in text


def test_a_build_names_the_project_that_failed_and_counts_the_errors_of_its_tool() -> None:
    at = r'c:\Tools\Harbour.Common.targets(2703,9): error HB3021: Unable to copy "pier\{0}.dll": {0} is in use.'
    names = ("Crane", "Winch", "Mooring", "Tide")
    lines = ["Microsoft (R) Build Engine version 16.2", ""]
    for n in range(40):
        lines += [f'Project "C:\\Quay.sln" is building "C:\\Berth{n}.csproj" (default targets):', "", "Target Build:"]
        lines += [f"    Building berth {n} of 40.", "", f'    Done building project "Berth{n}.csproj".', ""]
    lines += [f"        {at.format(name)}" for name in names]
    lines += ['    Done building target "_Copy" in project "Harbour.Service.csproj" -- FAILED.', ""]
    lines += ['    Done building project "Harbour.Service.csproj" -- FAILED.', "", "Build FAILED.", ""]
    lines += [at.format(name) for name in names]
    lines += ["    0 Warning(s)", "    4 Error(s)", "", "Time Elapsed 00:00:18.87"]
    text = compact("\n".join(lines), budget=500, threshold=300).text
    assert "\nfailed in 1 project: Harbour.Service.csproj\n" in text
    assert "\nerrors: 4× HB3021\n" in text
    assert all(text.count(at.format(name)) <= 1 for name in names)  # the sum of a build prints each once more
    assert at.format("Crane") in text


def test_files_with_as_many_findings_as_the_last_named_one_are_counted() -> None:
    files = {"crane": 90, "winch": 50, "tide": 30, "berth": 30, "rope": 30, "buoy": 30, "pier": 1}
    lines = [f"src/{name}.ts({n},5): error TS2304: No {name}{n}." for name, many in files.items() for n in range(many)]
    text = compact("\n".join(lines), budget=600, threshold=200).text
    assert "most in: crane.ts 90 · winch.ts 50 · tide.ts 30 · berth.ts 30 · 2 more with 30" in text


def test_of_many_totals_without_a_failure_those_of_most_files_are_told() -> None:
    lines = []
    for n, files in enumerate((238, 36, 12, 10, 3, 22)):
        lines += [
            f"> quay-{n}@1.0.0 check",
            "> biome check .",
            "",
            f"Checked {files} files in {n + 3}ms. No fixes applied.",
            "",
        ]
    lines += [f"berth {n} of the quay is swept at {n % 24} o'clock" for n in range(60)]
    text = compact("\n".join(lines), budget=400, threshold=300).text
    told = next(line for line in text.split("\n") if line.startswith("biome: "))
    assert [f"Checked {n} files" in told for n in (238, 36, 22, 12)] == [True] * 4 and "… 2 more" in told


def test_the_first_error_of_each_rule_of_a_compiler_stands_there() -> None:
    names = ("crane", "winch", "davit", "gaff", "jib", "boom", "hull", "keel", "mast", "oar", "rope", "sail")
    lines = [
        f"src/dock/{name}.ts({n + 3},{k}): error TS2307: Cannot find module './{name}-{k}.js' or its type declarations."
        for n, name in enumerate(names)
        for k in range(3)
    ]
    lines += [f"src/quay.ts({n},5): error TS7006: Parameter 'tide{n}' implicitly has an 'any' type." for n in range(9)]
    lines += [f"src/quay.ts({n},9): error TS2339: Property 'lift' does not exist on 'Pier{n}'." for n in range(60, 64)]
    text = compact("\n".join(lines), budget=420, threshold=200, store=None).text
    assert "36× TS2307 · 9× TS7006 · 4× TS2339" in text
    assert "(0,5): error TS7006: Parameter 'tide0' implicitly has an 'any' type." in text
    assert "(60,9): error TS2339: Property 'lift' does not exist on 'Pier60'." in text
