"""The charts, as inline SVG: no script, no font, no address. Colours and dashes are classes of page.css.

Every policy has one marker, one dash and one colour, the same in all charts and tables, so that none of them is needed
to tell policies apart. Colours are those of Okabe and Ito (2008), darkened or lightened for 3:1 on their ground.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mcpcompact.replaying.evidence import FATES
from mcpcompact.replaying.figures import Figures, Report, Row
from mcpcompact.replaying.page.markup import escaped, middle, percent
from mcpcompact.replaying.page.words import span

_APART = 24  # pixels between labels
_WIDE = 400  # pixels
_MILLION = 1e6
_THOUSAND = 1e3

STYLES = 7  # markers, and as many dashes and colours; beyond, a marker comes again in another colour
MAX_POINTS = 12_000  # points of a chart, all lines together
MAX_FORMATS = 24  # charts of the third kind; the smaller ones are counted
CHARACTER = 7.4  # units that a character of a label is wide, at most on average

Box = tuple[float, float, float, float]


def style(report: Report, policy: str) -> int:
    """``none`` has style 0, the others theirs in the order they were asked for."""
    others = [spec for spec in report.specs if spec != "none"]
    return 0 if policy == "none" else 1 + others.index(policy)


def classes(style: int) -> str:
    """Of colour and dash."""
    again, first = divmod(style - 1, STYLES)
    return f"s{1 + (first + 3 * again) % STYLES} d{1 + (first + 2 * again) % STYLES}" if style else "s0"


def number(value: float) -> str:
    """A coordinate, to a tenth."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def marker(style: int, x: float, y: float, r: float = 5.5) -> str:
    """The marker of a style around a point."""
    n, kind = number, f"mark {classes(style)}"
    corners = _CORNERS[(style - 1) % STYLES] if style else []
    if not corners:
        hollow = "" if style else " hollow"
        return f'<circle class="{kind}{hollow}" cx="{n(x)}" cy="{n(y)}" r="{n(r)}"/>'
    points = " ".join(f"{n(x + r * dx)},{n(y + r * dy)}" for dx, dy in corners)
    return f'<polygon class="{kind}" points="{points}"/>'


