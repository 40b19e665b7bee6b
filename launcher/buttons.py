"""``--button``: posts of a button in the mission's ``pMarineViewer`` block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from steerageway.bus import Value
from steerageway.diagnostics.nearest import nearest
from steerageway.launcher.community_options import Poke, instant_of
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.missions import Community
from steerageway.launcher.options import Options
from steerageway.moos.errors import FormatError
from steerageway.moos.values import fixed
from steerageway.web.viewer.block import BLOCK, Choice, read_block

_FORM = re.compile(r"(?:@([^:]*):)?(?:([^:]+):)?(.+)", re.DOTALL)


def pressed(text: str, communities: Sequence[Community]) -> list[Poke]:
    """Return the posts of a button, from each community whose viewer block has it.

    Args:
        text: ``[@T:][NAME:]LABEL``; the label in any case.
        communities: of the run.
    Raises:
        LaunchError: it is not of this form, or no block has such a button.
    """
    found = _FORM.fullmatch(text)
    names = [one.name for one in communities]
    if found is None:
        raise LaunchError(f"--button {text}: expected [@T:][NAME:]LABEL")
    time, name, label = found.groups()
    if name is not None and name not in names:
        raise LaunchError(f"--button {text}: expected a community, {nearest(name, names)}")
    buttons = [(one.name, b) for one in communities if name in (None, one.name) for b in _of(one)]
    chosen = [(home, button) for home, button in buttons if _same(button.label, label)]
    if not chosen:
        labels = list(dict.fromkeys(button.label for _, button in buttons))
        there = nearest(label, labels) if labels else f"there is no block {BLOCK} with buttons"
        raise LaunchError(f"--button {text}: expected a button's label; {there}")
    at = instant_of(f"--button {text}", time)
    return [poke for home, button in chosen for poke in _pokes(button, home, at)]


def button_lines(options: Options, communities: Sequence[Community]) -> Iterator[str]:
    """Return a hint at the mission's buttons, if the command line posts and shows nothing."""
    pressed_or_posted = options.buttons or options.pokes or options.inputs
    whole = [one for one in communities if not _is_broken(one)]
    labels = dict.fromkeys(button.label for one in whole for button in _of(one))
    if labels and not pressed_or_posted and options.view is None:
        yield (
            f"buttons of the mission's viewer: {', '.join(labels)};"
            f' --button "{next(iter(labels))}" presses one, --view shows them'
        )


def posts_of_buttons(community: Community) -> Iterator[tuple[str, str]]:
    """Yield variable and text of each post of a community's buttons."""
    for button in () if _is_broken(community) else _of(community):
        yield from button.posts


def _is_broken(community: Community) -> bool:
    """Whether the block lacks a brace: it is not read, with a warning, as no app needs it."""
    return BLOCK.lower() in community.mission.broken


def _of(community: Community) -> Iterable[Choice]:
    """Return the buttons of a community's viewer block."""
    try:
        block = community.mission.block(BLOCK)
    except FormatError as error:
        raise LaunchError(*error.diagnostics) from error
    found = read_block(community.name, () if block is None else block.lines)
    return [button for _, button in sorted(found.buttons.items())]


def _same(one: str, other: str) -> bool:
    return one.strip().lower() == other.strip().lower()


def _pokes(button: Choice, community: str, at: int | None) -> Iterator[Poke]:
    for index, (name, _) in enumerate(button.posts):

        def value(utc: float, index: int = index) -> Value:
            return button.values({"UTC": fixed(utc, 3)})[index][1]

        yield Poke(at, community, name, value)
