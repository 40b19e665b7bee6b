"""Which variables a behavior posts, and which it wants to hear."""

from __future__ import annotations

from apps.helm.behaviors.base import AnyBehavior
from apps.helm.settings import CommonSettings, all_flags


def publications(behavior: AnyBehavior, settings: CommonSettings) -> list[str]:
    """Give every variable a behavior may post with these settings, under its final name."""
    names = list(behavior.publishes(settings))
    for flag in all_flags(settings):
        if flag.here:
            names.append(flag.variable)
        if flag.destination:
            names.append("NODE_MESSAGE_LOCAL")
    if settings.duration_status:
        names.append(settings.duration_status)
    renamed = dict(settings.post_mapping)
    final = (renamed.get(name, name) for name in dict.fromkeys(names))
    return [name for name in final if name.lower() != "silent"]


def subscriptions(behavior: AnyBehavior) -> list[str]:
    """Give every variable a behavior wants to hear."""
    settings: CommonSettings = behavior.settings
    names = list(behavior.listens(settings))
    conditions = [*settings.condition, *(f.condition for f in all_flags(settings) if f.condition)]
    names += [name for condition in conditions for name in condition.variables]
    names += [name for starvation in settings.nostarve for name in starvation.variables]
    names += [settings.updates] if settings.updates else []
    names += [settings.duration_reset.variable] if settings.duration_reset else []
    return list(dict.fromkeys(names))
