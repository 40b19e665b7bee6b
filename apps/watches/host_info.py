"""``pHostInfo``: tells where its community can be reached.

Nothing of the machine enters a mission: the address is what the file says, or ``localhost``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from steerageway.bus import App, Message, Parameter, variables
from steerageway.moos.host_record import HostRecord
from steerageway.moos.values import fixed

INPUTS, REQUEST = "PSHARE_INPUT_SUMMARY", "HOST_INFO_REQUEST"
REPEAT = 10  # iterations
_MACHINE = "accepted and without effect: the machine's own addresses do not enter a mission"


class HostInfo(App):
    """A community's address book entry, posted again every tenth iteration."""

    publications = (
        variables.text(
            "PHI_HOST_INFO",
            "`community=abe,hostip=localhost,port_db=9001,port_udp=9201,pshare_iroutes=..,timewarp=1,time=3.00`",
            when="on news, each 10 ticks",
        ),
        variables.text(
            "PHI_HOST_IP",
            "the host's address: what the file says, or `localhost`",
            when="as `PHI_HOST_INFO`",
        ),
        variables.text("PHI_HOST_IP_ALL", "all of them", when="as `PHI_HOST_INFO`"),
        variables.text("PHI_HOST_IP_VERBOSE", "`DEFAULT=localhost`", when="as `PHI_HOST_INFO`"),
        variables.text("PHI_HOST_PORT_DB", "the file's `ServerPort`", when="as `PHI_HOST_INFO`"),
    )
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = (
        variables.heard("HOST_INFO_REQUEST", what="post `PHI_HOST_INFO` now", kind="any"),
    )
    subscribes: ClassVar[Sequence[str]] = (INPUTS, REQUEST)
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("default_hostip", "localhost", "the host's address, unless it is forced"),
        Parameter("default_hostip_force", "", "the host's address, whatever else is said"),
        Parameter("prefer_interface", "", _MACHINE),
        Parameter("temp_file_dir", "~/", _MACHINE),
    )

    def configure(self) -> None:
        """Read the block."""
        default = self.config.text("default_hostip", default="localhost")
        self._host = self.config.text("default_hostip_force", default=default)
        self.config.all("prefer_interface", "temp_file_dir")
        self._port = self.setting.globals.text("ServerPort", default="9000")
        self._warp = self.setting.globals.text("MOOSTimeWarp", default="1")
        self._routes = ""
        self._due = True

    def on_start(self) -> None:
        """Register."""
        self.register(*self.subscribes)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take note of where shares come in, and of who asks."""
        for message in mail:
            if message.name == INPUTS:
                self._routes = str(message.value)
            self._due = True

    def iterate(self) -> None:
        """Post, when there is news, somebody asks, or time has passed."""
        if not self._due and (self.iteration - 1) % REPEAT:
            return
        self._due = False
        self.post("PHI_HOST_IP", self._host)
        self.post("PHI_HOST_IP_ALL", self._host)
        self.post("PHI_HOST_IP_VERBOSE", f"DEFAULT={self._host}")
        self.post("PHI_HOST_PORT_DB", self._port)
        self.post("PHI_HOST_INFO", str(self._record()))

    def report(self) -> Iterable[str]:
        """Give what is told."""
        return str(self._record()).split(",")

    def _record(self) -> HostRecord:
        ports = [route.rpartition(":")[2] for route in self._routes.split("&") if ":" in route]
        return HostRecord(
            community=self.community,
            hostip=self._host,
            port_db=self._port,
            port_udp=(ports or [""])[0].strip(),
            pshare_iroutes=self._routes.replace(" ", ""),
            timewarp=self._warp,
            time=fixed(self.utc, 2),
        )


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(HostInfo)
