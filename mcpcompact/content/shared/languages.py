"""Languages of source and configuration, by extension and by shape, and what defines something in each."""

# ruff: noqa: E501 - tables and patterns read better whole

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from mcpcompact.patterns import regex

EXTENSIONS = {
    "py": "Python", "pyi": "Python", "pyx": "Python", "js": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript",
    "jsx": "JavaScript", "ts": "TypeScript", "tsx": "TypeScript", "mts": "TypeScript", "cts": "TypeScript",
    "vue": "Vue", "svelte": "Svelte", "go": "Go", "rs": "Rust", "java": "Java", "kt": "Kotlin", "kts": "Kotlin",
    "scala": "Scala", "swift": "Swift", "c": "C", "h": "C", "cc": "C++", "cpp": "C++", "cxx": "C++", "hpp": "C++",
    "hh": "C++", "cs": "C#", "rb": "Ruby", "php": "PHP", "sh": "Shell", "bash": "Shell", "zsh": "Shell", "ps1": "PowerShell",
    "sql": "SQL", "css": "CSS", "scss": "CSS", "less": "CSS", "tf": "Terraform", "tfvars": "Terraform", "hcl": "Terraform",
    "proto": "Protobuf", "graphql": "GraphQL", "gql": "GraphQL", "lua": "Lua", "r": "R", "jl": "Julia", "pl": "Perl",
    "pony": "Pony", "cr": "Crystal", "ml": "OCaml", "fs": "F#", "clj": "Clojure", "sol": "Solidity", "pas": "Pascal",
    "f90": "Fortran", "el": "Emacs Lisp", "groovy": "Groovy", "cmake": "CMake", "cu": "CUDA", "coffee": "CoffeeScript",
    "pm": "Perl", "tcl": "Tcl", "vim": "Vim script", "ac": "Autoconf", "m4": "Autoconf", "hxx": "C++",
    "ex": "Elixir", "exs": "Elixir", "erl": "Erlang", "hs": "Haskell", "dart": "Dart", "zig": "Zig", "nim": "Nim",
    "yaml": "YAML", "yml": "YAML", "toml": "TOML", "ini": "INI", "cfg": "INI", "conf": "configuration", "env": "env file",
    "properties": "properties", "json5": "JSON5", "jsonc": "JSON5", "mk": "Makefile", "gradle": "Gradle", "bzl": "Starlark",
    "md": "Markdown", "mdx": "Markdown", "rst": "reStructuredText", "txt": "text", "json": "JSON", "html": "HTML",
    "xml": "XML", "log": "log", "diff": "diff", "patch": "diff", "lock": "lock file",
}  # fmt: skip
FENCES = ("```", "~~~")  # around source in Markdown
NAMES = {"dockerfile": "Dockerfile", "makefile": "Makefile", "gnumakefile": "Makefile", ".env": "env file",
         "cmakelists.txt": "CMake", "gemfile": "Ruby", "rakefile": "Ruby", "jenkinsfile": "Groovy", ".gitignore": "text", "go.mod": "Go"}  # fmt: skip
_BEGUN = ("dockerfile", "makefile", ".env")  # with which the names of such files begin

CONFIGURATION = frozenset((
    "YAML", "TOML", "INI", "configuration", "properties", "JSON5", "JSON", "Terraform", "SQL", "CSS", "Dockerfile",
    "Makefile", "env file", "lock file",
))  # fmt: skip

OTHERS = frozenset(("Markdown", "reStructuredText", "text", "JSON", "HTML", "XML", "log", "diff", "lock file"))
"""What is no source, though it is named by its path."""

