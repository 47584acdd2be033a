"""``mcpcompact proxy``: before any MCP server, so that its long results arrive short."""

from __future__ import annotations

from typing import Annotated

from mcpcompact.cli.io import Environment
from mcpcompact.cli.options import ConfigFile, ResultsDir, Text, Texts, argument, read
from mcpcompact.errors import UsageError

MORE = {"context_settings": {"allow_interspersed_args": False}}


def proxy(
    env: Environment,
    command: Annotated[Texts, argument("-- COMMAND...", "Command that starts the server.")] = None,
    url: Annotated[Text, read("Address of a streamable HTTP server, instead of a command.", "URL")] = None,
    header: Annotated[Texts, read("Header to send to the server; repeatable.", "NAME:VALUE")] = None,
    server: Annotated[str, read("Name of the server in mcp_servers of the configuration.", "NAME")] = "",
    config: ConfigFile = None,
    results_dir: ResultsDir = None,
) -> int:
    """Run an MCP server behind a proxy that compacts long results and passes everything else through.

    mcpcompact proxy -- npx -y @modelcontextprotocol/server-filesystem /repo
    mcpcompact proxy --url http://127.0.0.1:8000/mcp
    """
    from mcpcompact.integrations.base import Interceptor
    from mcpcompact.integrations.proxy import serve_command, serve_url

    if bool(command) == bool(url):
        raise UsageError("one server is needed", hint="give -- COMMAND, or --url URL")
    pairs = [one.partition(":") for one in header or ()]
    if any(not colon for _, colon, _ in pairs):
        raise UsageError("a header is NAME:VALUE")
    compactor = Interceptor(store=results_dir, config=config, log=lambda line: env.say(" ".join(line.split())))
    if command:
        return serve_command(command, compactor, server)
    return serve_url(str(url), compactor, {name.strip(): value.strip() for name, _, value in pairs}, server)
