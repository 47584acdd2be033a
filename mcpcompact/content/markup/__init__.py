"""HTML, XML and Markdown: sections and elements with exact line numbers."""

from mcpcompact.content import Own

TYPE = Own("markup", ".md")
