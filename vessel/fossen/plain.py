"""First steps of a vessel on a machine without its machine code: the compiled texts as Python.

The results are the machine code's, bit for bit: both are IEEE arithmetic in the order of the text
with the C library's functions. Powers would differ, so the compiled texts that are used here write
squares as products. What Python refuses, as a division by zero, is left to machine code. Sums over
waves and meshes, ``seaway.SUMS``, are too long for Python: they alone are compiled at once.

A process of its own compiles once a run is longer than compiling pays for; the run uses machine
code from the first step after that has ended, which may be in a later run.
"""

from __future__ import annotations

import operator
import os
from copy import deepcopy
from functools import cache, partial
from math import inf
from threading import Thread
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from steerageway.vessel.fossen import coefficient, seaway
from steerageway.vessel.fossen.state import Model
from steerageway.world.arrays import Floats
from steerageway.world.compiled import is_kept, pointer, record
from steerageway.world.machine_cache import folder

ENOUGH = 20_000  # evaluations of the right-hand side, a few seconds, that do not pay for compiling
LOOK = 1000  # evaluations from one look for machine code to the next
TYPICAL: dict[Any, str] = {
    coefficient.MODEL.rk4: "otter",
    coefficient.MODEL.quaternion: "rexrov",
    seaway.IN_WAVES.rk4: "wamv",
}
"""The steps that are evaluated in Python, each with a vessel that compiles them."""


@cache
def first_steps(model: Model, scheme: str, compiler: tuple[str, ...] = ()) -> Model:
    """Return a model that evaluates Python until its machine code is there.

    Args:
        model: the compiled model.
        scheme: name of its steps, which are among ``TYPICAL``.
        compiler: command that compiles the model of the vessel named after it; (): none does.
    """
    return _FirstSteps(model, scheme, compiler).model


class _FirstSteps:
    """Calls functions of a model as plain Python, or as machine code once there is some.

    Attributes:
        model: the model with functions that do so.
    """

    def __init__(self, model: Model, scheme: str, compiler: tuple[str, ...]) -> None:
        names = ("derivative", scheme, f"{scheme}_trace")
        self._machine = [getattr(model, name) for name in names]
        self._compile = ("nice", *compiler, TYPICAL[getattr(model, scheme)])
        self._compiled, self._compiling, self._evaluations, self._look = False, False, 0, LOOK
        self._enough = ENOUGH if compiler else inf
        self._loader: Thread | None = None
        self._listed: dict[int, tuple[Any, Any]] = {}
        known: dict[Any, Any] = {one: one for one in seaway.SUMS}
        self._rates = plain(model.derivative, known)
        known[model.derivative] = self._derivative
        made: dict[str, Any] = {
            name: partial(self._call, machine, plain(machine, known))
            for name, machine in zip(names, self._machine, strict=True)
        }
        self.model = model._replace(**made)

    def _call(self, machine: Any, python: Any, parameters: Any, *given: Any) -> Any:
        if self._compiled:
            return machine(parameters, *given)
        x, command, surroundings = given[:3]
        last, around = x.copy(), surroundings.copy()
        if self._evaluations >= self._look:
            self._look = self._evaluations + LOOK
            self._seek((parameters, last.copy(), command.copy(), around.copy()))
        try:
            with np.errstate(all="ignore"):
                return python(self._lists(parameters), *given)
        except (ArithmeticError, ValueError):
            x[:], surroundings[:] = last, around
            return machine(parameters, *given)

    def _derivative(
        self, p: Any, x: Floats, command: Floats, surroundings: Floats, dx: Floats
    ) -> None:
        """Write dx/dt; lists are several times as fast as arrays."""
        self._evaluations += 1
        rates = [0.0] * len(x)
        self._rates(p, x.tolist(), command.tolist(), surroundings.tolist(), rates)
        dx[:] = rates

    def _seek(self, given: tuple[Any, ...]) -> None:
        """Begin to load the machine code, if it is there, or to compile it, if that pays."""
        if self._loader is None and all(map(is_kept, self._machine)):
            # an app that loads it on a busy machine may not answer in time
            self._loader = Thread(target=self._load, args=given, daemon=True)
            self._loader.start()
        elif self._loader is None and not self._compiling and self._evaluations >= self._enough:
            self._compiling = True
            self._begin_to_compile()

    def _begin_to_compile(self) -> None:
        """Start the compiler, unless one is at work for another vessel of this machine."""
        import fcntl  # of Linux, as all of this

        folder().mkdir(parents=True, exist_ok=True)
        with (folder() / f"{self._compile[-1]}.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            files: list[Any] = [
                (os.POSIX_SPAWN_OPEN, i, os.devnull, os.O_RDWR, 0) for i in range(3)
            ]
            files.append((os.POSIX_SPAWN_DUP2, lock.fileno(), 3))  # held until the compiler ends
            # a session of its own: it ends with its work, not with the run
            os.posix_spawnp(
                self._compile[0], self._compile, os.environ, file_actions=files, setsid=True
            )

    def _load(self, parameters: Any, x: Floats, command: Floats, surroundings: Floats) -> None:
        derivative, step, trace = self._machine
        parameters = deepcopy(parameters)  # the run writes into its work arrays at the same time
        derivative(parameters, x, command, surroundings, np.empty_like(x))
        step(parameters, x, command, surroundings, 1.0, 0)
        trace(parameters, x, command, surroundings, 1.0, np.empty((0, 2, x.size)))
        self._compiled = True

    def _lists(self, parameters: Any) -> Any:
        found = self._listed.get(id(parameters))
        if found is None:
            found = self._listed[id(parameters)] = parameters, lists(parameters)
        return found[1]


def lists(p: Any) -> Any:
    """Return parameters as flat lists of numbers, and of records whose fields are attributes.

    Of those in waves, the hull's and the scalars; arrays of ``seaway.SUMS`` remain.
    """

    def records(array: Any) -> list[SimpleNamespace]:
        rows = array.reshape(-1).tolist()
        return [SimpleNamespace(**dict(zip(array.dtype.names, row, strict=True))) for row in rows]

    if isinstance(p, seaway.Parameters):
        return p._replace(hull=lists(p.hull), own=records(p.own))
    numbers = {
        name: getattr(p, name).reshape(-1).tolist()
        for name in ("matrices", "terms", "values", "tables")
    }
    return p._replace(
        scalars=records(p.scalars),
        channels=records(p.channels),
        effectors=records(p.effectors),
        **numbers,
    )


def plain(function: Any, known: dict[Any, Any]) -> Any:
    """Return a compiled function as plain Python, and with it the compiled ones that it calls.

    Args:
        function: the compiled function.
        known: those already made plain, which are used as they are; new ones are added.
    """
    if function not in known:
        text = function.py_func
        known[function] = FunctionType(text.__code__, names := dict(text.__globals__))
        for name in text.__code__.co_names:
            if name in names:
                names[name] = _plain(names[name], known)
    return known[function]


def _plain(value: Any, known: dict[Any, Any]) -> Any:
    if value is pointer:
        return lambda numbers: numbers if type(numbers) is list else memoryview(numbers.reshape(-1))
    if value is record:
        return operator.getitem
    if hasattr(value, "py_func"):
        return plain(value, known)
    if not isinstance(value, ModuleType) or value is np:
        return value
    compiled = {name: one for name, one in vars(value).items() if hasattr(one, "py_func")}
    plains = {name: plain(one, known) for name, one in compiled.items()}
    return SimpleNamespace(**vars(value) | plains)
