"""A headless Chromium for the tests of pages: the DevTools protocol over two pipes, no package needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def binary() -> str | None:
    return os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """One browser with one page; ``events`` are all that the protocol told."""

    def __init__(self, profile: Path) -> None:
        path = binary()
        assert path is not None
        self._in, theirs_out = os.pipe()
        theirs_in, self._out = os.pipe()
        shell = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        arguments += ["--disable-background-networking", "--disable-component-update", "--no-first-run"]
        self._process = subprocess.Popen(
            [
                "bash",
                "-c",
                shell,
                path,
                *arguments,
                f"--user-data-dir={profile}",
                "--remote-debugging-pipe",
                "about:blank",
            ],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._left, self._number, self.events = b"", 0, list[dict[str, Any]]()
        self._session = ""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            more = os.read(self._in, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self._left += more
        one, self._left = self._left.split(b"\0", 1)
        return dict(json.loads(one))

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != self._number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return dict(answer["result"])

    def open(self, page: Path, width: int, dark: bool = False, scripts: bool = True) -> None:
        """Show a page of the disk, in a window of this width."""
        self.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.ask("Emulation.setEmulatedMedia", features=scheme)
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.events.clear()
        self.ask("Page.navigate", url=page.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._message())
        if scripts:
            self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def value(self, script: str) -> Any:
        """Of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def told(self, method: str) -> list[dict[str, Any]]:
        return [event["params"] for event in self.events if event.get("method") == method]

    def screenshot(self, path: Path, top: int = 0, height: int = 900, width: int = 1280) -> None:
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        data = self.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        try:
            self._session = ""
            self.ask("Browser.close")
            self._process.wait(5)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        finally:
            os.close(self._in)
            os.close(self._out)
