"""Short statements of a program: which lines belong together, and that they stand together."""

from mcpcompact import compact
from mcpcompact.engine.choice import Piece
from mcpcompact.engine.fill import fill
from mcpcompact.engine.statements import statements
from mcpcompact.outline import Item, Outline

SOURCE = """\
1 func moor(ship Ship) error {
2     rope, err := store.Rope(
3         ship, "hawser.json",
4     )
5     if err != nil {
6         return err
7     } else if rope.Worn() {
8         rope = spare
9     }
11    rope.Pull()
12 }"""


def test_a_statement_holds_what_stands_deeper_and_what_closes_it() -> None:
    numbered = [(int(line.split(" ", 1)[0]), line) for line in SOURCE.split("\n")]
    items = [Item(n, n, text, part=("signatures", 1) if n == 1 else ("", 0)) for n, text in numbered]
    found = statements(items, [Piece(i, 0, len(item.text), ()) for i, item in enumerate(items)])
    of = {items[n].start: [items[m].start for m in run] for n, run in found.items()}
    assert of == {line: each for each in ([2, 3, 4], [5, 6, 7, 8, 9]) for line in each}


def test_the_rest_of_a_call_stands_with_it_where_that_says_as_much() -> None:
    calls = [
        f"\tpull{n}, err := store.PullWinch{n}(\n\t\tship.Rope{n},\n\t\tlimits.MaxLoad{n},\n\t\twinch.Report{n},\n\t)\n"
        for n in range(80)
    ]
    source = "package moor\n\nfunc MoorAll(ship Ship) error {\n" + "\n".join(calls) + "\treturn nil\n}\n"
    text = compact(source, budget=500, threshold=500, tool="Read").text
    begun = sum(f"store.PullWinch{n}(" in text for n in range(80))
    whole = sum(call.split(" ", 1)[1].rstrip("\n") in text for call in calls)
    assert begun >= 8 and whole >= begun - 2, text


def test_where_most_fits_few_large_holes_are_left() -> None:
    """Names that the file has already shown are no reason to leave out what decides."""
    steps = [
        f'\tlog.Println("berth{n} cleared by HarbourOffice{n} at {n}:15")\n\tif ship.Draught > berth.Depth {{\n'
        "\t\tberth = berth.Next\n\t}\n"
        for n in range(12)
    ]
    source = "package moor\n\nfunc Moor(ship Ship, berth Berth) Berth {\n" + "".join(steps) + "\treturn berth\n}\n"
    text = compact(source, budget=430, threshold=430, tool="Read").text
    assert text.count("ship.Draught > berth.Depth {\n\t\tberth = berth.Next") >= 9, text
    assert text.count(" …\n") <= 2, text


def test_what_is_chosen_has_its_room_before_what_stands_between_the_lines_above_it() -> None:
    texts = [
        "1 def moor():",
        "2   rope = 1",
        "3   pull = 2",
        "4   if worn:",
        "5     berth = Harbour.spare(quay) # north",
    ]
    items = [Item(n, n, text, under=(0, 0, 1, 1, 1, 4)[n]) for n, text in enumerate(texts, 1)]
    items[4].weight = 1.5
    outline = Outline(content_type="code", unit="line", total=5, headline="", items=items, nested=True)
    for budget in range(14, 20):
        text = fill(outline, budget, lambda text: len(text.split())).text
        assert "Harbour.spare" in text, (budget, text)
