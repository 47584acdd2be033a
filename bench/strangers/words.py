"""Random text by small patterns, and the words that realistic documents are made of."""

from __future__ import annotations

import re
import string
from random import Random

ALPHABETS = {
    "w": string.ascii_letters + string.digits,
    "a": string.ascii_letters,
    "l": string.ascii_lowercase,
    "n": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase,
    "A": string.ascii_uppercase + string.digits,
    "d": string.digits,
    "h": string.digits + "abcdef",
    "H": string.digits + "ABCDEF",
    "b": string.ascii_letters + string.digits + "-_",
    "B": string.ascii_letters + string.digits + "+/",
    "2": string.ascii_uppercase + "234567",
    "8": "qpzry9x8gf2tvdw0s3jn54khce6mua7l".upper(),  # bech32
    "p": string.ascii_letters + string.digits + "!#$%&*+-.?@^_~",
}
HOLE = re.compile(r"<(\d+)([a-zA-Z28])>")
UUID = "<8h>-<4h>-4<3h>-a<3h>-<12h>"

HOSTS = ("db-3.internal", "10.20.0.14", "orders.prod.example.net", "cache.example.org", "localhost")
USERS = ("app", "svc_billing", "reporting", "mkovacs", "postgres", "deploy")
SHOPS = ("northwind", "blue-harbour", "acme", "lumen")
SERVICES = ("billing", "checkout", "search", "gateway", "ledger")
PLAIN = [
    "harbour", "lantern", "velvet", "orbit", "maple", "canyon", "tulip", "marble", "pepper", "falcon",
    "meadow", "copper", "ticket", "winter", "saddle", "ribbon", "planet", "anchor", "cactus", "violin",
    "pillow", "garlic", "thunder", "walnut", "bridge", "silver", "dragon", "summer", "castle", "island",
    "rocket",
]  # fmt: skip
MNEMONIC = [
    "abandon", "ability", "absent", "abstract", "acid", "acoustic", "actor", "adapt", "advice", "aerobic",
    "afford", "agent", "airport", "album", "alley", "alpha", "amateur", "anchor", "ankle", "antenna", "apple",
    "arctic", "armor", "arrow", "artist", "aspect", "atom", "august", "avocado", "awake", "axis", "bacon",
    "balance", "bamboo", "banana", "barrel", "basket", "beach", "benefit", "bicycle", "blanket", "blossom",
    "border", "bracket", "bright", "bronze", "bubble", "bullet",
]  # fmt: skip


def fill(rng: Random, pattern: str) -> str:
    """The pattern with each ``<12h>`` replaced by twelve random characters of that alphabet."""
    return HOLE.sub(lambda hole: "".join(rng.choices(ALPHABETS[hole[2]], k=int(hole[1]))), pattern)


def phrase(rng: Random, words: int, between: str, source: list[str] | None = None) -> str:
    return between.join(rng.sample(source or PLAIN, words))