_SHAPES = [(language, held, regex(lines)) for language, held, lines in (
    ("Python", "^def |^async def |^class |^from |^import |^@|^if |^elif ", r"(?:async )?def \w+\(|class \w+[:(]|from [\w.]+ import |import \w[\w.]*(?: as \w+)?$|@\w[\w.]*(?:\(|$)|(?:el)?if .*:$|if __name__"),
    ("Go", "^package |^func |^type | := |^if err", r"package \w+$|func (?:\([^)]*\) )?\w+\(|type \w+ (?:struct|interface)\b|\w+(?:, \w+)* := |if err != nil"),
    ("Rust", "^pub|^fn|^struct|^enum|^trait|^mod|^use|^impl|^let |^#[|^#![", r"(?:pub(?:\([^)]*\))? )?(?:fn|struct|enum|trait|mod|use|impl)\b.*[{;(>]|let (?:mut )?\w+|#!?\["),
    ("TypeScript", "^export |^interface |^type |^enum |^import type |const |let |readonly |private |public |): ", r"(?:export )?(?:interface|type|enum) \w+|.*\b(?:const|let|readonly|private|public) \w+\??: \w|import type |.*\): (?:Promise<|void|string|boolean|number)"),
    ("JavaScript", "^const |^let |^var |^export |^default |^async |^function|^import |=> |^module.exports|require(|^'use strict'|=== |!== ", r"(?:const|let|var) [\w{\[]|(?:export )?(?:default )?(?:async )?function\b|import .* from ['\"]|export |.*=> [{(]|module\.exports|.*\brequire\(['\"]|'use strict'|.*[!=]== "),
    ("C#", "^using |^namespace |{ get;|^public |^private |^internal ", r"using (?:static )?[\w.]+;$|namespace \w[\w.]*[;{]?$|(?:public|private|protected|internal) (?:(?:\w+ )+[\w<>]+.*\{ get;|(?:static |async |virtual |override )*(?:string|bool|decimal|Task(?:<[^>]*>)?|IEnumerable<[^>]*>|readonly [A-Z][\w<>, ]*|sealed (?:class|record)|record)\??(?:\[\])? \w)"),
    ("Kotlin", "^fun |^val |^data class |^object |^companion |^override |^suspend |^private |^internal |^class |^import |^package |^@|^var |^return|^//|^*|^/*", r"(?:(?:private|protected|internal|public|override|suspend|inline|open|operator|abstract|final) )*(?:fun [\w<`(]|(?:data|sealed|enum|annotation|value) (?:class|interface) \w|companion object|object \w+|val \w+(?:: [\w<>?., ]+)?(?: =| by |,?$))|typealias \w+ ="),
    ("Scala", "^def |^val |^object |^trait |^case |^override |^implicit |^private ", r"(?:(?:private|protected|override|implicit|final|sealed|lazy) )*(?:def \w+(?:\[[^\]]*\])?(?:\([^()]*\))*(?:: ?[\w\[][^:=]*)?(?: = .*| =| \{|[\])])$|object \w+|trait \w+(?:\[|$| \{| extends)|case (?:class|object) \w|val \w+.* = \w)"),
    ("Swift", "^func |^let |^var |^guard |^extension |^protocol |^import |^init(|^public |^private |^if |^//|^case |^return |^self.|^@|^struct |^class |^enum |^for |^.|XCT|func ", r"(?:(?:public|private|internal|open|static|final|override|mutating|fileprivate) )*(?:func \w+.*(?:->|\w: ).*\{|init[?!]?\(.*\{$|extension \w+(?:: [\w, ]+)? (?:where .*)?\{$|protocol \w+.*\{$|(?:let|var) \w+: [A-Z\[][^;]*$)|guard .* else \{|if let |import (?:Foundation|UIKit|SwiftUI|Combine|XCTest)$"),
    ("Java", "^public |^private |^protected |^import |^package |^@Override", r"(?:public|private|protected) (?:static |final |abstract |synchronized )*(?:class|interface|enum|void|[\w<>\[\], ]+) \w+|import (?:static )?[\w.]+(?:\.\*)?;$|package [\w.]+;$|@Override"),
    ("C++", "^#include <|^template|^namespace |^using namespace|^class |std::", r"#include <\w+>$|(?:template ?<|namespace \w+ ?\{|using namespace|class \w+ (?:final )?[:{])|.*\bstd::"),
    ("C", "^#|^static |^extern |^int |^void |^char |^unsigned |^struct |^size_t |^typedef ", r"#(?:include|define|ifdef|ifndef|endif|if|pragma)\b|(?:static |extern )?(?:int|void|char|unsigned|struct \w+|size_t) \*?\w+\(|typedef "),
    ("Ruby", "^def |^end|^require|^module |^class |^attr_| do^| do |^# | = |^@|^assert", r"(?:def (?:self\.)?\w+[?!]?(?:\(|$)|end$|require(?:_relative)? ['\"]|module [A-Z]|class [A-Z]\w*(?: <|$)|attr_)"),
    ("Perl", "^my |^our |^sub |^use |^package |^if (|^$|^@|^return |->", r"(?:my|our|local) [$@%(]|sub \w+ ?(?:\{|$)|use (?:strict|warnings|vars|[A-Z]\w*).*;$|no (?:strict|warnings)|package [\w:]+;$|[$@%]\w+.* =|(?:if|unless|elsif|while|foreach|for|\} elsif) ?(?:my )?(?:\$\w+ )?\(.*[$@%]|\w+ .*[$@%]\w.*;$|1;$"),
    ("Tcl", "^proc |^set |^if {|^} else|^namespace |^foreach |^variable |^while {|^return |^test |^bind |^upvar |^global |[", r"proc \S+ \{|set \S+ \S|(?:\} else)?if \{.*\{$|\} else \{$|namespace |foreach \S+ .*\{$|while \{|variable \w|upvar |global \w|lappend |puts |switch |catch \{|return [$\[\"]|package require |test [\w.{\"-]+.*\{$|bind \S+ <|\w+ .*\[\w[^\[\]]* [^\[\]]*\]"),
    ("Vim script", "^let |^call |^end|^fun|^if |^else|^set |^sil|^exe|^hi |^syn |^au |map |^\"", r"let [&gsbwatlv]|call [\w#:]+\(|end(?:if|f|fun|func|function|for|while|try)$|fu(?:n|nc|nction)?!? ?[\w#:<]+\(|[nvixoct]?(?:nore)?map |(?:setl?|setlocal|au|autocmd|aug|augroup|com|command|hi|highlight|syn|syntax|sil|silent|exe|execute|unlet|finish|return)\b!?(?: \S|$)|(?:else)?if .*[\w)'\"]$|else$|\""),
    ("R", "<- |^library(|function(|^#'|%>%|^if (", r"[\w.$\[\]\"']+ <- .|library\(\w+\)|[\w.]+ = function\(|.*%>%$|#'|if \(.*\) \{$|[\w.]+ = (?:NULL|TRUE|FALSE|NA|c\(.*\)),?$|[\w.]+\(.*\)$"),
    ("Haskell", "^module |^import |::|^data |^newtype |^instance |^where|^type |^deriving| = |^{-# |^| |^case ", r"module [A-Z][\w.]*|import +(?:qualified +)?[A-Z][\w.]*|[\w'()., ]+ :: \S|(?:data|newtype|instance|class|type) [A-Z(]|deriving |where$|[a-z][\w']* [^:;{]*= [^;{]*$|\{-# |\| .* = |[A-Za-z(][\w ()']* -> [^;{]*$|\w+ <- "),
    ("Autoconf", "^dnl|AC_|AM_|AS_|m4_|^define(|^])", r"dnl\b|(?:A[CMSHX]|m4|LT|PKG|gl|[A-Z]+)_\w+(?:\(\[|\($|$)|\]\)|\],|(?:define|ifelse|ifdef|divert)\("),
    ("Elixir", "^def|^end|^@|^alias |^use | do^", r"defmodule |defp? \w+.*(?: do|, do: .*)$|def(?:macro|impl|protocol|guard|struct)\b|@(?:doc|moduledoc|impl|spec|type)\b|alias [A-Z]|use [A-Z]|\|> |end$"),
    ("Lua", "^local |^function |^end|then^|do^", r"local (?:function \w|\w+(?:, \w+)* = )|(?:[\w.]+ = )?function(?: [\w.:]+)?\(.*\)$|(?:if|elseif) .* then$|for .* in i?pairs\(.*do$|end[,)]?$"),
    ("Dart", "^import 'dart:|^import 'package:|^final |^@override|^Widget |^Future<", r"import '(?:dart|package):|@override$|final [\w<>?, ]+ \w+(?: = .*)?;$|(?:Future|Stream)<.*> \w+\(|Widget build\(|void main\(\)|(?:mixin|extension) \w+ on \w"),
    ("PHP", "^<?php|^$|^public |^private |^protected |^static |^function |^use |^namespace ", r"<\?php|\$\w+ ?(?:=|->)|(?:public |private |protected )?(?:static )?function \w+\(|use [A-Z]\w*\\|namespace [A-Z]\w*\\"),
    ("Shell", "^#!|^if [|^elif [|^fi|^done|^esac|^then|^echo |^export |^set -|() {|(){|^local ", r"#!.*\b(?:ba|z|k)?sh\b|(?:if|elif) \[|fi$|done$|esac$|then$|echo |export \w+=|set -[eux]|\w+\(\) ?\{|local \w+="),
    ("SQL", "^insert into|^create |^set |^end|^return|^language|^if |^declare |^delimiter|^sql sec|^no sql|^else|^and |^select |^drop |^update |^alter table|^delete from|^begin;|^commit;|^from |^where |^values|^(", r"(?i:insert into|(?:create|drop) (?:or replace )?(?:table|view|index|function|unique|database|schema|definer|operator|procedure|trigger|type|extension)|select .* from|update \w+ set|alter table|delete from|begin;?$|commit;|end(?: if)?;|returns?\b|(?:else)?if .* then\b|else$|declare \w|definer ?=|delimiter|sql security|(?:not )?deterministic$|no sql|use \w+;|end\$|set \w|as$|language \w|as [$\'(]|and \S+ (?:=|<|>|is|in|like) |(?:order|group) by |on \S+ = |from \w+|where |values\b|\(.*\)[,;]$|(?:left |right |inner )?join \w|primary key|[\w\"]+ +(?:text|integer|int|bigint|serial|varchar|char|timestamptz?|datetime|boolean|uuid|jsonb?|numeric|date)\b.*,?$)"),
    ("Terraform", "^resource |^data |^module |^variable |^output |^provider |^locals |^terraform | = ", r"(?:resource|data|module|variable|output|provider|locals|terraform)(?: \"[\w-]+\")* \{|[\w-]+ += (?:\"|\[|\{|var\.|\d|true|false)"),
    ("Dockerfile", "^FROM |^RUN |^COPY |^ADD |^ENV |^ARG |^WORKDIR |^CMD |^ENTRYPOINT |^EXPOSE |^LABEL |^USER |^VOLUME ", r"(?:FROM|RUN|COPY|ADD|ENV|ARG|WORKDIR|CMD|ENTRYPOINT|EXPOSE|LABEL|USER|VOLUME) \S"),
    ("Protobuf", "^syntax|^message |^service |^rpc | = ", r"syntax ?= ?\"proto|message \w+ ?\{|service \w+ ?\{|rpc \w+ ?\(|(?:optional|repeated|required)? ?[\w.]+ \w+ = \d+;"),
    ("GraphQL", "^type |^input |^enum |^interface |^union |^scalar |^query |^mutation |^fragment |^extend type |: ", r"(?:type|input|enum|interface|union|scalar|query|mutation|fragment|extend type) \w+.*\{?$|\w+(?:\(.*\))?: \[?\w+!?\]?!?$"),
    ("CSS", "{^|;^|^@media|^@import|^@font-face|^@keyframes", r"[.#@*:\[]?[\w\-.#:,> *\[\]=\"()]+ ?\{$|[\w-]+: ?[^;{}]+;$|@(?:media|import|font-face|keyframes)"),
    ("Makefile", "", r"[\w./%$()-]+(?: [\w./%$()-]+)*:(?: [^=].*)?$|\.PHONY|\t@?\w|[A-Z_]+ ?[:?+]?= ?"),
    ("TOML", "^[| = ", r"\[\[?[\w.\"-]+\]?\]$|[\w.\"-]+ = (?:\"|'|\[|\{|\d|true|false|-)"),
    ("INI", "^[|=|^; ", r"\[[^\]\"]{1,60}\]$|[\w.-]+ ?= ?[^=\s]|; "),
    ("env file", "=", r"(?:export )?[A-Z_][A-Z0-9_]*=\S*"),
    ("YAML", "^- |:|^---", r"- \S|(?:- )?[\"']?[\w./$@{}*<& -]{1,80}[\"']?:(?: |$)|---$"),
    ("Markdown", "", r"#{1,6} \S|```|[-*] (?:\*\*|\[|[A-Z`\w'-]+ [\w`'’-]+ [\w`'’-]+)|\d+\. |> |!\[|\||\*\*|(?:[\w,'’()`*./:-]+ ){6,}[\w'’).:;!?`*-]+$"),
    ("JSON5", "", r"//|/\*|[\w$]+: |[\"'][\w$]+[\"']: |[{}\[\]],?$"),
)]  # fmt: skip
"""Language, what a line of it holds (one of it; ``^`` begins a line: counted before the pattern is compiled), its lines."""


