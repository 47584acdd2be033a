"""Words and small makers of the blind set: none is shared with the first set, so that neither is tuned to the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from bench.generate.case import Case, Planted
from bench.generate.vocabulary import listed

FIRST = listed("Alice Bruno Carla Dmitri Elif Fatima Gustav Helena Ibrahim Julia Kenji Lucia Marek Nadia Oscar Priya")
LAST = listed("Abebe Bianchi Costa Dubois Egger Ferrari Garcia Hansen Ito Jensen Kumar Larsen Meyer Novak Okoye Silva")
STRANGERS = ("Quillon Treadaway", "Zephyrine Lachance", "Ottoline Vasquez-Reyes", "Barnaby Thistlewood")
TEAMS = listed("auth cart search media orders pricing stock users events geo")
THINGS = listed("page widget order user token job event file report config channel device rule item price")
DOINGS = listed("create update remove fetch render send parse index import export sync check open close assign")
TOWNS = listed("Berlin Lyon Madrid Milan Prague Vienna Dublin Warsaw")
FAR_TOWNS = listed("Reykjavik Windhoek Ulaanbaatar Paramaribo Thimphu")
REGIONS = ("eu-west-1", "us-east-1", "us-west-2")
FAR_REGIONS = ("eu-south-2", "sa-east-1", "af-south-1", "ap-northeast-3")


def hexes(rng: Random, n: int) -> str:
    return f"{rng.getrandbits(4 * n):0{n}x}"


def mark(rng: Random) -> str:
    """What a loud line carries and nothing else does."""
    return rng.choice(
        (
            f"ref-{hexes(rng, 7)}z",
            f"E{rng.randint(10_000, 99_999)}Q",
            f"incident-{rng.randint(100, 999)}-{rng.choice(THINGS)}x",
        )
    )


def far(rng: Random, typical: float) -> int:
    """8 to 1,000 times the typical value, evenly on a logarithmic scale."""
    return round(typical * 8 * math.exp(rng.random() * math.log(125)))


def places(rng: Random, total: int, n: int = 3) -> list[int]:
    """Distinct, anywhere at all."""
    return rng.sample(range(total), n)


def name(rng: Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def user(rng: Random) -> str:
    return f"{rng.choice(FIRST).lower()}{rng.choice(('', '-', '_'))}{rng.choice(LAST).lower()[:5]}{rng.randint(1, 40)}"


def ip(rng: Random) -> str:
    return ".".join(str(rng.randint(11, 230)) for _ in range(4))


_FORMS = (
    "{Do} the {t} before the next {u} is ready.",
    "We should {d} every {t} once the {team} team agrees.",
    "The {t} does not {d} when a {u} is missing.",
    "{who} noted that the {u} list grows by {n} entries a week.",
    "Nobody could {d} the {t} from the {team} screen.",
    "A second {u} was added so that {team} can {d} it later.",
)


def phrase(rng: Random) -> str:
    d = rng.choice(DOINGS)
    return rng.choice(_FORMS).format(
        Do=d.capitalize(), d=d, t=rng.choice(THINGS), u=rng.choice(THINGS), team=rng.choice(TEAMS),
        who=rng.choice(FIRST), n=rng.randint(2, 30),
    )  # fmt: skip


def prose(rng: Random, sentences: int) -> str:
    return " ".join(phrase(rng) for _ in range(sentences))


class Ticker:
    def __init__(self, rng: Random, seconds: float) -> None:
        self.rng, self.mean = rng, seconds
        self.at = datetime(2025, rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 12), tzinfo=UTC)

    def __call__(self, form: str = "%Y-%m-%dT%H:%M:%SZ") -> str:
        self.at += timedelta(seconds=self.rng.expovariate(1 / self.mean))
        return self.at.strftime(form).replace("%3", f"{self.at.microsecond // 1000:03d}")


def made(
    kind: str,
    seed: int,
    text: str,
    counts: Sequence[int],
    loud: str | Sequence[str],
    outlier: object,
    rare: object,
    tool: str = "bash",
) -> Case:
    """A case. Each anomaly is named by one needle or several."""

    def needles(value: object) -> tuple[str, ...]:
        return tuple(map(str, value)) if isinstance(value, (tuple, list)) else (str(value),)

    planted = (
        Planted("loud", needles(loud)),
        Planted("outlier", needles(outlier)),
        Planted("rare", needles(rare)),
    )
    return Case(kind, seed, text, tuple(counts), planted, tool)
