"""One session under every policy: what each costs, and what became of everything that the agent used."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mcpcompact.collector import paused
from mcpcompact.replaying import companions, evidence
from mcpcompact.replaying.cost import Price, price_of
from mcpcompact.replaying.evidence import Use
from mcpcompact.replaying.figures import Figures, Loss, Pair, Row
from mcpcompact.replaying.policies import Policy, Version
from mcpcompact.replaying.registry import parse
from mcpcompact.replaying.session import REFERENCE, Context, Session, View
from mcpcompact.transcripts import Result, Transcript
from mcpcompact.transcripts.rounds import Cut, cut

PAGE = 2_000  # tokens of the page that a retrieval brings, at most: the cap of ``mcpcompact results get``
AROUND = 2  # lines on either side of a match on that page
CALL = 40  # tokens of the call that asks for it
EXCERPT = 6_000  # characters of a result before and after that a loss carries
WORST = 12  # losses that are told of each policy, and of each session and policy


@dataclass(slots=True)
class Options:
    """What every worker needs to know."""

    specs: list[str]
    model: str | None = None
    encoding: str | None = None
    by: list[str] = field(default_factory=list)
    over: int = 0
    prices: dict[str, Price] = field(default_factory=dict)
    timeout: float | None = None
    emit: dict[str, str] = field(default_factory=dict)  # input -> directory that takes its copies
    emitted: str = ""  # the directory above all of them, below which no link is followed


@dataclass(slots=True)
class Written:
    """What is to be written back of a session: the texts that a policy changed, and what it made of older rounds."""

    row: Row
    texts: list[tuple[Result, str]]
    cut: Cut | None = None


def play(transcript: Transcript, options: Options, written: dict[str, list[Written]] | None = None) -> Row:
    with paused():
        session = Session(transcript, model=options.model, encoding=options.encoding, over=options.over)
    row = Row(transcript.source, transcript.format, transcript.name, session.model, transcript.parent, session.window)
    row.recorded, row.omissions, row.problems = session.recorded, transcript.omissions, list(transcript.problems)
    row.messages, row.calls, row.results = len(session.messages), len(session.calls), len(session.results)
    row.result_tokens = sum(session.costs[i] for i in session.results)
    companions.note_repetitions(session, row)
    judge = Judge(session, row, options)
    none = judge.play(Policy("none"))
    for spec in options.specs:
        policy = parse(spec, **({"timeout": options.timeout} if options.timeout is not None else {}))
        played = none if type(policy) is Policy else judge.play(policy)
        judge.tell(spec, played)
        if written is not None:
            written[spec].append(_written(spec, session, played.context, row))
    judge.compare()
    if "ab" in options.by:
        judge.pair()
    return row


def _written(spec: str, session: Session, context: Context, row: Row) -> Written:
    written = Written(row, [])
    if context.cut:
        outcome = cut(session.transcript, context.cut, context.summary)
        if isinstance(outcome, str):
            row.problems.append(f"{spec}: older rounds are written as they were: {outcome}")
        else:
            written.cut = outcome
    for i, text in sorted({**context.texts, **context.shown}.items()):
        message = session.messages[i]
        if text == message.text or i < context.cut:
            continue
        result = message.result or Result(message.text, places=message.places)
        written.texts.append((result, text))
    return written


@dataclass(slots=True)
class Played:
    """A session under one policy."""

    context: Context
    figures: Figures
    versions: dict[int, Version]
    fates: dict[int, list[str]]  # of the uses of each result, in the session's order


_Fetched = dict[tuple[int, int, bool], list[Use]]
"""What a message writes of a result and cannot read there: by both positions, and whether the text tells the rest."""


class Judge:
    """Plays policies over one session, first the one that does nothing, and writes what it finds into its row."""

    def __init__(self, session: Session, row: Row, options: Options) -> None:
        self.session, self.row, self.options = session, row, options
        self._price = price_of(session.model, options.prices)
        self._none: Figures | None = None  # with what the others are compared
        self._errors: dict[int, list[list[str]]] = {}
        self._types: dict[int, str] = {}
        self._played: list[Played] = []
        self._told: list[tuple[Loss, int]] = []  # with the number of its use
        self._compares = any(spec != "none" for spec in options.specs)  # else nothing changes, nothing is searched

    # -- play ---------------------------------------------------------------------------------

    def play(self, policy: Policy) -> Played:
        session = self.session
        context = Context(session)
        played = Played(context, Figures(policy.spec), {}, {})
        fates: dict[int, str] = {}
        fetched: _Fetched = {}
        views = session.views()
        policy.start()
        for i, message in enumerate(session.messages):
            for position in message.forgets:
                if position < i:
                    context.forget(position)
            if message.result is not None:
                view, started = next(views), time.perf_counter()
                version = played.versions[i] = _arrive(policy, view)
                played.figures.seconds += time.perf_counter() - started
                context.add(i, version.text)
                continue
            if message.role == "assistant":
                if not message.continues:
                    started = time.perf_counter()
                    policy.before(context)
                    played.figures.seconds += time.perf_counter() - started
                    context.prompt.send(session.hidden[len(context.prompt.growth)])
                for use in session.used_at.get(i, ()):
                    fate, reachable = self._fate(use, played)
                    fates[id(use)] = fate
                    if fate != evidence.KEPT:
                        fetched.setdefault((i, use.owner, reachable), []).append(use)
            context.add(i)
        figures = played.figures
        figures.sessions = 1
        if type(policy) is Policy:
            self._none, figures.seconds = figures, 0.0
        self._bill(figures, context)
        self._retrievals(figures, context, fetched)
        for position, uses in session.uses.items():
            played.fates[position] = [fates[id(use)] for use in uses]
        return played

    def _fate(self, use: Use, played: Played) -> tuple[str, bool]:
        """What became of a use by now, and whether the text that stands for its result tells how to fetch it."""
        original = self.session.messages[use.owner].text
        shown, version = played.context.shown.get(use.owner, ""), played.versions[use.owner]
        tells = version.text != original and REFERENCE.search(version.text)  # another tool's own words may
        reachable = shown is version.text and (version.reference or bool(tells))
        fate = evidence.KEPT if shown == original else evidence.survival(use, original, shown)
        return evidence.REACHABLE if fate == evidence.LOST and reachable else fate, reachable

    def _bill(self, figures: Figures, context: Context) -> None:
        prompt, window = context.prompt, self.session.window
        figures.billed, figures.cached, figures.peak = prompt.billed, prompt.cached, max(prompt.growth, default=0)
        none = self._none or figures
        figures.billed_none = none.billed
        figures.overflow = next((n for n, size in enumerate(prompt.growth, 1) if window and size > window), None)
        figures.overflows = int(figures.overflow is not None)
        if self._price is not None:
            figures.cost = self._price.cost(prompt.billed - prompt.cached, prompt.cached, self.session.output)
            figures.cost_none = none.cost
            figures.priced = 1

    def _retrievals(self, figures: Figures, context: Context, fetched: _Fetched) -> None:
        """One retrieval for each model call and result of which it writes something that was not kept readable; its
        call and its page stay in the context like any message there.

        Where the text refers to the original it is asked for by name: the page holds the lines with these atoms and
        ``AROUND`` lines on either side. Else it can only be had by the tool once more. A page has at most ``PAGE``
        tokens, and all pages of a result together not more than the result.
        """
        session = self.session
        left: dict[int, int] = {}
        for (at, owner, reachable), uses in fetched.items():
            page = min(PAGE, left.setdefault(owner, session.costs[owner]))
            if reachable:
                page = min(page, _page(session.messages[owner].text, uses, session.count.once))
            left[owner] -= page
            if not page:
                continue
            figures.retrievals += 1
            figures.retrieved += (CALL + page) * session.sent_from(at)
            call = min(session.call_at[at], len(context.prompt.growth) - 1)
            figures.turns += context.prompt.growth[call] if call >= 0 else 0

    # -- tell ---------------------------------------------------------------------------------

    def tell(self, spec: str, played: Played) -> None:
        """The figures of a policy, in total and by group; its growth and its losses."""
        self._played.append(played)
        figures = Figures(spec)
        figures.add(played.figures)
        names = {"tool": self._tool} | ({"type": self._type} if "type" in self.options.by else {})
        tables = {dimension: self.row.groups.setdefault(dimension, {}) for dimension in names}
        for i in self.session.results:
            for dimension, name in names.items():
                line = tables[dimension].setdefault(name(i), {})
                self._count(i, played, line.setdefault(spec, Figures(spec)))
            problem = played.versions[i].problem
            if problem:
                self.row.problems.append(f"{spec}: result {i} ({self._tool(i)}): {problem}")
        for line in tables["tool"].values():
            figures.add(line[spec])
        self.row.figures[spec] = figures
        self.row.growth[spec] = played.context.prompt.growth
        self._tell_losses(spec, played)

    def _count(self, i: int, played: Played, into: Figures) -> None:
        """Add the figures of one result."""
        text, shown = self.session.messages[i].text, played.context.shown[i]
        before, after = self.session.costs[i], played.context.after[i]
        into.results += 1
        into.before += before
        into.after += after
        for use, fate in zip(self.session.uses.get(i, ()), played.fates.get(i, ()), strict=True):
            into.fates.note(use.strength, fate)
        into.failed += bool(played.versions[i].problem)
        lines = self._error_lines(i)
        into.error_lines += len(lines)
        if shown is text or shown == text:
            into.error_lines_kept += len(lines)
            return
        into.changed += 1
        into.error_lines_kept += companions.surviving(lines, shown)
        into.inflated += after > before
        into.false_absence += len(companions.false_absences(text, shown))

    def _error_lines(self, i: int) -> list[list[str]]:
        lines = self._errors.get(i) if self._compares else []
        if lines is None:
            message = self.session.messages[i]
            lines = companions.error_lines(message.text)
            failed = message.result is not None and message.result.is_error
            if lines and not failed and (self._type(i) in companions.SPEAKING or companions.is_search(message.text)):
                lines = []  # source and documents that speak of errors tell of none
            self._errors[i] = lines
        return lines

    def _tool(self, i: int) -> str:
        result = self.session.messages[i].result
        return (result.tool if result else "") or "(unknown)"

    def _type(self, i: int) -> str:
        if i not in self._types:
            from mcpcompact.content.detect import detect
            from mcpcompact.inputs.envelope import unwrap
            from mcpcompact.source import Source

            text = self.session.messages[i].text
            self._types[i] = detect(unwrap(Source.of_text(text)).source).content_type if text.strip() else "(empty)"
        return self._types[i]

    def _tell_losses(self, spec: str, played: Played) -> None:
        """The results that lost the most strong uses, with the first of them, a name rather than a number."""
        ranked: list[tuple[int, int, int]] = []
        for i, fates in played.fates.items():
            gone = [n for n, fate in enumerate(fates) if fate != evidence.KEPT]
            strong = [n for n in gone if not self.session.uses[i][n].strength]
            if strong:
                telling = (n for n in strong if not self.session.uses[i][n].atom.isdigit())
                ranked.append((-len(strong), i, next(telling, strong[0])))
        for lost, i, n in sorted(ranked)[:WORST]:
            use = self.session.uses[i][n]
            text = self.session.messages[i].text
            at = max(0, text.find(use.atom))
            start = text.rfind("\n", 0, at) + 1
            line = text[max(start, at - 80) : at + len(use.atom) + 80].split("\n")[0]
            after = played.context.shown[i]
            first = max(0, at - EXCERPT // 2) if len(text) > EXCERPT else 0
            atom = use.atom, evidence.STRENGTHS[use.strength], played.fates[i][n]
            stood = text.count("\n", 0, at) + 1, " ".join(line.split())
            used = evidence.how(use, self.session.messages), use.where[0]
            uses = -lost, sum(not use.strength for use in self.session.uses[i])
            tokens = self.session.costs[i], played.context.after[i]
            excerpts = text[first : first + EXCERPT], after[:EXCERPT]
            loss = Loss(spec, self.row.label, i, self._tool(i), *atom, *stood, *used, *uses, *tokens, *excerpts)
            loss.excerpt_at, loss.chars_before, loss.chars_after = first, len(text), len(after)
            self.row.losses.append(loss)
            self._told.append((loss, n))

    def compare(self) -> None:
        """What every policy made of each loss that is told."""
        for loss, n in self._told:
            uses = self.session.uses[loss.position]
            for spec, played in zip(self.options.specs, self._played, strict=True):
                fates = played.fates[loss.position]
                loss.fates[spec] = fates[n]
                loss.kept[spec] = _kept(uses, fates)

    def pair(self) -> None:
        """The first two policies on each result that either changed."""
        a, b = self._played[:2]
        for i in self.session.results:
            if a.context.shown[i] == b.context.shown[i]:
                continue
            uses = self.session.uses.get(i, [])
            tokens = self.session.costs[i], a.context.after[i], b.context.after[i]
            kept = _kept(uses, a.fates.get(i, [])), _kept(uses, b.fates.get(i, []))
            strong = sum(not use.strength for use in uses)
            self.row.pairs.append(Pair(self.row.label, i, self._tool(i), *tokens, *kept, strong))


def _kept(uses: Sequence[Use], fates: Sequence[str]) -> int:
    """How many of the strong uses are kept readable."""
    return sum(not use.strength and fate == evidence.KEPT for use, fate in zip(uses, fates, strict=True))


def _arrive(policy: Policy, view: View) -> Version:
    """A policy that fails lets the result pass, and that is said."""
    try:
        return policy.arrive(view)
    except Exception as error:
        return Version(view.text, problem=f"{type(error).__name__}: {error}")


def _page(text: str, uses: Sequence[Use], count: Callable[[str], int]) -> int:
    """Tokens of what ``mcpcompact results grep ID 'A|B' --regex -C 2`` prints of the text, up to the cap."""
    lines = text.split("\n")
    wanted: dict[int, None] = {}
    for n, line in enumerate(lines):
        if any(use.atom in line for use in uses):
            wanted.update(dict.fromkeys(range(max(0, n - AROUND), min(len(lines), n + AROUND + 1))))
            if len(wanted) > PAGE:
                return PAGE
    page = "\n".join(f"{n + 1}:{lines[n]}" for n in sorted(wanted))
    return PAGE if len(page) > PAGE * 12 else min(PAGE, count(page))
