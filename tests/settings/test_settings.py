"""Configuration: layers and their order, every mistake by its path, reload while it is used, presets and the window."""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

from mcpcompact import Policy, compact
from mcpcompact.config import VARIABLES
from mcpcompact.errors import ConfigError, UsageError
from mcpcompact.policy import for_host, for_window
from mcpcompact.settings.checking import check
from mcpcompact.settings.effective import Live, load
from mcpcompact.settings.schema import SETTINGS
from mcpcompact.settings.template import template

GOOD: dict[str, Any] = {
    "defaults": {"budget_tokens": 800, "threshold_tokens": 1600, "reader": "shell", "mask": True, "page_limit": 20},
    "features": {"chunk": False},
    "mcp_servers": {
        "kubectl": {
            "summarization": {"enabled": True, "size_threshold_tokens": 2000, "summary_max_token_limit": 1000},
            "tools": {"list": {"budget_tokens": 600, "keep_fields": ["name", "status"], "drop_fields": ["metadata.x"]}},
        },
        "filesystem": {"summarization": {"enabled": False}},
    },
    "tools": {"get": {"budget_tokens": 300, "threshold_tokens": 300}},
    "models": {"mine": {"encoding": "cl100k_base", "context_limit": 1000, "safety_margin": 0.5, "input_price": 2.5}},
    "masking": {"email": True, "rules": [{"name": "badge", "pattern": "B-[0-9]{8}", "literals": ["B-"]}]},
}
LINES = b"".join(b"2026-03-01 10:00:%02d INFO app request %d ok\n" % (i % 60, i * 7919) for i in range(400))
RECORDS = json.dumps([{"id": i, "name": f"name-{i}", "n": i * 7 % 13} for i in range(400)])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, no settings of the machine."""
    for name in list(os.environ):
        if name.startswith(("MCPCOMPACT_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value))
    return path


def test_a_whole_configuration_is_good() -> None:
    found, mistakes = check(GOOD)
    assert mistakes == [] and found["tools", "get", "budget_tokens"] == 300


def test_the_nearer_part_and_the_higher_layer_win(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here / "mcpcompact.json", GOOD)
    settings = load()
    assert settings.policy() == Policy(800, 1600, "shell")
    assert settings.policy("kubectl") == Policy(1000, 2000, "shell")
    listed = settings.policy("kubectl", "list")
    assert (listed.budget, listed.keep_fields, listed.drop_fields) == (600, ("name", "status"), ("metadata.x",))
    assert settings.policy("other", "get").budget == 300
    assert settings.policy("filesystem", "read").enabled is False
    assert settings.models()["mine"].usable == 500
    monkeypatch.setenv("MCPCOMPACT_BUDGET_TOKENS", "1,200")
    above = load().under({"page_limit": 5})
    assert above.policy("kubectl", "list").budget == 1200, "the environment is above every part of the file"
    assert above.policy().threshold == 1600 and above.get("page_limit") == 5
    assert above.origin(("defaults", "budget_tokens")) == "MCPCOMPACT_BUDGET_TOKENS"
    assert above.origin(("defaults", "page_limit")) == "--limit"


def test_a_threshold_never_stands_below_a_budget_from_elsewhere(here: Path) -> None:
    write(here / "mcpcompact.json", {"defaults": {"threshold_tokens": 1500}})
    assert load().under({"budget_tokens": 5000}).policy().passes_at == 5000


@pytest.mark.parametrize("name", ["mcpcompact.toml", "mcpcompact.yaml", "mcpcompact.json"])
def test_each_format_and_its_template(here: Path, name: str, door: Run) -> None:
    done = door("config", "init", name, cwd=here)
    assert done.returncode == 0 and (here / name).is_file()
    assert not any(load().layers.values()), "the template changes nothing"
    assert door("config", "check", cwd=here).returncode == 0
    again = door("config", "init", name, cwd=here)
    assert again.returncode == 2 and b"--force" in again.stderr


@pytest.mark.parametrize("extension", [".toml", ".yaml"])
def test_the_template_is_right_when_everything_in_it_is_switched_on(here: Path, extension: str) -> None:
    lines = template(extension).splitlines()
    on = [line.replace("# ", "", 1) if "=" in line or ":" in line or line[:3] == "# [" else line for line in lines]
    values = [line for line in on if not line.startswith(("Limits", "The same", "Models", "Further", "mcpcompact's"))]
    path = here / f"mcpcompact{extension}"
    path.write_text("\n".join(line for line in values if ": the command" not in line and "false: " not in line) + "\n")
    found = load().layers[1]
    assert found["defaults", "budget_tokens"] == 1000
    assert found["mcp_servers", "kubectl", "tools", "resources_list", "keep_fields"] == ("name", "status")


def test_files_that_disagree_and_files_that_do_not(here: Path, door: Run) -> None:
    write(here / "mcpcompact.json", GOOD)
    (here / "mcpcompact.yaml").write_text(json.dumps(GOOD))
    assert load().get("budget_tokens") == 800
    (here / "mcpcompact.toml").write_text("[defaults]\nbudget_tokens = 70\n")
    done = door("summarize", "-", cwd=here, input=b"x")
    assert done.returncode == 78 and b"disagree" in done.stderr and done.stderr.count(b"\n") == 1


BAD = {
    "defaults: [1": "cannot be read",
    "defaults:\n  budget_tokens: 70\n  budget_tokens: 80\n": "stands here twice",
    "a: &x {defaults: 1}\nb: *x\n": "an alias",
    "- 1\n": "(top): a list where sections are expected",
    "defaults: {budget_tokens: 1000, threshold_tokens: 500}": "defaults.threshold_tokens: 500 is below the budget",
    "defaults: {treshold_tokens: 2000}": "defaults.treshold_tokens: unknown key, did you mean threshold_tokens?",
    "tools: {a.b: {budget_tokens: true}}": 'tools."a.b".budget_tokens: true where a whole number',
    "masking: {rules: [{name: a, pattern: 'x*'}]}": "masking.rules[0].pattern: matches the empty text",
}


@pytest.mark.parametrize("text", list(BAD))
def test_a_mistake_is_named_by_its_path(here: Path, door: Run, text: str) -> None:
    (here / "mcpcompact.yaml").write_text(text)
    done = door("config", "check", cwd=here)
    assert done.returncode == 78 and BAD[text] in done.stdout.decode()
    used = door("summarize", cwd=here, input=b"hello")
    assert used.returncode == 78 and used.stdout == b"" and used.stderr.count(b"\n") == 1


def _paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    out = [at] if at else []
    if isinstance(value, dict):
        for key, inner in value.items():
            out += _paths(inner, (*at, key))
    return out


def _expected(path: tuple[Any, ...]) -> str:
    return ".".join(str(step) for step in path)


def test_200_mutated_configurations_are_rejected_with_the_right_path() -> None:
    chance = random.Random(5)
    wrong = [None, [], {"x": 1}, "", "many", -1, 1e300, float("nan"), True, [1], 3.5]
    tried = 0
    while tried < 200:
        config = copy.deepcopy(GOOD)
        path = chance.choice(_paths(config))
        section = config
        for step in path[:-1]:
            section = section[step]
        if chance.random() < 0.3:  # a key misspelt
            spelt = str(path[-1]) + chance.choice("xyz_")
            parent = path[:-1]
            if parent in ((), ("mcp_servers",), ("tools",), ("models",)) and parent:
                continue  # any name is a name there
            if len(path) >= 2 and path[-2] == "tools":
                continue
            section[spelt] = section.pop(path[-1])
            expected = _expected((*parent, spelt))
        else:
            value = chance.choice(wrong)
            old = section[path[-1]]
            if type(value) is type(old) or (isinstance(old, (int, float)) and value == 3.5 and isinstance(old, float)):
                continue
            if (value == [] and isinstance(old, list)) or (value is None and isinstance(old, dict)):
                continue
            if isinstance(old, float) and isinstance(value, (int, float)) and not isinstance(value, bool):
                continue
            if path == ("models", "mine", "input_price") and isinstance(value, (int, float)) and value >= 0:
                continue
            section[path[-1]] = value
            expected = _expected(path)
        _, mistakes = check(config)
        assert mistakes, (path, section)
        assert any(line.startswith(expected) for line in mistakes), (expected, mistakes)
        tried += 1


def test_a_switched_off_command_and_a_bad_variable(here: Path, cli: Run) -> None:
    write(here / "mcpcompact.json", {"features": {"summarize": False}})
    done = cli("summarize", cwd=here, input=b"x")
    assert done.returncode == 78 and b"features.summarize" in done.stderr
    (here / "mcpcompact.json").unlink()
    bad = cli("summarize", cwd=here, input=b"x", MCPCOMPACT_BUDGET_TOKENS="many")
    assert bad.returncode == 78 and b"MCPCOMPACT_BUDGET_TOKENS: 'many'" in bad.stderr


def test_the_command_line_uses_the_policy_of_the_tool(here: Path, door: Run) -> None:
    write(here / "mcpcompact.json", GOOD)
    for arguments, most in ((["--tool", "get"], 300), (["--server", "kubectl", "--tool", "list"], 600)):
        made = json.loads(door("summarize", "--json", *arguments, cwd=here, input=RECORDS.encode()).stdout)
        assert made["method"] == "outline" and 0.7 * most < made["tokens"] <= most
    untouched = door("summarize", "--server", "filesystem", cwd=here, input=RECORDS.encode())
    assert untouched.stdout.decode() == RECORDS
    shown = json.loads(door("config", "show", "--json", "--tool", "get", cwd=here).stdout)
    assert shown["settings"]["budget"]["value"] == 300
    counted = door("count", "--model", "gpt-4o", "--json", cwd=here, input=b"hello")
    assert counted.returncode == 0


def test_reload_under_load_mixes_nothing_and_survives_bad_files(here: Path) -> None:
    """200 summaries while the file changes 25 times: each follows one whole configuration."""
    path = write(here / "mcpcompact.json", {"defaults": {"budget_tokens": 60, "threshold_tokens": 120}})
    told: list[str] = []
    live = Live(load(), told.append)
    stop = threading.Event()
    changes = made_so_far = 0

    def change() -> None:
        nonlocal changes
        seen_at = 0
        while changes < 25 and not stop.wait(0.01):
            if made_so_far < seen_at + 8:  # each content is in force for some summaries, on any machine
                continue
            seen_at = made_so_far
            changes += 1
            number = 60 + changes
            text = json.dumps({"defaults": {"budget_tokens": number, "threshold_tokens": 2 * number}})
            if changes % 10 == 0:
                text = text[:30]  # a file half written
            fresh = here / "new.json"
            fresh.write_text(text)
            fresh.replace(path)

    writer = threading.Thread(target=change)
    writer.start()
    seen: set[int] = set()
    text = "\n".join(f"{i} one line of a short text" for i in range(36))
    while made_so_far < 200 or changes < 25:
        policy = live.current().policy()
        assert policy.threshold == 2 * policy.budget
        made = compact(text, policy=policy, content_type="text")
        assert made.problem is None and made.tokens <= policy.budget
        seen.add(policy.budget)
        made_so_far += 1
    stop.set()
    writer.join()
    assert len(seen) > 5 and live.current().get("budget_tokens") in range(60, 86)
    assert any("last good" in line for line in told) and any(
        "budget_tokens 6" in line and " -> " in line for line in told
    )


def test_a_change_counts_at_once_and_a_vanished_file_changes_nothing(here: Path) -> None:
    path = write(here / "mcpcompact.json", {"defaults": {"budget_tokens": 70}})
    told: list[str] = []
    live = Live(load(), told.append)
    path.write_text('{"defaults": {"budget_tokens": 90}}')
    assert live.current().get("budget_tokens") == 90
    path.unlink()
    assert live.current().get("budget_tokens") == 90 and len(told) == 2
    assert live.current().get("budget_tokens") == 90 and len(told) == 2


def test_the_window_that_is_left() -> None:
    usual = Policy(1000, 2000)
    budgets = [for_window(usual, left).budget for left in (100, 600, 5_000, 50_000, 150_000, 10_000_000)]
    assert budgets == [50, 250, 250, 1000, 3000, 4000]
    assert for_window(usual, 50_000) == usual
    assert for_window(usual, 150_000).passes_at == 6000
    with pytest.raises(UsageError):
        for_window(usual, 99)


@pytest.mark.parametrize("name, most", [("codex", 10_000), ("claude", 50_000), ("vscode", 8 * 1024)])
def test_a_preset_stays_under_the_limit_of_its_host(name: str, most: int) -> None:
    policy = for_host(Policy(), name)
    lines = "\n".join(f"line {i}" for i in range(most // 8))
    for text in (RECORDS * (most // 15_000 + 1), "größer ☃ " * (most // 8), lines, "x" * most, "y " * 4000):
        made = compact(text, policy=policy, content_type="text")
        size = len(made.text) if policy.max_bytes is None else len(made.text.encode())
        assert size < most
    short = "z" * 500
    assert compact(short, policy=policy).text == short
    with pytest.raises(UsageError):
        for_host(policy, "nobody")


def test_the_table_of_settings_is_current() -> None:
    spec = importlib.util.spec_from_file_location("settings_table", ROOT / "scripts" / "settings_table.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text("utf-8") == module.page(), "run python scripts/settings_table.py"
    assert len({known.path for known in SETTINGS}) == len(SETTINGS)
    assert {known.env for known in SETTINGS if known.env} - VARIABLES == {
        "MCPCOMPACT_RESULTS_DIR",
        "MCPCOMPACT_TELEMETRY",
    }
    assert {known.env for known in SETTINGS} >= VARIABLES


def test_a_named_file_must_be_there(here: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load("nowhere.yaml")


def test_defaults_of_other_commands_come_from_the_configuration(door: Run, tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.json").write_text('{"defaults": {"chunk_tokens": 120, "page_limit": 3}}')
    assert json.loads(door("chunk", "--json", input=LINES).stdout)["tokens"] <= 120
    assert json.loads(door("chunk", "--json", "--tokens", 400, input=LINES).stdout)["tokens"] > 200
    assert len(json.loads(door("paginate", input=RECORDS.encode()).stdout)["items"]) == 3
    (tmp_path / "mcpcompact.json").write_text('{"features": {"paginate": false}}')
    assert door("paginate", input=RECORDS.encode()).returncode == 78


def test_replay_takes_the_prices_of_configured_models(here: Path, door: Run) -> None:
    write(
        here / "mcpcompact.json", {"models": {"mine": {"context_limit": 90_000, "input_price": 2, "output_price": 8}}}
    )
    session = ROOT / "samples" / "session.json"
    done = door("replay", session, "--model", "mine", "--policy", "none", "--json", cwd=here)
    assert done.returncode == 0 and json.loads(done.stdout)["policies"][0]["costUsd"] > 0.5


@pytest.mark.parametrize(
    "place",
    ["ftp://127.0.0.1:9/loot", "s3://bucket/x", "memory://x", "/tmp/x", "../x", "~/.ssh", "link/in", "${HOME:-/}/x"],
)
def test_a_checkout_sends_no_result_elsewhere(here: Path, cli: Run, place: str) -> None:
    (here / "link").symlink_to(here.parent)
    config = write(here / "mcpcompact.yaml", {"defaults": {"results_dir": place}})
    result = cli("summarize", "--budget", "100", cwd=here, input=LINES)
    assert result.returncode == 78 and b"may only name a directory below it" in result.stderr
    with pytest.raises(ConfigError, match="below it"):
        load()
    assert load(str(config)).get("results_dir") == place  # the user names the file


def test_a_checkout_may_keep_results_below_itself(here: Path, cli: Run) -> None:
    write(here / "mcpcompact.yaml", {"defaults": {"results_dir": "kept/results"}})
    done = cli("summarize", "--budget", "100", cwd=here, input=LINES, MCPCOMPACT_RESULTS_DIR="")
    assert done.returncode == 0
    assert list((here / "kept" / "results").iterdir())


def test_what_the_user_masks_stays_masked_in_a_checkout(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = here / "config" / "mcpcompact"
    home.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home.parent))
    rule = {"name": "badge", "pattern": "BDG-\\d{6}", "literals": ["BDG-"]}
    write(home / "mcpcompact.yaml", {"defaults": {"mask": True}, "masking": {"email": True, "rules": [rule]}})
    tools = {"get": {"mask": False}}
    write(here / "mcpcompact.yaml", {"defaults": {"budget_tokens": 500, "mask": False}, "tools": tools})
    settings = load()
    assert settings.get("budget_tokens") == 500
    assert settings.masks() and settings.masks(tool="get")
    assert settings.find(("masking", "email"))[0] and settings.find(("masking", "rules"))[0] == (rule,)


def test_a_broken_file_of_the_user_is_an_error_in_a_checkout_too(here: Path, cli: Run) -> None:
    """What it masks is not known: the checkout's own settings alone would show it."""
    home = here / "config" / "mcpcompact"
    home.mkdir(parents=True)
    (home / "mcpcompact.yaml").write_text("defaults: {mask: true\n")
    write(here / "mcpcompact.yaml", {"defaults": {"budget_tokens": 500}})
    result = cli("summarize", "--budget", "100", cwd=here, input=LINES, XDG_CONFIG_HOME=str(home.parent))
    assert result.returncode == 78 and str(home).encode() in result.stderr
