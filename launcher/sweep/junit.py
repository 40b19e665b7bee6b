"""JUnit report of a sweep's cases, for continuous integration servers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.sax.saxutils import quoteattr

from steerageway.declarations import replacing
from steerageway.launcher.sweep.execution import FAIL_IF, TOO_SOON, VALUES, Row
from steerageway.launcher.sweep.results import RUNS, log_folder, output_file

FAILURE, ERROR = "failure", "error"  # elements of a case that did not end well
_MOST_SAID = 4000  # characters of a case's output in the report
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(
    path: Path,
    name: str,
    rows: Collection[Row],
    varied: Sequence[str],
    alone: Callable[[int], str],
) -> None:
    """Write a test case for each row, with simulated times, so that it is reproducible.

    The names of cases are the same in every sweep, so that a server can compare runs of a build;
    their values are properties. A case is a failure if ``--fail-if`` held or ``--until`` did not;
    any other problem is an error.

    Args:
        path: the file, in the sweep's folder.
        name: of the sweep.
        rows: of its table, in order of cases.
        varied: columns that distinguish cases.
        alone: returns the command that performs a case alone, with logs.
    """
    kinds = Counter(map(_kind, rows))
    head = {"name": name, "tests": len(rows), "failures": kinds[FAILURE], "errors": kinds[ERROR]}
    with replacing(path) as fresh, fresh.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<testsuite')
        file.writelines(f" {key}={quoteattr(_xml(str(value)))}" for key, value in head.items())
        file.write(">\n")
        for row in rows:
            case = _case(name, row, varied)
            _add_problem(case, row, path.parent, alone)
            indent(case)
            file.write(tostring(case, encoding="unicode") + "\n")
        file.write("</testsuite>\n")


def _kind(row: Row) -> str:
    """Return how a case ended: well, or as a failure or an error."""
    code = row["exit_code"]
    return "" if code == 0 else FAILURE if code in (TOO_SOON, FAIL_IF) else ERROR


def _case(name: str, row: Row, varied: Sequence[str]) -> Element:
    case = Element("testcase", classname=name, name=f"case {row['case']}")
    case.set("time", str(row.get("seconds", 0.0)))
    properties = SubElement(case, "properties") if varied else case
    for column in varied:
        SubElement(properties, "property", name=_xml(column), value=_xml(str(row[column])))
    return case


def _add_problem(case: Element, row: Row, folder: Path, alone: Callable[[int], str]) -> None:
    code, number = row["exit_code"], row["case"]
    if not (kind := _kind(row)):
        return
    problem = SubElement(case, kind, type=str(row["exit_reason"]), message=_xml(why(row)))
    lines = [f"exit code {code}: {why(row)}", f"again, alone and with logs: {alone(number)}"]
    if log_folder(folder, number).is_dir():
        lines.append(f"logs: {RUNS}/{number:05}")
    output = folder / output_file(number)
    if output.is_file() and (said := output.read_text(encoding="utf-8", errors="replace").strip()):
        lines.append(f"{output_file(number)}:\n{said[-_MOST_SAID:]}")
    problem.text = _xml("\n".join(lines))


def why(row: Row) -> str:
    """Return why a case ended as it did: the failure, the option that ended it, or the reason.

    With the values of the variables by which a condition held, or did not.
    """
    told = str(row["failure"] or row["exit_reason"])
    if row["exit_code"] == TOO_SOON:
        out_of_time = row["exit_reason"] == "wall_limit"
        told = "--wall-limit came first" if out_of_time else "--until never held"
    return ": ".join(filter(None, (told, row.get(VALUES))))


def _xml(text: str) -> str:
    """Replace the characters that XML does not allow."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