def by_path(path: str) -> str:
    """The language that a file's name tells, or ''."""
    name = path.rsplit("/", 1)[-1].rsplit("\\", 1)[-1].lower()
    name = next((begun for begun in _BEGUN if name.startswith(begun)), name)
    if name in NAMES:
        return NAMES[name]
    return EXTENSIONS.get(name.rsplit(".", 1)[-1], "") if "." in name else ""


_PROOF = {
    "SQL": regex(r"(?i)(?:create|insert|select|update|alter|drop|delete|with|set|grant|begin|declare|copy|values)\b"),
    "Perl": regex(r"(?:my|our|local) [$@%(].*=|sub \w+ ?(?:\{|$)|use (?:strict|warnings)\b"),
    "Tcl": regex(r"proc \S+ \{|set \S+ \[|(?:\} else)?if \{.*\} \{$|foreach \S+ .*\{$|namespace eval "),
    "Vim script": regex(
        r"let &?[gsbwatlv]:\w|endf(?:un|unc|unction)?$|fu(?:n|nc|nction)?! |syn(?:tax)? (?:match|keyword|region) |hi(?:ghlight)? "
    ),
    "R": regex(r"[\w.]+ <- function\(|library\(\w+\)$|[\w.$]+ <- [\w.]+\("),
    "Haskell": regex(r"module [A-Z][\w.]*(?: \(.*| where)?$|[a-z][\w']* +:: [^=]*$|import +(?:qualified +)[A-Z]"),
    "Autoconf": regex(r"dnl\b|A[CM]_\w+|m4_"),
    "Terraform": regex(r"(?:resource|data|module|variable|output|provider|locals|terraform)(?: \"[\w-]+\")* \{"),
    "GraphQL": regex(
        r"(?:type|input|enum|interface|query|mutation|subscription|fragment|schema|extend)\b.*\{$|union |scalar "
    ),
    "Protobuf": regex(r"(?:message|service|enum|oneof|extend) \w+ ?\{|syntax ?="),
    "CSS": regex(r".*[\w-]\s*: ?[^;{}]+;|@\w"),
    "Elixir": regex(r"defmodule |defp? .* do$|.*\|> \w"),
}
"""A line that the language has and lists of settings have not: their other lines are of a shape that many have."""

