"""Clean tables, dumps and reports whose columns and keys have the names under which secrets stand elsewhere."""

from __future__ import annotations

from random import Random

from bench.strangers import words as v
from bench.strangers.words import fill


def lines(count: int, text: str, rng: Random) -> str:
    return "".join(fill(rng, text) + "\n" for _ in range(count))


def word_tokens(rng: Random) -> str:
    """What a tagger of words returns: its column ``token`` holds words."""
    rows = [(str(i), rng.choice(v.PLAIN), rng.choice(("NOUN", "VERB", "ADJ"))) for i in range(1, 15)]
    return "id\ttoken\tpos\n" + "".join("\t".join(row) + "\n" for row in rows)


def passed_tests(rng: Random) -> str:
    rows = lines(8, "unit-<2d>,<3d>,<1d>,<1d>", rng)
    return f"suite,pass,fail,skip\n{rows}" + "\npass: 212, fail: 3\npass=98.2%\nPASS 12/14\n"


def key_columns(rng: Random) -> str:
    return "| key | value | secret |\n| --- | --- | --- |\n" + lines(6, "| feature_<2d> | enabled | false |", rng)


def shell_environment(rng: Random) -> str:
    return (
        f"HOME=/home/ann\nPWD=/home/ann/work/{rng.choice(v.PLAIN)}\nOLDPWD=/srv/app/releases/20260301\nSHELL=/bin/bash\n"
        "PASSWORD_STORE_DIR=/home/ann/.password-store\nDB_PASSWORD_FILE=/run/secrets/db_password\nTOKEN_TTL=3600\n"
        "SSH_AUTH_SOCK=/tmp/ssh-XXXXabc/agent.1234\nGPG_TTY=/dev/pts/3\nPASSWORD_MIN_LENGTH=12\nKEYBOARD_LAYOUT=de-latin1\n"
    )


def plan(rng: Random) -> str:
    return (
        'Terraform will perform the following actions:\n  + resource "aws_db_instance" "main" {\n'
        "      + password             = (sensitive value)\n      + master_user_secret   = (known after apply)\n"
        '      + token_lifetime       = "3600s"\n      + key_name             = "ops-team"\n'
        "      + kms_key_id           = (known after apply)\n"
        "      + secret_arn           = (known after apply)\n    }\n"
    )


def openapi(rng: Random) -> str:
    return (
        "components:\n  securitySchemes:\n    apiKey:\n      type: apiKey\n      in: header\n      name: X-API-Key\n"
        "    bearer:\n      type: http\n      scheme: bearer\n      bearerFormat: JWT\n  schemas:\n    Login:\n"
        "      properties:\n        password:\n          type: string\n          format: password\n"
        "        token:\n          $ref: '#/components/schemas/Token'\n        secret:\n          nullable: true\n"
    )


def discovery(rng: Random) -> str:
    return (
        '{"issuer": "https://id.example.org", "token_endpoint": "https://id.example.org/oauth/token",\n'
        ' "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "private_key_jwt"],\n'
        ' "grant_types_supported": ["password", "refresh_token"], "id_token_signing_alg_values_supported": ["RS256"]}\n'
    )


def queries(rng: Random) -> str:
    return (
        "SELECT id, password, token FROM users WHERE token = ? AND password IS NOT NULL;\n"
        "UPDATE users SET password = :password, secret = $2 WHERE id = $1;\nALTER TABLE users DROP COLUMN api_key;\n"
        "ALTER ROLE app WITH PASSWORD NULL;\nGRANT SELECT ON secrets TO reporting;\n"
    )


def form(rng: Random) -> str:
    return (
        '<form><label for="password">Password</label><input type="password" name="password" id="password" '
        'placeholder="Your password" autocomplete="current-password"><a href="/forgot-password">Forgot password?</a>\n'
        "<token>identifier</token><key>CFBundleName</key><string>Harbour</string><secret/></form>\n"
    )


def responses(rng: Random) -> str:
    head = 'HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer realm="api", error="invalid_token"\n'
    return head + fill(
        rng, 'Set-Cookie: lang=en; Path=/; Max-Age=3600; SameSite=Lax\nETag: "<32h>"\nX-Request-Id: <32h>\n'
    )


def vault_names(rng: Random) -> str:
    head = "NAME              TYPE      DATA   AGE\n"
    last = "default-token-x7k2p  kubernetes.io/service-account-token   3   12d\n"
    return head + lines(6, "db-password-<2d>  Opaque    2      <2d>d", rng) + last


TABLES = (
    word_tokens, passed_tests, key_columns, shell_environment, plan, openapi, discovery, queries, form, responses,
    vault_names,
)  # fmt: skip
