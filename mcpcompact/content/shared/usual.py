"""What every object of its kind says: handles, the defaults of Kubernetes, what an API repeats with everything."""

from __future__ import annotations

from typing import Any

from mcpcompact.patterns import regex

HANDLE = regex(
    r"(?i:node_?id|gravatar_?id|etag|image_?id|container_?id|cursor|resource_?version|terminationmessage(?:path|policy)"
    r"|imagepullpolicy|self_?link|generation)"
)
_ASIDE = regex(
    HANDLE.pattern
    + r"|(?:squash_)?merge_commit_(?:title|message)|user_view_type|temp_clone_token|serviceAccount|observedGeneration"
    r"|generateName|fullyLabeledReplicas|viewer(?:Did|Can)\w+|isMinimized|minimizedReason|includesCreatedEdit"
)
_COUNT = regex(r"(?!total|error|fail|match|result|warning)\w+_count|forks|watchers|open_issues")  # zero says nothing
_ID = regex(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_DEFAULTS = frozenset(
    {
        ("schedulerName", "default-scheduler"), ("dnsPolicy", "clusterfirst"), ("restartPolicy", "always"),
        ("terminationGracePeriodSeconds", "30"), ("revisionHistoryLimit", "10"), ("progressDeadlineSeconds", "600"),
        ("controller", "true"), ("blockOwnerDeletion", "true"), ("type", "rollingupdate"), ("maxSurge", "25%"),
        ("maxUnavailable", "25%"), ("preemptionPolicy", "preemptlowerpriority"), ("defaultMode", "420"),
        ("sessionAffinity", "none"), ("enableServiceLinks", "true"), ("suspend", "false"),
        ("priority", "0"),
        ("site_admin", "false"), ("type", "user"), ("type", "organization"), ("responseIsBinary", "false"),
    }
)  # fmt: skip
"""What a key holds, in small letters, wherever nobody chose another value."""
_HELD = frozenset(key for key, _ in _DEFAULTS)


def is_given(node: Any) -> bool:
    """Whether it is what Kubernetes adds to every pod: the volume of its token, tolerations of a sick node."""
    if node.__class__ is not dict:
        return False
    name, key = str(node.get("name", "")), str(node.get("key", ""))
    return name.startswith("kube-api-access-") or key.startswith("node.kubernetes.io/")


def is_usual(key: str, value: Any) -> bool:
    """Whether a scalar is such a one."""
    if _ASIDE.fullmatch(key) or (key in _HELD and (key, str(value).lower()) in _DEFAULTS):
        return True
    if key in ("uid", "uuid"):
        return _ID.fullmatch(str(value)) is not None
    return value == 0 and _COUNT.fullmatch(key) is not None


def is_rule(value: Any) -> bool:
    """Whether it is a list of a few conditions that hold together: one of them alone would be another rule."""
    few = value.__class__ is list and 1 < len(value) <= TOGETHER
    return few and all(v.__class__ is dict and "operator" in v for v in value)


RULE, TOGETHER = 300, 3  # characters of such a list, which stands in one line; conditions
