"""Masking: what is found, and what is left alone."""
# ruff: noqa: E501  # samples are read whole

from __future__ import annotations

import json
import pickle
from random import Random

import pytest
from masked import AZURE, KEY, TOKEN, masked

from bench.masking import ALONE, CARRIERS, found
from mcpcompact import McpcompactError
from mcpcompact.masking import Masker, rule, rules_of


def test_generated_secrets_are_found() -> None:
    placed, hidden, missed = found(seeds=2)
    share = sum(hidden[c] for c in CARRIERS) / sum(placed[c] for c in CARRIERS)
    assert share >= 0.99, missed


def test_equal_secrets_stay_equal() -> None:
    text = masked(f'token={TOKEN} then {TOKEN} and {{"token": "{TOKEN}"}}')
    assert len(set(text.split("[secret:")[1:])) >= 1
    places = {part.split("]")[0] for part in text.split("[secret:")[1:]}
    assert len(places) == 1
    other = Masker(b"o" * 32).text(f"token={TOKEN}")
    assert other.split(":")[-1] != masked(f"token={TOKEN}").split(":")[-1]


def test_a_private_key_is_equal_in_text_and_in_json() -> None:
    pem = ALONE["pem"](Random(3))
    outside, inside = masked(pem), json.loads(masked(json.dumps({"k": pem})))["k"]
    assert outside == inside
    assert outside.startswith("[secret:private-key:") and outside.endswith("]")


