"""The last steps of the pipeline: a body that fits, between the lines of the notice."""

from __future__ import annotations

import shlex
from functools import cache, partial
from typing import TYPE_CHECKING

from mcpcompact import notice
from mcpcompact.outline import Outline
from mcpcompact.patterns import regex
from mcpcompact.shell import command, words
from mcpcompact.source import decode
from mcpcompact.steps import State, compaction, passed
from mcpcompact.tokens.encodings import safe_cut, well_formed

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcompact.engine.asked import Answers
    from mcpcompact.engine.fill import Filled
    from mcpcompact.policy import Policy

TRIES = 5  # at a body that fits: each knows by how much the last was too long
MIN_ROOM = 8  # tokens of a body; less says nothing
SHRINK = 0.9  # of the room, where characters or bytes are too many
BYTES_A_CHARACTER = 4  # at most, in UTF-8
CUT = "…[+"  # the beginning of a mark that says how much of a text is left out
BY_LINE = regex(r"(?m), \d[\d,]* (?:lines|sentences):$", holds=("lines:", "sentences:"))
_LEGEND = regex(r"(\((?:numbers|\+N): [^;()]*); [^;()]*--lines [^()]*\)$")
END = 1_000  # characters that tell what a new line behind them changes
HEAD_BYTES = 16  # of the original a token, more than any token has


def fill(state: State) -> State:
    """Fill and dress the outline; step down in notice and body until tokens and length both hold."""
    from mcpcompact.engine import fill as engine
    from mcpcompact.engine.atoms import atoms

    outline, request = _outline(state), state.request
    budget, count = _most(state), cache(request.tokens)  # a second try asks for the same lines
    if not _fetching(state):  # then no word of what only a command takes
        outline.header = _LEGEND.sub(r"\1)", outline.header)
    asked = state.hints.words()
    known = atoms(asked).union(atoms(request.context) if isinstance(request.context, str) else request.context or ())
    named, more = _answers(state, outline, asked), outline.more
    wanted = {place for group in named for answer in group.items for place in answer.items}
    small = state.original_tokens <= notice.SMALL
    outline.more = [("--lines", notice.SOME)] if outline.unit == "line" and not small else []
    styles = (request.style, "short") if request.style == "full" else (request.style,)
    for style in styles:
        body_limit = _most_tokens(request.policy)
        for _ in range(TRIES):
            shown = max(0, min(outline.total, budget) - 1)  # a unit takes a token or more
            most = engine.Filled("x", shown, parts=engine.parts(outline))
            room = min(body_limit, budget - count(dressed(state, most, style)) - 1)
            if room < notice.MIN_BODY and style == "full":
                break
            filled = engine.fill(outline, max(1, room), count, state.hints.focus, known, asked, named)
            if not filled.text:
                break
            if filled.lossless and notice.framed(filled.text) != filled.text:  # with marks it is another text
                outline.lossless = []
                continue
            outline.more = [] if small else notice.aimed(outline, more, filled.ranges, wanted)
            text = dressed(state, filled, style)
            tokens = _either(text, count)
            if tokens <= budget and _short_enough(state, text):
                return state.but(filled=filled, text=text)
            body_limit = _less(state, filled, text, room, tokens - budget, style)
            if body_limit < MIN_ROOM:
                break
    return _last_resort(state)


def dress(state: State) -> State:
    """What comes back; the store learns the text, to know it again."""
    filled, count = state.filled, state.request.tokens
    assert filled is not None
    result = compaction(
        state,
        state.text,
        "lossless" if filled.lossless else "outline",
        count(state.text),
        redress=None if filled.lossless else partial(redressed, state),
        items_total=_outline(state).total,
        items_shown=max(0, filled.shown),
        lossless=bool(filled.lossless),
        reference=state.reference,
    )
    if state.request.store is not None and state.reference is not None:
        state.request.store.remember(state.reference.id, result.text)
    return state.but(outcome=result)


def redressed(state: State, body: str, model: str) -> str:
    """Another body, written by a model, in the notice of this result; empty where it does not fit."""
    from mcpcompact.engine.fill import Filled

    count = state.request.tokens
    text = dressed(state, Filled(body, 0), state.request.style, model)
    return text if _either(text, count) <= _most(state) and _short_enough(state, text) else ""


def _most(state: State) -> int:
    """Tokens of the whole text: within the budget, and fewer than the original has."""
    return min(state.request.policy.budget, state.original_tokens - 1)


def _either(text: str, count: Callable[[str], int]) -> int:
    """Tokens of a text as it is or as it is printed, whichever are more: ``|;`` is two, before a new line it is one."""
    last = text[-END:]
    cut = safe_cut(last, 0, len(last))
    end = last[cut:] if cut else text
    return count(text if count(end) > count(end + "\n") else text + "\n")


def dressed(state: State, filled: Filled, style: str, by: str = "") -> str:
    """The body between the lines of the notice; ``by`` is the model that wrote it."""
    request = state.request
    facts = _notice_facts(state, filled, by)
    above, below = notice.render(facts, style, request.policy.reader, request.tokens, request.policy.budget)
    parts = (above, notice.framed(filled.text), below)
    return well_formed(request.prefix + "\n".join(part for part in parts if part))


def _outline(state: State) -> Outline:
    assert state.outline is not None
    return state.outline


