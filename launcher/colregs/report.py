"""The page of a suite: tables with intervals, pictures, the worst cases. It needs no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from steerageway.apps.shared.encounters import Scenario
from steerageway.apps.shared.html_report import Html
from steerageway.apps.shared.html_report import page as html_page
from steerageway.launcher.colregs.pictures import of_scenario, of_tracks
from steerageway.launcher.colregs.summary import COSTS, EVENTS, RULES, sentence

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em;
  color: #1e293b; background: #fff }
h1, h2, h3 { line-height: 1.2 } table { border-collapse: collapse; margin: 1em 0 }
th, td { padding: .25em .6em; border-bottom: 1px solid #e2e8f0; text-align: right;
  vertical-align: top }
th:first-child, td:first-child { text-align: left } small { color: #64748b; white-space: nowrap }
.bad { background: #fee2e2 } .fair { background: #fef9c3 } .case, .row { display: flex; gap: 2em }
code { background: #f1f5f9; padding: .1em .3em; overflow-wrap: anywhere }
svg { background: #f8fafc }
@media (max-width: 50em) { .case, .row { display: block } }
"""
Summary = Mapping[str, Any]


class Worst(NamedTuple):
    """A worst case: its scenario as sailed, result, tracks, commands.

    Attributes:
        number: of the case.
        scenario: scaled and varied.
        result, tracks: as ``uEncounter`` posts them.
        log: folder of its log.
    """

    number: int
    scenario: Scenario
    result: Summary
    tracks: Summary
    log: Path


def page(
    summary: Summary, scenarios: Sequence[Scenario], worst: Sequence[Worst], command: str
) -> str:
    """Return the page.

    Args:
        summary: of the suite.
        scenarios: as written, in order.
        worst: the worst cases.
        command: that made it; with ``--case N`` it repeats a case.
    """
    title = f"COLREGs: {summary['helm']}, {summary['all']['runs']} runs"
    body = [
        f"<p>Vessel: {escape(summary['vessel'])}, {summary['length']:g} m, passage at "
        f"{summary['speed']:.2f} m/s. Reports: noise {summary['noise']}. Others: conduct "
        f"{summary['conduct']}. Ranges are in lengths of the own vessel; brackets are intervals "
        f"at 95 %. {len(summary['failed'])} runs failed.</p>",
        f"<p><code>{escape(command)}</code></p>",
        '<h2>In all</h2><div class="row">',
        *_whole(summary["all"]),
        "</div>",
        "<h2>Worst cases</h2>",
        *(line for one in worst for line in _case(one, command)),
        "<h2>Scenarios</h2>",
        *_table(summary["scenarios"], scenarios),
    ]
    return html_page(title, [Html("".join(body))], STYLE)


def _whole(one: Summary) -> Iterator[str]:
    yield "<table><tr><th>event</th><th>share of runs</th></tr>"
    for event in EVENTS:
        cell = _cell(one["events"][event], percent=True)
        yield f"<tr><td>{event.replace('_', ' ')}</td>{cell}</tr>"
    yield "</table><table><tr><th>rule</th><th>mean score</th><th>kept</th><th>runs</th></tr>"
    for rule, found in one["rules"].items():
        kept = _cell(one["kept"][rule], percent=True)
        score, runs = _cell(found, graded=True), f"<td>{found['number']:g}</td>"
        yield f"<tr><td>{rule}</td>{score}{kept}{runs}</tr>"
    yield "</table><table><tr><th>measure</th><th>mean</th></tr>"
    yield f"<tr><td>CPA [lengths]</td>{_cell(one['cpa_lengths'])}</tr>"
    yield f"<tr><td>least CPA [lengths]</td><td>{one['cpa_lengths']['least']:.2f}</td></tr>"
    yield f"<tr><td>safety</td>{_cell(one['safety'], graded=True)}</tr>"
    for key in COSTS:
        yield f"<tr><td>{key}</td>{_cell(one['cost'][key])}</tr>"
    yield "</table>"


def _table(found: Summary, scenarios: Sequence[Scenario]) -> Iterator[str]:
    heads = "".join(f"<th>rule {rule}</th>" for rule in RULES)
    yield "<table><tr><th>scenario</th><th>start</th><th>runs</th><th>collisions</th>"
    yield f"<th>near misses</th><th>least CPA</th><th>safety</th>{heads}<th>late</th></tr>"
    for scenario in scenarios:
        one = found.get(scenario.name)
        if one is None:
            continue
        yield f"<tr><td>{escape(scenario.name)}<br><small>{escape(scenario.about)}</small></td>"
        yield f"<td>{of_scenario(scenario)}</td><td>{one['runs']}</td>"
        yield from (_cell(one["events"][e], percent=True) for e in ("collision", "near_miss"))
        yield f"<td>{one['cpa_lengths']['least']:.2f}</td>{_cell(one['safety'], graded=True)}"
        yield from (_cell(one["rules"].get(rule), graded=True) for rule in RULES)
        yield f"{_cell(one['cost']['late'])}</tr>"
    yield "</table>"


def _cell(found: Summary | None, *, percent: bool = False, graded: bool = False) -> str:
    """Return a cell with a value and its interval."""
    if found is None:
        return "<td></td>"
    form = "{:.1%}" if percent else "{:.2f}"
    value, low, high = (form.format(found[key]) for key in ("value", "low", "high"))
    grade = ""
    if graded:
        grade = "bad" if found["value"] < 0.5 else "fair" if found["value"] < 0.7 else ""
    return f'<td class="{grade}">{value}<br><small>[{low}, {high}]</small></td>'


def _case(one: Worst, command: str) -> Iterator[str]:
    """Yield a worst case with its picture, verdicts and commands."""
    result = one.result
    times = one.tracks["times"]
    moment = min(range(len(times)), key=lambda k: abs(times[k] - result["cpa_time"]))
    yield f"<h3>{escape(one.scenario.name)}, case {one.number}</h3>"
    picture = of_tracks(one.scenario, one.tracks["tracks"], moment)
    yield f'<div class="case"><div>{picture}</div><div>'
    yield f"<p>CPA {result['cpa']:.1f} m ({result['cpa_lengths']:.2f} lengths) at "
    yield f"{result['cpa_time']:.1f} s; the picture shows that instant, the own vessel in blue.</p>"
    for number, met in enumerate(result["encounters"], 1):
        what = f"{escape(met['situation'])}, CPA {met['cpa']:.1f} m"
        yield f"<p><b>target{number}</b>: {what}</p><ul>"
        for verdict in met["verdicts"]:
            yield f"<li>{escape(sentence(verdict))}</li>"
        yield "</ul>"
    yield f"<p>Again: <code>{escape(f'{command} --case {one.number}')}</code><br>"
    yield f"In the viewer: <code>{escape(f'steerageway view {one.log}')}</code> "
    yield f'(<a href="{escape(one.log.resolve().as_uri())}">its log</a>)</p></div></div>'
