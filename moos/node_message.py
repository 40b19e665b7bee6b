"""Messages from one vehicle to others, as ``NODE_MESSAGE_LOCAL`` carries them."""

from __future__ import annotations

from moos.values import Value, fixed


def node_message(
    variable: str,
    value: Value,
    *,
    source: str,
    to: str,
    group: str = "",
    app: str = "",
    behavior: str = "",
) -> str:
    """Write a message that has a variable posted at other vehicles.

    Args:
        variable, value: what is posted there.
        source: the vehicle that sends it.
        to: a vehicle, or "all".
        group: only vehicles of this group.
        app, behavior: who sends it.
    Source: the field's NodeMessage.
    """
    fields = [f"src_node={source}", f"dest_node={to}"]
    optional = {"dest_group": group, "src_app": app, "src_bhv": behavior}
    fields += [f"{key}={text}" for key, text in optional.items() if text]
    fields.append(f"var_name={variable}")
    if isinstance(value, float):
        fields.append(f"double_val={fixed(value)}")
    else:
        fields.append(f'string_val="{value}"' if "," in value else f"string_val={value}")
    return ",".join(fields)
