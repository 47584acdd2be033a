"""Word lists and small makers for all generators. Deterministic: every choice comes from the caller's ``Random``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random


def listed(text: str) -> list[str]:
    return text.split()


GIVEN = listed(
    "Amara Bjorn Chen Dalia Emre Farida Goran Hana Ines Jonas Kavya Leif Mireille Nuno Oksana Pavel Quyen Rosa Selim "
    "Tamsin Ulla Viktor Wanjiru Ximena Yara Zoltan"
)
FAMILY = listed(
    "Abara Berg Castillo Dietrich Eriksen Fontaine Gupta Hossain Ivanova Jansen Kowalski Lindqvist Moreau Nakamura "
    "Okafor Petrov Quispe Rinaldi Sato Tanaka Ustinov Varga Weiss Xu Yilmaz Zhou"
)
SERVICES = listed(
    "billing checkout catalog inventory shipping payments notifier search ranking gateway auth sessions profile "
    "mailer exporter importer scheduler thumbnails webhooks ledger quota audit reports recommender"
)
NOUNS = listed(
    "cache queue index schema cursor buffer token lease shard replica socket worker session bucket batch stream "
    "snapshot manifest adapter parser router tenant policy registry widget invoice payload digest planner"
)
VERBS = listed(
    "load flush rebuild merge resolve rotate acquire release parse encode decode validate compact replay retry "
    "publish subscribe evict warm prune migrate reconcile throttle dispatch collect sample"
)
ADJECTIVES = listed(
    "stale nested partial duplicate remote idle warm pending orphaned shared bounded lazy strict legacy"
)
PLACES = listed("src lib core api internal pkg server client plugins storage network models handlers services")
SUFFIXES = {"py": "python", "go": "go", "ts": "typescript", "rs": "rust", "java": "java", "rb": "ruby"}
CITIES = listed("Oslo Lagos Quito Hanoi Turin Perth Leeds Malmo Gdansk Porto Austin Kyoto Dakar Cusco Basel Ghent")
SENTENCES = (
    "The {noun} is not released when {verb} is called twice from the same {noun2}.",
    "After an upgrade the {adj} {noun} shows up again and {verb} has to be run by hand.",
    "Steps: start the {service} service, {verb} the {noun}, then look at the {noun2} list.",
    "Expected: {verb} returns the {noun}. Actual: it returns a {adj} {noun2}.",
    "We see this on two machines, both with a {adj} {noun} and more than {n} entries.",
    "It would help if {service} could {verb} a {noun} without touching the {noun2}.",
    "A workaround is to {verb} the {noun2} before the {service} job starts.",
    "This is related to how the {noun} keeps a reference to its {noun2}.",
)
AMINO = "ACDEFGHIKLMNPQRSTVWY"


def words(rng: Random) -> dict[str, str]:
    """Slots for a sentence template."""
    return {
        "noun": rng.choice(NOUNS),
        "noun2": rng.choice(NOUNS),
        "verb": rng.choice(VERBS),
        "adj": rng.choice(ADJECTIVES),
        "service": rng.choice(SERVICES),
        "n": str(rng.randint(12, 900)),
    }


def sentence(rng: Random) -> str:
    return rng.choice(SENTENCES).format(**words(rng))


def paragraph(rng: Random, low: int = 2, high: int = 6) -> str:
    return " ".join(sentence(rng) for _ in range(rng.randint(low, high)))


def person(rng: Random) -> str:
    return f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"


def login(rng: Random) -> str:
    given, family = rng.choice(GIVEN).lower(), rng.choice(FAMILY).lower()
    return rng.choice((f"{given}{family[0]}", f"{given[0]}{family}", f"{family}-{given[:2]}"))


def hexid(rng: Random, length: int = 8) -> str:
    return f"{rng.getrandbits(4 * length):0{length}x}"


def code(rng: Random) -> str:
    """A short upper-case code that no other part of a generated input can contain by chance."""
    return "".join(rng.choice("BCDFGHJKLMNPQRSTVWXZ") for _ in range(4)) + str(rng.randint(1000, 9999))


def address(rng: Random) -> str:
    return f"10.{rng.randint(0, 40)}.{rng.randint(0, 255)}.{rng.randint(1, 254)}"


def path(rng: Random, suffix: str = "py") -> str:
    folders = [rng.choice(PLACES)] + [rng.choice(NOUNS) for _ in range(rng.randint(0, 2))]
    return "/".join([*folders, f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}.{suffix}"])


def symbol(rng: Random) -> str:
    return f"{rng.choice(VERBS)}_{rng.choice(ADJECTIVES)}_{rng.choice(NOUNS)}"


class Clock:
    """Timestamps that move forward by random steps."""

    def __init__(self, rng: Random, step: float = 1.0) -> None:
        self.rng, self.step = rng, step
        self.now = datetime(2026, rng.randint(1, 9), rng.randint(1, 28), rng.randint(0, 20), 0, 0, tzinfo=UTC)

    def tick(self) -> datetime:
        self.now += timedelta(seconds=self.rng.expovariate(1 / self.step))
        return self.now

    def iso(self) -> str:
        return self.tick().strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now.microsecond // 1000:03d}Z"

    def plain(self) -> str:
        return self.tick().strftime("%Y-%m-%d %H:%M:%S,") + f"{self.now.microsecond // 1000:03d}"


def spots(rng: Random, total: int, number: int = 3) -> list[int]:
    """``number`` distinct places, anywhere but the first and last two percent (those any head-tail shows)."""
    margin = max(1, total // 50)
    return rng.sample(range(margin, total - margin), number)
