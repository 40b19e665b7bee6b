"""Generated logs with positions, attitudes and drawings at known times."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin
from pathlib import Path

HEAD = """%%%%%%%%%%%%%%%%%%%%
%% LOG FILE:       {name}.alog
%% FILE OPENED ON  Thu Jan  1 00:00:00 2026
%% LOGSTART                1767225600.0
%%%%%%%%%%%%%%%%%%%%
"""
DATUM = "LatOrigin = 59.9075\nLongOrigin = 10.72\nCommunity = {name}\n"
COLOR = "name=%s,x=0,y=0,spd=1,hdg=0,dep=0,type=kayak,color=yellow,length=4"

Entry = tuple[float, str, float | str]


def write_log(folder: Path, entries: Iterable[Entry], name: str = "abe", mission: str = "") -> Path:
    """Write a log of one community, with its mission file next to it; return the folder.

    Args:
        folder: to make.
        entries: time, variable, value.
        name: of the community.
        mission: more of its mission file.
    """
    folder.mkdir(parents=True)
    lines = [
        f"{time:<15.5f} {variable:<20} {'pTest':<15} {value}"
        for time, variable, value in sorted(entries, key=lambda entry: entry[0])
    ]
    (folder / f"{name}.alog").write_text(HEAD.format(name=name) + "\n".join(lines) + "\n")
    (folder / f"{name}._moos").write_text(DATUM.format(name=name) + mission)
    return folder


def straight(seconds: float, heading: float = 90.0, speed: float = 1.0) -> list[Entry]:
    """Return the log of a vessel that goes straight from the datum, ten times a second."""
    entries: list[Entry] = [(0.0, "NODE_REPORT_LOCAL", COLOR % "abe")]
    for k in range(round(10 * seconds) + 1):
        way = k / 10 * speed
        entries += [
            (k / 10, "NAV_X", way * sin(radians(heading))),
            (k / 10, "NAV_Y", way * cos(radians(heading))),
            (k / 10, "NAV_HEADING", heading),
            (k / 10, "NAV_SPEED", speed),
            (k / 10, "NAV_DEPTH", 0.0),
        ]
    return entries


# An example of each drawing, as MOOS-IvP's geometry library writes them, and the kind it becomes.
DRAWINGS = {
    "VIEW_POINT": ("x=10,y=10,label=p,vertex_size=9,vertex_color=red", "point"),
    "VIEW_SEGLIST": (
        "pts={-20,-20:20,-20:20,-30},label=s,edge_color=yellow,edge_size=2",
        "seglist",
    ),
    "VIEW_POLYGON": ("pts={-40,0:-20,0:-20,20:-40,20},label=g,edge_color=white", "polygon"),
    "VIEW_CIRCLE": ("x=30,y=30,radius=8,label=c,edge_color=green", "circle"),
    "VIEW_OVAL": ("x=40,y=-20,rad=5,len=20,ang=45,draw_degs=5,label=o", "oval"),
    "VIEW_MARKER": ("x=-30,y=-30,width=8,primary_color=blue,type=diamond,label=m", "marker"),
    "VIEW_VECTOR": ("x=0,y=30,ang=45,mag=15,head_size=3,label=v", "vector"),
    "VIEW_ARROW": ("ctrx=-50,ctry=-10,ang=30,bwid=5,blen=20,hwid=10,hlen=10,label=a", "arrow"),
    "VIEW_WEDGE": ("x=50,y=10,rad_low=5,rad_hgh=15,ang_low=0,ang_hgh=60,label=w", "wedge"),
    "VIEW_SEGLR": ("pts={-10,40:0,45},ray=60,label=r,ray_len=15,head_size=3", "seglr"),
    "VIEW_TEXTBOX": ('x=-60,y=40,msg="<img src=x onerror=alert(1)>",fsize=12,label=t', "textbox"),
    "VIEW_RANGE_PULSE": ("x=0,y=0,radius=40,fill=0.25,label=rp,duration=20", "range_pulse"),
    "VIEW_COMMS_PULSE": (
        "sx=-60,sy=-40,tx=60,ty=-45,beam_width=10,fill=0.35,label=cp,duration=20",
        "comms_pulse",
    ),
    "VIEW_GRID": (
        "pts={60,-60:80,-60:80,-40:60,-40},cell_size=10,cell_vars=x:0,cell_min=x:0,"
        "cell_max=x:10,cell=0:x:5,cell=3:x:10,label=psg",
        "grid",
    ),
}
