"""XML reader that keeps line numbers, for errors with the place of the offending value.

For safety, a file with a document type (and so with entities) is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from steerageway.declarations import all_finite
from steerageway.vessel.errors import InvalidValue
from steerageway.world.document import text_of

DEEPEST = 100  # maximum depth of nested elements


@dataclass
class Element:
    """An element of a file.

    Attributes:
        path, line: of its start.
        name: its tag. attributes: by name. children: in order. text: stripped.
    """

    path: Path
    line: int
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> Iterator[Element]:
        """Return the children with a name."""
        return (child for child in self.children if child.name == name)

    def find(self, *names: str) -> Element | None:
        """Return the first child with one of these names."""
        return next((child for child in self.children if child.name in names), None)

    def deep(self) -> Iterator[Element]:
        """Yield the element and all its descendants."""
        yield self
        for child in self.children:
            yield from child.deep()

    def fail(self, expected: str) -> NoReturn:
        """Raise an error with the element's place and the expected value."""
        value = f" = {self.text}" if self.text else ""
        raise InvalidValue(f"<{self.name}>{value}: expected {expected}", f"{self.path}:{self.line}")

    def word(self, *names: str, default: str = "") -> str:
        """Return the text of a child."""
        child = self.find(*names)
        return default if child is None else child.text

    def number(self, *names: str, default: float | None = None) -> float:
        """Return the number in a child."""
        child = self.find(*names)
        if child is None:
            return self.fail(f"<{names[0]}> in it") if default is None else default
        return child.numbers(1)[0]

    def numbers(self, *sizes: int) -> list[float]:
        """Return its text as numbers; their count has to be one of ``sizes``."""
        return _sized(self, self.text, sizes, self.fail)

    def attribute(self, name: str, size: int, default: list[float]) -> list[float]:
        """Return an attribute as numbers."""
        if name not in self.attributes:
            return default
        text = self.attributes[name]

        def fail(expected: str) -> NoReturn:
            where = f"{self.path}:{self.line}: <{self.name} {name}={text!r}>"
            raise InvalidValue(f"expected {expected}", where)

        return _sized(self, text, (size,), fail)


def _sized(element: Element, text: str, sizes: tuple[int, ...], fail: object) -> list[float]:
    assert callable(fail)
    found = all_finite(text.replace(",", " ").split())
    if found is None or len(found) not in sizes:
        fail(f"{' or '.join(map(str, sizes))} finite number{'s' if max(sizes) > 1 else ''}")
    assert found is not None  # else it has failed
    return found


def read_xml(path: Path, text: str | None = None) -> Element:
    """Read a file, or its expanded text.

    Raises:
        InvalidValue: the file does not exist, is not XML, or has a document type.
    """
    if not path.is_file():
        raise InvalidValue("no such file; expected a URDF", str(path))
    parser = expat.ParserCreate()
    top = Element(path, 1, "")
    open_ = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(path, parser.CurrentLineNumber, name, attributes)
        if len(open_) > DEEPEST:
            element.fail(f"at most {DEEPEST} elements within one another")
        open_[-1].children.append(element)
        open_.append(element)

    def end(name: str) -> None:
        element = open_.pop()
        element.text = element.text.strip()

    def data(text: str) -> None:
        open_[-1].text += text

    def doctype(*_: object) -> None:
        raise InvalidValue("expected no document type", f"{path}:{parser.CurrentLineNumber}")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = data, doctype
    try:
        parser.Parse(text_of(path) if text is None else text, True)
    except expat.ExpatError as error:
        raise InvalidValue(f"not XML: {error}", f"{path}:{error.lineno}") from error
    return top.children[0]
