"""Page snapshots of browser tools and reStructuredText: recognised as markup, what matters on whole lines, first."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import re

import pytest

from mcpcompact import compact
from mcpcompact.content.detect import detect
from mcpcompact.source import Source


def playwright(orders: int = 40) -> str:
    head = """### Page state
- Page URL: https://shop.example/orders
- Page Title: All purchases
- Page Snapshot:
```yaml
- generic [active] [ref=e1]:
  - banner [ref=e2]:
    - searchbox "Find something" [ref=e4]
    - button "Sign out" [ref=e5]
  - alert [ref=e6]:
    - paragraph [ref=e7]: The payment was refused
  - main [ref=e8]:
    - heading "Orders" [level=1] [ref=e9]
"""
    rows = [
        f"    - listitem [ref=e{i}0]:\n      - link \"Order {4700 + i}\" [ref=e{i}1] [cursor=pointer]:\n"
        f"        - /url: /orders/{4700 + i}\n      - generic [ref=e{i}2]: {i * 17 % 90}.50 EUR\n"
        f"      - button \"Cancel order {4700 + i}\" [ref=e{i}3]\n"
        for i in range(1, orders + 1)
    ]  # fmt: skip
    return head + "".join(rows) + '    - checkbox "Only open ones" [checked] [ref=e901]\n```\n'


def chrome(orders: int = 60) -> str:
    rows = [
        f'  uid=1_{i}0 link "Order {4700 + i}" url="https://shop.example/{i}"\n  uid=1_{i}1 StaticText "{i} EUR"\n'
        f'  uid=1_{i}2 button "Cancel {4700 + i}"\n'
        for i in range(1, orders + 1)
    ]
    return 'uid=1_0 RootWebArea "Orders"\n  uid=1_1 heading "Open orders" level="1"\n' + "".join(rows)


def bracketed(orders: int = 60) -> str:
    rows = [
        f"\t[{3 * i}] link 'Order {4700 + i}', clickable\n\t\tStaticText '{i} EUR'\n\t[{3 * i + 1}] button 'Cancel {4700 + i}'\n"
        for i in range(1, orders + 1)
    ]
    return "[1] RootWebArea 'Orders', focused\n\t[2] heading 'Open orders'\n" + "".join(rows)


def tags(orders: int = 60) -> str:
    rows = [
        f"[{2 * i}]<a>Order {4700 + i}</a>\n{i}.50 EUR\n[{2 * i + 1}]<button>Cancel {i}</button>\n"
        for i in range(orders)
    ]
    return "[Start of page]\n" + "".join(rows)


@pytest.mark.parametrize("make", [playwright, chrome, bracketed, tags])
def test_trees_of_pages_are_page_snapshots(make: object) -> None:
    text = make()  # type: ignore[operator]
    made = compact(text, budget=400, threshold=400, tool="browser_snapshot")
    assert made.content_type == "markup" and made.text.split("\n")[1].startswith("Page snapshot: ")
    elements = {line.strip().removeprefix("- ") for line in text.split("\n")}
    shown = [line.split(" ", 1)[1] for line in made.text.split("\n")[2:-1] if line[:1].isdigit()]
    assert len(shown) > 8
    assert all(
        line in elements or line.split(": /url: ")[0] + ":" in elements for line in shown
    )  # role, name, reference


def test_controls_headings_and_alerts_come_first() -> None:
    shown = compact(playwright(), budget=500, threshold=500, tool="browser_snapshot").text
    for wanted in (
        "Page URL: https://shop.example/orders", "Page Title: All purchases", 'heading "Orders" [level=1] [ref=e9]',
        'searchbox "Find something" [ref=e4]', 'button "Sign out" [ref=e5]', 'checkbox "Only open ones" [checked] [ref=e901]',
        "paragraph [ref=e7]: The payment was refused",
    ):  # fmt: skip
        assert wanted in shown
    assert "41 buttons" in shown and "40 links" in shown and "1 searchbox" in shown


def test_a_link_and_its_address_stand_on_one_line() -> None:
    shown = compact(playwright(), budget=400, threshold=400, tool="browser_snapshot", focus="Order 4717").text
    assert 'link "Order 4717" [ref=e171] [cursor=pointer]: /url: /orders/4717' in shown


