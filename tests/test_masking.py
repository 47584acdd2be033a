"""Masking: what is found, what is left alone, and that nothing of a masked run can be found anywhere."""
# ruff: noqa: E501  # samples are read whole

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from conftest import Run, environment
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.masking import ALONE, CARRIERS, NAMED, core, found, left
from mcpcompact import McpcompactError, ResultStore, compact
from mcpcompact.masking import Masker, rule, rules_of

KEY = b"k" * 32
TOKEN = "ghp_" + "a1B2c3D4e5" * 4
AZURE = NAMED["azure-storage-key"][1](Random(1))
KINDS = {**ALONE, **{kind: make for kind, (_, make) in NAMED.items()}}


def masked(text: str, **more: object) -> str:
    return Masker(KEY, **more).text(text)  # type: ignore[arg-type]


def test_generated_secrets_are_found() -> None:
    placed, hidden, missed = found(seeds=2)
    share = sum(hidden[c] for c in CARRIERS) / sum(placed[c] for c in CARRIERS)
    assert share >= 0.99, missed


def document(seed: int) -> str:
    """Secrets of all kinds in all carriers, between lines of a log, back to back."""
    rng = Random(seed)
    parts = []
    for _ in range(rng.randrange(3, 14)):
        kind = rng.choice(sorted(KINDS))
        name, make = NAMED.get(kind, (kind.upper().replace("-", "_"), ALONE.get(kind)))
        assert make is not None
        parts.append(CARRIERS[rng.choice(sorted(CARRIERS))](name, make(rng), kind in NAMED, rng))
        parts.append("x" * rng.choice((0, 1, 30, 700, 5_000)) + rng.choice(("", " ", "\n")))
    return "".join(parts)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 40_000), max_size=12), st.sampled_from([64, 1_000, 9_000]))
def test_any_split_gives_the_same(seed: int, cuts: list[int], step: int) -> None:
    from mcpcompact.masking import engine

    data = document(seed).encode()
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    blocks = [data[a:b] for a, b in pairwise(places)]
    ahead, engine.AHEAD = engine.AHEAD, 8_192  # so that a few KB are many parts
    try:
        assert b"".join(Masker(KEY).blocks(iter(blocks), step)) == Masker(KEY).data(data)
    finally:
        engine.AHEAD = ahead


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["password=", "token: ", '"', "\\", "'", "://", "a:b@c", "[secret:x:0000]", "-----BEGIN ",
                                 "PRIVATE KEY-----", "\n", "eyJ", "=", "Bearer ", "Cookie: sid=", TOKEN, "key", "api_", "\x00é"]),
                max_size=40), st.integers(1, 50))  # fmt: skip
def test_any_split_of_odd_text(parts: list[str], size: int) -> None:
    data = "".join(parts).encode()
    blocks = [data[i : i + size] for i in range(0, len(data), size)]
    assert b"".join(Masker(KEY).blocks(blocks, 16)) == Masker(KEY).data(data)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_masking_twice_changes_nothing(seed: int) -> None:
    once = masked(document(seed))
    assert masked(once) == once


def test_the_parts_of_a_long_stream_are_masked_as_the_whole() -> None:
    line = f"2026-01-01 INFO worker took 12 ms, token={TOKEN} done\n"
    data = (line * 20_000).encode()
    masker = Masker(KEY)
    out = b"".join(masker.blocks(data[i : i + 7_001] for i in range(0, len(data), 7_001)))
    assert out == Masker(KEY).text(line).encode() * 20_000
    assert masker.counts == {"github-token": 20_000}


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.sampled_from([TOKEN, "pa\"ss\\wo'rd9", "x"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["password", "apiKey", "token", "id", "cookie", "authorization", "n"]), inner),
    ),
    max_leaves=12,
)


def shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else None


