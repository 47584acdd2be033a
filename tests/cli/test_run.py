"""``mcpcompact run``: a command's output within the budget, all of it kept, and the command's own end."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Run, environment

LINES = "import sys\nfor i in range(3000): print('line', i, file=sys.stderr if i % 2 else sys.stdout, flush=True)"
WHOLE = "".join(f"line {i}\n" for i in range(3000)).encode()


def stored(home: Path) -> bytes:
    """The one original in the results directory."""
    (meta,) = (home / "results").glob("*.meta.json")
    about = json.loads(meta.read_bytes())
    (path,) = (p for p in (home / "results").glob(f"*{about['sha256'][:8]}.*") if ".meta." not in p.name)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["false"], 1),
        (["sh", "-c", "exit 42"], 42),
        (["no-such-command"], 127),
        ([""], 127),
        (["/etc/passwd"], 126),
        (["/etc/passwd/below"], 126),
        (["sh", "-c", "kill -9 $$"], -9),
        (["sh", "-c", "kill -SEGV $$"], -11),
    ],
)
def test_it_ends_as_the_command_does(door: Run, command: list[str], code: int) -> None:
    assert door("run", "--", *command).returncode == code


def test_a_shell_sees_the_same_end(tmp_path: Path) -> None:
    """As the parent of each: what ``$?`` is, and whether a signal is seen (a shell's loop ends at an interrupt)."""
    ours = f"{sys.executable} -m mcpcompact run --"
    for command in ("sh -c 'exit 3'", "sh -c 'kill -9 $$'", "sh -c 'kill -INT $$'", "nope", "/etc/passwd"):
        codes = [
            subprocess.run(
                ["bash", "-c", f"{line}; echo $?"], capture_output=True, env=environment(tmp_path), check=False
            ).stdout
            for line in (command, f"{ours} {command}")
        ]
        assert codes[0] == codes[1], command


def test_a_command_that_cannot_start_is_one_line(cli: Run) -> None:
    done = cli("run", "no-such-command")
    assert done.stdout == b""
    assert done.stderr == b"mcpcompact: no-such-command: command not found\n"


def test_what_fits_is_not_changed(door: Run, tmp_path: Path) -> None:
    done = door("run", "--", "printf", r"a\n\0\377\033[1mb\r\nno newline")
    assert done.stdout == b"a\n\0\xff\x1b[1mb\r\nno newline"
    assert done.stderr == b""
    assert not (tmp_path / "results").exists()


def test_both_streams_are_kept_as_they_came(cli: Run, tmp_path: Path) -> None:
    done = cli("run", "--budget", 300, "--", sys.executable, "-c", LINES + "\nsys.exit(7)")
    assert done.returncode == 7
    text = done.stdout.decode()
    assert "(exit code 7)" in text.splitlines()[0]
    assert "failed" not in text.splitlines()[0]  # grep and diff say something else with it
    assert 0 < json.loads(cli("count", "--json", "-", input=done.stdout).stdout)["tokens"] <= 300
    assert stored(tmp_path) == WHOLE
    found = re.search(r"mcpcompact (results get \w{8})", text)
    assert found is not None
    assert cli(*found[1].split()).stdout == WHOLE


def test_standard_input_is_the_command_s(cli: Run) -> None:
    assert cli("run", "tr", "a-z", "A-Z", input=b"through\n").stdout == b"THROUGH\n"


def test_options_behind_the_command_are_the_command_s(cli: Run) -> None:
    assert cli("run", "echo", "--budget", "x", "--help").stdout == b"--budget x --help\n"


@pytest.mark.parametrize("args", [["--budget", "10", "--"], ["--type", "novel", "--"], ["--reader", "nobody", "--"]])
def test_nothing_runs_with_a_wrong_option(door: Run, tmp_path: Path, args: list[str]) -> None:
    done = door("run", *args, "touch", "made")
    assert done.returncode == 2
    assert not (tmp_path / "made").exists()


def test_neither_a_command_nor_a_string(door: Run) -> None:
    assert door("run").returncode == 2
    assert door("run", "--shell", "true", "true").returncode == 2


def test_json_has_the_exit_code(door: Run) -> None:
    found = json.loads(door("run", "--json", "--", "sh", "-c", "echo short; kill -9 $$").stdout)
    assert (found["exitCode"], found["text"], found["method"]) == (137, "short\n", "passthrough")


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("cat /nope 2>/dev/null | sort | wc -l", 0, "stage 1 of 3 (cat) ended with exit code 1"),
        ("true | (exit 5) | cat", 0, "stage 2 of 3 ended with exit code 5"),
        ("echo a | grep b", 1, "stage 2 of 2 (grep) ended with exit code 1"),
        ("echo 'a | b; c' | sh -c 'kill -9 $$' | cat", 0, "stage 2 of 3 (sh) ended with exit code 137"),
        ("cd / && false | true", 0, "stage 1 of 2 ended with exit code 1"),
        ("false | true; true", 0, ""),  # of the first pipeline nothing is known any more
        ("yes | head -1", 0, ""),  # its reader had read enough
        ("false", 1, ""),
        ("trap - EXIT; false | true", 0, ""),
        ("true | exec cat; exit 4", 4, ""),
    ],
)
def test_the_stage_that_failed_is_said(door: Run, line: str, code: int, told: str) -> None:
    done = door("run", "--shell", line)
    assert done.returncode == code
    assert done.stderr.decode() == (f"mcpcompact: {told}\n" if told else "")


