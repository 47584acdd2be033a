"""``mcpcompact proxy``: before any MCP server, so that its long results arrive short."""

from __future__ import annotations

from typing import Annotated

import typer

from mcpcompact.cli.io import Environment

MORE = {"context_settings": {"allow_interspersed_args": False}}


def proxy(
    env: Environment,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND...", help="The server, as the client would start it.")
    ] = None,
    url: Annotated[str | None, typer.Option(metavar="URL", help="A server over streamable HTTP instead.")] = None,
    header: Annotated[
        list[str] | None, typer.Option(metavar="NAME:VALUE", help="A header of its requests; repeatable.")
    ] = None,
    server: Annotated[str, typer.Option(metavar="NAME", help="Its name in the configuration's mcp_servers.")] = "",
    config: Annotated[str | None, typer.Option(metavar="FILE", help="This configuration instead.")] = None,
    results_dir: Annotated[str | None, typer.Option(metavar="DIR", help="Where originals are kept.")] = None,
) -> int:
    """Stand before an MCP server: long results are shortened, everything else passes as it is.

    mcpcompact proxy -- npx -y @modelcontextprotocol/server-filesystem /repo
    mcpcompact proxy --url http://127.0.0.1:8000/mcp
    """
    from mcpcompact.errors import UsageError
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
