"""Columns that a kind of record is known by, in the order in which its own tools print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.shared.jsontext import Parsed
from mcpcompact.content.shared.reports import is_severity, naming
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped

_METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE"))
_METHOD = regex(r"(?i)(?:http|request)?[_-]?(?:method|verb)")
_ADDRESS = regex(r"(?i)(?:full|request|http)?[_-]?(?:url|uri|path|endpoint|route|target)")
_CODE = regex(r"(?i)(?:http|response)?[_-]?(?:status|code|status[_-]?code)")
_CODES = range(100, 600)

_CLOCK = regex(r"(?i)@?(?:date_?|log_?|event_?)?(?:time|timestamp|time_stamp|datetime|date|ts)|when|logged_?at")
_SAYS = regex(r"(?i)@?(?:message|msg|content|text|log|event|line)")
_LEVEL = regex(r"(?i)(?:log_?)?level(?:name)?|lvl|severity(?:text)?")
SAID = 60  # characters of a comment in the mean, at least
FOURTH = 4  # of the records have a column that is told
STAMP = 16  # characters in the mean of a day and its time

_OBJECT = ("metadata.name", "metadata.creationTimestamp")
_EVENT = ("lastTimestamp", "type", "reason", "involvedObject.name", "message")
CONDITION = "status.conditions."
_STATE = "status.containerStatuses[].{}".format
RUNS = CONDITION, _STATE("state")
_PRINTED = (
    "metadata.namespace", "metadata.name", CONDITION + "Ready", CONDITION + "Available", _STATE("ready"),
    "status.phase", _STATE("state.waiting.reason"),
    _STATE("state.terminated.reason"), _STATE("restartCount"), "spec.replicas", "spec.completions",
    "status.desiredNumberScheduled", "status.numberReady", "status.readyReplicas", "status.updatedReplicas",
    "status.availableReplicas", "status.numberAvailable", "status.succeeded", "status.failed", "spec.schedule",
    "spec.suspend", "status.lastScheduleTime", "spec.type", "spec.clusterIP", "spec.ports[].port", "spec.rules[].host",
    "status.capacity.storage", "spec.volumeName", "spec.claimRef.name", "spec.storageClassName",
    "status.nodeInfo.kubeletVersion", "spec.unschedulable", "status.capacity.cpu", "status.capacity.memory",
    'status.capacity["nvidia.com/gpu"]', "status.nodeInfo.containerRuntimeVersion", "status.nodeInfo.osImage",
    "spec.nodeName", "spec.containers[].image",
    "spec.template.spec.containers[].image", "spec.jobTemplate.spec.template.spec.containers[].image",
)  # fmt: skip
"""What ``kubectl get -o wide`` prints of pods, workloads, services, volumes, nodes and events."""


MET = regex(r"(?:Ready|Initialized|Scheduled|Available|Healthy|Synced|Accepted|Established|Progressing)$")  # be true


def by_type(record: dict[str, Any]) -> dict[str, Any]:
    """A Kubernetes object with its conditions by their types: ``conditions.Ready: False ContainersNotReady``; a finding
    with how grave it is in which respect: ``BREAKING: SOURCE; NON_BREAKING: BINARY``; a tool with its parameters as it
    is called: ``path, limit?``."""
    schemas = {key: held for key, held in record.items() if held.__class__ is dict and held.get("type") == "object"}
    if called := {key: _called(held) for key, held in schemas.items() if held.get("properties").__class__ is dict}:
        return {**record, **called}
    for key, held in record.items():
        listed = isinstance(held, list) and all(isinstance(one, dict) and len(one) == PAIR for one in held)
        pairs = [[*one.items()] for one in held] if listed else []
        if pairs and all(is_severity(named) and isinstance(grade, str) for _, (named, grade) in pairs):
            graded: dict[str, list[str]] = {}
            for (_, of), (_, grade) in pairs:
                graded.setdefault(grade, []).append(str(of))
            return {**record, key: "; ".join(f"{grade}: {', '.join(of)}" for grade, of in graded.items())}
    status = record.get("status")
    items = status.get("conditions") if isinstance(status, dict) else None
    if not isinstance(items, list) or not all(isinstance(o, dict) and {"type", "status"} <= o.keys() for o in items):
        return record
    texts = {str(one["type"]): _condition(one) for one in items}
    return {**record, "status": dict(status or (), conditions=texts)} if len(texts) == len(items) else record


def _called(schema: dict[str, Any]) -> str:
    """The names of what a schema allows, optional ones with a question mark, and the words that it may choose from."""
    needed = schema.get("required")
    names = {name: "" if name in (needed or ()) else "?" for name in schema["properties"]}
    words = {name: one.get("enum") for name, one in schema["properties"].items() if one.__class__ is dict}
    choices = {name: f"={'|'.join(map(str, some))}" for name, some in words.items() if some.__class__ is list}
    return ", ".join(f"{name}{mark}{clipped(choices.get(name, ''), SHORT)}" for name, mark in names.items())


SHORT = 40  # characters of the words that a parameter may be


def _condition(one: dict[str, Any]) -> str:
    """Its status; with the reason where it is not met, or is one of a failure."""
    met = one["status"] == ("True" if MET.search(str(one["type"])) else "False")
    parts = [] if met else [str(one[key]) for key in ("reason", "message") if one.get(key)]
    return " ".join([str(one["status"]), ": ".join(parts)]).strip()


_ACTUAL = regex(
    r"replicas|(?:ready|updated|available|current)Replicas|(?:current|updated)NumberScheduled|number(?:Ready|Available)"
)
PAIR = 2  # what is graded, and how
APART = 8  # objects that are told


def apart(objects: Iterable[Any]) -> Iterator[tuple[int, str, str]]:
    """The Kubernetes objects of which there is more or less than is wanted: number, name, ``wanted 1, replicas 2``."""
    for number, one in enumerate(objects, 1):
        parts: list[Any] = [one.get(key) for key in ("metadata", "spec", "status")] if one.__class__ is dict else []
        if {*map(type, parts)} != {dict} or "name" not in parts[0]:
            continue
        about, spec, status = parts
        seen, latest = status.get("observedGeneration"), about.get("generation")
        wanted = status.get("desiredNumberScheduled", spec.get("replicas"))
        differs = [f"wanted {wanted}"] if wanted.__class__ is int else []
        differs += [f"{k} {n}" for k, n in status.items() if differs and _ACTUAL.fullmatch(k) and n != wanted]
        unready = {"replicas", "readyReplicas"} & status.keys() == {"replicas"} and differs and wanted and seen
        differs += ["no readyReplicas"] * bool(unready)
        differs += [f"generation {latest} observed up to {seen}"] * bool(seen and latest and latest != seen)
        if differs[wanted.__class__ is int :]:
            yield number, about["name"], ", ".join(differs)


def differing(entries: Iterable[tuple[int, str, str]]) -> list[Fact]:
    """Which objects differ from what is wanted, the first ones by name."""
    texts = [f"{name}: {text}" for _, name, text in entries]
    texts[APART:] = [f"{len(texts) - APART} more"] * (len(texts) > APART)
    return [Fact(f"wanted and actual differ: {' · '.join(texts)}", 0)] if texts else []


BOOKS = regex(
    r"(?i)(?:^|[.\]])(?:(?:(?:response|request|req|raw)_?headers)\b|(?-i:managedFields|ownerReferences)\b"
    r"|(?-i:(?:observedG|g)eneration|generateName|resourceVersion|selfLink|fullyLabeledReplicas|serviceAccount(?:Name)?"
    r"|revisionHistoryLimit|collisionCount|terminationGracePeriodSeconds|\w+Probe\.\w+(?:Seconds|Threshold))$)"
)  # of Kubernetes, and headers of an exchange


_ADVISORY = regex(r"(?:CVE|GHSA|RUSTSEC|PYSEC|GO|OSV|ALAS\w*|[A-Z]{2,3}SA|SNYK|TEMP)-[\w:-]{4,60}$")
_OF = r"(?i)(?:.*[ ._])?"
_NUMBER = regex(rf"{_OF}(?:vuln(?:erability)?|advisory|cve)[ ._]?id")
_PART = regex(rf"{_OF}(?:package|pkg|artifact|component|module|feature|library|dependency)(?:[ ._]?name)?|name")
_VERSION = regex(
    rf"{_OF}(?:installed|current|package|pkg|artifact|component|feature|module)[ ._]?version|version"
    r"|(?:vulnerable_)?(?:range|versions)"
)
_FIX = regex(rf"{_OF}(?:vuln)?(?:fix(?:ed)?|patched|fixAvailable)(?:[ ._]?(?:in|by|versions?))?(?:\[\])?")
_SCORE = regex(r"(?i)[^\[]*cvss.*score|(?:.*[._])?(?:v3|base)_?score")
_ABOUT = regex(r"(?i)(?:.*[._])?(?:title|summary)")


_OPERATION = ("summary", "operationId")  # of an interface described in OpenAPI


def leading(stats: Columns) -> list[Column]:
    """The columns that tell a record of a known kind, in order; none for any other."""
    known = _exchange(stats) or _resource(stats) or _vulnerability(stats) or _entry(stats) or _comment(stats)
    return known or [stats.columns[path] for path in _OPERATION[:1] if stats.columns.keys() >= {*_OPERATION}]


def _exchange(stats: Columns) -> list[Column]:
    """Method, address and status of a recorded HTTP exchange (HAR, a cassette, an access log)."""
    columns = [c for c in stats.columns.values() if "[]" not in c.steps and c.steps]
    methods = [c for c in columns if _METHOD.fullmatch(c.name) and c.values]
    methods = [c for c in methods if _METHODS.issuperset(str(value).upper() for value in c.values or ())]
    if not methods:
        return []
    method = min(methods, key=lambda c: len(c.steps))
    addresses = [c for c in columns if _ADDRESS.fullmatch(c.name) and c.texts * 2 > c.present]
    addresses.sort(key=lambda c: (c.steps[:-1] != method.steps[:-1], len(c.steps)))
    codes = [c for c in columns if (_CODE.fullmatch(c.name) and c.kinds["number"] * 2 > c.present)]
    codes = [c for c in codes if c.numbers.lo in _CODES and c.numbers.hi in _CODES]
    codes.sort(key=lambda c: ("request" in c.path.lower(), len(c.steps)))
    return [method, addresses[0], codes[0]] if addresses and codes else []


def _resource(stats: Columns) -> list[Column]:
    """What ``kubectl get`` prints of Kubernetes objects of this kind."""
    if not all(path in stats.columns for path in _OBJECT):
        return []
    printed = _EVENT if "involvedObject.name" in stats.columns else _PRINTED
    return [column for path in printed if (column := stats.columns.get(path)) is not None]


def _vulnerability(stats: Columns) -> list[Column]:
    """What a scanner found: how grave, its number, in what, which version, its fix, its score, its title; or where."""
    columns = [c for c in stats.columns.values() if c.scalars * FOURTH > stats.total and "len()" not in c.steps]
    columns.sort(key=lambda c: ("[]" in c.steps, len(c.steps)))
    plain = [c for c in columns if "[]" not in c.steps]
    grave = next((c for c in plain if is_severity(c.name) and c.texts), None)
    number = next((c for c in plain if c.examples and all(_ADVISORY.match(str(e)) for e in c.examples)), None)
    number = number or next((c for c in plain if _NUMBER.fullmatch(c.path)), None)
    newest = sorted(columns, key=lambda c: "v3" not in c.path.lower())
    fixed = sorted(columns, key=lambda c: c.kinds["bool"])  # which version rather than whether there is one
    wanted = ((_PART, plain), (_VERSION, plain), (_FIX, fixed), (_SCORE, newest), (_ABOUT, columns))
    part, _, fix, _, _ = others = [next((c for c in some if what.fullmatch(c.path)), None) for what, some in wanted]
    if grave is None or not (number or fix) or not (number or part):
        return _placed(stats)
    return [c for c in dict.fromkeys((grave, number, *others)) if c is not None]


def _placed(stats: Columns) -> list[Column]:
    """Of what was found in files how grave it is, what, and where: what a linter prints."""
    columns = {c.name: c for c in stats.columns.values() if len(c.steps) == 1 and c.scalars * 2 > stats.total}
    placed = [columns.get(naming(what, columns)) for what in ("level", "rule", "file", "line")]
    return [column for column in placed if column] if all(placed) else []


def _entry(stats: Columns) -> list[Column]:
    """The time of an entry of a log, which says which one a row is, its level and its message."""
    columns = [c for c in stats.columns.values() if len(c.steps) == 1 and c.scalars * 2 > stats.total]
    messages = [c for c in columns if _SAYS.fullmatch(c.name) and any(" " in str(example) for example in c.examples)]
    clocks = [c for c in columns if _CLOCK.fullmatch(c.name) and (c.values is None or len(c.values) > 1)]
    if not messages or not clocks:
        return []
    clock = min(clocks, key=lambda c: (c.texts == 0, -c.characters))
    return [clock, *(c for c in columns if _LEVEL.fullmatch(c.name)), max(messages, key=lambda c: c.characters)]


_SPEAKER = regex(r"(?:author|user|creator|commenter|reviewer)(?:[._]?(?:login|name|username|displayName))?")
_BODY, _TITLED = regex(r"(?:body|comment|note)(?:Text)?"), regex(r"(?i)title|subject|headline|name|tag_?name")
_STAMP = regex(r"(?:submitted|created|posted)_?[aA]t")
_COMMENT = (_SPEAKER, _STAMP, *map(regex, ("state", "path", "line")), _BODY)


def _comment(stats: Columns) -> list[Column]:
    """Who said what of a thing, when, whether it was approved, and where: comments and reviews."""
    columns = [c for c in stats.columns.values() if "[]" not in c.steps and c.scalars * 2 > stats.total]
    columns.sort(key=lambda c: len(c.steps))
    fields = [next((c for c in columns if kind.fullmatch(c.path)), None) for kind in _COMMENT]
    speaker, body = fields[0], fields[-1]
    titled = any(_TITLED.fullmatch(c.path) for c in columns)
    if titled or speaker is None or body is None or body.characters < SAID * body.texts or not body.texts:
        return []
    number = [c for c in columns if c.path == "id" and c.kinds["number"]]
    return number + [c for c in fields if c is not None]


def again(column: Column, known: Sequence[Column]) -> bool:
    """Another clock of entries whose first says the day and the time, and what else stands beside a vulnerability."""
    if known and is_severity(known[0].name):
        return True
    stamped = any(_CLOCK.fullmatch(c.name) and c.characters >= STAMP * max(1, c.texts) and c.texts for c in known)
    return stamped and column not in known and _CLOCK.fullmatch(column.name) is not None


def begun(parsed: Parsed) -> list[Any]:
    """The lists and objects that a document ends inside, the outermost first."""
    node, holders = parsed.documents[-1], list[Any]()
    while len(holders) < parsed.open and node.__class__ in (dict, list):
        holders.append(node)
        node = (node[next(reversed(node))] if node.__class__ is dict else node[-1]) if node else None
    return holders if len(holders) == parsed.open else []