@pytest.mark.parametrize(
    "line", ["echo (", "nope-x\necho $LINENO", "x=3; echo $x $0 $# $-", "echo a >&2 | cat; kill -9 $$"]
)
def test_a_string_is_bash_s_own(door: Run, tmp_path: Path, line: str) -> None:
    done = door("run", "--shell", line)
    plain = subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.stdout.replace(b"/usr/bin/bash", b"bash").replace(b"/bin/bash", b"bash") == plain.stdout
    assert done.returncode == plain.returncode


def test_binary_output_over_the_threshold_is_named_and_kept(door: Run, tmp_path: Path) -> None:
    data = bytes(range(256)) * 200
    (tmp_path / "data").write_bytes(data)
    done = door("run", "cat", "data")
    line = done.stdout.decode()
    assert re.fullmatch(
        r"\[mcpcompact\] cat: 51,200 bytes that are no text, not shown; all: "
        r"mcpcompact results get \w{8} --output FILE\n",
        line,
    )
    assert stored(tmp_path) == data
    assert "not stored" in door("run", "--no-store", "cat", "data").stdout.decode()


def test_output_of_the_kind_of_gzip_is_not_expanded(cli: Run) -> None:
    assert cli("run", "--shell", "echo hi | gzip -n").stdout[:2] == b"\x1f\x8b"


