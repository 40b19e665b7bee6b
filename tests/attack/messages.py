"""A run that carries many messages while its processes are stopped and go on: none is lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from disturbances import pause_and_go_on
from launches import Forked, Running
from networks import app_plan

from steerageway.bus import App, Message, Placement, RunPlan, run

TALKERS, BATCH, TICK, SECONDS = 4, 250, 10, 50
POSTED = TALKERS * BATCH * TICK * SECONDS


class Talker(App):
    """Posts numbers, one after the other."""

    publishes = ("TALK",)
    _count = 0

    def iterate(self) -> None:
        for _ in range(BATCH):
            self.post("TALK", self._count)
            self._count += 1


class Listener(App):
    """Checks that no number of any sender is missing or comes twice."""

    publishes = ("HEARD",)

    def configure(self) -> None:
        self._heard: Counter[str] = Counter()

    def on_start(self) -> None:
        self.register("TALK")

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            if message.value != self._heard[message.source]:
                raise ValueError(f"{self._heard[message.source]} did not come: {message}")
            self._heard[message.source] += 1

    def on_stop(self) -> None:
        if (received := self._heard.total()) != POSTED:
            raise ValueError(f"{received} of {POSTED} messages came")


class Carrier(Running):
    """The run of talkers and listeners."""

    def __init__(self, placement: Placement, folder: Path) -> None:
        kinds = [*([Talker] * TALKERS), Listener, Listener]
        apps = tuple(
            app_plan(kind, f"p{kind.__name__}{k}", 0.0, str(TICK)) for k, kind in enumerate(kinds)
        )
        plan = RunPlan(("alpha",), apps, float("inf"), placement, stop_at=SECONDS * 10**9)
        self.file, self.said = folder / "told.json", folder / "said"

        def carry() -> int:
            outcome = run(plan, lambda progress: None)
            posted = {"lost": outcome.lost, "posted": outcome.posted, "refused": outcome.refused}
            posted["failures"] = [failure.reason for failure in outcome.failures]
            self.file.write_text(json.dumps(posted))
            return 0

        with self.said.open("wb") as file:
            self.process = Forked(carry, file.fileno())


def carried(folder: Path, rng: Random) -> dict[str, Any]:
    """Carry half a million messages; each of two listeners is to get every one, in order."""
    carrier = Carrier(rng.choice((Placement.PROCESS, Placement.COMMUNITY)), folder)
    pause_and_go_on(carrier, rng)
    code = carrier.end()
    record = json.loads(carrier.file.read_text()) if carrier.file.exists() else {}
    well = record == {"lost": 0, "posted": record.get("posted"), "refused": 0, "failures": []}
    wrong = "" if code == 0 and well and record["posted"] >= POSTED else f"code {code}: {record}"
    return {"messages": POSTED, "runs": 1, "wrong": wrong}
