"""Source as readers want it: rules with their selectors, blocks by name, heads with what is said of them."""

from __future__ import annotations

import re

from mcpcompact import compact


def read(text: str, path: str, budget: int = 400) -> str:
    return compact(text, budget=budget, threshold=100, tool="Read", arguments={"file_path": f"/srv/{path}"}).text


def test_a_rule_of_a_style_sheet_stands_with_its_selectors_and_others_are_named() -> None:
    rules = [
        f".quay-{n} .crane,\n.quay-{n} .berth:hover {{\n  width: {n * 3}px;\n  color: #{n:03x}abc;\n}}\n"
        for n in range(60)
    ]
    out = read("\n".join(rules), "harbour.css")
    assert re.search(r"of 60 rules\b", out) and "further rules: " in out
    shown = re.findall(r"\.quay-(\d+) \.crane,\n +\.quay-(\d+) \.berth:hover \{\n +width: (\d+)px;", out)
    assert len(shown) > 1 and all(a == b and int(c) == int(a) * 3 for a, b, c in shown)
    assert not re.search(r"\.crane,\n\d", out)


def test_the_blocks_of_terraform_are_named() -> None:
    settings = "\n".join(f"  option_{n} = var.option_{n}" for n in range(12))
    text = "\n\n".join(f'resource "aws_sqs_queue" "queue_{name}" {{\n{settings}\n}}' for name in "abcdefgh")
    out = read(text, "main.tf")
    assert "8 of 8 blocks" in out and all(f'resource "aws_sqs_queue" "queue_{name}" {{' in out for name in "abcdefgh")


def test_of_a_component_the_script_comes_before_how_it_looks() -> None:
    script = [f"const berth{n} = ref(find('quay-{n}'))" for n in range(20)]
    styles = [f".berth-{n} {{\n  background: url(/quay/{n}.svg);\n}}" for n in range(60)]
    markup = [f'  <Berth :ship="ships[{n}]" @moored="moor{n}" />' for n in range(6)]
    lines = [
        "<template>",
        *markup,
        "</template>",
        "<script setup>",
        *script,
        "</script>",
        "<style>",
        *styles,
        "</style>",
    ]
    out = read("\n".join(lines), "Harbour.vue")
    assert "const berth0 = ref(find('quay-0'))" in out and "const berth19 =" in out and "</" not in out
    assert out.count("const berth") > 15 and out.count("background:") < 4
