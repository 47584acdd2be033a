"""What shell commands print: ls, find, du, grep, git, and diffs."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import difflib

from bench.truth.case import WORDS, Case, R

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def _entry(r: R, name: str, *, human: bool, folder: bool) -> tuple[str, int]:
    size = 4096 if folder else r.choice([0, r.randint(1, 900), r.randint(1000, 10**7)])
    shown = f"{size / 1024:.1f}K" if human and size >= 1024 else str(size)
    mode = "drwxr-xr-x" if folder else r.choice(["-rw-r--r--", "-rwxr-xr-x"])
    when = f"{r.choice(MONTHS)} {r.randint(1, 28):2} {r.choice(['2023', '12:30', '08:01'])}"
    return f"{mode} 1 root root {shown:>8} {when} {name}", size


def _names(r: R, n: int) -> list[str]:
    return [f"{r.choice(WORDS)}_{i}.{r.choice(['py', 'log', 'md', 'tar.gz', 'txt'])}" for i in range(n)]


def ls(r: R) -> Case:
    human, deep = r.random() < 0.3, r.random() < 0.3
    lines, sizes, folders, names = [], [], 0, []
    for d in range(r.randint(2, 5) if deep else 1):
        if deep:
            lines.append(f"{'' if d == 0 else chr(10)}./{WORDS[d]}:")
        lines.append(f"total {r.randint(10, 999)}")
        for name in _names(r, r.choice([30, 80, 200])):
            folder = r.random() < 0.1
            line, size = _entry(r, name if not folder else name.split(".")[0], human=human, folder=folder)
            lines.append(line)
            folders += folder
            names.append(name if not folder else name.split(".")[0])
            if not folder:
                sizes.append(size)
    return Case(
        "ls",
        "\n".join(lines) + "\n",
        "listing",
        known={"files": len(sizes), "folders": folders, "sizes": sizes, "human": human},
    )


def find(r: R) -> Case:
    n = r.choice([60, 200, 600])
    paths = sorted({"./" + "/".join(r.choices(WORDS, k=r.randint(1, 4))) + "/" + name for name in _names(r, n)})
    return Case("find", "\n".join(paths) + "\n", "listing", known={"paths": paths})


def du(r: R) -> Case:
    n, human = r.choice([40, 120]), r.random() < 0.5
    lines, sizes = [], []
    for i in range(n):
        kb = r.choice([4, 8, r.randint(1, 90_000)])
        sizes.append(kb)
        lines.append(
            f"{f'{kb / 1024:.1f}M' if human and kb > 1024 else (f'{kb}K' if human else kb)}\t./{r.choice(WORDS)}/{i}"
        )
    lines.append(f"{sum(sizes) if not human else f'{sum(sizes) // 1024}M'}\t.")
    return Case("du", "\n".join(lines) + "\n", "listing", known={"human": human, "rows": len(lines)})


def grep(r: R) -> Case:
    hits: list[tuple[str, int]] = []
    lines = []
    for d in range(r.randint(2, 12)):
        path, at = f"src{r.choice(['', '', '/api', '/api/v2', '/tests'])}/{r.choice(WORDS)}{d}.py", 0
        for _ in range(r.randint(1, 60)):
            at += r.randint(1, 40)
            hits.append((path, at))
            lines.append(
                f"{path}:{at}:    {r.choice(['return', 'x = ', 'raise ValueError', '# TODO'])} {r.choice(WORDS)}{r.randint(0, 99)}"
            )
    return Case("grep", "\n".join(lines) + "\n", "grep", known={"hits": hits})


def _body(r: R, n: int) -> list[str]:
    return [f"{'    ' * r.randint(0, 2)}{r.choice(WORDS)} = {r.choice(WORDS)}({r.randint(0, 99)})" for _ in range(n)]


def diff(r: R) -> Case:
    out, files, git, texts, states = [], [], r.random() < 0.6, {}, dict[str, str]()
    for d in range(r.randint(1, 8)):
        old = _body(r, r.choice([20, 60, 150]))
        new = list(old)
        for _ in range(r.randint(1, 14)):
            at = r.randint(0, len(new) - 1)
            what = r.choice(["put", "cut", "change", "indent"])
            if what == "cut" and len(new) > 5:
                del new[at]
            elif what == "put":
                new[at:at] = _body(r, r.randint(1, 6))
            elif what == "indent":
                new[at] = "  " + new[at] if r.random() < 0.5 else new[at].strip()
            else:
                new[at] = new[at].replace("=", "==", 1)
        path = f"src/{r.choice(WORDS)}{d}.py"
        state = r.choice(["new", "deleted", *[""] * 8]) if git else ""
        if r.random() < 0.3:  # one word for another, everywhere
            word, other = r.sample(WORDS, 2)
            new = [line.replace(word, other) for line in old]
        old, new = [] if state == "new" else old, [] if state == "deleted" else new
        hunks = list(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="", n=r.choice([0, 3])))
        if not hunks:
            continue
        if git:
            out += [f"diff --git a/{path} b/{path}", *([f"{state} file mode 100644"] if state else [])]
            states[path] = state
            out += [f"index {r.getrandbits(28):07x}..{r.getrandbits(28):07x} 100644"]
        out += hunks
        added = sum(line[:1] == "+" for line in hunks[2:])
        removed = sum(line[:1] == "-" for line in hunks[2:])
        texts[path] = (old, new)
        files.append((path, added, removed, sum(line[:2] == "@@" for line in hunks)))
    return Case("diff", "\n".join(out) + "\n", "diff", known={"files": files, "texts": texts, "states": states})


def git_log(r: R) -> Case:
    n, lines, authors = r.choice([20, 80, 200]), [], []
    oneline = r.random() < 0.3
    for i in range(n):
        sha, who = (
            f"{r.getrandbits(160):040x}",
            r.choice(["Ada Lovelace <ada@x.org>", "Bo Li <bo@x.org>", "Cy <cy@x.org>"]),
        )
        subject = f"{r.choice(['Fix', 'Add', 'Drop'])} {r.choice(WORDS)} {i}"
        subject = "Bump version" if n > 20 and i % 9 == 5 and not oneline else subject
        subject = f"Revert {subject}" if i % 40 == 17 and subject != "Bump version" and not oneline else subject
        authors.append(who)
        if oneline:
            lines.append(f"{sha[:7]} {subject}")
            continue
        lines += [
            f"commit {sha}",
            f"Author: {who}",
            f"Date:   Mon Mar {28 - i % 28} 10:{i % 60:02}:00 2024 +0100",
            "",
            f"    {subject}",
            "",
        ]
    return Case(
        "git-log", "\n".join(lines) + "\n", "git", known={"commits": n, "authors": None if oneline else authors}
    )


def git_blame(r: R) -> Case:
    n = r.choice([40, 150, 400])
    commits = [(f"{r.getrandbits(32):08x}", r.choice(["Ada L", "Bo Li", "Cy"])) for _ in range(r.randint(2, 20))]
    body, lines, used = _body(r, n), [], []
    for i, text in enumerate(body, 1):
        sha, who = r.choice(commits)
        used.append((sha, who))
        lines.append(f"{sha} ({who:8} 2024-0{1 + int(sha[0], 16) % 9}-1{i % 3} 10:00:00 +0100 {i:4}) {text}")
    return Case("git-blame", "\n".join(lines) + "\n", "git", known={"lines": n, "blame": used})


def web(r: R) -> Case:
    """Several web searches, one below the other: ranks start again, or the query is repeated."""
    lines, firsts, sizes = ["exitcode: 0"], [], []
    echoed = r.random() < 0.5
    for _ in range(r.randint(2, 8)):
        sizes.append(r.randint(3, 10))
        lines += [f"Results for {r.choice(WORDS)} harbour:"] if echoed else []
        for n in range(sizes[-1]):
            lines += [] if echoed else [f"Search Result {n + 1}:"]
            firsts += [len(lines) + 1] if not n else []
            said = " ".join(r.choices([*WORDS, "the", "and", str(r.randint(2, 999))], k=r.randint(14, 50)))
            lines += [
                f"Page {n} of {r.choice(WORDS)}",
                f"https://h{n}.example/{r.choice(WORDS)}",
                f"{said.capitalize()}.",
            ]
    return Case("web", "\n".join(lines) + "\n", "text", known={"paragraphs": 1, "firsts": firsts, "sizes": sizes})
