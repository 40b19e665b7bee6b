"""Nothing that a page or a mission sends ends a view: requests, posts and drawings at random."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from viewer_stage import ROOT, Page, Stage

from steerageway.web.viewer.picture import Picture, shapes_in_order
from tests.web.viewer.browser.logs import DRAWINGS

ALPHA = ROOT / "missions" / "alpha"
NUMBERS = ("-5", "1e308", "-1e308", "nan", "inf", "0", "", "1e9", "9" * 400, "x", "{", ":", "1e7")
MORE = ("duration=1e308", "time=1e308", "edge_size=1e9", "label=" + "z" * 9000, "active=false")
PATTERNS = (
    "format=radial,x=0,y=0,radius=5,pts=8",
    "format=ellipse,x=0,y=0,degs=1,pts=8,major=5,minor=2",
    "zigzag:0,0,30,100,10,5,1",
    "format=lawnmower,x=0,y=40,height=60,width=180,lane_width=15,rows=ns,degs=45",
    "4,5:6,7:label,foo",
)
DRAWN = 20_000


def spoilt(chance: random.Random, text: str) -> str:
    """Return a text with some numbers replaced, and something inserted."""
    for _ in range(chance.randint(0, 3)):
        numbers = list(re.finditer(r"-?\d+\.?\d*", text))
        if numbers and chance.random() < 0.7:
            one = chance.choice(numbers)
            text = text[: one.start()] + chance.choice(NUMBERS) + text[one.end() :]
        elif chance.random() < 0.5:
            place = chance.randrange(len(text) + 1)
            text = text[:place] + chance.choice(NUMBERS) + text[place:]
        else:
            text += f",{chance.choice(MORE)}"
    return text


@pytest.mark.slow
def test_random_drawings_are_drawn_or_named_and_can_be_sent_to_a_page() -> None:
    chance, picture = random.Random(8), Picture(["abe"], 0.0)
    texts = [*(text for text, _ in DRAWINGS.values()), *PATTERNS]
    for k in range(DRAWN):
        name = chance.choice([*DRAWINGS, "VIEW_GRID_DELTA", "NODE_REPORT"])
        own = DRAWINGS[name][0] if name in DRAWINGS else "psg@1,x,1"
        picture.take("abe", name, spoilt(chance, chance.choice([own, own, *texts])), float(k))
        if k % 500 == 0:
            picture.advance(float(k))
            sent = json.dumps([*shapes_in_order(picture)], allow_nan=False)
            assert len(sent) < 20_000_000
    assert picture.troubles
    assert picture.shapes


def fields(chance: random.Random) -> dict[str, object]:
    """Return a request with some fields of wrong types and sizes."""
    values = (
        *(None, True, -1, 0, 1.5, 10**30, 1e308, "x", "n" * 300, "*", " ", "\n", "alpha", "NAV_X"),
        *([], ["x"], {}, {"a": 1}, [["*"]], ["n" * 300], ["alpha:NAV_*"], ["*"] * 300, [5]),
        [f"V{k}*" for k in range(150)],
    )
    keys = (
        *("community", "name", "value", "menu", "n", "side", "context", "x", "y", "vname", "unit"),
        *("count", "time", "factor", "seed", "thrust", "rudder", "t", "speed", "patterns", "vars"),
        *("var", "from", "to", "points", "app", "behavior", "with", "on", "id", "text"),
    )
    return {key: chance.choice(values) for key in chance.sample(keys, chance.randint(0, 8))}


VERBS = (
    *("post", "press", "click", "release", "watch", "names", "plot", "history", "helm_history"),
    *("ipf", "compare", "watch3d", "latlon", "seek", "play", "run_until", "note", "unnote"),
)
TEXTS = ('{"do":["x"]}', "[" * 100_000, '{"do":{}}', '{"id":[1],"do":"names"}', '"', "1" * 5000)


@pytest.mark.process
@pytest.mark.parametrize("options", [(), ("--read-only",)], ids=["may post", "read only"])
def test_random_requests_are_answered_and_other_pages_go_on(
    stage: Stage, options: tuple[str, ...]
) -> None:
    stage.launch(ALPHA, "--warp", 2, "--log", stage.folder / "log")
    viewer = stage.view("alpha", *options)
    page, other = viewer.page(), viewer.page()
    chance = random.Random(4)
    for text in TEXTS:
        page.socket.send(text)
        assert page.until("reply")["ok"] is False
    for _ in range(400):
        verb = chance.choice(VERBS)
        if verb == "post" and chance.random() < 0.3:
            about: dict[str, object] = {
                "community": "alpha",
                "name": "v" * 250,
                "value": "9" * 9000,
            }
        else:
            about = fields(chance)
        page.socket.send(json.dumps({"id": 1, **about, "do": verb}))
        page.until("reply")
    posts = (("a" * 300, "1"), ("A b", "1"), ("", "1"), ("LONG", "x" * 900_000))
    for name, value in posts:
        reply = str(page.ask("post", community="alpha", name=name, value=value))
        assert len(reply) < 2000
    went_on(other)


def went_on(page: Page) -> None:
    """Check that a page still hears of its run."""
    page.ask("watch", patterns=["IVPHELM_*", *(f"V{k}_*" for k in range(100))])
    page.wait(lambda p: ("alpha", "IVPHELM_DOMAIN") in p.values)
    assert page.ask("names")
    page.until("status")
    assert page.last["status"]["ended"] == ""


@pytest.mark.process
def test_requests_that_are_too_large_are_refused(stage: Stage, finished: Path) -> None:
    viewer = stage.view(finished)
    body = b"x" * (2 << 20)
    headers = {"Origin": viewer.base}
    answer = viewer.request("POST", "/session", body, **headers)
    assert (answer.status, answer.json["error"]) == (400, "expected at most 1 MB")
