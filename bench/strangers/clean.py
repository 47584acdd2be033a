"""Documents without any secret that look as if they had some: nothing may be masked in them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from random import Random

from bench.strangers import words as v
from bench.strangers.clean_tables import TABLES
from bench.strangers.clean_texts import (
    ddl,
    documentation,
    empty_values,
    from_environment,
    help_text,
    references,
    schema,
    signatures,
    templates,
    tokens_code,
    translations,
)
from bench.strangers.words import UUID, fill, phrase


def lines(count: int, make: Callable[[int], str]) -> str:
    return "".join(make(i) + "\n" for i in range(count))


def git_log(rng: Random) -> str:
    return lines(
        20, lambda i: fill(rng, "commit <40h>\nAuthor: Ann <ann@example.org>\n\n    ") + phrase(rng, 4, " ") + "\n"
    )


def git_oneline(rng: Random) -> str:
    return lines(
        30, lambda i: fill(rng, "<8h> ") + rng.choice(("Reset password form", "Add token counter", "Fix secret santa"))
    )


def uuids(rng: Random) -> str:
    return json.dumps(
        [{"id": fill(rng, UUID), "traceId": fill(rng, "<32h>"), "spanId": fill(rng, "<16h>")} for _ in range(12)]
    )


def checksums(rng: Random) -> str:
    return lines(8, lambda i: fill(rng, "<64h>  dist/app-<1d>.<1d>.tar.gz")) + lines(
        5, lambda i: fill(rng, "MD5 (a<2d>.bin) = <32h>")
    )


def docker_images(rng: Random) -> str:
    return lines(8, lambda i: fill(rng, "registry.example.org/app@sha256:<64h>  <12h>  2 weeks ago  <3d>MB"))


def fasta(rng: Random) -> str:
    return lines(10, lambda i: f">seq{i} sample {i}\n" + "".join(rng.choices("ACGT", k=240)))


def protein(rng: Random) -> str:
    return lines(5, lambda i: f">sp|P0{i}|TOKEN_HUMAN\n" + "".join(rng.choices("ACDEFGHIKLMNPQRSTVWY", k=180)))


def image(rng: Random) -> str:
    return f'<img alt="logo" src="data:image/png;base64,iVBORw0KGgo{base64.b64encode(rng.randbytes(900)).decode()}">\n'


def package_lock(rng: Random) -> str:
    packages = {
        f"node_modules/{rng.choice(v.PLAIN)}-{i}": {
            "version": fill(rng, "<1d>.<2d>.<1d>"),
            "resolved": fill(rng, "https://registry.npmjs.org/js-tokens/-/js-tokens-<1d>.0.0.tgz"),
            "integrity": "sha512-" + fill(rng, "<86B>=="),
        }
        for i in range(10)
    }
    return json.dumps({"lockfileVersion": 3, "packages": packages}, indent=2)


def poetry_lock(rng: Random) -> str:
    return lines(
        6,
        lambda i: fill(
            rng,
            '[[package]]\nname = "keyring"\nversion = "25.<1d>"\nfiles = [\n '
            '   {file = "keyring-25.tar.gz", hash = "sha256:<64h>"},\n]\n',
        ),
    )


def go_sum(rng: Random) -> str:
    return lines(12, lambda i: fill(rng, "github.com/golang-jwt/jwt/v5 v5.2.<1d> h1:<43B>="))


def requirements(rng: Random) -> str:
    return lines(6, lambda i: fill(rng, "passlib==1.7.<1d> \\\n    --hash=sha256:<64h>"))


def minified(rng: Random) -> str:
    names = [fill(rng, "<2a>") for _ in range(80)]
    return (
        "!function(e,t){"
        + "".join(f"var {n}=t.password||e.{n},p=this.token(a,{i});" for i, n in enumerate(names))
        + "}(window);"
    )


def word_list(rng: Random) -> str:
    return lines(60, lambda i: rng.choice([*v.PLAIN, "password", "secret", "token", "credential", "passphrase", "key"]))


def colours(rng: Random) -> str:
    return lines(
        20, lambda i: fill(rng, ".c<2d> { color: #<6h>; --token-color-<1d>: #<6h>; background: rgba(1, 2, 3, .5) }")
    )


def usage(rng: Random) -> str:
    return lines(
        10,
        lambda i: fill(
            rng,
            '{"prompt_tokens": <4d>, "completion_tokens": <3d>, "total_tokens": <5d>, '
            '"max_tokens": 4096, "token_count": <4d>}',
        ),
    )


def santa(rng: Random) -> str:
    return "Secret Santa: Ann draws Bob\n" + lines(
        12, lambda i: f"secret santa {rng.choice(v.PLAIN)}: {rng.choice(v.PLAIN)}, the secret garden, secret=no"
    )


def key_values(rng: Random) -> str:
    return lines(
        15,
        lambda i: fill(
            rng,
            "level=info key=user:<4d> cache_key=orders:<6d> primary_key=id "
            "sort_key=created_at keyboard=qwerty partition_key=<2d>",
        ),
    )


def public_keys(rng: Random) -> str:
    rows = "\n".join(fill(rng, "<64B>") for _ in range(8))
    return (
        f"-----BEGIN CERTIFICATE-----\nMIID{rows}\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\nMIIB{rows}\n"
        f"-----END PUBLIC KEY-----\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{fill(rng, '<43B>')} ann@laptop\n"
    )


def auth_log(rng: Random) -> str:
    return lines(
        10,
        lambda i: fill(
            rng,
            "Mar 1<1d> 10:0<1d>:11 web sshd[<4d>]: Failed password for "
            "invalid user admin from 10.0.<1d>.<2d> port <5d> ssh2",
        ),
    ) + (
        "pam_unix(sudo:auth): conversation failed\nAccepted publickey "
        "for ann from 10.0.0.4 port 52110 ssh2: RSA SHA256:" + fill(rng, "<43B>\n")
    )


def test_output(rng: Random) -> str:
    return lines(10, lambda i: f"tests/test_auth.py::test_password_reset[{rng.choice(v.PLAIN)}] PASSED") + (
        "tests/test_token.py::test_secret_rotation FAILED\nE   AssertionError: "
        "token: expected int, got str\nE   KeyError: 'password'\n"
    )


def compiler_errors(rng: Random) -> str:
    return lines(
        6,
        lambda i: fill(
            rng, "src/parser.rs:<3d>:<2d>: error: unexpected token: identifier `password`, expected one of: `,`, `;`"
        ),
    )


def urls(rng: Random) -> str:
    return lines(
        10, lambda i: fill(rng, "https://cdn.example.org/a/<20n>/main.<8h>.js?v=<10d>&page_token_size=50&key_name=city")
    ) + (
        "https://example.org/reset-password?lang=en\nhttps://maps.example.org/@52.52,13.40,15z\n"
        "mailto:ann@example.org\n"
    )


def addresses(rng: Random) -> str:
    return lines(8, lambda i: fill(rng, "tx 0x<64h> from 0x<40h> block <8d> gas <5d>"))


def csv_counts(rng: Random) -> str:
    return "file,tokens,password_resets,failed_logins,secret_level\n" + lines(
        15, lambda i: fill(rng, "a<3d>.txt,<4d>,<1d>,<2d>,<1d>")
    )


def identifiers(rng: Random) -> str:
    return lines(
        10,
        lambda i: fill(
            rng,
            '{"etag": "W/\\"<32h>\\"", "orderId": "ORD-<10A>", "buildId": "<20w>", '
            '"nextPageToken": null, "sha": "<40h>"}',
        ),
    )


def aws_arns(rng: Random) -> str:
    return lines(
        6,
        lambda i: fill(
            rng, "arn:aws:secretsmanager:eu-west-1:<12d>:secret:orders/db-<6w>  arn:aws:iam::<12d>:role/token-issuer"
        ),
    )


def listing(rng: Random) -> str:
    return lines(
        8,
        lambda i: (
            fill(rng, "-rw-r--r-- 1 ann ann <4d> Mar  1 10:0<1d> ")
            + rng.choice(("password_reset.html", "secrets.py", "token.go", "id_rsa.pub", "api_key.md"))
        ),
    )


CLEAN: dict[str, Callable[[Random], str]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        git_log, git_oneline, uuids, checksums, docker_images, fasta, protein, image, package_lock, poetry_lock, go_sum,
        requirements, minified, word_list, signatures, from_environment, templates, references, documentation, colours,
        usage, santa, key_values, translations, schema, empty_values, ddl, public_keys, auth_log, test_output,
        compiler_errors, urls, help_text, addresses, csv_counts, identifiers, aws_arns, listing, tokens_code, *TABLES,
    )
}  # fmt: skip
