"""Every way in which a value comes in refuses it with the same sentence, except for its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from steerageway.bus import Config, Options, declare
from steerageway.declarations import Number, member_of
from steerageway.declarations.arguments import Parser, argument
from steerageway.declarations.key import declared
from steerageway.diagnostics.diagnostic import diagnostics_of
from steerageway.helm.settings import CommonSettings, parameter, put
from steerageway.moos.lines import Line
from steerageway.moos.measures import Measures
from steerageway.vessel.fossen.keys import inertia, thrusters
from steerageway.world.document import Section, read
from steerageway.world.units import quantity

MISTAKES = ("-1", "abc", "nan", "1e999", "")
SENTENCE = "expected a number above 0"
_, (GAIN,) = declared("gain [m] > 0: what is declared")


@dataclass(frozen=True)
class Block(Options):
    """A block of an app."""

    gain: float = declare.number(1, "what is declared", unit="m", above=0)


@dataclass
class Settings(CommonSettings):
    """The settings of a behavior."""

    gain: float = parameter("1", Number(above=0), "what is declared [m]")


def of_yaml(folder: Path, key: str, text: str) -> Section:
    """Return a YAML file with one key."""
    (folder / "own.yml").write_text(f"{key}: {text}\n")
    return read(folder / "own.yml")


def block(folder: Path, key: str, text: str) -> None:
    config = Config([(key, text, "a.moos:7")])
    Block.read(config)
    for line in config.unread():
        raise ValueError(str(config.unknown_key(line)))


def getter(folder: Path, key: str, text: str) -> None:
    Config([(key, text, "a.moos:7")]).number("gain", default=1.0, above=0.0)


def behavior(folder: Path, key: str, text: str) -> None:
    put(Settings(), key, text)


def global_line(folder: Path, key: str, text: str) -> None:
    Line(key, text, "a.moos:7").read(Number(above=0))


def shape(folder: Path, key: str, text: str) -> None:
    Measures({key: text}, ValueError).positive("gain")


def yaml_key(folder: Path, key: str, text: str) -> None:
    section = of_yaml(folder, key, text)
    section.number(GAIN) if key == "gain" else None
    section.finish(["gain"])


def yaml_positive(folder: Path, key: str, text: str) -> None:
    of_yaml(folder, key, text).positive("gain")


def yaml_quantity(folder: Path, key: str, text: str) -> None:
    quantity(of_yaml(folder, key, text), GAIN)


class Tool(Parser):
    """A command whose errors are raised."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message.removeprefix("argument --"))


def option(folder: Path, key: str, text: str) -> None:
    tool = Tool(prog="tool")
    tool.add_argument("--gain", type=argument(Number(above=0)))
    tool.parse_args([f"--{key}={text}"])


def option_of_a_subcommand(folder: Path, key: str, text: str) -> None:
    tool = Tool(prog="tool").add_subparsers().add_parser("one")
    tool.add_argument("--gain", type=argument(Number(above=0)))
    tool.parse_args([f"--{key}={text}"])


def request(folder: Path, key: str, text: str) -> None:
    value = text if text in ("", "abc") else json.loads(text.replace("nan", "NaN"))
    member_of({key: value}, "gain", Number(above=0))


Door = Callable[[Path, str, str], None]
DOORS: tuple[Door, ...] = (
    *(block, getter, behavior, global_line, shape),
    *(yaml_key, yaml_positive, yaml_quantity, option, option_of_a_subcommand, request),
)
KEYED: tuple[Door, ...] = (block, behavior, yaml_key, option, option_of_a_subcommand)


def said(door: Door, folder: Path, key: str, text: str) -> str:
    """Return the error at a door, without its place."""
    with pytest.raises((Exception, SystemExit)) as raised:
        door(folder, key, text)
    return re.sub(r"^\S+:\d+: ", "", str(diagnostics_of(raised.value)[0]))


@pytest.mark.parametrize("text", MISTAKES)
@pytest.mark.parametrize("door", DOORS)
def test_every_mistake_is_refused_with_one_text(door: Door, text: str, tmp_path: Path) -> None:
    about, _, sentence = said(door, tmp_path, "gain", text).partition(": expected")
    assert f"expected{sentence}" == SENTENCE
    assert about.startswith("gain")
    assert text.replace("1e999", "") in about  # JSON has no such number: it is infinite


@pytest.mark.parametrize("door", KEYED)
def test_a_misspelt_key_is_answered_with_one_question(door: Door, tmp_path: Path) -> None:
    said_so = said(door, tmp_path, "gian", "2").replace("--", "")
    assert said_so == f"gian{said_so[4:].partition(':')[0]}: unknown key; did you mean gain?"


@pytest.mark.parametrize("text", ["-5", "0"])
def test_a_declared_minimum_holds_however_a_key_is_asked_for(text: str, tmp_path: Path) -> None:
    section = of_yaml(tmp_path, "n_max", text)
    for ask in (section.number, section.positive):
        with pytest.raises(ValueError, match=f"n_max = {text}: expected a number above 0$"):
            ask(thrusters.N_MAX)


@pytest.mark.parametrize("ask", [Section.matrix, Section.vector, Section.number])
def test_an_absent_key_without_a_default_is_missing(
    ask: Callable[[Section, str], object], tmp_path: Path
) -> None:
    key = {
        Section.matrix: inertia.INERTIA_MATRIX,
        Section.vector: thrusters.LOCATION,
        Section.number: GAIN,
    }[ask]
    with pytest.raises(ValueError, match=rf"own\.yml: {key.name} is missing: expected "):
        ask(of_yaml(tmp_path, "other", "1"), key)
