"""The page of ``replay --html``: complete in itself, safe with hostile results, the same bytes each time, readable."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import replay
from mcpcompact.replaying.figures import Figures, Loss, Report, Row
from mcpcompact.replaying.page import MAX_BYTES, page
from mcpcompact.replaying.page.markup import escaped
from mcpcompact.replaying.page.words import finding
from mcpcompact.transcripts import Message, Transcript
from tests.chromium import Chromium, binary
from tests.conftest import corpus
from tests.replaying.test_replay import HITS, Run, said, session, write_pi

HOSTILE = (
    "</script></style></pre></details><script>console.log('ran')</script><img src=x onerror=console.log('ran')>"
    "<svg onload=console.log(1)><base href=http://x.example/><link rel=stylesheet href=http://x.example/a.css>"
    "\x1b[31mred\x1b[0m \x00 \x07 \u202eesrever\u202c \u2066iso\u2069 \ud800 \ufeff \u200b &lt;b&gt; &#60; ' \" ` \r\n"
)
NAME = "<b onmouseover='console.log(2)'>\u202e\x00\"quoted\""

VOID = {"meta", "link", "input", "br", "img", "base", "hr", "col"}


class Reader(HTMLParser):
    """What a browser would find: every element with its attributes, and whether all are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), tag
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, *tags: str) -> Iterator[dict[str, str]]:
        return (attributes for tag, attributes in self.elements if tag in tags)


def hostile(lines: int = 400) -> Transcript:
    """A session in which every text is an attack."""
    text = "".join(f"{HOSTILE}line {n} in store/lease_{n}.py {NAME}\n" for n in range(lines))
    uses = (said(HOSTILE, (NAME, {"path": f"store/lease_{n}.py", "why": HOSTILE})) for n in range(150, 220, 7))
    steps = [part for use in uses for part in (use, f"done {HOSTILE}")]
    made = session(Message("user", "find it"), said("", (NAME, {"path": "a.py"})), text, *steps, name=f"{NAME}{lines}")
    made.source = f"/home/someone/{NAME}.jsonl"
    return made


REFERS = "cmd:echo '<script> mcpcompact results get 3f9c2a1b'"
POLICIES = ["none", "head:300", "mcpcompact:300,300", "clear-old:1000,1", REFERS]


@pytest.fixture(scope="module")
def report() -> Report:
    return replay([hostile(), hostile(200)], policies=POLICIES)


@pytest.fixture(scope="module")
def made(report: Report) -> str:
    return page(report, "mcpcompact 0")


# -- what may stand in it ---------------------------------------------------------------------


def test_nothing_in_a_transcript_is_more_than_text(made: str) -> None:
    read = Reader(made)
    assert not {tag for tag, _ in read.elements} & {
        "script",
        "img",
        "base",
        "iframe",
        "object",
        "form",
        "b onmouseover",
    }
    assert [dict(link) for link in read.all("link")] == [{"rel": "icon", "href": "data:,"}]
    for tag, attributes in read.elements:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset")], tag
        assert attributes.get("href", "#").startswith(("#", "data:,")), tag
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", made)
    assert "@import" not in made and "url(" not in made
    assert "&lt;/script&gt;" in made and "␀" in made and "␛[31m" in made and "‹U+202E›" in made
    assert "script-src" not in made and "default-src 'none'" in made, "nothing allows a script"


@given(st.text(st.characters(), max_size=40))
@settings(max_examples=200, deadline=None)
def test_escaping_gives_text_back_but_for_signs(text: str) -> None:
    from html import unescape

    shown = escaped(text)
    assert not set(shown) & set("<>\"'\x00\x1b\u202e")
    shown.encode()
    if text.isprintable() and "‹" not in text:
        assert unescape(shown) == text or re.search(r"‹U\+", shown)


def test_the_same_report_is_the_same_page(report: Report, made: str) -> None:
    assert page(report, "mcpcompact 0") == made
    assert page(replay([hostile(), hostile(200)], policies=POLICIES), "mcpcompact 0") == made


