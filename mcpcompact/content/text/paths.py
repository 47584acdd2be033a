"""What is a path, without a regex that could backtrack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from posixpath import commonprefix

from mcpcompact.patterns import regex

KINDS = 6  # of files that are told with their number
_WORD = regex(r"[a-z]{5,}")
_SUFFIX = 12  # characters
_SPACES = 3  # in a path

MOST = 400  # characters; all looks at a line are bounded by it, so no line can be hostile
_BARE = frozenset(
    ("Makefile", "Dockerfile", "LICENSE", "README", "Gemfile", "Rakefile", "Procfile", "Vagrantfile", "Jenkinsfile")
)
_NEVER = frozenset('"<>|*?`\t')


@lru_cache  # most hits repeat the path of the one before
def is_path(text: str) -> bool:
    """A file's or directory's name: a separator or an extension, a letter, no blanks but inside a long name.

    Linear in ``text``; longer than 400 characters is none.
    """
    if not text or len(text) > MOST or text[0] in " \t:-=(" or text[-1] in " .,;:":
        return False
    if not _NEVER.isdisjoint(text) or "://" in text or not any(map(str.isalpha, text)):
        return False
    if text.startswith("//"):  # a target of bazel: //app:tests
        return False
    if ("/" in text or "\\" in text) and " " not in text and ":" not in text:
        return True
    last = text.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem, dot, suffix = last.rpartition(".")
    named = (
        bool(dot)
        and 0 < len(suffix) <= _SUFFIX
        and suffix.replace("_", "").replace("-", "").isalnum()
        and not suffix.isdigit()
    )
    if " " in text:  # a name with blanks must look like a file under a directory
        within = "/" in text.partition(" ")[0] and "/" in text.rpartition(" ")[2]  # blanks of its directories alone
        few = "/" in text and text.count(" ") <= _SPACES
        return few and (named or within) and ": " not in text and ", " not in text
    if ":" in text and text[1:2] != ":":  # a revision before a path: HEAD:src/x.py
        head, _, rest = text.partition(":")
        return bool(head) and ("/" in rest or "." in rest) and is_path(rest)
    return "/" in text or "\\" in text or (named and bool(stem or suffix)) or last in _BARE


def extension(path: str) -> str:
    """``.py`` of ``a/b.py``; the name itself where it has none (``Makefile``, ``.gitignore``)."""
    name = path.rstrip("/").rpartition("/")[2]
    stem, dot, last = name.rpartition(".")
    return f".{last}" if dot and stem else name


def parent(path: str) -> str:
    """The top of a path: its first two directories at most (``packages/core``)."""
    parts = [part for part in path.split("/")[:-1] if part not in ("", ".")]
    return "/".join(parts[:2]) or "."


def base_of(paths: Iterable[str]) -> str:
    """The directory that all paths stand in."""
    return "".join(f"{step}/" for step in commonprefix([path.split("/")[:-1] for path in paths]))


def above(directory: str) -> str:
    """A directory (``/a/b/c/``) without its last step, which names what it is; nothing where it has no more."""
    kept = directory.split("/")[:-2]
    return "/".join([*kept, ""]) if any(kept) else ""


def first(counts: Counter[str], most: int) -> str:
    """Those with the highest counts, and how many others there are."""
    told = [f"{name} {n:,}" for name, n in counts.most_common(most)]
    return " · ".join(told + ([f"{len(counts) - most:,} more"] if len(counts) > most else []))


def words(text: str) -> set[str]:
    """The longer words of a name or a request, in lower case and the singular."""
    return {word.removesuffix("s") for word in _WORD.findall(text.lower())}
