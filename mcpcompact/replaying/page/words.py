"""What the page says in words: the finding, the command, the definitions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from mcpcompact import shell
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.replaying.cost import PRICED
from mcpcompact.replaying.figures import Figures, Report
from mcpcompact.replaying.page.markup import middle, percent

_FORMATS = 12  # that are named

CACHING = "OpenAI and Anthropic, “Prompt caching”"
OWN = "this project’s own definition: docs/replay.md"

_DEFINITIONS = f"""
billed | Billed prompt
    Tokens of all prompts: every model call sends again what stands before it. What a recording’s usage has more than
    its visible messages (system prompt, tool schemas) is part of every prompt, whatever the policy.
saved | Saved
    The share of the billed prompt that the policy saves, retrievals not counted.
net | Net saved | {OWN}
    Saved after fetching what the agent used and the policy had not kept readable: for each call and result one
    retrieval, a call of 40 tokens and a page of at most 2,000, sent again with every later call.
turns | Net with turns | {OWN}
    As net saved, each retrieval also a model call of its own that sends the whole context once more.
cached | Cached | {CACHING}
    The share of the billed prompt that is the longest common prefix with the call before. A policy that rewrites
    history breaks it. Caches are taken as perfect: no least length, no expiry.
cost | Cost
    Fresh, cached and output tokens by each session’s model ({PRICED}, or --prices).
peak | Peak context
    The largest prompt of any call, in tokens.
overflow | Overflow
    Sessions in which a prompt exceeds the model’s context window, and the earliest such call.
strong | Strong evidence | {OWN}
    Paths, symbols, ids, numbers of three digits or more that stood in a tool result, nowhere earlier in the session,
    and that the agent later wrote in the arguments of a call. The share kept readable.
medium | Medium evidence | {OWN}
    The same for what the agent wrote in its final answer, and in no call.
weak | Weak evidence | {OWN}
    The same for what the agent wrote in other text of its own only.
interval | 95 % interval | E. B. Wilson, JASA 22 (1927); R. G. Newcombe, Statistics in Medicine 17 (1998)
    Wilson’s score interval of a share. Atoms of one result are not independent, so it is the least that one should
    allow for.
kept | Kept readable | {OWN}
    When the agent first writes the atom, it is in the prompt, in one unbroken run of at least 80 % of the up to twelve
    words nearest to it on its own line (six before, six behind); in rows and paths: its value whole, with its field’s
    name and what identifies its row.
bare | Kept bare | {OWN}
    The atom is in the prompt, but not so that it can be read. It is fetched, and paid for.
reachable | Reachable | {OWN}
    It is not, but the text says how to fetch the original: one page has it.
lost | Lost | {OWN}
    It is not, and nothing says how to get it.
results | Result tokens
    Tokens of all tool results as they stand in the end.
errors | Error lines | {OWN}
    Of the lines of results that say error, exception, traceback, fatal, failed, panic or denied, counted once a
    template: those of which one stands in the version too.
absence | False absence | {OWN}
    Versions that claim none of something where the original does not claim it and has some. Must be 0.
inflated | Inflated
    Versions with more tokens than their result. Must be 0.
failed | Failed
    Results of which the policy gave an error or ran out of time: they pass unchanged.