def test_the_command_writes_it_and_names_no_place(cli: Run, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    for n in range(2):
        write_pi(folder / f"{n}.jsonl", HITS[n:])
    (folder / "broken.jsonl").write_text("{not a transcript}")
    args = [folder.resolve(), "--policy", "none", "--policy", "head:100", "--policy", "mcpcompact:500,500"]
    for n, more in enumerate(([], ["--jobs", "2"])):
        done = cli("replay", *args, *more, "--html", f"{n}.html")
        assert done.returncode == 0, done.stderr
        assert f"written: {n}.html" in done.stderr.decode()
    text = (tmp_path / "0.html").read_text("utf-8")
    assert text == (tmp_path / "1.html").read_text("utf-8")
    assert str(tmp_path) not in text and "--html FILE" in text and "0.jsonl" in text
    assert "--policy mcpcompact:500,500" in text
    Reader(text)


def test_a_page_stays_small() -> None:
    specs = ["none", *(f"cmd:{'x' * 300}{n}" for n in range(60))]
    big = Report(specs)
    for n in range(40):
        row = Row(f"/a/{n}{NAME}", f"format{n}", result_tokens=n, calls=30_000)
        row.growth = {spec: list(range(30_000)) for spec in specs} if n > 35 else {}
        row.problems = ["<" * 100_000] * 10
        big.rows.append(row)
    for spec in specs:
        figures = Figures(spec, sessions=40, results=900, before=10**9, billed=10**9, billed_none=2 * 10**9)
        figures.fates.note(0, "keptInContext", 500)
        figures.fates.note(0, "lost", 500)
        big.policies.append(figures)
    for dimension in ("format", "tool", "type"):
        big.groups[dimension] = {f"{'<' * 500}{n}": big.policies for n in range(300)}
    for n, spec in enumerate(specs * 5):
        fates = dict.fromkeys(specs, "lost")
        big.losses.append(
            Loss(spec, f"/a/{n}", n, "<" * 9_000, "<" * 9_000, "strong", "lost", 1, "<" * 9_000, "\x00" * 9_000, 2, 9,
                 9, 10, 1, "\u202e" * 6_000, "'" * 6_000, 0, 10**6, 10**6, fates, dict.fromkeys(specs, 1))
        )  # fmt: skip
    text = page(big)
    assert len(text.encode()) < MAX_BYTES
    assert "The texts are left out, to keep the page small" in text and "smaller ones are left out" in text
    assert "A point is the largest of" in text
    Reader(text)


# -- what it says -----------------------------------------------------------------------------


def test_the_markup_is_sound(made: str) -> None:
    read = Reader(made)
    every = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert [ident for ident, times in Counter(every).items() if times > 1] == []
    for _, attributes in read.elements:
        named = [attributes.get("href", "").removeprefix("#")] if attributes.get("href", "").startswith("#") else []
        named += [*attributes.get("aria-labelledby", "").split(), attributes.get("popovertarget", "")]
        assert all(ident in every for ident in named if ident)
    for picture in read.all("svg"):
        assert picture.get("aria-hidden") == "true" or (picture["role"] == "img" and picture["aria-labelledby"])
    tags = Counter(tag for tag, _ in read.elements)
    assert tags["table"] == tags["caption"] >= 5
    assert all("scope" in head for head in read.all("th"))
    assert tags["h1"] == tags["main"] == tags["header"] == tags["nav"] == 1
    for frame in (a for a in read.all("div") if a.get("class") == "scroll"):
        assert frame["tabindex"] == "0" and frame["role"] == "region" and frame["aria-label"]


def test_what_it_shows_is_what_was_found(report: Report, made: str) -> None:
    for figures in report.policies:
        assert f"<td>{figures.billed:,}</td>" in made or f"</i> {figures.billed:,}</td>" in made
    assert made.count("Before and after of result") == len({(loss.source, loss.position) for loss in report.losses})
    assert all(f'class="fate {fate}"' in made for fate in ("reachable", "lost"))
    loss = report.losses[0]
    assert set(loss.fates) == set(POLICIES) and loss.fates["none"] == "keptInContext"
    assert loss.kept["none"] == loss.uses > loss.kept["head:300"]
    assert (loss.chars_before, loss.before) == (len(HOSTILE_TEXT), HOSTILE_TEXT[loss.excerpt_at :][:6_000])


HOSTILE_TEXT = next(message.text for message in hostile().messages if message.result)


def _with(policy: str, net: int, kept: int, total: int = 1000) -> Figures:
    figures = Figures(policy, billed=1000 - net, billed_none=1000)
    figures.fates.note(0, "keptInContext", kept)
    figures.fates.note(0, "lost", total - kept)
    return figures


def test_the_finding_is_fair() -> None:
    def of(*policies: Figures) -> str:
        return finding(Report([f.policy for f in policies], policies=list(policies)))

    none = _with("none", 0, 1000)
    assert of(none) == "No policy changed a bill here: there is nothing to compare."
    assert "keeps the most" in of(none, _with("a", 200, 900), _with("b", 100, 500))
    assert "do not tell it from b" in of(none, _with("a", 200, 900), _with("b", 100, 890))
    assert "do not tell" not in of(none, _with("a", 200, 900), _with("b", 100, 500))
    assert "b saves the most, 30.0" in of(none, _with("a", 200, 900), _with("b", 300, 500))
    assert "what that costs is not known" in of(none, _with("a", 200, 0, 0), _with("b", 100, 0, 0))


@pytest.mark.parametrize("policies", [["none"], ["head:10"], ["none", "mcpcompact"], ["head:0", "tail:0"]])
def test_little_is_enough(policies: list[str]) -> None:
    for transcript in (session(Message("user", "hi")), session(said("", ("t", {})), "", said("ok")), hostile(30)):
        Reader(page(replay(transcript, policies=policies)))


def test_text_has_contrast(made: str) -> None:
    """WCAG 2.2: 4.5:1 for text, 3:1 for marks."""

    def light(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    def contrast(one: str, other: str) -> float:
        low, high = sorted((light(one), light(other)))
        return (high + 0.05) / (low + 0.05)

    blocks = re.findall(r":root \{(.*?)\}", made, re.DOTALL)
    schemes = [dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in blocks]
    assert len(schemes) == 2
    for scheme in schemes:
        for ground in ("ground", "panel"):
            for ink in ("ink", "dim", "accent"):
                assert contrast(scheme[ink], scheme[ground]) >= 4.5, (ink, ground)
        assert contrast(scheme["best-ink"], scheme["best"]) >= 4.5
        assert contrast(scheme["mark-ink"], scheme["mark"]) >= 4.5
        for n in (1, 2, 5):  # the words of fates
            assert contrast(scheme[f"c{n}"], scheme["ground"]) >= 4.5, n
        assert all(contrast(scheme[f"c{n}"], scheme["ground"]) >= 3 for n in range(8))


# -- in a browser -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    if binary() is None:
        pytest.skip("no Chromium here")
    one = Chromium(tmp_path_factory.mktemp("profile"))
    yield one
    one.close()


def _quiet(browser: Chromium) -> None:
    assert browser.told("Runtime.consoleAPICalled") == browser.told("Runtime.exceptionThrown") == []
    assert [event["entry"]["text"] for event in browser.told("Log.entryAdded")] == []
    wanted = [event["request"]["url"] for event in browser.told("Network.requestWillBeSent")]
    assert len(wanted) == 1 and wanted[0].startswith("file:"), "the page, and nothing else"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_a_browser_shows_it(browser: Chromium, made: str, tmp_path: Path, width: int, dark: bool) -> None:
    file = tmp_path / "page.html"
    file.write_text(made, "utf-8")
    browser.open(file, width, dark)
    _quiet(browser)
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value("document.querySelectorAll('script, img').length") == 0
    ground = browser.value("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(18, 21, 26)" if dark else "rgb(255, 255, 255)"), "the style is allowed and used"
    shown = "[...document.querySelectorAll('.chart')].filter(c => c.checkVisibility()).length"
    assert browser.value(shown) == 2, "one of the wide and the narrow, of two charts"


def test_choices_work_without_a_script(browser: Chromium, made: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(made, "utf-8")
    browser.open(file, 1280, scripts=False)
    panels = "[...document.querySelectorAll('.panel')].map(p => p.checkVisibility())"
    assert browser.value(panels) == [True, False]
    browser.value("document.querySelector('#session1').click()")
    assert browser.value(panels) == [False, True]
    browser.value("document.querySelector('[popovertarget=card-net]').click()")
    assert browser.value("document.querySelector('#card-net').checkVisibility()")
    browser.value("[...document.querySelectorAll('details')].forEach(d => d.open = true)")
    assert browser.value("document.documentElement.scrollWidth") <= 1280
    _quiet(browser)


LABELS = """(() => {
  const boxes = [...document.querySelectorAll('figure:first-child .chart .label')].filter(t => t.checkVisibility())
    .map(t => t.getBoundingClientRect());
  let met = 0;
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
    met += a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom; }));
  return [boxes.length, met];
})()"""


@pytest.mark.parametrize("width", [400, 1280])
def test_labels_do_not_overlap(browser: Chromium, tmp_path: Path, width: int) -> None:
    specs = ["none", "head:1000", "tail:1000", "head-tail:1000", "random:1000,1", "first-n", "clear-old", "mask-old:3",
             "mcpcompact:500,500", "mcpcompact:1000,1000"]  # fmt: skip
    crowd = [_with(spec, 10 * (n % 4) + n, 990 - 7 * n) for n, spec in enumerate(specs)]
    file = tmp_path / "page.html"
    file.write_text(page(Report(specs, policies=crowd)), "utf-8")
    browser.open(file, width)
    number, met = browser.value(LABELS)
    assert met == 0 and number >= (9 if width > 400 else 5), "the rest are in the legend"


def test_recorded_sessions_make_a_page(browser: Chromium, tmp_path: Path) -> None:
    recorded = corpus()
    if recorded is None:
        pytest.skip("no corpus here")
    smallest = sorted((recorded / "transcripts" / "claude_code").glob("*.jsonl"), key=lambda p: p.stat().st_size)[:6]
    text = page(replay([str(path) for path in smallest], policies=["none", "head:300", "mcpcompact:300,300"]))
    assert str(recorded) not in text
    file = tmp_path / "page.html"
    file.write_text(text, "utf-8")
    browser.open(file, 400)
    _quiet(browser)
    assert browser.value("document.documentElement.scrollWidth") <= 400
