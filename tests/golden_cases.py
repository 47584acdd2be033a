"""What the golden files hold: the samples at three budgets, and small cases of the engine, the notice and detection.

``make golden`` writes them anew; ``test_golden.py`` compares byte for byte.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
sys.path.insert(0, str(ROOT))

from bench.gallery import BUDGETS, TOOLS  # noqa: E402
from mcpcompact import ResultStore, compact, notice  # noqa: E402
from mcpcompact.engine.asked import Answer, Answers  # noqa: E402
from mcpcompact.engine.fill import fill  # noqa: E402
from mcpcompact.outline import Fact, Item, Keep, Lossless, Outline  # noqa: E402
from mcpcompact.tokens import counter  # noqa: E402

count = counter("o200k_base").count
Build = Callable[[], Outline]


def plain(n: int = 10, **marked: tuple[str, Keep, str]) -> list[Item]:
    """Lines of names; ``l4=(text, keep, template)`` takes the place of line 4."""
    items = []
    for i in range(1, n + 1):
        text, keep, template = marked.get(f"l{i}", (f"value_{i} of module_{i % 3} calls handler_{i * 31 % 97}", 0, ""))
        items.append(Item(i, i, f"{i} {text}", Keep(keep), "odd" if keep else "", template))
    return items


def outline(items: list[Item], **more: object) -> Outline:
    facts = more.pop("facts", [Fact(f"{len(items)} lines", 0)])
    return Outline("text", "line", len(items), f"{len(items)} lines", facts, items, **more)  # type: ignore[arg-type]


def kept(n: int, *rows: tuple[int, str, Keep, str]) -> list[Item]:
    return plain(n, **{f"l{at}": (text, keep, template) for at, text, keep, template in rows})


ERRORS = [(i, f"ERROR request {i} failed upstream", Keep.SEVERE, "request failed") for i in range(2, 9)]
RARE = (9, "region eu-south-2 answered once", Keep.RARE, "region")
LONG = "ERROR " + " ".join(f"part_{i}=alpha{i * 7 % 10}" for i in range(60))
FACTS = [Fact("10 lines", 0), *(Fact(f"fact {i}: the count of kind_{i} is {i * 37}", i) for i in range(1, 6))]
STACK = (
    "ERROR job 88 failed\n" + "\n".join(f"  at frame_{i} (job.js:{i})" for i in range(20)) + "\ncaused by: disk full"
)
SECTIONED = [Item(i, i, f"{i} rule_{i} of module_{i}", section=f"── src/{'abc'[i // 4]}.py") for i in range(1, 11)]
UNANCHORED = [Item(i, i, f"name_{i} belongs to team_{i * 7 % 31}") for i in range(1, 31)]
ROWS = [Item(i, i, f"#{i}|ord-{i}|{i * 13 % 7}") for i in range(1, 31)]


def weighted(n: int, *heavy: int) -> list[Item]:
    return [Item(i, i, f"{i} word{i} stands here", weight=3.0 if i in heavy else 1.0) for i in range(1, n + 1)]


def engine() -> Iterator[tuple[str, str]]:
    """Small cases of ``fill``, each named by what it shows."""

    def case(name: str, made: Outline, budget: int = 60, **more: object) -> tuple[str, str]:
        filled = fill(made, budget, count, **more)  # type: ignore[arg-type]
        return (
            f"{name}, {budget} tokens",
            f"{filled.text}\n[{filled.shown} shown{', ' * bool(filled.lossless)}{filled.lossless}]",
        )

    ten = [(i * 19, f"region eu-{i} answered once", Keep.RARE, f"region {i}") for i in range(1, 11)]
    for told in (False, True):
        name = "facts that name what is kept reserve nothing" if told else "room is reserved for kept items"
        yield case(name, outline(kept(200, *ten), facts=[*FACTS, *FACTS[1:], *FACTS[1:]], keeps_told=told), 120)
    yield case("room is reserved for several kept items", outline(kept(10, *ERRORS[:2], RARE), facts=FACTS), 90)
    yield case("rarest template first", outline(kept(10, *ERRORS, RARE)), 40)
    same = [(i, text.replace("ERROR ", ""), Keep.RARE, "request failed") for i, text, _, _ in ERRORS]
    yield case("rarest template first at one rank", outline(kept(10, *same, RARE)), 40)
    yield case("severity before rarity", outline(kept(10, *ERRORS[:1], RARE)), 30)
    yield case("like ones are counted with their places", outline(kept(10, *ERRORS)), 50)
    alike = [(i, f"ERROR request {i} failed upstream", Keep.SEVERE, "request failed") for i in range(2, 200)]
    yield case("a list of like ones that goes on", outline(kept(200, *alike)), 90)
    long = [(3, LONG, Keep.SEVERE, "long"), (5, "ERROR disk full", Keep.SEVERE, "disk"), RARE]
    for budget in (60, 120, 240):
        yield case("a long kept item crowds out none", outline(kept(10, *long)), budget)
    two = [(3, LONG, Keep.SEVERE, "long"), (4, LONG[::-1], Keep.SEVERE, "longer"), RARE]
    yield case("two long ones take alike", outline(kept(10, *two)), 120)
    for budget in (40, 90, 400):
        yield case("a stack trace: head and last line", outline(kept(10, (4, STACK, Keep.SEVERE, "trace"))), budget)
    about = kept(10, (4, LONG, Keep.RARE, "long"))
    about[3].at = LONG.index("part_40")
    yield case("a long line around what it is kept for", outline(about), 90)
    repeated = [Item(i, i, f"{i} alpha_one beta_two" if i % 2 else f"{i} gamma_{i} delta_{i}") for i in range(1, 11)]
    yield case("what is shown does not count again", outline(repeated))
    stale = [Item(1, 1, "1 a_one b_two c_three"), Item(2, 2, "2 a_one b_two"), *plain(10)[2:]]
    yield case("gains are looked at anew", outline(stale), 50)
    overlapping = [Item(i, i, f"{i} {' '.join(f'name_{k}' for k in range(i, i + 4))}") for i in range(1, 21)]
    yield case("gains of overlapping lines", outline(overlapping), 80)
    yield case("first and last item", outline(plain(40)), 60)
    yield case("heavier items first", outline(weighted(40, 17, 23)), 60)
    yield case(
        "weight 0 is never chosen", outline([Item(i, i, f"{i} name_{i}", weight=float(i % 2)) for i in range(1, 11)])
    )
    focused = plain(40)
    focused[22].text = "23 the invoice exporter restarts late"
    yield case("the best answer to the focus first", outline(focused), 50, focus="invoice exporter")
    yield case("without the focus", outline(focused), 50)
    yield case("focus raises what matches", outline(plain(40)), 100, focus="module_2")
    yield case(
        "names that the reader knows weigh less", outline(plain(10)), 60, known={"value_4", "handler_27", "module_1"}
    )
    yield case("names that the request holds weigh more", outline(plain(10)), 60, asked="handler module")
    words = ["ledger", "refund", "invoice", "parcel", "voucher", "basket", "customer", "address"]
    named = [Item(n, n, f"{n} {a}_{b}()") for n, (a, b) in enumerate(permutations(words, 2), 1)]
    for asked in ("", "where is the basket of a voucher"):
        yield case(f"what the request names ({asked or 'nothing'})", outline(named), 60, asked=asked)
    rare = [Item(i, i, f"{i} {'gateway x y' if i == 31 else 'service restarts x'}") for i in range(1, 41)]
    yield case("a rare word of the focus outweighs common ones", outline(rare), 22, focus="service restarts gateway")
    yield case("sections stand above their items", outline(SECTIONED), 60)
    yield case("sections at a larger budget", outline(SECTIONED), 200)
    for budget in (40, 120):
        yield case("gaps are stated", outline(UNANCHORED, anchored=False), budget)
    yield case("rows below their header", outline(ROWS, header="#|id|n"), 60)
    yield case("no room for the header", outline(ROWS, header="#|" + "|".join(f"column_{i}" for i in range(12))), 60)
    yield case("facts by rank", outline(plain(400), facts=FACTS), 100)
    yield case("a fact too long is clipped", outline(plain(400), facts=[Fact("a · b · c · " * 60, 0)]), 60)
    yield case("facts fill what is left", outline(plain(2), facts=FACTS), 100)
    yield case("notes before facts", outline(plain(200), facts=FACTS, notes=["3 lines do not parse"]), 40)
    yield case("notes are always said", outline(plain(10), notes=["3 lines do not parse"]), 40)
    whole = outline(plain(10), lossless=[Lossless("folded", lambda: "all of it, shorter")])
    yield case("lossless first", whole, 40)
    yield case("lossless does not fit", outline(plain(10), lossless=[Lossless("folded", lambda: "x y z " * 99)]), 40)
    nearly = outline(plain(10), lossless=[Lossless("folded", lambda: "x y z " * 16)])
    yield case("lossless nearly fits", nearly, 40)
    yield case("an outline without items", outline([], facts=FACTS), 40)
    yield case("a budget of next to nothing", outline(plain(10)), 5)
    long_lines = [Item(i, i, f"{i} " + " ".join(f"key_{i}_{k}={k * i}" for k in range(40))) for i in range(1, 6)]
    yield case("long lines in pieces", outline(long_lines), 100)
    answer = [Answers([Answer("value_7 asked for", "7 ", "", "get --lines 7:7", 0, 7, 7)], 1)]
    yield case("what was asked for stands first", outline(kept(10, RARE)), 60, answers=answer)
    many = [
        Answers([Answer(f"name_{i}", f"{i} ", first=i, last=i) for i in range(3, 8)], 37, '37 lines match "n": get')
    ]
    yield case("more than five are counted", outline(UNANCHORED, anchored=False), 120, answers=many)
    big = [Answers([Answer(LONG, "3 ", "", "get --lines 3:3", LONG.index("part_50"), 3, 3)], 1)]
    yield case("an answer longer than the room", outline(plain(10)), 90, answers=big)


def notices() -> Iterator[tuple[str, str]]:
    """The lines around the body, in every style, for every reader."""
    facts = notice.NoticeFacts(
        name="get_events",
        original_tokens=48_310,
        headline="1,204 records",
        unit="record",
        total=1_204,
        shown=61,
        reference="3f9c2a1b",
        where=".mcpcompact/results/get_events-3f9c2a1b.json",
        command="mcpcompact results get 3f9c2a1b",
        more=["--where status=failed", "--records 40:60"],
    )
    outcomes: list[tuple[str, bool | None, int | None]] = [
        ("ok", False, None),
        ("failed", True, 2),
        ("unknown", None, None),
    ]
    for told, failed, code in outcomes:
        ended = facts._replace(is_error=failed, exit_code=code)
        for style in ("full", "short", "none"):
            yield f"notice {style}, {told}", "\n---\n".join(notice.render(ended, style, "mcpcompact", count, 1_000))
    for reader in ("shell", "read", "none"):
        yield f"notice for the reader {reader}", "\n---\n".join(notice.render(facts, "full", reader, count, 2_000))
    for budget in (100, 240, 260, 5_000):
        yield f"short notice, budget {budget}", notice.render(facts, "short", "mcpcompact", count, budget)[0]
    facts = facts._replace(reference="", where="", command="")
    yield "notice without a store", "\n---\n".join(notice.render(facts, "full", "mcpcompact", count))
    facts = facts._replace(lossless="as a table")
    yield "notice of a lossless result", "\n---\n".join(notice.render(facts, "full", "mcpcompact", count))


def samples() -> Iterator[tuple[str, str]]:
    """The gallery's samples; file names of a relative directory, so that no path of a machine gets in."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="golden-") as directory:
        os.chdir(directory)
        try:
            store = ResultStore(os.path.join(".mcpcompact", "results"))
            for name, (_, tool, _) in TOOLS.items():
                data = (ROOT / "samples" / name).read_bytes()
                for budget in BUDGETS:
                    made = compact(data, budget=budget, threshold=budget, tool=tool, store=store)
                    yield f"{name}, {budget} tokens: {made.method}", made.text
        finally:
            os.chdir(before)


FILES: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "engine.txt": engine,
    "notice.txt": notices,
    "samples.txt": samples,
}


def written(cases: Iterator[tuple[str, str]]) -> str:
    return "\n".join(f"==== {name}\n{text}\n" for name, text in cases)


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name, cases in FILES.items():
        (GOLDEN / name).write_text(written(cases()), "utf-8")
        print(f"tests/golden/{name}")


if __name__ == "__main__":
    main()