_STAR = [
    (r * math.sin(math.pi * k / 5), -r * math.cos(math.pi * k / 5)) for k in range(10) for r in [(1.3, 0.55)[k % 2]]
]
_CORNERS: list[list[tuple[float, float]]] = [
    [],
    [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    [(0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
    [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)],
    [(0, 1.15), (1.1, -0.85), (-1.1, -0.85)],
    [(-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4), (0.4, 1.1), (-0.4, 1.1), (-0.4, 0.4),
     (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4)],
    _STAR,
]  # fmt: skip
"""Circle, square, triangle, diamond, triangle down, cross, star."""


def swatch(style: int) -> str:
    """A policy's marker on its line, beside its name."""
    inside = f'<path class="line {classes(style)}" d="M1 8H33"/>{marker(style, 17, 8)}'
    return f'<svg class="swatch" viewBox="0 0 34 16" width="34" height="16" aria-hidden="true">{inside}</svg>'


def legend(report: Report) -> str:
    items = (f"<li>{swatch(style(report, f.policy))} {escaped(f.policy, 60)}</li>" for f in report.policies)
    return f'<ul class="legend">{"".join(items)}</ul>'


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most ``most`` round numbers from low to high."""
    raw = (high - low) / max(1, most - 1) or 1.0
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(step * k, 10) for k in range(first, math.floor(high / step + 1e-9) + 1)]


@dataclass(slots=True)
class Plot:
    """A frame with scales: ``left`` … are the margins, ``xs`` and ``ys`` the ranges of values."""

    width: float
    height: float
    xs: tuple[float, float]
    ys: tuple[float, float]
    left: float = 58
    right: float = 18
    top: float = 16
    bottom: float = 48

    def x(self, value: float) -> float:
        low, high = self.xs
        return self.left + (value - low) / ((high - low) or 1) * (self.width - self.left - self.right)

    def y(self, value: float) -> float:
        low, high = self.ys
        return self.height - self.bottom - (value - low) / ((high - low) or 1) * (self.height - self.top - self.bottom)

    def axes(self, xt: Iterable[tuple[float, str]], yt: Iterable[tuple[float, str]], names: tuple[str, str]) -> str:
        n, floor, right = number, self.height - self.bottom, self.width - self.right
        out = []
        for value, label in xt:
            at = self.x(value)
            out.append(f'<path class="grid" d="M{n(at)} {n(self.top)}V{n(floor)}"/>')
            out.append(f'<text class="tick" text-anchor="middle" x="{n(at)}" y="{n(floor + 17)}">{label}</text>')
        for value, label in yt:
            at = self.y(value)
            out.append(f'<path class="grid" d="M{n(self.left)} {n(at)}H{n(right)}"/>')
            out.append(f'<text class="tick" text-anchor="end" x="{n(self.left - 7)}" y="{n(at + 4)}">{label}</text>')
        out.append(f'<path class="axis" d="M{n(self.left)} {n(self.top)}V{n(floor)}H{n(right)}"/>')
        middle_x, middle_y = (self.left + right) / 2, (self.top + floor) / 2
        places = (f"translate({n(middle_x)} {n(floor + 37)})", f"translate(14 {n(middle_y)}) rotate(-90)")
        for place, label in zip(places, names, strict=True):
            if label:
                out.append(f'<text class="name" text-anchor="middle" transform="{place}">{label}</text>')
        return "".join(out)


def svg(plot: Plot, kind: str, ident: str, title: str, desc: str, body: str) -> str:
    """A labelled picture; ``kind`` is its class, ``ident`` unique in the page."""
    size = f'viewBox="0 0 {number(plot.width)} {number(plot.height)}"'
    return (
        f'<svg class="chart {kind}" {size} role="img" aria-labelledby="{ident}-t {ident}-d">'
        f'<title id="{ident}-t">{escaped(title)}</title><desc id="{ident}-d">{escaped(desc)}</desc>{body}</svg>'
    )


def both(ident: str, draw: Callable[[float, float], tuple[Plot, str]], title: str, desc: str) -> str:
    """A chart twice, drawn for a wide and for a narrow window: text keeps its size. One of them is shown."""
    (wide, drawn), (slim, too) = draw(560, 420), draw(340, 360)
    return svg(wide, "wide", f"{ident}-wide", title, desc, drawn) + svg(slim, "slim", f"{ident}-slim", title, desc, too)


# -- survival against savings -----------------------------------------------------------------


def points(lines: Sequence[Figures]) -> list[tuple[Figures, float, float, float, float]]:
    """Policy, net saving, share kept, and its interval; what has both."""
    rows = []
    for figures in lines:
        saved, kept, ends = figures.net_saved, figures.fates.share(), figures.fates.interval()
        if saved is not None and kept is not None and ends is not None:
            rows.append((figures, saved, kept, *ends))
    return rows


def survival(report: Report) -> str:
    """Chart 1: strong evidence kept readable against net saving, a point a policy."""
    rows = points(report.policies)
    if not rows:
        return ""
    summary = "; ".join(
        f"{middle(f.policy, 40)}: {percent(saved)} saved net, {percent(kept)} kept (95 % interval {span(f)})"
        for f, saved, kept, *_ in rows
    )

    def draw(width: float, height: float) -> tuple[Plot, str]:
        xs = _range([p[1] for p in rows] + [0.0], 5, None)
        ys = _range([p[3] for p in rows] + [p[4] for p in rows], 10, 100.0)
        plot = Plot(width, height, xs, ys)
        xt = [(v, _whole(v)) for v in ticks(*xs, 7 if width > _WIDE else 5)]
        yt = [(v, _whole(v)) for v in ticks(*ys, 7)]
        body = [plot.axes(xt, yt, ("net saving, % of billed prompt tokens", "strong evidence kept readable, %"))]
        body.append(_front(plot, [(saved, kept) for _, saved, kept, *_ in rows]))
        marks: list[Box] = []
        whiskers: list[Box] = []
        for figures, saved, kept, low, high in rows:
            x, y, kind = plot.x(saved), plot.y(kept), style(report, figures.policy)
            top, foot = plot.y(high), plot.y(low)
            marks.append((x - 8, y - 8, x + 8, y + 8))
            whiskers.append((x - 4, top - 1, x + 4, foot + 1))
            ends = "".join(f"M{number(x - 4)} {number(end)}h8" for end in (top, foot))
            whisker = f'<path class="whisker {classes(kind)}" d="M{number(x)} {number(top)}V{number(foot)}{ends}"/>'
            tip = f"{_tip(figures, saved, kept)}, 95 % interval {span(figures)}"
            body.append(f"<g><title>{tip}</title>{whisker}{marker(kind, x, y, 6)}</g>")
        body.append(_labels(plot, [(f.policy, plot.x(s), plot.y(k)) for f, s, k, *_ in rows], marks, whiskers))
        return plot, "".join(body)

    return both("survival", draw, "What is kept against what is saved, one point a policy", summary)


def _tip(figures: Figures, saved: float, kept: float) -> str:
    return f"{escaped(figures.policy, 60)}: {percent(saved)} saved net, {percent(kept)} kept"


def _range(values: Sequence[float], step: float, ceiling: float | None) -> tuple[float, float]:
    """Around the values, in steps, with some air."""
    low, high = min(values), max(values)
    air = max(high - low, step) * 0.06
    bottom, top = math.floor((low - air) / step) * step, math.ceil((high + air) / step) * step
    return bottom, top if ceiling is None else min(top, ceiling)


def _whole(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _front(plot: Plot, pairs: Sequence[tuple[float, float]]) -> str:
    """Through the policies that no other one beats in both: a hint for the eye."""
    best = sorted(p for p in pairs if not any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in pairs))
    if len(best) <= 1:
        return ""
    path = "L".join(f"{number(plot.x(a))} {number(plot.y(b))}" for a, b in best)
    return f'<path class="front" d="M{path}"/>'


def _labels(plot: Plot, wanted: Sequence[tuple[str, float, float]], marks: list[Box], whiskers: list[Box]) -> str:
    """Names beside their points, each where it covers nothing, or else a whisker; with a leader where that is far, none
    where there is no room: the legend and the tooltip have it."""
    out, named = [], list[Box]()
    for name, x, y in sorted(wanted, key=lambda entry: (-entry[2], entry[1])):
        text = middle(name, 30)
        wide = len(text) * CHARACTER
        places = [_place(x, y, wide, *place) for place in _PLACES]
        places = [place for place in places if _inside(plot, place[0]) and _clear(place[0], (x, y), marks)]
        for others in ([*marks, *named, *whiskers], [*marks, *named]):
            free = next((place for place in places if not any(_meet(place[0], other) for other in others)), None)
            if free is None:
                continue
            box, at, foot, anchor = free
            named.append(box)
            if abs(foot - y) > _APART:
                edge = box[3] if foot < y else box[1]
                out.append(f'<path class="leader" d="M{number(x)} {number(y)}L{number(at)} {number(edge)}"/>')
            place = f'text-anchor="{anchor}" x="{number(at)}" y="{number(foot)}"'
            out.append(f'<text class="label" {place}>{escaped(text)}</text>')
            break
    return "".join(out)


def _place(x: float, y: float, wide: float, dx: float, dy: float, anchor: str) -> tuple[Box, float, float, str]:
    """The box of a text that stands so beside a point, and where it is anchored."""
    left = x + dx - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    return (left - 2, y + dy - 11, left + wide + 2, y + dy + 4), x + dx, y + dy, anchor


def _clear(box: Box, own: tuple[float, float], marks: list[Box]) -> bool:
    """Whether no other marker stands so near that the text would be read as its name."""

    def far(x: float, y: float) -> float:
        return math.hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3]))

    least = min(far(*own), 24.0)
    return all(far((a + c) / 2, (b + d) / 2) >= least for a, b, c, d in marks)


def _inside(plot: Plot, box: Box) -> bool:
    right, foot = plot.width - 2, plot.height - plot.bottom - 2
    return box[0] >= plot.left + 2 and box[2] <= right and box[1] >= plot.top - 12 and box[3] <= foot


_PLACES = [
    (11, 4, "start"), (-11, 4, "end"), (0, -14, "middle"), (0, 22, "middle"), (9, -11, "start"), (9, 19, "start"),
    (-9, -11, "end"), (-9, 19, "end"), (0, -34, "middle"), (0, 44, "middle"), (14, -34, "start"), (14, 44, "start"),
    (-14, -34, "end"), (-14, 44, "end"), (0, -58, "middle"), (0, 66, "middle"), (-20, 66, "end"), (20, 66, "start"),
    (-20, -58, "end"), (20, -58, "start"), (-20, 88, "end"), (20, 88, "start"), (-20, 110, "end"), (20, 110, "start"),
]  # fmt: skip


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# -- context by call --------------------------------------------------------------------------


def growth(report: Report, row: Row, ident: str, name: str) -> tuple[str, int]:
    """Chart 2: the context of each model call of a session, a line a policy; how many calls a point stands for."""
    calls = max((len(line) for line in row.growth.values()), default=0)
    lines = {spec: line for spec, line in row.growth.items() if line}
    most = max(40, min(400, MAX_POINTS // max(1, len(lines))))
    pack = -(-calls // most)
    peak = max((max(line) for line in lines.values()), default=0)
    window = row.window if row.window and row.window <= peak * 1.6 else None
    top = max(peak, window or 0) * 1.05 or 1.0
    summary = "; ".join(
        f"{middle(spec, 40)}: {line[-1]:,} at the end, {max(line):,} at most" for spec, line in lines.items()
    )

    def draw(width: float, height: float) -> tuple[Plot, str]:
        plot = Plot(width, height, (1, max(2, calls)), (0, top), left=54)
        xt = [(max(1, v), f"{max(1, v):,.0f}") for v in ticks(0, calls, 7 if width > _WIDE else 5) if v == int(v)]
        body = [plot.axes(xt, [(v, _short(v)) for v in ticks(0, top, 6)], ("model call", "context, tokens"))]
        if window:
            at = plot.y(window)
            body.append(f'<path class="window" d="M{number(plot.left)} {number(at)}H{number(width - plot.right)}"/>')
            body.append(f'<text class="tick" x="{number(plot.left + 6)}" y="{number(at - 5)}">window {window:,}</text>')
        for spec, line in sorted(lines.items(), key=lambda entry: entry[0] != "none"):
            kind = style(report, spec)
            starts = range(0, len(line), pack)
            packed = [(min(start + pack, len(line)), max(line[start : start + pack])) for start in starts]
            path = "L".join(f"{number(plot.x(call))} {number(plot.y(size))}" for call, size in packed)
            end = marker(kind, plot.x(packed[-1][0]), plot.y(packed[-1][1]), 5)
            tip = f"<title>{escaped(spec, 60)}</title>"
            body.append(f'<g>{tip}<path class="line {classes(kind)}" d="M{path}"/>{end}</g>')
        return plot, "".join(body)

    return both(ident, draw, f"Context by model call in {name}", summary), pack


def _short(value: float) -> str:
    if value >= _MILLION:
        return f"{value / _MILLION:g}M"
    return f"{value / _THOUSAND:g}k" if value >= _THOUSAND else f"{value:g}"


# -- by format --------------------------------------------------------------------------------


def by_format(report: Report) -> tuple[str, list[str], int]:
    """Chart 3: chart 1 for each format on the same scales; the formats that have none; how many more have one."""
    groups = {key: points(lines) for key, lines in report.groups.get("format", {}).items()}
    bare = [key for key, entries in groups.items() if not entries]
    shown = [(key, entries) for key, entries in groups.items() if entries][:MAX_FORMATS]
    if len(groups) <= 1 or not shown:
        return "", bare, 0
    savings = [max(-50.0, p[1]) for _, entries in shown for p in entries]
    xs = _range([*savings, 0.0], 10, None)
    ys = _range([p[3] for _, entries in shown for p in entries] + [100.0], 20, 100.0)
    out = []
    for order, (key, entries) in enumerate(shown):
        plot = Plot(230, 190, xs, ys, left=34, right=10, top=10, bottom=38)
        body = [
            plot.axes(
                [(v, _whole(v)) for v in ticks(*xs, 5)], [(v, _whole(v)) for v in ticks(*ys, 5)], ("net saving, %", "")
            )
        ]
        for figures, saved, kept, low, high in entries:
            x, kind = plot.x(max(xs[0], saved)), style(report, figures.policy)
            whisker = f"M{number(x)} {number(plot.y(high))}V{number(plot.y(low))}"
            body.append(
                f'<g><title>{_tip(figures, saved, kept)}</title><path class="whisker {classes(kind)}" d="{whisker}"/>'
                f"{marker(kind, x, plot.y(kept), 4.5)}</g>"
            )
        summary = "; ".join(f"{middle(f.policy, 40)}: {percent(s)} net, {percent(k)} kept" for f, s, k, *_ in entries)
        picture = svg(plot, "small", f"format{order}", f"{key}: kept against saved", summary, "".join(body))
        uses, sessions = entries[0][0].fates.total(), entries[0][0].sessions
        out.append(
            f'<li><h3>{escaped(key, 40)}</h3><p class="dim">{sessions:,} session{"s"[: sessions != 1]}, '
            f"{uses:,} strong use{'s'[: uses != 1]}</p>{picture}</li>"
        )
    return f'<ul class="multiples">{"".join(out)}</ul>', bare, len(groups) - len(bare) - len(shown)


# -- fates ------------------------------------------------------------------------------------


def bar(figures: Figures) -> str:
    """What became of the strong evidence, as one bar."""
    total = figures.fates.total()
    if not total:
        return ""
    at, out = 0.0, []
    for order, fate in enumerate(FATES):
        wide = 200 * figures.fates.of(fate) / total
        if wide:
            out.append(f'<rect class="f{order}" x="{number(at)}" y="0" width="{number(wide)}" height="14"/>')
        at += wide
    return f'<svg class="bar" viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true">{"".join(out)}</svg>'
