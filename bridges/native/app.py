"""``NativeApp``: an unmodified program of MOOS as an app in lockstep.

The program's threads, clocks and waits belong to a preloaded library; this app is its database. At
each activation the program first does what it had planned until then, in its own steps and with
their stamps, and then gets the mail. So what it does depends on nothing but its mail and its files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar
from weakref import finalize

from steerageway.bridges.moosdb import packets
from steerageway.bridges.moosdb.packets import MoosMessage
from steerageway.bridges.moosdb.session import RegistrationOf, registration_of
from steerageway.bridges.native.library import NoLibrary, check_program, library
from steerageway.bridges.native.program import LockstepProgram
from steerageway.bus import (
    App,
    ConfigError,
    Message,
    any_matches,
    is_name,
    nanoseconds,
    tick_period,
)
from steerageway.moos.handover import write_handover

TICK = "20"  # activations a simulated second: mail is at most 50 ms old
SUMMARY = "DB_VARSUMMARY"


class NativeApp(App):
    """A program with the preloaded library; see ``native_kind``."""

    command: ClassVar[Sequence[str]] = ()  # the program and its first arguments
    takes_mission: ClassVar[bool] = True  # whether the mission file and its name follow
    place: ClassVar[str] = ""  # of its line in the launch list
    running: ClassVar[list[LockstepProgram]] = []  # of the app as it was before a reset

    def configure(self) -> None:
        """Compile the library; the program reads its block by itself.

        Raises:
            ConfigError: the library cannot be had.
        """
        for entry in self.config:
            self.config.all(entry.key)
        self.common_options = replace(
            self.common_options, tick=tick_period(TICK), iterate_mode="0", least_gap=0
        )
        # The port that it is told and may post: the true one is another each time.
        self._port = self.setting.globals.whole("ServerPort", default=9000, low=1, high=65535)
        path = Path(self.command[0])
        try:
            check_program(path)
            self._library = library()
        except NoLibrary as error:
            expected = f"--lockstep: {error}; without this option it is paced"
            raise ConfigError(self.place, "Run", path.name, expected) from error
        self._wanted: dict[str, None] = {}
        self._outgoing: list[bytes] = []
        self._mail: list[bytes] = []
        self._is_connected = False
        self._summary = ""

    def on_start(self) -> None:
        """Start the program, until it waits; a former one ends."""
        while self.running:
            self.running.pop().end()
        self._program = LockstepProgram()
        self.running.append(self._program)
        finalize(self, self._program.end)
        folder = self._folder()
        mission = folder / f"{self.community}.{self.name}.moos"
        assert self.setting.file is not None
        write_handover(self.setting.file, mission, self.community, self._port, 1.0)
        more = [str(mission.resolve()), self.name] if self.takes_mission else []
        self._output = folder / f"{self.community}.{self.name}.txt"
        self._program.start(
            [*self.command, *more],
            self._library,
            self.setting.folder.resolve(),
            self._output,
            self._now(),
            self._port,
        )
        self.register(SUMMARY)
        self._advance()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Keep what the program has registered for."""
        epoch = self.setting.epoch
        for one in mail:
            if one.name == SUMMARY:
                self._summary = str(one.value)
            if any_matches(self._wanted, one.name):
                self._mail.append(packets.delivery(one, epoch))

    def iterate(self) -> None:
        """Let the program do what it had planned, then give it its mail."""
        if self._program.report.next <= self._now():
            self._program.grant(self._now())
            self._take()
        self._advance()

    def on_stop(self) -> None:
        """End the program."""
        self._program.end()

    def report(self) -> Iterable[str]:
        """Yield where its output goes."""
        yield f"{self.command[0]}: output in {self._output}"
        if self._program.report.reads:
            yield f"it waits by reading the clock: {self._program.report.reads} times 1 us"

    def _folder(self) -> Path:
        """Return the folder of its output."""
        if self.setting.log_folder is None:
            return self._program.folder
        folder = self.setting.log_folder / "programs"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _now(self) -> int:
        """Return the present instant [ns since 1970]."""
        return nanoseconds(self.setting.epoch) + self.instant

    def _advance(self) -> None:
        """Give the program what waits for it, until nothing does."""
        self._take()
        while self._outgoing or (self._mail and self._is_connected):
            content = self._outgoing
            if self._is_connected and self._mail:
                content = [*content, packets.packet(self._mail)]
                self._mail = []
            self._outgoing = []
            self._program.send(b"".join(content))
            self._program.grant(self._now())
            self._take()

    def _take(self) -> None:
        """Carry out what the program has sent."""
        for one in self._program.messages():
            if one.kind == packets.NOTIFY:
                self._post(one)
            elif one.kind == packets.HELLO:
                self._welcome(one)
            elif one.kind == packets.REQUEST and "VAR_SUMMARY" in one.name:
                self._answer()
            elif (registration := registration_of(one)) is not None:
                self._register(registration)

    def _post(self, one: MoosMessage) -> None:
        # Its own report holds the machine's load; the bus posts one for every app.
        if one.name != f"{self.name.upper()}_STATUS":
            time = min(self.time, one.time - self.setting.epoch)
            self.post(one.name, one.value, time=time, aux=one.aux)

    def _welcome(self, hello: MoosMessage) -> None:
        """Answer the introduction: its clock is right as it is."""
        self._is_connected = True
        self._wanted.clear()
        self._outgoing.append(packets.welcome(self.community, hello.time, 0.0))

    def _answer(self) -> None:
        answer = MoosMessage(
            packets.NOTIFY,
            packets.STRING,
            "VAR_SUMMARY",
            time=self.utc,
            text=self._summary.encode(),
            source=f"MOOSDB_{self.community}",
            identity=packets.ANSWER,
        )
        self._outgoing.append(packets.packet([answer.packed()]))

    def _register(self, wanted: RegistrationOf) -> None:
        if not is_name(wanted.name):
            return
        if wanted.active:
            self._wanted[wanted.name] = None
            self.register(wanted.name, interval=wanted.interval, source=wanted.source)
        else:
            self._wanted.pop(wanted.name, None)
            self.unregister(wanted.name, source=wanted.source)


def native_kind(command: Sequence[str], place: str, *, takes_mission: bool) -> type[App]:
    """Return the class of a program.

    Args:
        command: the program and its first arguments.
        place: of its line in the launch list.
        takes_mission: whether the mission file and its name follow.
    """
    members = {"command": tuple(command), "place": place, "takes_mission": takes_mission}
    return type("NativeApp", (NativeApp,), {**members, "running": []})