_KIN = {
    "C": ("C++", regex(r"template ?<|(?:using )?namespace\b|class \w+[^;]*$|(?:public|private|protected):$|virtual |.*\b(?:std::|static_cast<|nullptr|constexpr)")),
    "JavaScript": ("TypeScript", regex(r".*[\w)?]: (?:string|number|boolean|void|unknown|Promise<|Record<)|.*<string[,>]|import type |(?:export )?interface \w+ .*\{$|.* as (?:[A-Z]\w*|any|const)[;,)]")),
}  # fmt: skip
"""A language that has all that another has, and lines of its own: two of them tell it."""

_DISPROOF = {
    "Haskell": regex(r".*[;{]$"),
    "R": regex(r".*;$"),
    "SQL": regex(r".*[{}\\]$"),
    "TOML": regex(r".*[;{(]$|(?:local|var|let|const|function|return|if|static|end)\b"),
    "CSS": regex(r"(?![\w-]+:\s).*\);$|(?:const|let|var|return|if|for|function|class|while|import|\} else)\b"),
    "INI": regex(
        r".*[({]$|[)}\]]+[,;]?$|(?:async |export |public |private )?(?:def|class|import|from|return|if|for|while|function|const|let)\b"
    ),
    "YAML": regex(r".*\{$|\}[,;]?$|//|.*,(?:\s*//.*)?$|.*(?: \.){3}"),
    "JSON5": regex(r"(?:const|let|var|import|export|function|return|type|class)\s|.*;$"),
}
"""Lines that the language has not: calls and statements; braces and commas of protobuf text and JSON5. A tenth of them may be quoted
text."""

_SIGNED = {
    "Python": (
        regex(r"import \w[\w.]*(?: as \w+)?$|from [\w.]+ import |def \w+\("),
        regex(r"\w+ = .|# |'[^']*': .*,$|\(r?'.*\),$"),
    ),
    "C#": (
        regex(r"using (?:static )?[\w.]+;$|namespace \w[\w.]*[;{]?$|.*\{ get;"),
        regex(r"(?:public|private|protected|internal) .*\w|///|\[[A-Z]\w*[\](]"),
    ),
    "Kotlin": (
        regex(r"(?:\w+ )*fun [\w<`(]|data class |companion object"),
        regex(r"import [\w.*]+$|package [\w.]+$|@\w|va[lr] \w|return\b|//|/?\*"),
    ),
    "Swift": (
        regex(
            r"(?:\w+ )*func \w+.*->.*\{|guard .* else|(?:@testable )?import (?:Foundation|UIKit|SwiftUI|Combine|XCTest)$"
        ),
        regex(
            r"(?:let|var|case|return|if|for|import|struct|class|enum|extension|func|init|\w+ func) ?\w|//|@\w|\.\w|XCT|self\."
        ),
    ),
    "Ruby": (
        regex(
            r"(?:module|class) [A-Z]\w*(?: < .*)?$|require(?:_relative)? ['\"]|def (?:self\.)?\w+[?!]?$|(?:describe|it|test) .* do$"
        ),
        regex(r".* do(?: \|[^|]*\|)?$|# |\w+ = .|@\w+ |assert"),
    ),
}
"""Lines by which the language is known, and lines of its own that count where one of these stands."""


