"""CURVE keys: which clients may connect when the broker's server is open beyond this machine.

A folder of keys:

    server.key         the broker's own pair; stays on the broker's machine
    clients/NAME.key   for one client: its pair and the broker's public key; carry it there
        allowed/NAME.pub   the public keys of allowed clients; remove one to revoke it

Files hold one ``word key`` a line, keys in Z85 as ZeroMQ writes them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import zmq

from steerageway.bus.core.errors import ConfigError
from steerageway.declarations import replacing, write_whole

_KEY_LENGTH = 40
_OWNER_ONLY = 0o600


class Keys(NamedTuple):
    """The keys of one side of a connection.

    Attributes:
        public, secret: its own pair.
        server: the broker's public key; empty for the broker itself.
    """

    public: bytes
    secret: bytes
    server: bytes = b""


def make_server(folder: Path) -> Path:
    """Create the broker's pair if there is none yet; return its file."""
    path = folder / "server.key"
    for needed in (folder, folder / "clients", folder / "allowed"):
        needed.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        public, secret = zmq.curve_keypair()
        _write(path, Keys(public, secret))
    return path


def add_client(folder: Path, name: str) -> Path:
    """Create a pair for a client and allow it; return the file to carry to the client.

    Raises:
        ConfigError: the name exists, or is no file name.
    """
    where = str(folder)
    if not name or not name.isprintable() or name != Path(name).name or name.startswith("."):
        raise ConfigError(where, "client", name, "expected a name that can name a file")
    allowed = folder / "allowed" / f"{name}.pub"
    if allowed.exists():
        raise ConfigError(where, "client", name, "the name is taken; revoke it first")
    server = read_keys(make_server(folder))
    public, secret = zmq.curve_keypair()
    path = folder / "clients" / f"{name}.key"
    path.unlink(missing_ok=True)
    _write(path, Keys(public, secret, server.public))
    write_whole(allowed, f"public {public.decode()}\n")
    return path


def revoke_client(folder: Path, name: str) -> None:
    """Revoke a client: it can make no new connection.

    Raises:
        ConfigError: there is no such client.
    """
    if name not in allowed_clients(folder).values():
        known = ", ".join(sorted(allowed_clients(folder).values())) or "none"
        raise ConfigError(str(folder), "client", name, f"expected one of: {known}")
    (folder / "allowed" / f"{name}.pub").unlink()
    (folder / "clients" / f"{name}.key").unlink(missing_ok=True)


def allowed_clients(folder: Path) -> dict[bytes, str]:
    """Return the allowed public keys and the clients' names."""
    files = sorted((folder / "allowed").glob("*.pub"))
    return {_read(path, "public")["public"]: path.stem for path in files}


def read_keys(path: Path) -> Keys:
    """Read a ``.key`` file.

    Raises:
        ConfigError: the file does not exist, or is no file of keys.
    """
    found = _read(path, "public", "secret")
    return Keys(found["public"], found["secret"], found.get("server", b""))


def _write(path: Path, keys: Keys) -> None:
    """Write a file that only its owner may read."""
    lines = [f"{word} {key.decode()}" for word, key in keys._asdict().items() if key]
    with replacing(path) as fresh:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        with os.fdopen(handle, "w") as file:
            file.write("\n".join(lines) + "\n")


def _read(path: Path, *needed: str) -> dict[str, bytes]:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(str(path), "", "", f"cannot be read: {error}") from None
    found = {}
    for number, line in enumerate(lines, 1):
        word, _, key = line.partition(" ")
        if word not in Keys._fields or len(key) != _KEY_LENGTH:
            expected = f"expected public, secret or server and {_KEY_LENGTH} characters"
            raise ConfigError(f"{path}:{number}", word, "", expected)
        found[word] = key.encode()
    for word in needed:
        if word not in found:
            raise ConfigError(str(path), word, "", "expected, but missing")
    return found