@pytest.mark.parametrize(
    "text",
    [
        "Failed password for root from 10.0.0.1 port 22 ssh2",
        "def login(user: str, password: str, token=token) -> Token: password = getpass.getpass()",
        'if (password === confirmPassword) { setPassword(newPassword) } else { throw new Error("password required") }',
        "password: string;\n  token: Optional[str] = None\n  api_key=os.environ['API_KEY']",
        '{"max_tokens": 4096, "token_type": "bearer", "key": "status", "sessionId": "030e1e67-6bf0-492d-8bd3-cc3383ec93ab"}',
        "--- PASS: TestExplainCommit_NotFound (0.01s)",
        "https://example.com:8080/a@b?key=1 and user@example.com",
        'Authorization: Bearer <token>\nAuthorization: Bearer $TOKEN\n"authorization": "Bearer ${API_KEY}"',
        "export API_KEY=$OTHER; PASSWORD=${DB_PASSWORD:-none} TOKEN=***",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 sha512-3Qzx1pP0Vv0tX0Y1mN2l3k4j5h6g7f8d9s0aQ==",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
        "the key is to keep secrets secret: tokens, passwords and keys",
        "-----BEGIN CERTIFICATE-----",
    ],
)
def test_what_is_no_secret_is_left(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("curl -u bob:hunter2x https://a.example", "hunter2x"),
        ("Cookie: theme=dark; sessionid=38afes7a8; lang=en", "38afes7a8"),
        ("Set-Cookie: sid=s%3AabcDEF123; Path=/; HttpOnly", "s%3AabcDEF123"),
        ("<password>s3cr3t-Word</password>", "s3cr3t-Word"),
        ('- name: DB_PASSWORD\n  value: "s3cr3t-Word"', "s3cr3t-Word"),
        ('{"name":"API_TOKEN","value":"Zk3TgD93kslQ0dkw"}', "Zk3TgD93kslQ0dkw"),
        ("Server=db;User Id=sa;Password=Zx9!kk2;Encrypt=true", "Zx9!kk2"),
        ("DefaultEndpointsProtocol=https;AccountKey=" + AZURE, AZURE),
        ("docker run -e POSTGRES_PASSWORD=tr0ub4dor&3 x", "tr0ub4dor"),
        ("mysql://root:p%40ss!w@db:3306/x", "p%40ss!w"),
        ("git clone https://a8dK3mfnQ20dkLs93kfA@example.com/x.git", "a8dK3mfnQ20dkLs93kfA"),
        ("machine a.example login bob password Zx9kk2", "Zx9kk2"),
        ("CREATE USER bob IDENTIFIED BY 'Zx9kk2!'", "Zx9kk2!"),
        ("mycli --password Zx9kk2q --host a", "Zx9kk2q"),
        ("\x1b[31m" + TOKEN + "\x1b[0m", TOKEN),
        ("a=1&sig=" + "aB3d" * 10 + "%3D&b=2", "aB3d" * 10 + "%3D"),
        (
            '{"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
        ),
    ],
)
def test_what_only_its_place_gives_away(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in masked(text)


def test_utf_16_is_masked_too() -> None:
    data = f"token={TOKEN}\n".encode("utf-16")
    out = b"".join(Masker(KEY).blocks([data[:1], data[1:31], data[31:]]))
    assert out.startswith(b"token=[secret:github-token:")


def test_own_rules_and_addresses() -> None:
    own = rules_of([{"name": "badge", "pattern": r"BADGE-[0-9]{8}", "literals": ["BADGE-"]}])
    assert masked("no BADGE-12345678.", rules=own).startswith("no [secret:badge:")
    free = [rule("ticket", r"\bT-\d{6}\b")]
    assert masked("x T-123456 y", rules=free).startswith("x [secret:ticket:")
    assert masked("mail bob@example.com now") == "mail bob@example.com now"
    assert "bob@" not in masked("mail bob@example.com now", email=True)
    sent = pickle.loads(pickle.dumps(Masker(KEY, own, email=True)))
    assert sent.text("BADGE-12345678 a@example.org") == masked("BADGE-12345678 a@example.org", rules=own, email=True)


@pytest.mark.parametrize(
    "entry",
    [{"name": "A b", "pattern": "x"}, {"name": "a", "pattern": "("}, {"name": "a", "pattern": "x*"}, {"name": "a"},
     {"name": "a", "pattern": "x", "literals": [1]}, {"name": "a", "pattern": "x", "more": 1}, {"name": "a", "pattern": "xyz", "literals": [""]}],
)  # fmt: skip
def test_a_wrong_rule_is_named(entry: dict[str, object]) -> None:
    with pytest.raises(McpcompactError, match="mask"):
        rules_of([entry])


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("user,password,city\nbob,Xk9-qLm27zT!,Oslo\n", "Xk9-qLm27zT!"),
        ("user\tapi_key\nbob\tZk3TgD93kslQ0dkw\n", "Zk3TgD93kslQ0dkw"),
        ("| user | Password |\n|---|---|\n| bob | swordfish |\n", "swordfish"),
        (" user | passwd \n------+--------\n bob  | swordfish\n(1 row)\n", "swordfish"),
        ("+------+----------+\n| user | password |\n+------+----------+\n| bob  | Zx9kk2   |\n+------+----------+\n", "Zx9kk2"),
        ("NAME    PASSWORD    AGE\nbob     Zx9kk2      3d\n", "Zx9kk2"),
        ("COPY public.users (id, password) FROM stdin;\n1\tZx9kk2\n\\.\n", "Zx9kk2"),
        ("db:\n  password: >-\n    swordfish\n  host: a\n", "swordfish"),
        ("apiVersion: v1\ndata:\n  a.b: c3dvcmRmaXNo\nkind: Secret\n", "c3dvcmRmaXNo"),
        ("kind: Secret\nstringData:\n  user: bob the builder\n", "bob the builder"),
        ('{"apiVersion": "v1", "data": {"x": "c3dvcmRmaXNo"}, "kind": "Secret"}', "c3dvcmRmaXNo"),
        ('{"name": "DB_PASSWORD", "type": "string", "value": "Zx9kk2"}', "Zx9kk2"),
        ("define( 'DB_PASSWORD', 'swordfish' );", "swordfish"),
        ("smtp_pass: Xk9-qLm27zT!", "Xk9-qLm27zT!"),
        ("mysql -uroot -pZx9kk2 db", "Zx9kk2"),
        ("redis-cli -h cache -a Zx9kk2 ping", "Zx9kk2"),
        ("mycli --password swordfish --host a", "swordfish"),
        ("db.example.com:5432:app:bob:Zx9kk2", "Zx9kk2"),
        ("PRIVATE_KEY=0x" + "a1" * 32, "a1" * 16),
        ("bob:$2y$10$" + "aB3." * 13 + "x:19000", "aB3.aB3."),
        ("the password for bob is Zx9kk2.", "Zx9kk2"),
        ("password = correct horse battery staple", "horse battery"),
        ("next=https%3A%2F%2Fbob%3AZx9kk2%40host%2F", "Zx9kk2"),
        ("q=%7B%22password%22%3A%22Zx9kk2%22%7D", "Zx9kk2"),
        ("blob cGFzc3dvcmQ9aHVudGVyMmZvbw== end", "cGFzc3dvcmQ9"),
        ("otpauth://totp/a:b?secret=JBSWY3DPEHPK3PXP&issuer=a", "JBSWY3DPEHPK3PXP"),
        ("RUN ./x --line='sshpass -p '\"'\"'Zx9kk2'\"'\"' ssh bob@a'", "Zx9kk2"),
        ("export CMD='curl --user '\\''bob:Zx9kk2'\\'' https://a/'", "Zx9kk2"),
        ("cmd: 'sshpass -p ''Zx9kk2'' scp a bob@a:'", "Zx9kk2"),
        ('<add key="cmd" value="sshpass -p &#x27;Zx9kk2&#x27; scp a b:" />', "Zx9kk2"),
        ('<add key="sql" value="ALTER ROLE bob WITH PASSWORD &#39;Zx9kk2&#39;;" />', "Zx9kk2"),
        ('<input name="line" value="deploy --password Zx9kk2Lm7 --host a">', "Zx9kk2Lm7"),
        ('1,bob,"define( ""DB_PASSWORD"", ""Zx9kk2"" );",x\n', "Zx9kk2"),
        ("id,cookie,at\n1,lang=en; sessionid=Zk3TgD93kslQ0dkwA1b2,2026-01-01\n", "Zk3TgD93kslQ0dkw"),
        ("id,set_cookie,at\n1,connect.sid=s%3AZk3TgD93kslQ0dkw.Ab4Cd5Ef6,2026-01-01\n", "Zk3TgD93kslQ0dkw"),
        ("ENV DB_PASSWORD correct horse battery staple\n", "horse battery"),
        ("ENV SESSION_ID 9xypsdryxjtgmoatvfptkmhha010ylvl\n", "9xypsdryxjtg"),
        ("up on a, session id: ms293udytnknulkq7juwxvp0wy3vtmic\n", "ms293udytnkn"),
        ("up on a, app encryption key: fzwPML9f/x6A56bPtrIy56mZEl/5SKL0zoh5ckHTB0I=\n", "fzwPML9f"),
        ("up on a, bind credentials: _~?J_HYZGdOPGG\n", "HYZGdOPGG"),
        ("up on a, password: correct horse battery staple\n", "horse battery"),
        ("run --recovery-phrase '" + "apple bronze " * 5 + "apple bronze'", "apple bronze"),
        ("recovery.phrase = " + "apple bronze " * 6 + "\n", "apple bronze"),
        ("secret.key.base: " + "f074e03ea7f45a9b" * 8, "f074e03e"),
        ("registry.auth = Ym9iOlp4OWtrMnFM\n", "Ym9iOlp4"),
        ("at=1 password=8FbEjR|r4NW8I5\n", "r4NW8I5"),
        ("x --db-password=8FbEjR,r4NW8I5 --host a", "r4NW8I5"),
        (" user | password \n------+----------\n bob  | gH9T9M|XdUd5NO\n(1 row)\n", "XdUd5NO"),
        ("note: the password for bob is OvTtknrPlpMi", "OvTtknrPlpMi"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("wrapped", [False, True])
def test_secrets_in_other_carriers(text: str, secret: str, wrapped: bool) -> None:
    text = json.dumps({"text": text}) if wrapped else text
    out = masked(text)
    assert secret in text and secret not in out
    assert "[secret:" in out
    if wrapped:
        json.loads(out)


@pytest.mark.parametrize(
    "text",
    [
        "PWD=/home/bob/work\nOLDPWD=/home/bob\n",
        "pass=98.2% fail=1.8%",
        "SELECT id FROM users WHERE name = :name AND password = :password",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "token,count\nthe,120\ncat,12\n",
        "| Feature | Password | Token |\n|---|---|---|\n| login | yes | no |\n",
        "kind: ConfigMap\ndata:\n  a: c3dvcmRmaXNo\n---\nkind: Deployment\n",
        "tokens: 1204, max_tokens: 4096, token_count=12",
        '{"password": "Passwort", "forgot": "Passwort vergessen?", "login": "Sign in"}',
        "CREATE TABLE users (\n  id        INT           NOT NULL,\n  password  VARCHAR(255)  NOT NULL\n);\n",
        "password: <PASSWORD>\npassword: ${DB_PASSWORD}\npassword: {{ db_password }}\npassword: ****\n",
        "using credential 6cf44517-d641-478f-9dd2-78231dac281d\nEstablished session 0x14ed93111f2002b",
        "Pass `path` to anchor it; pass 'query' to search",
        "use --password option to set it, or --token TOKEN",
        "import user, password, token\nfrom a import b, c, d\n",
        "var PW=t.password||e.PW,p=this.token(a,20);var jy=1\n",
        "username, password = auth\nname, password: SecretStr\n",
        "com.google.auth:google-auth-library-oauth2-http:0.7.0",
        "--seed=\\u003cval\\u003e  set the seed",
        "The password for sign-in is PostgreSQL or GitHub",
        "x = '', password = '', y = ''\nlabel = \"\", token = \"\"\n",
    ],
)
def test_names_without_a_secret_are_left(text: str) -> None:
    assert masked(text) == text
    assert masked(json.dumps({"text": text})) == json.dumps({"text": text})


def test_recorded_names_of_sessions_and_verdicts_are_left() -> None:
    for text in (
        'SessionID: "2026-01-21-test-session"', "Session: 2026-01-22-0bdbfa06-acf1-473a-b3e4-6a03313d1d0e",
        "Token: req.SourceAuth.Token,", 'All tests pass: `mise run test:ci`', "Season pass: $120",
        '<button data-metric="pass1" onclick="go(this)">pass^1</button>', "a/how-to-set-an-authorization-bearer-token-0a0a2afef8",
        "Set-Cookie: WMF-Last-Access=19-Dec-2024;Path=/", 'identified as "time."', 'Authorization: Bearer $GITHUB_TOKEN',
        "| **Security** | Pass | No findings |\n| **Code** | Caution | Two findings |\n",
    ):  # fmt: skip
        assert masked(text) == text