def test_a_results_directory_that_cannot_be_written_costs_no_output(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = cli("run", "--results-dir", "file", "--", sys.executable, "-c", LINES)
    assert done.stdout == WHOLE
    assert done.returncode == 0
    assert b"passed through" in done.stderr


def no_bytecode(home: Path) -> dict[str, str]:
    """Under a limit of file sizes the interpreter would leave cut files."""
    return environment(home) | {"PYTHONDONTWRITEBYTECODE": "1"}


def test_no_room_for_the_output_lets_it_pass(tmp_path: Path) -> None:
    line = f'ulimit -f 1; {sys.executable} -m mcpcompact run -- {sys.executable} -c "$0"; echo $?'  # files of 1 KB
    done = subprocess.run(["bash", "-c", line, LINES], capture_output=True, env=no_bytecode(tmp_path), check=False)
    assert done.stdout == WHOLE + b"0\n"
    assert b"could not be kept" in done.stderr


SECRET = "AKIA" + "QWERTYUIOPASDFGH"
MANY = 24_000  # lines: 1.2 MB, more than a block of what is read


def many(lines: int) -> str:
    return f"import sys\nfor i in range({lines}): print('line', i, 'AWS_ACCESS_KEY_ID={SECRET}')\nsys.exit(3)"


@pytest.mark.parametrize(("limit", "lines_of_it"), [(0, 900), (1, 900), (1000, MANY)])
def test_no_room_for_the_output_lets_it_pass_masked(tmp_path: Path, limit: int, lines_of_it: int) -> None:
    line = f'ulimit -f {limit}; {sys.executable} -m mcpcompact run --mask -- {sys.executable} -c "$0"; echo $?'
    argv = ["bash", "-c", line, many(lines_of_it)]
    done = subprocess.run(argv, capture_output=True, env=no_bytecode(tmp_path), check=False)
    lines = done.stdout.decode().splitlines()
    assert SECRET not in done.stdout.decode() + done.stderr.decode()
    assert [found.split()[1] for found in lines[:-1]] == [str(i) for i in range(lines_of_it)]
    assert len({found.split(" ", 2)[2] for found in lines[:-1]}) == 1
    assert lines[-1] == "3"
    assert b"passed through, not stored" in done.stderr


@pytest.mark.parametrize(
    ("limit", "lines", "masked"),
    [(1 << 12, 900, False), (1 << 12, 900, True), (1 << 20, MANY, True), (1 << 30, 900, True)],
)
def test_output_over_the_most_that_is_kept_passes_as_it_comes(
    tmp_path: Path, limit: int, lines: int, masked: bool
) -> None:
    program = (
        "import sys\nfrom mcpcompact.inputs import command\n"
        f"command.MAX_BYTES = {limit}\nfrom mcpcompact.cli.app import entry\nentry()"
    )
    options = ["--mask"] if masked else []
    argv = [sys.executable, "-c", program, "run", *options, "--", sys.executable, "-c", many(lines)]
    done = subprocess.run(argv, capture_output=True, env=environment(tmp_path), check=False)
    assert done.returncode == 3
    if limit == 1 << 30:
        assert len(done.stdout) < 10_000
        return
    assert (SECRET.encode() in done.stdout) is not masked
    assert done.stdout.count(b"\n") == lines
    assert b"not stored" in done.stderr


def test_what_cannot_be_masked_is_said_and_fails(door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcompact.deadline.REGEX_SECONDS", 0.2)
    rules = "masking:\n  rules:\n    - {name: slow, pattern: '(a+)+b'}\n"
    (tmp_path / "slow.yaml").write_text(rules)
    done = door("run", "--mask", "--config", "slow.yaml", "--", "sh", "-c", "printf a%.0s $(seq 60); echo")
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"not printed" in done.stderr


def test_secrets_are_masked_before_anything_is_kept(cli: Run, tmp_path: Path) -> None:
    secret = "AKIA" + "QWERTYUIOPASDFGH"
    command = ["sh", "-c", f"for i in $(seq 900); do echo line $i AWS_ACCESS_KEY_ID={secret}; done"]
    done = cli("run", "--mask", "--", *command)
    assert secret.encode() not in done.stdout + stored(tmp_path)


def test_a_reader_that_leaves_early_changes_no_exit_code(tmp_path: Path) -> None:
    line = f"{sys.executable} -m mcpcompact run --shell 'seq 400; exit 3' | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment(tmp_path), check=False)
    assert done.stdout == b"3\n"
    assert done.stderr == b""


STEPS = "import time\nfor i in range(2000): print('step', i, flush=True)\n"


def test_ctrl_c_on_a_terminal(tmp_path: Path) -> None:
    """The character on a real terminal: the command ends, what it wrote is kept and summarised."""
    ready = tmp_path / "ready"
    program = f"{STEPS}open({str(ready)!r}, 'w').close(); time.sleep(30)"
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover
        os.chdir(tmp_path)
        argv = [sys.executable, "-m", "mcpcompact", "run", "--budget", "200", "--", sys.executable, "-c", program]
        os.execve(sys.executable, argv, environment(tmp_path))
    wait_for(ready)
    os.write(terminal, b"\x03")
    shown = b""
    try:
        while block := os.read(terminal, 65536):
            shown += block
    except OSError:  # the terminal's other end is closed
        pass
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGINT
    assert b"(exit code 130)" in shown
    assert stored(tmp_path).startswith(b"step 0\nstep 1\n")
    assert b"KeyboardInterrupt" in stored(tmp_path)


def test_an_interrupt_to_mcpcompact_alone_on_a_terminal_reaches_the_command_once(tmp_path: Path) -> None:
    ready, times = tmp_path / "ready", tmp_path / "times"
    program = (
        "import signal, sys, time\n"
        f"times = open({str(times)!r}, 'a', buffering=1)\n"
        "signal.signal(signal.SIGINT, lambda *_: times.write('x\\n'))\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        f"open({str(ready)!r}, 'w').close()\n"
        "while True: time.sleep(0.1)"
    )
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover
        argv = [sys.executable, "-m", "mcpcompact", "run", "--", sys.executable, "-c", program]
        os.execve(sys.executable, argv, environment(tmp_path))
    wait_for(ready)
    os.kill(pid, signal.SIGINT)
    time.sleep(1)
    alone = times.read_text().split()
    os.write(terminal, b"\x03")
    time.sleep(1)
    both = times.read_text().split()
    os.kill(pid, signal.SIGTERM)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert (alone, both, os.waitstatus_to_exitcode(status)) == (["x"], ["x", "x"], 7)


PASSED_ON = ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM")


@pytest.mark.parametrize("number", [getattr(signal, name) for name in PASSED_ON], ids=PASSED_ON)
def test_a_signal_to_mcpcompact_alone_reaches_the_command(tmp_path: Path, number: int) -> None:
    ready = tmp_path / "ready"
    program = (
        "import signal, sys, time\n"
        f"signal.signal({int(number)}, lambda *_: (print('cleaned up'), sys.exit(9)))\n"
        f"open({str(ready)!r}, 'w').close(); time.sleep(30)"
    )
    argv = [sys.executable, "-m", "mcpcompact", "run", "--", sys.executable, "-c", program]
    process = subprocess.Popen(
        argv,
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
        start_new_session=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # a job in the background ignores SIGQUIT
    )
    wait_for(ready)
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (9, b"cleaned up\n")


def wait_for(path: Path) -> None:
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} never came")


def test_memory_does_not_grow_with_the_output(tmp_path: Path) -> None:
    """80 MB are more than is held of any input."""
    program = "import sys\nfor i in range(80): sys.stdout.buffer.write(b'%01048575d\\n' % i)"
    measured = (
        "import hashlib, resource, subprocess, sys\n"
        "argv = [sys.executable, '-m', 'mcpcompact', 'run', '--threshold', '999999999', '--', sys.executable, '-c']\n"
        f"process = subprocess.Popen([*argv, {program!r}], stdout=subprocess.PIPE)\n"
        "print(hashlib.file_digest(process.stdout, 'sha256').hexdigest(), process.wait())\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", measured], capture_output=True, env=environment(tmp_path), check=True)
    digest, code, kilobytes = done.stdout.split()
    whole = b"".join(b"%01048575d\n" % i for i in range(80))
    assert (digest.decode(), code) == (hashlib.sha256(whole).hexdigest(), b"0")
    assert int(kilobytes) < 150_000
