"""Which encoding a model uses, how exact that is, and how much the model's window holds.

The OpenAI models are mapped as tiktoken maps them (a test compares); the tables are static, so that a count needs
neither tiktoken nor a network. A model is never silently counted with something else: ``Tokenizer.note`` says it.
"""

from __future__ import annotations

from mcpcompact.errors import meant
from mcpcompact.tokens.count import Tokenizer
from mcpcompact.tokens.encodings import DEFAULT

_O200K, _CL100K = "o200k_base", "cl100k_base"

MODELS = {
    **dict.fromkeys(("o1", "o3", "o4-mini", "gpt-5", "gpt-4.1", "gpt-4o"), _O200K),
    **dict.fromkeys(("gpt-4", "gpt-3.5-turbo", "gpt-3.5", "gpt-35-turbo", "davinci-002", "babbage-002"), _CL100K),
    **dict.fromkeys(("text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large"), _CL100K),
}
"""tiktoken 0.14, ``model.MODEL_TO_ENCODING``, without the retired encodings."""

PREFIXES = {
    **dict.fromkeys(("o1-", "o3-", "o4-mini-", "gpt-5", "gpt-4.5-", "gpt-4.1-", "chatgpt-4o-", "gpt-4o-"), _O200K),
    **dict.fromkeys(("gpt-4-", "gpt-3.5-turbo-", "gpt-35-turbo-"), _CL100K),
    "gpt-oss-": _O200K,  # o200k_harmony: the same ranks and pattern, further special tokens
    "ft:gpt-4o": _O200K,
    **dict.fromkeys(("ft:gpt-4", "ft:gpt-3.5-turbo", "ft:davinci-002", "ft:babbage-002"), _CL100K),
}
"""tiktoken 0.14, ``model.MODEL_PREFIX_TO_ENCODING``, in its order: the first that fits counts."""

_RETIRED = {
    "r50k_base": "davinci curie babbage ada text-davinci-001 text-curie-001 text-babbage-001 text-ada-001 "
    "text-similarity-davinci-001 text-similarity-curie-001 text-similarity-babbage-001 text-similarity-ada-001 "
    "text-search-davinci-doc-001 text-search-curie-doc-001 text-search-babbage-doc-001 text-search-ada-doc-001 "
    "code-search-babbage-code-001 code-search-ada-code-001",
    "p50k_base": "text-davinci-003 text-davinci-002 code-davinci-002 code-davinci-001 code-cushman-002 "
    "code-cushman-001 davinci-codex cushman-codex",
    "p50k_edit": "text-davinci-edit-001 code-davinci-edit-001",
    "gpt2": "gpt2 gpt-2",
}
RETIRED = {model: encoding for encoding, models in _RETIRED.items() for model in models.split()}
"""Models of encodings that are not shipped."""

WINDOWS = {
    # OpenAI: platform.openai.com/docs/models; prefixes, longest first where one holds another
    "gpt-5-chat": 128_000,
    "gpt-5": 400_000,
    "gpt-4.5": 128_000,
    "gpt-4.1": 1_047_576,
    **dict.fromkeys(("gpt-4o", "chatgpt-4o", "gpt-4-turbo", "gpt-4-1106", "gpt-4-0125"), 128_000),
    "gpt-4-32k": 32_768,
    "gpt-4": 8_192,
    "gpt-3.5-turbo-instruct": 4_096,
    **dict.fromkeys(("gpt-3.5", "gpt-35"), 16_385),
    "gpt-oss": 131_072,
    **dict.fromkeys(("o1-preview", "o1-mini"), 128_000),
    **dict.fromkeys(("o1", "o3", "o4-mini"), 200_000),
    "text-embedding": 8_192,
    **dict.fromkeys(("davinci-002", "babbage-002"), 16_384),
    # Anthropic: docs.anthropic.com/en/docs/about-claude/models (the standard window, not the long-context option)
    **dict.fromkeys(("claude-instant", "claude-2.0"), 100_000),
    "claude": 200_000,
    # Google: ai.google.dev/gemini-api/docs/models
    **dict.fromkeys(("gemini-1.0", "gemini-pro"), 32_760),
    "gemini-1.5-pro": 2_097_152,
    "gemini": 1_048_576,
}
"""First prefix that fits, and the tokens that the model's context holds."""

FACTORS = {
    "claude": {
        "": (1.0, 2.1), "text": (1.0, 1.6), "markup": (1.0, 1.7), "code": (1.0, 1.8), "diff": (1.0, 1.8),
        "json": (1.0, 1.9), "records": (1.0, 1.9), "log": (1.0, 2.0), "table": (1.0, 2.1), "fasta": (1.0, 2.1),
    },
    "gemini": {
        "": (0.8, 1.9), "text": (0.8, 1.3), "markup": (0.8, 1.4), "code": (0.9, 1.5), "diff": (0.9, 1.5),
        "json": (0.9, 1.6), "records": (0.9, 1.7), "log": (0.9, 1.8), "table": (0.9, 1.9), "fasta": (0.8, 1.9),
    },
}  # fmt: skip
"""Tokens of the family's own, unpublished tokenizer for each o200k token: low and high end, by content type.

The overall ranges are those of the design; the split by type is a judgement within them (digits and identifiers cost
these tokenizers most). Against 58 results in recorded Claude sessions it holds: docs/tokens.md has the figures.
"""


_DEFINED: dict[str, tuple[str | None, int | None]] = {}


def define(model: str, encoding: str | None, limit: int | None) -> None:
    """Make a model known by its exact name for the rest of the process: its encoding, or None for what is known of it
    anyway, and the tokens of its window that may be used."""
    _DEFINED[model] = (encoding, limit)


def tokenizer_of(model: str, encoding: str | None, content_type: str | None) -> Tokenizer:
    """As ``resolve``, of a model that is named and an encoding that is shipped."""
    name = bare(model)
    defined, window = _DEFINED.get(model, (None, None))
    listed = MODELS.get(name) or next((known for prefix, known in PREFIXES.items() if name.startswith(prefix)), None)
    own, limit = defined or listed, window or context_limit(name)  # as tiktoken: the exact name, else the first prefix
    used = encoding or own or DEFAULT
    if own:
        note = "" if used == own else f"counted with {used} as asked; model {model!r} uses {own}"
        return Tokenizer(model, used, used == own, context_limit=limit, note=note)
    for family, factors in FACTORS.items():
        if family in name:
            low, high = factors.get(content_type or "", factors[""])
            note = f"{model!r} has no public tokenizer: counted with {used}, its own is {low} to {high} times that"
            return Tokenizer(model, used, False, low, high, limit, note)
    near = meant(name, MODELS).rstrip()
    why = f"unknown model {model!r}" + (f" ({near})" if near else "")
    if name in RETIRED:
        why = f"model {model!r} uses {RETIRED[name]}, which is not shipped"
    return Tokenizer(model, used, False, context_limit=limit, note=f"{why}: counted with {used}")


def bare(model: str) -> str:
    """The model without its provider: ``openai/gpt-4o`` and ``us.anthropic.claude-…`` in lower case, last part."""
    name = model.strip().lower().rpartition("/")[2]
    for family in FACTORS:
        if family in name:
            return name[name.index(family) :]
    return name


def context_limit(name: str) -> int | None:
    name = name.removeprefix("ft:")
    return next((limit for prefix, limit in WINDOWS.items() if name.startswith(prefix)), None)
