"""Masking: generated secrets of 49 kinds in ten carriers, false hits on recorded data, speed on logs.

The secrets are drawn by chance in the formats that their issuers document. A secret counts as found when no piece
of it of more than a quarter of its length is left, and the carrier must keep its shape: JSON parses, with the same
keys. False hits are what is masked in recorded files that are not about secrets; ``--hits`` prints each with what
stands around it, for a reader's judgement.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import string
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from bench.evidence import corpus
from bench.speed import write
from bench.tables import percent, table
from mcpcompact.masking import Masker
from mcpcompact.masking.engine import _Stream

A = string.ascii_letters + string.digits
T = A + "-_"
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
B64 = A + "+/"
PASS = A + "!@#%^*-_+=.~?"
KEY = b"bench"

Make = Callable[[Random], str]


def chars(alphabet: str, length: int, prefix: str = "", suffix: str = "") -> Make:
    return lambda rng: prefix + "".join(rng.choices(alphabet, k=length)) + suffix


def _b64(rng: Random, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


def _jwt(rng: Random) -> str:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    body = part({"sub": rng.randrange(10**9), "name": "".join(rng.choices(string.ascii_lowercase, k=8))})
    return ".".join((part({"alg": "HS256", "typ": "JWT"}), body, chars(T, 43)(rng)))


def _pem(rng: Random) -> str:
    kind = rng.choice(("RSA ", "", "EC ", "OPENSSH ", "ENCRYPTED "))
    body = _b64(rng, rng.choice((120, 600, 1_190)))
    lines = "\n".join(body[i : i + 64] for i in range(0, len(body), 64))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


def _uuid(rng: Random) -> str:
    return "-".join("".join(rng.choices(HEX, k=n)) for n in (8, 4, 4, 4, 12))


def _discord(rng: Random) -> str:
    who = base64.b64encode(str(rng.randrange(10**17, 10**18)).encode()).decode()
    return f"{who}.{chars(T, 6)(rng)}.{chars(T, 38)(rng)}"


ALONE: dict[str, Make] = {
    "aws-access-key": chars(UPPER, 16, "AKIA"),
    "google-api-key": chars(T, 35, "AIza"),
    "google-oauth": chars(T, 120, "ya29."),
    "google-client-secret": chars(T, 28, "GOCSPX-"),
    "azure-client-secret": lambda rng: f"{chars(A, 3)(rng)}8Q~{chars(A + '_.~-', 33)(rng)}{rng.choice(A)}",
    "github-classic": chars(A, 36, "ghp_"),
    "github-fine-grained": lambda rng: f"github_pat_{chars(A, 22)(rng)}_{chars(A, 59)(rng)}",
    "github-app": chars(A, 36, "ghs_"),
    "gitlab": chars(T, 20, "glpat-"),
    "slack-bot": lambda rng: f"xoxb-{rng.randrange(10**11, 10**12)}-{rng.randrange(10**12)}-{chars(A, 24)(rng)}",
    "slack-webhook": lambda rng: (
        f"https://hooks.slack.com/services/T{chars(UPPER, 8)(rng)}/B{chars(UPPER, 10)(rng)}/{chars(A, 24)(rng)}"
    ),
    "discord-bot": _discord,
    "telegram-bot": lambda rng: f"{rng.randrange(10**8, 10**10)}:AA{chars(T, 33)(rng)}",
    "stripe": chars(A, 24, "sk_live_"),
    "stripe-webhook": chars(A, 32, "whsec_"),
    "openai": chars(T, 120, "sk-proj-"),
    "openai-classic": chars(A, 48, "sk-"),
    "anthropic": chars(T, 93, "sk-ant-api03-", "AA"),
    "huggingface": chars(string.ascii_letters, 34, "hf_"),
    "npm": chars(A, 36, "npm_"),
    "pypi": chars(T, 150, "pypi-AgEIcHlwaS5vcmc"),
    "rubygems": chars(HEX, 48, "rubygems_"),
    "docker": chars(T, 27, "dckr_pat_"),
    "twilio": chars(HEX, 32, "SK"),
    "sendgrid": lambda rng: f"SG.{chars(T, 22)(rng)}.{chars(T, 43)(rng)}",
    "mailgun": chars(HEX, 32, "key-"),
    "digitalocean": chars(HEX, 64, "dop_v1_"),
    "newrelic": chars(UPPER, 27, "NRAK-"),
    "grafana": lambda rng: f"glsa_{chars(A, 32)(rng)}_{chars(HEX, 8)(rng)}",
    "shopify": chars(HEX, 32, "shpat_"),
    "vault": chars(T, 90, "hvs."),
    "databricks": chars(HEX, 32, "dapi"),
    "atlassian": chars(T, 180, "ATATT3xFfGF0", "=" + "1A2B3C4D"),
    "age": chars("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, "AGE-SECRET-KEY-1"),
    "linear": chars(A, 40, "lin_api_"),
    "jwt": _jwt,
    "pem": _pem,
    "postgres-url": lambda rng: f"postgresql://app:{chars(A + '!$*-_.', 16)(rng)}@db.internal:5432/orders",
    "https-url": lambda rng: f"https://deploy:{chars(A, 20)(rng)}@git.example.com/team/repo.git",
    "mongodb-url": lambda rng: f"mongodb+srv://root:{chars(A, 14)(rng)}@cluster0.ab1cd.mongodb.net/prod",
}
"""Kinds that need no name beside them. Where the text is longer than the secret, ``core`` cuts it out."""

NAMED: dict[str, tuple[str, Make]] = {
    "aws-secret-key": ("AWS_SECRET_ACCESS_KEY", chars(B64, 40)),
    "azure-storage-key": ("AZURE_STORAGE_ACCOUNT_KEY", lambda rng: _b64(rng, 64)),
    "datadog": ("DD_API_KEY", chars(HEX, 32)),
    "heroku": ("HEROKU_API_KEY", _uuid),
    "cloudflare": ("CLOUDFLARE_API_TOKEN", chars(T, 40)),
    "twilio-auth": ("TWILIO_AUTH_TOKEN", chars(HEX, 32)),
    "django": ("DJANGO_SECRET_KEY", chars(A + "!@#%^*-_=+", 50)),
    "password": ("DB_PASSWORD", chars(PASS, 16)),
    "client-secret": ("OAUTH_CLIENT_SECRET", chars(A, 32)),
}
"""Kinds that only a name gives away: placed as an assignment in every carrier."""


def core(kind: str, text: str) -> list[str]:
    """What must not be left of a secret: its random parts."""
    if kind == "pem":
        return [line for line in text.split("\n")[1:-1] if len(line) >= 16]
    if kind.endswith("-url"):
        return [text.split("://")[1].split("@")[0].split(":")[1]]
    if kind == "slack-webhook":
        return [text.rsplit("/", 1)[1]]
    return [text]


def left(secret: str, text: str) -> bool:
    """Whether a piece of more than a quarter of ``secret`` (6 characters at least) still stands in ``text``."""
    size = max(6, len(secret) // 4 + 1)
    if len(secret) <= size:
        return secret in text
    return any(secret[i : i + size] in text for i in range(0, len(secret) - size + 1))


def _camel(name: str) -> str:
    first, *rest = name.lower().split("_")
    return first + "".join(part.title() for part in rest)


CARRIERS: dict[str, Callable[[str, str, bool, Random], str]] = {
    # (name, secret, whether the name is needed, rng) -> text
    "json": lambda n, s, named, rng: json.dumps(
        {"id": rng.randrange(999), "config": {_camel(n): s, "on": True}}, indent=1
    ),
    "json-string": lambda n, s, named, rng: json.dumps(
        {"log": f"line one\n{n}={s}\nline three" if named else f"line one\n{s}\nline three", "n": 1}
    ),
    "json-in-json": lambda n, s, named, rng: json.dumps({"body": json.dumps({n.lower(): s, "n": [1, 2]}), "ok": 1}),
    "log": lambda n, s, named, rng: (
        f"2026-05-01 10:00:0{rng.randrange(9)} INFO [main-1] loaded {n.lower() + '=' if named else ''}{s} from vault\n"
    ),
    "diff": lambda n, s, named, rng: (
        "--- a/.env\n+++ b/.env\n@@ -1,2 +1,2 @@\n HOST=a\n"
        + "".join(f"{sign}{line}\n" for sign in "-+" for line in f"{n}={s}".split("\n"))
    ),
    "url": lambda n, s, named, rng: (
        s + "\n"
        if "://" in s
        else f"GET https://api.example.com/v1/x?page=2&{n.lower()}={_quoted(s)}&sort=asc HTTP/1.1\n"
    ),
    "environment": lambda n, s, named, rng: f"HOME=/root\n{n}={s}\nPATH=/usr/bin:/bin\n",
    "export": lambda n, s, named, rng: f'export LANG=C\nexport {n}="{s}"\ncd /srv\n',
    "yaml": lambda n, s, named, rng: f"db:\n  host: a\n  {n.lower()}: {_indented(s)}\n  port: 1\n",
    "header": lambda n, s, named, rng: (
        f"> POST /v1 HTTP/1.1\n> Authorization: Bearer {s}\n> Accept: */*\n"
        if "://" not in s and "\n" not in s
        else f"x-{n.lower()}: {s}\n"
    ),
}


def _quoted(secret: str) -> str:
    from urllib.parse import quote

    return quote(secret, safe="-_.~!*")


def _indented(secret: str) -> str:
    return secret if "\n" not in secret else "|\n" + "".join(f"    {line}\n" for line in secret.split("\n"))


def found(seeds: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Secrets placed and found, by ``kind`` and by ``carrier``; and the texts of those missed."""
    placed: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    missed = []
    masker = Masker(KEY)
    for kind in (*ALONE, *NAMED):
        for carrier, carry in CARRIERS.items():
            for seed in range(seeds):
                rng = Random(f"{kind}:{carrier}:{seed}")
                name, make = NAMED.get(kind, (f"{kind.upper().replace('-', '_')}_VALUE", ALONE.get(kind)))
                assert make is not None
                secret = make(rng)
                text = carry(name, secret, kind in NAMED, rng)
                masked = masker.text(text)
                if carrier.startswith("json"):
                    assert _shape(json.loads(masked)) == _shape(json.loads(text)), masked
                for part in (kind, carrier):
                    placed[part] += 1
                if any(left(part, masked) for part in core(kind, secret) if part in text):
                    missed.append(f"{kind} in {carrier}: {masked[:240]!r}")
                else:
                    for part in (kind, carrier):
                        hidden[part] += 1
    return placed, hidden, missed


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items()}
    return [_shape(item) for item in value] if isinstance(value, list) else type(value)