@settings(max_examples=100, deadline=None)
@given(JSON, st.booleans(), st.sampled_from([None, 1]), st.booleans())
def test_json_stays_json(value: object, ascii_only: bool, indent: int | None, nested: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    if nested:
        text = json.dumps({"body": text, "token": TOKEN})
    again = json.loads(masked(text))
    assert shape(again) == shape(json.loads(text))
    if nested:
        assert shape(json.loads(again["body"])) == shape(value)
    assert TOKEN not in masked(text)


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


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "cp037"])
@pytest.mark.parametrize("command", ["summarize", "chunk"])
@pytest.mark.parametrize("named", [False, True])
def test_other_encodings_are_masked(cli: Run, tmp_path: Path, encoding: str, command: str, named: bool) -> None:
    (tmp_path / "in.txt").write_bytes(
        f"a caf\xe9 of token={TOKEN} here\n".encode(encoding) * (1 if encoding[-2:] in ("16", "32") else 9)
    )
    if encoding == "cp037" and not named:
        pytest.skip("not told from binary data")
    done = cli(command, "in.txt", "--mask", *(["--encoding-in", encoding] if named else []))
    assert done.returncode == 0, done.stderr
    assert b"[secret:github-token:" in done.stdout and TOKEN.encode() not in done.stdout.replace(b"\0", b"")
    raw = [TOKEN.encode(encoding)[-60:], TOKEN.encode()]
    assert not grep(tmp_path / "results", raw) + grep(tmp_path / ".local", raw)


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


def test_hostile_input_takes_no_long_time() -> None:
    import time

    start = time.process_time()
    for text in ("-----BEGIN PRIVATE KEY-----" * 4_000, "pass" * 30_000, "eyJ" * 40_000, "password=\"" * 10_000,
                 "://" + "a:" * 50_000, "cookie: a=" * 10_000, "\\" * 100_000 + '"', "MT.abcdef." * 9_000):  # fmt: skip
        masked(text)
    assert time.process_time() - start < 12


# ---- the pipeline and the command line


def grep(directory: Path, secrets: list[bytes]) -> list[str]:
    """Files under ``directory`` in which a secret stands, packed ones too."""
    hits = []
    for path in directory.rglob("*"):
        if path.is_file() and any(secret in path.read_bytes() for secret in secrets):
            hits.append(str(path))
    return hits


def everything(rng: Random) -> tuple[str, list[str]]:
    """Records with one secret of each kind in a field that names it, and the secrets."""
    rows, secrets = [], []
    for number, kind in enumerate(sorted(KINDS)):
        name = NAMED[kind][0].lower() if kind in NAMED else "value"
        secret = KINDS[kind](rng)
        secrets += core(kind, secret)
        rows += [{"id": n, "host": f"app-{n % 7}", "state": "ok"} for n in range(9 * number, 9 * number + 8)]
        rows.append({"id": 9 * number + 8, "host": "odd", "state": "failed", name: secret})
    return json.dumps(rows), secrets


def test_no_secret_of_a_masked_run_is_left_anywhere(tmp_path: Path) -> None:
    text, secrets = everything(Random(11))
    home, scratch, inputs = tmp_path / "home", tmp_path / "scratch", tmp_path / "in"
    for directory in (home, scratch, inputs):
        directory.mkdir()
    (inputs / "a.json").write_text(text)
    env = environment(home, TMPDIR=str(scratch), XDG_STATE_HOME=str(home / "state"))
    arguments = json.dumps({"token": secrets[0], "url": KINDS["https-url"](Random(11))})
    told = b""
    for argv in (
        ["summarize", "--mask", "--args", arguments, "--focus", f"password={'Zx9kk2qq'}", str(inputs / "a.json")],
        ["summarize", "--mask", "--json", str(inputs / "a.json")],
        ["summarize", "--mask", "--shape", "same", "--threshold", "900000", str(inputs / "a.json")],
        ["summarize", "--mask", "--type", "log", "--no-store", str(inputs / "a.json")],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "mcpcompact", *argv], capture_output=True, cwd=home, env=env, check=True
        )
        told += done.stdout + done.stderr
    assert b"[secret:" in told
    assert not [secret for secret in secrets if left(secret, told.decode())]
    raw = [secret.encode() for secret in secrets] + [b"Zx9kk2qq"]
    assert not grep(home, raw) + grep(scratch, raw)
    assert grep(inputs, raw[:1])


def test_a_large_stream_is_spooled_masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from mcpcompact import reading

    monkeypatch.setattr(reading, "LARGE", 4_096)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    data = (f"INFO token={TOKEN} ok\n" * 2_000).encode()
    source = reading.open_source("-", io.BytesIO(data), masker=Masker(KEY))
    assert source.path is not None and grep(tmp_path, [b"[secret:"]) and not grep(tmp_path, [TOKEN.encode()])
    assert source.masked == {"github-token": 2_000}
    source.close()


