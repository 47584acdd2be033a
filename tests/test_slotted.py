"""The light dataclass means what the standard one means."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from mcpcompact import slotted


def build(kit: Any) -> Any:
    @kit.dataclass(slots=True)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = kit.field(default_factory=list)
        length: int = kit.field(init=False)

        def __post_init__(self) -> None:
            self.length = self.x + self.y

        @property
        def double(self) -> int:
            return 2 * self.length

    return Point


@pytest.mark.parametrize(("args", "named"), [((1,), {}), ((1, 5), {"tags": ["a"]}), ((), {"x": 3, "y": 4})])
def test_the_same_as_the_standard(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = build(slotted), build(dataclasses)
    one, other = ours(*args, **named), theirs(*args, **named)
    assert repr(one) == repr(other)
    assert (one.x, one.y, one.tags, one.length, one.double) == (
        other.x, other.y, other.tags, other.length, other.double,
    )  # fmt: skip
    assert one == ours(*args, **named)
    assert one != ours(99)
    assert not hasattr(one, "__dict__")
    assert copy.deepcopy(one) == one
    with pytest.raises(TypeError):
        hash(one)


@slotted.dataclass(frozen=True, slots=True)
class Key:
    name: str
    of: tuple[int, ...] = ()


def test_frozen_ones_are_keys_and_travel() -> None:
    assert {Key("a", (1,)): 1}[Key("a", (1,))] == 1
    assert pickle.loads(pickle.dumps(Key("a"))) == Key("a")
    assert Key("a") != "a"


def test_defaults_are_not_shared() -> None:
    point = build(slotted)
    point(1).tags.append("x")
    assert point(1).tags == []


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="name"):
        Key()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="other"):
        Key("a", other=1)  # type: ignore[call-arg]
