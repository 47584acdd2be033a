"""Which language source is of: by its statements, not by what its comments say, and by the path that the call names."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import pytest

from mcpcompact import compact
from mcpcompact.content.code import TYPE
from mcpcompact.content.detect import detect
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Source

PROSE = "the rope that a winch pulls is as long as the quay from one bollard to the next, and no longer"
"""What a comment says."""


def outline(text: str, **hints: object) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints(**hints))  # type: ignore[arg-type]


def detected(text: str) -> tuple[str, str]:
    source = Source.of_text(text)
    said = TYPE.outline(source, Hints()).facts[0].text.partition(" of ")[2]
    return detect(source).content_type, said.partition(", ending in ")[0]


C = f"/* {PROSE}\n * {PROSE}\n   {PROSE} */\nstatic int pull{{n}}(struct rope *r, size_t by) {{{{\n    r->length -= by;\n    return r->length;\n}}}}\n"
GO = f"// pull{{n}} says that {PROSE}.\n// {PROSE}\nfunc pull{{n}}(r *rope) error {{{{\n\tif err := r.Pull(); err != nil {{{{\n\t\treturn err\n\t}}}}\n\treturn nil\n}}}}\n"
PROTO = f"// {PROSE}\n// {PROSE}\nmessage Rope{{n}} {{{{\n  // {PROSE}\n  string name = 1;\n  // {PROSE}\n  int32 length = 2;\n}}}}\n"
TCL = "# pull the rope in\nproc pull{n} {{rope by}} {{\n    set length [expr {{[length $rope] - $by}}]\n    if {{$length < 0}} {{\n        return [slack $rope]\n    }}\n    return $length\n}}\n"
PERL = f"=head2 pull{{n}}\n\n{PROSE}, and\n{PROSE}\n\n=cut\n\nsub pull{{n}} {{{{\n    my ($rope, $by) = @_;\n    $rope->{{{{length}}}} -= $by;\n    return $rope;\n}}}}\n"
VIM = '" Pull the rope: what it says\nfun! s:Pull{n}(rope)\n  let l:length= a:rope.length\n  if l:length > 3\n   call s:Slack(a:rope)\n  endif\n  return l:length\nendfun\n'
R = f"#' {PROSE}\n#' @param rope {PROSE}\npull{{n}} <- function(rope, by = NULL) {{{{\n  length <- rope_length(rope)\n  if (is.null(by)) {{{{\n    by <- 1\n  }}}}\n  length - by\n}}}}\n"
HASKELL = f"-- | {PROSE}\n-- {PROSE}\npull{{n}} :: Rope -> Int -> Rope\npull{{n}} rope by\n  | by > 3 = slack rope\n  | otherwise = rope {{{{ len = len rope - by }}}}\n"
AUTOCONF = 'dnl Look for the winch.\nAC_ARG_ENABLE([winch{n}],\n  [AS_HELP_STRING([--enable-winch{n}], [pull ropes])],\n  [enable_winch=yes],\n)\nAC_SUBST([enable_winch])\nif test "x$enable_winch" = "xyes" ; then\n  AC_DEFINE([WINCH{n}], [ ])\nfi\n'
CPP = "// the ropes\nclass HARBOUR_API Rope{n} : public Line\n{{\npublic:\n    virtual ~Rope{n}() {{}}\n    int pull(int by) const {{\n        return length - by;\n    }}\n}};\n"
SQL = f"-- {PROSE}\n--\nCREATE DEFINER='pier'@'localhost' FUNCTION pull{{n}} (by INT)\n    RETURNS INT\nBEGIN\n  IF by IS NULL THEN RETURN 0;\n  END IF;\n  SELECT length INTO @l FROM ropes WHERE id = by;\nEND$$\n"
PYTHON = "    # further ropes of this quay\n    'ROPE{n}': knots.Bowline,\n    'LINE{n}': knots.Hitch,\n    (r'rope{n}\\s+', knots.Splice),\n"


@pytest.mark.parametrize(
    ("language", "head", "part", "named"),
    [
        ("C", "", C, "pull7"),
        ("Go", "package harbour\n\n", GO, "pull7"),
        ("Protobuf", 'syntax = "proto3";\n', PROTO, "Rope7"),
        ("Tcl", "", TCL, "pull7"),
        ("Perl", "package Harbour;\n\nuse strict;\n", PERL, "pull7"),
        ("Vim script", "", VIM, "s:Pull7"),
        ("R", "", R, "pull7"),
        ("Haskell", "module Harbour where\n\nimport qualified Data.Map as M\n", HASKELL, "pull7"),
        ("Autoconf", "", AUTOCONF, "winch7"),
        ("C++", "#include <rope>\n", CPP, "Rope7"),
        ("SQL", "", SQL, "pull7"),
        ("Python", "from harbour import knots\n\nROPES = {\n", PYTHON, ""),
    ],
)
def test_a_language_is_told_by_its_statements_whatever_comments_say(
    language: str, head: str, part: str, named: str
) -> None:
    text = head + "\n".join(part.format(n=n) for n in range(40)) + "\n"
    assert detected(text) == ("code", language)
    if named:
        assert named in outline(text).names.values() or f"{named}," in outline(text).facts[1].text


def test_settings_without_a_sign_are_configuration_though_comments_speak_of_errors() -> None:
    parts = [
        f"# {PROSE}.\n#{' WARNING:' * (n % 9 == 3)} an error of the winch {n} is fatal, and a failed pull\n"
        f"# kills the rope.\n\nwinch-{n}-speed {n}\n"
        for n in range(60)
    ]
    assert detected("\n".join(parts)) == ("code", "configuration")
    metrics = "\n".join(f"# HELP ropes_{n} Ropes.\n# TYPE ropes_{n} gauge\nropes_{n} {n}" for n in range(60))
    assert detect(Source.of_text(metrics)).content_type != "code"


def test_the_path_of_a_call_decides_the_language_unless_the_result_is_something_else() -> None:
    quays = "\n".join(f"quay {n} of {n}\nrope {n}\n" for n in range(200))
    said = "\n".join(f"The winch {n} pulls {PROSE}, which nobody had said before it did." for n in range(60))
    stamps = "\n".join(f"2026-03-0{n % 9 + 1} 10:00:{n % 60:02} ERROR winch {n} has no rope" for n in range(90))
    for arguments in ({"file_path": "/pier/quays.tcl"}, {"command": "cat quays.tcl"}):
        for text, expected in ((quays, "code"), (said, "text"), (stamps, "log")):
            made = compact(text, budget=300, threshold=0, tool="Read", arguments=arguments)
            assert made.content_type == expected
    assert "of Tcl" in compact(quays, budget=300, threshold=0, arguments={"file_path": "/pier/quays.tcl"}).text
    run = compact(quays, budget=300, threshold=0, arguments={"command": "tclsh quays.tcl && cat quays.tcl"})
    assert run.content_type != "code"  # what it prints is anything


def test_a_list_and_a_link_here_and_there_are_no_markdown() -> None:
    entry = "rope (1.{n}-2) unstable; urgency=medium\n\n  * Pull <https://pier.example/{n}> no longer.\n{prose}    and `winch`.\n\n -- Augusta Ada Lovelace-Babbage <augusta.ada.lovelace@harbour.pier.example>  Mon, 0{d} Mar 2026 10:00:00 +0100\n"
    few = "\n".join(
        entry.format(n=n, d=n % 9 + 1, prose=f"  * {PROSE}\n" * 9)
        .replace("`", "`" * (n % 9 == 0))
        .replace("<https", "https" if n % 9 else "<https")
        for n in range(80)
    )
    assert detect(Source.of_text(few)).content_type == "text"
    reply = "\n".join(f"- **winch {n}** is [here](https://pier.example/{n}), see `rope.py`\n" for n in range(12))
    assert detect(Source.of_text(reply)).content_type == "markup"


def test_the_page_of_a_manual_is_no_output_of_a_run() -> None:
    option = "     \x1b[1m--winch-{n}\x1b[m=\x1b[4mROPE\x1b[m\n        The rope. An error of it is fatal, and it failed\n        before: error: no rope at pier.c:{n}: error\n"
    page = (
        "\x1b[m\x1b[1mNAME\x1b[m\n    pier - pull\n\n\x1b[m\x1b[1mSYNOPSIS\x1b[m\n    \x1b[1mpier\x1b[m\n\n"
        + "\n".join(option.format(n=n) for n in range(60))
    )
    assert detect(Source.of_text(page)).content_type == "text"


def test_typedefs_have_their_own_names_and_forward_declarations_define_nothing() -> None:
    text = (
        "class Winch;\nstruct rope;\n\ntypedef long long span_t;\ntypedef size_t (*pull_fn)(void *rope, int by);\n"
        "typedef void *(*coil_fn)(void);\n\nclass PIER_API Winch : public Line\n{\npublic:\n    int pull(int by) const {\n"
        "        return by;\n    }\n};\n\nint reel(struct rope *r)\n{\n    return 0;\n}\n"
    )
    names = outline(text, arguments={"file_path": "winch.h"}).names
    assert names == {4: "span_t", 5: "pull_fn", 6: "coil_fn", 8: "Winch", 11: "pull", 16: "reel"}


def test_a_name_that_is_asked_for_is_shown_where_it_is_defined_with_its_body() -> None:
    others = "\n".join(
        f"int reel{n}(int by)\n{{\n    pier.notify(by, {n});\n    return by + {n};\n}}\n" for n in range(60)
    )
    winch = "class PIER_API Winch : public Line\n{\npublic:\n    void pull(int by);\n    void slack();\n};\n"
    text = f"#include <line>\n\nclass Winch;\n\n{others}\n{winch}\nstatic Winch *spare;\n"
    shown = compact(text, budget=300, threshold=0, focus="Winch", arguments={"file_path": "a.hpp"}).text
    assert "void slack();" in shown
    shell = "\n".join(f'_reel{n} ()\n{{\n\techo "$rope" >&{n}\n}}\n' for n in range(80))
    made = compact(
        f'#!/bin/bash\n\n{shell}\n_pull ()\n{{\n\tlocal by=3\n\twinch --by "$by"\n}}\n',
        budget=300,
        threshold=0,
        focus="_pull",
    )
    assert 'winch --by "$by"' in made.text


def test_the_body_behind_a_brace_of_its_own_stands_under_its_signature() -> None:
    methods = "\n".join(
        f"    public static function reel{n}(Rope $rope, int $by): int\n    {{\n        $pier = self::pier($rope);\n\n        return $pier->pull($by, {n});\n    }}\n"
        for n in range(40)
    )
    made = outline(f"<?php\n\nfinal class Winch\n{{\n{methods}}}\n")
    at = {item.start: item for item in made.items}
    assert at[7].under == 5 and at[9].under == 5 and at[5].under == 3
    assert not any(item.text.lstrip("0123456789 ").startswith("{") and "\n" in item.text for item in made.items)
    shown = compact(f"<?php\n\nfinal class Winch\n{{\n{methods}}}\n", budget=400, threshold=0).text
    assert "{ …" not in shown and "function reel" in shown


def test_arguments_recipes_and_statements_are_no_repeated_keys() -> None:
    recipes = "".join(
        f"\nrope{n}: rope{n}.c\n\t$(MAKE) MALLOC=libc rope{n}\n\t$(MAKE) MALLOC=jemalloc\n" for n in range(20)
    )
    views = "\n".join(
        f"CREATE VIEW rope{n} AS\nSELECT length AS l,\n  by = 3 AS b\nFROM ropes{n};\n" for n in range(30)
    )
    for text, path in ((f"PIER := 3\nQUAY := 4\n{recipes}", "Makefile"), (views, "ropes.sql")):
        assert "repeated keys" not in "".join(fact.text for fact in outline(text, arguments={"path": path}).facts)


def test_constants_are_no_signatures() -> None:
    functions = "\n\n".join(f"def pull{n}(rope):\n    return rope - {n}" for n in range(5))
    assert outline(functions).parts == {"signatures": 5}
    assert outline(f"{functions}\n\nFILTERS = {{\n    'a': pull1,\n}}\n").parts == {"signatures": 5}


def test_calls_of_an_object_that_is_named_as_tests_are_are_no_titles() -> None:
    calls = "".join(f"    context.append('pull {n}')\n" for n in range(3))
    assert outline(f"def told(context):\n{calls}").parts == {"signatures": 1}


def test_operators_and_value_classes_of_kotlin_are_signatures() -> None:
    source = "package quay\n\nvalue class Knot(val n: Int)\n\noperator fun Rope.plus(o: Rope): Rope {\n    return splice(o)\n}\n"
    made = outline(source, file="quay/Ropes.kt")
    assert made.parts == {"signatures": 2}


def test_what_a_macro_defines_again_and_again_heads_the_lines_below_it() -> None:
    body = [f"  RULE(quay_{n}, {n * 7919}, berth_{n % 7});\n" for n in range(400)]
    rules = "".join(f"DEF(pier_{n});\n{''.join(body[n * 9 : n * 9 + 9])}  DONE();\n\n" for n in range(40))
    text = (
        f"DECL(pier_1);\nDECL(pier_2);\nMODULE(harbour);\n\n{rules}static int moor(int rope)\n{{\n  return rope;\n}}\n"
    )
    made = outline(text, file="harbour.c")
    assert made.parts == {"signatures": 41} and made.names[5] == "pier_0"
    assert next(item.under for item in made.items if item.start == 6) == 5
    out = compact(text, budget=500, threshold=100, arguments={"path": "harbour.c"}, content_type="code").text
    assert "further definitions: " in out and "of 41 signatures" in out
    tests = "".join(f"TEST_F(Quay,\n       Moors{n}) {{\n  EXPECT_EQ(moor({n}), {n * 31});\n}}\n\n" for n in range(30))
    made = outline(f"namespace {{\n\n{tests}}}  // namespace\n", file="quay_test.cc")
    assert made.names[3] == "TEST_F(Quay, Moors0)" and len(made.names) == 30
    out = compact(tests, budget=300, threshold=100, tool="read", arguments={"path": "quay_test.cc"}).text
    assert "cut)" not in out.split("\n")[0]  # parameters end before the body
    assert not outline("MOOR(rope);\n  pull(1);\n" + "int a;\n" * 40, file="quay.c").parts  # once, for nothing else


def test_a_language_that_is_guessed_is_told_as_a_guess() -> None:
    lines = [
        f"  local rope{n} = pull(quay{n})\n  if rope{n} == nil then\n    moor({n * 31})\n  end\n" for n in range(40)
    ]
    source = "".join(["function main()\n", *lines, "end\n"])
    told = outline(source, arguments={"path": "harbour/main.quay"}).facts[0].text
    assert told.startswith("162 lines of what looks like Lua, ")
    assert outline(source, arguments={"path": "harbour/main.lua"}).facts[0].text.startswith("162 lines of Lua, ")
    pony = 'use "rope"\n\nactor Main\n  let _env: Env\n\n  new create(env: Env) =>\n    _env = env\n\n  fun ref moor() =>\n    None\n'
    made = outline(pony, file="main.pony")
    assert made.facts[0].text.startswith("10 lines of Pony")
    assert list(made.names.values()) == ["Main", "create", "moor"]


def test_packages_with_their_versions_are_no_settings() -> None:
    frozen = "".join(
        f"{name}-{n}=={n}.{len(name)}.0\n" for n in range(20) for name in ("quay", "mast", "rope_kit", "sail")
    )
    detected = detect(Source.of_text(frozen))
    assert detected.content_type == "text", detected
