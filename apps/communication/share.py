"""``pShare``: forwards variables to other communities and accepts theirs.

Output = src_name = NODE_REPORT_LOCAL, dest_name = NODE_REPORT, route = localhost:9200
Output = VIEW_* -> localhost:9200 & multicast_8
Input  = route = localhost:9201 & multicast_8, white_list = DEPLOY & RETURN
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from steerageway.apps.shared.limited import MOST_NAMES
from steerageway.apps.shared.routes import Output, RouteError, read_inputs, read_outputs
from steerageway.bus import (
    NANO,
    CommonOptions,
    Inlet,
    Message,
    Options,
    Outlet,
    SharingApp,
    declare,
    is_pattern,
    nanoseconds,
    read_app_tick,
    variables,
)
from steerageway.moos.values import split_first

COMMAND = "PSHARE_CMD"
OUTPUTS, INPUTS = "PSHARE_OUTPUT_SUMMARY", "PSHARE_INPUT_SUMMARY"
BROKERS = ("uFldNodeBroker", "uFldShoreBroker")  # they agree on the shared variables


class ActiveOutput:
    """An active output: start, number of forwarded messages, and when the next may follow."""

    def __init__(self, output: Output, since: int) -> None:
        self.start(output, since)

    def start(self, output: Output, since: int) -> None:
        """Begin, again with the limits of an output of the same route."""
        self.output = output
        self.count = 0
        self._since = since
        self._interval = nanoseconds(output.interval)
        self._free_from = since

    def take(self, instant: int) -> bool:
        """Whether a message may be forwarded at an instant [ns]; if so, it is counted."""
        age = (instant - self._since) / NANO
        if instant < self._free_from or not self.output.is_active(age, self.count):
            return False
        self._free_from = instant + self._interval
        self.count += 1
        return True


class Input(NamedTuple):
    """An ``Input`` line, and each of its addresses with the names it accepts."""

    text: str
    inlets: list[tuple[str, tuple[str, ...]]]


@dataclass(frozen=True)
class ShareTiming(CommonOptions):
    """Parameters of every app, where pShare has defaults of its own."""

    tick: tuple[int, int] = declare.value(
        "1",
        read_app_tick,
        "iterations a simulated second [Hz]; mail goes on without them",
        name="AppTick",
    )
    iterate_mode: str = declare.choice(
        "2",
        {"2": "mail goes on as it comes", "1": "by mail", "0": "with the next iteration"},
        name="IterateMode",
    )


@dataclass(frozen=True)
class ShareOptions(Options):
    """Parameters of the configuration block."""

    outputs: tuple[list[Output], ...] = declare.lines(
        read_outputs,
        "src_name=X[:APP], dest_name=Y, route=HOST:PORT & multicast_N, frequency=, duration=, "
        "max_shares=; or X -> Y:HOST:PORT@HZ & ...",
        name="Output",
        lenient=True,
    )
    inputs: tuple[Input, ...] = declare.lines(
        lambda text: Input(text, read_inputs(text)),
        "route=HOST:PORT & multicast_N, white_list=A & B",
        name="Input",
        lenient=True,
    )
    verbose: bool = declare.flag(False, "accepted and without effect: there is no terminal")


class Share(SharingApp):
    """Forwards variables to other communities, where they arrive a millisecond after their post."""

    last_wins = True
    publications = variables.published(f"""
        {OUTPUTS} | text | | | once, on change | `X->Y:localhost:9200, VIEW_*->multicast_8`: the
            forwarded variables
        {INPUTS} | text | | | once | `localhost:9201 & multicast_8`: the input routes
    """)
    subscriptions = variables.subscribed(f"""
        {COMMAND} | text | | | `cmd=output,src_name=X,dest_name=Y,route=localhost:9200`: forward it,
            too
    """)
    common = ShareTiming
    parameters = ShareOptions.parameters()

    def configure(self) -> None:
        options = ShareOptions.read(self.config)
        outputs = [output for line in options.outputs for output in line]
        self.begin(outputs, [inlet for line in options.inputs for inlet in self._inlets(line)])

    def begin(self, outputs: Iterable[Output], inlets: Iterable[Inlet]) -> None:
        """Take the outputs and inlets of the block; of two outputs of one route the last counts."""
        self._outputs = [*{output.route: output for output in outputs}.values()]
        self.listens = tuple(inlets)
        self.outlets = [Outlet(o.address, (o.names_there,)) for o in self._outputs]
        self._pending: list[tuple[int, Output]] = []
        self._commands: list[str] = []
        self.calm = () if self.common_options.iterate_mode == "1" else (COMMAND,)
        self._active: list[ActiveOutput] = []
        self._by_name: dict[str, list[ActiveOutput]] = {}
        self._by_pattern: list[ActiveOutput] = []
        self._received: set[tuple[str, str]] = set()
        self._last: dict[str, Message] = {}
        self._seen_twice = False

    def _inlets(self, line: Input) -> list[Inlet]:
        """Return the inlets of an Input line; next to a broker, each accepts all names."""
        inlets = [Inlet(*inlet) for inlet in line.inlets]
        broker = next((name for name in BROKERS if name in self.setting.launch_list), "")
        if not broker or all(inlet.names == ("*",) for inlet in inlets):
            return inlets
        self.config_warning(f"Input = {line.text}: white_list has no effect beside {broker}")
        return [Inlet(inlet.address) for inlet in inlets]

    def acts_by_itself(self) -> bool:
        """Whether a command or an output waits for the next tick; all else is caused by mail."""
        return bool(self._commands or self._pending)

    def on_start(self) -> None:
        """Register, open the outputs, and post the summaries."""
        super().on_start()
        for output in self._outputs:
            self._open(output)
        self.post(INPUTS, " & ".join(inlet.address for inlet in self.listens))
        self._post_outputs()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Forward messages, and keep commands for the next iteration."""
        # A registration delivers present values again; those forwarded already are skipped.
        again, self._seen_twice = self._seen_twice, False
        for message in mail:
            if message.name == COMMAND:
                self._commands.append(str(message.value))
            if message.community != self.community:
                continue
            name = message.name
            if again and self._last.get(name) == message:
                continue
            self._last[name] = message
            for way in self._by_name.get(name, ()):
                self._send(way, message)
            for way in self._by_pattern:
                self._send(way, message)

    def iterate(self) -> None:
        """Execute commands, and open the outputs requested a second ago."""
        commands, self._commands = self._commands, []
        for command in commands:
            self._execute(command)
        self._open_due()

    def report(self) -> Iterable[str]:
        """Yield the input routes, and every output with its number of forwarded messages."""
        yield f"listens at: {', '.join(inlet.address for inlet in self.listens) or 'nothing'}"
        for way in self._active:
            yield f"{way.output}: {way.count}"

    def _send(self, way: ActiveOutput, message: Message) -> None:
        output = way.output
        if output.covers(message.name, message.source) and way.take(self.instant):
            self.share(message, output.address, output.name_there(message.name))

    def _open(self, output: Output) -> None:
        """Activate an output; present values are forwarded at once."""
        way = ActiveOutput(output, self.instant)
        self._active.append(way)
        if is_pattern(output.source) or output.app != "*":
            self._by_pattern.append(way)
        else:
            self._by_name.setdefault(output.source, []).append(way)
        for message in list(self._last.values()):
            self._send(way, message)
        if (output.source, output.app) not in self._received:
            self._received.add((output.source, output.app))
            self.register(output.source, source=output.app)
            self._seen_twice = True

    def _execute(self, command: str) -> None:
        """Execute a command: ``cmd = output, src_name = ...``."""
        verb, rest = split_first(command, ",")
        key, word = split_first(verb, "=")
        try:
            if key.lower() != "cmd" or word.lower() not in ("output", "input"):
                raise RouteError("expected cmd = output, src_name = X, route = host:port")
            if word.lower() == "input":
                self._check_inputs(rest)
                return
            active = {way.output.route: way for way in self._active}
            known = {*active, *(output.route for _, output in self._pending)}
            outputs = read_outputs(rest)
            fresh = [output for output in outputs if output.route not in known]
            if len(known) + len(fresh) > MOST_NAMES:
                raise RouteError(f"expected at most {MOST_NAMES} outputs")
        except RouteError as error:
            self.run_warning(f"{COMMAND} = {command}: {error}")
            return
        for output in fresh:
            since = self.open_outlet(output.address, output.names_there)
            self._pending.append((since, output))
        for output in outputs:
            if (way := active.get(output.route)) is not None:
                self._restate(way, output)

    def _restate(self, way: ActiveOutput, output: Output) -> None:
        """Let the limits of a route that is open already count from now, as MOOS's pShare does.

        One whose duration is 0 forwards the present value, and no more.
        """
        if output == way.output and not output.limited:
            return
        once = output.duration == 0.0 and not is_pattern(output.source)
        way.start(replace(output, duration=None, most=1) if once else output, self.instant)
        if once and (last := self._last.get(output.source)) is not None:
            self._send(way, last)

    def _open_due(self) -> None:
        due = [output for since, output in self._pending if since <= self.instant]
        self._pending = [row for row in self._pending if row[0] > self.instant]
        for output in due:
            self._open(output)
        if due:
            self._post_outputs()

    def _check_inputs(self, text: str) -> None:
        known = {inlet.address for inlet in self.listens}
        for address, _ in read_inputs(text):
            if address not in known:
                raise RouteError(f"{address}: expected as an Input line: inputs open at the start")

    def _post_outputs(self) -> None:
        self.post(OUTPUTS, ", ".join(str(way.output) for way in self._active))
