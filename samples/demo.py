"""The main job on the samples: summarize, fetch what the summary points at, count, list, verify.

Run by ``make demo``. Every block is a command as it is typed and its real output.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ".demo"
SHOWN = (
    ("events.json", "get_events", "A deployment API answers with 400 events. One of them failed."),
    ("service.log", "read_log", "A service wrote 2,406 lines. One job crashed."),
    ("barcodes.fasta", "get_sequences", "100 barcodes of about 500 residues. Some are not like the others."),
    ("orders.csv", "export_orders", "600 orders. One payment was declined, one amount is absurd, one carrier is new."),
)
COLORS = {"command": "1;36", "title": "1", "quiet": "2"}
COLORED = sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def main() -> int:
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    shutil.rmtree(RESULTS, ignore_errors=True)
    say("mcpcompact: tool output into a hard token budget, nothing lost.", "title")
    say(f"Everything below is a command and its output; full results are kept in {RESULTS}/.", "quiet")
    for name, tool, what in SHOWN:
        say(f"\n━━ {what}", "title")
        summary = run("summarize", f"samples/{name}", "--tool", tool, "--budget", "300")
        before, after = (tokens(text) for text in (Path("samples", name).read_text(), summary))
        say(f"{before:,} tokens became {after:,}: {100 * (1 - after / before):.1f} % saved.\n", "quiet")
        command = printed(summary)
        odd = ", and so is the odd part" if any(word.startswith("--") for word in command) else ""
        say(f"The full result is one command away{odd}. As the notice says:", "quiet")
        run(*command, head=12)
    say("\n━━ A long log piece by piece, and a list page by page", "title")
    run("chunk", "samples/service.log", "--tokens", "300", "--index", "40", head=6)
    run("paginate", "samples/events.json", "--limit", "2", "--sort", "seconds:desc", "--fields", "id,service,seconds")
    say("\n━━ What would it have saved in a whole session, and what would it have lost?", "title")
    compared = ("none", "head-tail:1000", "mcpcompact:1000,1000")
    run("replay", "samples/session.json", *(part for policy in compared for part in ("--policy", policy)), head=24)
    say("\n━━ What the samples cost whole", "title")
    run("count", *sorted(str(path) for path in Path("samples").iterdir() if path.is_file() and path.suffix != ".py"))
    say("\n━━ What was kept, byte for byte", "title")
    run("results", "list")
    run("results", "verify")
    say("\nTry your own: mcpcompact summarize FILE, or pipe a tool's output into it.", "title")
    return 0


def printed(summary: str) -> list[str]:
    """The arguments of the command that the notice prints, with the first selector it offers."""
    line = next(line for line in summary.split("\n") if "mcpcompact results get" in line)
    return shlex.split(line[line.index("results get") :].split(" | ")[0])


def run(*args: str, head: int = 0) -> str:
    """Show a command, run it, show what it prints (its first ``head`` lines); returns stdout."""
    say(f"$ mcpcompact {shlex.join(args)}", "command")
    done = subprocess.run(
        [sys.executable, "-m", "mcpcompact", *args],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "MCPCOMPACT_RESULTS_DIR": RESULTS},
    )
    lines = (done.stdout + done.stderr).rstrip("\n").split("\n")
    for line in lines[: head or None]:
        print(line if len(line) <= 400 else line[:400] + "…")
    if head and len(lines) > head:
        say(f"… {len(lines) - head:,} more lines", "quiet")
    sys.stdout.flush()
    if done.returncode:
        raise SystemExit(f"exit code {done.returncode}")
    return done.stdout


def tokens(text: str) -> int:
    from mcpcompact import count

    return count(text).tokens


def say(text: str, style: str) -> None:
    print(f"\x1b[{COLORS[style]}m{text}\x1b[0m" if COLORED else text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
