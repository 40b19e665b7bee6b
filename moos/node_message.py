"""Messages from one vessel to others, and their acknowledgements, as one line of text each.

    src_node=abe,dest_node=ben:cal,src_app=pHelmIvP,var_name=RETURN,string_val=true
    id=abe_7,src=ben,dest=abe

The receiver posts the variable. Text with commas, quotes, or blanks at its ends stands in quotes;
those within it are doubled. Source: MOOS-IvP's NodeMessage and AckMessage.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from steerageway.moos.values import Value, by_key, fixed, is_number, truth

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
    """A message that has a variable posted at other vessels.

    Attributes:
        variable, value: what is posted there.
        source: the vessel that sends it.
        to: vessels by colons, or "all"; "" where a group is given.
        group: only vessels of this group; "all" for any.
        app, behavior: who sends it.
        color: of the line a viewer draws; "" for its own.
        ack_id: names the message where an acknowledgement is wanted.
        wants_ack: whether one is.
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
        """The vessels it names, in lower case."""
        return tuple(name.strip().lower() for name in self.to.split(":") if name.strip())

    def text(self) -> str:
        """Write the message."""
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
            fields.append(f"double_val={_number_text(self.value)}")
        else:
            fields.append(f"string_val={_quoted(self.value)}")
        return ",".join(fields)


def parse_node_message(text: str, app: str = "") -> NodeMessage:
    """Read a message; keys in any case, unknown ones are left out.

    Args:
        app: who sends it, if the message does not say.
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
    """An acknowledgement: the id of the message, who acknowledges it, and who sent it."""

    ack_id: str
    source: str
    to: str

    def text(self) -> str:
        """Write the acknowledgement."""
        return f"id={self.ack_id},src={self.source},dest={self.to}"


def parse_ack_message(text: str) -> AckMessage:
    """Read an acknowledgement; keys in any case.

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
    if not is_number(number):
        raise NodeMessageError("double_val", number, "expected a number")
    return float(number)


def _quoted(text: str) -> str:
    if text == text.strip() and not any(mark in text for mark in ',"'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _unquoted(text: str) -> str:
    """Take quotes away that stand around the whole text, not around words in it."""
    if len(text) < 2 or not text[0] == text[-1] == '"' or '"' in text[1:-1].replace('""', ""):
        return text
    return text[1:-1].replace('""', '"')


def _number_text(value: float) -> str:
    """Write a number with five decimals, with more where these would change it."""
    short = fixed(value)
    return short if float(short) == value else format(Decimal(repr(value)), "f")