ABOUT = (b"secret scanning", b"gitleaks", b"trufflehog", b"detect-secrets", b"example credentials")


def false_hits(root: Path) -> tuple[int, int, list[tuple[str, str, str]]]:
    """Bytes read, files left out as being about secrets, and what was masked: kind, file, and the text around it."""
    size, about = 0, 0
    hits: list[tuple[str, str, str]] = []
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if any(mark in data.lower() for mark in ABOUT):
            about += 1
            continue
        size += len(data)
        for start, end, kind in spans(data):
            around = data[max(0, start - 60) : min(end, start + 60) + 20]
            hits.append((kind, str(path.relative_to(root)), around.decode("utf-8", "replace")))
    return size, about, hits


def spans(data: bytes) -> list[tuple[int, int, str]]:
    """What would be masked: start, end and kind."""
    found: list[tuple[int, int, str]] = []
    at = 0
    for span in Masker(KEY)._sorted(data, _Stream(), len(data)):
        if span.end > at:
            found.append((max(span.start, at), span.end, span.kind))
            at = span.end
    return found


def speed(megabytes: int) -> dict[str, float]:
    """MB a second of one core, best of three."""
    import tempfile

    rates = {}
    with tempfile.TemporaryDirectory(prefix="masking-") as name:
        for kind in ("log", "ndjson"):
            path = Path(name) / kind
            write(kind, path, megabytes * 1_000_000)
            data = path.read_bytes()
            best = float("inf")
            for _ in range(3):
                start = time.process_time()
                for _ in Masker(KEY).blocks(data[i : i + 65_536] for i in range(0, len(data), 65_536)):
                    pass
                best = min(best, time.process_time() - start)
            rates[kind] = len(data) / 1e6 / best
    return rates


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.masking", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20, help="secrets a kind and carrier")
    parser.add_argument("--mb", type=int, default=20, help="size of the logs")
    parser.add_argument("--hits", action="store_true", help="print every hit on recorded data")
    parser.add_argument("--missed", type=int, default=5, help="print so many secrets that were missed")
    args = parser.parse_args(argv)
    placed, hidden, missed = found(args.seeds)
    total, caught = (sum(counts[carrier] for carrier in CARRIERS) for counts in (placed, hidden))
    print(f"{len(ALONE) + len(NAMED)} kinds of secrets, {args.seeds} each in {len(CARRIERS)} carriers")
    print(table(["carrier", "placed", "found", ""], [_row(c, placed, hidden) for c in CARRIERS]))
    weak = [_row(kind, placed, hidden) for kind in (*ALONE, *NAMED) if hidden[kind] < placed[kind]]
    if weak:
        print(table(["kinds not always found", "placed", "found", ""], weak))
    print(f"in all: {caught:,} of {total:,} found, {percent(caught, total, 2)} (limit 99 %)")
    for line in missed[: args.missed]:
        print(f"  missed: {line}")
    for kind, rate in speed(args.mb).items():
        print(f"speed on {kind}: {rate:.0f} MB/s a core (limit 20)")
    root = corpus()
    if not root.is_dir():
        print("False hits are counted on recorded data: set MCPCOMPACT_CORPUS to it.")
        return 0
    size, about, hits = false_hits(root)
    kinds = ", ".join(f"{kind} {n}" for kind, n in Counter(kind for kind, _, _ in hits).most_common())
    print(
        f"hits on {size / 1e6:.1f} MB of recorded data ({about} files about secrets left out): {len(hits)} = ", end=""
    )
    print(f"{len(hits) / (size / 1e6):.2f} a MB, true ones included (limit 2 false ones): {kinds}")
    for kind, name, around in hits if args.hits else ():
        print(f"  {kind:<16} {os.path.basename(name)[:40]:<40} {around!r}")
    return 0


def _row(part: str, placed: Counter[str], hidden: Counter[str]) -> list[str]:
    return [part, f"{placed[part]:,}", f"{hidden[part]:,}", percent(hidden[part], placed[part], 2)]


if __name__ == "__main__":
    sys.exit(main())
