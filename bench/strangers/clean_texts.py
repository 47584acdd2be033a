"""Clean texts of code, configuration and documentation that speak of passwords and tokens without holding any."""

from __future__ import annotations

import json
from random import Random


def signatures(rng: Random) -> str:
    return (
        "def login(user: str, password: str, token: str | None = None) -> Session:\n"
        '    """Log in. ``password``: the user\'s; ``token``: of the second factor."""\n'
        "    if not password:\n        raise ValueError('password must not be empty')\n"
        "    password = normalise(password)\n    hashed = hash_password(password, salt=make_salt())\n"
        "    secret = load_secret(config.secret_name)\n    token = request.headers.get('X-Token')\n"
        "    return Session(user=user, password=hashed, token=token, secret=secret)\n"
    )


def from_environment(rng: Random) -> str:
    return (
        "import os\n\nPASSWORD = os.environ['DB_PASSWORD']\nAPI_KEY = os.getenv('API_KEY')\n"
        "client = Client(password=settings.password, api_key=config.get('api_key'), token=self._token)\n"
        "const token = process.env.GITHUB_TOKEN;\nlet apiKey = vault.read('secret/data/app');\n"
        "password = getpass.getpass('Password: ')\n"
    )


def templates(rng: Random) -> str:
    return (
        "password: ${DB_PASSWORD}\ntoken: {{ .Values.token }}\napi_key: $API_KEY\nsecret: <your-secret>\n"
        "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}\nclient_secret: %CLIENT_SECRET%\npasswd: ********\npwd: xxxxxxxx\n"
        'password: "{{ vault_password }}"\nauth_token: REDACTED\n'
    )


def references(rng: Random) -> str:
    return (
        "env:\n- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: orders-db\n      key: password\n"
        "imagePullSecrets:\n- name: registry-pull\nvolumes:\n- name: tls\n  secret:\n    secretName: tls-cert\n"
        "serviceAccountName: token-reviewer\nautomountServiceAccountToken: false\n"
    )


def documentation(rng: Random) -> str:
    return (
        "# Tokens\n\nA token is a piece of text. The password field is required; see *Passwords* below.\n"
        "Set `password` to your password. API keys start with `sk-` and GitHub tokens with `ghp_`.\n"
        "Bearer tokens are sent in the Authorization header. The secret: test early. The key: patience.\n"
        "| Field | Type | Meaning |\n| --- | --- | --- |\n| password | string | the user's password |\n"
        "| token | string | optional |\n| api_key | string | required, 32 characters |\n\n"
        "Password: at least 12 characters. Token: expires after an hour. Secret: rotated each month.\n"
    )


def translations(rng: Random) -> str:
    return json.dumps(
        {
            "password": "Passwort",
            "password.repeat": "Passwort wiederholen",
            "login.password": "Mot de passe",
            "forgotPassword": "Passwort vergessen?",
            "token": "Token",
            "secret": "Geheimnis",
            "passwordHint": "Mindestens zwölf Zeichen",
            "apiKey": "API-Schlüssel",
        },
        ensure_ascii=False,
        indent=2,
    )


def schema(rng: Random) -> str:
    props = {
        name: {"type": "string", "description": f"the {name}"} for name in ("password", "token", "apiKey", "secret")
    }
    return json.dumps({"type": "object", "required": ["password", "token"], "properties": props}, indent=2)


def empty_values(rng: Random) -> str:
    return json.dumps(
        [
            {
                "password": None,
                "token": "",
                "hasPassword": True,
                "secret": False,
                "api_key": None,
                "passwordUpdatedAt": "2026-03-01T10:00:00Z",
                "passwordLength": 12,
                "tokenType": "Bearer",
                "token_type": "bearer",
                "expires_in": 3600,
                "password_policy": "strong",
            }
        ]
        * 3,
        indent=1,
    )


def ddl(rng: Random) -> str:
    return (
        "CREATE TABLE users (\n  id serial PRIMARY KEY,\n  password varchar(255) NOT NULL,\n  token uuid,\n"
        "  secret text DEFAULT NULL,\n  api_key char(32) REFERENCES keys(id)\n);\n"
        "                       Table public.users\n  Column  |          Type          | Nullable\n"
        "----------+------------------------+----------\n password | character varying(255) | not null\n"
        " token    | uuid                   |\n"
    )


def help_text(rng: Random) -> str:
    return (
        "usage: db [-u USER] [-p PASSWORD] [--token TOKEN]\n\n  -p, --password PASSWORD  password of the user\n"
        "  --token TOKEN            access token (default: none)\n  --password-file FILE     read it from FILE\n"
        "  --api-key KEY            key of the service\n  --secret-name NAME       name in the vault\n"
    )


def tokens_code(rng: Random) -> str:
    return (
        "for token in tokens:\n    if token.kind == 'NAME':\n        yield Token(value=token.value, key='identifier')\n"
        "TOKEN_TYPES = {'password': PasswordField, 'secret': 'SecretField'}\nkey = lambda item: item.created\n"
        "parser.add_argument('--password', help='password of the database')\nlogger.info('token: %s', token_id)\n"
        "PASSWORD_MIN_LENGTH = 12\nTOKEN_URL = 'https://auth.example.org/oauth/token'\npass_rate = 0.98\nbypass=true\n"
        "compass: north\nkeyword: value\nmonkey: banana42x\npassenger: Ann Smith-Jones\npassage=north-west-1\n"
    )
