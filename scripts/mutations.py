"""The mutations of ``make mutants``: file, exact old text, new text, why a test must see it."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    file: str  # below mcpcompact/
    old: str  # occurs exactly once in it
    new: str
    why: str


MUTATIONS = [
    # -- what is chosen
    Mutation(
        "engine/fill.py",
        "state.reserve = 0 if outline.keeps_told else",
        "state.reserve = 0 if True else",
        "no room reserved for kept items",
    ),
    Mutation(
        "engine/fill.py",
        "-items[g[1][0]].weight, len(g[1]), g[1][0]",
        "-items[g[1][0]].weight, -len(g[1]), g[1][0]",
        "most frequent template first instead of rarest",
    ),
    Mutation("engine/fill.py", "groups[(-item.keep, item", "groups[(item.keep, item", "weakest rank first"),
    Mutation(
        "engine/fill.py",
        "        if need > fair:\n",
        "        if need > fair and False:\n",
        "no fair cap: one long item crowds out all",
    ),
    Mutation(
        "engine/fill.py",
        "while count(text) > budget and cover.give_back(1):",
        "while False:",
        "nothing is given back at the end",
    ),
    Mutation("engine/fill.py", "KEEP_SHARE = 0.6", "KEEP_SHARE = 0.2", "kept items get less than their share"),
    Mutation("engine/rendering.py", "', …' if len(like) > LIKE else ''", "''", "a list of like ones seems complete"),
    Mutation(
        "engine/fill.py",
        "if measured(text, budget, count) <= budget:\n",
        "if measured(text, budget * 2, count) <= budget * 2:\n",
        "a lossless text over the budget",
    ),
    Mutation("engine/fill.py", "    cover.ends()\n", "", "first and last item are not looked at"),
    Mutation(
        "engine/fill.py",
        "cover.answer([[answer.items for answer in group.items] for group in answers if group.in_order])",
        "cover.answer([])",
        "what is asked for is not first where the file has it",
    ),
    Mutation(
        "engine/fill.py",
        "(Fact(note, 0) for note in outline.notes)",
        "(Fact(note, 9) for note in outline.notes)",
        "notes are told as room allows",
    ),
    Mutation(
        "engine/fill.py",
        "((0, head), (starts[-2], tail)) if size]",
        "((0, head),) if size]",
        "the last line of a trace is never shown",
    ),
    Mutation(
        "engine/fill.py",
        "        if group.total > shown and group.rest",
        "        if False and group.rest",
        "more than five are not counted",
    ),
    Mutation(
        "engine/cover.py",
        "new = sum([weights.get(a, 0.0) for a in piece.atoms if a not in state.seen])",
        "new = sum([weights.get(a, 0.0) for a in piece.atoms])",
        "atoms shown already count again",
    ),
    Mutation(
        "engine/cover.py",
        "if heap and fresh > heap[0][0] + 1e-12 and fresh > score + 1e-12:",
        "if False:",
        "stale gains are never refreshed",
    ),
    Mutation(
        "engine/cover.py",
        " * self.boost.get(piece.item, 1.0)",
        "",
        "the focus raises nothing",
    ),
    Mutation(
        "engine/cover.py",
        "(1.0 if headed else weight)",
        "1.0",
        "weights of items are ignored",
    ),
    Mutation(
        "engine/cover.py", "            state.suffix.pop(i, None)\n", "", "a kept item given back is extended: KeyError"
    ),
    Mutation("engine/cover.py", "state.seen.update(piece.atoms)", "pass", "what is shown is not remembered"),
    Mutation(
        "engine/choice.py", "piece.refused = piece.item in self.taken", "pass", "what was asked for is shown twice"
    ),
    Mutation(
        "engine/cover.py",
        "if piece.refused or item.weight <= 0 or",
        "if piece.refused or",
        "items of no weight are chosen",
    ),
    Mutation(
        "engine/choice.py",
        'lambda n: count(f"{text[:n]}…[+{total - n} chars]") <= budget)',
        "lambda n: count(text[:n]) <= budget)",
        "a clipped text exceeds its budget",
    ),
    Mutation(
        "engine/choice.py",
        'return clipped if count(clipped) <= budget else ""',
        "return head",
        "a clipped text does not say so",
    ),
    Mutation("engine/atoms.py", "* (KNOWN if atom in known else 1.0)", "", "names of the conversation weigh as much"),
    Mutation(
        "engine/atoms.py",
        "ASKED, HALF_ASKED = 2.0, 1.3",
        "ASKED, HALF_ASKED = 1.0, 1.0",
        "names of the request weigh no more",
    ),
    Mutation("engine/choice.py", "WHOLE_LINE = 240", "WHOLE_LINE = 60", "lines are cut that would be whole"),
    Mutation("engine/choice.py", "rarity[t] * n", "n", "a common word of the focus counts as much as a rare one"),
    # -- how it is told
    Mutation(
        "engine/rendering.py",
        "gaps(outline.unit, page.last + 1, item.start - 1",
        "gaps(outline.unit, page.last, item.start - 1",
        "a gap is off by one",
    ),
    Mutation(
        "engine/cutting.py", "parts.append(_omitted(text, at, len(text), below))", "pass", "a cut end is not said"
    ),
    Mutation("engine/cutting.py", "            first = end + 1\n", "", "a gap claims what stands above"),
    Mutation(
        "engine/rendering.py",
        'page.put(lead + partly.pop(lead, ""), *units(lead))',
        "pass",
        "no heading above its items",
    ),
    Mutation(
        "notice.py",
        '{True: " failed", False: " ok", None: ""}',
        '{True: " ok", False: " ok", None: ""}',
        "a failed call is told as ok",
    ),
    Mutation(
        "notice.py", 'LIMITS = {"full": 100, "short": 45}', 'LIMITS = {"full": 160, "short": 45}', "a longer notice"
    ),
    Mutation(
        "notice.py",
        'LIMITS = {"full": 100, "short": 45}',
        'LIMITS = {"full": 100, "short": 90}',
        "a longer short notice",
    ),
    Mutation("notice.py", '" Not shown does not mean absent."', '""', "the scope is not said"),
    Mutation(
        "notice.py",
        '"nothing lost" if facts.reference else "the original was not stored"',
        '"nothing lost"',
        "a loss is told as none",
    ),
    # -- what is asked for
    Mutation("engine/asked.py", "MAX_SHOWN = 5", "MAX_SHOWN = 1", "one of several is shown"),
    Mutation("engine/asked.py", "LARGE_SHARE = 0.2", "LARGE_SHARE = 1.0", "a word in every item names them all"),
    Mutation(
        "retrieval/units.py",
        'rb"(?![\\w\\x80-\\xff])(?!-\\w)(?!\\.\\w)"',
        'rb""',
        "a part of a longer name is the name",
    ),
    Mutation("engine/terms.py", "elif not _SIZES.fullmatch(key) and", "elif", "limits and time-outs are names"),
    Mutation("retrieval/elements.py", 'return f"[{key}]"', 'return f"[{key + 1}]"', "a path leads elsewhere"),
    # -- what it is
    Mutation(
        "content/detect.py",
        "(-v[1], places.get(v[0], len(places)), v[0])",
        "(-v[1], -places.get(v[0], len(places)), v[0])",
        "at equal scores the later type wins",
    ),
    Mutation("content/detect.py", "CERTAIN = 0.96", "CERTAIN = 0.80", "a type is certain too early"),
    Mutation("content/detect.py", "if verdicts[-1][1] >= CERTAIN:", "if False:", "all types are asked, always"),
    Mutation(
        "inputs/envelope.py",
        "bool(exit_code(beside))",
        "exit_code(beside) == 1",
        "exit codes 2 and 127 count as success",
    ),
    Mutation(
        "inputs/envelope.py",
        "code is not None and int(code[1]) != 0",
        "code is not None and int(code[1]) == 1",
        "a shell's exit codes 2 and 127 count as success",
    ),
    Mutation("inputs/envelope.py", "BESIDE = 0.1", "BESIDE = 0.6", "an object of several texts is taken for one text"),
    Mutation("inputs/envelope.py", 'raise ValueError("a key occurs twice")', "pass", "of duplicate keys one is lost"),
    # -- what is kept
    Mutation(
        "results/durable.py",
        "if not _same(descriptor, again, size) and _digest(descriptor) != sha256:",
        "if False:",
        "what was written is never read back",
    ),
    Mutation(
        "results/durable.py",
        "        os.fsync(descriptor)\n        sha256",
        "        sha256",
        "what was written is not flushed",
    ),
    Mutation("results/durable.py", "fcntl.flock(descriptor, fcntl.LOCK_EX)", "pass", "no lock among writers"),
    Mutation(
        "results/durable.py",
        "for staged, name in self._named:",
        "for staged, name in reversed(self._named):",
        "the meta file is named before the data",
    ),
    Mutation(
        "results/durable.py",
        "_new(path, os.O_RDWR, 0o600)",
        "_new(path, os.O_RDWR, 0o644)",
        "others can read what is kept",
    ),
    Mutation(
        "paging/cursors.py",
        'f"tag {body} {expires} {options}"',
        'f"tag {body} {expires}"',
        "a cursor is good for other options",
    ),
    Mutation(
        "paging/cursors.py", "if 0 <= expires <= now:", "if 0 <= expires < now:", "a cursor lives a second too long"
    ),
    Mutation("paging/cursors.py", "if not good or not self._key:", "if not self._key:", "a forged cursor is taken"),
    # -- tokens
    Mutation(
        "tokens/count.py",
        "at = ranks.index(lowest)",
        "at = len(ranks) - 1 - ranks[::-1].index(lowest)",
        "the rightmost pair is joined first",
    ),
    Mutation("tokens/count.py", "if left >= 0:", "if left > 0:", "the first part is never joined again"),
    Mutation(
        "tokens/encodings.py",
        'r"(?<=[\\r\\n])(?=[^\\s/]|[ \\t]++[!-~])"',
        'r"(?<=[\\r\\n])(?=[^\\s]|[ \\t]++[!-~])"',
        "a cut before a slash is called safe",
    ),
    Mutation(
        "tokens/encodings.py",
        "(?=[\\x00-&(-/:-@",
        "(?=[\\x00-/:-@",
        "a cut before an apostrophe is called safe",
    ),
    # -- the rails
    Mutation(
        "steps.py",
        "if state.original_tokens > policy.passes_at or",
        "if state.original_tokens >= policy.passes_at or",
        "what is at the threshold is shortened",
    ),
    Mutation(
        "dressing.py",
        "if tokens <= budget and _short_enough(state, text):",
        "if _short_enough(state, text):",
        "a text over the budget",
    ),
    Mutation(
        "dressing.py",
        "min(state.request.policy.budget, state.original_tokens - 1)",
        "state.request.policy.budget",
        "a text of more tokens than the input",
    ),
    Mutation(
        "dressing.py",
        "if policy.max_chars is not None and len(text) > policy.max_chars:\n        return False",
        "if False:\n        return False",
        "more characters than allowed",
    ),
    Mutation(
        "pipeline.py",
        "return steps.passed(state, problem=problem)",
        "raise problem",
        "a defect of ours costs the caller the data",
    ),
    Mutation(
        "dressing.py",
        "if most < budget and not payload.large",
        "if False",
        "a short input does not come back whole",
    ),
    # -- retrieval, pages, chunks
    Mutation("retrieval/conditions.py", '"<=": not above', '"<=": below', "<= is <"),
    Mutation(
        "retrieval/conditions.py",
        "return not any(_equal(value, self.value) for value in values)",
        "return any(not _equal(value, self.value) for value in values)",
        "!= matches lists by any element",
    ),
    Mutation(
        "retrieval/conditions.py",
        "if value is None or isinstance(value, bool):\n        return {None",
        "if value is None:\n        return {None",
        "true is not typed true",
    ),
    Mutation(
        "retrieval/selection.py",
        "return self.first <= number and (self.last is None or number <= self.last)",
        "return self.first <= number and (self.last is None or number < self.last)",
        "a range without its end",
    ),
    Mutation(
        "retrieval/pages.py",
        "result.next.append(_rest(selected, taken[-1].number + 1))",
        "result.next.append(_rest(selected, taken[-1].number))",
        "the next page repeats an item",
    ),
    Mutation(
        "retrieval/lists.py",
        "return [n for _, n in have] + lack, notes",
        "return lack + [n for _, n in have], notes",
        "items without the field stand first",
    ),
    Mutation(
        "paging/pagination.py", "(pages[1] - pages[0] + 1) * limit", "(pages[1] - pages[0]) * limit", "a page too few"
    ),
    Mutation(
        "paging/pagination.py",
        "following = start + len(page.items)",
        "following = start + limit",
        "items that did not fit are skipped",
    ),
    Mutation(
        "paging/pagination.py",
        "place = position * len(LISTS) + LISTS.index(self.content_type)",
        "place = position * len(LISTS)",
        "a walk goes on as another type",
    ),
    Mutation(
        "paging/splitting.py",
        'for at in starts if self._cost(text[at:end]) <= self.overlap), "")',
        'for at in starts), "")',
        "more is repeated than was asked for",
    ),
    Mutation(
        "paging/splitting.py",
        "yield Span(at, at + size, line, line + newlines - ended,",
        "yield Span(at, at + size, line, line + newlines,",
        "the last line of a chunk is off by one",
    ),
    Mutation(
        "paging/splitting.py",
        "            if not final and last > pieces.sure:\n                return\n",
        "",
        "a unit cut by the window ends a chunk",
    ),
]

TESTS = {
    "engine/fill.py": "golden choices fill asked",
    "engine/cover.py": "golden choices fill asked",
    "engine/choice.py": "golden fill choices asked",
    "engine/atoms.py": "golden choices",
    "engine/cutting.py": "golden fill asked",
    "engine/rendering.py": "golden fill asked",
    "notice.py": "golden choices compact",
    "engine/asked.py": "asked",
    "engine/terms.py": "asked",
    "retrieval/elements.py": "retrieval asked",
    "retrieval/units.py": "retrieval asked",
    "content/detect.py": "choices detection",
    "inputs/envelope.py": "choices envelope",
    "results/durable.py": "results_faults results_hard results cursors",
    "paging/cursors.py": "cursors",
    "tokens/encodings.py": "tokens",
    "tokens/count.py": "tokens",
    "pipeline.py": "choices compact fuzzed budget",
    "steps.py": "choices compact fuzzed budget",
    "dressing.py": "choices compact fuzzed budget",
    "retrieval/conditions.py": "retrieval choices",
    "retrieval/selection.py": "retrieval",
    "retrieval/pages.py": "retrieval",
    "retrieval/lists.py": "pagination choices",
    "paging/pagination.py": "pagination",
    "paging/splitting.py": "chunking",
}
"""The test files that are run for a mutation of a file, first to last: ``test_<name>.py`` below ``tests``."""