"""
"""A line with the key, the name of a measure and where it comes from; below, what it is."""


def _defined(text: str) -> Iterator[tuple[str, tuple[str, str, str]]]:
    for match in regex(r"(?m)^(\S.*)\n((?: .*\n)+)").finditer(text):
        key, name, *source = match[1].split(" | ")
        yield key, (name, " ".join(match[2].split()), "".join(source))


DEFINITIONS = dict(_defined(_DEFINITIONS))
"""Of each measure: its name, what it is, where that comes from."""


def span(figures: Figures, strength: str = "strong") -> str:
    interval = figures.fates.interval(strength)
    return "" if interval is None else f"{interval[0]:.1f}–{interval[1]:.1f}"


def compared(report: Report) -> list[Figures]:
    """The policies that change anything by design: all but ``none``."""
    return [figures for figures in report.policies if figures.policy != "none"]


def finding(report: Report) -> str:
    """One sentence: who keeps the most of what the agent used, who saves the most, and whether that is certain."""
    lines = [figures for figures in compared(report) if figures.net_saved is not None]
    judged = [figures for figures in lines if figures.fates.total()]
    if not lines:
        return "No policy changed a bill here: there is nothing to compare."
    saver = max(lines, key=lambda f: f.net_saved or 0.0)
    if not judged:
        return (
            f"{_name(saver)} saves the most net, {percent(saver.net_saved)} of billed prompt tokens; what that costs "
            "is not known: the agents used nothing of these results in a way that can be traced."
        )
    keeper = max(judged, key=lambda f: (f.fates.share() or 0.0, f.net_saved or 0.0))
    kept = f"{percent(keeper.fates.share())} (95 % interval {span(keeper)})"
    saves = f"{percent(keeper.net_saved)} of billed prompt tokens"
    if len(judged) == 1:
        return f"{_name(keeper)} keeps {kept} of what the agents went on to use, and saves {saves}, net of retrievals."
    close = _close(keeper, judged)
    if saver is keeper:
        return (
            f"{_name(keeper)} keeps the most of what the agents went on to use, {kept}, and saves the most net, "
            f"{saves}{close}."
        )
    return (
        f"{_name(keeper)} keeps the most of what the agents went on to use, {kept}, and saves {saves} net{close}; "
        f"{_name(saver)} saves the most, {percent(saver.net_saved)}, and keeps {percent(saver.fates.share())}."
    )


def _close(keeper: Figures, judged: Sequence[Figures]) -> str:
    """Whose interval overlaps the keeper's."""
    mine = keeper.fates.interval()
    near = [f for f in judged if f is not keeper and (own := f.fates.interval()) and mine and own[1] >= mine[0]]
    if not near:
        return ""
    names = ", ".join(f"{_name(f)} ({percent(f.fates.share())})" for f in near[:3])
    return f"; in what is kept, the intervals do not tell it from {names}"


def _name(figures: Figures) -> str:
    return middle(figures.policy, 40)


def command(report: Report) -> str:
    """What makes this page again. Transcripts, price file and page have no names here: they are this machine's."""
    parts = ["mcpcompact replay TRANSCRIPTS"]
    parts += [shell.command(*shell.option("--policy", spec)) for spec in report.specs]
    if report.model:
        parts.append(shell.command(*shell.option("--model", report.model)))
    elif report.encoding not in ("", "o200k_base"):
        parts.append(shell.command(*shell.option("--encoding", report.encoding)))
    if report.over:
        parts.append(f"--over {report.over}")
    if report.repriced:
        parts.append("--prices FILE")
    return " \\\n    ".join([*parts, "--html FILE"])


class Names:
    """Sessions by names that say nothing of the machine: what their paths have in common is left off."""

    def __init__(self, report: Report) -> None:
        sources = [row.source for row in report.rows] + [entry["transcript"] for entry in report.skipped]
        folders = [os.path.dirname(source) for source in sources if source]
        try:
            self._above = os.path.commonpath(folders) if folders and all(folders) else ""
        except ValueError:  # absolute and relative ones
            self._above = ""
        self._cuts = sorted({source for source in sources if source}, key=len, reverse=True)

    def of(self, label: str) -> str:
        """The name of a session by its label."""
        if self._above and label.startswith(self._above):
            label = label[len(self._above) :].lstrip("/\\")
        parts = [part for part in label.replace("\\", "/").split("/") if part not in ("", ".", "..")]
        return "/".join(parts if not os.path.isabs(label) else parts[-1:]) or "session"

    def within(self, text: str) -> str:
        """A message in which paths of sessions may stand."""
        for source in self._cuts:
            if source in text:
                return text.replace(source, self.of(source))
        return text


def formats(report: Report) -> str:
    ranked = sorted(Counter(row.format for row in report.rows).items(), key=lambda entry: (-entry[1], entry[0]))
    named = [f"{name} ({number:,})" for name, number in ranked[:_FORMATS]]
    more = f" and {counted(len(ranked) - _FORMATS, 'more format')}" if len(ranked) > _FORMATS else ""
    return ", ".join(named) + more