def _proven(language: str, asked: Sequence[str], tabbed: bool) -> bool:
    proof, disproof = _PROOF.get(language), _DISPROOF.get(language)
    if proof is not None and not any(map(proof.match, asked)):
        return False
    if language == "Makefile" and not tabbed:
        return False
    if language == "JSON5" and asked[0][0] not in "{[/":
        return False
    return disproof is None or sum(1 for s in asked if disproof.match(s)) <= len(asked) // 10


_RUNS = (("python", "Python"), ("node", "JavaScript"), ("ruby", "Ruby"), ("perl", "Perl"), ("sh", "Shell"))
_ENDED = ("Ruby", "Elixir", "Lua")  # no text of these lacks a line that ends a block
_SVELTE = ("{#if ", "{#each ", "{@html ", "\nexport let ", "\n$: ")
ASKED, WIDTH = 300, 160  # lines, and characters of each
RUN = 0.9  # share where the first line names the language
MIN = 0.06  # of the lines, weighed, that must look so
_WEIGHTS = {
    **dict.fromkeys(("JSON5", "Makefile"), 0.35),
    **dict.fromkeys(("YAML", "CSS", "INI", "env file", "GraphQL", "Markdown"), 0.55),
    **dict.fromkeys(("Python", "Go", "Rust", "C", "C++", "C#", "Java", "TypeScript", "PHP", "Ruby"), 1.6),
    **dict.fromkeys(("Kotlin", "Scala", "Swift", "Elixir", "Lua", "Dart", "Perl", "R", "Haskell", "Autoconf"), 1.6),
}
"""Below 1: lines of a shape that many lines have, so everything must fit. Above: what a few lines of it prove."""


_BLOCK = regex(r"(/\*)|(\{-(?!#))|(@\w*doc (?:~[sS])?\"\"\")|=(?:pod|head\d|over|item|encoding|for)\b")
_BLOCK_ENDS = {1: "*/", 2: "-}", 3: '"""', None: "=cut"}
_ASIDE = regex(r"//|--(?:[ |-]|$)|dnl\b|#'")
_HASHED = regex(r"#+(?:\s|$)")


_SCALAR = regex(r"(\s*(?:- +)*)(?:[\w.\"'$/@-][^#|>]{0,80}:|-) +[|>][+-]?\d?[+-]?$")


def commented(lines: Sequence[str]) -> list[bool]:
    """Which lines stand in a comment whatever the language: in a block of them, behind a sign that begins nothing else,
    and behind ``#`` in several lines one below the other. What they say is of no language."""
    last = {end: max((i for i, line in enumerate(lines) if end in line), default=-1) for end in _BLOCK_ENDS.values()}
    hashed = [line.lstrip()[:1] == "#" and _HASHED.match(line.lstrip()) is not None for line in lines]
    aside, within, quoted = list[bool](), _begun_above(lines), scalars(lines)
    for i, s in enumerate(map(str.lstrip, lines)):
        if quoted[i]:
            aside.append(True)
            continue
        opened = _BLOCK.match(s) if not within and s[:1] in ("/", "{", "=", "@") else None
        end = _BLOCK_ENDS[opened.lastindex] if opened else within
        if end and (end == "=cut" or last[end] >= i):
            aside.append(True)
            within = "" if end in s[opened.end() if opened else 0 :] else end
        else:
            beside = hashed[i] and any(hashed[max(0, i - 1) : i] + hashed[i + 1 : i + 2])
            aside.append(beside or (s[:1] in ("/", "-", "d", "#") and _ASIDE.match(s) is not None))
    return aside


def scalars(lines: Sequence[str]) -> list[bool]:
    """Which lines stand within a block scalar of YAML (``run: |``): a text of any kind, a script, a licence."""
    inside, above = list[bool](), -1
    for line in lines:
        columns = len(line) - len(line.lstrip(" "))
        above = -1 if columns <= above and line.strip() else above
        inside.append(above >= 0)
        if above < 0 and line.rstrip()[-4:].strip("+-0123456789")[-1:] in ("|", ">") and (begun := _SCALAR.match(line)):
            above = begun.end(1)
    return inside


def _begun_above(lines: Sequence[str]) -> str:
    """What ends the block comment in which the first lines stand, '' where they stand in none."""
    first = next((i for i, line in enumerate(lines[:ASKED]) if "*/" in line or "/*" in line), 0)
    stars = all(line.lstrip()[:1] in ("*", "") for line in lines[: first + 1])
    return "*/" if lines and stars and "*/" in lines[first] else ""


def by_shape(lines: Sequence[str], among: tuple[str, ...] = ()) -> tuple[str, float]:
    """The language (``among`` these) whose lines these look like most, and the share of lines that look so. At most 300
    are asked."""
    own = (line.strip() for line, aside in zip(lines, commented(lines), strict=True) if not aside)
    asked = [s[:WIDTH] for s in own if len(s) > 1][:ASKED]
    return _by_shape(tuple(asked), any(line.startswith("\t") for line in lines), among) if asked else ("", 0.0)


