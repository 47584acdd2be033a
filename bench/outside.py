"""Results of repositories that nobody built for: what a reader gets to see of them.

The corpus that this project was built with flatters it. ``REPOSITORIES`` names others by commit; ``--clones DIR`` holds
bare clones of them, ``<owner>+<name>/repo``. A draw by ``--seed`` writes ``NN.call``, ``NN.original`` and
``NN.<budget>`` into a directory, for readers who grade them. A kind in turn, and within it a project, a language or a
command in turn.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.evidence import cases_of
from bench.exports import messages
from mcpcompact import ResultStore, compact
from mcpcompact.errors import InputError
from mcpcompact.transcripts.read import read_transcripts

BUDGETS = (500, 1000)
SIZES = range(4_500, 800_000)  # bytes: some 1,000 tokens and more
REPOSITORIES: Final = {
    1: {
        "BugSwarm/bugswarm": "e6a77177e9725ee46f83f17c7989028116772bd1",
        "CycloneDX/bom-examples": "aaa24717f3101c27ff9006c1caa0fc848c2cb2fd",
        "JamesNK/Newtonsoft.Json": "09bb545d72969ad7fb4ea07db0d5c34f4fc07877",
        "RLin8103/cs598-swe-agent-trajectory-analysis-group8": "f6ccbefc064c0478e2fc9ce7fd9793277cbdbcf1",
        "TestRoots/travistorrent-tools": "2563ab94507df4615729a8ca6eeb97ebd89e78b0",
        "aws/aws-lambda-go": "815d21f4176907c97cc6a77465ece6a1d2bbbac4",
        "dorny/test-reporter": "29672c52a8220c09bd9f79b5b6cf6315f1763996",
        "elastic/examples": "6d86454ebb7a850bcd7e80abe86fe683370018a6",
        "elixir-plug/plug": "a898c454a04ca5ffad306bd751a15c7ac9ff6927",
        "fivethirtyeight/data": "fcf572c4fba05a42f1f34f415bd5e6dc389efd68",
        "gin-gonic/gin": "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9",
        "google/go-github": "30af001aa7b4e4e503a211e0711146ecd08c71b2",
        "gutnikov/claude-session-player": "b0eaec42ab00b44dc9d174691f2efb49fb1a3478",
        "jqlang/jq": "579e6f76cffd7643ba4002a2c3618a5ea710589a",
        "kellyjonbrazil/jc": "ac8120e1fed9bb13b854b1333aef9c2dbce44f54",
        "kubernetes-sigs/kustomize": "12f9e6391464b3ad9dd3fe8182049dc1b1772990",
        "lacinoire/master-thesis": "647916a705a9c52fabd957e69d7893c07140ca12",
        "laude-institute/terminal-bench-leaderboard": "8e1925a397d7ed859c027cc19b3a3d90c16ef8df",
        "lgetter/swe-agent-trajectory-analysis": "b63a1fe6ec11271b2c90730c242c3c562622b6d2",
        "microsoft/sarif-tutorials": "819b0f62f47ecde9a8f24dfc387c41926f5edabe",
        "mimen/claude-sessions": "188aa020a5cfb535f651cadab491f42900331521",
        "mozilla/treeherder": "dc3080dd746d4732d5e06c0272471834d4639da0",
        "networktocode/ntc-templates": "d0bc5a480fe935afb6d9f6806c795a0390aaec90",
        "pallets/flask": "2ac89889f4cc330eabd50f295dcef02828522c69",
        "pedropaulovc/agent-sessions-backup": "90d05bde04aac29376200ce3f1051d671888026e",
        "pytorch/test-infra": "61a77570f45416dc425c17d4a648376541a84732",
        "sinatra/sinatra": "cb22afd7902b566b6eaba6c4ea89739494a65d12",
        "slimphp/Slim": "038fd5713d5a41636fdff0e8dcceedecdd17fc17",
        "spring-projects/spring-petclinic": "edf4db28affcc4741c79850a3d95bc3f177b5ff9",
        "square/okhttp": "1682d9bac8c03dffde2969b0b74d47649d0dbb52",
        "stripe/stripe-mock": "a7c7c338db2bd998ceb8b75ee3b713a43bafa85d",
        "tokio-rs/mini-redis": "3d93b42bc363220f85af4fc9e1bebd35b588a4a3",
        "vredchenko/claude-transcripts": "75ec2bd06b79b1a14ecab1feb036f3cd6415b5b4",
        "vuejs/pinia": "254eec764ecccd120ab9dbc31352d76ffd6ecfa3",
    },
    2: {
        "CiscoTestAutomation/genieparser": "366d83b905995cc7f26524168e431af50dcde2d5",
        "DefectDojo/django-DefectDojo": "7cfa159a6767b0ac6e66f3b1597a997e607e7308",
        "PyGithub/PyGithub": "5cdf6ab395c52efb652d0bc1f28fdf2e452b1b41",
        "crowdsecurity/hub": "b03cb59b2131ebfc5300f5f14828e29967efd1a5",
        "expressjs/express": "a3714473feb3d2908add734d340e7755fd85e0a3",
        "mozilla/readability": "ab4027a8b37669745016869a37a504727992b2ba",
        "pallets/click": "2c8cd3ac958a7eb316d67f2d316c27086c4c0369",
        "prometheus-operator/kube-prometheus": "4d719f1dea8853540b3823ab1fbe6be74a9953b3",
        "rust-lang/rust-clippy": "e57f468d8f079a7b50627a95121fd16fff8e5bfa",
        "vapor/vapor": "13efaeefd52a965009fc6a69a96ba66e7f20402e",
    },
    3: {
        "BurntSushi/ripgrep": "3fce3b5bb0236da2df6d99672afb8a719642eca7",
        "JetBrains/Exposed": "1be664715fc581cda0ec6141b2914908dabe184e",
        "MultiQC/test-data": "84dc905e6edb97668b87660896dfd78f175008ca",
        "aquasecurity/trivy": "dc3c56eed58ab21c7e08d26757c517bc946a86c5",
        "fastapi/fastapi": "c3f316b7e814667e8ee81e03a7330d00ee61e45c",
        "home-assistant/frontend": "85b2ca377ad228c0cec80bde7d011d9195650a8b",
        "infracost/infracost": "95ba4f49a7abf5567b04f751a115543281a4ab18",
        "laravel/framework": "bd71b45fbb7e672957bf6ff61baddefe15fbca6a",
        "redis/redis": "4f8cdc2a1ea53e42955af758aabffee67cb455dd",
        "slackapi/python-slack-sdk": "ae87985e2c3811ead978f31ea5a1e4a7ca5c3515",
        "tstack/lnav": "bb0005f96c8dc486ee0b9005a4562be0ef61c878",
    },
    4: {
        "Alamofire/Alamofire": "7595cbcf59809f9977c5f6378500de2ad73b7ddb",
        "OISF/suricata-verify": "10a45e4bad6d29d0f1239d93119ea24e1bbdab19",
        "adbar/trafilatura": "e90b0ef51ab026fdb905fb6c5b3c84dd3d784fd5",
        "astral-sh/ruff": "fca5c7cf2cd2f8338f18b9485f936b8e9f07bd0b",
        "axios/axios": "23a25af0688d1db2c396deb09229d2271cc24f6c",
        "bioperl/bioperl-live": "2b622d6a291b95126f3da6d3799a23d8ac7d1ef1",
        "dariusk/corpora": "cf30ca27ab176b63623af1ddcfa2447ac07305ba",
        "mledoze/countries": "5e9f370050f83ad2ba4cb885f75d66114badf72c",
        "napalm-automation/napalm": "ee70e634555f6d1f9d32369f2151dde526ad6dfd",
        "octokit/webhooks": "3a58428aa5c399cf5aa12c8663aea1fb1f515254",
        "psf/requests": "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e",
        "serilog/serilog": "60935b4d7abad71cf6157b45a10f5c3c65ead527",
        "terraform-aws-modules/terraform-aws-vpc": "82d1929e669efef4e2ad00611b8a68e7a56e049c",
    },
    5: {
        "M-Thisness/M-Claude": "5a8d89ee3677906aec18f7beb518a5a08e72a002",
        "nus-apr/auto-code-rover": "3536ac292e3062ffb3f6e98457958e2b803228d6",
    },
    6: {
        "goodsch/brain_explore": "5f0065446d2c83d2a5caf13c11a0e498f9faee56",
    },
    7: {
        "0-auth/zero-auth": "77eb9fded6b200f8c8efc813aa46d05869ea16d2",
        "Ai-Whisperers/Relocation-Business": "08300d60b468f492183f8d034fbe2b6d217fb4bb",
        "BillWan-zzzyyy/alpamayo": "5c6341c180a0cc5cafb058ee9479873e761dad76",
        "ChrisGVE/MunsellSpace": "3863ef289dd69bbc59cd3a761bd8c9e281f01bd4",
        "DakineMI/tree-sitter-languages-rs": "8e6f3dd86cb33e5a0019d17179745730d3886dd7",
        "specstoryai/getspecstory": "210d6095c58e26c49ca8093789c491ebe8f28203",
    },
}
"""By set; none of them is a source of the corpus. Nobody looked into the third set before it was read for the first
time, nor into the fourth, the fifth to the seventh (what agents did). Those of CI logs also serve ``bench.ci``."""

_COMMITS: Final = {repo: commit for named in REPOSITORIES.values() for repo, commit in named.items()}
_KINDS: Final = {
    "ci": r"(?:BugSwarm|TestRoots|lacinoire)/[^/]+:(?P<group>(?:[^/]+/){3}[^/]*).*\.log",
    "command": r"(?:kellyjonbrazil/jc:.*/fixtures/.*/(?P<group>[a-z_]+)[^/]*\.out"
    r"|networktocode/[^/]+:(?:[^/]+/){2}(?P<device>[^/]+).*\.raw"
    r"|CiscoTestAutomation/[^:]+:.*/parser/(?P<system>[^/]+)/tests/.*_output\.txt"
    r"|napalm-automation/[^:]+:test/(?P<mocked>[^/]+)/.*mocked_data/.*\.(?:txt|text)"
    r"|BurntSushi/(?P<help>[^:]+):.*\.(?:zsh|txt)|(?:infracost|aquasecurity)/[^:]+:(?P<golden>.*/)[^/]*\.golden)",
    "compiler": r"(?:rust-lang/[^:]+:tests/(?P<group>[^/]+)/.*\.stderr"
    r"|astral-sh/[^:]+:crates/(?P<crate>[^/]+)/.*\.snap)",
    "data": r"(?:CycloneDX|fivethirtyeight|microsoft|aws|stripe|google|elastic|mozilla|pytorch|MultiQC|slackapi"
    r"|home-assistant|infracost|aquasecurity|prometheus-operator|napalm-automation|mledoze|octokit|dariusk|OISF)/(?P<group>[^:]+:(?:.*/)?(?=[^/]*$))"
    r".*\.(?:json|xml|csv|tsv|tab|sarif|ya?ml|ndjson)",
    "evaluation": r"nus-apr/[^/]+:results/[^/]+/(?P<run>[^/]+)/.*(?:eval|run_test_suite_\d|run_developer_tests)\.log",
    "exchange": r"PyGithub/[^:]+:tests/ReplayData/(?P<group>[A-Z][a-z]+)[^/]*\.txt",
    "lab": r"(?:MultiQC/[^:]+:data/modules/(?P<group>[^/]+)/.*\.(?:txt|log|stats|out|hist|report)"
    r"|bioperl/[^:]+:t/data/[^/]*\.(?P<format>[a-z]+\d?))",
    "log": r"(?:crowdsecurity/[^:]+:\.tests/(?P<group>[^/]+)/.*\.log|tstack/[^:]+:test/(?P<sample>log[^/]*)/?.*)",
    "page": r"(?:(?P<group>mozilla/readability):.*/source|(?P<saved>adbar/trafilatura):tests/cache/.*)\.html?",
    "export": r"(?:goodsch/[^:]+:(?P<exported>claude-prompts/.*\.md)"
    r"|[^:]+:(?P<recorded>(?:.*/)?\.specstory/history/.*\.md))",
    "document": r"(?P<group>[^:]+):.*\.(?:md|rst|adoc|html)",
    "report": r"dorny/[^:]+:.*fixtures/(?P<group>.*)\.(?:xml|json|trx)",
    "scan": r"DefectDojo/[^:]+:unittests/scans/(?P<group>[^/]+)/.*\.(?:jsonl?|xml|csv|html|txt|sarif|nessus|ndjson)",
    "session": r"M-Thisness/[^:]+:(?P<session>.*\.jsonl)",
    "source": r".*\.(?P<group>py|ts|tsx|js|jsx|vue|go|rs|java|kt|cs|c|h|rb|php|swift|sh|sql|exs?|css|tf|jsonnet)",
    "terminal": r"laude-institute/[^:]+:results/[^/]+/(?P<group>[^/]+)/.*(?:agent|test|tests)\.(?:txt|log)",
    "view": r"(?:RLin8103|lgetter|nus-apr)/[^:]+:(?P<group>.*\.traj)",
}
"""By kind what ``owner/name:path`` looks like, and the part by which it takes its turn."""

_GIT: Final = {
    "blame": "blame {head} -- {file}",
    "diff": "diff {head}~{few} {head}",
    "files": "ls-tree -r --name-only {head}",
    "grep": "grep -n {word} {head}",
    "log": "log -n 40 {head}",
    "oneline": "log --oneline -n 150 {head}",
    "people": "shortlog -sne {head}",
    "show": "show {head}~{many}",
    "since": "log --stat -n 15 {head}~{many}",
}
"""What agents ask git: of a commit near the newest one, of a file of source, of a word in it."""
_WORD = re.compile(rb"[A-Za-z][A-Za-z_]{6,}")


class Found(NamedTuple):
    """A file of a repository, and how it takes its turn."""

    kind: str
    group: str
    repo: str
    path: str


def found(clones: Path, sets: Sequence[int] = (1,)) -> Iterator[Found]:
    """The files of the clones that are large enough, of the first kind that claims them."""
    kinds = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}
    for repo, commit in itertools.chain.from_iterable(REPOSITORIES[one].items() for one in sets):
        clone = clones / repo.replace("/", "+") / "repo"
        if not clone.is_dir():
            continue
        listed = subprocess.run(
            ["git", "-C", clone, "ls-tree", "-rl", commit], capture_output=True, text=True, check=True
        )
        yield from (Found("git", f"{name} {repo}", repo, told) for name, told in _GIT.items())
        for row in listed.stdout.splitlines():
            said, path = row.split("\t", 1)
            size = said.split()[-1]
            if not size.isdigit() or (int(size) not in SIZES and not path.endswith((".traj", ".jsonl"))):
                continue
            for kind, pattern in kinds.items():
                if match := pattern.fullmatch(f"{repo}:{path}"):
                    yield Found(kind, next(filter(None, match.groups())), repo, path)
                    break


def _asked(told: str, head: str, clone: Path, rng: random.Random) -> tuple[bytes, dict[str, Any]] | None:
    """What git says, and the call as an agent would write it."""

    def git(*words: str) -> bytes:
        return subprocess.run(["git", "-C", clone, *words], capture_output=True, check=False).stdout

    kinds = re.compile(_KINDS["source"])
    files = [path for path in git("ls-tree", "-r", "--name-only", head).decode().split("\n") if kinds.fullmatch(path)]
    file = rng.choice(files or ["README.md"])
    word = rng.choice(_WORD.findall(git("show", f"{head}:{file}")) or [b"version"]).decode()
    chosen = {"file": file, "word": word, "few": rng.randint(1, 6), "many": rng.randint(0, 60)}
    data = git(*told.format(head=head, **chosen).split(" "))
    command = f"git {told.format(head='HEAD', **chosen)}".removesuffix(" HEAD").replace("HEAD~0", "HEAD")
    data = data.replace(f"{head}:".encode(), b"") if "grep" in command else data
    return (data, {"tool": "Bash", "arguments": {"command": command}}) if len(data) in SIZES else None


def calls(one: Found, clones: Path, rng: random.Random) -> tuple[bytes, dict[str, Any]] | None:
    """The result and what is known of its call; of a session one of its results, or None."""
    clone = clones / one.repo.replace("/", "+") / "repo"
    if one.kind == "git":
        return _asked(one.path, _COMMITS[one.repo], clone, rng)
    data = subprocess.run(
        ["git", "-C", clone, "show", f"{_COMMITS[one.repo]}:{one.path}"], capture_output=True, check=True
    ).stdout
    if one.kind in ("source", "document"):
        return data, {"tool": "Read", "arguments": {"file_path": f"/repo/{one.path}"}}
    if one.kind not in ("session", "view", "export"):
        return data, {}
    if one.kind == "export":
        data = messages(data.decode(errors="replace"))
    with tempfile.NamedTemporaryFile(suffix=Path(one.path).suffix.replace(".md", ".json")) as file:
        file.write(data)
        file.flush()
        try:
            sessions = read_transcripts(file.name) if data.strip() else ()
            cases = [case for session in sessions for case in cases_of(session, one.path, 1000)]
        except InputError:  # a session without a message
            return None
    if not cases:
        return None
    tool = rng.choice(sorted({case.tool for case in cases}))  # else nearly all are views of files
    case = rng.choice([case for case in cases if case.tool == tool])
    known = {"tool": case.tool, "arguments": case.arguments, "focus": case.focus}  # as ``summarize`` is told
    return case.text.encode("utf-8", "surrogatepass"), {name: value for name, value in known.items() if value}


def draw(
    clones: Path, seed: int, count: int, sets: Sequence[int] = (1,), wanted: Sequence[str] = (*_KINDS, "git")
) -> Iterator[tuple[Found, bytes, dict[str, Any]]]:
    """``count`` results, none twice."""
    rng = random.Random(seed)
    kinds: dict[str, dict[str, list[Found]]] = {}
    for one in found(clones, sets):
        if one.kind in wanted:
            kinds.setdefault(one.kind, {}).setdefault(one.group, []).append(one)
    turns = {kind: itertools.cycle(rng.sample(sorted(groups), len(groups))) for kind, groups in sorted(kinds.items())}
    seen: set[bytes] = set()
    for kind in itertools.cycle(turns):
        one = rng.choice(kinds[kind][next(turns[kind])])
        called = calls(one, clones, rng)
        if called is None or called[0] in seen:
            continue
        seen.add(called[0])
        yield one, *called
        if len(seen) == count:
            return


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.outside", description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--sets", type=int, nargs="+", default=[1], choices=REPOSITORIES, help="of repositories")
    parser.add_argument("--kinds", nargs="+", default=[*_KINDS, "git"], choices=[*_KINDS, "git"])
    args = parser.parse_args(argv)
    if next(found(args.clones, args.sets), None) is None:
        print("no clones: --clones names a directory with <owner>+<name>/repo")
        return 66
    args.directory.mkdir(parents=True, exist_ok=True)
    store = ResultStore(args.directory / "store")
    for n, (one, data, known) in enumerate(draw(args.clones, args.seed, args.count, args.sets, args.kinds), 1):
        to = args.directory / f"{n:02d}"
        to.with_suffix(".call").write_text(f"{one.kind} {one.repo}/{one.path}\n{json.dumps(known, indent=1)}\n")
        to.with_suffix(".original").write_bytes(data)
        for budget in BUDGETS:
            text = compact(data, budget=budget, threshold=budget, store=store, **known).text
            to.with_suffix(f".{budget}").write_text(text, errors="surrogatepass")
        print(f"{n:02d} {one.kind:9s} {len(data):9,} {one.repo}/{one.path}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
