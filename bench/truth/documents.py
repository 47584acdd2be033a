"""Nested JSON, XML, HTML, Markdown, YAML, TOML, source code and prose."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import json
from typing import Any

from bench.truth.case import CITIES, FAILED, FINE, WORDS, Case, R


def _tree(r: R, depth: int) -> Any:
    if depth == 0 or r.random() < 0.15:
        return r.choice(
            [r.randint(-5, 99), r.random(), True, None, r.choice(FINE), r.choice(CITIES), "100m", "", 10**17]
        )
    if r.random() < 0.25:
        return [_tree(r, depth - 1) for _ in range(r.randint(0, 5))]
    return {r.choice(WORDS) + r.choice(["", ".x", "_id"]): _tree(r, depth - 1) for _ in range(r.randint(1, 5))}


def nested(r: R) -> Case:
    tree: dict[str, Any] = {f"{w}": _tree(r, r.randint(2, 5)) for w in r.sample(WORDS, r.randint(3, 9))}
    bad = r.choice([0, 0, 1, 3])
    tree["checks"] = {
        f"{w}-{i}": {
            "state": r.choice(FAILED) if i < bad else "ok",
            "ms": 30004 if i == 5 and bad else r.randint(1, 100),
        }
        for i, w in enumerate(r.choices(WORDS, k=r.choice([8, 30])))
    }
    if r.random() < 0.4:
        tree["api"] = {f"{w}_url": f"https://example.test/{w}{{/id}}" for w in WORDS[: r.randint(2, 17)]}
        tree["headers"] = {"accept": "*/*", "via": "1.1 proxy"}
    return Case(
        "nested", json.dumps(tree, indent=r.choice([None, 2]), ensure_ascii=False), "json", known={"tree": tree}
    )


def xml(r: R) -> Case:
    n, lines, tags = r.choice([20, 80, 200]), ['<?xml version="1.0"?>', '<library name="x">'], []
    tags.append("library")
    for i in range(n):
        status = r.choice(FAILED[:2]) if r.random() < 0.02 else "ok"
        lines.append(
            f'  <book id="b{i}" state="{status}"><title>{r.choice(WORDS)} {i}</title><pages>{r.randint(1, 900)}</pages></book>'
        )
        tags += ["book", "title", "pages"]
        if r.random() < 0.1:
            lines.append("  <shelf/>")
            tags.append("shelf")
    return Case("xml", "\n".join([*lines, "</library>", ""]), "markup", known={"tags": tags, "format": "xml"})


def html(r: R) -> Case:
    lines, tags, heads, links = (
        ["<!DOCTYPE html>", "<html><head><title>T &amp; U</title></head><body>"],
        ["html", "head", "title", "body"],
        0,
        0,
    )
    for i in range(r.choice([5, 20, 50])):
        lines.append(f"<h{1 + i % 3}>{r.choice(WORDS)} {i}</h{1 + i % 3}>")
        tags.append(f"h{1 + i % 3}")
        heads += 1
        for _ in range(r.randint(1, 4)):
            link = r.random() < 0.5
            lines.append(
                f"<p>{' '.join(r.choices(WORDS, k=12))} "
                + (f'<a href="https://x.org/{i}">more</a>' if link else "")
                + "</p>"
            )
            tags += ["p"] + ["a"] * link
            links += link
    return Case(
        "html",
        "\n".join([*lines, "</body></html>", ""]),
        "markup",
        known={"tags": tags, "heads": heads, "links": links, "format": "html"},
    )


def markdown(r: R) -> Case:
    lines, heads, links, blocks = ["# Title", ""], 1, 0, 0
    boxes, share = list[str](), r.choice([0, 0, 0.2, 0.9])  # signs of check boxes
    for i in range(r.choice([6, 20, 60])):
        lines += [f"{'#' * r.randint(2, 4)} {r.choice(WORDS)} {i}", ""]
        heads += 1
        for _ in range(r.randint(1, 3)):
            link = r.random() < 0.3
            lines += [" ".join(r.choices(WORDS, k=25)) + (f" [more](https://x.org/{i})" if link else "") + ".", ""]
            links += link
        signs = r.choices("x ", [share, 1 - share], k=r.randint(1, 4)) if share and r.random() < 0.5 else []
        lines += [*(f"- [{sign}] {' '.join(r.choices(WORDS, k=5))}" for sign in signs), ""] * bool(signs)
        boxes += signs
        if r.random() < 0.2:
            lines += ["```python", "# no heading", "- [ ] no box", f"x = {i}", "```", ""]
            blocks += 1
    return Case(
        "markdown",
        "\n".join(lines),
        "markup",
        known={"heads": heads, "links": links, "blocks": blocks, "boxes": boxes, "format": "markdown"},
    )


def changelog(r: R) -> Case:
    """Releases as headings or, the last ones, as lines in bold; some of them change nothing."""
    n, bold, lines, places = r.randint(3, 40), r.randint(0, 4), ["# Changelog", ""], list[tuple[str, int]]()
    for i in range(n, 0, -1):
        name = f"{r.choice(['', 'v'])}2.{i}.0"
        places.append((name, len(lines) + 1))
        lines += [f"**{name} (2024-01-{i % 28 + 1:02})**" if i <= min(bold, n // 3) else f"## {name}", ""]
        entries = [
            f"- {r.choice(['Remove', 'Fix', 'Add'])} {' '.join(r.choices(WORDS, k=r.randint(4, 40)))}"
            for _ in range(r.randint(1, 5))
        ]
        lines += [*(entries if r.random() < 0.8 else ["There are no changes since the last release."]), ""]
    return Case("changelog", "\n".join(lines), "markup", known={"releases": places, "format": "markdown"})


def yaml(r: R) -> Case:
    n = r.choice([10, 40, 100])
    rows = [
        {
            "name": f"{r.choice(WORDS)}-{i}",
            "cpu": f"{r.choice([100, 250])}m",
            "replicas": r.randint(0, 9),
            "on": r.random() < 0.5,
            "state": r.choice(FAILED[:3]) if r.random() < 0.03 else "ok",
        }
        for i in range(n)
    ]
    lines = ["kind: List", "items:"] if r.random() < 0.5 else []
    toml = not lines and r.random() < 0.5
    for row in rows:
        if toml:
            lines += ["[[items]]", *(f"{k} = {json.dumps(v)}" for k, v in row.items()), ""]
        else:
            lines += [
                f"{'- ' if k == 'name' else '  '}{k}: {json.dumps(v) if isinstance(v, bool) else v}"
                for k, v in row.items()
            ]
    return Case("toml" if toml else "yaml", "\n".join(lines) + "\n", "records", rows=rows)


def source(r: R) -> Case:
    go = r.random() < 0.4
    lines = ["package main", "", 'import "fmt"', ""] if go else ['"""A module."""', "", "import os", "import sys", ""]
    defs: list[tuple[str, int, int]] = []
    for i in range(r.choice([6, 25, 60])):
        name, first = f"{r.choice(WORDS)}{i}", len(lines) + 1
        body = [f"{r.choice(WORDS)} {':=' if go else '='} {r.randint(0, 99)}" for _ in range(r.randint(1, 12))]
        if go:
            lines += [f"func {name}(a int) int {{", *("\t" + b for b in body), "\treturn a", "}"]
        elif r.random() < 0.3:
            lines += [f"class {name.title()}:", f"    def run{i}(self):", *("        " + b for b in body)]
            name = name.title()
        else:
            lines += [f"def {name}(a, b={i}):", *("    " + b for b in body), "    return a"]
        defs.append((name, first, len(lines)))
        lines += ["", ""] if not go else [""]
    return Case("go" if go else "python", "\n".join(lines), "code", known={"defs": defs})


def prose(r: R) -> Case:
    paragraphs = []
    for _ in range(r.choice([10, 40, 120])):
        sentences = []
        for _ in range(r.randint(2, 7)):
            words = r.choices([*WORDS, "the", "and", "of"], k=r.randint(5, 20))
            if r.random() < 0.1:
                words.insert(2, str(r.choice([r.randint(0, 39), 12_000_000, r.randint(0, 5000)])))
            sentences.append(" ".join(words).capitalize() + ".")
        paragraphs.append(" ".join(sentences))
    return Case("prose", "\n\n".join(paragraphs) + "\n", "text", known={"paragraphs": len(paragraphs)})


def numbers(r: R) -> Case:
    n = r.choice([300, 1500])
    top = r.choice([9, 1000])
    values = [r.randint(0, top) for _ in range(n)] if r.random() < 0.5 else list(range(1, n + 1))
    return Case("numbers", "\n".join(map(str, values)) + "\n", "text", known={"values": values})
