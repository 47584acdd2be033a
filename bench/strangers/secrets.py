"""Every kind of secret: seeded and random, of the published alphabet, length and check digits; none is real."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from bench.strangers import words as v
from bench.strangers.tokens import FORMS, NAMED
from bench.strangers.words import fill

NEUTRAL = ("value", "note", "arg", "input", "field 3", "payload", "setting", "data", "ref", "text")
"""Names that tell nothing: a secret of a form of its own is one under these, too."""


class Secret(NamedTuple):
    kind: str
    name: str  # in words: "db password"; the carrier spells it
    text: str  # as it stands in the carrier
    parts: tuple[str, ...]  # what must not be read afterwards


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def b64url(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def password(rng: Random) -> str:
    """What password managers and people come up with."""
    word = rng.choice(v.PLAIN)
    makers = (
        lambda: fill(rng, "<16p>"),
        lambda: fill(rng, "<20w>"),
        lambda: f"{word.capitalize()}{rng.randint(10, 2030)}!",
        lambda: v.phrase(rng, 4, "-"),
        lambda: fill(rng, "<8n>"),
        lambda: f"{word[:3]}0{word[3:]}@{rng.randint(100, 999)}",
    )
    return rng.choice(makers)()


def _plain(rng: Random) -> str:
    """A password that needs no quoting in URLs and connection strings."""
    return fill(rng, rng.choice(("<16w>", "<12w>", "<20b>"))).replace("-", "x")


def _base62(number: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = (v.ALPHABETS["d"] + v.ALPHABETS["u"] + v.ALPHABETS["l"])[rest] + digits
    return digits.rjust(6, "0")


def checked(rng: Random, prefix: str) -> str:
    """GitHub's and npm's form: thirty characters and the CRC-32 of them in base 62."""
    body = fill(rng, "<30w>")
    return prefix + body + _base62(zlib.crc32(body.encode()))


def jwt(rng: Random) -> str:
    head = b64url(json.dumps({"alg": "HS256", "typ": "JWT"}))
    body = {"sub": fill(rng, "<10d>"), "name": rng.choice(v.USERS), "iat": rng.randint(16 * 10**8, 18 * 10**8)}
    return f"{head}.{b64url(json.dumps(body))}.{fill(rng, '<43b>')}"


def pem(rng: Random, label: str, lines: int, first: str = "MII", head: str = "") -> str:
    body = first + fill(rng, f"<{64 - len(first)}B>")
    rows = [body, *(fill(rng, "<64B>") for _ in range(lines - 2)), fill(rng, "<38B>==")]
    return f"-----BEGIN {label}-----\n{head}" + "\n".join(rows) + f"\n-----END {label}-----"


def _pem(label: str, lines: int, first: str = "MII", head: str = "") -> Callable[[Random], tuple[str, str, list[str]]]:
    def make(rng: Random) -> tuple[str, str, list[str]]:
        text = pem(rng, label, lines, first, head)
        name = rng.choice(("private key", "tls key", "ssh key", "key", "deploy key", *NEUTRAL[:3]))
        return name, text, [line for line in text.split("\n") if len(line) > 30 and "-----" not in line]

    return make


def _form(pattern: str, usual: str) -> Callable[[Random], tuple[str, str, list[str]]]:
    def make(rng: Random) -> tuple[str, str, list[str]]:
        text = fill(rng, pattern)
        return (usual if rng.random() < 0.5 else rng.choice(NEUTRAL)), text, [text]

    return make


def _named(pattern: str, names: tuple[str, ...]) -> Callable[[Random], tuple[str, str, list[str]]]:
    def make(rng: Random) -> tuple[str, str, list[str]]:
        text = fill(rng, pattern)
        return rng.choice(names), text, [text]

    return make


def _within(names: str, *templates: str) -> Callable[[Random], tuple[str, str, list[str]]]:
    """A password inside a line: ``{p}`` is it, ``{u}`` a user, ``{h}`` a host, ``{s}`` a shop, ``{e}`` its base64."""

    def make(rng: Random) -> tuple[str, str, list[str]]:
        user, host, secret = rng.choice(v.USERS), rng.choice(v.HOSTS), _plain(rng)
        pair = b64(f"{user}:{secret}")
        text = rng.choice(templates).format(u=user, h=host, p=secret, s=rng.choice(v.SHOPS), e=pair)
        return rng.choice(names.split("|")), text, [pair] if pair in text else [secret]

    return make


def _given(
    names: tuple[str, ...], maker: Callable[[Random], str], lead: str = ""
) -> Callable[[Random], tuple[str, str, list[str]]]:
    def make(rng: Random) -> tuple[str, str, list[str]]:
        secret = maker(rng)
        return rng.choice(names), lead + secret, [secret]

    return make


def _spaced(rng: Random) -> str:
    return v.phrase(rng, 4, " ")


def _quoted(rng: Random) -> str:
    return fill(rng, "<6w>") + rng.choice(("'", '"', "\\", "$", "`", "&", "<", ";", ",", "|", "%")) + fill(rng, "<7w>")


def _accented(rng: Random) -> str:
    return rng.choice(("Käse", "Żółw", "naïve", "пароль", "señor")) + fill(rng, "<8w>")


def _account(rng: Random) -> tuple[str, str, list[str]]:
    key = pem(rng, "PRIVATE KEY", 20, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC")
    account = {"type": "service_account", "project_id": "shop-1", "private_key_id": fill(rng, "<40h>"),
               "private_key": key + "\n", "client_email": "ci@shop-1.iam.gserviceaccount.com"}  # fmt: skip
    return "credentials json", json.dumps(account), key.split("\n")[1:-1]


PASSWORDS = ("password", "db password", "smtp pass", "passwd", "admin pwd", "db pass", "user password")
URLS = "database url|dsn|url|connection|value|uri"
LINES = "command|line|cmd|stdout|output|text"

OTHER: dict[str, Callable[[Random], tuple[str, str, list[str]]]] = {
    "github-classic": _given(("github token", "gh token", *NEUTRAL[:2]), lambda rng: checked(rng, "ghp_")),
    "github-app": _given(("github token", "value"), lambda rng: checked(rng, rng.choice(("ghs_", "gho_", "ghu_")))),
    "npm": _given(("npm token", "value", "note"), lambda rng: checked(rng, "npm_")),
    "jwt": _given(("id token", "access token", "jwt", *NEUTRAL[:3]), jwt),
    "pem-rsa": _pem("RSA PRIVATE KEY", 25, "MIIEpAIBAAKCAQEA"),
    "pem-ec": _pem("EC PRIVATE KEY", 3, "MHcCAQEEI"),
    "pem-pkcs8": _pem("PRIVATE KEY", 26, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"),
    "pem-encrypted": _pem("ENCRYPTED PRIVATE KEY", 28, "MIIFHDBOBgkqhkiG9w0BBQ0w"),
    "pem-openssh": _pem("OPENSSH PRIVATE KEY", 7, "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZ"),
    "pem-pgp": _pem("PGP PRIVATE KEY BLOCK", 20, "lQOYBF", "Version: GnuPG v2\n\n"),
    "pem-legacy-encrypted": _pem(
        "RSA PRIVATE KEY", 25, "", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00AA11BB22CC33DD\n\n"
    ),
    "gcp-service-account": _account,
    "kubeconfig-key": _given(("client key data",), lambda rng: b64(pem(rng, "RSA PRIVATE KEY", 10))),
    "docker-auth": _given(("auth", "registry auth"), lambda rng: b64(f"{rng.choice(v.USERS)}:{_plain(rng)}")),
    "url-postgres": _within(URLS, "postgresql://{u}:{p}@{h}:5432/orders", "postgres://{u}:{p}@{h}/app?sslmode=require"),
    "url-mysql": _within(URLS, "mysql://{u}:{p}@{h}:3306/shop", "mysql+pymysql://{u}:{p}@{h}/shop?charset=utf8mb4"),
    "url-mongodb": _within(URLS, "mongodb+srv://{u}:{p}@cluster0.ab1cd.mongodb.net/app?retryWrites=true&w=majority"),
    "url-redis": _within(URLS, "redis://:{p}@{h}:6379/0", "rediss://default:{p}@{h}:6380"),
    "url-amqp": _within(URLS, "amqp://{u}:{p}@{h}:5672/%2f", "amqps://{u}:{p}@{h}/vhost"),
    "url-https": _within(URLS + "|origin", "https://{u}:{p}@git.example.org/team/app.git", "http://{u}:{p}@{h}:8080/"),
    "url-ftp": _within(URLS, "sftp://{u}:{p}@{h}/backup", "smtp://{u}:{p}@{h}:587"),
    "url-jdbc": _within(URLS, "jdbc:postgresql://{h}:5432/app?user={u}&password={p}",
                        "jdbc:sqlserver://{h}:1433;databaseName=app;user={u};password={p};encrypt=true"),
    "ado": _within("connection string|default connection|value",
                   "Server=tcp:{h},1433;Initial Catalog=app;User ID={u};Password={p};Encrypt=True;",
                   "Data Source={h};Database=app;Uid={u};Pwd={p};"),
    "odbc": _within("connection string|dsn|value",
                    "Driver={{ODBC Driver 18 for SQL Server}};Server={h};UID={u};PWD={p}"),
    "azure-storage-string": _given(
        ("connection string", "storage", "value"), lambda rng: fill(rng, "<86B>=="),
        "DefaultEndpointsProtocol=https;AccountName=orders1;EndpointSuffix=core.windows.net;AccountKey=",
    ),
    "azure-service-bus": _given(
        ("connection string", "value"), lambda rng: fill(rng, "<43B>="),
        "Endpoint=sb://orders.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=",
    ),
    "azure-sas": _given(("url", "value"), lambda rng: fill(rng, "<43w>%3D"),
                        "https://orders1.blob.core.windows.net/b/x.csv?sv=2024-11-04&se=2026-12-01T00%3A00%3A00Z&sr=b&sp=r&sig="),
    "aws-presigned": _given(("url", "value"), lambda rng: fill(rng, "<64h>"),
                            "https://b.s3.amazonaws.com/x?X-Amz-Date=20260301T000000Z&X-Amz-Expires=900&X-Amz-Signature="),
    "otpauth": _given(("uri", "qr", "value"), lambda rng: fill(rng, "<322>"), "otpauth://totp/Shop:ann?issuer=Shop&secret="),
    "netrc": _within(LINES, "machine {h} login {u} password {p}"),
    "pgpass": _within(LINES, "db-3.internal:5432:orders:{u}:{p}"),
    "git-credentials": _within(LINES, "https://{u}:{p}@github.com"),
    "npmrc": _given(("line", "npmrc"), lambda rng: fill(rng, v.UUID), "//registry.npmjs.org/:_authToken="),
    "npmrc-auth": _within("line|npmrc", "//npm.example.org/:_auth={e}", "//npm.example.org/:_password={e}"),
    "htpasswd-bcrypt": _given(("line", "htpasswd"), lambda rng: "$2y$10$" + fill(rng, "<53w>"), "ann:"),
    "htpasswd-apr1": _given(("line", "htpasswd"), lambda rng: "$apr1$" + fill(rng, "<8w>$<22w>"), "ann:"),
    "shadow-sha512": _given(("line", "shadow"), lambda rng: "$6$" + fill(rng, "<16w>$<86w>"), "root:"),
    "bearer": _given(("authorization",), lambda rng: fill(rng, "<40b>"), "Bearer "),
    "bearer-line": _given(("line", "header", "command"), lambda rng: fill(rng, "<40b>"), "Authorization: Bearer "),
    "basic": _within("authorization", "Basic {e}"),
    "basic-line": _within("line|header|text", "Authorization: Basic {e}"),
    "header-api-key": _given(("line", "header"), lambda rng: fill(rng, "<40w>"), "X-Api-Key: "),
    "cookie": _given(("cookie", "set cookie"), lambda rng: fill(rng, "<32w>"), "lang=en; sessionid="),
    "cookie-connect": _given(("cookie", "set cookie"), lambda rng: fill(rng, "s%3A<32b>.<43w>"), "connect.sid="),
    "cmd-env": _within(LINES, "PGPASSWORD={p} psql -h {h} -U {u} orders", "MYSQL_PWD={p} mysqldump -u {u} shop"),
    "cmd-mysql": _within(LINES, "mysql -h {h} -u {u} -p{p} shop", "mysqldump -u{u} --password={p} shop > dump.sql"),
    "cmd-flag": _within(LINES, "deploy --user {u} --password {p} --host {h}", "docker login -u {u} -p {p} {h}"),
    "cmd-sshpass": _within(LINES, "sshpass -p {p} ssh {u}@10.20.0.14", "sshpass -p '{p}' scp a {u}@10.20.0.14:"),
    "cmd-curl": _within(LINES, "curl -u {u}:{p} https://api.example.org/v1", "curl --user '{u}:{p}' https://{h}/"),
    "cmd-redis": _within(LINES, "redis-cli -h {h} -a {p} ping"),
    "sql-password": _within(LINES, "CREATE USER {u} IDENTIFIED BY '{p}';", "ALTER ROLE {u} WITH PASSWORD '{p}';"),
    "php-define": _within("line|code", "define('DB_PASSWORD', '{p}');", 'define( "DB_PASSWORD", "{p}" );'),
    "prose-password": _within("message|text|note",
                              "The password for {u} is {p}", "login with user {u} and password: {p}"),
    "mnemonic": _given(("mnemonic", "seed phrase", "recovery phrase"), lambda rng: v.phrase(rng, 12, " ", v.MNEMONIC)),
    "pw-human": _given(PASSWORDS, password),
    "pw-spaces": _given(PASSWORDS, _spaced),
    "pw-quotes": _given(PASSWORDS, _quoted),
    "pw-accents": _given(PASSWORDS, _accented),
}  # fmt: skip

KINDS: dict[str, Callable[[Random], tuple[str, str, list[str]]]] = {
    **{kind: _form(*entry) for kind, entry in FORMS.items()},
    **{kind: _named(*entry) for kind, entry in NAMED.items()},
    **OTHER,
}


def secret(kind: str, rng: Random) -> Secret:
    name, text, parts = KINDS[kind](rng)
    return Secret(kind, name, text, tuple(parts))
