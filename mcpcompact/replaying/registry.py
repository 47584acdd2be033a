"""The policies by name. Another one is a class and a line here."""

from __future__ import annotations

from typing import Any

from mcpcompact.errors import UsageError, meant
from mcpcompact.replaying import policies as plain
from mcpcompact.replaying.histories import History, HistoryByModel, Window
from mcpcompact.replaying.policies import Policy

POLICIES: list[type[Policy]] = [
    Policy, plain.Head, plain.Tail, plain.HeadTail, plain.GreedyLines, plain.Random, plain.FirstN, plain.ClearOld,
    plain.MaskOld, plain.Mcpcompact, History, Window, plain.Command,
]  # fmt: skip
REGISTRY = {policy.name: policy for policy in POLICIES}

DEFAULTS = ("none", "head-tail:1000", "greedy-lines:1000", "mcpcompact")  # what is compared when nothing is asked for
WHOLE = ("cmd", "window", "history")  # policies whose arguments are one, commas and all


def parse(spec: str, **options: Any) -> Policy:
    """The policy of ``NAME[:ARGS]``. Raises ``UsageError`` for an unknown name or wrong arguments."""
    name, colon, rest = spec.strip().partition(":")
    name = name.strip()
    if name not in REGISTRY:
        raise UsageError(f"unknown policy '{name}'", hint=f"{meant(name, REGISTRY)}use one of {', '.join(REGISTRY)}")
    arguments: list[str] = []
    if colon:
        arguments = [rest] if name in WHOLE else rest.split(",")
    by_model = name == "history" and rest.partition(",")[0].strip() == "llm"
    policy = (HistoryByModel if by_model else REGISTRY[name])(spec.strip(), *arguments)
    for key, value in options.items():
        if hasattr(policy, key):
            setattr(policy, key, value)
    return policy


def described() -> list[tuple[str, str]]:
    """Syntax and meaning of every policy, for a reader."""
    policies: list[type[Policy]] = [*POLICIES, HistoryByModel]
    return [(policy.syntax, policy.says) for policy in policies]