def grid(rows: int = 50) -> str:
    head = """- generic [ref=e1]:
  - navigation "Main" [ref=e2]:
    - link "Berths" [ref=e3] [cursor=pointer]:
      - /url: /berths
    - link [ref=e4] [cursor=pointer]:
      - /url: /keepers
      - generic [ref=e5]: Keepers
  - combobox "Zone" [ref=e6]:
    - option "All" [selected]
    - option "North"
  - table "Ships" [ref=e7]:
"""
    body = [
        f'    - row "Ship {n} zone{n % 7} {n * 13}" [ref=r{n}0]:\n      - cell "Ship {n}" [ref=r{n}1]\n'
        f'      - cell "zone{n % 7}" [ref=r{n}2]\n      - cell [ref=r{n}3]:\n        - button "Move" [ref=r{n}4]\n'
        for n in range(1, rows + 1)
    ]
    return head + "".join(body)


def test_what_a_row_says_is_not_said_again_by_its_cells() -> None:
    shown = compact(grid(), budget=400, threshold=400).text
    assert shown.count('row "Ship ') >= 8 and 'cell "' not in shown


def test_links_and_boxes_stand_on_one_line_with_their_words_and_options() -> None:
    shown = compact(grid(), budget=400, threshold=400).text
    assert 'link "Berths" [ref=e3] [cursor=pointer]: /url: /berths' in shown
    assert "link [ref=e4] [cursor=pointer]: /url: /keepers generic [ref=e5]: Keepers" in shown
    assert 'combobox "Zone" [ref=e6]: · option "All" [selected] · option "North"' in shown


def test_of_a_box_with_many_options_only_the_first_are_shown_and_counted() -> None:
    options = "".join(f'    - option "Land {n}"\n' for n in range(300))
    text = f'- generic [ref=e1]:\n  - combobox "Land" [ref=e2]:\n{options}  - button "Go" [ref=e3]\n'
    made = compact(text, budget=400, threshold=400).text
    assert 'option "Land 11" · …' in made and "Land 12" not in made and 'button "Go" [ref=e3]' in made
    assert int(made.partition(" of 303 lines shown")[0].rpartition(" ")[2]) <= 15


@pytest.mark.parametrize(
    "text",
    [
        "steps:\n- name: build\n- button: red\n- link: https://a.example\n- text: hello\n- list: 1\n- table: x\n",
        "- alert the team\n- button up the release\n- link the issue\n- table the motion\n- form a group\n",
        "".join(f"[{i}] list {i} of things done\n" for i in range(3)),
    ],
)
def test_lists_that_use_such_words_are_none(text: str) -> None:
    assert "elements of a page" not in detect(Source.of_text(text)).why


def rst() -> str:
    parts = ["=======\nWidgets\n=======\n\n.. contents::\n\nWidgets draw themselves. See :ref:`painting` for how.\n"]
    for i in range(25):
        title = f"Painting with {'oil' if i == 9 else 'colour'} number {i}"
        parts.append(
            f"{title}\n{'-' * len(title)}\n\nThis section explains how it works with ``widget_{i}``, in some more words.\n\n"
            f".. code-block:: python\n\n    w = Widget({i})\n    w.paint(level={i})\n"
        )
        if i == 12:
            parts.append(".. warning::\n\n   Never paint outside of the main thread.\n")
        if i == 14:
            parts.append("Layers\n~~~~~~\n\nThey follow::\n\n    a = 1\n")
    return "\n".join(parts)


def test_rst_is_markup_with_its_titles_as_headings() -> None:
    text = rst()
    made = compact(text, budget=500, threshold=500, tool="read")
    lines, shown = text.split("\n"), made.text.split("\n")
    assert made.content_type == "markup" and shown[1].startswith('reStructuredText "Widgets", ')
    headings = [re.fullmatch(r"(?:(\d+) )?#+ (.*?)(?: …)?", line) for line in shown]
    titles = [(found[1], found[2]) for found in headings if found]
    assert len(titles) >= 6  # one right below what is shown needs no number
    assert all(lines[int(number) - 1] == title if number else title in lines for number, title in titles)
    assert "2 # Widgets …" in shown  # what stands right below it is not shown
    assert any(line.endswith("Never paint outside of the main thread.") for line in shown)
    assert not any(set(line.split(" ")[-1]) <= {"-", "="} for line in shown[2:-1] if line)  # underlines say nothing


def test_source_whose_doc_strings_are_rst_is_code() -> None:
    body = "".join(
        f'def step_{i}(a):\n    """Step {i}.\n\n    See :func:`step_{i + 1}`.\n\n    .. note:: none\n    """\n    return a + {i}\n\n'
        for i in range(20)
    )
    assert detect(Source.of_text('"""\nSteps\n=====\n\nSee :mod:`other`.\n"""\n\n' + body)).content_type == "code"