@functools.lru_cache(maxsize=2)  # whether it is source is asked first, then of which language
def _by_shape(asked: Sequence[str], tabbed: bool, among: tuple[str, ...]) -> tuple[str, float]:
    text = "\n".join(["", *asked, ""])
    if stated := _stated(asked[0], text):
        return stated, RUN
    best, most = "", 0.0
    low = text.lower()  # as SQL is written too
    for language, held, pattern in _SHAPES:
        weight = _WEIGHTS.get(language, 1.0)
        if (among and language not in among) or weight <= most or (language in _ENDED and "\nend" not in text):
            continue
        count = (low if language == "SQL" else text).count
        if held and sum(map(count, held.replace("^", "\n").split("|"))) * weight <= most * len(asked):
            continue
        match = pattern.match
        share = sum(1 for s in asked if match(s)) / len(asked)
        if share * max(1, weight) > most and not _proven(language, asked, tabbed):
            continue
        signs = _SIGNED.get(language)
        if signs and any(map(signs[0].match, asked)):
            share += sum(1 for s in asked if signs[1].match(s) and not match(s)) / len(asked)
        share *= weight
        if share > most + 1e-9:
            best, most = language, share
    kin, own = _KIN.get(best, ("", None))
    if own is not None and sum(1 for s in asked if own.match(s)) > 1:
        best = kin
    return (best, most) if most >= MIN else ("", most)


def unweighed(language: str, known: float) -> float:
    """The share of the lines that are of the language, of what ``by_shape`` says."""
    return known / _WEIGHTS.get(language, 1.0)


def _stated(first: str, text: str) -> str:
    """The language that the first line names: what runs it, PHP's tag, a part of a component in one file."""
    if first.startswith("#!"):
        return next((language for mark, language in _RUNS if mark in first), "")
    if first.startswith(("<template", "<script")) and ("\n<script" in text or "\n<template" in text):
        return "Vue" if "\n<template" in text else "Svelte" if any(map(text.__contains__, _SVELTE)) else ""
    return "PHP" if first.startswith("<?php") else ""


_MODIFIERS = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|virtual"
    r"|sealed|partial|pub(?:\([^)]*\))?|unsafe|inline|readonly|suspend|open|data|extern|synchronized|local|case|implicit|mutating|fileprivate|operator|infix|inner|annotation)\s+)*"
)
_KEYWORDS = {
    "Python": "def class",
    "JavaScript": "class function function\\* interface type enum namespace abstract\\sclass",
    "Go": "func type",
    "Rust": "fn struct enum trait impl mod type macro_rules! union const\\sfn",
    "Java": "class interface enum record @interface",
    "Kotlin": "class interface object fun enum\\sclass data\\sclass value\\sclass typealias",
    "Scala": "class trait object def type",
    "Swift": "class\\sfunc class\\svar class struct enum protocol extension actor func typealias",
    "C++": "class struct enum\\sclass enum union namespace typedef\\sstruct typedef\\senum",
    "C": "typedef\\sstruct typedef\\senum typedef\\sunion struct enum union typedef",
    "C#": "class interface enum record struct namespace",
    "Ruby": "def class module",
    "PHP": "class interface trait function enum namespace",
    "Shell": "function",
    "Lua": "function",
    "Elixir": "def defp defmodule defmacro defmacrop defprotocol defimpl defguard",
    "Protobuf": "message service enum rpc oneof",
    "GraphQL": "type input enum interface union scalar query mutation fragment extend\\stype",
    "Terraform": "resource data module variable output provider locals terraform",
    "Dart": "class mixin enum extension",
    "PowerShell": "function class",
    "Perl": "sub package",
    "Julia": "function struct module macro",
    "Haskell": "data newtype class type instance module",
    "Zig": "fn",
    "Nim": "proc func type template",
    "Pony": "class actor primitive trait interface struct type be (?:fun|new)(?:\\s(?:box|iso|ref|tag|trn|val))?",
}
_OTHER = {
    "JavaScript": (
        r"(?:export\s+(?:default\s+)?)?(?:const|let|var)\s+(?P<b>[\w$]+)(?P<top>)"
        r"|(?P<field>(?:(?:public|private|protected|static|readonly)\s+)*[\w$#]+)(?::[^=]+)?\s=\s(?:async\s)?(?:\([^()]*\)|\w+)(?::[^=]+)?\s=>"
        r"|(?P<modifier>(?:public|private|protected|static|async|get|set|override|readonly)\s+)*(?!(?:if|for|while|switch|catch|return|function|await|else|do|with|super)\b)(?!.*(?:=>|\bfunction\b.*)\s*\{\s*$)(?P<c>[\w$#]+)\s*(?:<[^>]*>)?(?:\((?:[^;]*|(?:[^;{]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*)(?(modifier)\)?|\))\s*(?::(?:[^;{}]|\{[^{}]{0,120}\}){1,120})?\{\s*$|(?(modifier)\(\s*$|(?<=\bconstructor)\((?:[^;]*,)?\s*$))"
    ),
    "Go": r"(?:const|var)\s+(?:(?P<b>\w+)\b|\((?=$))(?P<top>)",
    "Rust": r"(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?P<b>\w+):(?P<top>)",
    "Python": r"(?P<b>[A-Z][A-Z0-9_]{2,}|[a-z]\w+(?=\s*=\s*(?!logging\.)[\w.]+\())\s*(?::[^=]{1,60})?=(?!=)(?P<top>)",
    "Java": r"(?![&*|]|(?:return|new|else|throw|case|if|for|while|switch|catch|using|await|yield|import|package)\b)(?:[\w<>\[\],.?@&*:]+\s+){1,6}[*&]?(?P<c>[\w~:$<>]+)\s*\([^;]*$",
    "Swift": r"(?:(?:public|private|override|required|convenience|static)\s+)*(?P<c>init|deinit|subscript)[?!]?\s*[({<]"
    + rf"|(?:@\w+\s+)?{_MODIFIERS}var\s+(?P<b>\w+)\s*:[^={{]+\{{$",  # a property with a body
    "R": r"(?P<c>[\w.]+|`[^`]+`)\s*(?:<-|=)\s*(?:function\b|\w*Class\(|ggproto\()",
    "Haskell": r"(?P<c>[a-z_][\w']*)\s*::(?P<top>)",
    "HTML": r"(?:async\s+)?function\s+(?P<c>[\w$]+)\s*\(",
    "Tcl": r"proc\s+(?P<c>[\w:.*-]+)\s",
    "Vim script": r"fu(?:n|nc|nction)?!?\s+(?P<c>[\w#:<>.]+)\s*\(",
    "Autoconf": r"(?:A[CU]_DEFUN|m4_define|AC_ARG_(?:ENABLE|WITH|VAR))\(\[?(?P<c>[\w-]+)(?P<top>)",
    "Elixir": r"@(?:macro)?callback\s+(?P<c>\w+[?!]?)",
    "Lua": r"(?P<c>[\w.:]+)\s*=\s*function\b",
    "Shell": r"(?P<c>[\w:-]+)\s*\(\)\s*\{?",
    "SQL": r"(?i:create\s+(?:or\s+replace\s+)?(?:definer\s*=\s*\S+\s+)?(?:unique\s+|temp\w*\s+)?(?:table|view|materialized view|sequence|extension|index|function|procedure|trigger|type|schema|database)\s+(?:if not exists\s+)?(?P<c>[\w.\"`]+)|(?:alter\s+table|view)\s+(?P<b>[\w.\"`]+)|(?:(?:.*\s)?with\s+(?:recursive\s+)?)?(?P<a>[\w\"`]+)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(\s*$)",
    "CSS": r"(?![\w-]+:\s)(?P<c>[.#@:*\[a-zA-Z][^{};]{0,150}?)\s*(?:\{|,$)",
    "Makefile": r"(?!\.[A-Z]+\b)(?P<c>[\w./%$()-]+)\s*:(?!=)(?P<top>)",
    "Dockerfile": r"(?i:from)\s+(?P<c>\S+(?:\s+(?i:as)\s+\S+)?)",
    "TOML": r"\[+(?P<c>[^\]]+)\]+\s*(?:#.*)?$",
    "Markdown": r"#{1,6}\s+(?P<c>.{1,80})",
    "YAML": r"[\"']?(?P<c>[\w./-]+)[\"']?:\s*(?:#.*)?$(?P<top>)",
}
_OTHER["C#"] = (
    rf"{_OTHER['Java']}|(?:(?:public|private|protected|internal|static|virtual|override|abstract|readonly)\s+)+"
    r"[\w<>\[\],.?]+\s+(?P<b>\w+)\s*(?:=>|\{?$)"  # a property with a body
)
_LIKE = {
    "TypeScript": "JavaScript", "Vue": "JavaScript", "Svelte": "JavaScript", "C": "Java", "C++": "Java", "Dart": "Java",
    "Groovy": "Java", "Gradle": "Kotlin", "Starlark": "Python", "INI": "TOML", "configuration": "TOML",
}  # fmt: skip
"""Whose keywords and other definitions a language has that names none of its own."""


