"""Command line of ``nsplug``: ``nsplug meta.moos targ.moos VNAME=abe --macros=all.txt``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from steerageway.apps.shared.terminal import say
from steerageway.declarations import write_whole
from steerageway.moos.errors import FormatError
from steerageway.moos.nsplug import PlugCall, expand, parse_call, read_macros

DONE, UNKNOWN, WRONG = 0, 1, 2
HELP = """\
usage: {prog} TEMPLATE FILE [NAME=VALUE ...] [options]

Expand #define, #ifdef, #include and $(NAME) of a template, as MOOS-IvP's nsplug does. FILE -
is the standard output.

  NAME=VALUE         a macro; overrides those of --macros, but not a #define of TEMPLATE
  --macros=FILE      macros from a file, NAME=VALUE or #define NAME VALUE a line; repeatable
  --path=DIR:DIR     additional folders of included files
  --tag=TAG          expand only the section under this tag
  -f, --force        replace an existing FILE
  -l, --lenient      replace the other macros of a line with an undefined one
  -s, --strict       an undefined macro is an error
  -t, --terminal     print the result; do not write FILE
  -x, --xfile        take the file named TEMPLATEx instead, if there is one
  -i, -I             accepted and without effect

exit: 0 done   1 --strict: a macro is undefined   2 a file or an option is invalid"""


def main(arguments: Sequence[str] | None = None, prog: str = "nsplug") -> int:
    """Expand a template and return the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if not arguments or {"-h", "--help"} & set(arguments):
        say(HELP.format(prog=prog))
        return DONE if arguments else WRONG
    try:
        return _plug(parse_call(arguments))
    except FormatError as error:
        say(str(error), to=sys.stderr)
        return WRONG


def _plug(call: PlugCall) -> int:
    """Write the expanded file.

    Raises:
        FormatError: a file is invalid, or exists already.
    """
    target, options = Path(call.target), call.options
    printed = call.target == "-" or "terminal" in options
    if not printed and target.exists() and "force" not in options:
        raise FormatError(call.target, "", "", "exists already; -f replaces it")
    macros: dict[str, str] = {}
    for name in call.macro_files:
        macros |= read_macros(Path(name))
    made = expand(
        call.template(),
        {**macros, **call.macros},
        [Path(p) for p in call.search],
        tag=call.tag,
        lenient="lenient" in options,
    )
    for warning in (*made.warnings, *made.unknown):
        say(f"warning: {warning}", to=sys.stderr)
    if made.unknown and "strict" in options:
        return UNKNOWN
    try:
        _write("-" if printed else call.target, made.text)
    except OSError as error:
        raise FormatError(call.target, "", "", f"cannot be written: {error.strerror}") from error
    return DONE


def _write(target: str, text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        write_whole(Path(target), data)