def test_the_key_is_the_stores(tmp_path: Path) -> None:
    store = ResultStore(str(tmp_path / "results"))
    text = json.dumps({"password": "hunter2x"})
    first, second = (compact(text, mask=True, store=store).text for _ in range(2))
    assert first == second
    assert compact(text, mask=True, store=ResultStore(str(tmp_path / "other"))).text != first
    key = tmp_path / "results" / ".mask-key"
    assert key.stat().st_size == 32 and os.stat(key).st_mode & 0o777 == 0o600


def test_masking_that_fails_stores_and_returns_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr(Masker, "_spans", broken)
    store = ResultStore(str(tmp_path / "results"))
    for value in (json.dumps({"password": "hunter2x"}), {"password": "hunter2x"}):
        with pytest.raises(McpcompactError, match="masking failed"):
            compact(value, mask=True, store=store)
    assert not grep(tmp_path, [b"hunter2x"])
    assert not store.list()


def test_masking_that_fails_on_the_command_line(door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr(Masker, "_spans", broken)
    done = door("summarize", "--mask", input=b'{"password": "hunter2x"}')
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"masking failed" in done.stderr
    assert not grep(tmp_path, [b"hunter2x"])


def test_the_command_line_says_what_it_masked(cli: Run) -> None:
    done = cli("summarize", "--mask", "--json", input=f'{{"a": "{TOKEN}", "password": "hunter2x"}}'.encode())
    assert json.loads(done.stdout)["masked"] == {"github-token": 1, "password": 1}
    assert b"2 secrets masked (github-token 1, password 1)" in done.stderr
    plain = cli("summarize", "--json", input=b'{"a": 1}')
    assert "masked" not in json.loads(plain.stdout)


def test_a_full_store_gives_the_masked_original(cli: Run, tmp_path: Path) -> None:
    text, secrets = everything(Random(5))
    (tmp_path / "results").write_text("a file stands in the way")
    done = cli("summarize", "--mask", input=text.encode())
    assert done.returncode == 73
    assert b"within this run only" in done.stderr
    assert not [secret for secret in secrets if left(secret, done.stdout.decode())]
    assert len(json.loads(done.stdout)) == 9 * len(KINDS)


def test_chunks_and_pages_are_masked_to_the_last(cli: Run, tmp_path: Path) -> None:
    rows = [{"id": i, "token": "ghp_" + f"{i:02d}" + "a1B2c3D4" * 5} for i in range(120)]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    (tmp_path / "rows.log").write_text("".join(f"INFO {row['id']} token={row['token']} read\n" for row in rows))
    for argv in (["paginate", "rows.json", "--limit", "7", "--json"], ["chunk", "rows.log", "--tokens", "1000"]):
        first = cli(*argv, "--mask")
        assert b"secrets masked (github-token 120)" in first.stderr
        cursor = json.loads(first.stdout)["nextCursor"] if argv[0] == "paginate" else ""
        second = cli(*argv, "--mask", *(["--cursor", cursor] if cursor else ["--index", "2"]))
        assert second.returncode == 0, second.stderr
        assert b"[secret:github-token:" in first.stdout and b"[secret:github-token:" in second.stdout
        assert b"a1B2c3D4" not in first.stdout + second.stdout
    every = cli("paginate", "rows.json", "--all", "--mask").stdout
    assert every.count(b"[secret:") == 120 and b"a1B2c3D4" not in every
    assert not grep(tmp_path / "results", [b"a1B2c3D4"]) + grep(tmp_path / ".local", [b"a1B2c3D4"])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_batches_are_masked(cli: Run, tmp_path: Path, jobs: str) -> None:
    (tmp_path / "in").mkdir()
    for n in range(4):
        text, _ = everything(Random(n))
        (tmp_path / "in" / f"{n}.json").write_text(text)
    raw = [secret.encode() for n in range(4) for secret in everything(Random(n))[1]]
    done = cli("summarize", "in", "--output-dir", "out", "--mask", "--jobs", jobs)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").glob("*.json"))) == 4
    assert not grep(tmp_path / "out", raw) + grep(tmp_path / "results", raw) + grep(tmp_path / ".local", raw)
    assert b"4 unchanged" in cli("summarize", "in", "--output-dir", "out", "--mask", "--jobs", jobs).stderr
    assert b"4 done" in cli("summarize", "in", "--output-dir", "out", "--jobs", jobs).stderr, (
        "unmasked is another output"
    )


def test_the_configuration_masks_a_tool(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.yaml").write_text(
        'tools: {secretive: {mask: true}}\nmasking: {rules: [{name: badge, pattern: "BADGE-[0-9]{8}", literals: ["BADGE-"]}]}\n'
    )
    text = b'{"badge": "BADGE-12345678"}'
    assert b"[secret:badge:" in cli("summarize", "--tool", "secretive", input=text).stdout
    assert cli("summarize", "--tool", "other", input=text).stdout == text
    message = json.dumps(
        {"role": "tool", "tool_call_id": "1", "name": "secretive", "content": "x BADGE-12345678"}
    ).encode()
    assert b"BADGE-1" not in cli("summarize", input=message).stdout


@pytest.mark.parametrize("command", [["chunk"], ["paginate", "--json"]])
def test_the_configuration_masks_chunks_and_pages(cli: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "mcpcompact.toml").write_text("[defaults]\nmask = true\n")
    done = cli(*command, input=json.dumps([{"token": TOKEN}] * 3).encode())
    assert done.returncode == 0, done.stderr
    assert TOKEN.encode() not in done.stdout and b"[secret:" in done.stdout


# ---- carriers, and the ways out


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
    ],
)
def test_names_without_a_secret_are_left(text: str) -> None:
    assert masked(text) == text
    assert masked(json.dumps({"text": text})) == json.dumps({"text": text})