_EXPORTED = r"(?:(?:[A-Z][A-Z\d]*_\w*|__\w+|alignas)(?:\([^()]*\))?\s+(?=\w))?"  # between the keyword and a name in C
_GENERIC = r"<(?:[^<>]|<[^<>]*>)*>"  # before a name: its parameters; behind that of a receiver, as of Kotlin
_FORWARD = r"(?!(?:class|struct|union|enum)\s[^{(]*;)"  # declares what is defined elsewhere
_TYPEDEF = r"typedef\s(?:[^;({]*\(\s*\*\s*|[^;(){}]*?)(?P<b>\w+)(?=\s*\)\s*\(|\s*(?:\[\w*\])*\s*;)"


@functools.cache
def definition(language: str) -> re.Pattern[str] | None:
    """What starts a definition at the head of a stripped line: ``k`` its keyword, ``a``/``b``/``c`` its name. An empty
    group ``top`` marks alternatives that count at the outermost level only."""
    related = language in ("C", "C++")
    keywords, other = (table.get(language) or table.get(_LIKE.get(language, ""), "") for table in (_KEYWORDS, _OTHER))
    if not (keywords or other or language in CONFIGURATION | OTHERS):  # the words that most languages share
        keywords = "def class func function fn interface struct enum trait impl module namespace"
    keyed = ""
    if keywords:
        keyed = (
            rf"{_MODIFIERS}(?P<k>{'|'.join(keywords.split())})(?![\w-]|\s*[:?,.;)]|\s*=(?!=))\s*"  # type: a key
            rf"{_EXPORTED if related else ''}(?:\([^)]*\)\s*|{_GENERIC}\s*)?(?:[\w.]+{_GENERIC}\??\.)?(?P<a>(?:\"[\w.-]+\"\s*){{1,3}}|[\w$.:~?!]+(?:\s+for\s+\w+)?|`[^`]+`)?"
        )
    keyed = f"{_TYPEDEF}|{_FORWARD}{keyed}" if related else keyed
    return re.compile("|".join(filter(None, (keyed, other)))) if keyed or other else None


