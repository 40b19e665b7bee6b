"""``uFldRescueMgr``: the referee of a rescue of persons in the water, on the shore.

It knows where the swimmers are, and tells the vessels of the registered ones. A rescue vessel that
requests it rescues swimmers within its range by chance, and a scout finds unregistered ones for the
rescue vessel that it works for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist, inf

from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import AS_MOOS_LINES, color, repeats_faults, text_of_file
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.shared.flags import PostFlag, bracketed, flags
from steerageway.apps.shared.limited import Limited
from steerageway.bus import App, Config, Entry, Message, Options, declare, variables
from steerageway.declarations import Number, field_of
from steerageway.helm.contact import DECAY, REPORTS, TIME_TOLERANCE, ContactList
from steerageway.moos.lines import keyed_lines
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.moos.seglist import Point
from steerageway.moos.swimmer import REGISTERED, Swimmer, parse_swimmer
from steerageway.moos.values import by_key, fixed, trimmed
from steerageway.moos.view import look, marker, points_text

RESCUE, SCOUT = "rescue", "scout"
WAITS: Mapping[str, float] = {RESCUE: 1.0, SCOUT: 1.5}  # between two tries of a vessel [s]
REQUEST_AGE = 5.0  # for which a request holds [s]
DRAWN_AGE = 3.0  # for which the ranges are drawn after a request [s]
ALERT_PERIOD = 15.0  # between two posts of the registered swimmers [s]
FOUND_WITHIN = 10.0  # of XFOUND_SWIMMER [m]
NATURE, TIE, PENDING = "nature", "tie", "pending"
SHORE = "shoreside"
GRAY = "gray50"
IDS = 99  # numbers that are drawn; further swimmers are numbered in turn


def _ranges(config: Config, names: Sequence[str]) -> tuple[float, float]:
    """Read both ranges, of which the later line moves the other one, as in MOOS-IvP."""
    least, most = 25.0, 40.0
    for entry in config.in_turn(*names):
        value = config.read(entry, Number(low=0.0))
        if entry.key.lower() == names[0]:
            least, most = value, most if most > value else value + 1.0
        else:
            least, most = least if least < value else 0.9 * value, value
    return least, most


@dataclass(frozen=True)
class RescueOptions(Options):
    """Parameters of the configuration block."""

    swim_file: Entry | None = declare.line("file with lines swimmer = name=p01,x=1,y=2 and poly")
    rescue_rng_min: tuple[float, float] = declare.custom(
        _ranges,
        "range [m] within which a try has the probability rescue_rng_pd; "
        "from there it decreases to 0 at rescue_rng_max [m]",
        default="25",
        aliases=("rescue_rng_max",),
    )
    rescue_rng_pd: float = declare.number(
        0.5, "probability that a try succeeds near a swimmer", low=0, high=1
    )
    show_rescue_rng: bool = declare.flag(True, "false: do not draw the ranges of vessels")
    rescue_rng_transparency: float = declare.number(0.1, "opacity of drawn ranges", low=0, high=1)
    swimmer_color: str = color("dodger_blue", "colour of registered swimmers")
    finish_upon_win: bool = declare.flag(False, "true: a winner finishes a mission without scouts")
    leader_flag: tuple[PostFlag, ...] = flags("when the leader changes, with $[LEADER], $[WINNER]")
    winner_flag: tuple[PostFlag, ...] = flags("when there is a winner")
    finish_flag: tuple[PostFlag, ...] = flags("when all known swimmers are rescued")
    as_moos: bool = repeats_faults(
        "moos: the probability increases from 0 to rescue_rng_pd between the ranges; nature may "
        "lead and win; of equal winners the vessel with the oldest last rescue wins; a mission "
        "of unregistered swimmers is finished at once"
    )


@dataclass
class Team:
    """A vessel that takes part.

    Attributes:
        name: as in its first request; role: RESCUE or SCOUT.
        mate: the rescue vessel that a scout works for; "" for a rescue vessel.
        asked, tried: when it requested and tried last [s].
        tries: number of tries.
    """

    name: str
    role: str
    mate: str = ""
    asked: float = -inf
    tried: float = -inf
    tries: int = 0


@dataclass
class Score:
    """The rescues of a vessel, or of nature: how many, and when the last one was [s]."""

    rescues: int = 0
    last: float = 0.0


@dataclass
class State:
    """What has been decided: leader, winner ("" for none yet), and the end."""

    leader: str = TIE
    winner: str = ""
    is_finished: bool = False
    scores: dict[str, Score] = field(default_factory=dict)


# Many methods: requests, rules and drawings of one referee share its swimmers and vessels.
class RescueMgr(App):
    """Decides who rescues and finds swimmers."""

    publications = variables.published("""
        SWIMMER_ALERT_* | text | m | | 15 s | `x=23, y=-54, id=04`: a registered swimmer
        RESCUED_SWIMMER | text | | | on a rescue | `id=04, finder=abe`
        FOUND_SWIMMER | text | | | on a rescue | the same, by its older name
        SCOUTED_SWIMMER_* | text | m | | on a find | `id=25, x=-48.20, y=-55.50`
        UFRM_LEADER | text | | | on change | the vessel with most rescues, or `tie`
        UFRM_WINNER | text | | | on a rescue | a vessel with half of them, or `pending`
        UFRM_FINISHED | text | | | when all known swimmers are rescued | `true`
        RESCUE_REGION | text | m | | with the markers | where the swimmers are
        NODE_COLOR_CHANGE_* | text | | | 15 s | a scout's colour: its rescue vessel's
        PLOGGER_CMD | text | | | once | `COPY_FILE_REQUEST = swim.txt`
        VIEW_MARKER | text | m | | on a rescue or find | a swimmer, for viewers
        VIEW_POLYGON | text | m | | with them | where the swimmers are, for viewers
        VIEW_CIRCLE | text | m | | each tick | ranges of a vessel, for viewers
    """)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard("RESCUE_REQUEST", what="`vname=abe`: rescue, for 5 s"),
        variables.heard("SCOUT_REQUEST", what="`vname=cal, tmate=abe`: scout for abe, for 5 s"),
        variables.heard("XSWIMMER_ALERT", what="`type=unreg, x=92, y=31`: a further swimmer"),
        variables.heard(
            "XFOUND_SWIMMER", what="`x=-16.5, y=4.3`: the swimmer there needs no rescue"
        ),
    )
    subscribes = (*REPORTS, "RESCUE_REQUEST", "SCOUT_REQUEST", "XSWIMMER_ALERT", "XFOUND_SWIMMER")
    parameters = RescueOptions.parameters()
    peer_lines = AS_MOOS_LINES

    def configure(self) -> None:
        """Read the block and the file of swimmers."""
        self._options = RescueOptions.read(self.config)
        flagged = "leader_flag", "winner_flag", "finish_flag"
        lines: list[tuple[PostFlag, ...]] = [getattr(self._options, one) for one in flagged]
        self.publishes = (*self.publishes, *(one.variable for some in lines for one in some))
        self._contacts = ContactList("", inf, read_datum(self.setting.globals))
        self._teams = Limited[Team]()
        self._swimmers = Limited[Swimmer]()
        self._state = State()
        self._region: Polygon | None = None
        self._has_scouts = False
        self._alerted = -inf
        self._chance = self.random("tries")
        self._ids = list(range(IDS))
        self.random("ids").shuffle(self._ids)
        self._read_file(self._options.swim_file)

    def _read_file(self, entry: Entry | None) -> None:
        text = text_of_file(self.config, entry, self.setting.folder)
        for number, key, value in keyed_lines(text):
            try:
                if key == "swimmer":
                    self._add(parse_swimmer(value, self._swimmers, REGISTERED))
                elif key in ("poly", "region"):
                    self._region = parse_polygon(value)
                else:
                    raise ValueError("expected one of swimmer, poly, region")
            except ValueError as error:
                line = Entry(key, value, f"{entry.value if entry else ''}:{number}")
                self.config.warn(line, f"{error}; this line is left out")
        if not self._swimmers:
            self.config_warning("no swim_file with swimmers: nobody is to be rescued")

    def _add(self, swimmer: Swimmer) -> None:
        count = len(self._swimmers)
        swimmer.number = self._ids[count] if count < IDS else count
        self._swimmers[swimmer.name] = swimmer

    def on_start(self) -> None:
        """Register, request a copy of the file from the logger, and draw the swimmers."""
        super().on_start()
        if self._options.swim_file is not None:
            self.post("PLOGGER_CMD", f"COPY_FILE_REQUEST = {self._options.swim_file.value}")
        self._draw()
        self._update_end()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take reports, requests, and what the operator adds."""
        for message in mail:
            if message.name in REPORTS:
                known = len(self._contacts)
                self._contacts.take_report(message.name, message.value, self.utc, self.run_warning)
                if len(self._contacts) > known:
                    self._alert()
                continue
            text = str(message.value)
            try:
                self._take(message, by_key(text), text)
            except ValueError as error:
                self.run_warning(f"{message.name} = {text}: {error}")

    def _take(self, message: Message, fields: Mapping[str, str], text: str) -> None:
        if message.name == "RESCUE_REQUEST":
            self._ask(Team(fields.get("vname", ""), RESCUE))
            return
        if message.name == "SCOUT_REQUEST":
            self._has_scouts = True
            if not fields.get("tmate"):
                raise ValueError("expected tmate=NAME of the rescue vessel")
            self._ask(Team(fields.get("vname", ""), SCOUT, fields["tmate"]))
            return
        if message.community not in (SHORE, self.community):
            raise ValueError(f"expected it from {self.community}")
        if message.name == "XSWIMMER_ALERT":
            self._add(parse_swimmer(text, self._swimmers))
            self._update_end()
            self._draw()
        else:
            place = field_of(fields, "x", Number()), field_of(fields, "y", Number())
            near = [one for one in self._left() if dist(one.place, place) <= FOUND_WITHIN]
            if near:
                self._rescue(NATURE, min(near, key=lambda one: dist(one.place, place)))

    def _ask(self, asks: Team) -> None:
        if not asks.name:
            raise ValueError("expected vname=NAME")
        team = self._teams.setdefault(asks.name.lower(), asks)
        if team.role != asks.role:
            raise ValueError(f"expected a {team.role} request: {team.name} has made one")
        if team.mate.lower() != asks.mate.lower():
            raise ValueError(f"expected tmate={team.mate}, as before")
        team.asked = self.time

    def iterate(self) -> None:
        """Let the vessels try, draw their ranges, and tell of the swimmers from time to time."""
        if not self._state.is_finished:
            for role in (RESCUE, SCOUT):
                for _, team in sorted(self._teams.items()):
                    if team.role == role:
                        self._try(team)
        if self._options.show_rescue_rng:
            for team in self._teams.values():
                self._draw_ranges(team)
        if self.time - self._alerted > ALERT_PERIOD - TIME_TOLERANCE:
            self._alerted = self.time
            self._alert()
            self._color_scouts()

    def _left(self) -> list[Swimmer]:
        """The swimmers who are not rescued, by name."""
        left = (one for one in self._swimmers.values() if one.rescuer is None)
        return sorted(left, key=lambda one: one.name)

    def _try(self, team: Team) -> None:
        here = self._place(team.name)
        is_early = self.time - team.tried < WAITS[team.role] - TIME_TOLERANCE
        if here is None or is_early or self.time - team.asked > REQUEST_AGE:
            return
        team.tried = self.time
        team.tries += 1
        for swimmer in self._left():
            way = dist(here, swimmer.place)
            if way < self._options.rescue_rng_min[1] and self._chance.random() < self._odds(way):
                if team.role == RESCUE:
                    self._rescue(team.name, swimmer)
                else:
                    self._find(team, swimmer)

    def _odds(self, way: float) -> float:
        """Return the probability of a try at a distance [m] below the maximum."""
        (least, most), near = self._options.rescue_rng_min, self._options.rescue_rng_pd
        if way < least:
            return near
        share = (way - least) / (most - least)
        return near * (share if self._options.as_moos else 1.0 - share)

    def _place(self, name: str) -> Point | None:
        """Return a vessel's position now; None before its first report."""
        contact = self._contacts.get(name)
        return None if contact is None else contact.now(self.utc, DECAY)[:2]

    def _rescue(self, name: str, swimmer: Swimmer) -> None:
        swimmer.rescuer = name
        score = self._state.scores.setdefault(name, Score())
        score.rescues, score.last = score.rescues + 1, self.time
        self._update_leader()
        self._update_winner()
        self._update_end()
        self.event(f"{swimmer.name} is rescued by {name}")
        self._draw()
        for variable in ("RESCUED_SWIMMER", "FOUND_SWIMMER"):
            self.post(variable, f"id={swimmer.number:02d}, finder={name}")

    def _find(self, team: Team, swimmer: Swimmer) -> None:
        if swimmer.is_registered or team.name in swimmer.scouts:
            return
        swimmer.scouts.append(team.name)
        self.event(f"{swimmer.name} is found by {team.name}")
        self._draw()
        x, y = (fixed(one, 2) for one in swimmer.place)
        text = f"id={swimmer.number:02d}, x={x}, y={y}"
        self.post(f"SCOUTED_SWIMMER_{team.name.upper()}", text)

    def _scores(self) -> dict[str, Score]:
        scores = self._state.scores
        return {n: one for n, one in scores.items() if n != NATURE or self._options.as_moos}

    def _update_leader(self) -> None:
        scores, state = self._scores(), self._state
        most = max((one.rescues for one in scores.values()), default=0)
        first = [name for name, one in scores.items() if one.rescues == most]
        leader = first[0] if len(first) == 1 else TIE
        if leader != state.leader:
            state.leader = leader
            self.post("UFRM_LEADER", leader)
            self._post_flags(self._options.leader_flag)

    def _update_winner(self, *, at_end: bool = False) -> None:
        state, scores = self._state, self._scores()
        if state.winner:
            return
        half = sum(one.is_known for one in self._swimmers.values()) / 2
        winners = [name for name, one in scores.items() if one.rescues >= half]
        if not winners:
            self.post("UFRM_WINNER", PENDING)
        elif (
            at_end
            or not self._has_scouts
            or self._options.finish_upon_win
            or (self._options.as_moos)
        ):
            among = scores if len(winners) > 1 and self._options.as_moos else winners
            state.winner = min(among, key=lambda name: scores[name].last)
            self.post("UFRM_WINNER", state.winner)
            self._post_flags(self._options.winner_flag)

    def _update_end(self) -> None:
        state, swimmers = self._state, self._swimmers.values()
        if state.is_finished or not swimmers:
            return
        known = [one for one in swimmers if one.is_known]
        is_won = state.winner and self._options.finish_upon_win and not self._has_scouts
        all_rescued = all(one.rescuer for one in known) and (known or self._options.as_moos)
        if is_won or all_rescued:
            state.is_finished = True
            self.post("UFRM_FINISHED", "true")
            self._post_flags(self._options.finish_flag)
            self._update_winner(at_end=True)

    def _post_flags(self, lines: Sequence[PostFlag]) -> None:
        macros = bracketed({"LEADER": self._state.leader, "WINNER": self._state.winner or PENDING})
        for one in lines:
            self.post(one.variable, one.expanded(macros))

    def _alert(self) -> None:
        """Tell each vessel of the registered swimmers."""
        swimmers = sorted(self._swimmers.values(), key=lambda one: one.name)
        for contact in self._contacts:
            for one in swimmers:
                if one.is_registered:
                    x, y = (trimmed(value, 1) for value in one.place)
                    text = f"x={x}, y={y}, id={one.number:02d}"
                    self.post(f"SWIMMER_ALERT_{contact.name.upper()}", text)

    def _color_of(self, name: str) -> str:
        contact = self._contacts.get(name)
        return "" if contact is None else contact.record.color

    def _color_scouts(self) -> None:
        for team in self._teams.values():
            if team.mate and self._color_of(team.mate):
                self.post(f"NODE_COLOR_CHANGE_{team.name.upper()}", self._color_of(team.mate))

    def _draw(self) -> None:
        """Draw the swimmers and their region."""
        for one in sorted(self._swimmers.values(), key=lambda one: one.name):
            shape, drawn = self._look_of(one)
            self.post(
                "VIEW_MARKER",
                marker(one.place, label=one.name, shape=shape, color=drawn, width=3),
            )
        if self._region is not None:
            text = f"pts={{{points_text(self._region.points, 5)}}},label=rescue_region"
            self.post("VIEW_POLYGON", f"{text},edge_color=gray90,vertex_color=dodger_blue")
            self.post("RESCUE_REGION", text)

    def _look_of(self, one: Swimmer) -> tuple[str, str]:
        """Return shape and colour of a swimmer's marker."""
        if one.rescuer is not None:
            return "triangle", self._color_of(one.rescuer) or GRAY
        if one.is_registered:
            return "triangle", self._options.swimmer_color
        mates = (self._teams[name.lower()].mate for name in one.scouts)
        return "efield", next(filter(None, map(self._color_of, mates)), GRAY)

    def _draw_ranges(self, team: Team) -> None:
        here = self._place(team.name)
        if here is None:
            return
        state = "true" if self.time - team.asked < DRAWN_AGE else "false"
        inside = f"fill_transparency={trimmed(self._options.rescue_rng_transparency, 2)}"
        where = f"x={trimmed(here[0], 2)},y={trimmed(here[1], 2)},active={state}"
        for end, radius in zip(("min", "max"), self._options.rescue_rng_min, strict=True):
            label = f"sensor_{end}_{team.role}_{team.name}"
            drawn = look(label=label, label_color="off", edge_color="off", vertex_color="off")
            text = f"{where},radius={trimmed(radius, 2)},{drawn},fill_color=white,{inside}"
            self.post("VIEW_CIRCLE", text)

    def report(self) -> Iterable[str]:
        """Return leader and winner, and a line for each vessel and swimmer."""
        state = self._state
        yield f"leader: {state.leader}, winner: {state.winner or PENDING}"
        yield f"{'finished' if state.is_finished else 'not finished'}: {len(self._left())} left"
        for team in self._teams.values():
            rescues = state.scores.get(team.name, Score()).rescues
            yield f"{team.name}: {team.role}, {team.tries} tries, {rescues} rescues"
        for one in self._swimmers.values():
            fate = f"rescued by {one.rescuer}" if one.rescuer else "in the water"
            yield f"{one.name} (id {one.number:02d}): {fate}, scouts: {', '.join(one.scouts)}"
