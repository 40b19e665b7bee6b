"""Node messages from one vessel to others, and their acknowledgements, as one line of text each.

    src_node=abe,dest_node=ben:cal,src_app=pHelmIvP,var_name=RETURN,string_val=true
    id=abe_7,src=ben,dest=abe

The receiver posts the variable. A text with commas, quotes, or blanks at its ends is quoted, and
quotes in it are doubled. Source: MOOS-IvP's NodeMessage and AckMessage.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from steerageway.declarations import truth
from steerageway.moos.values import Value, by_key, fixed, number_of

ALL = "all"


class NodeMessageError(ValueError):
    """A text is no message, or no acknowledgement.

    Attributes: key, value, expected.
    """

    def __init__(self, key: str, value: str, expected: str) -> None:
        self.key, self.value, self.expected = key, value, expected
        super().__init__(f"node message: {key}={value}: {expected}")


@dataclass(frozen=True, slots=True)
class NodeMessage:
    """A message that posts a variable at other vessels.

    Attributes:
        variable, value: the post.
        source: the sending vessel.
        to: vessels separated by colons, or "all"; "" if a group is given.
        group: only vessels of this group; "all" for any.
        app, behavior: the sender.
        color: of the line that a viewer draws; "" for the viewer's own.
        ack_id: identifies the message, if an acknowledgement is requested.
        wants_ack: whether one is requested.
    """

    variable: str
    value: Value
    source: str
    to: str = ""
    group: str = ""
    app: str = ""
    behavior: str = ""
    color: str = ""
    ack_id: str = ""
    wants_ack: bool = False

    @property
    def addressees(self) -> tuple[str, ...]:
        """The names of the addressed vessels, in lower case."""
        return tuple(name.strip().lower() for name in self.to.split(":") if name.strip())

    def text(self) -> str:
        """Return the message as text."""
        values = {
            "ack_id": self.ack_id,
            "ack": "true" if self.wants_ack else "",
            "src_node": self.source,
            "dest_node": self.to,
            "dest_group": self.group,
            "src_app": self.app,
            "src_bhv": self.behavior,
            "var_name": self.variable,
            "color": self.color,
        }
        fields = [f"{key}={text}" for key, text in values.items() if text]
        if isinstance(self.value, float):
            fields.append(f"double_val={_decimal(self.value)}")
        else:
            fields.append(f"string_val={_quoted(self.value)}")
        return ",".join(fields)


def parse_node_message(text: str, app: str = "") -> NodeMessage:
    """Parse a message; keys in any case, unknown ones are ignored.

    Args:
        app: the sender, if the message does not name it.
    Raises:
        NodeMessageError: a field is missing or wrong.
    """
    fields = by_key(text)
    for key in ("src_node", "var_name"):
        if not fields.get(key):
            raise NodeMessageError(key, "", "expected a name")
    if not (fields.get("dest_node") or fields.get("dest_group")):
        raise NodeMessageError("dest_node", "", "expected a vessel, or a dest_group")
    return NodeMessage(
        variable=fields["var_name"],
        value=_value(fields),
        source=fields["src_node"],
        to=fields.get("dest_node", ""),
        group=fields.get("dest_group", ""),
        app=fields.get("src_app") or app,
        behavior=fields.get("src_bhv", ""),
        color=fields.get("color", ""),
        ack_id=fields.get("ack_id", ""),
        wants_ack=truth(fields.get("ack", "")) is True,
    )


@dataclass(frozen=True, slots=True)
class AckMessage:
    """An acknowledgement: id of the message, acknowledging vessel, and its sender."""

    ack_id: str
    source: str
    to: str

    def text(self) -> str:
        """Return the acknowledgement as text."""
        return f"id={self.ack_id},src={self.source},dest={self.to}"


def parse_ack_message(text: str) -> AckMessage:
    """Parse an acknowledgement; keys in any case.

    Raises:
        NodeMessageError: a field is missing.
    """
    fields = by_key(text)
    for key in ("id", "src", "dest"):
        if not fields.get(key):
            raise NodeMessageError(key, "", "expected a name")
    return AckMessage(fields["id"], fields["src"], fields["dest"])


def _value(fields: dict[str, str]) -> Value:
    number, text = fields.get("double_val"), fields.get("string_val")
    if (number is None) == (text is None):
        raise NodeMessageError("string_val", text or "", "expected it, or a double_val, not both")
    if text is not None:
        return _unquoted(text)
    assert number is not None  # one of the two is there
    if (value := number_of(number)) is None:
        raise NodeMessageError("double_val", number, "expected a number")
    return value


def _quoted(text: str) -> str:
    if text == text.strip() and not any(mark in text for mark in ',"'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _unquoted(text: str) -> str:
    """Remove quotes around the whole text, not around words in it."""
    if len(text) < 2 or not text[0] == text[-1] == '"' or '"' in text[1:-1].replace('""', ""):
        return text
    return text[1:-1].replace('""', '"')


def _decimal(value: float) -> str:
    """Return a number with five decimals, or more if these would change it."""
    short = fixed(value)
    return short if float(short) == value else format(Decimal(repr(value)), "f")