_MACRO = regex(r"(?P<macro>[A-Z][A-Z\d_]{2,}) ?\((?:(?P<a>\w+)|[^()]*)\)[ ;{]*$")
_BODY = (") {", "){")
_PROTOTYPE = regex(
    r"\s*(?!return\b|typedef\b|else\b)(?:[A-Za-z_]\w*[\s*]+){1,6}(?P<a>\w+)\s*\([^;{}()\"]*(?:\([^()]*\)[^;{}()\"]*)*(?:\);|,)\s*$"
)
_TYPED, _BELOW = regex(r"(?:[A-Za-z_]\w*[\s*]+)*[A-Za-z_]\w*[\s*]*$"), regex(r"(?P<a>[a-z_]\w*) ?\((?!.*;)")
# what a function returns and, outermost below it, the function
_DEFINE = regex(
    r"\s*#\s*define\s+(?P<a>\w+)(?:\([^()]*\))?\s+(?!\w*(?P=a)\b)[^\s/]"
)  # a constant, a macro; not what only tells that it is


def by_macro(lines: Sequence[str]) -> dict[int, re.Match[str]]:
    """Of C and its kin the lines that define something by a macro, as in ``TEST(Suite, Name) {`` and ``DEF(rule);``:
    one that stands outermost again and again, each time for something else and above lines of its own."""
    matches: dict[int, re.Match[str]] = {}
    heads: dict[str, set[str]] = {}
    own = [i for i, line in enumerate(lines) if line.strip() and line[0] != "{"]
    for i, below, further in zip(own, own[1:], [*own[2:], *own[-1:]], strict=False):
        goes_on = lines[i].endswith(",") and lines[i][0].isupper()  # its arguments stand in two lines
        match = _MACRO.match(f"{lines[i]} {lines[below].strip()}" if goes_on else lines[i].rstrip())
        if match and lines[further if goes_on else below][0].isspace():
            matches[i] = match
            heads.setdefault(match["macro"], set()).add(match[0])
    header = not any(line[:1] not in (" ", "\t", "#") and line.rstrip().endswith(_BODY) for line in lines)
    matches = {i: match for i, match in matches.items() if len(heads[match["macro"]]) > 1}
    outer = [i for i, line in enumerate(lines if header else ()) if not (matches and line[:1].isspace())]  # in no body
    own = [i for i in outer if "#" in lines[i] or lines[i].rstrip().endswith((");", ","))]
    defined = {i: match for i in own if (match := _DEFINE.match(lines[i]) or _PROTOTYPE.match(lines[i]))}
    typed = (i for i, line in enumerate(lines[:-1]) if _TYPED.match(line) and line.strip() not in ("else", "do"))
    defined |= {i + 1: match for i in typed if (match := _BELOW.match(lines[i + 1]))}
    return matches | defined


def named(match: re.Match[str]) -> str:
    """The name that a match of ``definition`` defines, '' for none."""
    groups = match.groupdict("")
    return (
        groups.get("a")
        or groups.get("b")
        or groups.get("c")
        or groups.get("field", "").split(" ")[-1]
        or match[0].rstrip(" ;{") * ("macro" in groups)
    )


OWN_COMMENTS = {
    "Vim script": regex(r"\""),
    "Autoconf": regex(r"dnl\b"),
    "Perl": regex(r"=\w"),
    "Haskell": regex(r"\{-(?!#)"),
    "SQL": regex(r"--"),
    "Lua": regex(r"--"),
}
"""What begins a comment in these languages alone."""
IMPORT = regex(
    r"(?:import\b|from\s+[\w.]+\s+import\b|#\s*include\b|using\s+[\w.:=\s]+;|use\s+[\w:\\{]|require(?:_relative|_once)?\b|package\s+[\w.]+;?$"
    r"|extern\s+crate|source\s+\S|(?:export\s+)?(?:\*|\{[^}]*\}|type\s+\{[^}]*\})\s+from\b|export\s+(?:\*|\{)|\}\s+from\s+['\"]"
    r"|(?:const|let|var)\s+[^=]{1,80}=\s*require\()"
)
COMMENTS = "/*#-<;%'\""  # signs that a comment begins with
COMMENT = regex(
    r"(?://|/\*|\*{1,2}(?:\s|/|$)|#(?!\s*(?:include|define|if|ifdef|ifndef|else|elif|endif|pragma|undef|error)\b|\[|!\[)|--(?:\s|$)|<!--|;(?:\s|;)|%%|'''|\"\"\")"
)
TEST = regex(
    r"(?:await\s+)?(?:it|test|describe|suite|context|specify|t\.Run|test_that)"
    r"(?:\.(?:only|skip\w*|each|for|todo|fail\w+|concurrent|sequential|serial|parallel|describe|step|runIf|fixme|live))*"
    r"(?:\([^()]*\))?\((?=\s*(?:[\"'`]|$))"
    r"|\]?\)\((?=[\"'`])"  # behind the cases of a test, which stand above
    r"|test (?=[{\"].*\{$)"
    r"|(?:RSpec\.)?(?:it|test|describe|context|specify|scenario|feature|namespace|task|get|post|put|patch|delete|scope|schema)"
    r"[ (](?=.*\bdo(?: \|.*\|)?$)"
)  # begins a test, a group of them, or what else a title names
_TITLE = regex(r"\s*(?:(?P<q>[\"'`])(?P<a>(?:\\.|(?!(?P=q)).)+)|\{(?P<c>[^}]+)|:?(?P<b>\w[\w:/.]*\w))")


def titled(head: str, below: str) -> str:
    """The title of what a line begins, in it or in the line below, '' of what has none."""
    test = TEST.match(head)
    text = (head[test.end() :] or below) if test else ""
    title = _TITLE.match(text)
    return named(title).strip() if title and (text is not below or title["q"]) else ""