def test_a_column_is_masked_to_the_end_of_a_long_table_however_it_is_cut() -> None:
    rows = "".join(f'{n},user{n},"p{n}-Zx9,kk",Oslo\n' for n in range(60_000))
    data = ("id,user,password,city\n" + rows).encode()
    out = b"".join(Masker(KEY).blocks(data[i : i + 50_001] for i in range(0, len(data), 50_001)))
    assert b"Zx9" not in out and out.count(b"[secret:password:") == 60_000
    assert all(line.count(b",") == 3 for line in out.splitlines())
    assert out == Masker(KEY).data(data)


def seconds(data: bytes) -> float:
    """Processor time, the best of two."""
    import time

    taken = []
    for _ in range(2):
        start = time.process_time()
        Masker(KEY).data(data)
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize("text", ["sk-", "token=", "password=\"", "A-AzFu", "sk-T3BlbkFJ", "secret ", "password,b\n", "data:\n a: b\n", "%41",
                                  "pass", "|password|", "kind: Secret\ndata:\n", "https://a:b@c", "login ", "api_key=", "--token ",
                                  '"name":"token",', "password is ", ":5432:a:b:", "password: |\n a\n", "eyJ", "curl -u a:b "])  # fmt: skip
def test_repeated_marks_are_masked_in_bounded_time(text: str) -> None:
    size = 200_000
    log = b"".join(b"2026-01-01 10:00:00 INFO [worker-%d] request took %d ms\n" % (n % 7, n) for n in range(4_000))
    log = (log * 10)[: 5 * size]
    # five times as much log takes about 0.015 s, the marks 0.1 to 0.5 s: quadratic work would take hundreds of times as long
    assert seconds((text * (size // len(text))).encode()) < 60 * seconds(log)


def test_text_that_repeats_itself_is_masked_to_its_last_byte() -> None:
    for line in (
        "password=Zx9kQ7vT2m\n",
        "curl -u bob:Zx9kQ7vT2m\n",
        "https://a:Zx9kQ7vT2m@h/\n",
        "password: |\n  Zx9kQ7vT2m\n",
    ):
        for times in (1, 50, 3_000):
            out = masked(line * times + "password=Yw8other1\n" + line)
            assert "Zx9kQ7vT2m" not in out and "Yw8other1" not in out, (line, times)
            assert out.count("[secret:") == times + 2


def test_recorded_names_of_sessions_and_verdicts_are_left() -> None:
    for text in (
        'SessionID: "2026-01-21-test-session"', "Session: 2026-01-22-0bdbfa06-acf1-473a-b3e4-6a03313d1d0e",
        "Token: req.SourceAuth.Token,", 'All tests pass: `mise run test:ci`', "Season pass: $120",
        '<button data-metric="pass1" onclick="go(this)">pass^1</button>', "a/how-to-set-an-authorization-bearer-token-0a0a2afef8",
        "Set-Cookie: WMF-Last-Access=19-Dec-2024;Path=/", 'identified as "time."', 'Authorization: Bearer $GITHUB_TOKEN',
        "| **Security** | Pass | No findings |\n| **Code** | Caution | Two findings |\n",
    ):  # fmt: skip
        assert masked(text) == text


def test_a_rule_that_backtracks_without_end_is_stopped(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcpcompact.deadline.REGEX_SECONDS", 1)
    for literals in ([], ["a"]):
        own = rules_of([{"name": "bad", "pattern": "(a+)+$", "literals": literals}])
        with pytest.raises(McpcompactError, match=r"masking\.rules 'bad' takes more than 1 seconds"):
            masked("a" * 60 + "!", rules=own)


def test_a_line_that_cannot_be_masked_is_not_said(door: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr(Masker, "_spans", broken)
    done = door("summarize", "--mask", f"missing-{TOKEN}")
    assert TOKEN.encode() not in done.stderr and b"masking failed" in done.stderr


def test_no_input_of_a_masked_command_leaves_it(tmp_path: Path) -> None:
    home, inputs = tmp_path / "home", tmp_path / "in"
    home.mkdir()
    inputs.mkdir()
    (inputs / f"{TOKEN}.txt").write_text("".join(f"line {n} of a text\n" for n in range(3_000)))
    talk = [{"role": role, "content": f"{role} says {TOKEN} {n}"} for n in range(3) for role in ("user", "assistant")]
    (inputs / "talk.json").write_text(json.dumps({"messages": talk}))
    env = environment(home, XDG_STATE_HOME=str(home / "state"), MCPCOMPACT_TELEMETRY="1")
    server, text = f"https://u:{TOKEN}@host", str(inputs / f"{TOKEN}.txt")
    call = ["--server", server, "--tool", f"t-{TOKEN}", "--focus", TOKEN, "--args", json.dumps({"a": TOKEN})]
    small = ["--budget", "200", "--threshold", "200"]
    told = b""
    for argv in (
        ["summarize", "--history", str(inputs / "talk.json"), "--budget", "300"],
        ["summarize", text, *call, *small],
        ["summarize", text, *call, *small, "--json"],
        ["summarize", text, "--server", server, "--shape", "observation", *small],
        ["summarize", str(inputs), "--output-dir", "out", *call, *small],
        ["summarize", str(inputs), "--format", "markdown", *small],
        ["summarize", f"missing-{TOKEN}"],
        ["summarize", text, "--type", TOKEN],
        ["summarize", text, "--budget", TOKEN],
        ["summarize", text, "--model", TOKEN, *small],
        ["chunk", text, "--index", "2"],
        ["chunk", text, "--json"],
        ["chunk", f"missing-{TOKEN}"],
        ["paginate", str(inputs / "talk.json"), "--json"],
        ["paginate", f"missing-{TOKEN}", "--path", TOKEN],
    ):
        done = subprocess.run([sys.executable, "-m", "mcpcompact", argv[0], "--mask", *argv[1:]], capture_output=True, cwd=home, env=env)  # fmt: skip
        told += done.stdout + done.stderr
    assert TOKEN.encode() not in told and told.count(b"[secret:github-token:") >= 10
    assert not grep(home, [TOKEN.encode()])
    assert not [path for path in home.rglob("*") if TOKEN in path.name]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(["password", "token", ":", " ", "|", ",", "\n", "\\n", "\t", '"', "'", "\\", "data:", "kind: Secret", ">-", "  ", "%", "%3A", "%4",
                                 "=", "--", "[secret:", "user", "QUJDREVGR0hJSktMTU5PUFFSU1RVVg", "<", ">", "{", "}", "-----BEGIN PRIVATE KEY-----", "\x00", "é"]),
                max_size=60))  # fmt: skip
def test_masking_never_fails(parts: list[str]) -> None:
    data = "".join(parts).encode()
    once = Masker(KEY).data(data)
    assert b"".join(Masker(KEY).blocks([data[i : i + 7] for i in range(0, len(data), 7)], 16)) == once