def _answers(state: State, outline: Outline, asked: str) -> list[Answers]:
    """What the call names in the result. Most name nothing: then the reader of records and elements is not imported."""
    if not asked:
        return []
    from mcpcompact.engine.terms import asked_for, present

    wanted = asked_for(state.hints.arguments, state.hints.focus, state.name)
    terms = present(state.shown, wanted)
    if outline.content_type == "diff":  # a path names the file that changes, no line that speaks of it
        paths = {line for item in outline.items for line in item.section.split("\n")}
        terms = [term for term in terms if not any(path.endswith(f"/{term.text.lstrip('./')}") for path in paths)]
    if not terms and not wanted.lines:
        return []
    from mcpcompact.engine.asked import answers

    return answers(state.shown, outline, wanted, terms, _fetching(state))


def _last_resort(state: State) -> State:
    """A budget or an input too small for an outline: the head of the original, under a notice if there is room."""
    from mcpcompact.engine.choice import clip
    from mcpcompact.engine.fill import Filled

    request, payload = state.request, state.payload
    budget, count = _most_tokens(request.policy), request.tokens
    head, total = decode(payload.read(0, budget * HEAD_BYTES)), sum(len(decode(b)) for b in payload.blocks())
    style, most = "none" if request.style == "none" else "short", min(budget, state.original_tokens)
    room = most - count(dressed(state, Filled("x", 0, head=True), style))
    for tenths in range(10, 0, -1):
        filled = Filled(clip(head, room * tenths // 10, count, total), 0, head=True)
        text = dressed(state, filled, style)
        if filled.text and _either(text, count) <= most and _short_enough(state, text):
            return state.but(filled=filled, text=text)
    if most < budget and not payload.large and _short_enough(state, whole := payload.text):
        if payload is state.decoded or _either(state.decoded.text, count) <= budget:
            return state.but(outcome=passed(state))  # as short as it can be said
        return state.but(filled=Filled(whole, _outline(state).total), text=whole)  # out of its message
    while (text := clip(head, most - 1, count, total)) and not _short_enough(state, text):
        head = head[: min(len(head), len(text)) * 9 // 10]
    return state.but(filled=Filled(text or "…", 0), text=text or "…")


def _less(state: State, filled: Filled, text: str, room: int, excess: int, style: str) -> int:
    """The room of the next try: less where a text took too many tokens, or more characters than the original has. One
    that loses nothing gets the short notice (0), then gives way to the next."""
    if excess > 0:
        return min(room, state.request.tokens(filled.text)) - excess  # of what it took, not could
    if filled.lossless:
        _outline(state).lossless = _outline(state).lossless[style != "full" :]
        return room * (style != "full")
    return int(room * SHRINK * _length_ratio(state, text))


def _short_enough(state: State, text: str) -> bool:
    policy, payload = state.request.policy, state.payload
    if policy.max_chars is not None and len(text) > policy.max_chars:
        return False
    if policy.max_bytes is not None and _size(text) > policy.max_bytes:
        return False
    if len(text) * 4 <= payload.size:  # so short that the original has more characters whatever they are
        return True
    return _size(text) <= payload.size and len(text) <= len(payload.text)


def _most_tokens(policy: Policy) -> int:
    """The budget, or the most tokens that so many bytes or characters could be: a token has a byte or more."""
    limits = (policy.budget, policy.max_bytes, policy.max_chars and policy.max_chars * BYTES_A_CHARACTER)
    return min(limit for limit in limits if limit)


def _length_ratio(state: State, text: str) -> float:
    policy = state.request.policy
    most = min(state.payload.size, policy.max_bytes or state.payload.size)
    return min(1.0, most / max(1, _size(text)), (policy.max_chars or len(text)) / max(1, len(text)))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _fetching(state: State) -> str:
    """The command that fetches the rest, as the reader may run it; "" for none."""
    reader, reference = state.request.policy.reader, state.reference
    if reference is None or reader not in notice.CALLERS:
        return ""
    options = shlex.split(state.request.results_option) if reader == "mcpcompact" else ()
    return command(*notice.CALLERS[reader].split(), reference.id, *options)


def _notice_facts(state: State, filled: Filled, by: str) -> notice.NoticeFacts:
    request, outline, reference = state.request, _outline(state), state.reference
    name = state.hints.tool or "result"
    if state.hints.server:
        name = f"{state.hints.server}.{name}"
    return notice.NoticeFacts(
        name=notice.framed(" ".join(name.split())[: notice.NAME_CHARS]),
        is_error=notice.outcome(state.envelope, state.hints.exit_code),
        exit_code=notice.exit_code(state.envelope, state.hints.exit_code),
        original_tokens=max(0, state.original_tokens),
        exact=state.original_exact and request.tokenizer.exact,
        headline=notice.framed(outline.headline),
        unit=outline.unit,
        total=outline.total,
        shown=filled.shown,
        texts=filled.texts,
        cut=filled.text.count(CUT),
        by_line=BY_LINE.search(filled.text) is not None,
        parts=filled.parts,
        lossless=filled.lossless,
        head=filled.head and not by,
        reference=reference.id if reference else "",
        where=reference.as_read(request.policy.reader) if reference else "",
        command=_fetching(state),
        more=[command(*words(chosen)) for chosen in outline.more],
        written=by,
    )
